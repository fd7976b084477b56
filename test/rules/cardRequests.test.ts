import { describe, expect, test } from 'vitest';
import { REQUEST_USED } from '../../src/records/cardRequests/rules.ts';
import { wasUsed } from '../../src/records/cardRequests/store.ts';

/** What the driver throws when D1 refuses a batch in these words. */
function refusal(words: string): Error {
  return new Error('Failed query: insert into cards', { cause: new Error(`D1_ERROR: ${words}`) });
}

describe('a card that could not be attached', () => {
  test.each([
    [
      'its request has a card',
      'UNIQUE constraint failed: cards.request_id: SQLITE_CONSTRAINT',
      true,
    ],
    ['its request was superseded', 'illegal_transition: SQLITE_CONSTRAINT', true],
    ['its token is taken', 'UNIQUE constraint failed: cards.token: SQLITE_CONSTRAINT', false],
    ['its booking changed', 'stale_state: SQLITE_CONSTRAINT', false],
    ['D1 did not answer', 'Network connection lost.', false],
  ])('finds its link used when %s: %s', (_name, words, used) => {
    expect(wasUsed(refusal(words))).toBe(used);
  });

  test.each([undefined, null, 'illegal_transition'])('is no matter of %j', (thrown) => {
    expect(wasUsed(thrown)).toBe(false);
  });

  test('is refused as a matter of state', () => {
    expect(REQUEST_USED.code).toBe('invalid_state');
  });
});
