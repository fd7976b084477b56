/** Copies one booking with all its rows many times, so that the size of a large database can be told from a small one. */
import { testEnv } from './api.ts';

/** How a table's rows of one booking are found, and which of their columns are another in each copy. */
interface Copied {
  readonly table: string;
  /** Finds the rows; `?1` is the booking's reference. */
  readonly where: string;
  /** Texts that name something: each copy's begin otherwise. */
  readonly names: readonly string[];
  /** Other columns, as SQL over `row` and the copy's number `n`. */
  readonly values?: Readonly<Record<string, string>>;
}

const ofBooking = 'booking_reference = ?1';

/**
 * The charge that a column names, in copy `n`. Charges' numbers rise with time, and each lies behind those before. What
 * the file before has drawn must not matter here.
 */
const chargeNamedBy = (column: string) =>
  `${FIRST_COPY} + n * 1000 + (SELECT count(*) FROM transactions AS earlier
    WHERE earlier.booking_reference = ?1 AND earlier.id < row.${column})`;

/** Beyond every number that the service draws. */
const FIRST_COPY = 1e15;

/** In the order in which foreign keys ask for them. */
const TABLES: readonly Copied[] = [
  { table: 'bookings', where: 'reference = ?1', names: ['reference', 'card_token'] },
  { table: 'booking_words', where: ofBooking, names: ['booking_reference'] },
  {
    table: 'cards',
    where: ofBooking,
    names: ['token', 'booking_reference', 'gateway_token', 'request_id'],
  },
  {
    table: 'transactions',
    where: ofBooking,
    names: [
      'booking_reference',
      'reference',
      'card_token',
      'gateway_key',
      'gateway_reference',
      'idempotency_key',
    ],
    values: {
      id: chargeNamedBy('id'),
      booking_version: '(SELECT version FROM bookings WHERE reference = ?1)',
      property_version: '(SELECT version FROM properties WHERE id = row.property_id)',
    },
  },
  {
    table: 'history',
    where: ofBooking,
    names: ['booking_reference', 'gateway_reference', 'message_id'],
    values: {
      charge_id: `iif(row.charge_id IS NULL, NULL, ${chargeNamedBy('charge_id')})`,
      event_number: 'row.event_number + n * 1000003',
    },
  },
  {
    table: 'webhook_deliveries',
    where: ofBooking,
    names: ['booking_reference'],
    values: { event_number: 'row.event_number + n * 1000003' },
  },
  {
    table: 'mails',
    where: ofBooking,
    names: ['booking_reference', 'recipient'],
    // A receipt's begins with the number of its charge.
    values: {
      id: `(${chargeNamedBy('subject_id')}) || substr(row.id, instr(row.id, '-'))`,
      subject_id: chargeNamedBy('subject_id'),
    },
  },
  { table: 'outbox', where: ofBooking, names: ['booking_reference', 'message_id'] },
  { table: 'idempotency_keys', where: "key LIKE '%' || ?1", names: ['key', 'command_reference'] },
  {
    table: 'disbursement_items',
    where:
      'gateway_transaction_id IN (SELECT gateway_reference FROM transactions WHERE booking_reference = ?1)',
    names: ['id', 'gateway_transaction_id'],
  },
];

/** Copies a booking, besides `earlier` copies; returns how many rows each copy has. */
export async function copyBooking(reference: string, copies: number, earlier = 0): Promise<number> {
  let rows = 0;
  for (const copied of TABLES) {
    const columns = await columnsOf(copied.table);
    const { meta } = await testEnv.DB.prepare(copySql(copied, columns))
      .bind(reference, copies, earlier)
      .run();
    rows += meta.changes;
  }
  return rows / copies;
}

/**
 * Takes from the copies of a booking, and all others of its property, what goes after a month, as `lettingGo.test.ts` shows it;
 * of copies, no record would make the same message again.
 */
export async function letGoOfCopies(reference: string): Promise<void> {
  const ofOthers =
    'property_id = (SELECT property_id FROM bookings WHERE reference = ?1) AND booking_reference <> ?1';
  const statements = [
    `DELETE FROM outbox WHERE ${ofOthers}`,
    `DELETE FROM webhook_deliveries WHERE ${ofOthers}`,
    "DELETE FROM idempotency_keys WHERE key LIKE '________' || ?1 AND key NOT LIKE 'deposit-%'",
  ];
  await testEnv.DB.batch(statements.map((sql) => testEnv.DB.prepare(sql).bind(reference)));
}

/** How many bytes the database has, in whole pages, as D1 counts them against its limit. */
export async function databaseBytes(): Promise<number> {
  const { meta } = await testEnv.DB.prepare('SELECT 1').run();
  return meta.size_after;
}

async function columnsOf(table: string): Promise<string[]> {
  const { results } = await testEnv.DB.prepare(`PRAGMA table_info(${table})`).all<{
    name: string;
  }>();
  return results.map(({ name }) => name);
}

function copySql({ table, where, names, values = {} }: Copied, columns: readonly string[]): string {
  const chosen = columns.map((name) => {
    if (names.includes(name)) return `${ANOTHER_BEGINNING} || substr(row.${name}, 9)`;
    return values[name] ?? `row.${name}`;
  });
  return `WITH RECURSIVE series(n) AS (SELECT ?3 + 1 UNION ALL SELECT n + 1 FROM series WHERE n < ?3 + ?2)
    INSERT INTO ${table} (${columns.join(', ')})
    SELECT ${chosen.join(', ')} FROM series CROSS JOIN (SELECT * FROM ${table} WHERE ${where}) AS row`;
}

/**
 * Eight hex digits, another for each number and in no order: keys that come in no order leave pages a third empty, as
 * random tokens and bookings that change for weeks do.
 */
const ANOTHER_BEGINNING = "printf('%08x', (n * 2654435761) & 4294967295)";
