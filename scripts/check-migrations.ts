/** Fails when the schema in code has changed without a migration for it. */
import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import configuration from '../drizzle.config.ts';
import { root } from './environment.ts';

const scratch = path.join(root, '.wrangler');
mkdirSync(scratch, { recursive: true });
const copy = mkdtempSync(path.join(scratch, 'migrations-'));
try {
  cpSync(path.join(root, 'migrations'), copy, { recursive: true });
  const before = readdirSync(copy).length;
  const kit = path.join(
    path.dirname(createRequire(import.meta.url).resolve('drizzle-kit')),
    'bin.cjs',
  );
  const generated = spawnSync(
    process.execPath,
    [
      kit,
      'generate',
      '--dialect',
      'sqlite',
      '--schema',
      String(configuration.schema),
      '--out',
      path.relative(root, copy),
    ],
    { cwd: root, encoding: 'utf8' },
  );
  if (generated.status !== 0) throw new Error(generated.stdout + generated.stderr);
  if (readdirSync(copy).length !== before) {
    console.error('The schema has changed: run `npx drizzle-kit generate --name <what-changed>`.');
    process.exitCode = 1;
  }
} finally {
  rmSync(copy, { recursive: true, force: true });
}
