import {
  and,
  asc,
  type Column,
  desc,
  getTableColumns,
  type Placeholder,
  type SQL,
  sql,
} from 'drizzle-orm';
import type { SQLiteTable } from 'drizzle-orm/sqlite-core';
import { type D1Span, type Database, queries } from './database.ts';

/** Where an entry is in a list: its values of the columns that the list is ordered by. */
export type Key = readonly (number | string)[];

/** A part of a list: at most `limit` entries after a key, or from the beginning. */
export interface Part {
  readonly limit: number;
  readonly after?: Key | undefined;
}

/** A page of a list. `next` is the key of its last entry; null on the last page. */
export interface Page<Row> {
  readonly rows: readonly Row[];
  readonly next: Key | null;
}

/** Cuts a page from rows that may be more than it shows. */
export function pageOf<Row>(
  found: readonly Row[],
  limit: number,
  keyOf: (row: Row) => Key,
): Page<Row> {
  const rows = found.slice(0, limit);
  const last = found.length > limit ? rows.at(-1) : undefined;
  return { rows, next: last === undefined ? null : keyOf(last) };
}

/** A page of rows that are at hand already, in the order of their list. */
export function pageAmong<Row>(
  order: 'ascending' | 'descending',
  rows: readonly Row[],
  { limit, after }: Part,
  keyOf: (row: Row) => Key,
): Page<Row> {
  const sign = order === 'ascending' ? 1 : -1;
  const isAfter = (row: Row) => after === undefined || sign * compareKeys(keyOf(row), after) > 0;
  return pageOf(inOrder(order, rows.filter(isAfter), keyOf), limit, keyOf);
}

/** Entries of several databases in the order of their list. */
export function inOrder<Row>(
  order: 'ascending' | 'descending',
  rows: readonly Row[],
  keyOf: (row: Row) => Key,
): Row[] {
  const sign = order === 'ascending' ? 1 : -1;
  return rows.toSorted((one, other) => sign * compareKeys(keyOf(one), keyOf(other)));
}

/** Entries of several databases as one list, in the order that each has its own in. */
export function asOneList<Row>(
  lists: readonly (readonly Row[])[],
  keyOf: (row: Row) => Key,
): Row[] {
  const [ordered = []] = lists.toSorted((one, other) => other.length - one.length);
  const [first, last] = [ordered[0], ordered.at(-1)];
  const descends = first && last && compareKeys(keyOf(first), keyOf(last)) > 0;
  return inOrder(descends ? 'descending' : 'ascending', lists.flat(), keyOf);
}

function compareKeys(one: Key, other: Key): number {
  for (const [index, value] of one.entries()) {
    const against = other[index] ?? value;
    if (value !== against) return value < against ? -1 : 1;
  }
  return 0;
}

/**
 * How a statement finds rows of a list: after which, and `most` of them. Of rows that are found by their keys, a plus keeps
 * SQLite from reading all in the order of the list.
 */
export interface Way {
  readonly where: SQL | undefined;
  readonly how: 'in order' | 'by key';
  readonly after: readonly (Key[number] | Placeholder)[] | undefined;
  readonly most: number | Placeholder;
}

/** The pages of a table's rows, in the order of some of its columns. */
export function pagesOf<Table extends SQLiteTable>(
  table: Table,
  order: 'ascending' | 'descending',
  names: readonly (keyof Table['$inferSelect'] & string)[],
) {
  type Row = Table['$inferSelect'];
  const all: Readonly<Record<string, Column>> = getTableColumns(table);
  const columns = names.flatMap((name) => all[name] ?? []);
  /** Selects the rows of a way to find them. */
  const along = ({ after, how, most, where }: Way) => {
    const by = columns.map((column) => (how === 'in order' ? sql`${column}` : sql`+${column}`));
    return queries
      .select()
      .from(table)
      .where(and(where, comesAfter(order, by, after)))
      .orderBy(...by.map((column) => (order === 'ascending' ? asc(column) : desc(column))))
      .limit(most);
  };
  /** Selects the rows of a page, and one more if there is a next one. */
  const select = (where: SQL | undefined, { after, limit }: Part) =>
    along({ where, how: 'in order', after, most: limit + 1 });
  /** Cuts the page from the rows that {@link select} found. */
  const keyOf = (row: Row): Key => names.map((name) => row[name] as number | string);
  const cut = (rows: readonly Row[], { limit }: Part): Page<Row> => pageOf(rows, limit, keyOf);
  /** Reads a page. One round trip. */
  const read = async (
    database: Database,
    span: D1Span,
    where: SQL | undefined,
    part: Part,
  ): Promise<Page<Row>> => {
    const [rows] = await database.batch(span, [select(where, part)]);
    return cut(rows, part);
  };
  /** Reads a page of what all databases have. One round trip to each. */
  const readEverywhere = async (
    database: Database,
    span: D1Span,
    where: SQL | undefined,
    part: Part,
  ): Promise<Page<Row>> => {
    const rows = await database.rowsAnywhere(span, select(where, part));
    return cut(inOrder(order, rows, keyOf), part);
  };
  return { along, select, cut, read, readEverywhere };
}

/** The page with its rows as answers show them. */
export function shownPage<Row, Shown>(
  { rows, next }: Page<Row>,
  show: (row: Row) => Shown,
): Page<Shown> {
  return { rows: rows.map((row) => show(row)), next };
}

/** Whether a row comes after a key in a list that ascends, or descends, by all of `columns`. All rows do without a key. */
export function comesAfter(
  order: 'ascending' | 'descending',
  columns: readonly (Column | SQL)[],
  key: readonly (Key[number] | Placeholder)[] | undefined,
): SQL | undefined {
  if (key === undefined) return undefined;
  const comparison = order === 'ascending' ? sql`>` : sql`<`;
  const values = key.map((value) => sql`${value}`);
  return sql`(${listed(columns)}) ${comparison} (${listed(values)})`;
}

/** Parts of a statement with commas between them. */
export function listed(parts: readonly (Column | SQL)[]): SQL {
  return sql.join(
    parts.map((part) => sql`${part}`),
    sql`, `,
  );
}
