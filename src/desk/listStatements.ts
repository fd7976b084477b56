import { and, type Column, eq, type Placeholder, type SQL, sql } from 'drizzle-orm';
import type { Statement } from '../platform/db/database.ts';
import { unindexed } from '../platform/db/indexes.ts';
import type { Part } from '../platform/db/page.ts';
import { prepared } from '../platform/db/prepared.ts';
import { properties } from '../schema/propertyTables.ts';

/** Whose entries a list has: one property's, by its id, or, for administrators, those of all: null. */
export type Scope = string | null;

/** What fills in a list's statement later: whose entries it has, since or until when, after which one, and how many. */
interface Asked {
  readonly scope: Placeholder | null;
  readonly timeMs: Placeholder;
  readonly after: readonly Placeholder[] | undefined;
  /** One more than the list shows, if there are as many. */
  readonly most: Placeholder;
}

interface Values {
  readonly scope?: string | undefined;
  readonly timeMs: number;
  readonly most: number;
  /** The values of the key after which it begins. */
  readonly [place: `after${number}`]: number | string;
}

/** The statement of a list. It is built once for one property and once for all, from the beginning and after an entry. */
export function listStatement<Built extends Statement>(build: (asked: Asked) => Built) {
  const fill = prepared<Values>()(({ scope = null, timeMs, most, ...after }) => {
    const key = Object.values(after);
    return build({ scope, timeMs, most, after: key.length > 0 ? key : undefined });
  });
  return (scope: Scope, timeMs: number, { limit, after = [] }: Part) => {
    const key = after.map((value, place) => [`after${place}`, value] as const);
    const values = { scope: scope ?? undefined, timeMs, most: limit + 1 };
    return fill({ ...values, ...Object.fromEntries(key) });
  };
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
