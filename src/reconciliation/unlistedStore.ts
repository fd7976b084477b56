import { and, asc, count, eq, sql } from 'drizzle-orm';
import type { ListedDispute } from '../gateways/movements.ts';
import { queries } from '../platform/db/database.ts';
import { unindexed } from '../platform/db/indexes.ts';
import { isChargeNamedBy } from '../records/history/chargesStore.ts';
import { cards } from '../schema/cardTables.ts';
import { disputes } from '../schema/disputeTables.ts';
import { transactions } from '../schema/moneyTables.ts';
import { exceptions, type ReconciliationRunRow } from '../schema/reconciliationTables.ts';

/** Selects holds that ended as failed in a run's span after their outcome was not known, the earliest first. */
export function selectDoubtfulHolds(
  {
    fromMs,
    gateway,
    propertyId,
    toMs,
  }: Pick<ReconciliationRunRow, 'fromMs' | 'gateway' | 'propertyId' | 'toMs'>,
  limit: number,
) {
  const { completedAtMs, gatewayReference, id, kind, status, statusChecks } = transactions;
  return queries
    .select({ id })
    .from(transactions)
    .where(
      and(
        // As the index of such holds has it, so that SQLite uses that.
        sql`${kind} = 'authorization' AND ${statusChecks} > 0`,
        sql`(${status} IN ('Failed', 'Declined') OR (${status} = 'Released' AND ${gatewayReference} IS NULL))`,
        sql`${completedAtMs} BETWEEN ${fromMs} AND ${toMs}`,
        eq(transactions.gateway, gateway),
        propertyId === null
          ? undefined
          : sql`${unindexed(transactions.propertyId)} = ${propertyId}`,
      ),
    )
    .orderBy(asc(completedAtMs))
    .limit(limit);
}

/**
 * Selects schedules that ended although the acquirer could not be asked, whose exception is open, with each card that they
 * may have been charged on.
 */
export function selectUnasked(
  { gateway, propertyId }: Pick<ReconciliationRunRow, 'gateway' | 'propertyId'>,
  limit: number,
) {
  return queries
    .select({
      subject: exceptions.subject,
      transaction: transactions,
      gatewayToken: cards.gatewayToken,
    })
    .from(exceptions)
    .innerJoin(
      transactions,
      sql`${transactions.id} = CAST(${exceptions.ours} ->> 'id' AS INTEGER) AND ${exceptions.subject} = 'charge ' || ${transactions.id}`,
    )
    .innerJoin(
      cards,
      sql`${cards.token} = ${transactions.cardToken} OR (${cards.propertyId} = ${transactions.propertyId} AND ${cards.bookingReference} = ${transactions.bookingReference})`,
    )
    .where(
      and(
        // What the acquirer has not is named by the charge: of all that differs, the index has these together.
        sql`${exceptions.gateway} = ${gateway} AND ${exceptions.kind} = 'state_differs' AND ${exceptions.subject} >= 'charge ' AND ${exceptions.subject} < 'charge!'`,
        sql`${unindexed(exceptions.status)} = 'open' AND ${exceptions.theirs} IS NULL`,
        propertyId === null ? undefined : eq(unindexed(exceptions.propertyId), propertyId),
        eq(transactions.kind, 'schedule'),
      ),
    )
    .orderBy(asc(exceptions.foundAtMs))
    .limit(limit);
}

/** Selects which of the acquirer's disputes are of a charge of this service that does not have them. */
export function selectUnknownDisputes(listed: readonly ListedDispute[], propertyId: string | null) {
  const wantedOnes = listed.flatMap(({ about, id }) => (about ? [{ ...about, id }] : []));
  return queries
    .select({
      id: sql<string>`page.value ->> 'id'`.as('dispute_id'),
      transactionId: transactions.id,
    })
    .from(transactions)
    .innerJoin(
      sql`json_each(${JSON.stringify(wantedOnes)}) AS page`,
      sql`page.value ->> 'reference' = ${transactions.reference}`,
    )
    .where(
      and(
        isChargeNamedBy(wantedOnes),
        propertyId === null ? undefined : sql`+${transactions.propertyId} = ${propertyId}`,
        sql`NOT EXISTS (SELECT 1 FROM disputes AS known WHERE known.property_id = ${transactions.propertyId} AND known.id = page.value ->> 'id')`,
      ),
    );
}

/** Selects which of the acquirer's disputes are of an archived booking that does not have them, with whose they are. */
export function selectUnknownArchived(listed: readonly ListedDispute[], propertyId: string | null) {
  const wantedOnes = listed.flatMap(({ about, id }) => (about ? [{ ...about, id }] : []));
  return queries
    .select({
      id: sql<string>`page.value ->> 'id'`.as('dispute_id'),
      reference: sql<string>`page.value ->> 'reference'`.as('charge_reference'),
      propertyId: sql<string>`booking.property_id`.as('property_id'),
      bookingReference: sql<string>`booking.reference`.as('booking_reference'),
    })
    .from(
      sql`json_each(${JSON.stringify(wantedOnes)}) AS page CROSS JOIN archived_bookings AS booking ON booking.property_id = page.value ->> 'propertyId' AND booking.reference = page.value ->> 'bookingReference'`,
    )
    .where(
      and(
        sql`booking.state = 'archived'`,
        propertyId === null ? undefined : sql`booking.property_id = ${propertyId}`,
        sql`NOT EXISTS (SELECT 1 FROM archived_references AS known WHERE known.property_id = booking.property_id AND known.gateway_reference = page.value ->> 'id')`,
      ),
    );
}

/** Named, or SQLite reads all disputes in the order of the list. */
const OPEN_DISPUTES = sql`${disputes} INDEXED BY disputes_open`;

export function countOpenDisputes(propertyId: string | null) {
  return queries.select({ many: count() }).from(OPEN_DISPUTES).where(isOpenDispute(propertyId));
}

/** Selects open disputes, those opened first; of one property, or of all. */
export function selectOpenDisputes(
  propertyId: string | null,
  { limit, offset }: { readonly limit: number; readonly offset: number },
) {
  return queries
    .select({
      id: sql<string>`${disputes.id}`.as('dispute_id'),
      transactionId: sql<number>`${disputes.transactionId}`.as('of_transaction'),
    })
    .from(OPEN_DISPUTES)
    .where(isOpenDispute(propertyId))
    .orderBy(asc(disputes.propertyId), asc(disputes.openedAtMs), asc(disputes.id))
    .limit(limit)
    .offset(offset);
}

function isOpenDispute(propertyId: string | null) {
  return and(
    // A literal, so that SQLite uses the index of open disputes.
    sql`${disputes.status} IN ('needs_response', 'under_review')`,
    propertyId === null ? undefined : eq(disputes.propertyId, propertyId),
  );
}
