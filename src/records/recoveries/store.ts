import { and, asc, eq, isNotNull, isNull, lte, min, ne, or, sql } from 'drizzle-orm';
import { bookings } from '../../platform/db/bookingTables.ts';
import { cards } from '../../platform/db/cardTables.ts';
import type { Queries } from '../../platform/db/database.ts';
import { transactions } from '../../platform/db/moneyTables.ts';
import { prepared, type ValuesOrPlaceholders } from '../../platform/db/prepared.ts';
import { type RecoveryRow, recoveries } from '../../platform/db/recoveryTables.ts';
import { type BookingName, namesBooking } from '../bookings/store.ts';

/** The columns that a change of a recovery may set. */
export type RecoveryChange = Partial<
  Omit<
    RecoveryRow,
    'transactionId' | 'propertyId' | 'bookingReference' | 'chargeAtMs' | 'version' | 'createdAtMs'
  >
>;

/** What a recovery begins with. */
export type RecoveryStart = Pick<
  RecoveryRow,
  'transactionId' | 'propertyId' | 'bookingReference' | 'cause' | 'chargeAtMs' | 'cardToken'
> & { readonly dueAtMs: number | null; readonly nowMs: number };

/**
 * Begins the recovery of a charge. One that was foreseen begins again with its new cause; how often its guest was asked,
 * and whether that was told of, stays.
 */
export function beginRecovery(queries: Queries, { nowMs, ...start }: RecoveryStart) {
  return queries
    .insert(recoveries)
    .values({ ...start, createdAtMs: nowMs, changedAtMs: nowMs })
    .onConflictDoUpdate({
      target: recoveries.transactionId,
      set: {
        cause: start.cause,
        cardToken: start.cardToken,
        dueAtMs: start.dueAtMs,
        askedForCause: 0,
        firstAskedAtMs: null,
        deadlineAtMs: null,
        mailSinceMs: null,
        answerCard: null,
        endedAtMs: null,
        endedAs: null,
        changedAtMs: nowMs,
        version: sql`${recoveries.version} + 1`,
      },
    });
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
export function selectRecoveries(queries: Queries, booking: BookingName) {
  return recoveriesOfBooking(queries, {
    propertyId: booking.propertyId,
    reference: booking.reference,
  });
}

const recoveriesOfBooking = prepared<BookingName>()((queries, booking) =>
  queries
    .select()
    .from(recoveries)
    .where(ofBooking(booking))
    .orderBy(asc(recoveries.chargeAtMs), asc(recoveries.transactionId)),
);

/** Selects the booking's recovery with the earliest due time, overdue or not. Messages go out after all else. */
export function selectFirstDueRecovery(queries: Queries, propertyId: string, reference: string) {
  return firstDue(queries, { propertyId, reference });
}

const firstDue = prepared<BookingName>()((queries, booking) =>
  queries
    .select()
    .from(recoveries)
    .where(and(ofBooking(booking), isNotNull(recoveries.dueAtMs)))
    .orderBy(asc(recoveries.dueAtMs), asc(sql`${recoveries.mailSinceMs} IS NOT NULL`))
    .limit(1),
);

/** Selects the bookings, of any property, that have a recovery due before `beforeMs`, the longest overdue first. */
export function selectOverdueRecoveries(queries: Queries, beforeMs: number, limit: number) {
  return (
    queries
      .select({ propertyId: recoveries.propertyId, reference: recoveries.bookingReference })
      .from(recoveries)
      .where(lte(recoveries.dueAtMs, beforeMs))
      // The plus makes SQLite search by due time.
      .groupBy(sql`+${recoveries.propertyId}`, sql`+${recoveries.bookingReference}`)
      .orderBy(asc(min(recoveries.dueAtMs)))
      .limit(limit)
  );
}

/** Selects a property's bookings that have a recovery due by `untilMs`, by its clock, the first due first. */
export function selectDueRecoveriesOfProperty(
  queries: Queries,
  propertyId: string,
  untilMs: number,
  limit: number,
) {
  const dueAtMs = min(recoveries.dueAtMs);
  return queries
    .select({
      propertyId: recoveries.propertyId,
      reference: recoveries.bookingReference,
      dueAtMs: sql<number>`${dueAtMs}`.as('first_due_at_ms'),
    })
    .from(recoveries)
    .where(and(sql`+${recoveries.propertyId} = ${propertyId}`, lte(recoveries.dueAtMs, untilMs)))
    .groupBy(sql`+${recoveries.propertyId}`, sql`+${recoveries.bookingReference}`)
    .orderBy(asc(dueAtMs), asc(recoveries.bookingReference))
    .limit(limit);
}

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
    .where(
      and(
        eq(recoveries.cardToken, token),
        eq(recoveries.propertyId, propertyId),
        isNull(recoveries.endedAtMs),
      ),
    );
}

