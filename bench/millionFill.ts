/**
 * Fills a database with very many bookings: SQL copies rows that the service made itself, with other ids, over a year and over
 * many properties, of which one has half. Indexes and triggers are away meanwhile.
 */
import { DatabaseSync } from 'node:sqlite';
import { seeded } from '../scripts/seed.ts';
import { DAY_MS } from '../src/core/time.ts';
import { besides, virtualColumns } from './millionBesides.ts';

/** How many properties there are. */
const PROPERTIES = 100;

/** The days over which the bookings were made. What has done its work is let go of after as many as the second. */
const DAYS = 365;
const KEPT_DAYS = 31;

/**
 * The number of the first copied payment, below every number that the service draws, and as long: by its length events are
 * unpacked.
 */
const FIRST_ID = 1e14;

/** Memory for pages, in KiB. */
const CACHE_KIB = 4_000_000;

/** A booking that the service made, and how many in a thousand are like it. */
export interface Template {
  readonly reference: string;
  readonly perMille: number;
  /** Whether its stay, and what it waits for, lies ahead. */
  readonly isAhead?: boolean;
}

/** A table's rows of a booking, and the columns of which each copy has a value of its own, as SQL or as a name. */
interface Copied {
  readonly table: string;
  /** Finds the rows; `?1` is the booking's reference. */
  readonly where: string;
  /** Texts that name something: each copy's begin otherwise. */
  readonly names?: readonly string[];
  readonly values?: (template: Template) => Readonly<Record<string, string>>;
  /** Whether it is let go of once it has done its work. */
  readonly goes?: boolean;
}

/** What lies ahead, and when. */
const AHEAD = new Set(['due_at_ms', 'scheduled_at_ms', 'expires_at_ms']);
const AHEAD_MS = `${Date.now()} + (copy.n % 300 + 2) * ${DAY_MS}`;

/** Events are numbered by when they happened: a property has so many instants, and a booking so many entries at most. */
const SLOTS = 1_000_000;
const MOST_ENTRIES = 100;

/** When the stay of a copied booking begins. */
const arrivalMs = ({ isAhead }: Template) => (isAhead ? AHEAD_MS : `copy.at_ms + ${DAY_MS}`);

const ofBooking = 'booking_reference = ?1';
const booking = ['booking_reference'];
const done = {
  due_at_ms: 'NULL',
  attempts: '1',
  last_error: 'NULL',
  completed_at_ms: 'copy.at_ms',
};
const idOf = (column: string) =>
  `${FIRST_ID} + copy.n * 100 + (SELECT count(*) FROM temp.t_transactions AS e WHERE e.id < row.${column})`;
const chargeId = { charge_id: `iif(row.charge_id IS NULL, NULL, ${idOf('charge_id')})` };

const TABLES: readonly Copied[] = [
  {
    table: 'bookings',
    where: 'reference = ?1',
    names: ['reference', 'card_token'],
    values: (template) => ({
      arrival: `date((${arrivalMs(template)}) / 1000, 'unixepoch')`,
      departure: `date((${arrivalMs(template)}) / 1000, 'unixepoch', '+3 days')`,
      property_version: 'NULL',
    }),
  },
  { table: 'booking_words', where: ofBooking, names: booking },
  {
    table: 'cards',
    where: ofBooking,
    names: [...booking, 'token', 'gateway_token', 'request_id'],
    values: (template) => virtualColumns('copy.n', `(${arrivalMs(template)})`),
  },
  {
    table: 'transactions',
    where: ofBooking,
    names: [
      ...booking,
      'reference',
      'card_token',
      'gateway_key',
      'gateway_reference',
      'idempotency_key',
    ],
    values: () => ({ id: idOf('id'), property_version: '1' }),
  },
  {
    table: 'refunds',
    where: ofBooking,
    names: [...booking, 'reference', 'command_reference', 'gateway_reference', 'idempotency_key'],
    values: () => ({
      id: `${FIRST_ID} + copy.n * 100 + 50 + row.id % 50`,
      transaction_id: idOf('transaction_id'),
    }),
  },
  {
    table: 'history',
    where: ofBooking,
    names: [...booking, 'gateway_reference', 'message_id'],
    values: () => ({
      ...chargeId,
      event_number: 'iif(row.event_number IS NULL, NULL, copy.first_event + row.sequence)',
      reconciled_at_ms: 'iif(row.movement IS NULL, NULL, copy.at_ms)',
    }),
  },
  {
    table: 'outbox',
    where: ofBooking,
    names: [...booking, 'message_id'],
    values: () => ({ ...done, status: "'Confirmed'" }),
    goes: true,
  },
  {
    table: 'mails',
    where: ofBooking,
    names: [...booking, 'id'],
    values: () => ({ ...done, status: "'Sent'" }),
  },
  { table: 'guest_acts', where: ofBooking, names: [...booking, 'id'] },
  {
    table: 'idempotency_keys',
    where: "key LIKE '%' || ?1",
    names: ['key', 'command_reference'],
    goes: true,
  },
];

