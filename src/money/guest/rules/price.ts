import { ok, type Result } from '../../../core/result.ts';
import { isInForce, takesNoFee } from '../../../records/properties/rules/feeTerms.ts';
import type { Priced } from '../../../records/properties/rules/takenPrice.ts';
import { feeLawOf } from '../../../records/properties/rules.ts';
import type { TransactionRow } from '../../../schema/moneyTables.ts';
import {
  type QuoteFacts,
  quotePayment,
  withDescribedCard,
} from '../../payments/rules/quotePayment.ts';
import type { CardToCharge } from '../../payments/rules.ts';

/** What a guest pays, in minor units without fees, or what is charged to their new card at once. */
type ToPrice = Pick<TransactionRow, 'requestedMinor' | 'purpose'>;

type PriceFacts = Omit<QuoteFacts<CardToCharge>, 'requestedCard'>;

/** The price of a guest's payment on one of their cards, as its quote says it. */
export function priceOnCard(
  { requestedMinor, purpose }: ToPrice,
  facts: PriceFacts,
  requestedCard: CardToCharge | null,
): Result<Priced> {
  const quote = quotePayment(
    {
      kind: 'charge',
      atMs: facts.nowMs,
      currency: facts.state.booking.currency,
      requestedMinor,
      purpose,
      virtualCard: false,
      description: null,
      cardToken: requestedCard?.token ?? null,
    },
    { ...facts, requestedCard },
  );
  return quote.ok ? ok(quote.value.priced) : quote;
}

/** A brand that no property sets a fee for. */
const ANY_BRAND = 'other';

/**
 * The price of a guest's payment on a card that is not there yet, of this brand or of an unknown one; null where that
 * depends on the card.
 */
export function priceOfNewCard(
  payment: ToPrice,
  facts: PriceFacts,
  brand: string | null,
): Result<Priced | null> {
  const { property } = facts.state;
  const rules = property.feeRules.filter((rule) => isInForce(rule, facts.nowMs));
  const dependsOnMore =
    feeLawOf(property) === 'enforce' ||
    rules.some(({ funding, issuerCountries }) => funding ?? issuerCountries);
  if (dependsOnMore && !takesNoFee(property, rules)) return ok(null);
  const named = rules.flatMap(({ brands = [] }) => brands);
  const brands =
    brand === null ? [ANY_BRAND, ...Object.keys(property.cardFeeByBrand), ...named] : [brand];
  const prices = brands.map((one) => {
    const card = { brand: one, funding: 'unknown', issuerCountry: null } as const;
    return priceOnCard(payment, { ...facts, state: withDescribedCard(facts.state, card) }, null);
  });
  const [first] = prices;
  if (!first?.ok) return first ?? ok(null);
  const isSame = prices.every(
    (price) => price.ok && price.value.amountMinor === first.value.amountMinor,
  );
  return isSame ? first : ok(null);
}
