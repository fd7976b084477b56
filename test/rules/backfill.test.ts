/** What the migration to the journal makes of what moved before it. */
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { beforeEach, describe, expect, test } from 'vitest';

const folder = path.join(import.meta.dirname, '../../migrations');
const files = readdirSync(folder).filter((name) => name.endsWith('.sql'));

let database: DatabaseSync;

function apply(names: readonly string[]): void {
  for (const name of names) {
    const text = readFileSync(path.join(folder, name), 'utf8');
    for (const statement of text.split('--> statement-breakpoint')) database.exec(statement);
  }
}

/** Inserts a row: the named columns, and something valid for each other column that needs a value. */
function insert(table: string, values: Readonly<Record<string, string | number | null>>): void {
  const columns = database.prepare(`PRAGMA table_info(${table})`).all() as {
    name: string;
    type: string;
    notnull: number;
    dflt_value: string | null;
    pk: number;
  }[];
  const needed = columns.filter(
    ({ dflt_value, name, notnull, pk }) =>
      name in values || ((notnull === 1 || pk > 0) && dflt_value === null),
  );
  const row = needed.map(({ name, type }) => values[name] ?? (type === 'INTEGER' ? 1 : 'x'));
  const names = needed.map(({ name }) => name).join(', ');
  const marks = needed.map(() => '?').join(', ');
  database.prepare(`INSERT INTO ${table} (${names}) VALUES (${marks})`).run(...row);
}

const booking = { property_id: 'demo', booking_reference: 'RES-1' };

function charge(id: number, more: Readonly<Record<string, string | number | null>>): void {
  insert('transactions', {
    ...booking,
    id,
    reference: `r${id}`,
    kind: 'charge',
    purpose: 'Manual',
    status: 'Accepted',
    currency: 'AUD',
    requested_minor: 15_000,
    transaction_fee_minor: 33,
    card_fee_minor: 431,
    amount_minor: 15_464,
    card_token: 'card',
    gateway: 'sandbox',
    gateway_reference: `g${id}`,
    settled_at_ms: id * 1_000,
    ...more,
  });
}

beforeEach(() => {
  database = new DatabaseSync(':memory:');
  apply(files.filter((name) => name < '0010'));
  insert('properties', {
    id: 'demo',
    currency: 'AUD',
    card_fee_by_brand: '{}',
    pms_transaction_format: 'JSON',
  });
  insert('bookings', {
    property_id: 'demo',
    reference: 'RES-1',
    status: 'booked',
    arrival: '2027-02-14',
    departure: '2027-02-17',
    currency: 'AUD',
  });
  insert('cards', {
    token: 'card',
    property_id: 'demo',
    last4: '4242',
    masked: 'XXXX',
    entered_by: 'api',
  });
});

const rowsOf = (sql: string) =>
  database
    .prepare(sql)
    .all()
    .map((row) => Object.values(row));

describe('what moved before the journal', () => {
  test('is in it afterwards: charges, captures, refunds, disputes, with their sums', () => {
    const dispute = (status: string) =>
      JSON.stringify({
        id: `dp_${status}`,
        status,
        reason: 'fraudulent',
        amountMinor: 15_464,
        openedAtMs: 9_000,
      });
    charge(2, { refund_reserved_minor: 3_000 });
    charge(4, { kind: 'authorization', expires_at_ms: 1 });
    charge(6, { dispute: dispute('lost') });
    charge(8, { dispute: dispute('warning_closed') });
    charge(10, { status: 'Declined' });
    for (const [id, status] of [
      [3, 'Refunded'],
      [5, 'Failed'],
      [7, 'Refunded'],
    ] as const) {
      insert('refunds', {
        ...booking,
        id,
        transaction_id: 2,
        reference: `f${id}`,
        status,
        amount_minor: 1_000 * id,
        currency: 'AUD',
        settled_at_ms: id * 1_000,
        gateway_reference: `gf${id}`,
      });
    }
    apply(files.filter((name) => name >= '0010'));
    expect(
      rowsOf(
        'SELECT transaction_id, number, kind, amount_minor, fee_minor, refund_id, gateway_reference, occurred_at_ms FROM journal ORDER BY transaction_id, number',
      ),
    ).toEqual([
      [2, 1, 'charge', 15_464, 464, null, 'g2', 2_000],
      [2, 2, 'refund', -3_000, 0, 3, 'gf3', 3_000],
      [2, 3, 'refund', -7_000, 0, 7, 'gf7', 7_000],
      [4, 1, 'capture', 15_464, 464, null, 'g4', 4_000],
      [6, 1, 'charge', 15_464, 464, null, 'g6', 6_000],
      [6, 2, 'chargeback', -15_464, 0, null, 'dp_lost', 9_000],
      [8, 1, 'charge', 15_464, 464, null, 'g8', 8_000],
    ]);
    expect(rowsOf('SELECT id, status, funds_withdrawn FROM disputes ORDER BY id')).toEqual([
      ['dp_lost', 'lost', 1],
      ['dp_warning_closed', 'won', 0],
    ]);
    expect(
      rowsOf(
        'SELECT transaction_id, taken_minor, fee_minor, refunded_minor, disputed_minor FROM charge_totals ORDER BY transaction_id',
      ),
    ).toEqual([
      [2, 15_464, 464, 10_000, 0],
      [4, 15_464, 464, 0, 0],
      [6, 15_464, 464, 0, 15_464],
      [8, 15_464, 464, 0, 0],
    ]);
  });

  test('is nothing in an empty database', () => {
    apply(files.filter((name) => name >= '0010'));
    expect(rowsOf('SELECT * FROM journal')).toEqual([]);
  });
});
