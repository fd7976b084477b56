import { and, asc, desc, eq, getTableColumns, gte, lt, lte, sql } from 'drizzle-orm';
import { pick } from '../core/pick.ts';
import { disputeStage } from '../money/disputes/store.ts';
import { CARD_NOW } from '../money/payments/store.ts';
import { queries } from '../platform/db/database.ts';
import { literally } from '../platform/db/indexes.ts';
import { comesAfter, type Part } from '../platform/db/page.ts';
import type { RowOf } from '../platform/db/prepared.ts';
import { namesBooking } from '../records/bookings/store.ts';
import { bookings } from '../schema/bookingTables.ts';
import { cards } from '../schema/cardTables.ts';
import { disbursements } from '../schema/disbursementTables.ts';
import { disputes } from '../schema/disputeTables.ts';
import { transactions } from '../schema/moneyTables.ts';
import { paymentPlans } from '../schema/planTables.ts';
import { properties } from '../schema/propertyTables.ts';
import { exceptions } from '../schema/reconciliationTables.ts';
import { recoveries } from '../schema/recoveryTables.ts';
import { inScope, listStatement, type Scope } from './listStatements.ts';

/** How far ahead the list of what comes looks. */
export const COMING_DAYS = 30;

/** Where an entry belongs, and its guest. */
export const ofBooking = {
  propertyId: sql<string>`${properties.id}`.as('of_property'),
  timeZone: properties.timeZone,
  ...pick(bookings, 'firstName', 'lastName'),
};

/** What lists show of a payment, of its card, and of what is done about that. */
export const payment = {
  ...pick(transactions, 'id', 'bookingReference', 'kind', 'purpose', 'status', 'currency'),
  ...pick(transactions, 'requestedMinor', 'amountMinor', 'attempts', 'declineCode', 'description'),
  brand: cards.brand,
  last4: cards.last4,
  ...pick(recoveries, 'cause', 'asked', 'deadlineAtMs', 'endedAs'),
  ...ofBooking,
};

/** Selects what is charged or let go until a time, the next first. */
export const selectComing = listStatement(({ after, most, scope, timeMs: untilMs }) => {
  const { dueAtMs, id, status } = transactions;
  const where = and(
    literally(status, 'Pending', 'Authorized'),
    lte(dueAtMs, untilMs),
    comesAfter('ascending', [dueAtMs, id], after),
  );
  return queries
    .select({ ...payment, atMs: sql<number>`${dueAtMs}`.as('at_ms') })
    .from(transactions)
    .crossJoin(properties)
    .innerJoin(bookings, namesBooking(transactions))
    .leftJoin(cards, eq(cards.token, CARD_NOW))
    .leftJoin(recoveries, eq(recoveries.transactionId, transactions.id))
    .where(and(inScope(scope, transactions), where))
    .orderBy(asc(dueAtMs), asc(id))
    .limit(most);
});

/** Selects the plans that charge a part until a time, the next first: each with its next part, which its columns say. */
export const selectPlannedParts = listStatement(({ after, most, scope, timeMs: untilMs }) => {
  const { dueAtMs, id, parts } = paymentPlans;
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
      ...ofBooking,
    })
    .from(paymentPlans)
    .crossJoin(properties)
    .innerJoin(bookings, namesBooking(paymentPlans))
    .where(and(inScope(scope, paymentPlans), where))
    .orderBy(asc(dueAtMs), asc(id))
    .limit(most);
});

/** Selects open disputes: those that need an answer first, the soonest deadline first. */
export const selectDisputesByDeadline = listStatement(({ after, most, scope }) => {
  const { id, respondByMs, status } = disputes;
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
      ...ofBooking,
      // A deadline is near or past by the clock of its property.
      ...pick(properties, 'clockAheadMs', 'clockFrozenAtMs'),
    })
    .from(disputes)
    .crossJoin(properties)
    .innerJoin(bookings, namesBooking(disputes))
    .where(and(inScope(scope, disputes), where))
    .orderBy(asc(status), asc(respondByMs), asc(id))
    .limit(most);
});

/** Selects disputes that were won or lost, the latest decision first. */
export const selectClosedDisputes = listStatement(({ after, most, scope }) => {
  const { id, learntAtMs, status } = disputes;
  const where = and(
    literally(status, 'won', 'lost'),
    comesAfter('descending', [learntAtMs, id], after),
  );
  return queries
    .select({
      ...pick(disputes, 'id', 'bookingReference', 'status', 'reason', 'currency', 'amountMinor'),
      atMs: sql<number>`${learntAtMs}`.as('at_ms'),
      ...ofBooking,
    })
    .from(disputes)
    .crossJoin(properties)
    .innerJoin(bookings, namesBooking(disputes))
    .where(and(inScope(scope, disputes), where))
    .orderBy(desc(learntAtMs), desc(id))
    .limit(most);
});

/** Selects open differences between the acquirer's record and ours, the latest first. */
export const selectDifferences = listStatement(({ after, most, scope }) => {
  const { id, propertyId, status } = exceptions;
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
    .limit(most);
});

/** Payouts of some time, in one currency. */
interface PaidOutWithin {
  readonly fromMs: number;
  readonly beforeMs: number;
  readonly currency: string;
}

/** Selects what acquirers paid out, the newest first; of some time, or all. */
export function selectPayouts(scope: Scope, { limit, after }: Part, within?: PaidOutWithin) {
  const { currency, effectiveAtMs, id } = disbursements;
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
    .from(disbursements)
    .crossJoin(properties)
    .where(and(inScope(scope, disbursements), where))
    .orderBy(desc(effectiveAtMs), desc(id))
    .limit(limit + 1);
}

export type PlannedPart = RowOf<typeof selectPlannedParts>;
export type ComingPayment = RowOf<typeof selectComing>;
export type OpenDispute = RowOf<typeof selectDisputesByDeadline>;
export type ClosedDispute = RowOf<typeof selectClosedDisputes>;
export type Difference = RowOf<typeof selectDifferences>;
export type ListedPayout = RowOf<typeof selectPayouts>;
