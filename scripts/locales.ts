/**
 * `npm run locales` writes `locales/en.d.json.ts`, by which the compiler knows each message and its arguments.
 * `npm run check:locales` fails where it is out of date.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { root } from './environment.ts';

const english = readFileSync(path.join(root, 'locales/en.json'), 'utf8').trimEnd();
const declared = path.join(root, 'locales/en.d.json.ts');
const text = `// Written by npm run locales.\ndeclare const messages: ${english};\nexport default messages;\n`;

if (process.argv.includes('--check')) {
  if (readFileSync(declared, 'utf8') !== text) {
    console.error('locales/en.d.json.ts is out of date. Run npm run locales.');
    process.exit(1);
  }
} else writeFileSync(declared, text);
