import {
  and,
  desc,
  eq,
  getTableColumns,
  inArray,
  isNotNull,
  lte,
  type SQL,
  sql,
} from 'drizzle-orm';
import { MINUTE_MS } from '../core/time.ts';
import { queries } from '../platform/db/database.ts';
import type { Key } from '../platform/db/page.ts';
import { type BookingName, isOfBooking } from '../records/bookings/store.ts';
import { openDeliveries } from '../records/history/openDeliveriesStore.ts';
import { webhookDeliveries, webhookEndpoints } from '../schema/eventTables.ts';
import { type HistoryRow, history } from '../schema/historyTables.ts';
import { mails } from '../schema/mailTables.ts';
import { outbox } from '../schema/outboxTables.ts';

/** The kinds of entries that a timeline can be narrowed to. */
export const timelineKinds = [
  'payments',
  'refunds',
  'disputes',
  'booking',
  'pms',
  'mails',
  'events',
] as const;

export type TimelineKind = (typeof timelineKinds)[number];

/** Which part of a booking's timeline is shown. */
export interface TimelineView {
  /** Null for all. */
  readonly kind: TimelineKind | null;
  /** The key of the last entry of the page before: its time, and how many entries of that time were shown. */
  readonly after?: Key | undefined;
}

/** The latest of everything. */
export const WHOLE_TIMELINE: TimelineView = { kind: null };

/** How many entries one page shows. */
export const ENTRIES_SHOWN = 25;

/** Within this time, what was sent and what came of it are one entry. */
const AT_ONCE_MS = 2 * MINUTE_MS;

/** Where a page begins: at a time, less the entries of that time that were shown; null for the latest. */
export function beginningOf({ after }: TimelineView): { atMs: number; seen: number } | null {
  return after === undefined ? null : { atMs: Number(after[0]), seen: Number(after[1]) };
}

/** What a view reads: entries until a time, and how many of each source. */
export function boundsOf(view: TimelineView) {
  const { atMs, seen } = beginningOf(view) ?? { atMs: Number.MAX_SAFE_INTEGER, seen: 0 };
  return { kind: view.kind, untilMs: atMs, most: ENTRIES_SHOWN + seen + 1 };
}

/** The key of the last of these entries. */
export function keyAfter(shown: readonly { readonly atMs: number }[], view: TimelineView): Key {
  const before = beginningOf(view);
  const atMs = shown.at(-1)?.atMs ?? 0;
  const seen = shown.filter((entry) => entry.atMs === atMs).length;
  return [atMs, seen + (before?.atMs === atMs ? before.seen : 0)];
}

/** What the entries of a kind are about. */
const SUBJECTS: Readonly<Record<TimelineKind, readonly HistoryRow['subjectKind'][]>> = {
  payments: ['charge', 'recovery', 'exception'],
  refunds: ['refund'],
  disputes: ['dispute'],
  booking: ['booking', 'links', 'card'],
  pms: ['message'],
  mails: [],
  events: [],
};

/** The most open deliveries of a booking's events that the timeline shows. */
const DELIVERIES_READ = 200;

/** Selects what a view of a booking's timeline is made from, the latest first, each by the booking's index. */
export function selectSources(
  name: BookingName,
  { kind, untilMs, most }: ReturnType<typeof boundsOf>,
) {
  const of = (one: TimelineKind) => (kind === null || kind === one ? most : 0);
  const ofKind = kind === null ? undefined : inArray(history.subjectKind, [...SUBJECTS[kind]]);
  // Beside everything else, what went out well would say twice what happened.
  const isAll = kind === null;
  const troubledMessages = isAll ? sql`${outbox.status} <> 'Confirmed'` : undefined;
  const troubledEvents = isAll
    ? sql`${history.eventNumber} IN (${openOf(name, sql`(open.status = 'Dead' OR open.attempts > 0)`)})`
    : undefined;
  return [
    selectChanges(name, untilMs, most, ofKind),
    selectMessages(name, untilMs, of('pms'), troubledMessages),
    selectMails(name, untilMs, of('mails')),
    selectEvents(name, untilMs, of('events'), troubledEvents),
    selectOpenDeliveries(name),
  ] as const;
}

