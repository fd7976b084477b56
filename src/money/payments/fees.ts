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
 * amount and the transaction fee are left after it. The gross amount is rounded half up.
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
