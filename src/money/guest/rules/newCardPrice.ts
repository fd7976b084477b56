import type { Failure } from '../../../core/failure.ts';
import { ok, type Result } from '../../../core/result.ts';
import type { BookingState } from '../../../records/bookings/rules.ts';
import { isInForce, type PayingCard } from '../../../records/properties/rules/feeTerms.ts';
import type { Priced } from '../../../records/properties/rules/takenPrice.ts';
import { feeLawOf } from '../../../records/properties/rules.ts';
import type { PricingMoment } from '../../pricing/surcharge.ts';
import { type GuestPayment, guestPrice } from '../rules.ts';

/** A brand that no property sets a fee for. */
const ANY_BRAND = 'other';

/**
 * The price of a guest's payment on a card that is not there yet, of this brand or of an unknown one; null where that
 * depends on the card.
 */
export function priceOfNewCard(
  { property }: Pick<BookingState, 'property'>,
  brand: string | null,
  payment: Pick<GuestPayment, 'requestedMinor' | 'purpose'>,
  moment: PricingMoment,
): Result<Priced | null, Failure> {
  const rules = property.feeRules.filter((rule) => isInForce(rule, moment.atMs));
  const isTold = rules.some(({ funding, issuerCountries }) => funding ?? issuerCountries);
  if (isTold || feeLawOf(property) === 'enforce') return ok(null);
  const named = rules.flatMap(({ brands = [] }) => brands);
  const brands =
    brand === null ? [ANY_BRAND, ...Object.keys(property.cardFeeByBrand), ...named] : [brand];
  const prices = brands.map((one) => guestPrice({ property }, cardOf(one), payment, moment));
  const [first] = prices;
  if (!first?.ok) return first ?? ok(null);
  const isSame = prices.every(
    (price) => price.ok && price.value.amountMinor === first.value.amountMinor,
  );
  return isSame ? first : ok(null);
}

function cardOf(brand: string): PayingCard {
  return { brand, funding: 'unknown', issuerCountry: null };
}
