import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { readIdempotencyKey } from '../../src/http/readRequest.ts';

const visible = fc
  .integer({ min: 0x21, max: 0x7e })
  .map((code) => String.fromCharCode(code))
  .filter((character) => character !== '"' && character !== '\\');

function keys(maxLength: number) {
  return fc.array(visible, { minLength: 1, maxLength }).map((characters) => characters.join(''));
}

describe('the Idempotency-Key header', () => {
  test('is optional', () => {
    expect(readIdempotencyKey(undefined)).toEqual({ ok: true, value: null });
  });

  test('means the same key quoted and bare', () => {
    fc.assert(
      fc.property(keys(255), (key) => {
        expect(readIdempotencyKey(key)).toEqual({ ok: true, value: key });
        expect(readIdempotencyKey(`"${key}"`)).toEqual({ ok: true, value: key });
        expect(readIdempotencyKey(`  ${key} `)).toEqual({ ok: true, value: key });
      }),
    );
  });

  test('may be 255 characters long, not counting its quotes, and no longer', () => {
    const longest = 'k'.repeat(255);
    expect(readIdempotencyKey(longest)).toEqual({ ok: true, value: longest });
    expect(readIdempotencyKey(`"${longest}"`)).toEqual({ ok: true, value: longest });
    expect(readIdempotencyKey(`${longest}k`)).toMatchObject({ ok: false });
    expect(readIdempotencyKey(`"${longest}k"`)).toMatchObject({ ok: false });
    expect(readIdempotencyKey('k'.repeat(100_000))).toMatchObject({ ok: false });
  });

  test.each([
    ['"a\\"b"', 'a"b'],
    ['"a\\\\b"', 'a\\b'],
    ['"a b"', 'a b'],
    ['" a "', ' a '],
    ['8e03978e-40d5-43dd-bc93-6894a57f9324', '8e03978e-40d5-43dd-bc93-6894a57f9324'],
  ])('%s is the key %j', (header, key) => {
    expect(readIdempotencyKey(header)).toEqual({ ok: true, value: key });
  });

  test.each(['', '   ', '""', 'a\u0000b', 'a\tb', 'a\nb', 'ключ', '"ключ"', '🔑', 'a\u007fb'])(
    '%j is refused',
    (header) => {
      expect(readIdempotencyKey(header)).toMatchObject({ error: { code: 'invalid_request' } });
    },
  );

  test.each([
    '4242424242424242',
    '"pay-4242424242424242"',
    '4242 4242 4242 4242',
    'k4242424242424242x',
  ])('%s is a faulty field: it holds a card number', (header) => {
    expect(readIdempotencyKey(header)).toEqual({
      ok: false,
      error: {
        code: 'validation_failed',
        detail: 'Not acceptable: Idempotency-Key.',
        fields: [{ field: 'Idempotency-Key', code: 'card_number', message: expect.any(String) }],
      },
    });
  });
});
