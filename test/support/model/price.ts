import type { BookingModel, CardState, Payment, Priced } from './state.ts';

/** The terms that an amount is priced with. */
export interface FeeTerms {
  readonly basisPoints: number;
  readonly fixedFeeMinor: number;
}

const FREE: FeeTerms = { basisPoints: 0, fixedFeeMinor: 0 };

/** What the property takes now for a payment on this card. A virtual card costs nothing. */
export function termsNow(
  { terms }: BookingModel,
  { brand }: Pick<CardState, 'brand'>,
  virtual: boolean,
): FeeTerms {
  if (virtual) return FREE;
  return {
    basisPoints: terms.cardFeeByBrand[brand] ?? terms.cardFeeBasisPoints,
    fixedFeeMinor: terms.transactionFeeMinor,
  };
}

/** The gross-up (interface: Fees), rounded half up: amounts here are small enough for plain numbers. */
export function price(requestedMinor: number, { basisPoints, fixedFeeMinor }: FeeTerms): Priced {
  const net = (requestedMinor + fixedFeeMinor) * 10_000;
  return { requestedMinor, amountMinor: roundHalfUp(net, 10_000 - basisPoints) };
}

/** What was taken on the acquirer's own terms: with the fees of that amount, and none where it is too little for them. */
export function takenPrice(amountMinor: number, { basisPoints, fixedFeeMinor }: FeeTerms): Priced {
  const withoutCardFee = roundHalfUp(amountMinor * (10_000 - basisPoints), 10_000);
  const requestedMinor = withoutCardFee - fixedFeeMinor;
  return { requestedMinor: requestedMinor > 0 ? requestedMinor : amountMinor, amountMinor };
}

function roundHalfUp(numerator: number, denominator: number): number {
  return Math.floor((2 * numerator + denominator) / (2 * denominator));
}

/** A schedule costs no more than when it was made, and less where it would cost less by now (interface: Fees). */
export function takeLowerFee(model: BookingModel, payment: Payment, card: CardState): void {
  const terms = termsNow(model, card, payment.virtual);
  const { amountMinor } = price(payment.requestedMinor, terms);
  if (amountMinor < payment.amountMinor) Object.assign(payment, { ...terms, amountMinor });
}
