import { and, desc, eq, inArray, isNotNull, lte, type SQL, sql } from 'drizzle-orm';
import { queries } from '../../platform/db/database.ts';
import { listed } from '../../platform/db/listed.ts';
import { prepared } from '../../platform/db/prepared.ts';
import { bookings } from '../../schema/bookingTables.ts';
import { history, type Movement } from '../../schema/historyTables.ts';
import { transactions } from '../../schema/moneyTables.ts';
import { type BookingName, isBooking, isOfBooking, namesBooking } from '../bookings/store.ts';
import type { ChargeTotals, KnownHistory, LastEntry, OpenAmounts } from './sums.ts';

/** As of now, whatever the clock of the machine that recorded something said. */
const NOW_MS = Number.MAX_SAFE_INTEGER;

/** A booking, and the instant as of which it is asked for, in milliseconds since 1970. */
type AsOf = BookingName & { readonly asOfMs: number };

/** Selects what a booking's history comes to, of what this service knew at an instant; for a batch. */
export function selectSums(name: BookingName, asOfMs = NOW_MS) {
  return [totalsOfBooking({ ...name, asOfMs }), openOfBooking({ ...name, asOfMs })] as const;
}

/** Selects where a booking's history stands, for a batch; {@link knownHistory} reads it. */
export function selectHistory(name: BookingName) {
  return [...selectSums(name), lastOfBooking(name)] as const;
}

/** Where a booking's history stands, from the rows of {@link selectHistory}. */
export function knownHistory(
  totals: readonly ChargeTotals[],
  [open]: readonly OpenAmounts[],
  [last]: readonly LastEntry[],
): KnownHistory {
  if (!open) throw new Error('a sum has no row');
  return { totals, open, last: last ?? { sequence: 0, atMs: 0 } };
}

const lastOfBooking = prepared<BookingName>()((name) =>
  queries
    .select({ sequence: history.sequence, atMs: history.atMs })
    .from(history)
    .where(isOfBooking(history, name))
    .orderBy(desc(history.sequence))
    .limit(1),
);

/** Selects the sums of the movements of each charge of a booking that was taken, as of now. */
export function selectChargeTotals(name: BookingName) {
  return totalsOfBooking({ ...name, asOfMs: NOW_MS });
}

/** Selects a booking's currency and its total cost as it was at an instant; nothing if it did not exist then. */
export function selectTotalCost(name: BookingName, asOfMs = NOW_MS) {
  return queries
    .select({
      currency: bookings.currency,
      totalCostMinor: sql<number>`${history.totalCostMinor}`.as('total_then_minor'),
    })
    .from(bookings)
    .innerJoin(history, namesBooking(history))
    .where(and(isBooking(name), isNotNull(history.totalCostMinor), lte(history.atMs, asOfMs)))
    .orderBy(desc(history.sequence))
    .limit(1);
}

const totalsOfBooking = prepared<AsOf>()(({ propertyId, reference, asOfMs }) =>
  chargeTotals(and(isOfBooking(history, { propertyId, reference }), lte(history.atMs, asOfMs))),
);

/** Selects the sums of each charge of some of a property's bookings, as of now. */
export function selectTotalsOfBookings(propertyId: string, references: readonly string[]) {
  return chargeTotals(
    and(eq(history.propertyId, propertyId), inArray(history.bookingReference, listed(references))),
  );
}

function chargeTotals(which: SQL | undefined) {
  return queries
    .select({
      transactionId: sql<number>`${transactions.id}`.as('transaction_id'),
      purpose: transactions.purpose,
      takenMinor: sumOf('charge', 'capture', 'correction').as('taken_minor'),
      feeMinor: sql<number>`sum(${history.feeMinor})`.as('fees_minor'),
      refundedMinor: sql<number>`-${sumOf('refund', 'reversal')}`.as('refunded_minor'),
      waivedMinor: sql<number>`coalesce(sum(${history.waivedMinor}), 0)`.as('waived_sum_minor'),
      disputedMinor: sql<number>`-${sumOf('chargeback', 'chargeback_reversal')}`.as(
        'disputed_minor',
      ),
    })
    .from(history)
    .innerJoin(transactions, eq(transactions.id, history.chargeId))
    .where(and(which, isNotNull(history.movement)))
    .groupBy(transactions.id);
}

function sumOf(...kinds: Movement[]) {
  const named = sql.raw(kinds.map((kind) => `'${kind}'`).join(', '));
  return sql<number>`sum(CASE WHEN ${history.movement} IN (${named}) THEN ${history.amountMinor} ELSE 0 END)`;
}

const openOfBooking = prepared<AsOf>()(({ propertyId, reference, asOfMs }) =>
  queries
    .select({
      scheduledMinor: sumOfColumn('scheduledMinor').as('scheduled_sum_minor'),
      uncertainMinor: sumOfColumn('uncertainMinor').as('uncertain_sum_minor'),
      heldMinor: sumOfColumn('heldMinor').as('held_sum_minor'),
      plannedMinor: sumOfColumn('plannedMinor').as('planned_sum_minor'),
    })
    .from(history)
    .where(and(isOfBooking(history, { propertyId, reference }), lte(history.atMs, asOfMs))),
);

function sumOfColumn(column: 'scheduledMinor' | 'uncertainMinor' | 'heldMinor' | 'plannedMinor') {
  return sql<number>`coalesce(sum(${history[column]}), 0)`;
}
