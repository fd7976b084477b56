import type { Failure } from '../../core/failure.ts';
import { ok, type Result } from '../../core/result.ts';
import type { BookingState } from '../../records/bookings/rules.ts';
import { isInForce, type PayingCard } from '../../records/properties/feeTerms.ts';
import { feeLawOf } from '../../records/properties/rules.ts';
import type { Balance } from '../balance/balance.ts';
import type { Priced } from '../payments/fees.ts';
import type { PricingMoment } from '../payments/surcharge.ts';
import { guestPrice } from './rules.ts';

/** An amount that the page offers, in minor units without fees (interface: What the page proposes). */
export interface PaymentChoice {
  /** `rest`: all that is due and not scheduled; `all`: that and what is scheduled. */
  readonly name: 'rest' | 'deposit' | 'all';
  readonly amountMinor: number;
}

/** The amounts that the page offers; it proposes the first. What is scheduled is never proposed, only offered. */
export function paymentChoices(
  {
    disputedMinor,
    paidMinor,
    payableMinor,
    proposedMinor,
    scheduledMinor,
    uncertainMinor,
  }: Balance,
  firstNightCostMinor: number,
): PaymentChoice[] {
  const towardsMinor = paidMinor + uncertainMinor + disputedMinor + scheduledMinor;
  const depositMinor = firstNightCostMinor - towardsMinor;
  const choices: PaymentChoice[] = [];
  if (proposedMinor > 0) choices.push({ name: 'rest', amountMinor: proposedMinor });
  if (depositMinor > 0 && depositMinor < proposedMinor) {
    choices.push({ name: 'deposit', amountMinor: depositMinor });
  }
  if (payableMinor > proposedMinor) choices.push({ name: 'all', amountMinor: payableMinor });
  return choices;
}

/** A brand that no property sets a fee for. */
const ANY_BRAND = 'other';

/**
 * The price of a guest's payment on a card that is not there yet, of this brand or of an unknown one; null where that
 * depends on the card.
 */
export function priceOfNewCard(
  { property }: Pick<BookingState, 'property'>,
  brand: string | null,
  requestedMinor: number,
  moment: PricingMoment,
): Result<Priced | null, Failure> {
  const rules = property.feeRules.filter((rule) => isInForce(rule, moment.atMs));
  const isTold = rules.some(({ funding, issuerCountries }) => funding ?? issuerCountries);
  if (isTold || feeLawOf(property) === 'enforce') return ok(null);
  const named = rules.flatMap(({ brands = [] }) => brands);
  const brands =
    brand === null ? [ANY_BRAND, ...Object.keys(property.cardFeeByBrand), ...named] : [brand];
  const prices = brands.map((one) => guestPrice({ property }, cardOf(one), requestedMinor, moment));
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
