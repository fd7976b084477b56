import { type Failure, fieldFailure } from '../../core/failure.ts';
import { err, ok, type Result } from '../../core/result.ts';

/** The price of a charge, all in minor units: amount = requested + both fees. */
export interface Priced {
  readonly requestedMinor: number;
  readonly transactionFeeMinor: number;
  readonly cardFeeMinor: number;
  readonly amountMinor: number;
}

/** The fees that apply to a charge. */
export interface FeeTerms {
  /** Share of the gross amount, 0 to 9,999. */
  readonly cardFeeBasisPoints: number;
  readonly transactionFeeMinor: number;
}

/** The terms of a virtual card: it is loaded with the exact amount, so it pays no fees. */
export const NO_FEES: FeeTerms = { cardFeeBasisPoints: 0, transactionFeeMinor: 0 };

/**
 * Prices a charge by gross-up (interface: Fees): the card fee is a share of the gross amount, so that the requested
 * amount and the transaction fee are left after it. The gross amount is rounded half up; where the acquirer takes only
 * multiples of `stepMinor`, it is rounded up to one, and the card fee takes the difference.
 */
export function grossUp(requestedMinor: number, terms: FeeTerms, stepMinor = 1): Priced {
  const net = BigInt(requestedMinor + terms.transactionFeeMinor);
  const share = BigInt(10_000 - terms.cardFeeBasisPoints);
  const grossMinor = Number((net * 20_000n + share) / (2n * share));
  const amountMinor = Math.ceil(grossMinor / stepMinor) * stepMinor;
  return {
    requestedMinor,
    transactionFeeMinor: terms.transactionFeeMinor,
    cardFeeMinor: amountMinor - requestedMinor - terms.transactionFeeMinor,
    amountMinor,
  };
}

/**
 * Prices a charge for an acquirer that takes only multiples of `stepMinor`. An amount without a card fee that could take
 * the difference is an `amount_precision` failure.
 */
export function price(
  requestedMinor: number,
  terms: FeeTerms,
  stepMinor: number,
): Result<Priced, Failure> {
  const priced = grossUp(requestedMinor, terms, stepMinor);
  const carries = terms.cardFeeBasisPoints > 0 || priced.cardFeeMinor === 0;
  return carries ? ok(priced) : err(tooFine());
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
  const { transactionFeeMinor, cardFeeBasisPoints } = terms;
  const keptMinor = Math.round((amountMinor * (10_000 - cardFeeBasisPoints)) / 10_000);
  const requestedMinor = keptMinor - transactionFeeMinor;
  if (requestedMinor <= 0) {
    return { requestedMinor: amountMinor, transactionFeeMinor: 0, cardFeeMinor: 0, amountMinor };
  }
  return {
    requestedMinor,
    transactionFeeMinor,
    cardFeeMinor: amountMinor - keptMinor,
    amountMinor,
  };
}
