import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { MAX_AMOUNT_MINOR } from '../../src/core/money.ts';
import { grossUp, price, withoutFees } from '../../src/money/pricing/fees.ts';
import { holdAmounts } from '../../src/records/properties/feeRules.ts';
import {
  type ChargedCard,
  feeTermsFor,
  NO_FEES,
} from '../../src/records/properties/rules/feeTerms.ts';
import type { FeeRule } from '../../src/schema/propertyTables.ts';
import { feeTerms, propertyRow } from './rows.ts';

const requested = fc.integer({ min: 1, max: MAX_AMOUNT_MINOR });
const anyTerms = fc.record({
  cardFeeBasisPoints: fc.nat(5_000),
  method: fc.constantFrom('grossUp', 'add'),
  maximumMinor: fc.option(fc.nat(5_000)),
  transactionFeeMinor: fc.nat(10_000),
});

function priceOf(asked: number, terms: Parameters<typeof price>[1], stepMinor = 1) {
  const priced = price(asked, terms, stepMinor);
  if (!priced.ok) throw new Error(priced.error.code);
  return priced.value;
}

describe('a price by terms', () => {
  test('is what was asked and both fees, within the highest card fee', () => {
    fc.assert(
      fc.property(requested, anyTerms, (asked, terms) => {
        const priced = priceOf(asked, terms);
        expect(priced.requestedMinor).toBe(asked);
        expect(priced.transactionFeeMinor).toBe(terms.transactionFeeMinor);
        expect(priced.amountMinor).toBe(asked + priced.transactionFeeMinor + priced.cardFeeMinor);
        expect(priced.cardFeeMinor).toBeGreaterThanOrEqual(0);
        expect(priced.cardFeeMinor).toBeLessThanOrEqual(terms.maximumMinor ?? Infinity);
      }),
    );
  });

  test('by gross-up without a maximum is the gross-up', () => {
    fc.assert(
      fc.property(requested, fc.nat(5_000), fc.nat(10_000), (asked, rate, fixed) => {
        const terms = feeTerms({ cardFeeBasisPoints: rate, transactionFeeMinor: fixed });
        expect(priceOf(asked, terms)).toEqual(grossUp(asked, terms));
      }),
    );
  });

  test('that adds takes the rate of what was asked, rounded half up, and never more than a gross-up', () => {
    fc.assert(
      fc.property(requested, fc.nat(5_000), fc.nat(10_000), (asked, rate, fixed) => {
        const terms = feeTerms({
          cardFeeBasisPoints: rate,
          method: 'add',
          transactionFeeMinor: fixed,
        });
        const { cardFeeMinor, amountMinor } = priceOf(asked, terms);
        const doubled = 2n * (BigInt(cardFeeMinor) * 10_000n - BigInt(asked) * BigInt(rate));
        expect(doubled > -10_000n && doubled <= 10_000n).toBe(true);
        expect(amountMinor).toBeLessThanOrEqual(
          priceOf(asked, { ...terms, method: 'grossUp' }).amountMinor,
        );
      }),
    );
  });

  test.each([
    { name: 'adds 2.5 as 3', asked: 100, terms: { cardFeeBasisPoints: 250 }, fee: 3 },
    { name: 'adds 2.49 as 2', asked: 100, terms: { cardFeeBasisPoints: 249 }, fee: 2 },
    { name: 'adds 3 %', asked: 15_000, terms: { cardFeeBasisPoints: 300 }, fee: 450 },
    {
      name: 'adds nothing for the fixed fee',
      asked: 15_000,
      terms: { cardFeeBasisPoints: 300, transactionFeeMinor: 1_000 },
      fee: 450,
    },
    {
      name: 'stops at the maximum',
      asked: 15_000,
      terms: { cardFeeBasisPoints: 300, maximumMinor: 449 },
      fee: 449,
    },
    { name: 'has no fee of 0', asked: 1, terms: { cardFeeBasisPoints: 0 }, fee: 0 },
  ])('$name', ({ asked, terms, fee }) => {
    expect(priceOf(asked, feeTerms({ method: 'add', ...terms })).cardFeeMinor).toBe(fee);
  });

  test('honours the step of the acquirer within the maximum, or is too fine for it', () => {
    const steps = fc.constantFrom(1, 10, 100);
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 100_000 }), anyTerms, steps, (asked, terms, step) => {
        const priced = price(asked, terms, step);
        const highest = terms.cardFeeBasisPoints === 0 ? 0 : (terms.maximumMinor ?? Infinity);
        const netMinor = asked + terms.transactionFeeMinor;
        const room = Math.ceil(netMinor / step) * step - netMinor;
        expect(priced.ok).toBe(room <= highest);
        if (!priced.ok) return;
        expect(priced.value.amountMinor % step).toBe(0);
        expect(priced.value.cardFeeMinor).toBeGreaterThanOrEqual(0);
        expect(priced.value.cardFeeMinor).toBeLessThanOrEqual(highest);
        const exact = priceOf(asked, terms).amountMinor;
        expect(Math.abs(priced.value.amountMinor - exact)).toBeLessThan(step);
      }),
    );
  });

  test('without the fees that it had keeps what the step needs', () => {
    expect(withoutFees(1_234, 1)).toEqual(priceOf(1_234, NO_FEES));
    expect(withoutFees(1_234, 10)).toEqual({
      requestedMinor: 1_234,
      transactionFeeMinor: 0,
      cardFeeMinor: 6,
      amountMinor: 1_240,
    });
  });
});

