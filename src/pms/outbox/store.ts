import {
  and,
  asc,
  eq,
  exists,
  getTableColumns,
  isNotNull,
  isNull,
  lte,
  min,
  notInArray,
  type Placeholder,
  type SQL,
  sql,
} from 'drizzle-orm';
import { clockAt, hasServedClock, type Served } from '../../delivery/store.ts';
import { queries } from '../../platform/db/database.ts';
import { listed } from '../../platform/db/listed.ts';
import { prepared, type ValuesOrPlaceholders } from '../../platform/db/prepared.ts';
import { bookings } from '../../schema/bookingTables.ts';
import { type OutboxRow, outbox } from '../../schema/outboxTables.ts';
import { properties } from '../../schema/propertyTables.ts';

/** A message that nothing holds back, with the PMS's number of the booking. */
export type DueMessage = OutboxRow & { readonly confirmationNumber: string | null };

export type NewMessage = Pick<
  OutboxRow,
  'propertyId' | 'bookingReference' | 'messageId' | 'messageType' | 'payload' | 'createdAtMs'
>;

type BookingKey = Pick<OutboxRow, 'propertyId' | 'bookingReference'>;

/** Literals, because SQLite cannot match bound values with the partial index of unsettled messages. */
export const isUnsettled = sql`${outbox.status} IN ('Pending', 'Dead')`;

/** The entries of a booking's history that name its messages, as `FROM … WHERE …`. Their `sequence` orders the messages. */
export function namedInHistory(booking: ValuesOrPlaceholders<BookingKey>): SQL {
  const { bookingReference, propertyId } = booking;
  return sql`FROM history AS entry WHERE entry.property_id = ${propertyId} AND entry.booking_reference = ${bookingReference} AND entry.message_id IS NOT NULL`;
}

function idsOfBooking(of: BookingKey): SQL {
  return sql`(SELECT entry.message_id ${namedInHistory(of)})`;
}

/** The unsettled messages of a booking, as the table `open` of a `WITH`: the history is read once. */
function withOpen(of: ValuesOrPlaceholders<BookingKey>): SQL {
  return sql`WITH open AS MATERIALIZED (SELECT named.sequence, named.message_id, message.message_type = 'PushTransaction' AS is_money, message.answered_at_ms FROM (SELECT entry.sequence, entry.message_id ${namedInHistory(of)}) AS named CROSS JOIN outbox AS message ON message.message_id = named.message_id WHERE message.status IN ('Pending', 'Dead'))`;
}

const firstAboutStay = sql`(SELECT min(sequence) FROM open WHERE NOT is_money)`;
const firstAboutMoney = sql`(SELECT min(sequence) FROM open WHERE is_money)`;

/**
 * The first unsettled message about the stay, while it has no answer from the PMS, as `FROM … WHERE …`. Those about money
 * behind it wait for it, and hold back nothing themselves.
 */
const unansweredStay = sql`FROM open AS head WHERE head.sequence = ${firstAboutStay} AND head.answered_at_ms IS NULL`;

/** Queues a message about a stay; it is due now if no other one about the stay is unsettled. */
export const insertStayMessage = prepared<NewMessage>()((message) =>
  insertUnless(message, sql`(${withOpen(message)} SELECT ${firstAboutStay}) IS NOT NULL`),
);

/**
 * Queues a message about money; it is due now if no other one about money is unsettled, and the PMS has answered the
 * first one about the stay.
 */
export const insertMoneyMessage = prepared<NewMessage>()((message) => {
  const isHeld = sql`(${withOpen(message)} SELECT ${firstAboutMoney} IS NOT NULL OR EXISTS (SELECT 1 ${unansweredStay}))`;
  return insertUnless(message, isHeld);
});

/** Changes what a message says: null lets go of what is settled. */
export function changePayload(messageId: string, payload: OutboxRow['payload']) {
  return queries.update(outbox).set({ payload }).where(eq(outbox.messageId, messageId));
}

/** Inserts a message. It is due now, unless others hold it back. */
function insertUnless(message: ValuesOrPlaceholders<NewMessage>, isHeld: SQL) {
  return queries.insert(outbox).values({
    ...(message as NewMessage),
    status: 'Pending',
    dueAtMs: sql`CASE WHEN ${isHeld} THEN NULL ELSE ${message.createdAtMs} END`,
  });
}

/** How many properties a page has messages of. The property that has waited longest comes first. */
export const MOST_PROPERTIES = 8;

/** Which messages are due: of the properties of one PMS, but for some of them. */
type Due = Served & { /** Properties that are left out. */ readonly blocked?: readonly string[] };

/** When a property's first message is due, of those that `when` lets through: one entry of an index. */
function firstDue(when: SQL): SQL<number | null> {
  return sql`(SELECT min(waiting.due_at_ms) FROM outbox AS waiting WHERE waiting.property_id = ${properties.id} AND waiting.status IN ('Pending', 'Dead') AND waiting.due_at_ms ${when})`;
}

/** The properties whose messages are due by their clocks, as a query of their ids. `nowMs` is real time. */
function dueProperties(of: Due, nowMs: number): SQL {
  const { blocked = [] } = of;
  const isBlocked = blocked.length > 0 ? notInArray(properties.id, listed(blocked)) : undefined;
  const first = firstDue(sql`<= ${clockAt(nowMs)}`);
  return sql`SELECT id FROM (SELECT ${properties.id} AS id, ${first} AS first FROM ${properties} WHERE ${and(isServed(of), isBlocked)}) WHERE first IS NOT NULL ORDER BY first LIMIT ${MOST_PROPERTIES}`;
}

