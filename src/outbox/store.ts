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
import type { AuditEntry } from '../audit/store.ts';
import { bookings } from '../db/bookingTables.ts';
import type { Queries } from '../db/database.ts';
import { type OutboxRow, outbox } from '../db/outboxTables.ts';
import { properties } from '../db/propertyTables.ts';
import { audit } from '../db/recordTables.ts';
import { remembered } from '../db/remembered.ts';

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

/** As in the indexes of dead messages, which SQLite then takes whatever it knows of bound values. */
const isDead = sql`${outbox.status} = 'Dead'`;

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
  return queries
    .update(outbox)
    .set({
      status: 'Pending',
      attempts: 0,
      dueAtMs: sql`CASE WHEN ${outbox.status} = 'Dead' OR ${outbox.dueAtMs} IS NOT NULL THEN ${nowMs} END`,
    })
    .where(mendable(which))
    .returning(mendedMessage);
}

/** Gives a message up for good. */
export function dismissMessage(queries: Queries, messageId: string, nowMs: number) {
  return queries
    .update(outbox)
    .set({ status: 'Dismissed', dueAtMs: null, settledAtMs: nowMs })
    .where(mendable({ messageId }))
    .returning(mendedMessage);
}

/** Who mends messages, and when; `firstId` is the first of as many ids as a booking has such messages. */
export type Mending = Pick<AuditEntry, 'actor' | 'atMs'> & { readonly firstId: number };

/**
 * Appends to the audit trails of their bookings what is about to be done to messages; it belongs before the change in
 * its batch, since it tells the states before.
 */
export function auditMessages(
  queries: Queries,
  which: ReplayOf,
  to: OutboxRow['status'],
  { actor, atMs, firstId }: Mending,
) {
  const { bookingReference, messageId, propertyId, status } = outbox;
  const place = sql`row_number() OVER (PARTITION BY ${propertyId}, ${bookingReference} ORDER BY ${messageId})`;
  const entries = queries
    .select({
      propertyId,
      bookingReference,
      id: sql<number>`${firstId} - 1 + ${place}`.as('id'),
      atMs: sql<number>`${atMs}`.as('at_ms'),
      actor: sql<string>`${actor}`.as('actor'),
      subject: sql<string>`'message ' || ${messageId}`.as('subject'),
      from: status,
      to: sql<string>`${to}`.as('to_state'),
      detail: sql<null>`NULL`.as('detail'),
    })
    .from(outbox)
    .where(mendable(which));
  return queries.insert(audit).select(entries);
}

const mendedMessage = {
  messageId: outbox.messageId,
  propertyId: outbox.propertyId,
  bookingReference: outbox.bookingReference,
};

/** The index is named, since SQLite would rather go through all that the property ever queued. */
function deadOf(propertyId: string): SQL {
  return sql`${outbox.messageId} IN (SELECT given_up.message_id FROM outbox AS given_up INDEXED BY outbox_dead_of_property WHERE given_up.status = 'Dead' AND given_up.property_id = ${propertyId})`;
}

/** The messages that are meant, as long as they are not settled. */
function mendable(which: ReplayOf): SQL | undefined {
  return 'messageId' in which
    ? and(eq(outbox.messageId, which.messageId), isUnsettled)
    : deadOf(which.property);
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
  const { afterMessageId } = of;
  const after = afterMessageId === undefined ? undefined : gt(outbox.messageId, afterMessageId);
  return queries
    .select()
    .from(outbox)
    .where(and(isListed(of), after))
    .orderBy(asc(outbox.messageId))
    .limit(limit);
}

/** In words by which SQLite finds those of a booking by it, and those that wait or are dead by their indexes. */
function isListed({ property, reference, status }: ListOf): SQL | undefined {
  if (status === 'Pending' && reference === undefined) return isWaiting(property);
  return and(
    property === undefined ? undefined : eq(outbox.propertyId, property),
    reference === undefined ? undefined : eq(outbox.bookingReference, reference),
    status === 'Dead' ? isDead : status && eq(outbox.status, status),
  );
}

/** Through the index of unsettled messages, which begins with the property. */
function isWaiting(propertyId: string | undefined): SQL {
  const ofProperty =
    propertyId === undefined
      ? sql`waiting.property_id IN (SELECT id FROM properties)`
      : sql`waiting.property_id = ${propertyId}`;
  return sql`${outbox.messageId} IN (SELECT waiting.message_id FROM outbox AS waiting INDEXED BY outbox_unsettled WHERE waiting.status IN ('Pending', 'Dead') AND waiting.status = 'Pending' AND ${ofProperty})`;
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
