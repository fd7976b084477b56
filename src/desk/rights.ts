import { and, asc, eq } from 'drizzle-orm';
import type { Failure } from '../core/failure.ts';
import { err, type Result } from '../core/result.ts';
import type { Queries } from '../platform/db/database.ts';
import { propertyNotFound } from '../records/properties/rules.ts';
import { allowed, type Person, type Right, reaches } from '../records/staff/rules.ts';
import { type PropertyRow, properties } from '../schema/propertyTables.ts';

/** Refuses what a person may not do or see at a property: to who does not work there, it does not exist (interface: Staff). */
export function may(
  person: Person,
  property: Pick<PropertyRow, 'id' | 'portfolio'>,
  right: Right,
): Result<null, Failure> {
  return reaches(person, property) ? allowed(person, right) : err(propertyNotFound());
}

/** Selects the properties that a person works for, by name. */
export function selectReached(
  queries: Queries,
  { portfolio, propertyId }: Pick<Person, 'propertyId' | 'portfolio'>,
  limit: number,
) {
  return queries
    .select({ id: properties.id, name: properties.name })
    .from(properties)
    .where(
      and(
        propertyId === null ? undefined : eq(properties.id, propertyId),
        portfolio === null ? undefined : eq(properties.portfolio, portfolio),
      ),
    )
    .orderBy(asc(properties.name))
    .limit(limit);
}
