import { describe, expect, test } from 'vitest';
import {
  day,
  days,
  figures,
  instant,
  money,
  moneyIn,
  percent,
  personName,
  plainMoney,
  shortAmount,
  typedMoney,
  weekday,
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

describe('days', () => {
  test.each([
    ['2027-02-14', '2027-02-14', '14 Feb 2027', '14 February 2027'],
    ['2027-02-08', '2027-02-14', '8 – 14 Feb 2027', '8 – 14 February 2027'],
    ['2027-02-28', '2027-03-02', '28 Feb – 2 Mar 2027', '28 February – 2 March 2027'],
  ])('from %s to %s name once what they share', (from, to, short, long) => {
    const plain = (text: string) => text.replaceAll(/[\u2009\u202f]/g, ' ');
    expect([days(from, to), days(from, to, 'long')].map(plain)).toEqual([short, long]);
  });

  test('are written as readers do, and with their weekday', () => {
    expect(days('2027-02-14', '2027-02-14', 'long', 'de-DE')).toBe('14. Februar 2027');
    expect(weekday('2027-02-14')).toBe('Sun, 14 Feb 2027');
    expect(weekday('2027-02-14', 'de-DE')).toBe('So., 14. Feb. 2027');
  });
});

describe('figures in few characters', () => {
  test.each([
    [150_000, 'AUD', '1.5k'],
    [150_000, 'JPY', '150k'],
    [99, 'AUD', '0.99'],
  ])('%i of %s is %s', (minor, currency, shown) => {
    expect(shortAmount(minor, currency)).toBe(shown);
  });

  test.each([
    [0.9642, '96.4\u00a0%'],
    [1, '100.0\u00a0%'],
    [0, '0.0\u00a0%'],
  ])('a share of %f is %s', (share, shown) => {
    expect(percent(share)).toBe(shown);
  });

  test('are typed without groups', () => {
    expect(typedMoney(123_456_700, 'EUR', 'de-DE')).toBe('1234567,00');
    expect(percent(0.5, 'de-DE')).toBe('50,0\u00a0%');
  });
});
