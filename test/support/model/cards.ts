/** The acquirer's test cards as documented (interface: Test cards), repeated here so that the model trusts no code of `src`. */

/** What a card does, whichever it is. */
export type Behaviour =
  | { readonly does: 'accept' }
  | { readonly does: 'decline'; readonly code: string; readonly retryable: boolean }
  | { readonly does: 'decline once' }
  | { readonly does: 'error' }
  | { readonly does: 'charge, answer lost' }
  | { readonly does: 'nothing, answer lost' }
  | { readonly does: 'refuse refunds' }
  /** Too many requests: refused twice. */
  | { readonly does: 'refuse twice'; readonly retryAfterMs: number }
  /** Its bank asks at every payment: a hard decline while no guest is there. */
  | { readonly does: 'ask the bank' }
  /** The cardholder disputes every charge at once. */
  | { readonly does: 'dispute' }
  /** Its issuer renewed it: it outlives its month. */
  | { readonly does: 'accept expired' };

export interface TestCard {
  readonly number: string;
  readonly brand: 'visa' | 'mastercard' | 'amex';
  readonly behaviour: Behaviour;
  /** How often the generator takes it, beside the others. */
  readonly weight: number;
}

const visa = (number: string, weight: number, behaviour: Behaviour): TestCard => ({
  number,
  brand: 'visa',
  behaviour,
  weight,
});

export const testCards: readonly TestCard[] = [
  visa('4242424242424242', 6, { does: 'accept' }),
  { number: '5555555555554444', brand: 'mastercard', behaviour: { does: 'accept' }, weight: 3 },
  { number: '378282246310005', brand: 'amex', behaviour: { does: 'accept' }, weight: 3 },
  visa('4000000000000002', 3, decline('generic_decline', true)),
  visa('4000000000009995', 1, decline('insufficient_funds', true)),
  visa('4000000000009987', 1, decline('lost_card', false)),
  visa('4000002760003184', 3, { does: 'ask the bank' }),
  visa('4000000000000119', 1, { does: 'error' }),
  visa('4000000000009425', 4, { does: 'refuse twice', retryAfterMs: 1_000 }),
  visa('4000000000000259', 3, { does: 'dispute' }),
  visa('4000000000003410', 2, { does: 'accept expired' }),
  visa('4000000000009300', 4, { does: 'decline once' }),
  visa('4000000000009003', 4, { does: 'charge, answer lost' }),
  visa('4000000000009102', 4, { does: 'nothing, answer lost' }),
  visa('4000000000005126', 5, { does: 'refuse refunds' }),
];

function decline(code: string, retryable: boolean): Behaviour {
  return { does: 'decline', code, retryable };
}
