import { eq } from 'drizzle-orm';
import { err, ok, type Result } from '../../core/result.ts';
import type { D1Span, Database, Statement } from '../../platform/db/database.ts';
import { inOrder, type Page, type Part, pageOf, pagesOf } from '../../platform/db/page.ts';
import { type PropertyRow, properties } from '../../schema/propertyTables.ts';
import { propertyNotFound } from './rules.ts';
import { findProperty, selectProperty } from './store.ts';

/** Finds a property, or says that there is none. One round trip. */
export async function readProperty(database: Database, id: string): Promise<Result<PropertyRow>> {
  const property = await findProperty(database, id);
  return property ? ok(property) : err(propertyNotFound());
}

const pages = pagesOf(properties, 'descending', ['createdAtMs', 'id']);

/** A property, and the name of the database where it lives. */
export interface Housed {
  readonly property: PropertyRow;
  readonly home: string;
}

/** Lists properties, newest first (interface: List properties). One round trip to each database. */
export async function listProperties(
  database: Database,
  { portfolio }: { readonly portfolio?: string | undefined },
  part: Part,
): Promise<Page<Housed>> {
  const which = portfolio === undefined ? undefined : eq(properties.portfolio, portfolio);
  const found = await database.everywhere('d1.property.find', [pages.select(which, part)]);
  const housed = found.flatMap(([rows], index) =>
    rows.map((property) => ({ property, home: database.each[index]?.name ?? '' })),
  );
  const keyOf = ({ property: { createdAtMs, id } }: Housed) => [createdAtMs, id];
  return pageOf(inOrder('descending', housed, keyOf), part.limit, keyOf);
}

/** Reads what a statement selects of a property, or says that there is none. One round trip. */
export async function readOfProperty<S extends Statement>(
  database: Database,
  span: D1Span,
  propertyId: string,
  statement: S,
): Promise<Result<{ readonly property: PropertyRow; readonly rows: S['_']['result'] }>> {
  const [[property], rows] = await database
    .of(propertyId)
    .batch(span, [selectProperty(propertyId), statement]);
  return property ? ok({ property, rows }) : err(propertyNotFound());
}
