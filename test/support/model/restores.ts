import { runInDurableObject } from 'cloudflare:test';
import { bookingObject } from '../../../src/booking/stub.ts';
import { testEnv } from '../api.ts';
import { withoutTriggers } from '../restore.ts';
import type { Place } from './service.ts';

/** A table that holds rows of bookings, with the columns that can be written. */
interface Table {
  readonly name: string;
  readonly columns: readonly string[];
  /** Which of its rows are the booking's: the first parameter is the property, the second the booking's reference. */
  readonly where: string;
}

/** The keys of a booking's operations name the rows that these made or changed. */
const OF_ITS_OPERATIONS = `property_id = ?1 AND command_reference IN (
  SELECT reference FROM transactions WHERE property_id = ?1 AND booking_reference = ?2
  UNION SELECT command_reference FROM refunds WHERE property_id = ?1 AND booking_reference = ?2)`;

type Row = Readonly<Record<string, unknown>>;

/** Remembers all that D1 has of a booking. What is returned takes D1 back to this moment, and nothing else. */
export async function momentOf(place: Place): Promise<() => Promise<void>> {
  const tables = await tablesOfBookings();
  const { propertyId, reference } = place;
  const found = await testEnv.DB.batch<Row>(
    tables.map(({ columns, name, where }) =>
      testEnv.DB.prepare(`SELECT ${columns.join()} FROM ${name} WHERE ${where}`).bind(
        propertyId,
        reference,
      ),
    ),
  );
  const kept = tables.map((table, index) => ({ table, rows: found[index]?.results ?? [] }));
  return async () => {
    await withoutTriggers([
      ...kept.map(({ table: { name, where } }) =>
        testEnv.DB.prepare(`DELETE FROM ${name} WHERE ${where}`).bind(propertyId, reference),
      ),
      ...kept.flatMap(({ rows, table }) => rows.map((row) => insertion(table, row))),
    ]);
    await forget(place);
  };
}

function insertion({ columns, name }: Table, row: Row): D1PreparedStatement {
  const places = columns.map(() => '?');
  const insert = `INSERT INTO ${name} (${columns.join()}) VALUES (${places.join()})`;
  return testEnv.DB.prepare(insert).bind(...columns.map((column) => row[column]));
}

let known: Promise<Table[]> | null = null;

function tablesOfBookings(): Promise<Table[]> {
  known ??= readTables();
  return known;
}

async function readTables(): Promise<Table[]> {
  const { results } = await testEnv.DB.prepare(
    `SELECT tables.name AS name, group_concat(columns.name) AS columns
     FROM sqlite_master AS tables JOIN pragma_table_info(tables.name) AS columns
     WHERE tables.type = 'table' AND tables.name NOT GLOB '_cf*' GROUP BY tables.name`,
  ).all<{ name: string; columns: string }>();
  const tables = results.flatMap(({ name, columns: text }): Table[] => {
    const columns = text.split(',');
    const where = (by: string) => `property_id = ?1 AND ${by} = ?2`;
    if (name === 'bookings') return [{ name, columns, where: where('reference') }];
    if (name === 'idempotency_keys') return [{ name, columns, where: OF_ITS_OPERATIONS }];
    const isOfBookings = columns.includes('property_id') && columns.includes('booking_reference');
    return isOfBookings ? [{ name, columns, where: where('booking_reference') }] : [];
  });
  // Keys first: the rows that they name tell whose they are.
  return tables.toSorted((one, other) => rank(one) - rank(other));
}

function rank({ name }: Table): number {
  return name === 'idempotency_keys' ? 0 : 1;
}

/** Whoever restores a database starts every object afresh. */
async function forget({ propertyId, reference }: Place): Promise<void> {
  const stub = bookingObject(testEnv, propertyId, reference);
  // A method of its state: taken out of it, it would only throw.
  const ended = runInDurableObject(stub as never, (_booking, state: DurableObjectState) =>
    state.abort('D1 is restored'),
  );
  await ended.catch(() => undefined);
}
