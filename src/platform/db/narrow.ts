import { and, gte, inArray, lte, type SQL } from 'drizzle-orm';
import type { SQLiteColumn, SQLiteTable } from 'drizzle-orm/sqlite-core';
import { queries } from './database.ts';

/** Rows of `own` that meet every condition, each found by its own index; undefined without a condition. */
export function foundByEach(
  {
    table,
    key,
    own,
  }: { readonly table: SQLiteTable; readonly key: SQLiteColumn; readonly own: SQL },
  conditions: readonly (SQL | undefined)[],
): SQL | undefined {
  const given = conditions.filter((condition) => condition !== undefined);
  return and(
    ...given.map((condition) =>
      inArray(key, queries.select({ key }).from(table).where(and(own, condition))),
    ),
  );
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
