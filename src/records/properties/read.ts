import { and, desc, eq } from 'drizzle-orm';
import type { Failure } from '../../core/failure.ts';
import { err, ok, type Result } from '../../core/result.ts';
import type { Database, Queries } from '../../platform/db/database.ts';
import { comesAfter, type Page, type Part, pageOf } from '../../platform/db/page.ts';
import { type PropertyRow, properties } from '../../schema/propertyTables.ts';
import { propertyNotFound } from './rules.ts';
import { findProperty } from './store.ts';

/** Finds a property, or says that there is none. One round trip. */
export async function readProperty(
  database: Database,
  id: string,
): Promise<Result<PropertyRow, Failure>> {
  const property = await findProperty(database, id);
  return property ? ok(property) : err(propertyNotFound());
}

/** Which properties to list, newest first. */
interface PropertyFilter {
  readonly portfolio?: string | undefined;
}

/** Lists properties, newest first (interface: List properties). One round trip. */
export async function listProperties(
  database: Database,
  filter: PropertyFilter,
  part: Part,
): Promise<Page<PropertyRow>> {
  const [rows] = await database.batch('d1.property.find', [
    selectProperties(database.queries, filter, part),
  ]);
  return pageOf(rows, part.limit, ({ createdAtMs, id }) => [createdAtMs, id]);
}

function selectProperties(queries: Queries, { portfolio }: PropertyFilter, { after, limit }: Part) {
  const { createdAtMs, id } = properties;
  return queries
    .select()
    .from(properties)
    .where(
      and(
        portfolio === undefined ? undefined : eq(properties.portfolio, portfolio),
        comesAfter('descending', [createdAtMs, id], after),
      ),
    )
    .orderBy(desc(createdAtMs), desc(id))
    .limit(limit + 1);
}
