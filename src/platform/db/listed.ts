import { type SQL, sql } from 'drizzle-orm';

/** Values for `inArray`, as one parameter: D1 takes at most 100 for a statement. */
export function listed(values: readonly unknown[]): SQL {
  return sql`(SELECT value FROM json_each(${JSON.stringify(values)}))`;
}
