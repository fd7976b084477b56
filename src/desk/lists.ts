import {
  and,
  asc,
  type Column,
  desc,
  eq,
  getTableColumns,
  gte,
  lt,
  lte,
  type SQL,
  sql,
} from 'drizzle-orm';
import { pick } from '../core/pick.ts';
import { DAY_MS } from '../core/time.ts';
import { ARRANGED_MINOR, BALANCE, DUE_MINOR, PAID_MINOR } from '../money/balance/bookingMoney.ts';
import { disputeStage } from '../money/disputes/store.ts';
import { CARD_NOW, PAID_SINCE } from '../money/payments/store.ts';
import { queries } from '../platform/db/database.ts';
import { literally, unindexed } from '../platform/db/indexes.ts';
import { comesAfter, type Part } from '../platform/db/page.ts';
import { namesBooking } from '../records/bookings/store.ts';
import { bookings } from '../schema/bookingTables.ts';
import { cards } from '../schema/cardTables.ts';
import { disbursements } from '../schema/disbursementTables.ts';
import { disputes } from '../schema/disputeTables.ts';
import { refunds, transactions } from '../schema/moneyTables.ts';
import { paymentPlans } from '../schema/planTables.ts';
import { properties } from '../schema/propertyTables.ts';
import { exceptions } from '../schema/reconciliationTables.ts';
import { recoveries } from '../schema/recoveryTables.ts';
import { settlements } from '../schema/settlementTables.ts';

/** How far back the lists of what failed look, and how far ahead that of what comes. */
export const FAILED_DAYS = 30;
export const COMING_DAYS = 30;

/** Whose entries a list has: one property's, by its id, or, for administrators, those of all: null. */
export type Scope = string | null;

/** A table whose rows properties have. */
interface Owned {
  readonly id: Column;
  readonly propertyId: Column;
}

/**
 * Finds the entries of a scope by an index that begins with the property. Of all properties, the first entries of each
 * are found that way, and then sorted.
 */
function inScope(
  scope: Scope,
  table: Owned,
  where: SQL | undefined,
  order: readonly SQL[],
  limit: number,
): SQL | undefined {
  if (scope !== null) return and(eq(properties.id, scope), eq(table.propertyId, scope), where);
  // By the ids: an index of the property alone would read all that it has.
  const owner = table.id.primary ? unindexed(table.propertyId) : table.propertyId;
  return sql`${owner} = ${properties.id} AND ${table.id} IN (SELECT ${table.id} FROM ${table} WHERE ${table.propertyId} = ${properties.id} AND ${where ?? sql`true`} ORDER BY ${sql.join([...order], sql`, `)} LIMIT ${limit + 1})`;
}

/** Where an entry belongs, and its guest. */
const place = {
  propertyId: sql<string>`${properties.id}`.as('of_property'),
  timeZone: properties.timeZone,
};

const guest = { firstName: bookings.firstName, lastName: bookings.lastName };

/** What lists show of a payment, of its card, and of what is done about that. */
const payment = {
  ...pick(transactions, 'id', 'bookingReference', 'kind', 'purpose', 'status', 'currency'),
  ...pick(transactions, 'requestedMinor', 'amountMinor', 'attempts', 'declineCode', 'description'),
  brand: cards.brand,
  last4: cards.last4,
  ...pick(recoveries, 'cause', 'asked', 'deadlineAtMs', 'endedAs'),
  ...place,
  ...guest,
};

/** Selects what is charged or let go until a time, the next first. */
export function selectComing(scope: Scope, untilMs: number, { limit, after }: Part) {
  const { dueAtMs, id, status } = transactions;
  const order = [asc(dueAtMs), asc(id)];
  const where = and(
    literally(status, 'Pending', 'Authorized'),
    lte(dueAtMs, untilMs),
    comesAfter('ascending', [dueAtMs, id], after),
  );
  return queries
    .select({ ...payment, atMs: sql<number>`${dueAtMs}`.as('at_ms') })
    .from(properties)
    .crossJoin(transactions)
    .innerJoin(bookings, namesBooking(transactions))
    .leftJoin(cards, eq(cards.token, CARD_NOW))
    .leftJoin(recoveries, eq(recoveries.transactionId, transactions.id))
    .where(inScope(scope, transactions, where, order, limit))
    .orderBy(...order)
    .limit(limit + 1);
}

