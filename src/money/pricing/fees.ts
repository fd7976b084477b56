import { type Failure, fieldFailure } from '../../core/failure.ts';
import { err, ok, type Result } from '../../core/result.ts';
import type { FeeTerms } from '../../records/properties/rules/feeTerms.ts';
import { highestCardFeeMinor, type Priced } from '../../records/properties/rules/takenPrice.ts';
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

/** The columns of a transaction that hold the terms of its card fee. */
export function termsColumns(terms: FeeTerms) {
  return {
    feeBasisPoints: terms.cardFeeBasisPoints,
    feeMethod: terms.method,
    feeMaximumMinor: terms.maximumMinor,
  };
}

/** The fee terms that a transaction was priced with. */
export function termsOf(row: TransactionRow): FeeTerms {
  return {
    cardFeeBasisPoints: row.feeBasisPoints,
    method: row.feeMethod,
    maximumMinor: row.feeMaximumMinor,
    transactionFeeMinor: row.transactionFeeMinor,
  };
}
