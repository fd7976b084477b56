import { and, asc, eq, isNotNull, isNull, ne, type SQL, sql } from 'drizzle-orm';
import type { Queries } from '../../platform/db/database.ts';
import { comesAfter, type Part } from '../../platform/db/page.ts';
import { prepared, type ValuesOrPlaceholders } from '../../platform/db/prepared.ts';
import { bookings } from '../../schema/bookingTables.ts';
import { cards } from '../../schema/cardTables.ts';
import { transactions } from '../../schema/moneyTables.ts';
import { type RecoveryRow, recoveries } from '../../schema/recoveryTables.ts';
import { type BookingName, namesBooking } from '../bookings/store.ts';

/** The columns that a change of a recovery may set. */
export type RecoveryChange = Partial<
  Omit<
    RecoveryRow,
    'transactionId' | 'propertyId' | 'bookingReference' | 'chargeAtMs' | 'version' | 'createdAtMs'
  >
>;

export type RecoveryStart = Pick<
  RecoveryRow,
  'transactionId' | 'propertyId' | 'bookingReference' | 'cause' | 'chargeAtMs' | 'cardToken'
> & { readonly dueAtMs: number | null; readonly nowMs: number };

/**
 * Begins the recovery of a charge. One that is there begins again with its new cause; how often its guest was asked,
 * and whether that was told of, stays.
 */
