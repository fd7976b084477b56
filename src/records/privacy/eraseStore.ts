import { getTableColumns, getTableName, or, type SQL, sql } from 'drizzle-orm';
import type { SQLiteColumn, SQLiteTable } from 'drizzle-orm/sqlite-core';
import { queries, type Statement } from '../../platform/db/database.ts';
import { type BookingRow, bookings } from '../../schema/bookingTables.ts';
import { cards } from '../../schema/cardTables.ts';
import { webhookDeliveries } from '../../schema/eventTables.ts';
import { history } from '../../schema/historyTables.ts';
import { outbox } from '../../schema/outboxTables.ts';
import { HELD } from '../../schema/personal.ts';
import { paymentPlans } from '../../schema/planTables.ts';
import { idempotencyKeys } from '../../schema/recordTables.ts';
import { VERSIONED } from '../../schema/storage.ts';
import { searchWordsOf } from '../bookings/rules/searchWords.ts';
import type { BookingName } from '../bookings/store.ts';
import { isChargeOf } from '../history/chargesStore.ts';
import type { OpenThing } from './rules.ts';

/** Tables whose rows tell of a guest in a way of their own: `booking/eraseGuest.ts` and `retention/erase.ts` erase them. */
const BY_THEMSELVES: ReadonlySet<string> = new Set([
  'applications',
  'archived_bookings',
  'booking_words',
  'bookings',
  'contacts',
  'history',
  'local_mailbox',
  'outbox',
]);

/** The condition for a booking's rows of tables that do not name it, or not by an index. */
const WAYS: Readonly<Record<string, (name: BookingName) => SQL>> = {
  bookings: ({ propertyId, reference }) =>
    sql`${bookings.propertyId} = ${propertyId} AND ${bookings.reference} = ${reference}`,
  outbox: isMessageOf,
  transactions: isChargeOf,
  webhook_deliveries: ({ propertyId, reference }) =>
    sql`${webhookDeliveries.endpointId} IN (SELECT id FROM webhook_endpoints WHERE property_id = ${propertyId}) AND ${webhookDeliveries.eventNumber} IN (SELECT event_number FROM history WHERE property_id = ${propertyId} AND booking_reference = ${reference} AND event_number IS NOT NULL)`,
  idempotency_keys: ({ propertyId, reference }) =>
    sql`${idempotencyKeys.propertyId} = ${propertyId} AND ${idempotencyKeys.commandReference} IN (SELECT reference FROM transactions WHERE ${isChargeOf({ propertyId, reference })} UNION SELECT command_reference FROM refunds WHERE property_id = ${propertyId} AND booking_reference = ${reference})`,
};

/** What else an erasure changes of a row, and for which rows. `nowMs` is what the property's clock shows. */
const FURTHER: Readonly<
  Record<string, { readonly when: SQL; readonly set: (nowMs: number) => Record<string, unknown> }>
> = {
  // A card that was not removed could still be charged.
  cards: {
    when: sql`${cards.removedAtMs} IS NULL OR ${cards.detachedAtMs} IS NULL`,
    set: (nowMs) => ({
      removedAtMs: sql`coalesce(${cards.removedAtMs}, ${nowMs})`,
      detachedAtMs: sql`coalesce(${cards.detachedAtMs}, ${nowMs})`,
    }),
  },
};

/** Columns of which a part tells of a guest, as `table.column`: whether it does, and the column without that part. */
const AMONG_OTHERS: Readonly<Record<string, { readonly tells: SQL; readonly rest: SQL }>> = {
  // What its terms are called.
  'payment_plans.spec': {
    tells: sql`EXISTS (SELECT 1 FROM json_tree(${paymentPlans.spec}) WHERE key = 'label' AND type <> 'null')`,
    rest: sql`json_replace(${paymentPlans.spec}, '$.repeat.label', NULL, '$.terms', json((SELECT json_group_array(json_set(value, '$.label', NULL)) FROM json_each(${paymentPlans.spec}, '$.terms'))))`,
  },
};

