import { and, asc, eq } from 'drizzle-orm';
import { err, ok, type Result, refuse } from '../core/result.ts';
import { type Database, queries } from '../platform/db/database.ts';
import { propertyNotFound } from '../records/properties/rules.ts';
import { hasRight, leastRole, type Person, type Right, reaches } from '../records/staff/rules.ts';
import { type PropertyRow, properties } from '../schema/propertyTables.ts';
import { words } from './words.ts';

/** Refuses what a person may not do or see at a property: to who does not work there, it does not exist (interface: Staff). */
export function may(
  person: Person,
  property: Pick<PropertyRow, 'id' | 'portfolio'>,
  right: Right,
): Result<null> {
  return reaches(person, property) ? allowed(person, right) : err(propertyNotFound());
}

/** Refuses what a person's role does not allow at a property that they work for. */
export function allowed({ role }: Pick<Person, 'role'>, right: Right): Result<null> {
  if (hasRight(role, right)) return ok(null);
  const { least, may: copy, refused } = words.rights;
  const said = { least: least[leastRole(right)], what: copy[right] };
  return refuse('not_permitted', refused(said));
}

/** How many properties the first page lists. */
const MOST_REACHED = 200;

/** The properties that a person works for, by name, in the databases that answer. One round trip to each. */
export async function readReached(
  database: Database,
  { portfolio, propertyId }: Pick<Person, 'propertyId' | 'portfolio'>,
) {
  const { id, name, portfolio: ofPortfolio } = properties;
  const found = await database.everyAnswering('d1.console.read', [
    queries
      .select({ id, name })
      .from(properties)
      .where(
        and(
          propertyId === null ? undefined : eq(id, propertyId),
          portfolio === null ? undefined : eq(ofPortfolio, portfolio),
        ),
      )
      .orderBy(asc(name))
      .limit(MOST_REACHED),
  ]);
  return found
    .flat(2)
    .toSorted((one, other) => (one.name < other.name ? -1 : 1))
    .slice(0, MOST_REACHED);
}
