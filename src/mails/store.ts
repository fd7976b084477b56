import {
  and,
  asc,
  type Column,
  desc,
  eq,
  gt,
  inArray,
  isNotNull,
  lte,
  type SQL,
  sql,
} from 'drizzle-orm';
import { PAID_SINCE } from '../money/payments/store.ts';
import { queries } from '../platform/db/database.ts';
import { listed } from '../platform/db/listed.ts';
import { namesBooking } from '../records/bookings/store.ts';
import { propertyTimeAt } from '../records/properties/store.ts';
import { bookings } from '../schema/bookingTables.ts';
import { cards } from '../schema/cardTables.ts';
import { disputes } from '../schema/disputeTables.ts';
import { history } from '../schema/historyTables.ts';
import { type MailRow, mails } from '../schema/mailTables.ts';
import { refunds, transactions } from '../schema/moneyTables.ts';
import { properties } from '../schema/propertyTables.ts';

/**
 * Selects what of a property is to be sent by what its clock shows at a real time, the longest due first, each with the address
 * of its booking.
 */
export function selectDueMails(propertyId: string, realMs: number, limit: number) {
  const now = sql`(SELECT ${propertyTimeAt(realMs)} FROM ${properties} WHERE ${eq(properties.id, propertyId)})`;
  return queries
    .select({ row: mails, email: bookings.email })
    .from(mails)
    .leftJoin(bookings, namesBooking(mails))
    .where(and(eq(mails.propertyId, propertyId), lte(mails.dueAtMs, now)))
    .orderBy(asc(mails.dueAtMs), asc(mails.id))
    .limit(limit);
}

export function selectFirstDueMail(propertyId: string) {
  return queries
    .select({ dueAtMs: mails.dueAtMs })
    .from(mails)
    .where(and(eq(mails.propertyId, propertyId), isNotNull(mails.dueAtMs)))
    .orderBy(asc(mails.dueAtMs))
    .limit(1);
}

export function selectPropertiesWithDueMail(beforeMs: number, limit: number) {
  return queries
    .selectDistinct({ propertyId: mails.propertyId })
    .from(mails)
    .where(lte(mails.dueAtMs, beforeMs))
    .limit(limit);
}

export function selectHasDueMail(propertyId: string, untilMs: number) {
  return queries
    .select({ propertyId: mails.propertyId })
    .from(mails)
    .where(and(eq(mails.propertyId, propertyId), lte(mails.dueAtMs, untilMs)))
    .limit(1);
}

/** The rows of one mail: one row, all entries of a morning's digest, or all that are summed up in one. */
export type RowsOfMail = Pick<MailRow, 'id' | 'propertyId' | 'kind' | 'morning' | 'summedUpIn'>;

function isOf({ id, propertyId, kind, morning, summedUpIn }: RowsOfMail) {
  if (summedUpIn !== null) return isOpen(propertyId, eq(mails.summedUpIn, summedUpIn));
  return kind !== 'dailyWord' || morning === null
    ? eq(mails.id, id)
    : isOfDigest({ propertyId, morning });
}

interface DigestName {
  readonly propertyId: string;
  readonly morning: string;
}

function isOfDigest({ propertyId, morning }: DigestName) {
  return isOpen(propertyId, and(eq(mails.kind, 'dailyWord'), eq(mails.morning, morning)));
}

function isOpen(propertyId: string, condition: SQL | undefined) {
  return and(eq(mails.propertyId, propertyId), isNotNull(mails.dueAtMs), condition);
}

/** Changes a mail that is pending: it is finished, or waits for another time. */
export function changeMail(
  mail: RowsOfMail,
  change: Partial<
    Pick<
      MailRow,
      'status' | 'attempts' | 'lastError' | 'completedAtMs' | 'recipient' | 'dueAtMs' | 'morning'
    >
  >,
) {
  return queries
    .update(mails)
    .set(change)
    .where(and(isOf(mail), eq(mails.status, 'Pending')));
}

/** Selects how many mails addresses got since `sinceMs`, and when the first of them went out. */
export function selectGotSince(propertyId: string, recipients: readonly string[], sinceMs: number) {
  const { id, recipient, completedAtMs, status, summedUpIn } = mails;
  return queries
    .select({
      recipient: sql<string>`${recipient}`.as('to'),
      mails: sql<number>`count(DISTINCT coalesce(${summedUpIn}, ${id}))`.as('mails'),
      firstAtMs: sql<number>`min(${completedAtMs})`.as('first_at_ms'),
    })
    .from(mails)
    .where(
      and(
        eq(mails.propertyId, propertyId),
        inArray(recipient, listed(recipients)),
        gt(completedAtMs, sinceMs),
        eq(status, 'Sent'),
      ),
    )
    .groupBy(recipient);
}

