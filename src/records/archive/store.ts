import { and, desc, eq, isNull, lt, type SQL, sql } from 'drizzle-orm';
import { queries } from '../../platform/db/database.ts';
import { literally } from '../../platform/db/indexes.ts';
import { listedPairs } from '../../platform/db/listed.ts';
import { foundByEach, isBetween, waysToFind } from '../../platform/db/narrow.ts';
import { type Part, pagesOf } from '../../platform/db/page.ts';
import { preparedList } from '../../platform/db/prepared.ts';
import type { BookingRow } from '../../schema/bookingTables.ts';
import type { CardRow } from '../../schema/cardTables.ts';
import {
  type ArchivedBookingRow,
  archivedBookings,
  archivedPayments,
  archivedReferences,
} from '../../schema/lifeTables.ts';
import type { TransactionRow } from '../../schema/moneyTables.ts';
import { type BookingFilter, type BookingName, isOfBooking } from '../bookings/store.ts';
import { isChargeOf } from '../history/chargesStore.ts';
import { selectUnsettled } from '../privacy/eraseStore.ts';

function isOf({ propertyId, reference }: BookingName) {
  return and(
    eq(archivedBookings.propertyId, propertyId),
    eq(archivedBookings.reference, reference),
  );
}

/** A write goes on with the history of a booking that is archived: it has to come back first. */
export class BookingArchived extends Error {
  readonly booking: BookingName;

  constructor(booking: BookingName) {
    super('the booking is archived');
    this.booking = booking;
  }
}

export function selectArchived(name: BookingName) {
  return queries.select().from(archivedBookings).where(isOf(name));
}

/** Selects those of some bookings that are archived. */
export function selectArchivedAmong(named: readonly BookingName[]) {
  const { propertyId, reference, state } = archivedBookings;
  const names = named.map((one) => [one.propertyId, one.reference] as const);
  return queries
    .select()
    .from(archivedBookings)
    .where(
      and(
        literally(state, 'archived'),
        sql`(${propertyId}, ${reference}) IN ${listedPairs(names)}`,
      ),
    );
}

/**
 * Notes the file of a booking before it is written: until the booking is archived, it is to be deleted. `lastEventNumber` is that
 * of the booking's last event.
 */
export function noteFile(booking: BookingRow, objectKey: string, lastEventNumber: number) {
  const { arrival, createdAtMs, email, lastName, propertyId, reference, status } = booking;
  const { updatedAtMs } = booking;
  const shown = { arrival, createdAtMs, email, lastEventNumber, lastName, status, updatedAtMs };
  return queries
    .insert(archivedBookings)
    .values({ propertyId, reference, state: 'outside', objectKey, ...shown })
    .onConflictDoUpdate({
      target: [archivedBookings.propertyId, archivedBookings.reference],
      set: { objectKey, ...shown },
      setWhere: eq(archivedBookings.state, 'outside'),
    });
}

/** Lets the rows of a booking come and go, for the rest of the batch. */
export function open(name: BookingName) {
  return queries.update(archivedBookings).set({ state: 'open' }).where(isOf(name));
}

/**
 * The same for a booking that is to be archived from this file. The schema refuses the batch if its history has another last
 * entry than `sequence`, or something is to be sent or done of which the history says nothing.
 */
export function openAt(name: BookingName, objectKey: string, sequence: number) {
  const { propertyId, reference } = name;
  const last = sql`(SELECT max(sequence) FROM history WHERE property_id = ${propertyId} AND booking_reference = ${reference})`;
  const isSame = sql`${last} = ${sequence} AND ${archivedBookings.objectKey} = ${objectKey} AND NOT EXISTS ${selectUnsettled(name)}`;
  return queries
    .update(archivedBookings)
    .set({ state: sql`iif(${isSame}, 'open', NULL)` })
    .where(isOf(name));
}

export function close(name: BookingName, state: ArchivedBookingRow['state']) {
  return queries.update(archivedBookings).set({ state }).where(isOf(name));
}

/** What makes a card the same one when it is entered again, as SQL. */
const SAME_CARD = sql.raw("(brand || ' ' || last4 || ' ' || expiry_month || '/' || expiry_year)");

