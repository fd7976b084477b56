import {
  and,
  asc,
  eq,
  exists,
  gt,
  inArray,
  isNotNull,
  isNull,
  lte,
  min,
  type SQL,
  sql,
} from 'drizzle-orm';
import type { Queries } from '../db/database.ts';
import { remembered } from '../db/remembered.ts';
import { bookings, type OutboxRow, outbox, properties } from '../db/schema.ts';

/** A message whose turn it is, with the number that the PMS gave to its booking. */
export type DueMessage = OutboxRow & { readonly confirmationNumber: string | null };

/** A message as it is queued. */
export type NewMessage = Pick<
  OutboxRow,
  'propertyId' | 'bookingReference' | 'messageId' | 'messageType' | 'payload' | 'createdAtMs'
>;

/** Which message, by its key. */
type MessageKey = Pick<OutboxRow, 'propertyId' | 'bookingReference' | 'number'>;

/** As literals: with bound values, SQLite could not tell that the index of unsettled messages is meant. */
const isUnsettled = sql`${outbox.status} IN ('Pending', 'Dead')`;

/** Queues a message behind its booking's others; it is due at once when none of them waits. */
export const insertMessage = remembered<NewMessage>()((queries, message) => {
  const { propertyId, bookingReference, createdAtMs } = message;
  const ofBooking = sql`${outbox.propertyId} = ${propertyId} AND ${outbox.bookingReference} = ${bookingReference}`;
  return queries.insert(outbox).values({
    ...message,
    status: 'Pending',
    number: sql`(SELECT COALESCE(MAX(${outbox.number}), 0) + 1 FROM ${outbox} WHERE ${ofBooking})`,
    dueAtMs: sql`CASE WHEN EXISTS (SELECT 1 FROM ${outbox} WHERE ${ofBooking} AND ${outbox.status} IN ('Pending', 'Dead')) THEN NULL ELSE ${createdAtMs} END`,
  });
});

/** Selects the messages for a PMS whose turn it is, the longest due first. */
export function selectDue(queries: Queries, pmsUrl: string, nowMs: number, limit: number) {
  return selectMessages(queries, and(ofPms(queries, pmsUrl), lte(outbox.dueAtMs, nowMs)))
    .orderBy(asc(outbox.dueAtMs), asc(outbox.messageId))
    .limit(limit);
}

/** Selects when the next message for a PMS is due that is not yet. */
export function selectNextDue(queries: Queries, pmsUrl: string, nowMs: number) {
  return queries
    .select({ dueAtMs: min(outbox.dueAtMs) })
    .from(outbox)
    .where(and(ofPms(queries, pmsUrl), gt(outbox.dueAtMs, nowMs)));
}

/** Selects the properties whose PMS is at an address. */
export function selectPropertiesOfPms(queries: Queries, pmsUrl: string) {
  return queries.select().from(properties).where(eq(properties.pmsUrl, pmsUrl));
}

/** Selects a booking's message whose turn it is, when it is due. */
export function selectHead(
  queries: Queries,
  propertyId: string,
  bookingReference: string,
  nowMs: number,
) {
  return selectMessages(
    queries,
    and(
      eq(outbox.propertyId, propertyId),
      eq(outbox.bookingReference, bookingReference),
      lte(outbox.dueAtMs, nowMs),
    ),
  ).limit(1);
}

function selectMessages(queries: Queries, where: SQL | undefined) {
  return queries
    .select({
      propertyId: outbox.propertyId,
      bookingReference: outbox.bookingReference,
      number: outbox.number,
      messageId: outbox.messageId,
      messageType: outbox.messageType,
      payload: outbox.payload,
      status: outbox.status,
      attempts: outbox.attempts,
      dueAtMs: outbox.dueAtMs,
      lastError: outbox.lastError,
      createdAtMs: outbox.createdAtMs,
      settledAtMs: outbox.settledAtMs,
      // In its own words: as columns of a selection, these would be written without their tables.
      confirmationNumber: sql<
        string | null
      >`(SELECT told.pms_confirmation_number FROM bookings AS told WHERE told.property_id = outbox.property_id AND told.reference = outbox.booking_reference)`.as(
        'confirmation_number',
      ),
    })
    .from(outbox)
    .where(where)
    .$dynamic();
}

/** A PMS's messages are those of the properties that have it now. */
function ofPms(queries: Queries, pmsUrl: string) {
  const served = queries
    .select({ id: properties.id })
    .from(properties)
    .where(eq(properties.pmsUrl, pmsUrl));
  return and(inArray(outbox.propertyId, served), isUnsettled);
}

/** Marks a message as delivered. */
export function confirmMessage(
  queries: Queries,
  message: MessageKey & Pick<OutboxRow, 'attempts'>,
  nowMs: number,
) {
  return queries
    .update(outbox)
    .set({
      status: 'Confirmed',
      attempts: message.attempts + 1,
      dueAtMs: null,
      lastError: null,
      settledAtMs: nowMs,
    })
    .where(and(isMessage(message), eq(outbox.status, 'Pending')));
}

