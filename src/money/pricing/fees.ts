import { type Failure, fieldFailure, fieldIssue } from '../../core/failure.ts';
import { err, ok, type Result } from '../../core/result.ts';
import {
  type FeeTerms,
  feeTermsFor,
  NO_FEES,
  type PayingCard,
} from '../../records/properties/rules/feeTerms.ts';
import type { JudgedProperty } from '../../records/properties/rules/lawfulFees.ts';
import {
  allowedFeesMinor,
  basisPointsOf,
  lawOn,
  type SurchargeLaw,
} from '../../records/properties/rules/surchargeLaw.ts';
import { highestCardFeeMinor, type Priced } from '../../records/properties/rules/takenPrice.ts';
import { feeLawOf } from '../../records/properties/rules.ts';
import type { TransactionRow } from '../../schema/moneyTables.ts';

type GrossUpTerms = Pick<FeeTerms, 'cardFeeBasisPoints' | 'transactionFeeMinor'>;

/**
 * Prices a charge by gross-up (interface: Fees): the card fee is a share of the gross amount, so that the requested
 * amount and the transaction fee are left after it. The gross amount is rounded half up.
 */
export function grossUp(requestedMinor: number, terms: GrossUpTerms): Priced {
  const { transactionFeeMinor } = terms;
  const net = BigInt(requestedMinor + transactionFeeMinor);
  const share = BigInt(10_000 - terms.cardFeeBasisPoints);
  const amountMinor = Number((net * 20_000n + share) / (2n * share));
  const cardFeeMinor = amountMinor - requestedMinor - transactionFeeMinor;
  return { requestedMinor, transactionFeeMinor, cardFeeMinor, amountMinor };
}

/**
 * Prices a charge by its terms, for an acquirer that takes only multiples of `stepMinor`: the amount is rounded up to one,
 * or down where the highest card fee is reached, and the card fee takes the difference. An amount whose card fee cannot
 * take it is an `amount_precision` failure.
 */
export function price(requestedMinor: number, terms: FeeTerms, stepMinor: number): Result<Priced> {
  const { transactionFeeMinor } = terms;
  const netMinor = requestedMinor + transactionFeeMinor;
  const highestMinor = highestCardFeeMinor(terms);
  const exactMinor = netMinor + Math.min(plainCardFeeMinor(requestedMinor, terms), highestMinor);
  const upMinor = Math.ceil(exactMinor / stepMinor) * stepMinor;
  const amountMinor = upMinor - netMinor <= highestMinor ? upMinor : upMinor - stepMinor;
  const cardFeeMinor = amountMinor - netMinor;
  if (cardFeeMinor < 0) return err(tooFine());
  return ok({ requestedMinor, transactionFeeMinor, cardFeeMinor, amountMinor });
}

/** The card fee by rate and method alone, rounded half up. */
function plainCardFeeMinor(requestedMinor: number, terms: FeeTerms): number {
  if (terms.method === 'grossUp') return grossUp(requestedMinor, terms).cardFeeMinor;
  const share = BigInt(requestedMinor) * BigInt(terms.cardFeeBasisPoints);
  return Number((share + 5_000n) / 10_000n);
}

/**
 * The price of an amount without fees that was asked for when it had some: what the acquirer's step needs is left of the
 * card fee. Nothing is left where the amount is a multiple of the step.
 */
export function withoutFees(requestedMinor: number, stepMinor: number): Priced {
  const amountMinor = Math.ceil(requestedMinor / stepMinor) * stepMinor;
  const cardFeeMinor = amountMinor - requestedMinor;
  return { requestedMinor, transactionFeeMinor: 0, cardFeeMinor, amountMinor };
}

/** The failure of an amount that the acquirer cannot take, because it is no multiple of the acquirer's step. */
export function tooFine(): Failure {
  const message = 'is finer than the gateway takes in this currency';
  return fieldFailure([fieldIssue('amount', 'amount_precision', message)]);
}

export function termsColumns(terms: FeeTerms) {
  return {
    feeBasisPoints: terms.cardFeeBasisPoints,
    feeMethod: terms.method,
    feeMaximumMinor: terms.maximumMinor,
  };
}

export function termsOf(row: TransactionRow): FeeTerms {
  return {
    cardFeeBasisPoints: row.feeBasisPoints,
    method: row.feeMethod,
    maximumMinor: row.feeMaximumMinor,
    transactionFeeMinor: row.transactionFeeMinor,
  };
}