/** One table's part of an erasure. */
export interface TableErasure {
  /** The table, in plain words. */
  readonly what: string;
  /** Selects how many rows it would change, as `count`. */
  readonly count: ReturnType<typeof countOf>;
  readonly erase: Statement;
}

/** What an erasure does in the tables that name a booking: all that `schema/personal.ts` says of its guest goes. */
export function erasureOf(name: BookingName, nowMs: number): TableErasure[] {
  return HELD.filter(
    ({ guest, table }) => guest.length > 0 && !BY_THEMSELVES.has(getTableName(table)),
  ).map(({ table, guest }) => {
    const rows = rowsOfBooking(table, name);
    if (rows === null) throw new Error(`${getTableName(table)} has no way to a booking`);
    return tableErasure(table, guest, rows, nowMs);
  });
}

/** The condition for a booking's rows of a table; null if the table has nothing of bookings. */
export function rowsOfBooking(table: SQLiteTable, name: BookingName): SQL | null {
  const way = WAYS[getTableName(table)];
  if (way) return way(name);
  const { bookingReference, propertyId } = columnsIn(table);
  if (!bookingReference || !propertyId) return null;
  return sql`${propertyId} = ${name.propertyId} AND ${bookingReference} = ${name.reference}`;
}

/** Takes what some columns tell out of some rows of a table. */
export function tableErasure(
  table: SQLiteTable,
  guest: readonly string[],
  rows: SQL,
  nowMs: number,
): TableErasure {
  const of = getTableName(table);
  const further = FURTHER[of];
  const where = sql`(${rows}) AND (${or(...toBlank(table, guest), further?.when)})`;
  const change = {
    ...blanks(table, guest),
    ...further?.set(nowMs),
    ...(VERSIONED.includes(of) && { version: sql`version + 1` }),
  };
  return {
    what: of.replaceAll('_', ' '),
    count: countOf(table, where),
    erase: queries.update(table).set(change).where(where),
  };
}

/** Selects how many rows of a table a condition names, as `count`. */
export function countOf(table: SQLiteTable, where: SQL) {
  return queries
    .select({ count: sql<number>`count(*)`.as('rows') })
    .from(table)
    .where(where);
}

function columnsIn(table: SQLiteTable): Record<string, SQLiteColumn> {
  return getTableColumns(table) as Record<string, SQLiteColumn>;
}

function columnOf(table: SQLiteTable, name: string): SQLiteColumn {
  const column = columnsIn(table)[name];
  if (!column) throw new Error(`${getTableName(table)} has no column ${name}`);
  return column;
}

/** The values that tell nothing, of the columns that tell of a guest. */
function blanks(table: SQLiteTable, guest: readonly string[]): Record<string, '' | SQL | null> {
  return Object.fromEntries(
    guest.map((name) => {
      const column = columnOf(table, name);
      return [name, amongOthers(table, column)?.rest ?? (column.notNull ? '' : null)];
    }),
  );
}

/** Whether any of the columns tells something. */
function toBlank(table: SQLiteTable, guest: readonly string[]): SQL[] {
  return guest.map((name) => {
    const column = columnOf(table, name);
    const tells = column.notNull ? sql`${column} <> ''` : sql`${column} IS NOT NULL`;
    return amongOthers(table, column)?.tells ?? tells;
  });
}

function amongOthers(table: SQLiteTable, { name }: SQLiteColumn) {
  return AMONG_OTHERS[`${getTableName(table)}.${name}`];
}

const GUEST_OF_BOOKING = HELD.find(({ table }) => table === bookings)?.guest ?? [];

/** A booking without its guest, its card and its links, in the same version. */
export function withoutGuestOf(booking: BookingRow, nowMs: number): BookingRow {
  const blank = { ...booking, ...blanks(bookings, GUEST_OF_BOOKING) };
  return {
    ...blank,
    searchWords: searchWordsOf(blank),
    cardToken: null,
    linkVersion: booking.linkVersion + 1,
    erasedAtMs: nowMs,
  };
}

