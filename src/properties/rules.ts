import type { PropertyRow } from '../db/propertyTables.ts';

/** The card fee of a property for a brand, in basis points of the gross amount. */
export function cardFeeBasisPoints(
  property: Pick<PropertyRow, 'cardFeeBasisPoints' | 'cardFeeByBrand'>,
  brand: string,
): number {
  return property.cardFeeByBrand[brand] ?? property.cardFeeBasisPoints;
}
