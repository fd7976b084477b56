/**
 * `npm run locales` writes an `en.d.json.ts` beside each `en.json` of `locales`, by which the compiler knows each message
 * and its arguments. `npm run check:locales` fails where one is out of date.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { root } from './environment.ts';

for (const folder of ['locales', 'locales/staff']) {
  const english = readFileSync(path.join(root, folder, 'en.json'), 'utf8').trimEnd();
  const declared = path.join(root, folder, 'en.d.json.ts');
  const text = `// Written by npm run locales.\ndeclare const messages: ${english};\nexport default messages;\n`;
  if (!process.argv.includes('--check')) writeFileSync(declared, text);
  else if (readFileSync(declared, 'utf8') !== text) {
    console.error(`${folder}/en.d.json.ts is out of date. Run npm run locales.`);
    process.exitCode = 1;
  }
}