/** Selects the plans that charge a part until a time, the next first: each with its next part, which its columns say. */
export function selectPlannedParts(scope: Scope, untilMs: number, { limit, after }: Part) {
  const { dueAtMs, id, parts } = paymentPlans;
  const order = [asc(dueAtMs), asc(id)];
  // A plan all of whose parts are covered is looked at once more, and charges nothing then.
  const where = and(
    lte(dueAtMs, untilMs),
    sql`EXISTS (SELECT 1 FROM json_each(${parts}) AS part WHERE part.value ->> 'status' = 'planned' AND part.value ->> 'chargeId' IS NULL)`,
    comesAfter('ascending', [dueAtMs, id], after),
  );
  return queries
    .select({
      ...pick(paymentPlans, 'id', 'bookingReference', 'currency', 'spec', 'parts'),
      atMs: sql<number>`${dueAtMs}`.as('at_ms'),
      ...place,
      ...guest,
    })
    .from(properties)
    .crossJoin(paymentPlans)
    .innerJoin(bookings, namesBooking(paymentPlans))
    .where(inScope(scope, paymentPlans, where, order, limit))
    .orderBy(...order)
    .limit(limit + 1);
}

/** Whether a failed payment still needs somebody: its guest has not paid it, and not all that is due is arranged. */
const NEEDS_SOMEBODY = sql`coalesce(${recoveries.endedAs}, '') NOT IN ('answered', 'paid') AND CASE WHEN ${transactions.purpose} = 'Bond' OR ${bookings.totalCostMinor} = 0 THEN ${PAID_SINCE} < ${transactions.requestedMinor} ELSE ${DUE_MINOR} > ${ARRANGED_MINOR} END`;

/** The payments of a selected one's booking, of the same amount for the same purpose, that failed since a time, as `other`. */
function tries(sinceMs: number | Column): SQL {
  const { bookingReference, propertyId, purpose, requestedMinor } = transactions;
  return sql`transactions AS other WHERE other.id IN (SELECT charge_id FROM history WHERE property_id = ${propertyId} AND booking_reference = ${bookingReference} AND charge_id IS NOT NULL) AND other.purpose = ${purpose} AND other.requested_minor = ${requestedMinor} AND other.status IN ('Declined', 'Failed') AND other.learnt_at_ms >= ${sinceMs}`;
}

/** Whether a failed payment is the last of its tries: pages show that, and say how many there were. */
export const LAST_TRY = sql`NOT EXISTS (SELECT 1 FROM ${tries(transactions.learntAtMs)} AND (other.learnt_at_ms, other.id) > (${transactions.learntAtMs}, ${transactions.id}))`;

/** Whether the last try of a payment needs somebody; where its guest did not answer, it is in the list of cards. */
export const FAILED_NEEDS = sql`${LAST_TRY} AND coalesce(${recoveries.endedAs}, '') <> 'unanswered' AND ${NEEDS_SOMEBODY}`;

/**
 * Selects payments that were declined or failed since a time, the latest first. Of all properties, only those that
 * failed: declines are their properties' own affair. `also` leaves some out.
 */
export function selectFailed(scope: Scope, sinceMs: number, { limit, after }: Part, also?: SQL) {
  const { id, learntAtMs, status } = transactions;
  const order = [desc(learntAtMs), desc(id)];
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
    .from(properties)
    .crossJoin(transactions)
    .innerJoin(bookings, namesBooking(transactions))
    .leftJoin(cards, eq(cards.token, transactions.cardToken))
    .leftJoin(recoveries, eq(recoveries.transactionId, transactions.id))
    .where(and(inScope(scope, transactions, where, order, limit), also))
    .orderBy(...order)
    .limit(limit + 1);
}

