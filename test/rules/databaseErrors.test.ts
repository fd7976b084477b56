import { describe, expect, it } from 'vitest';
import { certainlyRefused, wasOverloaded } from '../../src/platform/db/errors.ts';

describe('an error of a database', () => {
  it.each([
    [
      'D1 that has too much waiting',
      new Error('D1_ERROR: D1 DB is overloaded. Too many requests queued.'),
      true,
    ],
    [
      'an object that has too much waiting',
      Object.assign(new Error('busy'), { overloaded: true }),
      true,
    ],
    ['an object that was reset', Object.assign(new Error('reset'), { retryable: true }), false],
    ['a lost connection', new Error('Network connection lost.'), false],
  ])('says of %s whether the batch never began', (_who, error, neverBegan) => {
    expect(wasOverloaded(error)).toBe(neverBegan);
    expect(certainlyRefused(error)).toBe(false);
  });
});