/** Selects the booking of an open recovery of a card. */
export function selectBookingOfCard(queries: Queries, propertyId: string, token: string) {
  return queries
    .select({ reference: recoveries.bookingReference })
    .from(recoveries)
    .where(
      and(
        eq(recoveries.cardToken, token),
        eq(recoveries.propertyId, propertyId),
        isNull(recoveries.endedAtMs),
      ),
    )
    .limit(1);
}

/** Which of a property's problems to list. Bounds are times of charges, `toMs` exclusive. */
export interface ProblemFilter {
  readonly reference: string | undefined;
  readonly fromMs: number | undefined;
  readonly toMs: number | undefined;
}

/** Selects what is open of a property's recoveries, with what decides whether it still is a problem. */
export function selectProblems(
  queries: Queries,
  propertyId: string,
  { reference, fromMs, toMs }: ProblemFilter,
  limit: number,
) {
  const cardNow = sql`CASE WHEN ${transactions.cardNamed} OR ${recoveries.cause} <> 'expiring'
    THEN ${transactions.cardToken} ELSE ${bookings.cardToken} END`;
  // What was charged since by request or by the guest, without fees, less what made good what was declined before.
  const paidSince = sql<number>`(SELECT coalesce(sum(paid.requested_minor), 0) FROM transactions AS paid
    WHERE paid.property_id = ${recoveries.propertyId} AND paid.booking_reference = ${recoveries.bookingReference}
    AND paid.status = 'Accepted' AND paid.kind = 'charge' AND paid.replaces_charge IS NULL AND paid.purpose <> 'Bond'
    AND paid.settled_at_ms >= ${transactions.completedAtMs})
    - (SELECT coalesce(sum(good.requested_minor), 0) FROM recoveries AS ended JOIN transactions AS good ON good.id = ended.transaction_id
    WHERE ended.property_id = ${recoveries.propertyId} AND ended.booking_reference = ${recoveries.bookingReference}
    AND ended.ended_as = 'paid')`;
  const isReplaced = sql<number>`EXISTS (SELECT 1 FROM transactions AS other
    WHERE other.replaces_charge = ${recoveries.transactionId} AND other.status IN ('Accepted', 'Processing'))`;
  return queries
    .select({
      transactionId: recoveries.transactionId,
      bookingReference: recoveries.bookingReference,
      cause: recoveries.cause,
      chargeAtMs: recoveries.chargeAtMs,
      firstAskedAtMs: recoveries.firstAskedAtMs,
      deadlineAtMs: recoveries.deadlineAtMs,
      scheduledTime: transactions.scheduledTime,
      status: transactions.status,
      purpose: transactions.purpose,
      requestedMinor: transactions.requestedMinor,
      declineCode: transactions.declineCode,
      declinedAtMs: transactions.completedAtMs,
      masked: cards.masked,
      expiryMonth: cards.expiryMonth,
      expiryYear: cards.expiryYear,
      paidSinceMinor: paidSince.as('paid_since_minor'),
      isReplaced: isReplaced.as('is_replaced'),
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
        ne(bookings.status, 'cancelled'),
        or(
          and(eq(recoveries.cause, 'expiring'), eq(transactions.status, 'Pending')),
          and(ne(recoveries.cause, 'expiring'), eq(transactions.status, 'Declined')),
        ),
      ),
    )
    .orderBy(asc(recoveries.chargeAtMs), asc(recoveries.transactionId))
    .limit(limit);
}

function ofBooking({ propertyId, reference }: ValuesOrPlaceholders<BookingName>) {
  return and(eq(recoveries.propertyId, propertyId), eq(recoveries.bookingReference, reference));
}
