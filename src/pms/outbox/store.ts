import {
  and,
  asc,
  eq,
  exists,
  getTableColumns,
  gt,
  inArray,
  isNotNull,
  isNull,
  lte,
  min,
  notInArray,
  or,
  type SQL,
  sql,
} from 'drizzle-orm';
import { pick } from '../../core/pick.ts';
import { clockAt, hasServedClock, type Served } from '../../delivery/store.ts';
import { queries } from '../../platform/db/database.ts';
import { listed } from '../../platform/db/listed.ts';
import { type Filter, waysToFind } from '../../platform/db/narrow.ts';
import { type Part, pagesOf } from '../../platform/db/page.ts';
import { prepared, type ValuesOrPlaceholders } from '../../platform/db/prepared.ts';
import { bookings } from '../../schema/bookingTables.ts';
import { type HistoryRow, history } from '../../schema/historyTables.ts';
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
const isUnsettled = sql`${outbox.status} IN ('Pending', 'Dead')`;

/** A literal, because SQLite cannot match a bound value with the partial indexes of dead messages. */
const isDead = sql`${outbox.status} = 'Dead'`;

/** The entries of a booking's history that name its messages, as `FROM … WHERE …`. Their `sequence` orders the messages. */
function namedInHistory({ bookingReference, propertyId }: ValuesOrPlaceholders<BookingKey>): SQL {
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

export function confirmMessage(message: Pick<OutboxRow, 'messageId' | 'attempts'>, nowMs: number) {
  return queries
    .update(outbox)
    .set({
      status: 'Confirmed',
      attempts: message.attempts + 1,
      dueAtMs: null,
      lastError: null,
      completedAtMs: nowMs,
    })
    .where(and(isMessage(message), eq(outbox.status, 'Pending')));
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

/** Records a failed attempt, unless an administrator has dismissed the message since. */
export function failMessage(message: Pick<OutboxRow, 'messageId'>, failed: FailedAttempt) {
  return queries
    .update(outbox)
    .set(failed)
    .where(and(isMessage(message), eq(outbox.status, 'Pending')));
}

function isMessage({ messageId }: Pick<OutboxRow, 'messageId'>) {
  return eq(outbox.messageId, messageId);
}

export function selectMessage(messageId: string) {
  return queries.select().from(outbox).where(eq(outbox.messageId, messageId));
}

export type ReplayOf =
  | { readonly messageId: string }
  | { readonly property: string; readonly status: 'Dead' }
  | RepairOf;

/** Messages about money that the PMS lacks, unless they are under way, or were settled after an instant. */
export interface RepairOf {
  readonly propertyId: string;
  readonly messageIds: readonly string[];
  readonly settledUntilMs: number;
  /** One that failed and would not be sent again before this is not under way. */
  readonly waitingUntilMs: number;
}

/**
 * Makes messages due now, with all attempts ahead of them. A message behind another one keeps waiting for it; those of a
 * repair are due once {@link promoteNext} says so.
 */
export function replayMessages(which: ReplayOf, nowMs: number) {
  return queries
    .update(outbox)
    .set({
      status: 'Pending',
      attempts: 0,
      refusals: 0,
      dueAtMs:
        'messageIds' in which
          ? null
          : sql`CASE WHEN ${outbox.status} = 'Dead' OR ${outbox.dueAtMs} IS NOT NULL THEN ${nowMs} END`,
      completedAtMs: null,
    })
    .where(unsettledOf(which))
    .returning(changedMessage);
}

export function dismissMessages(which: ReplayOf, nowMs: number) {
  return queries
    .update(outbox)
    .set({ status: 'Dismissed', dueAtMs: null, completedAtMs: nowMs })
    .where(unsettledOf(which))
    .returning(changedMessage);
}

/** Selects what a repair would send again. */
export function selectRepaired(of: RepairOf) {
  return queries.select(changedMessage).from(outbox).where(unsettledOf(of));
}

export type ReplayContext = Pick<HistoryRow, 'actor' | 'atMs'> &
  Partial<Pick<HistoryRow, 'actorName'>>;

/**
 * Appends a change of messages to the histories of their bookings. Put it before the change in the batch, because it
 * reads the states before.
 */
export function recordMessages(
  which: ReplayOf,
  to: OutboxRow['status'],
  { actor, actorName = null, atMs }: ReplayContext,
) {
  const { bookingReference, messageId, propertyId, status } = outbox;
  const nth = sql`row_number() OVER (PARTITION BY ${propertyId}, ${bookingReference} ORDER BY ${messageId})`;
  const last = sql`(SELECT coalesce(max(sequence), 0) FROM history WHERE history.property_id = ${propertyId} AND history.booking_reference = ${bookingReference})`;
  const nothing = Object.keys(getTableColumns(history)).map((name) => [
    name,
    sql<null>`NULL`.as(name),
  ]);
  const entries = queries
    .select({
      ...(Object.fromEntries(nothing) as Record<keyof HistoryRow, SQL.Aliased<null>>),
      propertyId,
      bookingReference,
      sequence: sql<number>`${last} + ${nth}`.as('sequence'),
      atMs: sql<number>`${atMs}`.as('at_ms'),
      actor: sql<string>`${actor}`.as('actor'),
      actorName: sql<string | null>`${actorName}`.as('actor_name'),
      subjectKind: sql<'message'>`'message'`.as('subject_kind'),
      subjectId: sql<string>`${messageId}`.as('subject_id'),
      from: sql<string>`${status}`.as('from_state'),
      to: sql<string>`${to}`.as('to_state'),
    })
    .from(outbox)
    .where(unsettledOf(which));
  return queries.insert(history).select(entries);
}

const changedMessage = {
  ...pick(outbox, 'messageId', 'propertyId', 'bookingReference'),
};

/** Names the index, because SQLite would otherwise scan every message of the property. */
function deadOf(propertyId: string): SQL {
  return sql`${outbox.messageId} IN (SELECT dead.message_id FROM outbox AS dead INDEXED BY outbox_dead_of_property WHERE dead.status = 'Dead' AND dead.property_id = ${propertyId})`;
}

function unsettledOf(which: ReplayOf): SQL | undefined {
  if ('messageIds' in which) return repairedOf(which);
  return 'messageId' in which
    ? and(eq(outbox.messageId, which.messageId), isUnsettled)
    : deadOf(which.property);
}

function repairedOf({
  messageIds,
  propertyId,
  settledUntilMs,
  waitingUntilMs,
}: RepairOf): SQL | undefined {
  const isSettled = inArray(outbox.status, ['Confirmed', 'Dismissed']);
  return and(
    inArray(outbox.messageId, listed(messageIds)),
    eq(outbox.propertyId, propertyId),
    eq(outbox.messageType, 'PushTransaction'),
    or(
      eq(outbox.status, 'Dead'),
      and(isSettled, lte(outbox.completedAtMs, settledUntilMs)),
      // Only one that waits after a failed attempt is due that late.
      and(eq(outbox.status, 'Pending'), gt(outbox.dueAtMs, waitingUntilMs)),
    ),
  );
}

export interface ListOf {
  readonly property?: string | undefined;
  readonly reference?: string | undefined;
  readonly status?: OutboxRow['status'] | undefined;
}

const pages = pagesOf(outbox, 'ascending', ['messageId']);

/** The statements that find messages, oldest first. */
export function selectList(of: ListOf, part: Part) {
  const { property, reference, status } = of;
  const isOfProperty = property === undefined ? undefined : eq(outbox.propertyId, property);
  // The index of dead messages has them in the order of the list.
  const own = status === 'Dead' ? and(isDead, isOfProperty) : isNotNull(outbox.messageId);
  const list = {
    table: outbox,
    columns: [outbox.messageId],
    order: 'ascending',
    own: own as SQL,
  } as const;
  const filters: Filter[] = [
    ...(reference === undefined ? [] : [isOfBooking(property, reference)]),
    ...(status === 'Pending' ? [isWaiting(property)] : []),
    ...(status === undefined || status === 'Dead' || status === 'Pending'
      ? []
      : [{ rows: eq(outbox.status, status) }]),
    ...(isOfProperty === undefined || status === 'Dead' ? [] : [{ rows: isOfProperty }]),
  ];
  return waysToFind(list, filters, part, (way) => pages.along(way));
}

function isOfBooking(propertyId: string | undefined, bookingReference: string): Filter {
  const rows = eq(outbox.bookingReference, bookingReference);
  if (propertyId === undefined) return { rows };
  return { rows, keys: sql`SELECT message_id ${namedInHistory({ propertyId, bookingReference })}` };
}

/** The pending messages, by the index of those that are pending or dead, which begins with the property. */
function isWaiting(propertyId: string | undefined): Filter {
  const ofProperty =
    propertyId === undefined
      ? sql`waiting.property_id IN (SELECT id FROM properties)`
      : sql`waiting.property_id = ${propertyId}`;
  const keys = sql`SELECT waiting.message_id FROM outbox AS waiting INDEXED BY outbox_unsettled WHERE waiting.status IN ('Pending', 'Dead') AND ${ofProperty}`;
  return { rows: eq(outbox.status, 'Pending'), keys };
}

/** Selects the PMS addresses with a message that was due before `beforeMs` in real time. */
export function selectOverduePms(beforeMs: number, limit: number) {
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
