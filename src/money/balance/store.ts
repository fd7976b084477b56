import { and, desc, eq, inArray, lte, type SQL, sql } from 'drizzle-orm';
import type { Queries } from '../../platform/db/database.ts';
import { listed } from '../../platform/db/listed.ts';
import { prepared } from '../../platform/db/prepared.ts';
import { type BookingName, isBooking } from '../../records/bookings/store.ts';
import { openAmounts, totalCosts } from '../../schema/balanceTables.ts';
import { bookings } from '../../schema/bookingTables.ts';
import { type JournalRow, journal } from '../../schema/journalTables.ts';
import { refunds, transactions } from '../../schema/moneyTables.ts';

/** Selects a booking's currency and its total cost as it was at an instant; nothing if it did not exist then. */
export function selectTotalCost(queries: Queries, name: BookingName, asOfMs = NOW_MS) {
  return queries
    .select({ currency: bookings.currency, totalCostMinor: totalCosts.totalCostMinor })
    .from(bookings)
    .innerJoin(
      totalCosts,
      and(
        eq(totalCosts.propertyId, bookings.propertyId),
        eq(totalCosts.bookingReference, bookings.reference),
      ),
    )
    .where(and(isBooking(name), lte(totalCosts.atMs, asOfMs)))
    .orderBy(desc(totalCosts.number))
    .limit(1);
}

/** As of now, whatever the clock of the machine that recorded something said. */
const NOW_MS = Number.MAX_SAFE_INTEGER;

/** A booking, and the instant as of which it is asked for, in milliseconds since 1970. */
type AsOf = BookingName & { readonly asOfMs: number };

/**
 * Selects the sums of the journal for each charge of a booking that was taken, of what this service knew at an instant
 * (parts: The journal).
 */
export function selectChargeTotals(queries: Queries, name: BookingName, asOfMs = NOW_MS) {
  return totalsOfBooking(queries, { ...name, asOfMs });
}

const totalsOfBooking = prepared<AsOf>()((queries, { propertyId, reference, asOfMs }) =>
  chargeTotals(
    queries,
    and(
      eq(transactions.propertyId, propertyId),
      eq(transactions.bookingReference, reference),
      lte(journal.recordedAtMs, asOfMs),
    ),
  ),
);

/** Selects the same for each charge of some of a property's bookings, as of now. */
export function selectTotalsOfBookings(
  queries: Queries,
  propertyId: string,
  references: readonly string[],
) {
  return chargeTotals(
    queries,
    and(
      eq(transactions.propertyId, propertyId),
      inArray(transactions.bookingReference, listed(references)),
    ),
  );
}

function chargeTotals(queries: Queries, which: SQL | undefined) {
  return queries
    .select({
      transactionId: sql<number>`${transactions.id}`.as('transaction_id'),
      purpose: transactions.purpose,
      takenMinor: sumOfKinds('charge', 'capture', 'correction').as('taken_minor'),
      feeMinor: sql<number>`sum(${journal.feeMinor})`.as('fee_minor'),
      refundedMinor: sql<number>`-${sumOfKinds('refund', 'reversal')}`.as('refunded_minor'),
      waivedMinor:
        sql<number>`-sum(CASE WHEN ${refunds.waived} THEN ${journal.amountMinor} ELSE 0 END)`.as(
          'waived_minor',
        ),
      disputedMinor: sql<number>`-${sumOfKinds('chargeback', 'chargeback_reversal')}`.as(
        'disputed_minor',
      ),
    })
    .from(transactions)
    .innerJoin(journal, eq(journal.transactionId, transactions.id))
    .leftJoin(refunds, eq(refunds.id, journal.refundId))
    .where(which)
    .groupBy(transactions.id);
}

/** Selects the sums of what a booking had open at an instant: scheduled, uncertain and held. One row. */
export function selectOpenAmounts(queries: Queries, name: BookingName, asOfMs = NOW_MS) {
  return openOfBooking(queries, { ...name, asOfMs });
}

const openOfBooking = prepared<AsOf>()((queries, { propertyId, reference, asOfMs }) =>
  queries
    .select({
      scheduledMinor: sumOfColumn(openAmounts.scheduledMinor).as('scheduled_minor'),
      uncertainMinor: sumOfColumn(openAmounts.uncertainMinor).as('uncertain_minor'),
      heldMinor: sumOfColumn(openAmounts.heldMinor).as('held_minor'),
    })
    .from(openAmounts)
    .where(
      and(
        eq(openAmounts.propertyId, propertyId),
        eq(openAmounts.bookingReference, reference),
        lte(openAmounts.atMs, asOfMs),
      ),
    ),
);

function sumOfKinds(...kinds: JournalRow['kind'][]) {
  const listed = sql.raw(kinds.map((kind) => `'${kind}'`).join(', '));
  return sql<number>`sum(CASE WHEN ${journal.kind} IN (${listed}) THEN ${journal.amountMinor} ELSE 0 END)`;
}

type OpenAmount = 'scheduledMinor' | 'uncertainMinor' | 'heldMinor';

function sumOfColumn(column: (typeof openAmounts)[OpenAmount]) {
  return sql<number>`coalesce(sum(${column}), 0)`;
}