/** Selects the properties that {@link selectDue} has messages of. */
export function selectDueProperties(of: Due, nowMs: number) {
  return queries
    .select()
    .from(properties)
    .where(sql`${properties.id} IN (${dueProperties(of, nowMs)})`);
}

/** Selects the messages that are due, the longest due first, of {@link MOST_PROPERTIES} properties at most. */
export function selectDue(of: Due, nowMs: number, limit: number) {
  // Of each property no more than a page is looked at, however many wait.
  const page = sql`SELECT waiting.message_id FROM outbox AS waiting WHERE waiting.property_id = ${properties.id} AND waiting.status IN ('Pending', 'Dead') AND waiting.due_at_ms <= ${clockAt(nowMs)} ORDER BY waiting.due_at_ms LIMIT ${limit}`;
  return selectMessages(undefined)
    .innerJoin(properties, sql`${outbox.messageId} IN (${page})`)
    .where(sql`${properties.id} IN (${dueProperties(of, nowMs)})`)
    .orderBy(asc(outbox.dueAtMs), asc(outbox.messageId))
    .limit(limit);
}

/** Selects in how many milliseconds the next message becomes due. `nowMs` is real time. */
export function selectNextDue(of: Served, nowMs: number) {
  const next = firstDue(sql`> ${clockAt(nowMs)}`);
  return queries
    .select({ inMs: sql<number | null>`min(${next} - ${clockAt(nowMs)})`.as('in_ms') })
    .from(properties)
    .where(isServed(of));
}

function isServed(of: Served): SQL | undefined {
  return and(eq(properties.pmsUrl, of.receiver), hasServedClock(of));
}

/** Selects when the first message of a property is due, by its clock, if any waits. */
export function selectFirstDueOfProperty(propertyId: string) {
  return queries
    .select({ dueAtMs: min(outbox.dueAtMs) })
    .from(outbox)
    .where(and(eq(outbox.propertyId, propertyId), isUnsettled));
}

/** Selects the message of a booking that has been due longest, if any is due. */
export function selectDueOfBooking(of: BookingKey, nowMs: number) {
  return selectMessages(
    and(sql`${outbox.messageId} IN ${idsOfBooking(of)}`, isUnsettled, lte(outbox.dueAtMs, nowMs)),
  )
    .orderBy(asc(outbox.dueAtMs), asc(outbox.messageId))
    .limit(1);
}

function selectMessages(where: SQL | undefined) {
  return queries
    .select({
      ...getTableColumns(outbox),
      // As SQL text: drizzle would write these columns without their tables.
      confirmationNumber: sql<
        string | null
      >`(SELECT booking.pms_confirmation_number FROM bookings AS booking WHERE booking.property_id = outbox.property_id AND booking.reference = outbox.booking_reference)`.as(
        'confirmation_number',
      ),
    })
    .from(outbox)
    .where(where)
    .$dynamic();
}

/** Makes the messages of a booking due that nothing holds back any more: of each kind the first, if it was waiting. */
export function promoteNext(of: BookingKey, nowMs: number) {
  const first = sql`(${withOpen(of)} SELECT message_id FROM open WHERE sequence = ${firstAboutStay} OR (sequence = ${firstAboutMoney} AND NOT EXISTS (SELECT 1 ${unansweredStay} AND head.sequence < open.sequence)))`;
  return queries
    .update(outbox)
    .set({ dueAtMs: nowMs })
    .where(
      and(
        sql`${outbox.messageId} IN ${first}`,
        eq(outbox.status, 'Pending'),
        isNull(outbox.dueAtMs),
      ),
    );
}

export function keepConfirmationNumber(
  { propertyId, bookingReference }: BookingKey,
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

export type FailedAttempt = Pick<
  OutboxRow,
  'status' | 'attempts' | 'refusals' | 'answeredAtMs' | 'dueAtMs' | 'lastError'
>;

type ConfirmedAttempt = Pick<
  OutboxRow,
  'status' | 'attempts' | 'dueAtMs' | 'lastError' | 'completedAtMs'
>;

/** Records an attempt, unless an administrator has dismissed the message since. */
export function recordAttempt(
  { messageId }: Pick<OutboxRow, 'messageId'>,
  attempted: FailedAttempt | ConfirmedAttempt,
) {
  return queries
    .update(outbox)
    .set(attempted)
    .where(and(eq(outbox.messageId, messageId), eq(outbox.status, 'Pending')));
}

export function selectMessage(messageId: string) {
  return queries.select().from(outbox).where(eq(outbox.messageId, messageId));
}

/** Selects the PMS addresses with a message that was due before `beforeMs` in real time. */
export function selectOverduePms(beforeMs: number | Placeholder, limit: number) {
  const overdue = queries
    .select({ one: sql`1` })
    .from(outbox)
    .where(
      and(
        eq(outbox.propertyId, properties.id),
        isUnsettled,
        lte(outbox.dueAtMs, sql`${beforeMs} + ${properties.clockAheadMs}`),
      ),
    );
  return queries
    .selectDistinct({ receiver: properties.pmsUrl })
    .from(properties)
    .where(and(isNotNull(properties.pmsUrl), isNull(properties.clockFrozenAtMs), exists(overdue)))
    .limit(limit);
}
