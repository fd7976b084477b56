import { type SQL, sql } from 'drizzle-orm';

/** Values for `inArray`, as one parameter: D1 takes at most 100 for a statement. */
export function listed(values: readonly unknown[]): SQL {
  return sql`(SELECT value FROM json_each(${JSON.stringify(values)}))`;
}

/** Pairs of values for `(one, other) IN`, as one parameter. */
export function listedPairs(pairs: readonly (readonly [unknown, unknown])[]): SQL {
  return sql`(SELECT value ->> 0, value ->> 1 FROM json_each(${JSON.stringify(pairs)}))`;
}
