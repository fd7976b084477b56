import { type Failure, fieldFailure } from '../../core/failure.ts';
import { err, ok, type Result } from '../../core/result.ts';
import type { FeeTerms } from '../../records/properties/feeTerms.ts';

/** The price of a charge, all in minor units: amount = requested + both fees. */
export interface Priced {
  readonly requestedMinor: number;
  readonly transactionFeeMinor: number;
  readonly cardFeeMinor: number;
  readonly amountMinor: number;
}

/** The terms that a gross-up needs. */
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
export function price(
  requestedMinor: number,
  terms: FeeTerms,
  stepMinor: number,
): Result<Priced, Failure> {
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

/** The highest card fee that terms allow. Without a rate there is none. */
function highestCardFeeMinor({ cardFeeBasisPoints, maximumMinor }: FeeTerms): number {
  return cardFeeBasisPoints === 0 ? 0 : (maximumMinor ?? Number.POSITIVE_INFINITY);
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
  return fieldFailure([
    {
      field: 'amount',
      code: 'amount_precision',
      message: 'is finer than the gateway takes in this currency',
    },
  ]);
}

/**
 * Prices an amount that the acquirer took on its own terms, such as a capture of another amount than asked: the fees are
 * those of a capture of that amount. An amount too small for the fees has none.
 */
export function priceTaken(amountMinor: number, terms: FeeTerms): Priced {
  const { transactionFeeMinor } = terms;
  const plainMinor = cardFeeOfTakenMinor(amountMinor, terms);
  const cardFeeMinor = Math.min(plainMinor, highestCardFeeMinor(terms));
  const requestedMinor = amountMinor - cardFeeMinor - transactionFeeMinor;
  return requestedMinor > 0
    ? { requestedMinor, transactionFeeMinor, cardFeeMinor, amountMinor }
    : { requestedMinor: amountMinor, transactionFeeMinor: 0, cardFeeMinor: 0, amountMinor };
}

/** The card fee within an amount that was taken, by rate and method alone. */
function cardFeeOfTakenMinor(amountMinor: number, terms: FeeTerms): number {
  const { cardFeeBasisPoints, transactionFeeMinor } = terms;
  if (terms.method === 'grossUp') {
    return amountMinor - Math.round((amountMinor * (10_000 - cardFeeBasisPoints)) / 10_000);
  }
  const netMinor = amountMinor - transactionFeeMinor;
  return netMinor - Math.round((netMinor * 10_000) / (10_000 + cardFeeBasisPoints));
}
