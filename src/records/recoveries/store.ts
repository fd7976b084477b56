import { and, asc, eq, inArray, isNotNull, isNull, ne, or, type SQL, sql } from 'drizzle-orm';
import { pick } from '../../core/pick.ts';
import { queries } from '../../platform/db/database.ts';
import { literally } from '../../platform/db/indexes.ts';
import { listed } from '../../platform/db/listed.ts';
import { comesAfter, type Part } from '../../platform/db/page.ts';
import { prepared } from '../../platform/db/prepared.ts';
import { bookings } from '../../schema/bookingTables.ts';
import { cards } from '../../schema/cardTables.ts';
import { transactions } from '../../schema/moneyTables.ts';
import { paymentPlans } from '../../schema/planTables.ts';
import type { PropertyRow } from '../../schema/propertyTables.ts';
import { type RecoveryRow, recoveries } from '../../schema/recoveryTables.ts';
import { type BookingName, isOfBooking, namesBooking } from '../bookings/store.ts';

/** The columns that a change of a recovery may set. */
export type RecoveryChange = Partial<
  Omit<
    RecoveryRow,
    'transactionId' | 'propertyId' | 'bookingReference' | 'chargeAtMs' | 'version' | 'createdAtMs'
  >
>;

/** How recoveries begin; the card and the due time may follow from the charge, `t`. */
interface RecoveryStart extends Pick<RecoveryRow, 'cause'> {
  readonly cardToken: string | SQL;
  readonly dueAtMs: number | null | SQL;
  readonly nowMs: number;
  /** Whether the charge is of a settlement, and so outlives its booking. */
  readonly ofSettlement?: boolean;
}

/**
 * Begins the recoveries of some charges. One that is there begins again with its new cause; how often its guest was asked,
 * and whether that was told of, stays.
 */
export function beginRecoveries(
  { propertyId, ids }: { readonly propertyId: string; readonly ids: readonly number[] },
  start: RecoveryStart,
) {
  return begin(
    start,
    sql`transactions t WHERE +t.property_id = ${propertyId} AND t.id IN ${listed(ids)}`,
  );
}

/** A part of a plan whose card will have expired by its time, and the id of the recovery that says so. */
interface ForetoldPart {
  readonly recoveryId: number;
  readonly dueAtMs: number;
}

/** Begins the recoveries of parts of a booking's plan that are not charged yet, each due `aheadMs` before its part. */
export function foretellParts(
  { propertyId, reference }: BookingName,
  parts: readonly ForetoldPart[],
  { aheadMs, ...start }: Pick<RecoveryStart, 'cardToken' | 'nowMs'> & { readonly aheadMs: number },
) {
  const told = sql`SELECT value ->> 'recoveryId' AS id, ${propertyId} AS property_id, ${reference} AS booking_reference,
    value ->> 'dueAtMs' AS scheduled_at_ms, NULL AS created_at_ms FROM json_each(${JSON.stringify(parts)})`;
  const dueAtMs = sql`t.scheduled_at_ms - ${aheadMs}`;
  return begin({ ...start, cause: 'expiring', dueAtMs }, sql`(${told}) t WHERE true`);
}

/** A part whose card was foretold to expire is charged: from now on the recovery is that of its charge. */
export function becomeCharge(propertyId: string, recoveryId: number, transactionId: number) {
  return queries
    .update(recoveries)
    .set({ transactionId, version: sql`${recoveries.version} + 1` })
    .where(and(eq(recoveries.transactionId, recoveryId), eq(recoveries.propertyId, propertyId)));
}

function begin(start: RecoveryStart, charges: SQL) {
  const { cause, cardToken, dueAtMs, nowMs, ofSettlement = false } = start;
  return queries
    .insert(recoveries)
    .select(
      sql`SELECT t.id, t.property_id, t.booking_reference, ${cause}, coalesce(t.scheduled_at_ms, t.created_at_ms), ${cardToken},
        NULL, 0, 0, NULL, NULL, NULL, NULL, NULL, ${dueAtMs}, NULL, NULL, 1, ${nowMs}, ${nowMs}, ${ofSettlement ? 1 : 0} FROM ${charges}`,
    )
    .onConflictDoUpdate({
      target: recoveries.transactionId,
      set: {
        ...begunAgain(nowMs),
        cause,
        cardToken: sql`excluded.card_token`,
        chargeAtMs: sql`excluded.charge_at_ms`,
        dueAtMs: sql`excluded.due_at_ms`,
        ofSettlement: sql`excluded.of_settlement`,
      },
    });
}

