import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  currenciesByExponent,
  decimalText,
  exponentOf,
  MAX_AMOUNT_MINOR,
  storedDecimal,
  toDecimal,
  toMinor,
} from '../../src/core/money.ts';
import { err, ok } from '../../src/core/result.ts';

const exponent = fc.constantFrom(0, 2, 3, 4);
const minorUnits = fc.integer({ min: 1, max: MAX_AMOUNT_MINOR });

/** Writes whole units of 10^-decimals as a decimal numeral, without any floating point. */
function numeral(units: bigint, decimals: number): string {
  const digits = units.toString().padStart(decimals + 1, '0');
  const cut = digits.length - decimals;
  return decimals === 0 ? digits : `${digits.slice(0, cut)}.${digits.slice(cut)}`;
}

describe('the decimals of a currency', () => {
  test.each([
    ['AUD', 2],
    ['EUR', 2],
    ['HUF', 2],
    ['JPY', 0],
    ['ISK', 0],
    ['KWD', 3],
    ['IQD', 3],
    ['CLF', 4],
  ])('%s has %i, as ISO 4217 says', (currency, digits) => {
    expect(exponentOf(currency)).toBe(digits);
  });

  test.each(['', 'ZZZ', 'aud', 'Aud', 'AUDD', '036', ' AUD'])('%j is no currency', (currency) => {
    expect(exponentOf(currency)).toBeNull();
  });
});

describe('the currencies by their decimals', () => {
  test('are each there once, with its own', () => {
    const groups = currenciesByExponent();
    const all = [...groups].flatMap(([digits, codes]) => codes.map((code) => ({ code, digits })));
    expect(new Set(all.map(({ code }) => code)).size).toBe(all.length);
    for (const { code, digits } of all) expect([code, exponentOf(code)]).toEqual([code, digits]);
    expect(groups.get(0)).toContain('JPY');
    expect(groups.get(2)).toContain('AUD');
  });
});

describe('reading an amount', () => {
  test('an amount shown in an answer reads back as the same minor units', () => {
    fc.assert(
      fc.property(minorUnits, exponent, (minor, digits) => {
        expect(toMinor(toDecimal(minor, digits), digits, 1)).toEqual(ok(minor));
      }),
    );
  });

  test('a numeral in a string reads as the minor units that it writes', () => {
    fc.assert(
      fc.property(minorUnits, exponent, (minor, digits) => {
        expect(toMinor(numeral(BigInt(minor), digits), digits, 1)).toEqual(ok(minor));
      }),
    );
  });

  test('a fraction of a minor unit is forgiven up to 1e-4 and refused beyond', () => {
    const edges = fc.constantFrom(0n, 1n, 9_999n, 10_000n, 10_001n, 50_000_000n, 99_989_999n);
    const fraction = fc.oneof(edges, fc.bigInt({ min: 0n, max: 99_999_999n }));
    const minor = fc.integer({ min: 1, max: MAX_AMOUNT_MINOR - 1 });
    fc.assert(
      fc.property(minor, fraction, exponent, (below, hundredMillionths, digits) => {
        const text = numeral(BigInt(below) * 100_000_000n + hundredMillionths, digits + 8);
        const read = toMinor(text, digits, 1);
        if (hundredMillionths <= 10_000n) expect(read).toEqual(ok(below));
        else if (hundredMillionths >= 99_990_000n) expect(read).toEqual(ok(below + 1));
        else expect(read).toEqual(err('amount_precision'));
      }),
    );
  });

  test('sums that a client made in floating point read as their exact sum', () => {
    const cents = fc.array(fc.integer({ min: 1, max: 10_000_000 }), { minLength: 1 });
    fc.assert(
      fc.property(cents, (parts) => {
        const exact = parts.reduce((sum, part) => sum + part, 0);
        const noisy = parts.reduce((sum, part) => sum + part / 100, 0);
        expect(toMinor(noisy, 2, 1)).toEqual(ok(exact));
      }),
    );
  });

  test.each([
    [0.1 + 0.2, 2, 30],
    [1.1 * 3, 2, 330],
    [4.35 * 100, 0, 435],
    ['150', 2, 15_000],
    ['150.00', 2, 15_000],
    ['+150', 2, 15_000],
    ['0150.50', 2, 15_050],
    ['1.234', 3, 1_234],
    ['100.00', 0, 100],
    ['999999999.99', 2, MAX_AMOUNT_MINOR],
    [MAX_AMOUNT_MINOR, 0, MAX_AMOUNT_MINOR],
  ])('%j with %i decimals is %i minor units', (amount, digits, minor) => {
    expect(toMinor(amount, digits, 1)).toEqual(ok(minor));
  });

  test.each([
    [1.005, 2],
    ['0.015', 2],
    ['150.5', 0],
    ['1.2345', 3],
  ])('%j is finer than %i decimals', (amount, digits) => {
    expect(toMinor(amount, digits, 1)).toEqual(err('amount_precision'));
  });

  test.each([
    0,
    '0.00',
    -0.01,
    '-150',
    1_000_000_000,
    '1000000000.00',
    '99999999999999999999',
    1e308,
    5e-324,
  ])('%j is out of range for a charge', (amount) => {
    expect(toMinor(amount, 2, 1)).toEqual(err('amount_out_of_range'));
  });

  test.each([0, '0', '0.00', -0, -1e-9, 1e-9])('%j is a cost of zero, without a sign', (cost) => {
    expect(toMinor(cost, 2, 0)).toEqual(ok(0));
  });

  test.each(['1+50', '150+', '++150'])('%j is never taken for another amount', (text) => {
    expect(() => toMinor(text, 2, 1)).toThrow();
  });

  test('a cost below zero is out of range', () => {
    expect(toMinor(-1, 2, 0)).toEqual(err('amount_out_of_range'));
  });
});

