import { capitalisedBrand } from '../../core/cardNumbers.ts';
import type { RefundRow, TransactionRow } from '../../schema/moneyTables.ts';

/** Why a bank declines, in plain words, by the acquirer's decline code; each completes "the bank says:". */
const declines: Readonly<Record<string, string>> = {
  insufficient_funds: 'not enough money on the card',
  generic_decline: 'no reason given',
  do_not_honor: 'no reason given',
  expired_card: 'the card has expired',
  lost_card: 'the card was reported lost',
  stolen_card: 'the card was reported stolen',
  pickup_card: 'the card is blocked',
  invalid_number: 'the card number is not known',
  incorrect_number: 'the card number is not known',
  incorrect_cvc: 'the security code is wrong',
  invalid_cvc: 'the security code is wrong',
  authentication_required: 'the guest has to confirm the payment',
  card_velocity_exceeded: 'the card has reached its limit',
  currency_not_supported: 'the card cannot pay in this currency',
  resolved_by_hand: 'settled by hand',
};

/** Why a card was declined, in plain words; a code that nobody has words for stands for itself. */
export function declineCopy(declineCode: string | null): string {
  if (declineCode === null) return 'no reason given';
  return declines[declineCode] ?? declineCode.replaceAll('_', ' ');
}

/** A detail of the audit trail: a decline code in plain words, anything else as it stands. */
export function detailCopy(detail: string | null): string | null {
  return detail !== null && Object.hasOwn(declines, detail) ? declineCopy(detail) : detail;
}

/** A card for people. */
export function cardCopy({
  brand,
  last4,
}: {
  readonly brand: string | null;
  readonly last4: string | null;
}): string {
  return brand === null || last4 === null
    ? 'The booking’s card'
    : `${capitalisedBrand(brand)} ${last4}`;
}

/** What people call a kind of payment. */
export const kindCopy = {
  charge: 'Payment',
  schedule: 'Scheduled charge',
  authorization: 'Hold',
} as const satisfies Record<TransactionRow['kind'], string>;

/** The state of a payment, with the reason where it was declined. */
export function statusCopy({
  attempts,
  declineCode,
  status,
}: Pick<TransactionRow, 'attempts' | 'declineCode' | 'status'>): string {
  if (status === 'Processing') return 'No answer yet';
  if (status === 'Declined') return `Declined: ${declineCopy(declineCode)}`;
  if (status !== 'Pending') return status;
  return attempts > 0
    ? `Scheduled again after a decline: ${declineCopy(declineCode)}`
    : 'Scheduled';
}

/** The state of a refund. */
export const refundStatusCopy = {
  Processing: 'No answer yet',
  Refunded: 'Refunded: on its way to the card, which can take up to ten days',
  Failed: 'Failed: the money did not go back',
} as const satisfies Record<RefundRow['status'], string>;
