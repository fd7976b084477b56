/** What a guest is told of a declined card, by the code that the acquirer gave. */
const declines: Readonly<Record<string, string>> = {
  insufficient_funds: 'There is not enough money on the card, or its limit is reached.',
  expired_card: 'The card has expired.',
  lost_card: 'The bank does not allow this card to be used any more.',
  stolen_card: 'The bank does not allow this card to be used any more.',
  pickup_card: 'The bank does not allow this card to be used any more.',
  invalid_number: 'The bank does not know a card with this number.',
  incorrect_number: 'The bank does not know a card with this number.',
  incorrect_cvc: 'The security code is not the one of this card.',
  invalid_cvc: 'The security code is not the one of this card.',
  authentication_required:
    'Your bank wants to see you first. Please add the card again, and confirm it with your bank.',
  card_velocity_exceeded: 'The card’s limit is reached.',
  currency_not_supported: 'The card cannot be charged in this currency.',
};

/** Why a card was declined, in plain words. */
export function declineWords(declineCode: string | null): string {
  return declines[declineCode ?? ''] ?? 'The bank did not say why.';
}

/** What a charge is for, as guests call it. */
export const purposeWords = {
  Deposit: 'Deposit',
  Balance: 'Payment',
  Bond: 'Bond',
  Manual: 'Payment',
} as const;
