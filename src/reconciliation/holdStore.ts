import { type SQL, sql } from 'drizzle-orm';
import { queries } from '../platform/db/database.ts';
import type { ReconciliationRunRow } from '../schema/reconciliationTables.ts';
import { holdsFromMs, readTo } from './rules/runs.ts';

/**
 * What waits for a time, in its order, after the last one read: among it are all holds. Where those made since a time are
 * wanted, only they are read: what waits otherwise is mostly schedules.
 */
function waitingPage(run: ReconciliationRunRow, scanned: number): SQL {
  const [dueAtMs = 0, id = 0] = readTo(run);
  const fromMs = holdsFromMs(run);
  const heldSince = sql`properties AS property CROSS JOIN transactions AS waiting INDEXED BY transactions_by_status ON waiting.property_id = property.id AND waiting.status NOT IN ('Processing', 'Accepted') AND waiting.status = 'Authorized' AND waiting.created_at_ms >= ${fromMs}`;
  const waiting = fromMs > 0 ? heldSince : sql`transactions AS waiting`;
  return sql`(SELECT waiting.* FROM ${waiting} WHERE waiting.due_at_ms IS NOT NULL AND (waiting.due_at_ms, waiting.id) > (${dueAtMs}, ${id}) ORDER BY waiting.due_at_ms, waiting.id LIMIT ${scanned}) AS row`;
}

const waitingKey = {
  id: sql<number>`row.id`.as('id'),
  dueAtMs: sql<number>`row.due_at_ms`.as('due_at_ms'),
};

/**
 * Selects the holds that a run asks for, `limit` at most, among the next `scanned` transactions that wait for a time: those
 * made in its span, or all until its end.
 */
export function selectHolds(run: ReconciliationRunRow, scanned: number, limit: number) {
  const { gateway, propertyId, toMs } = run;
  const ofProperty = propertyId === null ? sql`` : sql` AND row.property_id = ${propertyId}`;
  return queries
    .select(waitingKey)
    .from(waitingPage(run, scanned))
    .where(
      sql`row.status = 'Authorized' AND row.gateway = ${gateway} AND row.created_at_ms >= ${holdsFromMs(run)} AND row.created_at_ms < ${toMs}${ofProperty}`,
    )
    .orderBy(sql`row.due_at_ms, row.id`)
    .limit(limit);
}

/** Selects the last of the next `scanned` transactions that wait for a time; nothing if there are fewer. */
export function selectLastWaiting(run: ReconciliationRunRow, scanned: number) {
  return queries
    .select(waitingKey)
    .from(waitingPage(run, scanned))
    .orderBy(sql`row.due_at_ms, row.id`)
    .limit(1)
    .offset(scanned - 1);
}