/** Fills a file of SQLite; no service may have it open. The templates are the seeded property's, as are half of the copies. */
export function fillMillion(
  file: string,
  bookings: number,
  templates: readonly Template[],
  progress: (line: string) => void,
): void {
  const db = new DatabaseSync(file);
  db.exec(`PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; PRAGMA foreign_keys = OFF;
    PRAGMA ignore_check_constraints = ON; PRAGMA cache_size = -${CACHE_KIB}`);
  const schema = db
    .prepare(
      "SELECT type, name, sql FROM sqlite_schema WHERE type IN ('trigger', 'index') AND sql IS NOT NULL ORDER BY type",
    )
    .all() as { type: string; name: string; sql: string }[];
  for (const { name, type } of schema) db.exec(`DROP ${type} "${name}"`);
  db.exec('BEGIN');
  const properties = addProperties(db);
  let made = 0;
  for (const [kind, template] of templates.entries()) {
    const count = Math.floor((bookings * template.perMille) / 1000);
    progress(`${count} like ${template.reference}`);
    made = copyAll(db, template, properties, { kind, kinds: templates.length, count, made });
  }
  progress('Deliveries, payouts and the rest');
  for (const statement of [...whatFollows(), ...besides(FIRST_ID, bookings)]) db.exec(statement);
  db.exec('COMMIT');
  progress('Indexes');
  for (const { sql } of schema) db.exec(sql);
  db.exec('PRAGMA journal_mode = WAL');
  db.close();
}

/** Adds properties like the seeded one, without endpoints. Returns all, the seeded one first. */
function addProperties(db: DatabaseSync): string[] {
  const own: Record<string, string> = {
    id: "'hotel-' || n",
    site: "'hotel-' || n || '.localhost'",
    webhook_endpoints: "'[]'",
  };
  const columns = columnsOf(db, 'properties');
  const values = columns.map((name) => own[name] ?? name);
  db.exec(`WITH RECURSIVE series(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM series WHERE n < ${PROPERTIES - 1})
    INSERT INTO properties (${columns.join()}) SELECT ${values.join()} FROM series, properties WHERE id = '${seeded.property}'`);
  return [seeded.property, ...Array.from({ length: PROPERTIES - 1 }, (_, at) => `hotel-${at + 1}`)];
}

/** Which kind of booking is copied, how often, and how many copies there are already. */
interface Share {
  readonly kind: number;
  readonly kinds: number;
  readonly count: number;
  readonly made: number;
}

/** Copies a template for every property, each over the whole year. Returns how many copies there are then. */
function copyAll(
  db: DatabaseSync,
  template: Template,
  properties: readonly string[],
  { count, kind, kinds, made }: Share,
): number {
  for (const { table, where } of TABLES) {
    db.exec(`DROP TABLE IF EXISTS temp.t_${table}`);
    const make = db.prepare(
      `CREATE TEMP TABLE t_${table} AS SELECT * FROM ${table} WHERE ${where}`,
    );
    make.run(template.reference);
  }
  const [half, each] = [count / 2, count / 2 / (properties.length - 1)].map(Math.floor);
  let before = made;
  for (const [at, property] of properties.entries()) {
    const length = (at === 0 ? half : each) ?? 0;
    const [startMs, spanMs] = [Date.now() - DAYS * DAY_MS, DAYS * DAY_MS];
    const copies = `WITH RECURSIVE series(k) AS (SELECT 0 UNION ALL SELECT k + 1 FROM series WHERE k < ${length - 1}),
      copy AS (SELECT ${before} + k AS n, CAST(${startMs} + (k + 0.5) / ${length} * ${spanMs} AS INTEGER) AS at_ms,
        ((k * ${SLOTS} / ${length} + 1) * ${kinds} + ${kind}) * ${MOST_ENTRIES} AS first_event FROM series)`;
    for (const copied of TABLES) {
      const columns = columnsOf(db, copied.table);
      const values = columns.map((name) => copiedValue(name, copied, template, property));
      const kept = copied.goes ? ` WHERE copy.at_ms > ${Date.now() - KEPT_DAYS * DAY_MS}` : '';
      db.exec(
        `${copies} INSERT INTO ${copied.table} (${columns.join()}) SELECT ${values.join()} FROM copy CROSS JOIN temp.t_${copied.table} AS row${kept}`,
      );
    }
    before += length;
  }
  return before;
}

function copiedValue(column: string, copied: Copied, template: Template, property: string): string {
  const own = copied.values?.(template)[column];
  if (own !== undefined) return own;
  if (column === 'property_id') return `'${property}'`;
  if (copied.names?.includes(column)) return `printf('%08x', copy.n) || substr(row.${column}, 9)`;
  if (!/(?:^|_)at_ms$/.test(column)) return `row.${column}`;
  if (template.isAhead && AHEAD.has(column)) return `iif(row.${column} IS NULL, NULL, ${AHEAD_MS})`;
  return `row.${column} - (SELECT created_at_ms FROM temp.t_bookings) + copy.at_ms`;
}