/** Keeps what a booking's payments are found by, before they go. */
export function keepPayments(name: BookingName) {
  const { propertyId, reference } = name;
  const isTaken = sql`status = 'Accepted' AND EXISTS (SELECT 1 FROM history WHERE property_id = ${propertyId} AND booking_reference = ${reference} AND charge_id = transactions.id AND movement IN ('charge', 'capture'))`;
  const isDisputed = sql`EXISTS (SELECT 1 FROM disputes WHERE property_id = ${propertyId} AND booking_reference = ${reference} AND transaction_id = transactions.id)`;
  const takenFrom = sql`CASE WHEN ${isTaken} AND NOT ${isDisputed} THEN (SELECT ${SAME_CARD} FROM cards WHERE token = transactions.card_token) END`;
  return queries
    .insert(archivedPayments)
    .select(
      sql`SELECT property_id, id, booking_reference, status, purpose, created_at_ms, coalesce(changed_at_ms, created_at_ms), currency, amount_minor, completed_at_ms, ${takenFrom} FROM transactions WHERE ${isChargeOf(name)}`,
    );
}

/**
 * Selects what a card paid before an instant without any dispute, in archived bookings of an address (as SQL, in lower case),
 * the latest first.
 */
export function selectTakenFrom(
  propertyId: string,
  address: SQL,
  { brand, expiryMonth, expiryYear, last4 }: CardRow,
  beforeMs: number,
  most: { readonly bookings: number; readonly payments: number },
) {
  const { amountMinor, bookingReference, completedAtMs, currency, id, takenFrom } =
    archivedPayments;
  const ofGuest = sql`SELECT reference FROM archived_bookings WHERE property_id = ${propertyId} AND state = 'archived' AND lower(email) = ${address} LIMIT ${most.bookings}`;
  return queries
    .select({ id, amountMinor, bookingReference, completedAtMs, currency })
    .from(archivedPayments)
    .where(
      and(
        eq(archivedPayments.propertyId, propertyId),
        sql`${bookingReference} IN (${ofGuest})`,
        eq(takenFrom, `${brand} ${last4} ${expiryMonth}/${expiryYear}`),
        lt(completedAtMs, beforeMs),
      ),
    )
    .orderBy(desc(completedAtMs), desc(id))
    .limit(most.payments);
}

export function deletePayments(name: BookingName) {
  return queries.delete(archivedPayments).where(isOfBooking(archivedPayments, name));
}

/** Keeps whose the charges, refunds and disputes are that the acquirer has of a booking, before they go. */
export function keepReferences(name: BookingName) {
  const { propertyId, reference } = name;
  const ofBooking = sql`property_id = ${propertyId} AND booking_reference = ${reference}`;
  const had = sql`SELECT id AS charge_id, NULL AS refund_id, reference, gateway_reference FROM transactions WHERE ${isChargeOf(name)} AND gateway_reference IS NOT NULL
    UNION ALL SELECT transaction_id, id, reference, gateway_reference FROM refunds WHERE ${ofBooking} AND gateway_reference IS NOT NULL
    UNION ALL SELECT transaction_id, NULL, NULL, id FROM disputes WHERE ${ofBooking}`;
  return queries
    .insert(archivedReferences)
    .select(
      sql`SELECT ${propertyId}, had.gateway_reference, ${reference}, had.charge_id, had.refund_id, had.reference, card.gateway_account FROM (${had}) AS had JOIN transactions AS charge ON charge.id = had.charge_id LEFT JOIN cards AS card ON card.token = charge.card_token WHERE true`,
    )
    .onConflictDoNothing();
}

export function deleteReferences(name: BookingName) {
  return queries.delete(archivedReferences).where(isOfBooking(archivedReferences, name));
}

/** Selects the archived booking of a dispute, by the acquirer's id. */
export function selectDisputed(propertyId: string, disputeId: string) {
  const { bookingReference, gatewayReference, reference } = archivedReferences;
  return queries
    .select({ reference: bookingReference })
    .from(archivedReferences)
    .where(
      and(
        eq(archivedReferences.propertyId, propertyId),
        eq(gatewayReference, disputeId),
        isNull(reference),
      ),
    );
}

