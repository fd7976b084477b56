import { sql } from 'drizzle-orm';
import type { Queries } from '../../platform/db/database.ts';
import { journal } from '../../schema/journalTables.ts';
import type { TransactionRow } from '../../schema/moneyTables.ts';

/**
 * Tells the journal that an accepted charge is another payment at the acquirer than it had. Rows are never changed: a
 * correction of 0 names the payment. A correction of the amount names it by itself, by a trigger.
 */
export function insertReferenceCorrection(queries: Queries, after: TransactionRow, nowMs: number) {
  const { bookingReference, completedAtMs, createdAtMs, currency, gateway, id, propertyId } = after;
  return queries.insert(journal).values({
    transactionId: id,
    number: sql`(SELECT count(*) + 1 FROM journal WHERE transaction_id = ${id})`,
    propertyId,
    bookingReference,
    kind: 'correction',
    currency,
    amountMinor: 0,
    feeMinor: 0,
    gateway,
    gatewayReference: after.gatewayReference,
    occurredAtMs: completedAtMs ?? createdAtMs,
    recordedAtMs: nowMs,
  });
}