/** What follows from the rows that are there: deliveries to the endpoint, what was let go of, and a payout a day. */
function whatFollows(): string[] {
  const keptMs = Date.now() - KEPT_DAYS * DAY_MS;
  const payout = "'day-' || created_at_ms / 86400000";
  const paid = "FROM transactions WHERE status = 'Accepted' AND completed_at_ms IS NOT NULL";
  return [
    `INSERT OR REPLACE INTO day_sums (property_id, day, currency, movement, brand, agency, purpose, actor, number, amount_minor, fee_minor)
      SELECT moved.property_id, date(moved.occurred_at_ms / 1000, 'unixepoch'), moved.currency, moved.movement, card.brand, '',
        charge.purpose, moved.actor, count(*), sum(moved.amount_minor), sum(moved.fee_minor)
      FROM history AS moved CROSS JOIN transactions AS charge ON charge.id = moved.charge_id JOIN cards AS card ON card.token = charge.card_token
      WHERE moved.movement IS NOT NULL GROUP BY 1, 2, 3, 4, 5, 7, 8`,
    `INSERT OR REPLACE INTO day_sums (property_id, day, currency, movement, brand, agency, purpose, actor, number, amount_minor, fee_minor)
      SELECT held.property_id, date(held.created_at_ms / 1000, 'unixepoch'), held.currency, 'hold', card.brand, '', held.purpose, 'api',
        count(*), sum(held.amount_minor), 0
      FROM transactions AS held JOIN cards AS card ON card.token = held.card_token WHERE held.kind = 'authorization' GROUP BY 1, 2, 3, 5, 7`,
    `INSERT OR REPLACE INTO day_failures (property_id, day, currency, status, decline_code, number, amount_minor)
      SELECT property_id, date(learnt_at_ms / 1000, 'unixepoch'), currency, status, coalesce(decline_code, ''), count(*), sum(amount_minor)
      FROM transactions WHERE status IN ('Declined', 'Failed') GROUP BY 1, 2, 3, 4, 5`,
    `INSERT OR REPLACE INTO owed_bookings (property_id, booking_reference, arrival, currency, due_minor)
      SELECT paid.property_id, paid.booking_reference, booking.arrival, booking.currency, booking.total_cost_minor - paid.minor
      FROM (SELECT property_id, booking_reference, sum(amount_minor - fee_minor) AS minor FROM history WHERE charge_id IS NOT NULL GROUP BY 1, 2) AS paid
      JOIN bookings AS booking ON booking.property_id = paid.property_id AND booking.reference = paid.booking_reference
      WHERE booking.status = 'booked' AND booking.total_cost_minor > paid.minor`,
    `INSERT OR REPLACE INTO owed_days (property_id, arrival, currency, number, due_minor)
      SELECT property_id, arrival, currency, count(*), sum(due_minor) FROM owed_bookings GROUP BY 1, 2, 3`,
    ...['owed_progress', 'day_sums_progress'].map(
      (table) => `INSERT OR REPLACE INTO ${table} (property_id, event_number)
      SELECT property_id, max(event_number) FROM history WHERE event_number IS NOT NULL GROUP BY property_id`,
    ),
    `INSERT OR IGNORE INTO webhook_deliveries (endpoint_id, event_number, property_id, booking_reference, status, attempts, completed_at_ms)
      SELECT (SELECT id FROM webhook_endpoints), event_number, property_id, booking_reference, 'Confirmed', 1, at_ms
      FROM history WHERE property_id = '${seeded.property}' AND event_number IS NOT NULL AND at_ms > ${keptMs}`,
    `INSERT OR REPLACE INTO retention_progress (property_id, event_number)
      SELECT property_id, max(event_number) FROM history WHERE event_number IS NOT NULL AND at_ms <= ${keptMs} GROUP BY property_id`,
    `INSERT INTO disbursements (property_id, id, gateway, status, currency, gross_minor, net_minor, item_count, description, effective_at_ms, arrival_date)
      SELECT property_id, ${payout}, 'sandbox', 'paid_out', 'AUD', sum(amount_minor), sum(amount_minor), count(*), '', max(completed_at_ms),
        date(max(completed_at_ms) / 1000, 'unixepoch', '+2 days') ${paid} GROUP BY property_id, 2`,
    `INSERT INTO disbursement_items (property_id, id, disbursement_id, gateway_transaction_id, description, category, currency,
        gross_minor, fee_minor, net_minor, three_ds_authenticated, effective_at_ms, created_at_ms, available_at_ms)
      SELECT property_id, 'item-' || id, ${payout}, gateway_reference, '', 'sale', 'AUD', amount_minor, 0, amount_minor, 0,
        completed_at_ms, completed_at_ms, completed_at_ms ${paid} ORDER BY property_id, id`,
  ];
}

function columnsOf(db: DatabaseSync, table: string): string[] {
  const columns = db.prepare(`PRAGMA table_info(${table})`).all() as { name: string }[];
  return columns.map(({ name }) => name);
}