export function tellsOfGuest(booking: BookingRow): boolean {
  const blank = withoutGuestOf(booking, 0);
  const names = ['cardToken', ...GUEST_OF_BOOKING] as (keyof BookingRow)[];
  return names.some((name) => JSON.stringify(booking[name]) !== JSON.stringify(blank[name]));
}

/** Selects all cards of a booking, removed ones too, and whether another booking's card is the same at the acquirer. */
export function selectCardsToDetach({ propertyId, reference }: BookingName) {
  return queries
    .select({
      gatewayToken: cards.gatewayToken,
      isShared:
        sql<number>`EXISTS (SELECT 1 FROM cards AS other WHERE other.gateway_token = ${cards.gatewayToken} AND other.removed_at_ms IS NULL AND (other.property_id, coalesce(other.booking_reference, '')) <> (${propertyId}, ${reference}))`.as(
          'is_shared',
        ),
    })
    .from(cards)
    .where(
      sql`${cards.propertyId} = ${propertyId} AND ${cards.bookingReference} = ${reference} AND ${cards.detachedAtMs} IS NULL`,
    );
}

/**
 * Selects what of a booking is not over yet, each kind as `SELECT what, id`. A part of the service that has something which
 * can be open adds it here.
 */
export function selectOpen(name: BookingName) {
  const { propertyId, reference } = name;
  const of = sql`property_id = ${propertyId} AND booking_reference = ${reference}`;
  return selectThings([
    sql`SELECT CASE WHEN status = 'Pending' THEN 'schedule' WHEN status = 'Authorized' THEN 'hold' ELSE 'unknown outcome' END AS what, CAST(id AS TEXT) AS id FROM transactions WHERE ${isChargeOf(name)} AND status IN ('Pending', 'Authorized', 'Processing')`,
    sql`SELECT 'unknown outcome' AS what, CAST(id AS TEXT) AS id FROM refunds WHERE ${of} AND status = 'Processing'`,
    sql`SELECT 'dispute' AS what, id AS id FROM disputes WHERE +property_id = ${propertyId} AND booking_reference = ${reference} AND status IN ('needs_response', 'under_review')`,
    sql`SELECT 'settlement' AS what, id FROM settlements WHERE ${of} AND ended_at_ms IS NULL`,
    sql`SELECT 'plan' AS what, id FROM payment_plans WHERE ${of} AND status = 'active'`,
    // What another booking may still charge on a card of this one.
    sql`SELECT CASE WHEN status = 'Pending' THEN 'schedule' ELSE 'hold' END AS what, CAST(id AS TEXT) AS id FROM transactions WHERE completed_at_ms IS NULL AND kind <> 'charge' AND booking_reference <> ${reference} AND card_token IN (SELECT token FROM cards WHERE ${of})`,
    sql`SELECT 'plan' AS what, id FROM payment_plans WHERE property_id = ${propertyId} AND status = 'active' AND booking_reference <> ${reference} AND card_token IN (SELECT token FROM cards WHERE ${of})`,
  ]);
}

/** How many selects one compound may have: D1 takes five. */
const MOST_TERMS = 4;

/** Selects what several selects find. */
function selectThings(all: readonly SQL[]) {
  const groups: SQL[] = [];
  for (let at = 0; at < all.length; at += MOST_TERMS) {
    groups.push(
      sql`SELECT what, id FROM (${sql.join(all.slice(at, at + MOST_TERMS), sql` UNION ALL `)})`,
    );
  }
  return queries
    .select({
      what: sql<OpenThing['what']>`what`.as('what'),
      id: sql<OpenThing['id']>`id`.as('id'),
    })
    .from(sql`(${sql.join(groups, sql` UNION ALL `)})`);
}

/**
 * Selects what of a booking is still to be sent or done, beside what is open: messages, mails and deliveries, recoveries,
 * refunds that may fail, and applications that may move.
 */