const visa: ChargedCard = {
  brand: 'visa',
  funding: 'credit',
  issuerCountry: 'AU',
  virtual: false,
};

function rule(changes: Partial<FeeRule> = {}): FeeRule {
  return { basisPoints: 100, method: 'add', transactionFeeMinor: 0, ...changes };
}

const NOON = Date.parse('2027-02-10T12:00:00Z');

function fitting(feeRules: FeeRule[], card = visa, atMs = NOON) {
  const property = propertyRow({
    cardFeeBasisPoints: 300,
    cardFeeByBrand: { amex: 500, eftpos: 20 },
    transactionFeeMinor: 33,
    feeRules,
  });
  return feeTermsFor(property, card, 'Deposit', atMs);
}

describe('the terms of a charge', () => {
  test('are the property’s own rates where no rule fits', () => {
    const own = feeTerms({ cardFeeBasisPoints: 300, transactionFeeMinor: 33 });
    expect(fitting([])).toEqual({ terms: own, rule: null });
    expect(fitting([rule({ brands: ['amex'] })])).toEqual({ terms: own, rule: null });
    expect(fitting([], { ...visa, brand: 'amex' }).terms.cardFeeBasisPoints).toBe(500);
  });

  test('are those of the first rule that fits', () => {
    const rules = [
      rule({ brands: ['amex'] }),
      rule({ basisPoints: 120, maximumMinor: 900, transactionFeeMinor: 5 }),
      rule({ basisPoints: 7 }),
    ];
    const terms = {
      cardFeeBasisPoints: 120,
      method: 'add',
      maximumMinor: 900,
      transactionFeeMinor: 5,
    };
    expect(fitting(rules)).toEqual({ terms, rule: 1 });
  });

  test.each<[string, Partial<FeeRule>, boolean]>([
    ['its brand', { brands: ['mastercard', 'visa'] }, true],
    ['another brand', { brands: ['mastercard'] }, false],
    ['its funding', { funding: ['credit'] }, true],
    ['another funding', { funding: ['debit', 'prepaid'] }, false],
    ['its country', { issuerCountries: ['AU'] }, true],
    ['another country', { issuerCountries: ['NZ'] }, false],
    ['its type', { transactionTypes: ['Balance', 'Deposit'] }, true],
    ['another type', { transactionTypes: ['Balance'] }, false],
    ['a span that begins now', { from: '2027-02-10T20:00:00+08:00' }, true],
    ['a span that begins in a second', { from: '2027-02-10T20:00:01+08:00' }, false],
    ['a span that ends now', { until: '2027-02-10T12:00:00Z' }, false],
    ['a span that ends in a second', { until: '2027-02-10T12:00:01Z' }, true],
    ['its brand of another country', { brands: ['visa'], issuerCountries: ['NZ'] }, false],
  ])('fit a rule of %s: %s', (_name, changes, fits) => {
    expect(fitting([rule(changes)]).rule).toBe(fits ? 0 : null);
  });

  test('fit no list of countries where the issuer’s is not known', () => {
    const card = { ...visa, issuerCountry: null };
    expect(fitting([rule({ issuerCountries: ['AU'] }), rule()], card).rule).toBe(1);
  });

  test('know eftpos by the acquirer’s name too', () => {
    const card = { ...visa, brand: 'eftpos_au' };
    expect(fitting([rule({ brands: ['eftpos'] })], card).rule).toBe(0);
    expect(fitting([], card).terms.cardFeeBasisPoints).toBe(20);
  });

  test('have no fees on a virtual card', () => {
    expect(fitting([rule()], { ...visa, virtual: true })).toEqual({ terms: NO_FEES, rule: null });
  });
});

test('rules hold amounts of money if one has a fixed fee or a maximum', () => {
  expect(holdAmounts([])).toBe(false);
  expect(holdAmounts([rule(), rule({ maximumMinor: 0 })])).toBe(false);
  expect(holdAmounts([rule(), rule({ maximumMinor: 1 })])).toBe(true);
  expect(holdAmounts([rule({ transactionFeeMinor: 1 })])).toBe(true);
});
