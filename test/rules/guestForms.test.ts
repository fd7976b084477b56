import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { instant, money, plainMoney } from '../../src/core/format.ts';
import { declineWords } from '../../src/core/words/declines.ts';
import { englishReader } from '../../src/core/words/reader.ts';
import { readCardForm } from '../../src/sites/guest/cardForm.ts';

const { words } = englishReader;

const good = {
  cardNumber: '4242 4242 4242 4242',
  cardExpiry: '12/30',
  cvv: '123',
  cardHolderName: 'A Nguyen',
  attempt: '0f9b2c1e-7a55-4a1b-9a51-3f1f0f3f7b7e',
};

describe('a card’s form', () => {
  it.each(['12/30', '12/2030', '12 / 30', '1230', '12-30', '12.30', ' 12/30 '])(
    'takes %s as an expiry date',
    (cardExpiry) => {
      const read = readCardForm({ ...good, cardExpiry }, Date.now(), words);
      expect(read.ok && [read.value.entry.expiryMonth, read.value.entry.expiryYear]).toEqual([
        12, 2030,
      ]);
    },
  );

  it.each(['', '13/30', '0/30', '00/30', '12/', '30/12', 'December 2030', '12/30/2030', '12/19'])(
    'does not take %s as one',
    (cardExpiry) => {
      const read = readCardForm({ ...good, cardExpiry }, Date.now(), words);
      expect(read.ok ? null : Object.keys(read.error)).toEqual(['cardExpiry']);
    },
  );

  it('gives the number to the vault as digits, and keeps only what may be seen', () => {
    const read = readCardForm(good, Date.now(), words);
    expect(read).toEqual({
      ok: true,
      value: {
        entry: {
          number: '4242424242424242',
          expiryMonth: 12,
          expiryYear: 2030,
          holderName: 'A Nguyen',
          cvv: '123',
        },
        facts: { brand: 'visa', last4: '4242', masked: 'XXXX-XXXX-XXXX-X242' },
        attempt: good.attempt,
      },
    });
  });

  it('with whatever in it is read or names its fields, and repeats nothing of it', () => {
    const field = fc.oneof(fc.string(), fc.stringMatching(/^[\d /-]{0,20}$/));
    const form = fc.record(
      { cardNumber: field, cardExpiry: field, cvv: field, cardHolderName: field, attempt: field },
      { requiredKeys: [] },
    );
    fc.assert(
      fc.property(form, (typed) => {
        const read = readCardForm(typed, Date.now(), words);
        if (read.ok) return;
        expect(Object.keys(read.error).length).toBeGreaterThan(0);
        for (const words of Object.values(read.error)) expect(words).toMatch(/^[A-Z].*\.$/);
      }),
    );
  });
});

describe('amounts and times for guests', () => {
  it.each([
    [123_456_789, 'AUD', 'AUD\u00a01,234,567.89', '1234567.89'],
    [500, 'JPY', 'JPY\u00a0500', '500'],
    [1_234_567, 'KWD', 'KWD\u00a01,234.567', '1234.567'],
    [99_999_999_999, 'KWD', 'KWD\u00a099,999,999.999', '99999999.999'],
    [0, 'USD', 'USD\u00a00.00', '0.00'],
  ])('%d %s is %s', (minor, currency, shown, plain) => {
    expect([money(minor, currency), plainMoney(minor, currency)]).toEqual([shown, plain]);
  });

  it('are in the property’s zone, summer time included', () => {
    const atMs = Date.UTC(2027, 6, 1, 12, 30);
    expect(instant(atMs, 'Europe/Berlin')).toBe('1 Jul 2027, 14:30');
    expect(instant(atMs, 'Australia/Perth')).toBe('1 Jul 2027, 20:30');
  });
});

describe('a decline', () => {
  it.each(['insufficient_funds', 'lost_card', 'authentication_required', 'never_heard_of', null])(
    'has plain words: %s',
    (code) => {
      expect(declineWords(words, code)).toMatch(/^[A-Z].*\.$/);
      expect(declineWords(words, code)).not.toContain('_');
    },
  );
});