/** What the acquirer was asked about in vain: of all properties they are few, and have an index. */
function isUnanswered({ status, statusChecks }: typeof transactions | typeof refunds): SQL {
  return sql`${literally(status, 'Processing')} AND ${statusChecks} > 0`;
}

/** The condition for payments, or refunds, of a property whose outcome nobody knows yet. */
export function unansweredOf(scope: Scope, table: typeof transactions | typeof refunds) {
  return and(
    isUnanswered(table),
    scope === null ? undefined : eq(unindexed(table.propertyId), scope),
  );
}

/** Selects payments whose outcome nobody knows yet, the latest first. */
export function selectUnanswered(scope: Scope, { limit, after }: Part) {
  const { amountMinor, askedAtMs, bookingReference, currency, id } = transactions;
  return queries
    .select({
      id,
      bookingReference,
      currency,
      amountMinor,
      ...place,
      ...guest,
      atMs: sql<number>`${askedAtMs}`.as('at_ms'),
    })
    .from(transactions)
    .innerJoin(properties, eq(properties.id, transactions.propertyId))
    .innerJoin(bookings, namesBooking(transactions))
    .where(and(unansweredOf(scope, transactions), comesAfter('descending', [askedAtMs, id], after)))
    .orderBy(desc(askedAtMs), desc(id))
    .limit(limit + 1);
}

/** Selects refunds whose outcome nobody knows yet, the latest first. */
export function selectUnansweredRefunds(scope: Scope, { limit, after }: Part) {
  const { amountMinor, bookingReference, createdAtMs, currency, id } = refunds;
  return queries
    .select({
      id,
      bookingReference,
      currency,
      amountMinor,
      ...place,
      ...guest,
      atMs: sql<number>`${createdAtMs}`.as('at_ms'),
    })
    .from(refunds)
    .innerJoin(properties, eq(properties.id, refunds.propertyId))
    .innerJoin(bookings, namesBooking(refunds))
    .where(and(unansweredOf(scope, refunds), comesAfter('descending', [createdAtMs, id], after)))
    .orderBy(desc(createdAtMs), desc(id))
    .limit(limit + 1);
}

/**
 * Whether a recovery of a charge of some weeks needs somebody: its card will fail a charge to come, or its guest did not
 * answer. The first part stands in its index.
 */
export const NEEDS_CARD = sql`(${recoveries.endedAs} IS NULL OR ${recoveries.endedAs} = 'unanswered') AND CASE WHEN ${recoveries.cause} IN ('expiring', 'former') THEN coalesce(${transactions.status}, 'Pending') = 'Pending' ELSE ${recoveries.endedAs} = 'unanswered' AND ${transactions.status} = 'Declined' AND ${NEEDS_SOMEBODY} END`;

/** The time of charges whose cards are looked at, from now. */
export function cardsWithin(nowMs: number | SQL): SQL {
  const { chargeAtMs } = recoveries;
  return sql`${chargeAtMs} >= ${nowMs} - ${FAILED_DAYS * DAY_MS} AND ${chargeAtMs} <= ${nowMs} + ${COMING_DAYS * DAY_MS}`;
}

/** Selects charges whose card fails and that need somebody, the earliest first. */
export function selectFailingCards(scope: Scope, nowMs: number, { limit, after }: Part) {
  const { chargeAtMs, endedAs, propertyId, transactionId } = recoveries;
  return queries
    .select({
      ...pick(recoveries, 'bookingReference', 'cause', 'asked', 'deadlineAtMs', 'endedAs'),
      id: transactionId,
      atMs: sql<number>`${chargeAtMs}`.as('at_ms'),
      currency: bookings.currency,
      amountMinor: transactions.amountMinor,
      ...pick(cards, 'brand', 'last4'),
      ...place,
      ...guest,
    })
    .from(properties)
    .crossJoin(recoveries)
    .innerJoin(bookings, namesBooking(recoveries))
    .leftJoin(transactions, eq(transactions.id, transactionId))
    .leftJoin(cards, eq(cards.token, recoveries.cardToken))
    .where(
      and(
        scope === null ? undefined : eq(properties.id, scope),
        eq(propertyId, properties.id),
        sql`(${endedAs} IS NULL OR ${endedAs} = 'unanswered')`,
        cardsWithin(nowMs),
        NEEDS_CARD,
        comesAfter('ascending', [chargeAtMs, transactionId], after),
      ),
    )
    .orderBy(asc(chargeAtMs), asc(transactionId))
    .limit(limit + 1);
}

