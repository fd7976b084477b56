import { describe, expect, test } from 'vitest';
import { DAY_MS } from '../../src/core/time.ts';
import type { OperationKind } from '../../src/gateways/gateway.ts';
import {
  judge,
  readIn,
  requestedIn,
  type Subject,
} from '../../src/sandbox/acquirer/rules/judge.ts';
import {
  behaviourOf,
  type CardBehaviour,
  describedTestCards,
  holdLifeOf,
  traitsOf,
} from '../../src/sandbox/acquirer/rules/testCards.ts';

const SUCCEEDED = { status: 'succeeded', code: null, retryable: false };

/** When the printed expiry month of every card here ends. */
const EXPIRES_AT_MS = Date.UTC(2027, 2, 1);

function card(number: string, declinesBefore = 0): Subject {
  return {
    vaultToken: 'vault_1',
    behaviour: behaviourOf(number),
    holdLifeMs: 30 * DAY_MS,
    expiresAtMs: EXPIRES_AT_MS,
    declinesBefore,
    remainingMinor: null,
    currency: null,
    disputed: false,
  };
}

function earlier(remainingMinor: number, number = '4242424242424242'): Subject {
  return { ...card(number), remainingMinor, currency: 'AUD' };
}

function asked(kind: OperationKind, amountMinor = 1_000, currency = 'AUD') {
  return { kind, amountMinor, currency, askedAtMs: EXPIRES_AT_MS - 1 };
}

describe('the test cards', () => {
  test.each<[string, CardBehaviour]>([
    ['4242424242424242', { kind: 'accept' }],
    ['4111111111111111', { kind: 'accept' }],
    ['5555555555554444', { kind: 'accept' }],
    ['378282246310005', { kind: 'accept' }],
    ['4000000000009003', { kind: 'answer-lost', executes: true }],
    ['4000000000009102', { kind: 'answer-lost', executes: false }],
    ['4000000000009201', { kind: 'slow', delayMs: 5_000 }],
    ['4000000000005126', { kind: 'refunds-fail' }],
  ])('%s behaves as documented', (number, behaviour) => {
    expect(behaviourOf(number)).toEqual(behaviour);
  });

  test('are described to readers', () => {
    const lines = describedTestCards().map(({ number, what }) => `${number}: ${what}`);
    expect(lines.join('\n')).toMatchSnapshot();
  });

  test('tell of the virtual one when it is active, and of no other', () => {
    const activeFromMs = 7;
    expect(behaviourOf('4000000000007197', activeFromMs)).toEqual({
      kind: 'not-active-yet',
      activeFromMs,
    });
    expect(behaviourOf('4242424242424242', activeFromMs)).toEqual({ kind: 'accept' });
  });

  test.each([
    ['credit', 30],
    ['debit', 7],
    ['prepaid', 7],
    ['unknown', 7],
  ] as const)('of %s are held for %i days', (funding, days) => {
    expect(holdLifeOf({ funding, issuerCountry: null })).toBe(days * DAY_MS);
  });
});

test.each([
  ['4242424242424242', 'credit', 'US'],
  ['4111111111111111', 'debit', 'AU'],
  ['5555555555554444', 'credit', 'AU'],
  ['378282246310005', 'credit', 'US'],
  ['4000002760003184', 'credit', 'DE'],
  ['4000000000009425', 'credit', 'AU'],
  ['4012888888881881', 'unknown', null],
])('the sandbox tells of %s that it is %s of %s', (number, funding, issuerCountry) => {
  expect(traitsOf(number)).toEqual({ funding, issuerCountry });
});

