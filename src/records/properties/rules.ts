import { type Failure, failure } from '../../core/failure.ts';
import type { PropertyRow } from '../../platform/db/propertyTables.ts';

/** The card fee of a property for a brand, in basis points of the gross amount. */
export function cardFeeBasisPoints(
  property: Pick<PropertyRow, 'cardFeeBasisPoints' | 'cardFeeByBrand'>,
  brand: string,
): number {
  return property.cardFeeByBrand[brand] ?? property.cardFeeBasisPoints;
}

/** The property's name as a channel, for its PMS: by default the first label of its site. */
export function channelCodeOf({
  channelCode,
  site,
}: Pick<PropertyRow, 'channelCode' | 'site'>): string {
  return channelCode ?? site.split('.', 1)[0] ?? site;
}

/** The failure for an unknown property id. */
export function propertyNotFound(): Failure {
  return failure('property_not_found', 'There is no such property.');
}
