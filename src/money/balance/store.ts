import { and, desc, eq, lte, sql } from 'drizzle-orm';
import { openAmounts, totalCosts } from '../../platform/db/balanceTables.ts';
import { bookings } from '../../platform/db/bookingTables.ts';
import type { Queries } from '../../platform/db/database.ts';
import { chargeTotals, type JournalRow, journal } from '../../platform/db/journalTables.ts';
import { transactions } from '../../platform/db/moneyTables.ts';
import { prepared } from '../../platform/db/prepared.ts';
import { type BookingName, isBooking } from '../../records/bookings/store.ts';

/** Selects the sums of the journal for each of a booking's charges that was taken (parts: The journal). */
export function selectChargeTotals(queries: Queries, propertyId: string, reference: string) {
  return totalsOfBooking(queries, { propertyId, reference });
}

const totalsOfBooking = prepared<BookingName>()((queries, { propertyId, reference }) =>
  queries
    .select()
    .from(chargeTotals)
    .where(
      and(eq(chargeTotals.propertyId, propertyId), eq(chargeTotals.bookingReference, reference)),
    ),
);

/** Selects a booking's currency and its total cost as it was at an instant; nothing if it did not exist then. */
export function selectTotalCostAsOf(queries: Queries, name: BookingName, asOfMs: number) {
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

/** Selects the sums of the journal for each charge of a booking, of what this service knew at an instant. */
export function selectChargeTotalsAsOf(queries: Queries, name: BookingName, asOfMs: number) {
  return queries
    .select({
      purpose: transactions.purpose,
      takenMinor: sumOfKinds('charge', 'capture', 'correction').as('takenMinor'),
      feeMinor: sql<number>`sum(${journal.feeMinor})`.as('feeMinor'),
      refundedMinor: sql<number>`-${sumOfKinds('refund', 'reversal')}`.as('refundedMinor'),
      disputedMinor: sql<number>`-${sumOfKinds('chargeback', 'chargeback_reversal')}`.as(
        'disputedMinor',
      ),
    })
    .from(transactions)
    .innerJoin(journal, eq(journal.transactionId, transactions.id))
    .where(
      and(
        eq(transactions.propertyId, name.propertyId),
        eq(transactions.bookingReference, name.reference),
        lte(journal.recordedAtMs, asOfMs),
      ),
    )
    .groupBy(transactions.id);
}

/** Selects the sums of what a booking had open at an instant: scheduled, uncertain and held. One row. */
export function selectOpenAmountsAsOf(queries: Queries, name: BookingName, asOfMs: number) {
  return queries
    .select({
      scheduledMinor: sumOfColumn(openAmounts.scheduledMinor).as('scheduledMinor'),
      uncertainMinor: sumOfColumn(openAmounts.uncertainMinor).as('uncertainMinor'),
      heldMinor: sumOfColumn(openAmounts.heldMinor).as('heldMinor'),
    })
    .from(openAmounts)
    .where(
      and(
        eq(openAmounts.propertyId, name.propertyId),
        eq(openAmounts.bookingReference, name.reference),
        lte(openAmounts.atMs, asOfMs),
      ),
    );
}

function sumOfKinds(...kinds: JournalRow['kind'][]) {
  return sql<number>`sum(CASE WHEN ${journal.kind} IN ${kinds} THEN ${journal.amountMinor} ELSE 0 END)`;
}

type OpenAmount = 'scheduledMinor' | 'uncertainMinor' | 'heldMinor';

function sumOfColumn(column: (typeof openAmounts)[OpenAmount]) {
  return sql<number>`coalesce(sum(${column}), 0)`;
}