export function sumUp(ids: readonly string[], recipient: string, summedUpIn: string) {
  return queries
    .update(mails)
    .set({ recipient, summedUpIn })
    .where(and(inArray(mails.id, listed(ids)), eq(mails.status, 'Pending')));
}

/** Selects what a mail sums up, in the order in which it happened. */
export function selectSummedUp(mail: RowsOfMail) {
  return queries
    .select()
    .from(mails)
    .where(isOf(mail))
    .orderBy(asc(mails.createdAtMs), asc(mails.id));
}

export function selectBookingOfMail(propertyId: string, reference: string) {
  return queries
    .select()
    .from(bookings)
    .where(and(eq(bookings.propertyId, propertyId), eq(bookings.reference, reference)));
}

export function selectCharge(id: number) {
  return queries.select().from(transactions).where(eq(transactions.id, id));
}

export function selectRefund(id: number) {
  return queries.select().from(refunds).where(eq(refunds.id, id));
}

/** Selects the card of a charge, or of the charge that a refund is of. */
export function selectCardOf(id: number) {
  const ofCharge = sql`SELECT card_token FROM transactions WHERE id = ${id}`;
  const ofRefund = sql`SELECT t.card_token FROM refunds r JOIN transactions t ON t.id = r.transaction_id WHERE r.id = ${id}`;
  return queries
    .select()
    .from(cards)
    .where(sql`${cards.token} IN (${ofCharge} UNION ALL ${ofRefund})`);
}

/** Whether a mail is about a charge or refund. */
function isAbout(kind: string, id: Column) {
  return and(eq(mails.subjectKind, kind), sql`${id} = CAST(${mails.subjectId} AS INTEGER)`);
}

/** Whether an entry of a digest is still to be told: not once as much was paid since as failed. */
const IS_OPEN = sql`(${transactions.id} IS NULL OR ${PAID_SINCE} < ${transactions.requestedMinor})`;

/**
 * Selects the entries of a morning's digest that are still open, in the order in which things happened, with what they are
 * about. `why` is the reason that the audit trail has for what failed.
 */
export function selectEntries(digest: DigestName, limit: number) {
  const why = queries
    .select({ detail: history.detail })
    .from(history)
    .where(
      and(
        eq(history.propertyId, mails.propertyId),
        eq(history.bookingReference, mails.bookingReference),
        eq(history.subjectKind, mails.subjectKind),
        eq(history.subjectId, mails.subjectId),
        eq(history.to, 'Failed'),
      ),
    )
    .orderBy(desc(history.sequence))
    .limit(1);
  return queries
    .select({
      id: mails.id,
      eventType: sql<string>`${mails.eventType}`.as('event_type'),
      bookingReference: sql<string>`${mails.bookingReference}`.as('booking_reference'),
      firstName: bookings.firstName,
      lastName: bookings.lastName,
      atMs: mails.createdAtMs,
      amountMinor:
        sql<number>`coalesce(${transactions.amountMinor}, ${refunds.amountMinor}, ${disputes.amountMinor}, 0)`.as(
          'minor',
        ),
      currency:
        sql<string>`coalesce(${transactions.currency}, ${refunds.currency}, ${disputes.currency}, '')`.as(
          'in_currency',
        ),
      declineCode: transactions.declineCode,
      disputeReason: disputes.reason,
      respondByMs: disputes.respondByMs,
      why: sql<string | null>`(${why})`.as('why'),
    })
    .from(mails)
    .leftJoin(transactions, isAbout('charge', transactions.id))
    .leftJoin(refunds, isAbout('refund', refunds.id))
    .leftJoin(
      disputes,
      and(
        eq(disputes.propertyId, mails.propertyId),
        eq(disputes.id, mails.subjectId),
        eq(mails.subjectKind, 'dispute'),
      ),
    )
    .leftJoin(bookings, namesBooking(mails))
    .where(and(isOfDigest(digest), IS_OPEN))
    .orderBy(asc(mails.createdAtMs), asc(mails.id))
    .limit(limit);
}

/** Counts the open entries of a morning's digest. Its first id names the mail, whatever was paid since. */
export function countEntries(digest: DigestName) {
  return queries
    .select({
      count: sql<number>`total(${IS_OPEN})`.as('count'),
      firstId: sql<string>`min(${mails.id})`.as('first_id'),
    })
    .from(mails)
    .leftJoin(transactions, isAbout('charge', transactions.id))
    .where(isOfDigest(digest));
}
