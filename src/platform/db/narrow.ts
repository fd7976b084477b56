import {
  and,
  asc,
  desc,
  gte,
  lte,
  type Placeholder,
  type SQL,
  type SQLWrapper,
  sql,
} from 'drizzle-orm';
import type { SQLiteColumn, SQLiteTable } from 'drizzle-orm/sqlite-core';
import { queries, type Statement } from './database.ts';
import { comesAfter, inOrder, type Key, listed, type Page, type Way } from './page.ts';

/** How many entries of a list a page looks at: a filter that leaves more is no way to find its rows. */
const MOST_LOOKED_AT = 500;

/** A filter of a list: the condition on its rows and, where an index finds these, a query of their keys. */
export interface Filter {
  readonly rows: SQL;
  readonly keys?: SQL;
}

/** A list that filters narrow. An index has the rows of `own` in the order of `columns`; the last one is the key. */
export interface NarrowedList {
  readonly table: SQLiteTable;
  readonly columns: readonly [...SQLiteColumn[], SQLiteColumn];
  readonly order: 'ascending' | 'descending';
  readonly own: SQL;
  /** Between which values of the first column its rows are, for a list that descends; `before` is exclusive. */
  readonly span?: Span;
  /** What the primary key has before the key, as a condition; undefined where that is all of it. */
  readonly place?: SQL;
}

/** Bounds of a column, or what fills them in later. */
export interface Span {
  readonly from?: Bound | undefined;
  readonly before?: Bound | undefined;
}

type Bound = Key[number] | Placeholder;

/** The filters that were given. Each finds its rows by an index of its own. */
export function foundByEach(
  { table, columns, own }: NarrowedList,
  conditions: readonly (SQL | undefined)[],
): Filter[] {
  const key = columns.at(-1);
  return conditions.flatMap((rows) =>
    rows ? [{ rows, keys: sql`SELECT ${key} FROM ${table} WHERE ${and(own, rows)}` }] : [],
  );
}

/**
 * The statements that find a page, whatever the filters leave of however many rows. Only one of the last two finds any: by the
 * keys of the first filter that leaves few, or else by looking through the next {@link MOST_LOOKED_AT} entries, the last of
 * which the first statement finds. {@link pageFound} makes the page of their results.
 */
export function waysToFind<S extends Statement>(
  list: NarrowedList,
  filters: readonly Filter[],
  { after, most }: Pick<Way, 'after' | 'most'>,
  select: (way: Way) => S,
): readonly [Statement, S, ...S[]] {
  const { columns, order, span, table } = list;
  const fits = and(...filters.map(({ rows }) => rows));
  const keys = filters.flatMap((filter) => filter.keys ?? []);
  const until = and(list.own, isBefore(columns[0], span?.before, after));
  const own = and(until, span?.from === undefined ? undefined : gte(columns[0], span.from));
  const next = and(own, comesAfter(order, columns, after));
  const byOrder = columns.map((column) => (order === 'ascending' ? asc(column) : desc(column)));
  const edge = queries
    .select(Object.fromEntries(columns.map((column) => [column.name, column])))
    .from(table)
    .where(next)
    .orderBy(...byOrder)
    .limit(filters.length === 0 ? 0 : ifNoneLeavesFew(keys, 1))
    .offset(MOST_LOOKED_AT - 1);
  const end = columns.map((column, at) => {
    const atEdge = sql`SELECT ${column} FROM ${table} WHERE ${next} ORDER BY ${listed(byOrder)} LIMIT 1 OFFSET ${MOST_LOOKED_AT - 1}`;
    const last = (at === 0 ? span?.from : undefined) ?? ENDS[order][column.dataType];
    return sql`coalesce((${atEdge}), ${last})`;
  });
  const comparison = sql.raw(order === 'ascending' ? '<=' : '>=');
  const isLookedAt = sql`(${listed(columns)}) ${comparison} (${listed(end)})`;
  const inOrder = select({
    where: filters.length === 0 ? own : and(until, fits, isLookedAt),
    how: 'in order',
    after,
    most: ifNoneLeavesFew(keys, most),
  });
  if (keys.length === 0) return [edge, inOrder];
  // SQLite looks rows up by their keys where it sees no other condition that an index has.
  const isFound = and(
    list.place,
    sql`${columns.at(-1)} IN (${fewest(keys)})`,
    sql`(${and(own, fits)}) IS TRUE`,
  );
  return [edge, select({ where: isFound, how: 'by key', after, most }), inOrder];
}

