import { instantOf } from '../../../core/time.ts';
import type { CardRow } from '../../../schema/cardTables.ts';
import type { TransactionRow } from '../../../schema/moneyTables.ts';
import type { FeeRule, PropertyRow } from '../../../schema/propertyTables.ts';
import { brandName, cardFeeBasisPoints } from '../rules.ts';

/** The fees that apply to a charge. */
export interface FeeTerms {
  /** The rate of the card fee, 0 to 9,999: of the gross amount with `grossUp`, of the requested amount with `add`. */
  readonly cardFeeBasisPoints: number;
  readonly method: FeeRule['method'];
  /** The highest card fee, in minor units; null for none. */
  readonly maximumMinor: number | null;
  readonly transactionFeeMinor: number;
}

export const NO_FEES: FeeTerms = {
  cardFeeBasisPoints: 0,
  method: 'grossUp',
  maximumMinor: null,
  transactionFeeMinor: 0,
};

/** What fees and laws depend on of a card. */
export type PayingCard = Pick<CardRow, 'brand' | 'funding' | 'issuerCountry'>;

export interface ChargedCard extends PayingCard {
  /** A virtual card is loaded with the exact amount, so it pays no fees. */
  readonly virtual: boolean;
}

export type FeeSettings = Pick<
  PropertyRow,
  'cardFeeBasisPoints' | 'cardFeeByBrand' | 'transactionFeeMinor' | 'feeRules'
>;

/** The fee terms of a charge, and the index of the rule that they come from; null if no rule fits. */
export interface FittingTerms {
  readonly terms: FeeTerms;
  readonly rule: number | null;
}

/** The terms of a charge: those of the first rule that fits, else the property's own rates (interface: Fee rules). */
export function feeTermsFor(
  property: FeeSettings,
  card: ChargedCard,
  purpose: TransactionRow['purpose'],
  atMs: number,
): FittingTerms {
  if (card.virtual) return { terms: NO_FEES, rule: null };
  const index = property.feeRules.findIndex(
    (rule) => fitsCharge(rule, card, purpose) && isInForce(rule, atMs),
  );
  const rule = property.feeRules[index];
  return rule
    ? { terms: termsOfRule(rule), rule: index }
    : { terms: ownTerms(property, card.brand), rule: null };
}

/** Whether no card pays a fee by the property's own rates and these rules of it. */
export function takesNoFee(
  property: Omit<FeeSettings, 'feeRules'>,
  rules: readonly Pick<FeeRule, 'basisPoints' | 'transactionFeeMinor'>[],
): boolean {
  const own = [property.cardFeeBasisPoints, ...Object.values(property.cardFeeByBrand)];
  const inRules = rules.flatMap((rule) => [rule.basisPoints, rule.transactionFeeMinor]);
  return [...own, property.transactionFeeMinor, ...inRules].every((fee) => fee === 0);
}

/** Whether a rule is in force at an instant. Its end is exclusive. */
export function isInForce({ from, until }: FeeRule, atMs: number): boolean {
  const fromMs = instantOf(from ?? '') ?? Number.NEGATIVE_INFINITY;
  const untilMs = instantOf(until ?? '') ?? Number.POSITIVE_INFINITY;
  return fromMs <= atMs && atMs < untilMs;
}

function fitsCharge(
  rule: FeeRule,
  { brand, funding, issuerCountry }: PayingCard,
  purpose: TransactionRow['purpose'],
): boolean {
  return (
    includes(rule.brands, brandName(brand)) &&
    includes(rule.funding, funding) &&
    includes(rule.issuerCountries, issuerCountry) &&
    includes(rule.transactionTypes, purpose)
  );
}

/** A list that is left out fits everything. What is not known of a card fits no list. */
function includes(list: readonly string[] | undefined, value: string | null): boolean {
  return list === undefined || (value !== null && list.includes(value));
}

export function termsOfRule(rule: FeeRule): FeeTerms {
  return {
    cardFeeBasisPoints: rule.basisPoints,
    method: rule.method,
    maximumMinor: rule.maximumMinor ?? null,
    transactionFeeMinor: rule.transactionFeeMinor,
  };
}

export function ownTerms(property: FeeSettings, brand: string): FeeTerms {
  return {
    cardFeeBasisPoints: cardFeeBasisPoints(property, brand),
    method: 'grossUp',
    maximumMinor: null,
    transactionFeeMinor: property.transactionFeeMinor,
  };
}

/** The terms of every rule of a property, and its own rates for any brand. */
export function possibleTerms(property: FeeSettings): FeeTerms[] {
  const brands = ['', ...Object.keys(property.cardFeeByBrand)];
  return [
    ...property.feeRules.map(termsOfRule),
    ...brands.map((brand) => ownTerms(property, brand)),
  ];
}
