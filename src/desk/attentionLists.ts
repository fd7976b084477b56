/** The lists of what needs somebody: what failed, what nobody knows the outcome of, and cards that will fail. */
import { and, asc, type Column, desc, eq, gte, type Placeholder, type SQL, sql } from 'drizzle-orm';
import { pick } from '../core/pick.ts';
import { DAY_MS } from '../core/time.ts';
import { BALANCE, IS_UNARRANGED, PAID_MINOR } from '../money/balance/bookingMoney.ts';
import { PAID_SINCE } from '../money/payments/store.ts';
import { queries } from '../platform/db/database.ts';
import { literally, unindexed } from '../platform/db/indexes.ts';
import { comesAfter } from '../platform/db/page.ts';
import type { RowOf } from '../platform/db/prepared.ts';
import { namesBooking } from '../records/bookings/store.ts';
import { bookings } from '../schema/bookingTables.ts';
import { cards } from '../schema/cardTables.ts';
import { refunds, transactions } from '../schema/moneyTables.ts';
import { properties } from '../schema/propertyTables.ts';
import { recoveries } from '../schema/recoveryTables.ts';
import { settlements } from '../schema/settlementTables.ts';
import { inScope, listStatement, type Scope } from './listStatements.ts';
import { COMING_DAYS, ofBooking, payment } from './lists.ts';

/** How far back the lists of what failed look. */
export const FAILED_DAYS = 30;

/** Whether a failed payment still needs somebody: its guest has not paid it, and not all that is due is arranged. */
const NEEDS_SOMEBODY = sql`coalesce(${recoveries.endedAs}, '') NOT IN ('answered', 'paid') AND CASE WHEN ${transactions.purpose} = 'Bond' OR ${bookings.totalCostMinor} = 0 THEN ${PAID_SINCE} < ${transactions.requestedMinor} ELSE ${IS_UNARRANGED} END`;

/** The payments of a selected one's booking, of the same amount for the same purpose, that failed since a time, as `other`. */
function tries(sinceMs: Placeholder | Column): SQL {
  const { bookingReference, propertyId, purpose, requestedMinor } = transactions;
  return sql`transactions AS other WHERE other.id IN (SELECT charge_id FROM history WHERE property_id = ${propertyId} AND booking_reference = ${bookingReference} AND charge_id IS NOT NULL) AND other.purpose = ${purpose} AND other.requested_minor = ${requestedMinor} AND other.status IN ('Declined', 'Failed') AND other.learnt_at_ms >= ${sinceMs}`;
}

/** Whether a failed payment is the last of its tries: pages show that, and say how many there were. */
const LAST_TRY = sql`NOT EXISTS (SELECT 1 FROM ${tries(transactions.learntAtMs)} AND (other.learnt_at_ms, other.id) > (${transactions.learntAtMs}, ${transactions.id}))`;

/** Whether the last try of a payment needs somebody; where its guest did not answer, it is in the list of cards. */
export const FAILED_NEEDS = sql`${LAST_TRY} AND coalesce(${recoveries.endedAs}, '') <> 'unanswered' AND ${NEEDS_SOMEBODY}`;

/**
 * Selects payments that were declined or failed since a time, the latest first. Of all properties, only those that
 * failed: declines are their properties' own affair. `also` leaves some out.
 */
const failedOf = (also?: SQL) =>
  listStatement(({ after, most, scope, timeMs: sinceMs }) => {
    const { id, learntAtMs, status } = transactions;
    const where = and(
      literally(status, 'Declined', 'Failed'),
      scope === null ? literally(status, 'Failed') : undefined,
      gte(learntAtMs, sinceMs),
      comesAfter('descending', [learntAtMs, id], after),
    );
    return queries
      .select({
        ...payment,
        totalCostMinor: bookings.totalCostMinor,
        atMs: sql<number>`${learntAtMs}`.as('at_ms'),
        balance: BALANCE.as('balance'),
        paidSinceMinor: PAID_SINCE.as('paid_since_minor'),
        tries: sql<number>`(SELECT count(*) FROM ${tries(sinceMs)})`.as('tries'),
      })
      .from(transactions)
      .crossJoin(properties)
      .innerJoin(bookings, namesBooking(transactions))
      .leftJoin(cards, eq(cards.token, transactions.cardToken))
      .leftJoin(recoveries, eq(recoveries.transactionId, transactions.id))
      .where(and(inScope(scope, transactions), where, also))
      .orderBy(desc(learntAtMs), desc(id))
      .limit(most);
  });

export const selectFailed = failedOf();

/** The same of the last of its tries alone. */
export const selectLastFailed = failedOf(LAST_TRY);

/** The same of those alone that need somebody. */
export const selectFailedThatNeeds = failedOf(FAILED_NEEDS);

/** A table of what the acquirer is asked to do. */
type Asked = typeof transactions | typeof refunds;

/**
 * The condition for payments, or refunds, of a property whose outcome nobody knows yet: the acquirer was asked about them in
 * vain. Of all properties they are few, and an index has them.
 */
export function unansweredOf(
  scope: Scope | Placeholder,
  { propertyId, status, statusChecks }: Asked,
) {
  return and(
    sql`${literally(status, 'Processing')} AND ${statusChecks} > 0`,
    scope === null ? undefined : eq(unindexed(propertyId), scope),
  );
}

