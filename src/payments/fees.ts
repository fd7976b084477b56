/** What a card is charged and how it divides, all in minor units: amount = requested + both fees. */
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

/** No fees: what a virtual card is charged, since it is loaded with the exact amount. */
export const NO_FEES: FeeTerms = { cardFeeBasisPoints: 0, transactionFeeMinor: 0 };

/**
 * Prices a charge by gross-up (decisions: section 5): the card fee is a share of the gross amount, so that
 * what is left after it is the requested amount and the transaction fee. Rounded half up.
 */
export function grossUp(requestedMinor: number, terms: FeeTerms): Priced {
  const net = BigInt(requestedMinor + terms.transactionFeeMinor);
  const share = BigInt(10_000 - terms.cardFeeBasisPoints);
  const amountMinor = Number((net * 20_000n + share) / (2n * share));
  return {
    requestedMinor,
    transactionFeeMinor: terms.transactionFeeMinor,
    cardFeeMinor: amountMinor - requestedMinor - terms.transactionFeeMinor,
    amountMinor,
  };
}