/**
 * The condition of the end of a span. SQLite finds rows by one upper bound alone: after an entry that is the entry, or
 * each page would read all pages before it.
 */
export function isBefore(
  column: SQLWrapper,
  before: Bound | undefined,
  after: Way['after'],
): SQL | undefined {
  if (before === undefined) return undefined;
  return after === undefined ? sql`${column} < ${before}` : sql`+${column} < ${before}`;
}

/** The place of the first query of keys that finds no more than a page looks at, or how many queries there are. */
function firstWithFew(keys: readonly SQL[]): SQL {
  const cases = keys.map(
    (some, at) =>
      sql`WHEN (SELECT count(*) FROM (${some} LIMIT ${MOST_LOOKED_AT + 1})) <= ${MOST_LOOKED_AT} THEN ${at}`,
  );
  return sql`CASE ${sql.join(cases, sql` `)} ELSE ${keys.length} END`;
}

/** A limit that is 0 where a query finds few keys: SQLite asks once, and then reads no row. Drizzle takes SQL for a number. */
function ifNoneLeavesFew(keys: readonly SQL[], most: Way['most']): Way['most'] {
  if (keys.length === 0) return most;
  return sql`CASE ${firstWithFew(keys)} WHEN ${keys.length} THEN ${most} ELSE 0 END` as unknown as number;
}

/** The keys of the first query that finds few; none where none does. */
function fewest(keys: readonly SQL[]): SQL {
  const found = keys.map((some, at) => {
    const most = sql`CASE (SELECT place FROM chosen) WHEN ${at} THEN ${MOST_LOOKED_AT} ELSE 0 END`;
    return sql`SELECT * FROM (${some} LIMIT ${most})`;
  });
  return sql`WITH chosen (place) AS MATERIALIZED (SELECT ${firstWithFew(keys)}) ${sql.join(found, sql` UNION ALL `)}`;
}

/** Where a list ends: values before or after all of a column's. */
const ENDS: Readonly<Record<NarrowedList['order'], Readonly<Record<string, number | string>>>> = {
  ascending: { number: Number.MAX_SAFE_INTEGER, string: '\u{10FFFF}' },
  descending: { number: Number.MIN_SAFE_INTEGER, string: '' },
};

/** Cuts a page from what {@link waysToFind} found. It may be short, even empty, and not the last. */
export function pageFound<Row>(
  [edge, ...found]: readonly unknown[],
  limit: number,
  keyOf: (row: Row) => Key,
): Page<Row> {
  const all = found.flat() as Row[];
  const rows = all.slice(0, limit);
  const last = rows.at(-1);
  if (all.length > limit && last !== undefined) return { rows, next: keyOf(last) };
  const [lookedAt] = edge as Readonly<Record<string, number | string>>[];
  return { rows, next: lookedAt ? Object.values(lookedAt) : null };
}

/**
 * Cuts a page from what {@link waysToFind} found in each database. Entries after the end of a page that looked no further in
 * its database wait for the next one.
 */
export function pageOfAll<Row>(
  found: readonly (readonly unknown[])[],
  limit: number,
  order: NarrowedList['order'],
  keyOf: (row: Row) => Key,
): Page<Row> {
  const pages = found.map((one) => pageFound(one, limit, keyOf));
  const [nearest] = inOrder(
    order,
    pages.flatMap(({ next }) => (next ? [next] : [])),
    (key) => key,
  );
  const rows = inOrder(
    order,
    pages.flatMap((page) => page.rows),
    keyOf,
  );
  const known = nearest ? rows.filter((row) => isUpTo(order, keyOf(row), nearest)) : rows;
  const shown = known.slice(0, limit);
  const last = shown.at(-1);
  if (known.length > limit && last !== undefined) return { rows: shown, next: keyOf(last) };
  return { rows: shown, next: nearest ?? null };
}

function isUpTo(order: NarrowedList['order'], key: Key, end: Key): boolean {
  return inOrder(order, [key, end], (one) => one)[0] === key;
}

/** Whether a column's value lies between two bounds, both inclusive; undefined without a bound. */
export function isBetween<Value>(
  column: SQLiteColumn,
  from: Value | undefined,
  to: Value | undefined,
): SQL | undefined {
  return and(
    from === undefined ? undefined : gte(column, from),
    to === undefined ? undefined : lte(column, to),
  );
}
