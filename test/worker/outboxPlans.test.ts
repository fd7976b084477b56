import { drizzle } from 'drizzle-orm/d1';
import { beforeAll, describe, expect, it } from 'vitest';
import {
  insertMessage,
  promoteNext,
  selectDue,
  selectHead,
  selectNextDue,
  selectOverduePms,
} from '../../src/outbox/store.ts';
import { freshDatabase, testEnv } from '../support/api.ts';

beforeAll(freshDatabase);

const queries = drizzle(testEnv.DB);
const message = {
  propertyId: 'demo',
  bookingReference: 'RES-1',
  messageId: 'm',
  messageType: 'PushBooking',
  payload: {},
  createdAtMs: 1,
} as const;

/** How SQLite goes about a query. */
async function planOf(query: { toSQL(): { sql: string; params: unknown[] } }): Promise<string> {
  const { sql, params } = query.toSQL();
  const { results } = await testEnv.DB.prepare(`EXPLAIN QUERY PLAN ${sql}`)
    .bind(...params)
    .all<{ detail: string }>();
  return results.map(({ detail }) => detail).join('\n');
}

describe('however long the outbox is, SQLite', () => {
  it.each([
    ['what is due', () => selectDue(queries, 'https://pms', 1, 10)],
    ['what is due next', () => selectNextDue(queries, 'https://pms', 1)],
    ['what is overdue', () => selectOverduePms(queries, 1, 10)],
  ])('finds %s by the index of what waits', async (_name, query) => {
    const plan = await planOf(query());
    expect(plan).toMatch(/SEARCH outbox (EXISTS )?USING (COVERING )?INDEX outbox_unsettled/);
    expect(plan).not.toMatch(/SCAN outbox/);
  });

  it.each([
    ['the head of a booking', () => selectHead(queries, 'demo', 'RES-1', 1)],
    ['the next one of a booking', () => promoteNext(queries, message, 1)],
    ['the place of a new message', () => insertMessage(queries, message)],
  ])('finds %s by the booking', async (_name, query) => {
    const plan = await planOf(query());
    expect(plan).toMatch(/USING (COVERING )?(INDEX|PRIMARY KEY)/);
    expect(plan).not.toMatch(/SCAN outbox/);
  });
});
