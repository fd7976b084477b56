const BLOCKED = 'The bank no longer allows payments with this card.';
const WRONG_NUMBER = 'The bank does not know this card number.';
const WRONG_SECURITY_CODE = 'The security code does not match this card.';

/** What the page says about a declined card, by the acquirer's decline code. */
const declines: Readonly<Record<string, string>> = {
  insufficient_funds: 'The card does not have enough funds, or it has reached its limit.',
  expired_card: 'The card has expired.',
  lost_card: BLOCKED,
  stolen_card: BLOCKED,
  pickup_card: BLOCKED,
  invalid_number: WRONG_NUMBER,
  incorrect_number: WRONG_NUMBER,
  incorrect_cvc: WRONG_SECURITY_CODE,
  invalid_cvc: WRONG_SECURITY_CODE,
  authentication_required:
    'Your bank did not confirm that it was you. You can pay again and confirm it with your bank.',
  card_velocity_exceeded: 'The card has reached its limit.',
  currency_not_supported: 'The card cannot be charged in this currency.',
};

/** Explains to a guest why a card was declined. */
export function declineCopy(declineCode: string | null): string {
  return declines[declineCode ?? ''] ?? 'The bank did not give a reason.';
}

/** Explains to a guest why the bank declined a card that was to be added. This page cannot send them to their bank. */
export function declinedCardCopy(declineCode: string | null): string {
  return declineCode === 'authentication_required'
    ? 'Your bank declined this card. It needs to verify you, which this page cannot ask for. Nothing was charged. Please use another card, or contact the property.'
    : `Your bank declined this card. ${declineCopy(declineCode)} Nothing was charged. Please check the card or use another one.`;
}

/** How guests call the purpose of a charge. */
export const purposeCopy = {
  Deposit: 'Deposit',
  Balance: 'Payment',
  Bond: 'Bond',
  Manual: 'Payment',
} as const;
