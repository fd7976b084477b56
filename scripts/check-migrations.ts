/**
 * `npm run check:migrations`: fails when the schema in code differs from the migrations, and when a migration destroys
 * something without a reason.
 */
import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import configuration from '../drizzle.config.ts';
import { importWrangler, root } from './environment.ts';
import { unexplainedStatements } from './migrationGuard.ts';

const migrations = path.join(root, 'migrations');

await requireReasons();
requireMigrationOfSchema();

/** Fails for each destructive statement in a migration without a reason. */
async function requireReasons(): Promise<void> {
  const { unstable_splitSqlQuery: splitSql } = await importWrangler();
  for (const name of readdirSync(migrations).filter((file) => file.endsWith('.sql'))) {
    const text = readFileSync(path.join(migrations, name), 'utf8');
    for (const statement of unexplainedStatements({ name, text, statements: splitSql(text) })) {
      console.error(
        `migrations/${name} destroys something that the deployed version may need: ${statement}\n` +
          'If that is safe, add a comment to the migration: `-- destructive: <reason>`.',
      );
      process.exitCode = 1;
    }
  }
}

/** Fails when drizzle-kit would generate a new migration. */
function requireMigrationOfSchema(): void {
  const scratch = path.join(root, '.wrangler');
  mkdirSync(scratch, { recursive: true });
  const copy = mkdtempSync(path.join(scratch, 'migrations-'));
  try {
    cpSync(migrations, copy, { recursive: true });
    const before = readdirSync(copy).length;
    generateInto(copy);
    if (readdirSync(copy).length === before) return;
    console.error('The schema has changed. Run `npx drizzle-kit generate --name <what-changed>`.');
    process.exitCode = 1;
  } finally {
    rmSync(copy, { recursive: true, force: true });
  }
}

function generateInto(folder: string): void {
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
      path.relative(root, folder),
    ],
    { cwd: root, encoding: 'utf8' },
  );
  if (generated.status !== 0) throw new Error(generated.stdout + generated.stderr);
}
