import { getTableColumns, getTableName, type SQL, sql } from 'drizzle-orm';
import { getTableConfig, type SQLiteColumn, type SQLiteTable } from 'drizzle-orm/sqlite-core';
import { lazy } from '../../core/lazy.ts';
import { queries, type Statement } from '../../platform/db/database.ts';
import { HELD } from '../../schema/personal.ts';
import type { BookingName } from '../bookings/store.ts';
import { rowsOfBooking } from '../privacy/eraseStore.ts';

/** Tables that name bookings, and stay in D1 when one is archived: others than the booking's own operations read them. */
const STAY: ReadonlySet<string> = new Set([
  'applications',
  'archived_bookings',
  'archived_movements',
  'archived_payments',
  'archived_references',
  'card_entries',
  'exceptions',
  'idempotency_keys',
  'owed_bookings',
]);

/** Any booking: to ask of a table whether it has something of bookings. */
const ANY: BookingName = { propertyId: '', reference: '' };

/**
 * The tables whose rows move with their booking, each after those that its rows refer to. The history comes first: by it the
 * rows of others are found, so that it goes last.
 */
const movingTables = lazy((): readonly SQLiteTable[] =>
  inOrder(
    HELD.map(({ table }) => table).filter(
      (table) => !STAY.has(getTableName(table)) && rowsOfBooking(table, ANY) !== null,
    ),
  ),
);

function inOrder(tables: readonly SQLiteTable[]): SQLiteTable[] {
  const sorted: SQLiteTable[] = tables.filter((table) => getTableName(table) === 'history');
  const add = (table: SQLiteTable) => {
    if (sorted.includes(table)) return;
    for (const key of getTableConfig(table).foreignKeys) {
      const other = key.reference().foreignTable;
      if (other !== table && tables.includes(other)) add(other);
    }
    sorted.push(table);
  };
  for (const table of tables) add(table);
  return sorted;
}

type Row = Readonly<Record<string, unknown>>;

/** The rows of a booking by table, as they stand in its file: what D1 stores, bytes as hex digits. */
export type ArchivedRows = Readonly<Record<string, readonly Row[]>>;

/** Selects the rows of a booking that move, a statement a table. */
export function selectMoving(name: BookingName) {
  return movingTables().map((table) => queries.select().from(table).where(whereOf(table, name)));
}

/** The rows that {@link selectMoving} found. */
export function archivedRows(found: readonly (readonly Row[])[]): ArchivedRows {
  const all = movingTables().map((table, at) => {
    const columns = storedColumns(table);
    const rows = (found[at] ?? []).map((row) =>
      Object.fromEntries(columns.map(([name, column]) => [column.name, stored(column, row[name])])),
    );
    return [getTableName(table), rows] as const;
  });
  return Object.fromEntries(all.filter(([, rows]) => rows.length > 0));
}

/** A row as D1 has it, without the columns that D1 computes: no file has these. */
type Stored<Table extends SQLiteTable> = Pick<
  Table['$inferSelect'],
  keyof Table['$inferInsert'] & keyof Table['$inferSelect']
>;

/** The rows of a table in a booking's file, as a query of D1 would find them. */
export function rowsIn<Table extends SQLiteTable>(
  table: Table,
  rows: ArchivedRows,
): Stored<Table>[] {
  const columns = storedColumns(table);
  const found = (rows[getTableName(table)] ?? []).map((row) =>
    Object.fromEntries(columns.map(([name, column]) => [name, restored(column, row[column.name])])),
  );
  return found as Stored<Table>[];
}

/** The most characters of a statement's parameter: D1 takes two million bytes. */
const MOST_TEXT = 400_000;

/** The statements that put a booking's rows into D1. Its archive must be `open`. */
export function insertMoving(rows: ArchivedRows): Statement[] {
  return movingTables().flatMap((table) => {
    const values = storedColumns(table).map(([, column]) => {
      const value = sql`value ->> ${sql.raw(`'$.${column.name}'`)}`;
      return column.getSQLType() === 'blob' ? sql`unhex(${value})` : value;
    });
    return textsOf(rows[getTableName(table)] ?? []).map((text) =>
      queries
        .insert(table)
        .select(sql`SELECT ${sql.join(values, sql`, `)} FROM json_each(${text}) ORDER BY key`),
    );
  });
}

/** The statements that take a booking's rows out of D1. Its archive must be `open`. */
export function deleteMoving(name: BookingName): Statement[] {
  return movingTables()
    .toReversed()
    .map((table) => queries.delete(table).where(whereOf(table, name)));
}

function whereOf(table: SQLiteTable, name: BookingName): SQL {
  const where = rowsOfBooking(table, name);
  if (where === null) throw new Error(`${getTableName(table)} has nothing of bookings`);
  return where;
}

/** The columns that are stored, by their names in TypeScript, in the order in which drizzle inserts. */
function storedColumns(table: SQLiteTable): [string, SQLiteColumn][] {
  const columns = Object.entries(getTableColumns(table)) as [string, SQLiteColumn][];
  return columns.filter(([, { generated }]) => generated === undefined);
}

function stored(column: SQLiteColumn, value: unknown): unknown {
  if (value === null || value === undefined) return null;
  return value instanceof Uint8Array ? value.toHex() : column.mapToDriverValue(value);
}

/** The opposite of {@link stored}. */
function restored(column: SQLiteColumn, value: unknown): unknown {
  if (value === null || value === undefined) return null;
  const driven = column.getSQLType() === 'blob' ? Uint8Array.fromHex(value as string) : value;
  return column.mapFromDriverValue(driven);
}

/** Rows as lists of JSON, each of a length that a statement takes. */
function textsOf(rows: readonly Row[]): string[] {
  const texts: string[] = [];
  let part: string[] = [];
  let length = 0;
  for (const row of rows) {
    const text = JSON.stringify(row);
    if (length + text.length > MOST_TEXT && part.length > 0) {
      texts.push(`[${part.join(',')}]`);
      part = [];
      length = 0;
    }
    part.push(text);
    length += text.length;
  }
  return part.length === 0 ? texts : [...texts, `[${part.join(',')}]`];
}
