import { and, asc, eq } from 'drizzle-orm';
import type { Queries } from '../../platform/db/database.ts';
import type { Person } from '../../records/staff/rules.ts';
import { properties } from '../../schema/propertyTables.ts';

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