function unansweredList(table: Asked, atMs: Column) {
  return listStatement(({ after, most, scope }) =>
    queries
      .select({
        id: table.id,
        bookingReference: table.bookingReference,
        currency: table.currency,
        amountMinor: table.amountMinor,
        ...ofBooking,
        atMs: sql<number>`${atMs}`.as('at_ms'),
      })
      .from(table)
      .innerJoin(properties, eq(properties.id, table.propertyId))
      .innerJoin(bookings, namesBooking(table))
      .where(and(unansweredOf(scope, table), comesAfter('descending', [atMs, table.id], after)))
      .orderBy(desc(atMs), desc(table.id))
      .limit(most),
  );
}

/** Selects payments whose outcome nobody knows yet, the latest first. */
export const selectUnanswered = unansweredList(transactions, transactions.askedAtMs);

/** Selects refunds whose outcome nobody knows yet, the latest first. */
export const selectUnansweredRefunds = unansweredList(refunds, refunds.createdAtMs);

/** Whether a recovery may need somebody, as the index of such recoveries has it. */
export const MAY_NEED_CARD = sql`(${recoveries.endedAs} IS NULL OR ${recoveries.endedAs} = 'unanswered')`;

/** Whether a recovery needs somebody: its card will fail a charge to come, or its guest did not answer. */
export const NEEDS_CARD = sql`${MAY_NEED_CARD} AND CASE WHEN ${recoveries.cause} IN ('expiring', 'former') THEN coalesce(${transactions.status}, 'Pending') = 'Pending' ELSE ${recoveries.endedAs} = 'unanswered' AND ${transactions.status} = 'Declined' AND ${NEEDS_SOMEBODY} END`;

/** The time of charges whose cards are looked at, from now. */
export function cardsWithin(nowMs: Placeholder | SQL): SQL {
  const { chargeAtMs } = recoveries;
  return sql`${chargeAtMs} >= ${nowMs} - ${FAILED_DAYS * DAY_MS} AND ${chargeAtMs} <= ${nowMs} + ${COMING_DAYS * DAY_MS}`;
}

/** Selects charges whose card fails and that need somebody, the earliest first. */
export const selectFailingCards = listStatement(({ after, most, scope, timeMs: nowMs }) => {
  const { chargeAtMs, transactionId } = recoveries;
  return queries
    .select({
      ...pick(recoveries, 'bookingReference', 'cause', 'asked', 'deadlineAtMs', 'endedAs'),
      id: transactionId,
      atMs: sql<number>`${chargeAtMs}`.as('at_ms'),
      currency: bookings.currency,
      amountMinor: transactions.amountMinor,
      ...pick(cards, 'brand', 'last4'),
      ...ofBooking,
    })
    .from(recoveries)
    .crossJoin(properties)
    .innerJoin(bookings, namesBooking(recoveries))
    .leftJoin(transactions, eq(transactions.id, transactionId))
    .leftJoin(cards, eq(cards.token, recoveries.cardToken))
    .where(
      and(
        inScope(scope, recoveries),
        cardsWithin(nowMs),
        NEEDS_CARD,
        comesAfter('ascending', [chargeAtMs, transactionId], after),
      ),
    )
    .orderBy(asc(chargeAtMs), asc(transactionId))
    .limit(most);
});

/** Selects refunds that failed since a time, the latest first. */
export const selectFailedRefunds = listStatement(({ after, most, scope, timeMs: sinceMs }) => {
  const { id, learntAtMs, status } = refunds;
  const where = and(
    literally(status, 'Failed'),
    gte(learntAtMs, sinceMs),
    comesAfter('descending', [learntAtMs, id], after),
  );
  return queries
    .select({
      ...pick(refunds, 'id', 'bookingReference', 'currency', 'amountMinor', 'transactionId'),
      ...ofBooking,
      atMs: sql<number>`${learntAtMs}`.as('at_ms'),
    })
    .from(refunds)
    .crossJoin(properties)
    .innerJoin(bookings, namesBooking(refunds))
    .where(and(inScope(scope, refunds), where))
    .orderBy(desc(learntAtMs), desc(id))
    .limit(most);
});

/** What the policy of a selected settlement keeps, in minor units. */
const KEPT_MINOR = sql<number>`${settlements.terms} ->> 'keepMinor'`;

/** Whether a selected cancellation still needs somebody: what is paid of its booking is not what it keeps. */
export const NOT_KEPT = sql`${PAID_MINOR} <> ${KEPT_MINOR}`;

/** Selects cancellations that ended incomplete since a time, and came to nothing else since; the latest first. */
export const selectUnsettled = listStatement(({ after, most, scope, timeMs: sinceMs }) => {
  const { bookingReference, endedAtMs, id, status } = settlements;
  const where = and(
    literally(status, 'incomplete'),
    gte(endedAtMs, sinceMs),
    comesAfter('descending', [endedAtMs, id], after),
  );
  return queries
    .select({
      id,
      bookingReference,
      cardToken: bookings.cardToken,
      currency: bookings.currency,
      paidMinor: PAID_MINOR.as('paid_minor'),
      keptMinor: KEPT_MINOR.as('kept_minor'),
      ...ofBooking,
      atMs: sql<number>`${endedAtMs}`.as('at_ms'),
    })
    .from(settlements)
    .crossJoin(properties)
    .innerJoin(bookings, namesBooking(settlements))
    .where(and(inScope(scope, settlements), where, NOT_KEPT))
    .orderBy(desc(endedAtMs), desc(id))
    .limit(most);
});

export type FailedPayment = RowOf<typeof selectFailed>;
export type Unanswered = RowOf<typeof selectUnanswered>;
export type FailingCard = RowOf<typeof selectFailingCards>;
export type Unsettled = RowOf<typeof selectUnsettled>;
export type FailedRefund = RowOf<typeof selectFailedRefunds>;
