import { type Column, type SQL, sql } from 'drizzle-orm';

/**
 * Whether a column has one of these values, written as literals: SQLite uses a partial index only where its condition
 * stands in the query too, and bound values do not count.
 */
export function literally<Of extends Column>(
  column: Of,
  ...values: readonly (Of['_']['data'] & string)[]
): SQL {
  const texts = sql.raw(values.map((value) => `'${value}'`).join(', '));
  return values.length === 1 ? sql`${column} = ${texts}` : sql`${column} IN (${texts})`;
}

/** A column by which SQLite is to use no index. */
export function unindexed(column: Column): SQL {
  return sql`+${column}`;
}
