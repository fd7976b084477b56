import { describe, expect, test } from 'vitest';
import { day, instant, money, plainMoney } from '../../src/core/format.ts';

describe('amounts for people', () => {
  test.each([
    [123_450, 'AUD', 'AUD\u00a01,234.50', '1234.50'],
    [5, 'AUD', 'AUD\u00a00.05', '0.05'],
    [1_234, 'JPY', 'JPY\u00a01,234', '1234'],
    [1_234_567, 'KWD', 'KWD\u00a01,234.567', '1234.567'],
    [99_999_999_999, 'AUD', 'AUD\u00a0999,999,999.99', '999999999.99'],
  ])('%i minor units of %s are %s, and %s in a form', (minor, currency, shown, plain) => {
    expect(money(minor, currency)).toBe(shown);
    expect(plainMoney(minor, currency)).toBe(plain);
  });
});

describe('times for people', () => {
  test('name the month of a day', () => {
    expect(day('2027-02-14')).toBe('14 February 2027');
  });

  test('are shown in the zone of the property', () => {
    const atMs = Date.UTC(2027, 1, 14, 7, 5);
    expect(instant(atMs, 'Australia/Perth')).toBe('14 Feb 2027, 15:05');
    expect(instant(atMs, 'UTC')).toBe('14 Feb 2027, 07:05');
  });
});
