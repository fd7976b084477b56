import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { typedAmount } from '../../src/core/typedAmount.ts';

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
    ['12 or so', null],
    ['', null],
    ['.', null],
  ])('%j', (text, minor) => {
    expect(typedAmount(text, 'AUD')).toBe(minor);
  });

  it('with the decimals of its currency', () => {
    expect([
      typedAmount('12.345', 'KWD'),
      typedAmount('1,234', 'JPY'),
      typedAmount('1.5', 'JPY'),
    ]).toEqual([12_345, 1_234, null]);
  });

  it('in the writing of many countries', () => {
    const locales = fc.constantFrom('en-AU', 'de-DE', 'fr-FR', 'de-CH', 'es-ES', 'sv-SE', 'ja-JP');
    fc.assert(
      fc.property(fc.integer({ min: -99_999_999, max: 99_999_999 }), locales, (minor, locale) => {
        const text = new Intl.NumberFormat(locale, { minimumFractionDigits: 2 }).format(
          minor / 100,
        );
        expect([text, typedAmount(text, 'AUD')]).toEqual([text, minor]);
      }),
    );
  });
});
