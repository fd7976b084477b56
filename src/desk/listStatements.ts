import { and, type Column, eq, type Placeholder, type SQL, sql } from 'drizzle-orm';
import type { Statement } from '../platform/db/database.ts';
import { unindexed } from '../platform/db/indexes.ts';
import type { Part } from '../platform/db/page.ts';
import { type AskedPart, preparedList } from '../platform/db/prepared.ts';
import { properties } from '../schema/propertyTables.ts';

/** Whose entries a list has: one property's, by its id, or, for administrators, those of all: null. */
export type Scope = string | null;

/** What fills in a list's statement later: whose entries it has, since or until when, and which part of it. */
interface Asked extends AskedPart {
  readonly scope: Placeholder | null;
  readonly timeMs: Placeholder;
}

/** The statement of a list. It is built once for one property and once for all. */
export function listStatement<Built extends Statement>(build: (asked: Asked) => Built) {
  const fill = preparedList<{ readonly scope?: string | undefined; readonly timeMs: number }>()(
    ({ scope = null, timeMs }, part) => [build({ scope, timeMs, ...part })],
  );
  return (scope: Scope, timeMs: number, part: Part) =>
    fill({ scope: scope ?? undefined, timeMs }, part)[0];
}

/** A table whose rows properties have. */
interface Owned {
  readonly id: Column;
  readonly propertyId: Column;
}

/**
 * Finds the entries of a scope by an index that begins with the property. Of all properties, the first entries of each
 * are found that way, and then sorted.
 */
export function inScope(
  { most, scope }: { readonly scope: Scope | Placeholder; readonly most: number | Placeholder },
  table: Owned,
  where: SQL | undefined,
  order: readonly SQL[],
): SQL | undefined {
  if (scope !== null) return and(eq(properties.id, scope), eq(table.propertyId, scope), where);
  // By the ids: an index of the property alone would read all that it has.
  const owner = table.id.primary ? unindexed(table.propertyId) : table.propertyId;
  return sql`${owner} = ${properties.id} AND ${table.id} IN (SELECT ${table.id} FROM ${table} WHERE ${table.propertyId} = ${properties.id} AND ${where ?? sql`true`} ORDER BY ${sql.join([...order], sql`, `)} LIMIT ${most})`;
}
