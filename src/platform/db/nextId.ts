import { type SQL, sql } from 'drizzle-orm';
import type { SQLiteTable } from 'drizzle-orm/sqlite-core';

/** How many ids of a table one database may give. As a literal: D1 binds numbers as floats. */
const SPAN = sql.raw(String(2 ** 40));

/** The first id that the database gives, less one. */
const BASE = sql`coalesce((SELECT number FROM this_database), 0) * ${SPAN}`;

/** The next id of a table's rows. Each database has its own, so a property's are free in whichever it moves to. */
export function nextId(table: SQLiteTable): SQL<number> {
  return sql<number>`(SELECT coalesce(max(id), ${BASE}) + 1 FROM ${table} WHERE id > ${BASE} AND id < ${BASE} + ${SPAN})`;
}
