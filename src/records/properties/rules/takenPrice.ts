import type { FeeTerms } from './feeTerms.ts';

/** The price of a charge, all in minor units: amount = requested + both fees. */
export interface Priced {
  readonly requestedMinor: number;
  readonly transactionFeeMinor: number;
  readonly cardFeeMinor: number;
  readonly amountMinor: number;
}

/** The highest card fee that terms allow. Without a rate there is none. */
export function highestCardFeeMinor({ cardFeeBasisPoints, maximumMinor }: FeeTerms): number {
  return cardFeeBasisPoints === 0 ? 0 : (maximumMinor ?? Number.POSITIVE_INFINITY);
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
