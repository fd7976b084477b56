import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { currenciesByExponent, decimalText } from '../../src/core/money.ts';
import { typableAmount, typedAmount } from '../../src/core/typedAmount.ts';

/** What a text is read as; null if it is no amount. */
function read(text: string, currency: string) {
  const typed = typedAmount(text, currency);
  return typed.ok ? typed.value : null;
}

describe('an amount as people and banks write it', () => {
  it.each([
    ['1234.56', 123_456],
    ['1234,56', 123_456],
    ['1,234.56', 123_456],
    ['1.234,56', 123_456],
    ["1'234.56", 123_456],
    ['1 234,56 EUR', null],
    ['1 234,56 AUD', 123_456],
    ['$1,234.56', 123_456],
    ['３００．５０', 30_050],
    ['AUD 1,234', 123_400],
    ['-AUD 12.50', -1_250],
    ['AUD -12.50', -1_250],
    ['-AUD -12.50', null],
    ['50,000円', 5_000_000],
    ['¥5000', 500_000],
    ['50.000 元', 5_000_000],
    ['Rp 50.000', 5_000_000],
    ['R$ 12,50', 1_250],
    ['1,234,567', 123_456_700],
    ['12.5', 1_250],
    ['-12,50', -1_250],
    ['12,50-', -1_250],
    ['−12.50', -1_250],
    ['+12.50', 1_250],
    ['0.500', 50],
    ['12.345', 1_234_500],
    ['12.3456', null],
    ['1,23,456', null],
    ['1.234.56', null],
    ['-12-', null],
    ['1.000', 100_000],
    ['1,000', 100_000],
    ['€12', 1_200],
    ['12,', null],
    ['1,2,3', null],
    ['1.0001', null],
    ['1e3', null],
    ['12 or so', null],
    ['', null],
    ['.', null],
  ])('%j', (text, minor) => {
    expect(read(text, 'AUD')).toBe(minor);
  });

  it('with the decimals of its currency', () => {
    expect([read('12.3456', 'CLF'), read('1,234', 'JPY'), read('1.5', 'JPY')]).toEqual([
      123_456,
      1_234,
      null,
    ]);
  });

  it.each([
    ['1,234', 1_234, 1_234_000],
    ['12.345', 12_345, 12_345_000],
    ['-1.000', -1_000, -1_000_000],
  ])('is ambiguous with three decimals: %j', (text, decimalMinor, thousandsMinor) => {
    expect(typedAmount(text, 'KWD')).toEqual({
      ok: false,
      error: { kind: 'ambiguous', decimalMinor, thousandsMinor },
    });
  });

  it.each([
    ['1234', 1_234_000],
    ['1,234.567', 1_234_567],
    ['1234.567', 1_234_567],
    ['0.500', 500],
    ['1.2340', 1_234],
    ['1.23', 1_230],
  ])('is one amount with three decimals: %j', (text, minor) => {
    expect(read(text, 'KWD')).toBe(minor);
  });

  it('is read as it was written, with either sign and between thousands, in every currency', () => {
    const signs = fc.constantFrom(['.', ','], [',', '.'], [',', ' '], ['.', ''], [',', '']);
    const currency = fc.constantFrom('AUD', 'JPY', 'KWD');
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 99_999_999 }), currency, signs, (minor, code, sign) => {
        const [decimal = '.', group = ''] = sign;
        const [whole = '', decimals] = decimalText(minor, code).split('.');
        const grouped = whole.replaceAll(/\B(?=(?:\d{3})+$)/g, group);
        const typed = typedAmount(
          decimals === undefined ? grouped : `${grouped}${decimal}${decimals}`,
          code,
        );
        const isUnclear = !typed.ok && typed.error.kind === 'ambiguous';
        expect(isUnclear ? typed.error.decimalMinor : typed.ok && typed.value).toBe(minor);
      }),
    );
  });

  it('is read back as it is written for a person to type', () => {
    const currencies = fc.constantFrom(...[...currenciesByExponent().values()].flat());
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 99_999_999 }), currencies, (minor, currency) => {
        const text = typableAmount(minor, currency);
        expect([text, read(text, currency)]).toEqual([text, minor]);
      }),
    );
  });

  it('in the writing of many countries', () => {
    const locales = fc.constantFrom('en-AU', 'de-DE', 'fr-FR', 'de-CH', 'es-ES', 'sv-SE', 'ja-JP');
    fc.assert(
      fc.property(fc.integer({ min: -99_999_999, max: 99_999_999 }), locales, (minor, locale) => {
        const text = new Intl.NumberFormat(locale, { minimumFractionDigits: 2 }).format(
          minor / 100,
        );
        expect([text, read(text, 'AUD')]).toEqual([text, minor]);
      }),
    );
  });
});
