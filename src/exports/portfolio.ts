import { type SQL, sql } from 'drizzle-orm';

/** The properties of a portfolio that live in the database (`property`), for a `WHERE`: what moves away is in the other one. */
export function isOfPortfolio(portfolio: string): SQL {
  return sql`property.portfolio = ${portfolio} AND property.id NOT IN (SELECT property_id FROM moving_properties WHERE state IN ('arriving', 'left'))`;
}
