import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { importWrangler, root } from './environment.ts';
import { inFewTexts } from './fewTexts.ts';

/** The table of applied migrations, shared with `wrangler d1 migrations`. */
const APPLIED = `CREATE TABLE IF NOT EXISTS "d1_migrations" (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  name TEXT UNIQUE,
  applied_at TIMESTAMP DEFAULT CURRENT_TIMESTAMP NOT NULL
)`;

/** Applies the missing migrations to a local database, each as one transaction. Refuses a database of other migrations. */
export async function migrate(d1: D1Database): Promise<void> {
  const { unstable_splitSqlQuery: splitSql } = await importWrangler();
  await d1.prepare(APPLIED).run();
  const { results } = await d1.prepare('SELECT name FROM d1_migrations').all<{ name: string }>();
  const applied = new Set<string>(results.map(({ name }) => name));
  const folder = path.join(root, 'migrations');
  const known = readdirSync(folder).filter((file) => file.endsWith('.sql'));
  const foreign = [...applied].find((file) => !known.includes(file));
  if (foreign !== undefined) {
    throw new Error(
      `This state was made by an earlier version, which is not carried over: it has the migration ${foreign}. ` +
        'Start with an empty state folder (PERSIST_TO), or delete this one.',
    );
  }
  const files = known.filter((file) => !applied.has(file));
  for (const file of files.toSorted()) {
    const statements = splitSql(readFileSync(path.join(folder, file), 'utf8'));
    await d1.batch([
      ...inFewTexts(statements).map((text) => d1.prepare(text)),
      d1.prepare('INSERT INTO d1_migrations (name) VALUES (?)').bind(file),
    ]);
  }
}
