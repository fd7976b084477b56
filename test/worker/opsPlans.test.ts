import { drizzle } from 'drizzle-orm/d1';
import { beforeAll, describe, expect, it } from 'vitest';
import { selectRuns } from '../../src/exports/store.ts';
import {
  selectBacklogs,
  selectDead,
  selectNewestDisbursements,
  selectOpenRefunds,
  selectOpenTransactions,
  selectOutcomes,
  selectUpcoming,
  selectUpcomingSums,
} from '../../src/ops/store.ts';
import { freshDatabase, testEnv } from '../support/api.ts';

beforeAll(freshDatabase);

const queries = drizzle(testEnv.DB);

/** How SQLite goes about a query. */
async function planOf(query: { toSQL(): { sql: string; params: unknown[] } }): Promise<string> {
  const { sql, params } = query.toSQL();
  const { results } = await testEnv.DB.prepare(`EXPLAIN QUERY PLAN ${sql}`)
    .bind(...params)
    .all<{ detail: string }>();
  return results.map(({ detail }) => detail).join('\n');
}

const DUE = 'SEARCH transactions USING INDEX transactions_due (due_at_ms<?)';

describe('however much there is, the operations page', () => {
  it.each([
    [
      'outcomes',
      () => selectOutcomes(queries, 1),
      'SEARCH transactions USING INTEGER PRIMARY KEY (rowid>?)',
    ],
    ['open transactions', () => selectOpenTransactions(queries, 1, 10), DUE],
    [
      'open refunds',
      () => selectOpenRefunds(queries, 1, 10),
      'SEARCH refunds USING INDEX refunds_due (due_at_ms<?)',
    ],
    ['sums of schedules', () => selectUpcomingSums(queries, 1), DUE],
    ['the next schedules', () => selectUpcoming(queries, 1, 10), DUE],
    [
      'backlogs',
      () => selectBacklogs(queries, 10),
      'SEARCH outbox USING INDEX outbox_unsettled (property_id=?)',
    ],
    [
      'dead messages',
      () => selectDead(queries, 10),
      'SEARCH outbox USING INDEX outbox_unsettled (property_id=? AND due_at_ms=?)',
    ],
    [
      'export runs',
      () => selectRuns(queries, {}, 10),
      'SCAN export_runs USING INDEX sqlite_autoindex_export_runs_1',
    ],
    [
      'disbursements',
      () => selectNewestDisbursements(queries, 10),
      'SEARCH newest USING COVERING INDEX disbursements_by_time (property_id=?)',
    ],
  ])('finds %s by an index', async (_name, query, found) => {
    const plan = await planOf(query());
    expect(plan).toContain(found);
    // Properties are few; export runs are read from the newest on, as many as are shown.
    expect(plan).not.toMatch(/SCAN (?:transactions|refunds|outbox|disbursements|newest)\b/);
    expect(query().toSQL().sql).toContain('limit');
  });
});