/** What is forgotten of a recovery that begins again. */
function begunAgain(nowMs: number) {
  return {
    askedForCause: 0,
    firstAskedAtMs: null,
    deadlineAtMs: null,
    reminderMail: null,
    answerCard: null,
    endedAtMs: null,
    endedAs: null,
    ...changed(nowMs),
  };
}

/** What each change of recoveries sets. */
function changed(nowMs: number) {
  return { changedAtMs: nowMs, version: sql`${recoveries.version} + 1` };
}

/** Changes a recovery. The schema refuses the change if D1 has another version than `row`. */
export function updateRecovery(
  { transactionId, propertyId, version }: RecoveryRow,
  change: RecoveryChange,
) {
  return queries
    .update(recoveries)
    .set({ ...change, version: version + 1 })
    .where(and(eq(recoveries.transactionId, transactionId), eq(recoveries.propertyId, propertyId)));
}

/** Ends recoveries of a booking, or only those with these ids: its guest is asked no more. */
export function endRecoveries(
  booking: BookingName,
  nowMs: number,
  {
    as = 'over',
    ids,
  }: { readonly as?: 'answered' | 'over'; readonly ids?: readonly number[] } = {},
) {
  const named = ids && inArray(recoveries.transactionId, listed(ids));
  return queries
    .update(recoveries)
    .set({ endedAtMs: nowMs, endedAs: as, dueAtMs: null, ...changed(nowMs) })
    .where(and(isOfBooking(recoveries, booking), named, isNull(recoveries.endedAtMs)));
}

/** Selects a booking's recoveries, ended or not, the earliest charge first. */
export const selectRecoveries = prepared<BookingName>()((booking) =>
  queries
    .select()
    .from(recoveries)
    .where(isOfBooking(recoveries, booking))
    .orderBy(asc(recoveries.chargeAtMs), asc(recoveries.transactionId)),
);

/** Selects the booking's recoveries with a due time, overdue or not, the earliest first. */
export const selectDueRecoveries = prepared<BookingName>()((booking) =>
  queries
    .select()
    .from(recoveries)
    .where(and(isOfBooking(recoveries, booking), isNotNull(recoveries.dueAtMs)))
    .orderBy(asc(recoveries.dueAtMs), asc(recoveries.transactionId)),
);

/** Leaves it to the alarm to have a new card answer some of a booking's recoveries, ended or not. */
export function answerLater(
  booking: BookingName,
  ids: readonly number[],
  { answerCard, nowMs }: { readonly answerCard: string; readonly nowMs: number },
) {
  return queries
    .update(recoveries)
    .set({ answerCard, dueAtMs: nowMs, endedAtMs: null, endedAs: null, ...changed(nowMs) })
    .where(and(isOfBooking(recoveries, booking), inArray(recoveries.transactionId, listed(ids))));
}

/**
 * Makes the open recoveries of a card due now, because its issuer renewed it. What was declined on it before is charged
 * again, as on a new card.
 */
export function recheckCard(propertyId: string, token: string, nowMs: number) {
  return queries
    .update(recoveries)
    .set({
      dueAtMs: nowMs,
      answerCard: sql`CASE ${recoveries.cause} WHEN 'declined' THEN ${token} ELSE ${recoveries.answerCard} END`,
      ...changed(nowMs),
    })
    .where(isOpen(propertyId, eq(recoveries.cardToken, token)));
}

/**
 * Begins a recovery for each of a property's pending schedules whose card another account keeps than it has now, and
 * returns them: one that is there begins again.
 */
export function beginFormerRecoveries(
  { id: propertyId, merchantAccount: account }: Pick<PropertyRow, 'id' | 'merchantAccount'>,
  nowMs: number,
) {
  const former = sql`transactions t JOIN bookings b ON b.property_id = t.property_id AND b.reference = t.booking_reference
      JOIN cards c ON c.token = CASE WHEN t.card_named OR t.card_token = t.other_card THEN t.card_token ELSE b.card_token END
      WHERE t.property_id = ${propertyId} AND t.status = 'Pending' AND c.gateway_account IS NOT ${account}`;
  const start = { cause: 'former', cardToken: sql`c.token`, dueAtMs: nowMs, nowMs } as const;
  return begin(start, former).returning({ transactionId: recoveries.transactionId });
}