/** Gives a booking's turn to the first of its messages that waits, unless that one is dead. */
export function promoteNext(
  queries: Queries,
  { propertyId, bookingReference }: Omit<MessageKey, 'number'>,
  nowMs: number,
) {
  const first = sql`(SELECT MIN(number) FROM outbox AS waiting WHERE waiting.property_id = ${propertyId} AND waiting.booking_reference = ${bookingReference} AND waiting.status IN ('Pending', 'Dead'))`;
  return queries
    .update(outbox)
    .set({ dueAtMs: nowMs })
    .where(
      and(
        eq(outbox.propertyId, propertyId),
        eq(outbox.bookingReference, bookingReference),
        sql`${outbox.number} = ${first}`,
        eq(outbox.status, 'Pending'),
        isNull(outbox.dueAtMs),
      ),
    );
}

/** Keeps the number that the PMS gave to a booking. */
export function keepConfirmationNumber(
  queries: Queries,
  { propertyId, bookingReference }: Omit<MessageKey, 'number'>,
  confirmationNumber: string,
) {
  return queries
    .update(bookings)
    .set({ pmsConfirmationNumber: confirmationNumber, version: sql`${bookings.version} + 1` })
    .where(
      and(
        eq(bookings.propertyId, propertyId),
        eq(bookings.reference, bookingReference),
        sql`${bookings.pmsConfirmationNumber} IS NOT ${confirmationNumber}`,
      ),
    );
}

/** What a try in vain changes of a message. */
export type FailedTry = Pick<OutboxRow, 'status' | 'attempts' | 'dueAtMs' | 'lastError'>;

/** Writes down a try in vain, unless ops have settled the message meanwhile. */
export function failMessage(queries: Queries, message: MessageKey, failed: FailedTry) {
  return queries
    .update(outbox)
    .set(failed)
    .where(and(isMessage(message), eq(outbox.status, 'Pending')));
}

function isMessage({ propertyId, bookingReference, number }: MessageKey) {
  return and(
    eq(outbox.propertyId, propertyId),
    eq(outbox.bookingReference, bookingReference),
    eq(outbox.number, number),
  );
}

/** Selects a message of any property. */
export function selectMessage(queries: Queries, messageId: string) {
  return queries.select().from(outbox).where(eq(outbox.messageId, messageId));
}

/** Which messages are sent again: one, or every dead one of a property. */
export type ReplayOf =
  | { readonly messageId: string }
  | { readonly property: string; readonly status: 'Dead' };

/** Makes messages due at once, with all their tries before them; one that waits for another still does. */
export function replayMessages(queries: Queries, which: ReplayOf, nowMs: number) {
  const where =
    'messageId' in which
      ? and(eq(outbox.messageId, which.messageId), isUnsettled)
      : and(eq(outbox.propertyId, which.property), eq(outbox.status, which.status));
  return queries
    .update(outbox)
    .set({
      status: 'Pending',
      attempts: 0,
      dueAtMs: sql`CASE WHEN ${outbox.status} = 'Dead' OR ${outbox.dueAtMs} IS NOT NULL THEN ${nowMs} END`,
    })
    .where(where)
    .returning({ messageId: outbox.messageId });
}

/** Gives a message up for good. */
export function dismissMessage(queries: Queries, messageId: string, nowMs: number) {
  return queries
    .update(outbox)
    .set({ status: 'Dismissed', dueAtMs: null, settledAtMs: nowMs })
    .where(and(eq(outbox.messageId, messageId), isUnsettled))
    .returning({ messageId: outbox.messageId });
}

/** Which messages a list shows. */
export interface ListOf {
  readonly property?: string | undefined;
  readonly reference?: string | undefined;
  readonly status?: OutboxRow['status'] | undefined;
  /** The last message of the page before. */
  readonly afterMessageId?: string | undefined;
}

/** Selects messages, oldest first. */
export function selectList(queries: Queries, of: ListOf, limit: number) {
  return queries
    .select()
    .from(outbox)
    .where(
      and(
        of.property === undefined ? undefined : eq(outbox.propertyId, of.property),
        of.reference === undefined ? undefined : eq(outbox.bookingReference, of.reference),
        of.status === undefined ? undefined : eq(outbox.status, of.status),
        of.afterMessageId === undefined ? undefined : gt(outbox.messageId, of.afterMessageId),
      ),
    )
    .orderBy(asc(outbox.messageId))
    .limit(limit);
}

/** Selects the PMS addresses that have a message due before `beforeMs`. */
export function selectOverduePms(queries: Queries, beforeMs: number, limit: number) {
  const overdue = queries
    .select({ one: sql`1` })
    .from(outbox)
    .where(and(eq(outbox.propertyId, properties.id), isUnsettled, lte(outbox.dueAtMs, beforeMs)));
  return queries
    .selectDistinct({ pmsUrl: properties.pmsUrl })
    .from(properties)
    .where(and(isNotNull(properties.pmsUrl), exists(overdue)))
    .limit(limit);
}
