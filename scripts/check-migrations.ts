/**
 * `npm run check:migrations`: fails when the migrations lead to another schema than the code's, and when a migration
 * destroys something without a reason.
 */
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import { importWrangler, root } from './environment.ts';
import { unexplainedStatements } from './migrationGuard.ts';
import { currentGuards, generateInto, migrated, migrationsIn } from './schemaFiles.ts';

const migrations = path.join(root, 'migrations');
const HINT = 'Run `npm run schema -- --name <what-changed>`.';

await requireReasons();
requireTables();
requireGuards();

function fail(message: string): void {
  console.error(message);
  process.exitCode = 1;
}

/** Fails for each destructive statement in a migration without a reason. */
async function requireReasons(): Promise<void> {
  const { unstable_splitSqlQuery: splitSql } = await importWrangler();
  for (const name of migrationsIn(migrations)) {
    const text = readFileSync(path.join(migrations, name), 'utf8');
    for (const statement of unexplainedStatements({ text, statements: splitSql(text) })) {
      fail(
        `migrations/${name} destroys something that the deployed version may need: ${statement}\n` +
          'If that is safe, add a comment to the migration: `-- destructive: <reason>`.',
      );
    }
  }
}

/** Fails when drizzle-kit would generate a new migration. */
function requireTables(): void {
  const scratch = path.join(root, '.wrangler');
  mkdirSync(scratch, { recursive: true });
  const copy = mkdtempSync(path.join(scratch, 'migrations-'));
  try {
    cpSync(migrations, copy, { recursive: true });
    generateInto(copy);
    if (migrationsIn(copy).length !== migrationsIn(migrations).length)
      fail(`The tables have changed. ${HINT}`);
  } finally {
    rmSync(copy, { recursive: true, force: true });
  }
}

/** Fails where an empty database gets other triggers, views or storage than the current files say. */
function requireGuards(): void {
  const { guards: found, wronglyStored } = migrated(migrations);
  const wanted = currentGuards();
  for (const name of new Set([...found.keys(), ...wanted.keys()])) {
    if (found.get(name)?.sql !== wanted.get(name)?.sql)
      fail(`The migrations lead to another ${name} than src/schema/guards says. ${HINT}`);
  }
  for (const name of wronglyStored)
    fail(`The migrations store ${name} in another way than src/schema/storage.ts says.`);
}