/** Whether a change only says that something was sent, and another one says right after what came of it. */
const ANSWERED = sql`${history.to} = 'Processing' AND EXISTS (SELECT 1 FROM history AS later WHERE later.property_id = ${history.propertyId} AND later.booking_reference = ${history.bookingReference} AND later.sequence > ${history.sequence} AND later.subject_kind = ${history.subjectKind} AND later.subject_id = ${history.subjectId} AND later.from_state = 'Processing' AND later.at_ms - ${history.atMs} < ${AT_ONCE_MS})`;

function selectChanges(name: BookingName, untilMs: number, most: number, where: SQL | undefined) {
  return queries
    .select({
      ...getTableColumns(history),
      to: sql<string>`${history.to}`.as('to_state'),
      nameOfToday: sql<
        string | null
      >`CASE WHEN ${history.actorName} IS NULL THEN (SELECT person.name FROM users AS person WHERE person.id = history.actor) END`.as(
        'name_today',
      ),
      clientName: sql<
        string | null
      >`(SELECT client.name FROM clients AS client WHERE client.id = history.actor)`.as(
        'client_name',
      ),
    })
    .from(history)
    .where(
      and(
        isOfBooking(history, name),
        isNotNull(history.to),
        lte(history.atMs, untilMs),
        sql`NOT (${ANSWERED})`,
        where,
      ),
    )
    .orderBy(desc(history.sequence))
    .limit(most);
}

function selectMessages(name: BookingName, untilMs: number, most: number, where: SQL | undefined) {
  const atMs = sql`coalesce(${outbox.completedAtMs}, ${outbox.createdAtMs})`;
  return (
    queries
      .select(getTableColumns(outbox))
      .from(history)
      // SQLite reads the tables of a cross join in this order.
      .crossJoin(outbox)
      .where(
        and(
          isOfBooking(history, name),
          eq(outbox.messageId, history.messageId),
          sql`${atMs} <= ${untilMs}`,
          where,
        ),
      )
      .orderBy(sql`${atMs} DESC`, desc(outbox.messageId))
      .limit(most)
  );
}

function selectMails(name: BookingName, untilMs: number, most: number) {
  const atMs = sql`coalesce(${mails.completedAtMs}, ${mails.createdAtMs})`;
  return queries
    .select()
    .from(mails)
    .where(and(isOfBooking(mails, name), sql`${atMs} <= ${untilMs}`))
    .orderBy(sql`${atMs} DESC`, desc(mails.id))
    .limit(most);
}

function selectEvents(name: BookingName, untilMs: number, most: number, where: SQL | undefined) {
  const { atMs, chargeId, eventNumber, eventSequence, subjectId, subjectKind, type } = history;
  return queries
    .select({ atMs, chargeId, eventNumber, eventSequence, subjectId, subjectKind, type })
    .from(history)
    .where(and(isOfBooking(history, name), isNotNull(eventSequence), lte(atMs, untilMs), where))
    .orderBy(desc(history.sequence))
    .limit(most);
}

/** Selects the deliveries of the booking's events that nobody confirmed yet. */
function selectOpenDeliveries(name: BookingName) {
  const { attempts, endpointId, eventNumber, lastError, lastStatus, status } = webhookDeliveries;
  return queries
    .select({ attempts, eventNumber, lastError, lastStatus, status, url: webhookEndpoints.url })
    .from(webhookDeliveries)
    .innerJoin(webhookEndpoints, eq(webhookEndpoints.id, endpointId))
    .where(
      and(
        eq(webhookEndpoints.propertyId, name.propertyId),
        sql`${eventNumber} IN (${openOf(name, sql`1`)})`,
        inArray(status, ['Pending', 'Dead']),
      ),
    )
    .limit(DELIVERIES_READ);
}

/** The numbers of a booking's events of which a delivery is open, where `which` is true of that. */
function openOf({ propertyId, reference }: BookingName, which: SQL): SQL {
  const endpoints = sql`(SELECT id FROM webhook_endpoints WHERE property_id = ${propertyId})`;
  const ofBooking = sql`open.endpoint_id IN ${endpoints} AND open.booking_reference = ${reference}`;
  return openDeliveries(sql`open.event_number`, sql`${ofBooking} AND ${which}`);
}

export type TimelineChange = Awaited<ReturnType<typeof selectChanges>>[number];
export type TimelineEvent = Awaited<ReturnType<typeof selectEvents>>[number];
export type OpenDelivery = Awaited<ReturnType<typeof selectOpenDeliveries>>[number];
