import { describe, expect, test } from 'vitest';
import {
  day,
  figures,
  instant,
  money,
  moneyIn,
  personName,
  plainMoney,
  typedMoney,
} from '../../src/core/format.ts';

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

describe('amounts for guests', () => {
  test.each([
    ['en-GB', 8_400_000, 'JPY', '¥8,400,000'],
    ['en-GB', 48_000, 'EUR', '€480.00'],
    ['en-GB', 48_000, 'AUD', 'AUD\u00a0480.00'],
    ['en-GB', 48_000, 'SEK', 'SEK\u00a0480.00'],
    ['de-DE', 8_400_000, 'EUR', '84.000,00\u00a0€'],
    ['de-DE', 48_000, 'USD', '480,00\u00a0USD'],
    ['ja-JP', 84_000, 'JPY', '￥84,000'],
    ['pt-BR', 48_000, 'BRL', 'R$\u00a0480,00'],
  ])('are written as in %s', (locale, minor, currency, shown) => {
    expect(moneyIn(locale, minor, currency)).toBe(shown);
  });
});

describe('names', () => {
  test.each([
    ['Ana', 'Nguyen', 'Ana Nguyen'],
    [null, 'Nguyen', 'Nguyen'],
    ['太郎', '山田', '山田 太郎'],
    ['はなこ', '佐々木', '佐々木 はなこ'],
    ['민수', '김', '김 민수'],
    ['Taro', '山田', 'Taro 山田'],
  ])('are written as where they come from: %s %s', (firstName, lastName, shown) => {
    expect(personName(firstName, lastName)).toBe(shown);
  });
});

describe('an amount below zero', () => {
  test('has a minus sign, after which no line breaks, wherever people read it', () => {
    expect([money(-4_000, 'AUD'), figures(-4_000, 'AUD'), moneyIn('de-DE', -4_000, 'EUR')]).toEqual(
      ['−AUD\u00a040.00', '−40.00', '−40,00\u00a0€'],
    );
    // What is typed or kept in files stays as programs write it.
    expect([typedMoney(-4_000, 'EUR', 'de-DE'), plainMoney(-4_000, 'EUR')]).toEqual([
      '-40,00',
      '-40.00',
    ]);
  });
});
