/** Decline codes that say little by themselves, in plain words. */
const words: Readonly<Record<string, string>> = {
  generic_decline: 'The bank gave no reason',
  do_not_honor: 'The bank gave no reason',
  authentication_required: 'The bank wants to verify the guest',
  card_velocity_exceeded: 'The card has reached its limit',
  withdrawal_count_limit_exceeded: 'The card has reached its limit',
  incorrect_cvc: 'Wrong security code',
  invalid_cvc: 'Wrong security code',
  incorrect_number: 'Wrong card number',
  invalid_number: 'Wrong card number',
  pickup_card: 'The bank blocked the card',
  fraudulent: 'The acquirer suspects fraud',
};

/** Why a bank declined, for the staff; `insufficient_funds` is “Insufficient funds”. */
export function declineWords(declineCode: string | null): string {
  if (declineCode === null) return 'The bank gave no reason';
  const plain = declineCode.replaceAll('_', ' ');
  return words[declineCode] ?? plain.charAt(0).toUpperCase() + plain.slice(1);
}