/** Selects refunds that failed since a time, the latest first. */
export function selectFailedRefunds(scope: Scope, sinceMs: number, { limit, after }: Part) {
  const { amountMinor, bookingReference, currency, id, learntAtMs, status, transactionId } =
    refunds;
  const order = [desc(learntAtMs), desc(id)];
  const where = and(
    literally(status, 'Failed'),
    gte(learntAtMs, sinceMs),
    comesAfter('descending', [learntAtMs, id], after),
  );
  return queries
    .select({
      id,
      bookingReference,
      currency,
      amountMinor,
      transactionId,
      ...place,
      ...guest,
      atMs: sql<number>`${learntAtMs}`.as('at_ms'),
    })
    .from(properties)
    .crossJoin(refunds)
    .innerJoin(bookings, namesBooking(refunds))
    .where(inScope(scope, refunds, where, order, limit))
    .orderBy(...order)
    .limit(limit + 1);
}

/** What the policy of a selected settlement keeps, in minor units. */
const KEPT_MINOR = sql<number>`${settlements.terms} ->> 'keepMinor'`;

/** Whether a selected cancellation still needs somebody: what is paid of its booking is not what it keeps. */
export const NOT_KEPT = sql`${PAID_MINOR} <> ${KEPT_MINOR}`;

/** Selects cancellations that ended incomplete since a time, and came to nothing else since; the latest first. */
export function selectUnsettled(scope: Scope, sinceMs: number, { limit, after }: Part) {
  const { bookingReference, endedAtMs, id, status } = settlements;
  const order = [desc(endedAtMs), desc(id)];
  const where = and(
    literally(status, 'incomplete'),
    gte(endedAtMs, sinceMs),
    comesAfter('descending', [endedAtMs, id], after),
  );
  return queries
    .select({
      id,
      bookingReference,
      currency: bookings.currency,
      paidMinor: PAID_MINOR.as('paid_minor'),
      keptMinor: KEPT_MINOR.as('kept_minor'),
      ...place,
      ...guest,
      atMs: sql<number>`${endedAtMs}`.as('at_ms'),
    })
    .from(properties)
    .crossJoin(settlements)
    .innerJoin(bookings, namesBooking(settlements))
    .where(and(inScope(scope, settlements, where, order, limit), NOT_KEPT))
    .orderBy(...order)
    .limit(limit + 1);
}

/** Selects open disputes: those that need an answer first, the soonest deadline first. */
export function selectDisputesByDeadline(scope: Scope, { limit, after }: Part) {
  const { id, respondByMs, status } = disputes;
  const order = [asc(status), asc(respondByMs), asc(id)];
  const where = and(
    literally(status, 'needs_response', 'under_review'),
    comesAfter('ascending', [status, sql`coalesce(${respondByMs}, 0)`, id], after),
  );
  return queries
    .select({
      id,
      bookingReference: disputes.bookingReference,
      transactionId: disputes.transactionId,
      status,
      stage: disputeStage,
      ...pick(disputes, 'reason', 'currency', 'amountMinor', 'feeMinor', 'openedAtMs'),
      respondByMs,
      ...place,
      ...guest,
      // A deadline is near or past by the clock of its property.
      ...pick(properties, 'clockAheadMs', 'clockFrozenAtMs'),
    })
    .from(properties)
    .crossJoin(disputes)
    .innerJoin(bookings, namesBooking(disputes))
    .where(inScope(scope, disputes, where, order, limit))
    .orderBy(...order)
    .limit(limit + 1);
}

