import { type Failure, failure } from '../../core/failure.ts';
import { DAY_MS } from '../../core/time.ts';
import type { PropertyRow } from '../../schema/propertyTables.ts';

/** The card fee of a property for a brand, in basis points of the gross amount. */
export function cardFeeBasisPoints(
  property: Pick<PropertyRow, 'cardFeeBasisPoints' | 'cardFeeByBrand'>,
  brand: string,
): number {
  return property.cardFeeByBrand[brandName(brand)] ?? property.cardFeeBasisPoints;
}

/** The brands that fee rules can name. */
export const BRANDS = [
  'visa',
  'mastercard',
  'amex',
  'eftpos',
  'maestro',
  'diners',
  'discover',
  'jcb',
  'unionpay',
  'cartes_bancaires',
  'elo',
  'hiper',
  'hipercard',
  'mir',
  'naranja',
  'troy',
  'verve',
  'unknown',
] as const;

/** A brand as settings and laws name it: an acquirer has a name of its own for eftpos. */
export function brandName(brand: string): string {
  return brand === 'eftpos_au' ? 'eftpos' : brand;
}

/** What a property does about fees that a law forbids: by default it warns where its country is known. */
export function feeLawOf({
  feeLaw,
  country,
}: Pick<PropertyRow, 'feeLaw' | 'country'>): NonNullable<PropertyRow['feeLaw']> {
  return feeLaw ?? (country === null ? 'off' : 'warn');
}

/** The property's name as a channel, for its PMS: by default the first label of its site. */
export function channelCodeOf(property: Pick<PropertyRow, 'channelCode' | 'site'>): string {
  const { channelCode, site } = property;
  return channelCode ?? site.split('.', 1)[0] ?? site;
}

/** The failure for an unknown property id. */
export function propertyNotFound(): Failure {
  return failure('property_not_found', 'There is no such property.');
}

/** How many days ahead a card's expiry is warned of, where the property does not say when to remind its guests. */
const USUAL_WARNING_DAYS = 14;

/** How long before a scheduled charge its card's expiry is warned of, and its guest reminded; in milliseconds. */
export function expiryWarningMs(settings: PropertyRow['cardRecovery']): number {
  return (settings?.askDaysBefore ?? USUAL_WARNING_DAYS) * DAY_MS;
}
