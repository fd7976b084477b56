import { and, type Column, eq, type Placeholder, type SQL } from 'drizzle-orm';
import type { Statement } from '../platform/db/database.ts';
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

/**
 * Joins its property to an entry of a scope: `FROM table CROSS JOIN properties`. An index that begins with the property
 * finds the entries of one, another those of all: neither reads more than a page and what is left out of it.
 */
export function inScope(
  scope: Scope | Placeholder,
  { propertyId }: { readonly propertyId: Column },
): SQL | undefined {
  return and(eq(properties.id, propertyId), scope === null ? undefined : eq(propertyId, scope));
}