/** Forgets a file that was deleted. */
export function forgetFile(name: BookingName, objectKey: string) {
  return queries
    .delete(archivedBookings)
    .where(
      and(
        isOf(name),
        eq(archivedBookings.state, 'outside'),
        eq(archivedBookings.objectKey, objectKey),
      ),
    );
}

/** Selects bookings that are in D1 and still have a file, which is to be deleted unless it is just being written. */
export function selectOutside(limit: number) {
  return queries
    .select()
    .from(archivedBookings)
    .where(literally(archivedBookings.state, 'outside'))
    .limit(limit);
}

const bookingPages = pagesOf(archivedBookings, 'descending', ['createdAtMs', 'reference']);

/** The statements that find a property's archived bookings, newest first. */
export function selectArchivedPage(
  propertyId: string,
  { arrivalFrom, arrivalTo, changedSinceMs, email, lastName, status }: BookingFilter,
  part: Part,
) {
  const filter = { arrivalFrom, arrivalTo, changedSinceMs, email, lastName, status };
  return selectBookings({ ...filter, propertyId }, part);
}

const selectBookings = preparedList<BookingFilter & { readonly propertyId: string }>()(
  (asked, part) => {
    const { arrival, createdAtMs, email, lastName, propertyId, reference, state, status } =
      archivedBookings;
    const own = eq(propertyId, asked.propertyId);
    const columns = [createdAtMs, reference] as const;
    const list = {
      table: archivedBookings,
      columns,
      order: 'descending',
      own,
      place: own,
    } as const;
    const isArchived = literally(state, 'archived');
    const others = [
      isBetween(arrival, asked.arrivalFrom, asked.arrivalTo),
      isBetween(archivedBookings.updatedAtMs, asked.changedSinceMs, undefined),
      asked.status && eq(status, asked.status),
      asked.lastName && sql`lower(${lastName}) = lower(${asked.lastName})`,
    ].flatMap((rows) => rows ?? []);
    const filters = [
      ...foundByEach(list, [asked.email && sql`lower(${email}) = lower(${asked.email})`]),
      ...[isArchived, ...others].map((rows) => ({ rows })),
    ];
    return waysToFind(list, filters, part, (way) => bookingPages.along(way));
  },
);

/** Filters the payments of a property; `fromMs` and `beforeMs` bound their creation. */
export interface PaymentFilter {
  readonly fromMs?: number | undefined;
  readonly beforeMs?: number | undefined;
  readonly status?: TransactionRow['status'] | undefined;
  readonly purpose?: TransactionRow['purpose'] | undefined;
  /** Only what changed at this time or later, its refunds and disputes included. */
  readonly changedSinceMs?: number | undefined;
}

const paymentPages = pagesOf(archivedPayments, 'descending', ['createdAtMs', 'id']);

/** The statements that find the payments of a property's archived bookings, newest first. */
export function selectArchivedPayments(
  propertyId: string,
  { beforeMs, changedSinceMs, fromMs, purpose, status }: PaymentFilter,
  part: Part,
) {
  return selectPayments({ propertyId, beforeMs, changedSinceMs, fromMs, purpose, status }, part);
}

const selectPayments = preparedList<PaymentFilter & { readonly propertyId: string }>()(
  (asked, part) => {
    const { changedAtMs, createdAtMs, id, propertyId, purpose, status } = archivedPayments;
    const own = eq(propertyId, asked.propertyId);
    const span = { from: asked.fromMs, before: asked.beforeMs };
    const columns = [createdAtMs, id] as const;
    const list = { table: archivedPayments, columns, order: 'descending', own, span } as const;
    const filters = [
      asked.status && eq(status, asked.status),
      asked.purpose && eq(purpose, asked.purpose),
      isBetween(changedAtMs, asked.changedSinceMs, undefined),
    ].flatMap((rows) => (rows ? [{ rows }] : []));
    return waysToFind(list, filters, part, (way) => paymentPages.along(way));
  },
);
