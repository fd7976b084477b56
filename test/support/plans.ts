import { afterAll } from 'vitest';
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

/** Keeps each statement that the file's tests send, with values that one was sent with. */
export function statementsSent(): ReadonlyMap<string, readonly unknown[]> {
  const sent = new Map<string, readonly unknown[]>();
  const d1 = Object.getPrototypeOf(testEnv.DB) as D1Database;
  const original = d1.batch;
  d1.batch = function <T>(this: D1Database, statements: D1PreparedStatement[]) {
    // The binding's own names of what it was prepared and bound with.
    for (const one of statements as unknown as { statement: string; params: unknown[] }[]) {
      if (!sent.has(one.statement)) sent.set(one.statement, one.params);
    }
    return original.call(this, statements) as Promise<D1Result<T>[]>;
  };
  afterAll(() => {
    d1.batch = original;
  });
  return sent;
}

/** What may be gone through from its beginning: it grows with properties and their settings, not with bookings. */
const SMALL: ReadonlySet<string> = new Set([
  'export_files',
  'export_runs',
  'homes',
  'keyring_keys',
  'local_mailbox',
  'moves',
  'moving_properties',
  'properties',
  'reconciliation_runs',
  'retention_progress',
  'this_database',
  'users',
  'webhook_endpoints',
]);

/**
 * What else may be: only what is open, due or refused is in these indexes, and the lists of all messages and exceptions go by
 * their ids, a window each.
 */
const MAY_SCAN =
  /^SCAN (?:\w+ USING (?:COVERING )?INDEX (?:\w+_(?:by_deadline|dead|due|open|outside|rejected|unknown|unsettled)|sqlite_autoindex_exceptions_1)|outbox)$/;

/** These hold the rows of all properties in their lists' order, which may be read from the first while a limit ends it. */
const IN_ORDER = /^SCAN \w+ USING INDEX \w+_(?:anywhere|newest)$/;

/** Whether a step of a statement's plan reads no more than what is open, or than a page. */
const isBounded = (detail: string, sql: string): boolean =>
  MAY_SCAN.test(detail) || (IN_ORDER.test(detail) && /\blimit \?$/i.test(sql));

/** The steps of some statements' plans that go through a table, or all of an index, which they may not; each with its statement. */
export async function scannedBy(
  statements: ReadonlyMap<string, readonly unknown[]>,
): Promise<string[]> {
  const { results } = await testEnv.DB.prepare(
    "SELECT name FROM sqlite_master WHERE type = 'table'",
  ).all<{ name: string }>();
  const tables = new Set(results.map(({ name }) => name));
  const found: string[] = [];
  for (const [sql, params] of statements) {
    if (!/^(?:select|insert|update|delete|with)\b/i.test(sql)) continue;
    const plan = await testEnv.DB.prepare(`EXPLAIN QUERY PLAN ${sql}`)
      .bind(...params)
      .all<{ detail: string }>();
    for (const { detail } of plan.results) {
      const name = /^SCAN (\w+)/.exec(detail)?.[1];
      if (name === undefined || isBounded(detail, sql)) continue;
      const table = new RegExp(`(\\w+)"? AS "?${name}\\b`, 'i').exec(sql)?.[1] ?? name;
      // A name of rows that the statement has made itself, and a foreign key's check that takes place only while one is broken.
      const isMade = new RegExp(`\\) AS "?${name}\\b`, 'i').test(sql);
      const isRead = new RegExp(`(?:from|join) "?${table}\\b(?!.* where 0 )`, 'i').test(sql);
      if (tables.has(table) && isRead && !isMade && !SMALL.has(table))
        found.push(`${detail}: ${sql}`);
    }
  }
  return found;
}