export function beginRecovery(queries: Queries, { nowMs, ...start }: RecoveryStart) {
  return queries
    .insert(recoveries)
    .values({ ...start, createdAtMs: nowMs, changedAtMs: nowMs })
    .onConflictDoUpdate({
      target: recoveries.transactionId,
      set: {
        ...begunAgain(nowMs),
        cause: start.cause,
        cardToken: start.cardToken,
        dueAtMs: start.dueAtMs,
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
    changedAtMs: nowMs,
    version: sql`${recoveries.version} + 1`,
  };
}

/** Changes a recovery. The schema refuses the change if D1 has another version than `row`. */
export function updateRecovery(
  queries: Queries,
  { transactionId, propertyId, version }: RecoveryRow,
  change: RecoveryChange,
) {
  return queries
    .update(recoveries)
    .set({ ...change, version: version + 1 })
    .where(and(eq(recoveries.transactionId, transactionId), eq(recoveries.propertyId, propertyId)));
}

/** Selects a booking's recoveries, ended or not, the earliest charge first. */
export const selectRecoveries = prepared<BookingName>()((queries, booking) =>
  queries
    .select()
    .from(recoveries)
    .where(ofBooking(booking))
    .orderBy(asc(recoveries.chargeAtMs), asc(recoveries.transactionId)),
);

/** Selects the booking's recoveries with a due time, overdue or not, the earliest first. */
export function selectDueRecoveries(queries: Queries, propertyId: string, reference: string) {
  return dueOfBooking(queries, { propertyId, reference });
}

const dueOfBooking = prepared<BookingName>()((queries, booking) =>
  queries
    .select()
    .from(recoveries)
    .where(and(ofBooking(booking), isNotNull(recoveries.dueAtMs)))
    .orderBy(asc(recoveries.dueAtMs), asc(recoveries.transactionId)),
);

/**
 * Makes the open recoveries of a card due now, because its issuer renewed it. What was declined on it before is charged
 * again, as on a new card.
 */
export function recheckCard(queries: Queries, propertyId: string, token: string, nowMs: number) {
  return queries
    .update(recoveries)
    .set({
      dueAtMs: nowMs,
      answerCard: sql`CASE ${recoveries.cause} WHEN 'declined' THEN ${token} ELSE ${recoveries.answerCard} END`,
      changedAtMs: nowMs,
      version: sql`${recoveries.version} + 1`,
    })
    .where(isOpen(propertyId, eq(recoveries.cardToken, token)));
}

/**
 * Begins a recovery for each of a property's pending schedules whose card another account keeps than `account`, and
 * returns them: one that is there begins again.
 */
export function beginFormerRecoveries(
  queries: Queries,
  { propertyId, account, nowMs }: FormerCards,
) {
  return queries
    .insert(recoveries)
    .select(
      sql`SELECT t.id, t.property_id, t.booking_reference, 'former', coalesce(t.scheduled_at_ms, t.created_at_ms), c.token,
        NULL, 0, 0, NULL, NULL, NULL, NULL, NULL, ${nowMs}, NULL, NULL, 1, ${nowMs}, ${nowMs}
      FROM transactions t
      JOIN bookings b ON b.property_id = t.property_id AND b.reference = t.booking_reference
      JOIN cards c ON c.token = CASE WHEN t.card_named OR t.card_token = t.other_card THEN t.card_token ELSE b.card_token END
      WHERE t.property_id = ${propertyId} AND t.status = 'Pending' AND c.gateway_account IS NOT ${account}`,
    )
    .onConflictDoUpdate({
      target: recoveries.transactionId,
      set: {
        ...begunAgain(nowMs),
        cause: 'former',
        cardToken: sql`excluded.card_token`,
        dueAtMs: nowMs,
      },
    })
    .returning({ transactionId: recoveries.transactionId });
}

interface FormerCards {
  readonly propertyId: string;
  /** The account that it has from now on; null for the platform's. */
  readonly account: string | null;
  readonly nowMs: number;
}

/** Makes a property's open recoveries of former cards due now: its account or its settings changed. */
export function recheckFormer(queries: Queries, propertyId: string, nowMs: number) {
  return queries
    .update(recoveries)
    .set({ dueAtMs: nowMs, changedAtMs: nowMs, version: sql`${recoveries.version} + 1` })
    .where(isOpen(propertyId, eq(recoveries.cause, 'former')));
}

/** Selects the booking of an open recovery of a card. */
export function selectBookingOfCard(queries: Queries, propertyId: string, token: string) {
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
  queries: Queries,
  propertyId: string,
  { reference, fromMs, toMs }: ProblemFilter,
  { after, limit }: Part,
) {
  const isToCome = sql`${recoveries.cause} IN ('expiring', 'former')`;
  const cardNow = sql`CASE WHEN ${isToCome} AND NOT ${transactions.cardNamed}
    AND ${transactions.otherCard} IS NOT ${transactions.cardToken} THEN ${bookings.cardToken} ELSE ${transactions.cardToken} END`;
  return queries
    .select({
      transactionId: recoveries.transactionId,
      bookingReference: recoveries.bookingReference,
      cause: recoveries.cause,
      chargeAtMs: recoveries.chargeAtMs,
      firstAskedAtMs: recoveries.firstAskedAtMs,
      deadlineAtMs: recoveries.deadlineAtMs,
      scheduledTime: transactions.scheduledTime,
      declineCode: transactions.declineCode,
      masked: cards.masked,
      expiryMonth: cards.expiryMonth,
      expiryYear: cards.expiryYear,
      gatewayAccount: cards.gatewayAccount,
    })
    .from(recoveries)
    .innerJoin(transactions, eq(transactions.id, recoveries.transactionId))
    .innerJoin(bookings, namesBooking(recoveries))
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
        ne(bookings.status, 'cancelled'),
        sql`${transactions.status} = CASE WHEN ${isToCome} THEN 'Pending' ELSE 'Declined' END`,
      ),
    )
    .orderBy(asc(recoveries.chargeAtMs), asc(recoveries.transactionId))
    .limit(limit + 1);
}

function ofBooking({ propertyId, reference }: ValuesOrPlaceholders<BookingName>) {
  return and(eq(recoveries.propertyId, propertyId), eq(recoveries.bookingReference, reference));
}

function isOpen(propertyId: string, condition: SQL) {
  return and(condition, eq(recoveries.propertyId, propertyId), isNull(recoveries.endedAtMs));
}
