/** How the sandbox acquirer treats a card. The vault keeps this in place of the number. */
export type CardBehaviour =
  | { readonly kind: 'accept' }
  | { readonly kind: 'decline'; readonly declineCode: string; readonly retryable: boolean }
  | { readonly kind: 'error' }
  | { readonly kind: 'answer-lost'; readonly executes: boolean }
  | { readonly kind: 'slow'; readonly delayMs: number }
  | { readonly kind: 'refunds-fail' }
  | { readonly kind: 'decline-first' };

const ACCEPT: CardBehaviour = { kind: 'accept' };

const testCards: ReadonlyMap<string, CardBehaviour> = new Map([
  ['4242424242424242', ACCEPT],
  ['4111111111111111', ACCEPT],
  ['5555555555554444', ACCEPT],
  ['378282246310005', ACCEPT],
  ['4000000000000002', decline('generic_decline', true)],
  ['4000000000009995', decline('insufficient_funds', true)],
  ['4000000000009987', decline('lost_card', false)],
  ['4000000000000069', decline('expired_card', false)],
  ['4000000000000119', { kind: 'error' }],
  ['4000000000009003', { kind: 'answer-lost', executes: true }],
  ['4000000000009102', { kind: 'answer-lost', executes: false }],
  ['4000000000009201', { kind: 'slow', delayMs: 5_000 }],
  ['4000000000005126', { kind: 'refunds-fail' }],
  ['4000000000009300', { kind: 'decline-first' }],
]);

/** The behaviour of a card number. The sandbox permanently declines numbers that are not test cards. */
export function behaviourOf(cardNumber: string): CardBehaviour {
  return testCards.get(cardNumber) ?? decline('invalid_number', false);
}

function decline(declineCode: string, retryable: boolean): CardBehaviour {
  return { kind: 'decline', declineCode, retryable };
}