export interface PricedCharge {
  readonly requestedMinor: number;
  readonly purpose: TransactionRow['purpose'];
  readonly virtualCard: boolean;
}

/** When a charge is priced, and the step of the amounts that its acquirer takes. */
export interface PricingMoment {
  readonly atMs: number;
  readonly stepMinor: number;
  /** Those that this service knows if left out. */
  readonly laws?: readonly SurchargeLaw[];
}

export interface LawfulPrice {
  readonly priced: Priced;
  readonly terms: FeeTerms;
  /** The law on the card at that time, whatever the property does about it; null if there is none. */
  readonly law: SurchargeLaw | null;
  readonly warnings: readonly 'surcharge_not_allowed'[];
}

/** The price of a charge, and the index of the fee rule that fits it; null if the property's own rates count. */
export interface ChargePrice extends LawfulPrice {
  readonly rule: number | null;
}

/**
 * Prices a charge on a card at an instant, by the property's rules (interface: Fee rules) and the law (interface:
 * Surcharge law). Fails with `amount_precision` if the acquirer cannot take the amount.
 */
export function priceCharge(
  property: JudgedProperty,
  card: PayingCard,
  { requestedMinor, purpose, virtualCard }: PricedCharge,
  moment: PricingMoment,
): Result<ChargePrice> {
  const { brand, funding, issuerCountry } = card;
  const charged = { brand, funding, issuerCountry, virtual: virtualCard };
  const { terms, rule } = feeTermsFor(property, charged, purpose, moment.atMs);
  const lawful = priceUnderLaw(property, card, requestedMinor, terms, moment);
  return lawful.ok ? ok({ ...lawful.value, rule }) : lawful;
}

/**
 * Prices an amount by terms and by what the property does about the law: it takes what is allowed at most, or warns of
 * more.
 */
export function priceUnderLaw(
  property: JudgedProperty,
  card: PayingCard,
  requestedMinor: number,
  terms: FeeTerms,
  moment: PricingMoment,
): Result<LawfulPrice> {
  const { stepMinor } = moment;
  const { law, mostMinor } = limitOn(property, card, requestedMinor, moment);
  const plain = price(requestedMinor, terms, stepMinor);
  const isLawful = plain.ok && isWithin(mostMinor, plain.value);
  const enforces = !isLawful && feeLawOf(property) === 'enforce';
  const lawful = enforces ? termsAllowed(law, mostMinor) : null;
  const priced = lawful === null ? plain : price(requestedMinor, lawful, stepMinor);
  if (!priced.ok) return priced;
  const warnings = warningsOf(property, isLawful);
  return ok({ priced: priced.value, terms: lawful ?? terms, law, warnings });
}

/** Warns of a price whose fees the law does not allow at that time, if the property wants that. */
export function surchargeWarnings(
  property: JudgedProperty,
  card: PayingCard,
  priced: ChargedAmounts,
  moment: PricingMoment,
): LawfulPrice['warnings'] {
  const { mostMinor } = limitOn(property, card, priced.requestedMinor, moment);
  return warningsOf(property, isWithin(mostMinor, priced));
}

function warningsOf(property: JudgedProperty, isLawful: boolean): LawfulPrice['warnings'] {
  return isLawful || feeLawOf(property) !== 'warn' ? [] : ['surcharge_not_allowed'];
}

type ChargedAmounts = Pick<Priced, 'requestedMinor' | 'amountMinor'>;

/** The law on a payment, and the most that both fees together may be by it; null where this service knows no limit. */
function limitOn(
  { country }: JudgedProperty,
  card: PayingCard,
  requestedMinor: number,
  { atMs, laws }: PricingMoment,
): { readonly law: SurchargeLaw | null; readonly mostMinor: number | null } {
  const law = lawOn(country, card, atMs, laws);
  return { law, mostMinor: law && allowedFeesMinor(law.allowed, requestedMinor) };
}

function isWithin(mostMinor: number | null, { requestedMinor, amountMinor }: ChargedAmounts) {
  return mostMinor === null || amountMinor - requestedMinor <= mostMinor;
}

/** The highest terms that a law allows; null where it sets no limit that this service knows. */
function termsAllowed(law: SurchargeLaw | null, maximumMinor: number | null): FeeTerms | null {
  if (law === null || law.allowed === 'cost') return null;
  if (law.allowed === 'none') return NO_FEES;
  const cardFeeBasisPoints = basisPointsOf(law.allowed);
  return { cardFeeBasisPoints, method: 'add', maximumMinor, transactionFeeMinor: 0 };
}
