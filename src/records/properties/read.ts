import { eq } from 'drizzle-orm';
import type { Failure } from '../../core/failure.ts';
import { err, ok, type Result } from '../../core/result.ts';
import type { D1Span, Database, Statement } from '../../platform/db/database.ts';
import { type Page, type Part, pagesOf } from '../../platform/db/page.ts';
import { type PropertyRow, properties } from '../../schema/propertyTables.ts';
import { propertyNotFound } from './rules.ts';
import { findProperty, selectProperty } from './store.ts';

/** Finds a property, or says that there is none. One round trip. */
export async function readProperty(
  database: Database,
  id: string,
): Promise<Result<PropertyRow, Failure>> {
  const property = await findProperty(database, id);
  return property ? ok(property) : err(propertyNotFound());
}

const pages = pagesOf(properties, 'descending', ['createdAtMs', 'id']);

/** Lists properties, newest first (interface: List properties). One round trip. */
export function listProperties(
  database: Database,
  { portfolio }: { readonly portfolio?: string | undefined },
  part: Part,
): Promise<Page<PropertyRow>> {
  const which = portfolio === undefined ? undefined : eq(properties.portfolio, portfolio);
  return pages.read(database, 'd1.property.find', which, part);
}

/** Reads what a statement selects of a property, or says that there is none. One round trip. */
export async function readOfProperty<S extends Statement>(
  database: Database,
  span: D1Span,
  propertyId: string,
  statement: S,
): Promise<Result<{ readonly property: PropertyRow; readonly rows: S['_']['result'] }, Failure>> {
  const [[property], rows] = await database.batch(span, [selectProperty(propertyId), statement]);
  return property ? ok({ property, rows }) : err(propertyNotFound());
}
