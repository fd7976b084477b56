import { and, count, eq, notInArray, sql } from 'drizzle-orm';
import { queries } from '../../platform/db/database.ts';
import { homes, movingProperties, thisDatabase } from '../../schema/homeTables.ts';
import { properties } from '../../schema/propertyTables.ts';

/** Gives a property its home, unless it has one. For the directory. */
export function insertHome(propertyId: string, database: string) {
  return queries.insert(homes).values({ propertyId, database }).onConflictDoNothing();
}

export function selectHome(propertyId: string) {
  return queries.select().from(homes).where(eq(homes.propertyId, propertyId));
}

/** Counts the properties of each database that is not the directory itself. For the directory. */
export function countHomes() {
  const { database } = homes;
  return queries.select({ database, many: count() }).from(homes).groupBy(database);
}

/** Says which of the databases this is. The first one says nothing. */
export function insertNumber(number: number) {
  return queries.insert(thisDatabase).values({ number }).onConflictDoNothing();
}

export function countProperties() {
  const { propertyId, state } = movingProperties;
  const absent = queries
    .select({ propertyId })
    .from(movingProperties)
    .where(and(sql`${state} IN ('arriving', 'left')`));
  return queries
    .select({ many: count() })
    .from(properties)
    .where(notInArray(properties.id, absent));
}
