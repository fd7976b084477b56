import { DAY_MS, SECOND_MS } from '../../../core/time.ts';
import type { CardTraits } from '../../../gateways/vault.ts';

/** How the sandbox acquirer treats a card. The vault keeps this in place of the number. */
export type CardBehaviour =
  | { readonly kind: 'accept' }
  | { readonly kind: 'decline'; readonly declineCode: string; readonly retryable: boolean }
  | { readonly kind: 'error' }
  | { readonly kind: 'answer-lost'; readonly executes: boolean }
  | { readonly kind: 'slow'; readonly delayMs: number }
  | { readonly kind: 'refunds-fail' }
  | { readonly kind: 'decline-first' }
  /** The first requests are too many: they are refused and leave no record. */
  | { readonly kind: 'too-many-requests'; readonly refusals: number; readonly retryAfterMs: number }
  /** The cardholder's bank wants the cardholder to be present at every payment. */
  | { readonly kind: 'asks-bank' }
  /** The cardholder disputes what was taken at once. */
  | { readonly kind: 'disputed'; readonly reason: string }
  /** Its issuer renewed it in place, so that it outlives its printed expiry. */
  | { readonly kind: 'renewed' }
  /** A virtual card that its issuer declines softly until it is active, by the acquirer's own clock. */
  | { readonly kind: 'not-active-yet'; readonly activeFromMs: number };

interface TestCard {
  readonly behaviour: CardBehaviour;
  readonly traits: CardTraits;
}

const ACCEPT: CardBehaviour = { kind: 'accept' };
const TOO_MANY_REQUESTS: CardBehaviour = {
  kind: 'too-many-requests',
  refusals: 2,
  retryAfterMs: SECOND_MS,
};
const AU_CREDIT: CardTraits = { funding: 'credit', issuerCountry: 'AU' };

const testCards: ReadonlyMap<string, TestCard> = new Map([
  ['4242424242424242', card(ACCEPT, { funding: 'credit', issuerCountry: 'US' })],
  ['4111111111111111', card(ACCEPT, { funding: 'debit', issuerCountry: 'AU' })],
  ['5555555555554444', card(ACCEPT)],
  ['378282246310005', card(ACCEPT, { funding: 'credit', issuerCountry: 'US' })],
  ['4000000000000002', card(decline('generic_decline', true))],
  ['4000000000009995', card(decline('insufficient_funds', true))],
  ['4000000000009987', card(decline('lost_card', false))],
  ['4000000000000069', card(decline('expired_card', false))],
  ['4000000000000119', card({ kind: 'error' })],
  ['4000000000009003', card({ kind: 'answer-lost', executes: true })],
  ['4000000000009102', card({ kind: 'answer-lost', executes: false })],
  ['4000000000009201', card({ kind: 'slow', delayMs: 5 * SECOND_MS })],
  ['4000000000005126', card({ kind: 'refunds-fail' })],
  ['4000000000009300', card({ kind: 'decline-first' })],
  ['4000000000009425', card(TOO_MANY_REQUESTS)],
  ['4000002760003184', card({ kind: 'asks-bank' }, { funding: 'credit', issuerCountry: 'DE' })],
  ['4000000000000259', card({ kind: 'disputed', reason: 'fraudulent' })],
  ['4000000000003410', card({ kind: 'renewed' })],
  ['4000000000007197', card({ kind: 'not-active-yet', activeFromMs: 0 })],
]);

function wordsOf(behaviour: CardBehaviour): string {
  switch (behaviour.kind) {
    case 'accept':
      return 'accepted';
    case 'decline':
      return `declined: ${behaviour.declineCode}, ${behaviour.retryable ? 'may be tried again' : 'for good'}`;
    case 'error':
      return 'the gateway fails: nothing is charged (502)';
    case 'answer-lost':
      return `the answer is lost (504): ${behaviour.executes ? 'it was charged' : 'it was not charged'}; settled within seconds`;
    case 'slow':
      return `accepted after ${behaviour.delayMs / SECOND_MS} seconds`;
    case 'refunds-fail':
      return 'accepted; its refunds fail';
    case 'decline-first':
      return 'declined once, then accepted';
    case 'too-many-requests':
      return 'refused twice for too many requests, then accepted';
    case 'asks-bank':
      return 'its bank asks the guest at every payment: declined where no guest is on a page';
    case 'disputed':
      return `accepted, and disputed at once (${behaviour.reason})`;
    case 'renewed':
      return 'accepted, also after its printed expiry';
    case 'not-active-yet':
      return 'of a virtual card: declined (do_not_honor, may be tried again) until its activeFrom, by real time';
  }
}

/** The test cards, for readers of the documentation. */
export function describedTestCards(): { readonly number: string; readonly what: string }[] {
  return [...testCards].map(([number, { behaviour }]) => ({ number, what: wordsOf(behaviour) }));
}

/**
 * The behaviour of a card number. The sandbox permanently declines numbers that are not test cards. A virtual card is active
 * from `activeFromMs`.
 */
export function behaviourOf(cardNumber: string, activeFromMs = 0): CardBehaviour {
  const behaviour = testCards.get(cardNumber)?.behaviour ?? decline('invalid_number', false);
  return behaviour.kind === 'not-active-yet' ? { ...behaviour, activeFromMs } : behaviour;
}

const UNKNOWN_TRAITS: CardTraits = { funding: 'unknown', issuerCountry: null };

/** What the sandbox tells of a card beyond its number. It knows test cards only. */
export function traitsOf(cardNumber: string): CardTraits {
  return testCards.get(cardNumber)?.traits ?? UNKNOWN_TRAITS;
}

/** How long networks give a hotel's hold on a credit card; on any other card, a week. */
const LONGEST_HOLD_MS = 30 * DAY_MS;
const SHORT_HOLD_MS = 7 * DAY_MS;

/** How long a card's network gives a hold, in milliseconds. */
export function holdLifeOf({ funding }: CardTraits): number {
  return funding === 'credit' ? LONGEST_HOLD_MS : SHORT_HOLD_MS;
}

function card(behaviour: CardBehaviour, traits: CardTraits = AU_CREDIT): TestCard {
  return { behaviour, traits };
}

function decline(declineCode: string, retryable: boolean): CardBehaviour {
  return { kind: 'decline', declineCode, retryable };
}