/** Selects disputes that were won or lost, the latest decision first. */
export function selectClosedDisputes(scope: Scope, { limit, after }: Part) {
  const { id, learntAtMs, status } = disputes;
  const order = [desc(learntAtMs), desc(id)];
  // Open ones are few: the index by change has all.
  const where = and(
    sql`${status} IN ('won', 'lost')`,
    comesAfter('descending', [learntAtMs, id], after),
  );
  return queries
    .select({
      ...pick(disputes, 'id', 'bookingReference', 'status', 'reason', 'currency', 'amountMinor'),
      atMs: sql<number>`${learntAtMs}`.as('at_ms'),
      ...place,
      ...guest,
    })
    .from(properties)
    .crossJoin(disputes)
    .innerJoin(bookings, namesBooking(disputes))
    .where(inScope(scope, disputes, where, order, limit))
    .orderBy(...order)
    .limit(limit + 1);
}

/** Selects open differences between the acquirer's record and ours, the latest first. */
export function selectDifferences(scope: Scope, { limit, after }: Part) {
  const { propertyId, status } = exceptions;
  // The open ones of all properties are few: they are found by their own index, and sorted.
  const id = scope === null ? unindexed(exceptions.id) : exceptions.id;
  return queries
    .select({
      ...getTableColumns(exceptions),
      timeZone: sql<string>`coalesce(${properties.timeZone}, 'UTC')`.as('in_zone'),
    })
    .from(exceptions)
    .leftJoin(properties, eq(properties.id, propertyId))
    .where(
      and(
        scope === null ? undefined : eq(propertyId, scope),
        literally(status, 'open'),
        comesAfter('descending', [id], after),
      ),
    )
    .orderBy(desc(id))
    .limit(limit + 1);
}

/** Payouts of some time, in one currency. */
interface PaidOutWithin {
  readonly fromMs: number;
  readonly beforeMs: number;
  readonly currency: string;
}

/** Selects what acquirers paid out, the newest first; of some time, or all. */
export function selectPayouts(scope: Scope, { limit, after }: Part, within?: PaidOutWithin) {
  const { currency, effectiveAtMs, id } = disbursements;
  const order = [desc(effectiveAtMs), desc(id)];
  const where = and(
    comesAfter('descending', [effectiveAtMs, id], after),
    within && gte(effectiveAtMs, within.fromMs),
    within && lt(effectiveAtMs, within.beforeMs),
    within && eq(currency, within.currency),
  );
  return queries
    .select({
      ...getTableColumns(disbursements),
      timeZone: properties.timeZone,
    })
    .from(properties)
    .crossJoin(disbursements)
    .where(inScope(scope, disbursements, where, order, limit))
    .orderBy(...order)
    .limit(limit + 1);
}

export type PlannedPart = Awaited<ReturnType<typeof selectPlannedParts>>[number];
export type ComingPayment = Awaited<ReturnType<typeof selectComing>>[number];
export type FailedPayment = Awaited<ReturnType<typeof selectFailed>>[number];
export type UnansweredPayment = Awaited<ReturnType<typeof selectUnanswered>>[number];
export type UnansweredRefund = Awaited<ReturnType<typeof selectUnansweredRefunds>>[number];
export type FailingCard = Awaited<ReturnType<typeof selectFailingCards>>[number];
export type Unsettled = Awaited<ReturnType<typeof selectUnsettled>>[number];
export type FailedRefund = Awaited<ReturnType<typeof selectFailedRefunds>>[number];
export type OpenDispute = Awaited<ReturnType<typeof selectDisputesByDeadline>>[number];
export type ClosedDispute = Awaited<ReturnType<typeof selectClosedDisputes>>[number];
export type Difference = Awaited<ReturnType<typeof selectDifferences>>[number];
export type ListedPayout = Awaited<ReturnType<typeof selectPayouts>>[number];