describe.each(['charge', 'authorization'] as const)('a %s', (kind) => {
  test.each([
    '4242424242424242',
    '4111111111111111',
    '5555555555554444',
    '378282246310005',
    '4000000000009003',
    '4000000000009102',
    '4000000000009201',
    '4000000000005126',
    '4000000000009425',
    '4000000000000259',
    '4000000000003410',
  ])('on %s succeeds', (number) => {
    expect(judge(asked(kind), card(number))).toEqual(SUCCEEDED);
  });

  test.each([
    ['4000000000000002', 'generic_decline', true],
    ['4000000000009995', 'insufficient_funds', true],
    ['4000000000009987', 'lost_card', false],
    ['4000000000000069', 'expired_card', false],
    ['4012888888881881', 'invalid_number', false],
    ['6011111111111117', 'invalid_number', false],
  ])('on %s is declined as %s, however often it was before', (number, code, retryable) => {
    for (const declinesBefore of [0, 1, 5]) {
      expect(judge(asked(kind), card(number, declinesBefore))).toEqual({
        status: 'declined',
        code,
        retryable,
      });
    }
  });

  test('on the card that declines once is declined softly, then succeeds', () => {
    const first = judge(asked(kind), card('4000000000009300'));
    expect(first).toEqual({ status: 'declined', code: 'generic_decline', retryable: true });
    expect(judge(asked(kind), card('4000000000009300', 1))).toEqual(SUCCEEDED);
  });

  test('on a card whose expiry month has ended is declined, unless its issuer renewed it', () => {
    const later = { ...asked(kind), askedAtMs: EXPIRES_AT_MS };
    const expired = { status: 'declined', code: 'expired_card', retryable: false };
    expect(judge(later, card('4242424242424242'))).toEqual(expired);
    expect(judge(later, card('4000002760003184'))).toEqual(expired);
    expect(judge(later, card('4000000000003410'))).toEqual(SUCCEEDED);
  });

  test('on the card whose bank asks at every payment is declined while nobody is there', () => {
    expect(judge(asked(kind), card('4000002760003184'))).toEqual({
      status: 'declined',
      code: 'authentication_required',
      retryable: false,
    });
  });

  test('on that card waits for the bank while its guest is there', () => {
    expect(judge({ ...asked(kind), isGuestThere: true }, card('4000002760003184'))).toEqual({
      status: 'pending',
      code: null,
      retryable: false,
    });
  });

  test.each([
    [1, 'declined'],
    [0, 'succeeded'],
    [-1, 'succeeded'],
  ])('on a virtual card that is active in %i ms is %s', (inMs, status) => {
    const { askedAtMs } = asked(kind);
    const virtual = (atMs: number) => ({
      ...card('4000000000007197'),
      behaviour: behaviourOf('4000000000007197', atMs + inMs),
    });
    const code = status === 'declined' ? 'do_not_honor' : null;
    const judged = { status, code, retryable: status === 'declined' };
    expect(judge(asked(kind), virtual(askedAtMs))).toEqual(judged);
    // By the acquirer's own clock, where it has one.
    expect(judge({ ...asked(kind), ownTimeMs: 5 }, virtual(5))).toEqual(judged);
  });

  test('on the card of gateway errors fails and is not executed', () => {
    expect(judge(asked(kind), card('4000000000000119'))).toMatchObject({
      status: 'failed',
      code: 'gateway_error',
    });
  });

  test('on a card that is not in the vault fails', () => {
    expect(judge(asked(kind), null)).toMatchObject({ status: 'failed', code: 'no_such_object' });
  });
});

describe('the acquirer guards its own ledger', () => {
  test.each<[OperationKind, number, number, string | null]>([
    ['capture', 1_000, 1_000, null],
    ['capture', 1, 1_000, null],
    ['capture', 1_001, 1_000, 'amount_too_large'],
    ['capture', 1, 0, 'amount_too_large'],
    ['refund', 1_000, 1_000, null],
    ['refund', 999, 1_000, null],
    ['refund', 1_001, 1_000, 'amount_too_large'],
    ['refund', 1, 0, 'amount_too_large'],
    ['release', 1_000, 1_000, null],
    ['release', 5_000, 1, null],
    ['release', 1_000, 0, 'nothing_to_release'],
  ])('a %s of %i where %i is left: %s', (kind, amountMinor, remaining, code) => {
    const status = code === null ? 'succeeded' : 'failed';
    expect(judge(asked(kind, amountMinor), earlier(remaining))).toMatchObject({ status, code });
  });

  test.each(['capture', 'refund', 'release'] as const)('a %s in another currency fails', (kind) => {
    expect(judge(asked(kind, 1, 'EUR'), earlier(1_000))).toMatchObject({
      status: 'failed',
      code: 'currency_mismatch',
    });
  });

  test.each(['capture', 'refund', 'release'] as const)('a %s of nothing known fails', (kind) => {
    expect(judge(asked(kind), null)).toMatchObject({ status: 'failed', code: 'no_such_object' });
  });

  test('what is disputed can be captured all the same', () => {
    expect(judge(asked('capture'), { ...earlier(1_000), disputed: true })).toEqual(SUCCEEDED);
  });

  test('what is disputed or lost to a dispute is not refunded', () => {
    expect(judge(asked('refund'), { ...earlier(1_000), disputed: true })).toMatchObject({
      status: 'failed',
      code: 'charge_disputed',
    });
  });

  test('the card whose refunds fail can be captured and released, but not refunded', () => {
    const subject = earlier(1_000, '4000000000005126');
    expect(judge(asked('capture'), subject)).toEqual(SUCCEEDED);
    expect(judge(asked('release'), subject)).toEqual(SUCCEEDED);
    expect(judge(asked('refund'), subject)).toMatchObject({
      status: 'failed',
      code: 'refund_failed',
    });
  });
});

describe('an outage', () => {
  const outage = (status: number) => ({ status, retryAfterMs: 2_000, lookUps: true });

  test.each([
    [429, { kind: 'rejected', reason: 'http_429', temporary: true, retryAfterMs: 2_000 }],
    [400, { kind: 'rejected', reason: 'http_400' }],
    [500, { kind: 'unknown', reason: 'http_500', retryAfterMs: 2_000 }],
  ])('with status %i answers a money request so: %j', (status, outcome) => {
    expect(requestedIn(outage(status))).toMatchObject(outcome);
  });

  test('leaves open what was only asked for', () => {
    const unknown = { kind: 'unknown', reason: 'http_429', retryAfterMs: 2_000 };
    expect(readIn(outage(429))).toEqual(unknown);
  });
});
