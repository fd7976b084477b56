import { sql } from 'drizzle-orm';
import { queries } from '../platform/db/database.ts';
import type { ReconciliationRunRow } from '../schema/reconciliationTables.ts';
import { holdsFromMs, readTo } from './rules/runs.ts';

const holdKey = {
  propertyId: sql<string>`hold.property_id`.as('property_id'),
  createdAtMs: sql<number>`hold.created_at_ms`.as('created_at_ms'),
  id: sql<number>`hold.id`.as('id'),
};

/**
 * Selects the next holds after the last one read, `limit` at most: those made in the run's span, or all until its end. They
 * come property by property in the order of an index, so that a page reads about as many rows as it has. Only properties
 * that have or had the run's account have any on it; every one may have had the platform's.
 */
export function selectHolds(run: ReconciliationRunRow, limit: number) {
  const { account, gateway, propertyId, toMs } = run;
  const [property = '', atMs = 0, id = 0] = readTo(run);
  const fromMs = sql`CASE WHEN property.id = ${property} THEN ${atMs} ELSE ${holdsFromMs(run)} END`;
  const ofProperty = propertyId === null ? sql`` : sql` AND property.id = ${propertyId}`;
  const everOnAccount =
    account === null
      ? sql``
      : sql` AND property.id IN (SELECT property_id FROM merchant_accounts WHERE account = ${account})`;
  return queries
    .select(holdKey)
    .from(
      sql`properties AS property CROSS JOIN transactions AS hold INDEXED BY transactions_by_status ON hold.property_id = property.id AND hold.status NOT IN ('Processing', 'Accepted') AND hold.status = 'Authorized' AND hold.created_at_ms >= ${fromMs} AND hold.created_at_ms < ${toMs}`,
    )
    .where(
      sql`property.id >= ${property}${ofProperty}${everOnAccount} AND (hold.property_id, hold.created_at_ms, hold.id) > (${property}, ${atMs}, ${id}) AND hold.gateway = ${gateway}`,
    )
    .orderBy(sql`property.id, hold.created_at_ms, hold.id`)
    .limit(limit);
}