/** Makes a property's open recoveries of former cards due now: its account or its settings changed. */
export function recheckFormer(propertyId: string, nowMs: number) {
  return queries
    .update(recoveries)
    .set({ dueAtMs: nowMs, ...changed(nowMs) })
    .where(isOpen(propertyId, eq(recoveries.cause, 'former')));
}

/** Selects the booking of an open recovery of a card. */
export function selectBookingOfCard(propertyId: string, token: string) {
  return queries
    .select({ reference: recoveries.bookingReference })
    .from(recoveries)
    .where(isOpen(propertyId, eq(recoveries.cardToken, token)))
    .limit(1);
}

/** Which of a property's problems to list. Bounds are times of charges, `toMs` exclusive. */
export interface ProblemFilter {
  readonly reference: string | undefined;
  readonly fromMs: number | undefined;
  readonly toMs: number | undefined;
}

/** What the database has of an entry of the list of problems. */
export type ProblemRow = Awaited<ReturnType<typeof selectProblems>>[number];

/** Selects what is open of a property's recoveries, the earliest charge first, after a place in that order. */
export function selectProblems(
  propertyId: string,
  { reference, fromMs, toMs }: ProblemFilter,
  { after, limit }: Part,
) {
  const isToCome = sql`${recoveries.cause} IN ('expiring', 'former')`;
  const cardNow = sql`CASE WHEN ${transactions.id} IS NULL THEN coalesce(${paymentPlans.cardToken}, ${bookings.cardToken}) WHEN ${isToCome} AND NOT ${transactions.cardNamed}
    AND ${transactions.otherCard} IS NOT ${transactions.cardToken} THEN ${bookings.cardToken} ELSE ${transactions.cardToken} END`;
  return queries
    .select({
      ...pick(recoveries, 'transactionId', 'bookingReference', 'cause', 'chargeAtMs'),
      ...pick(recoveries, 'firstAskedAtMs', 'deadlineAtMs'),
      scheduledTime: transactions.scheduledTime,
      declineCode: transactions.declineCode,
      // Of a part that is not charged yet, which has no transaction.
      planId: paymentPlans.id,
      parts: paymentPlans.parts,
      ...pick(cards, 'masked', 'expiryMonth', 'expiryYear', 'gatewayAccount'),
    })
    .from(recoveries)
    .innerJoin(bookings, namesBooking(recoveries))
    .leftJoin(transactions, eq(transactions.id, recoveries.transactionId))
    .leftJoin(
      paymentPlans,
      and(
        isNull(transactions.id),
        eq(paymentPlans.propertyId, recoveries.propertyId),
        eq(paymentPlans.bookingReference, recoveries.bookingReference),
        literally(paymentPlans.status, 'active'),
      ),
    )
    .innerJoin(cards, sql`${cards.token} = ${cardNow}`)
    .where(
      and(
        eq(recoveries.propertyId, propertyId),
        // As the index by time says it; with a plus, SQLite searches by booking.
        reference === undefined
          ? sql`(${recoveries.endedAs} IS NULL OR ${recoveries.endedAs} = 'unanswered')`
          : sql`(+${recoveries.endedAs} IS NULL OR +${recoveries.endedAs} = 'unanswered')`,
        reference === undefined ? undefined : eq(recoveries.bookingReference, reference),
        fromMs === undefined ? undefined : sql`${recoveries.chargeAtMs} >= ${fromMs}`,
        toMs === undefined ? undefined : sql`${recoveries.chargeAtMs} < ${toMs}`,
        comesAfter('ascending', [recoveries.chargeAtMs, recoveries.transactionId], after),
        or(ne(bookings.status, 'cancelled'), recoveries.ofSettlement),
        sql`CASE WHEN ${transactions.id} IS NULL THEN ${paymentPlans.id} IS NOT NULL ELSE ${transactions.status} = CASE WHEN ${isToCome} THEN 'Pending' ELSE 'Declined' END END`,
      ),
    )
    .orderBy(asc(recoveries.chargeAtMs), asc(recoveries.transactionId))
    .limit(limit + 1);
}

function isOpen(propertyId: string, condition: SQL) {
  return and(condition, eq(recoveries.propertyId, propertyId), isNull(recoveries.endedAtMs));
}
