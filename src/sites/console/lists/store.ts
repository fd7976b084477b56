import { and, asc, desc, eq, gte, lte, type SQL, sql } from 'drizzle-orm';
import { disputeStage } from '../../../money/disputes/store.ts';
import type { Queries } from '../../../platform/db/database.ts';
import { comesAfter, type Part } from '../../../platform/db/page.ts';
import { namesBooking } from '../../../records/bookings/store.ts';
import type { EntryMoney } from '../../../records/history/rules/totals.ts';
import { bookings } from '../../../schema/bookingTables.ts';
import { cards } from '../../../schema/cardTables.ts';
import { disputes } from '../../../schema/disputeTables.ts';
import { refunds, transactions } from '../../../schema/moneyTables.ts';
import { recoveries } from '../../../schema/recoveryTables.ts';

/** The guest of a booking, as lists name them. */
const guest = { firstName: bookings.firstName, lastName: bookings.lastName };

/** What lists show of a payment, of its card, and of what is done about that. */
const payment = {
  id: transactions.id,
  bookingReference: transactions.bookingReference,
  kind: transactions.kind,
  purpose: transactions.purpose,
  status: transactions.status,
  currency: transactions.currency,
  requestedMinor: transactions.requestedMinor,
  amountMinor: transactions.amountMinor,
  totalCostMinor: bookings.totalCostMinor,
  attempts: transactions.attempts,
  declineCode: transactions.declineCode,
  brand: cards.brand,
  last4: cards.last4,
  cause: recoveries.cause,
  asked: recoveries.asked,
  deadlineAtMs: recoveries.deadlineAtMs,
  endedAs: recoveries.endedAs,
  ...guest,
};

/** What a listed payment's booking comes to, entry by entry, as far as sums need it. */
const ENTRIES = sql<
  readonly EntryMoney[]
>`(SELECT json_group_array(json_object('charge', json_object('id', charge.id, 'purpose', charge.purpose), 'moved', iif(history.movement IS NULL, NULL, json_object('kind', history.movement, 'amountMinor', history.amount_minor, 'feeMinor', history.fee_minor, 'waivedMinor', coalesce(history.waived_minor, 0))), 'open', json_object('scheduledMinor', history.scheduled_minor, 'uncertainMinor', history.uncertain_minor, 'heldMinor', history.held_minor))) FROM history LEFT JOIN transactions AS charge ON charge.id = history.charge_id WHERE history.property_id = ${bookings.propertyId} AND history.booking_reference = ${bookings.reference})`.mapWith(
  JSON.parse,
);

/** What was taken of a booking since a payment failed: Bonds for a Bond, anything else for the stay. */
const PAID_SINCE = sql<number>`(SELECT coalesce(sum(later.requested_minor), 0) FROM transactions AS later WHERE later.property_id = ${transactions.propertyId} AND later.booking_reference = ${transactions.bookingReference} AND later.status = 'Accepted' AND later.completed_at_ms >= ${transactions.learntAtMs} AND (later.purpose = 'Bond') = (${transactions.purpose} = 'Bond'))`;

/** Selects payments with their guest, card and recovery, in the order that `where` is found by. */
function selectPayments(queries: Queries, atMs: SQL<number>) {
  return queries
    .select({
      ...payment,
      atMs: atMs.as('at_ms'),
      entries: ENTRIES.as('entries'),
      paidSinceMinor: PAID_SINCE.as('paid_since_minor'),
    })
    .from(transactions)
    .innerJoin(bookings, namesBooking(transactions))
    .leftJoin(cards, eq(cards.token, transactions.cardToken))
    .leftJoin(recoveries, eq(recoveries.transactionId, transactions.id));
}

/** Selects what of a property is charged or let go until a time, the next first. */
export function selectComing(
  queries: Queries,
  propertyId: string,
  untilMs: number,
  { limit, after }: Part,
) {
  const { dueAtMs, id } = transactions;
  return selectPayments(queries, sql<number>`${dueAtMs}`)
    .where(
      and(
        eq(transactions.propertyId, propertyId),
        // Literals, as in the index: with bound values, SQLite might not use it.
        sql`${transactions.status} IN ('Pending', 'Authorized')`,
        lte(dueAtMs, untilMs),
        comesAfter('ascending', [dueAtMs, id], after),
      ),
    )
    .orderBy(asc(dueAtMs), asc(id))
    .limit(limit + 1);
}

/** Selects a property's payments that were declined or failed since a time, the latest first. */
export function selectFailed(
  queries: Queries,
  propertyId: string,
  sinceMs: number,
  { limit, after }: Part,
) {
  const { id, learntAtMs } = transactions;
  return selectPayments(queries, sql<number>`${learntAtMs}`)
    .where(
      and(
        eq(transactions.propertyId, propertyId),
        // Literals, as in the index.
        sql`${transactions.status} IN ('Declined', 'Failed')`,
        gte(learntAtMs, sinceMs),
        comesAfter('descending', [learntAtMs, id], after),
      ),
    )
    .orderBy(desc(learntAtMs), desc(id))
    .limit(limit + 1);
}

/** Selects a property's refunds that failed since a time, the latest first. */
export function selectFailedRefunds(
  queries: Queries,
  propertyId: string,
  sinceMs: number,
  { limit, after }: Part,
) {
  const { amountMinor, bookingReference, currency, id, learntAtMs, transactionId } = refunds;
  return queries
    .select({
      id,
      bookingReference,
      currency,
      amountMinor,
      transactionId,
      ...guest,
      atMs: sql<number>`${learntAtMs}`.as('at_ms'),
    })
    .from(refunds)
    .innerJoin(bookings, namesBooking(refunds))
    .where(
      and(
        eq(refunds.propertyId, propertyId),
        // A literal, as in the index.
        sql`${refunds.status} = 'Failed'`,
        gte(learntAtMs, sinceMs),
        comesAfter('descending', [learntAtMs, id], after),
      ),
    )
    .orderBy(desc(learntAtMs), desc(id))
    .limit(limit + 1);
}

/** Selects a property's open disputes: those that need an answer first, the soonest deadline first. */
export function selectDisputesByDeadline(
  queries: Queries,
  propertyId: string,
  { limit, after }: Part,
) {
  const { id, respondByMs, status } = disputes;
  return queries
    .select({
      id,
      bookingReference: disputes.bookingReference,
      transactionId: disputes.transactionId,
      status,
      stage: disputeStage,
      reason: disputes.reason,
      currency: disputes.currency,
      amountMinor: disputes.amountMinor,
      feeMinor: disputes.feeMinor,
      openedAtMs: disputes.openedAtMs,
      respondByMs,
      ...guest,
    })
    .from(disputes)
    .innerJoin(bookings, namesBooking(disputes))
    .where(
      and(
        eq(disputes.propertyId, propertyId),
        // Literals, as in the index.
        sql`${status} IN ('needs_response', 'under_review')`,
        comesAfter('ascending', [status, sql`coalesce(${respondByMs}, 0)`, id], after),
      ),
    )
    .orderBy(asc(status), asc(respondByMs), asc(id))
    .limit(limit + 1);
}

export type ComingPayment = Awaited<ReturnType<typeof selectComing>>[number];
export type FailedPayment = Awaited<ReturnType<typeof selectFailed>>[number];
export type FailedRefund = Awaited<ReturnType<typeof selectFailedRefunds>>[number];
export type OpenDispute = Awaited<ReturnType<typeof selectDisputesByDeadline>>[number];
