import { describe, expect, test } from 'vitest';
import { assertNever } from '../../src/core/result.ts';

describe('a member of a closed union that nobody knows', () => {
  test.each([
    ['4242424242424242', 'string'],
    [{ cvc: '123' }, 'object'],
    [undefined, 'undefined'],
  ])('is a mistake that tells its type, and nothing of it: %j', (value, type) => {
    const shown = () => assertNever(value as never);
    expect(shown).toThrow(new RegExp(`: ${type}$`));
    expect(shown).not.toThrow(/4242|123/);
  });
});
