import {
  and,
  asc,
  eq,
  getTableColumns,
  inArray,
  isNotNull,
  isNull,
  lte,
  min,
  sql,
} from 'drizzle-orm';
import { pick } from '../core/pick.ts';
import { queries } from '../platform/db/database.ts';
import { isChargeOfAny } from '../records/history/chargesStore.ts';
import { staleUnless } from '../records/properties/store.ts';
import { bookings } from '../schema/bookingTables.ts';
import {
  type DisbursementItemRow,
  type DisbursementRow,
  disbursementItems,
  disbursements,
  payoutProgress,
} from '../schema/disbursementTables.ts';
import { disputes } from '../schema/disputeTables.ts';
import { archivedBookings, archivedReferences } from '../schema/lifeTables.ts';
import { refunds, transactions } from '../schema/moneyTables.ts';
import { properties } from '../schema/propertyTables.ts';

/** Inserts an item, unless a disbursement has it already. */
export function insertItem(row: DisbursementItemRow) {
  return queries.insert(disbursementItems).values(row).onConflictDoNothing();
}

/** Makes the totals of a disbursement the sums of its items, and counts them. */
export function addUp(propertyId: string, id: string) {
  const ofItems = (aggregate: string) =>
    sql`(SELECT ${sql.raw(aggregate)} FROM disbursement_items WHERE property_id = ${propertyId} AND disbursement_id = ${id})`;
  return queries
    .update(disbursements)
    .set({
      grossMinor: ofItems('coalesce(sum(gross_minor), 0)'),
      feeMinor: ofItems('coalesce(sum(fee_minor), 0)'),
      netMinor: ofItems('coalesce(sum(net_minor), 0)'),
      itemCount: ofItems('count(*)'),
    })
    .where(and(eq(disbursements.propertyId, propertyId), eq(disbursements.id, id)));
}

export function selectDisbursement(propertyId: string, id: string) {
  return queries
    .select()
    .from(disbursements)
    .where(and(eq(disbursements.propertyId, propertyId), eq(disbursements.id, id)));
}

/** Selects a disbursement's items, oldest first. */
export function selectItems(propertyId: string, disbursementId: string) {
  return queries
    .select()
    .from(disbursementItems)
    .where(
      and(
        eq(disbursementItems.propertyId, propertyId),
        eq(disbursementItems.disbursementId, disbursementId),
      ),
    )
    .orderBy(asc(disbursementItems.effectiveAtMs), asc(disbursementItems.id));
}

/** Selects the bookings that the items of a disbursement name, and all their charges, refunds and disputes, archived ones too. */
export function selectOwnRecords(propertyId: string, id: string) {
  const named = sql`(SELECT ${disbursementItems.description} FROM ${disbursementItems} WHERE ${disbursementItems.propertyId} = ${propertyId} AND ${disbursementItems.disbursementId} = ${id})`;
  const none = sql<number | null>`NULL`;
  return [
    queries
      .select({ reference: bookings.reference })
      .from(bookings)
      .where(and(eq(bookings.propertyId, propertyId), inArray(bookings.reference, named))),
    queries
      .select({ reference: archivedBookings.reference })
      .from(archivedBookings)
      .where(
        and(
          eq(archivedBookings.propertyId, propertyId),
          inArray(archivedBookings.reference, named),
        ),
      ),
    queries
      .select({
        gatewayReference: transactions.gatewayReference,
        chargeId: transactions.id,
        refundId: none,
      })
      .from(transactions)
      .where(isChargeOfAny(propertyId, named)),
    queries
      .select({
        gatewayReference: refunds.gatewayReference,
        chargeId: refunds.transactionId,
        refundId: refunds.id,
      })
      .from(refunds)
      .where(and(eq(refunds.propertyId, propertyId), inArray(refunds.bookingReference, named))),
    queries
      .select({
        gatewayReference: sql<string>`${disputes.id}`.as('dispute_id'),
        chargeId: sql<number>`${disputes.transactionId}`.as('of_charge'),
        refundId: none,
      })
      // Named, or SQLite reads all that the property has.
      .from(sql`${disputes} INDEXED BY disputes_by_booking`)
      .where(and(eq(disputes.propertyId, propertyId), inArray(disputes.bookingReference, named))),
    queries
      .select(pick(archivedReferences, 'gatewayReference', 'chargeId', 'refundId'))
      .from(archivedReferences)
      .where(
        and(
          eq(archivedReferences.propertyId, propertyId),
          inArray(archivedReferences.bookingReference, named),
        ),
      ),
  ] as const;
}

export function selectProgress(source: string) {
  return queries.select().from(payoutProgress).where(eq(payoutProgress.source, source));
}

export function saveProgress(source: string, position: string) {
  return queries
    .insert(payoutProgress)
    .values({ source, position })
    .onConflictDoUpdate({ target: payoutProgress.source, set: { position } });
}

/**
 * Selects disbursements that are due by their properties' clocks, the earliest due first. A frozen clock is being
 * advanced, which advances the property's disbursements itself.
 */
export function selectDueDisbursements(realMs: number, limit: number) {
  const { clockAheadMs, clockFrozenAtMs } = properties;
  return selectWithClock()
    .where(
      and(
        isNotNull(disbursements.dueAtMs),
        isNull(clockFrozenAtMs),
        sql`${disbursements.dueAtMs} <= ${realMs} + ${clockAheadMs}`,
      ),
    )
    .orderBy(asc(disbursements.dueAtMs))
    .limit(limit);
}

export function selectDueOfProperty(propertyId: string, atMs: number) {
  const { dueAtMs, id, propertyId: ofProperty } = disbursements;
  return selectWithClock()
    .where(and(sql`+${ofProperty} = ${propertyId}`, isNotNull(dueAtMs), lte(dueAtMs, atMs)))
    .orderBy(asc(id));
}

export function selectOneWithClock(propertyId: string, id: string) {
  return selectWithClock().where(
    and(eq(disbursements.propertyId, propertyId), eq(disbursements.id, id)),
  );
}

function selectWithClock() {
  return queries
    .select({
      ...getTableColumns(disbursements),
      ...pick(properties, 'timeZone', 'clockAheadMs', 'clockFrozenAtMs'),
    })
    .from(disbursements)
    .innerJoin(properties, eq(properties.id, disbursements.propertyId))
    .$dynamic();
}

/** Changes the status of a disbursement; the batch is refused if its status or totals are others by now. */
export function changeStatus(
  { id, propertyId, status, grossMinor, feeMinor, ...row }: DisbursementRow,
  change: Pick<DisbursementRow, 'status' | 'dueAtMs' | 'postedNetMinor' | 'postedFeeMinor'>,
) {
  const isSame = sql`EXISTS (SELECT 1 FROM disbursements WHERE property_id = ${propertyId} AND id = ${id} AND status = ${status} AND gross_minor = ${grossMinor} AND fee_minor = ${feeMinor} AND posted_net_minor = ${row.postedNetMinor} AND posted_fee_minor = ${row.postedFeeMinor})`;
  return [
    staleUnless(propertyId, isSame),
    queries
      .update(disbursements)
      .set(change)
      .where(and(eq(disbursements.propertyId, propertyId), eq(disbursements.id, id))),
  ] as const;
}

/** Selects when a property's first disbursement closes or is paid out, by its clock, if any is open. */
export function selectFirstDueDisbursement(propertyId: string) {
  return queries
    .select({ dueAtMs: min(disbursements.dueAtMs) })
    .from(disbursements)
    .where(
      and(sql`+${disbursements.propertyId} = ${propertyId}`, isNotNull(disbursements.dueAtMs)),
    );
}