export function selectUnsettled(name: BookingName) {
  const { propertyId, reference } = name;
  const of = sql`property_id = ${propertyId} AND booking_reference = ${reference}`;
  return selectThings([
    sql`SELECT 'message' AS what, message_id AS id FROM outbox WHERE ${isMessageOf(name)} AND status IN ('Pending', 'Dead')`,
    sql`SELECT 'mail' AS what, id AS id FROM mails WHERE ${of} AND status = 'Pending'`,
    sql`SELECT 'event' AS what, CAST(event_number AS TEXT) AS id FROM webhook_deliveries WHERE ${WAYS['webhook_deliveries']?.(name)} AND status IN ('Pending', 'Dead')`,
    sql`SELECT 'recovery' AS what, CAST(transaction_id AS TEXT) AS id FROM recoveries WHERE ${of} AND due_at_ms IS NOT NULL`,
    sql`SELECT 'refund' AS what, CAST(id AS TEXT) AS id FROM refunds WHERE ${of} AND due_at_ms IS NOT NULL`,
    sql`SELECT 'application' AS what, coalesce(application_number, CAST(booking_id AS TEXT)) AS id FROM applications WHERE ${of} AND current_status NOT IN ('History', 'Cancelled')`,
    // What one booking was charged on a card of another refers to it: both stay where both are.
    sql`SELECT 'card' AS what, card_token AS id FROM transactions WHERE booking_reference <> ${reference} AND card_token IN (SELECT token FROM cards WHERE ${of})`,
    sql`SELECT 'card' AS what, card_token AS id FROM transactions WHERE ${isChargeOf(name)} AND card_token IN (SELECT token FROM cards WHERE booking_reference <> ${reference})`,
    // A virtual card whose event is still to come: that it is active, or ends soon.
    sql`SELECT 'card' AS what, token AS id FROM cards WHERE ${of} AND due_at_ms IS NOT NULL`,
  ]);
}

/** Selects the entries of a booking that may tell of its guest. */
export function selectTelling({ propertyId, reference }: BookingName) {
  return queries
    .select()
    .from(history)
    .where(
      sql`${history.propertyId} = ${propertyId} AND ${history.bookingReference} = ${reference} AND (${history.detail} IS NOT NULL OR ${history.type} = 'application.moved' OR ${history.type} GLOB 'plan.*')`,
    );
}

/** The messages of a booking. Its history names them. */
function isMessageOf({ propertyId, reference }: BookingName): SQL {
  return sql`${outbox.messageId} IN (SELECT message_id FROM history WHERE property_id = ${propertyId} AND booking_reference = ${reference} AND message_id IS NOT NULL)`;
}

export function selectMessages(name: BookingName) {
  return queries.select().from(outbox).where(isMessageOf(name));
}

/** How many rows of each kind stay of some bookings of a property, and of some applications. */
export function selectKeptCounts(
  propertyId: string,
  references: readonly string[],
  applicationIds: readonly number[],
) {
  const list = sql`(SELECT value FROM json_each(${JSON.stringify(references)}))`;
  const of = (table: string) =>
    sql`${sql.raw(table)} WHERE property_id = ${propertyId} AND booking_reference IN ${list}`;
  return queries
    .select({
      bookings: count(sql`bookings WHERE property_id = ${propertyId} AND reference IN ${list}`).as(
        'kept_bookings',
      ),
      applications: sql<number>`${applicationIds.length}`.as('kept_applications'),
      cards: count(of('cards')).as('kept_cards'),
      payments: count(sql`${of('history')} AND charge_id IS NOT NULL`).as('kept_payments'),
      entries: count(of('history')).as('kept_entries'),
      sharedCards: count(
        sql`cards AS card WHERE card.property_id = ${propertyId} AND card.booking_reference IN ${list} AND EXISTS (SELECT 1 FROM cards AS other WHERE other.gateway_token = card.gateway_token AND other.removed_at_ms IS NULL AND (other.property_id <> ${propertyId} OR coalesce(other.booking_reference, '') NOT IN ${list}))`,
      ).as('kept_shared_cards'),
    })
    .from(sql`(SELECT 1)`);
}

function count(from: SQL) {
  return sql<number>`(SELECT count(*) FROM ${from})`;
}