describe('showing an amount', () => {
  test('JSON shows exactly the decimals that the minor units have', () => {
    fc.assert(
      fc.property(minorUnits, exponent, (minor, digits) => {
        const shown = JSON.stringify(toDecimal(minor, digits));
        const plain = numeral(BigInt(minor), digits);
        expect(shown).toBe(plain.includes('.') ? plain.replace(/\.?0+$/, '') : plain);
      }),
    );
  });

  test.each([
    [15_464, 2, '154.64'],
    [15_000, 2, '150'],
    [1, 2, '0.01'],
    [-1, 3, '-0.001'],
    [500, 0, '500'],
    [0, 3, '0'],
  ])('%i minor units with %i decimals are %s', (minor, digits, shown) => {
    expect(JSON.stringify(toDecimal(minor, digits))).toBe(shown);
  });
});

describe('a stored amount', () => {
  test.each([
    ['AUD', 15_464, 154.64],
    ['JPY', 15_464, 15_464],
    ['KWD', 15_464, 15.464],
    ['AUD', 0, 0],
  ])('in %s shows %i minor units as %f', (currency, minor, shown) => {
    expect(storedDecimal(minor, currency)).toBe(shown);
  });

  test('in a currency that ISO 4217 does not list is a mistake, and nothing is shown', () => {
    expect(() => storedDecimal(1, 'ZZZ')).toThrow('ISO 4217');
  });
});

describe('an amount as a text', () => {
  test.each([
    [4_000, 'AUD', '40.00'],
    [15_464, 'AUD', '154.64'],
    [5, 'AUD', '0.05'],
    [0, 'AUD', '0.00'],
    [-2_000, 'AUD', '-20.00'],
    [-1, 'AUD', '-0.01'],
    [MAX_AMOUNT_MINOR, 'AUD', '999999999.99'],
    [15_464, 'JPY', '15464'],
    [0, 'JPY', '0'],
    [-500, 'JPY', '-500'],
    [MAX_AMOUNT_MINOR, 'JPY', '99999999999'],
    [15_464, 'KWD', '15.464'],
    [10, 'KWD', '0.010'],
    [-1, 'KWD', '-0.001'],
    [1, 'CLF', '0.0001'],
  ])('%i minor units of %s are %s', (minor, currency, text) => {
    expect(decimalText(minor, currency)).toBe(text);
  });

  test('always has its currency’s decimals, and reads back as the same minor units', () => {
    const currency = fc.constantFrom(
      { code: 'JPY', digits: 0 },
      { code: 'AUD', digits: 2 },
      { code: 'KWD', digits: 3 },
      { code: 'CLF', digits: 4 },
    );
    fc.assert(
      fc.property(minorUnits, currency, (minor, { code, digits }) => {
        const text = decimalText(minor, code);
        expect(text).toBe(numeral(BigInt(minor), digits));
        expect(decimalText(-minor, code)).toBe(`-${text}`);
        expect(toMinor(text, digits, 1)).toEqual(ok(minor));
      }),
    );
  });

  test('in a currency that ISO 4217 does not list is a mistake', () => {
    expect(() => decimalText(1, 'ZZZ')).toThrow('ISO 4217');
  });
});
