import type { Statement } from '../../src/platform/db/database.ts';
import { testEnv } from './api.ts';

/** How SQLite goes about some queries, a line a step. */
export async function plansOf(statements: readonly Statement[]): Promise<string> {
  const plans: string[] = [];
  for (const statement of statements) plans.push(await planOf(statement));
  return plans.join('\n');
}

/** How SQLite goes about a query, a line a step. */
export async function planOf(statement: Statement): Promise<string> {
  const { sql, params } = statement.prepare().getQuery();
  const { results } = await testEnv.DB.prepare(`EXPLAIN QUERY PLAN ${sql}`)
    .bind(...params)
    .all<{ detail: string }>();
  return results.map(({ detail }) => detail).join('\n');
}
