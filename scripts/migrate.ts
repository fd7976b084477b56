import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { importWrangler, root } from './environment.ts';

/** The table of applied migrations, shared with `wrangler d1 migrations`. */
const APPLIED = `CREATE TABLE IF NOT EXISTS "d1_migrations" (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  name TEXT UNIQUE,
  applied_at TIMESTAMP DEFAULT CURRENT_TIMESTAMP NOT NULL
)`;

/** Applies the missing migrations to a local database, each as one transaction. */
export async function migrate(d1: D1Database): Promise<void> {
  const { unstable_splitSqlQuery: splitSql } = await importWrangler();
  await d1.prepare(APPLIED).run();
  const { results } = await d1.prepare('SELECT name FROM d1_migrations').all<{ name: string }>();
  const applied = new Set(results.map(({ name }) => name));
  const folder = path.join(root, 'migrations');
  const files = readdirSync(folder).filter((file) => file.endsWith('.sql') && !applied.has(file));
  for (const file of files.toSorted()) {
    const statements = splitSql(readFileSync(path.join(folder, file), 'utf8'));
    await d1.batch([
      ...statements.map((statement) => d1.prepare(statement)),
      d1.prepare('INSERT INTO d1_migrations (name) VALUES (?)').bind(file),
    ]);
  }
}
