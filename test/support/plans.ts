import { testEnv } from './api.ts';

/** How SQLite goes about a query, a line a step. */
export async function planOf(query: {
  toSQL(): { sql: string; params: unknown[] };
}): Promise<string> {
  const { sql, params } = query.toSQL();
  const { results } = await testEnv.DB.prepare(`EXPLAIN QUERY PLAN ${sql}`)
    .bind(...params)
    .all<{ detail: string }>();
  return results.map(({ detail }) => detail).join('\n');
}
