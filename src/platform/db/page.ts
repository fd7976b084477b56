import { type Column, type SQL, sql } from 'drizzle-orm';

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
  key: Key | undefined,
): SQL | undefined {
  if (key === undefined) return undefined;
  const comparison = order === 'ascending' ? sql`>` : sql`<`;
  const values = key.map((value) => sql`${value}`);
  return sql`(${listed(columns)}) ${comparison} (${listed(values)})`;
}

function listed(parts: readonly (Column | SQL)[]): SQL {
  return sql.join(
    parts.map((part) => sql`${part}`),
    sql`, `,
  );
}
