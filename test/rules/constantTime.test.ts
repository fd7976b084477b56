import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { equalInConstantTime } from '../../src/core/constantTime.ts';

const text = fc.string({ unit: 'binary', maxLength: 60 });

test('texts are the same in constant time exactly when they are the same', () => {
  fc.assert(
    fc.property(text, text, (one, other) => {
      expect(equalInConstantTime(one, other)).toBe(one === other);
      expect(equalInConstantTime(one, one)).toBe(true);
      expect(equalInConstantTime(one, `${one}x`)).toBe(false);
    }),
  );
});

test('one character that differs is enough, wherever it stands', () => {
  const digest = '0123456789abcdef'.repeat(4);
  for (let at = 0; at < digest.length; at += 1) {
    expect(equalInConstantTime(digest, `${digest.slice(0, at)}g${digest.slice(at + 1)}`)).toBe(
      false,
    );
  }
});
