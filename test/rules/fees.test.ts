import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { MAX_AMOUNT_MINOR } from '../../src/core/money.ts';
import { grossUp } from '../../src/money/pricing/fees.ts';
import { NO_FEES } from '../../src/records/properties/rules/feeTerms.ts';
import { cardFeeBasisPoints } from '../../src/records/properties/rules.ts';

const requested = fc.integer({ min: 1, max: MAX_AMOUNT_MINOR });
const terms = fc.record({
  cardFeeBasisPoints: fc.integer({ min: 0, max: 9_999 }),
  transactionFeeMinor: fc.integer({ min: 0, max: 1_000_000 }),
});

describe('the gross-up', () => {
  test.each([
    { name: '150.00 at 3 %', asked: 15_000, fixed: 0, rate: 300, amount: 15_464, fee: 464 },
    { name: '1000.00 + 0.33', asked: 100_000, fixed: 33, rate: 105, amount: 101_094, fee: 1_061 },
    { name: '85.40 at 1.05 %', asked: 8_540, fixed: 0, rate: 105, amount: 8_631, fee: 91 },
    { name: '2 at 20 %: 2.5', asked: 2, fixed: 0, rate: 2_000, amount: 3, fee: 1 },
    { name: '1 + 1 at 20 %: 2.5', asked: 1, fixed: 1, rate: 2_000, amount: 3, fee: 1 },
    { name: '1 at 99.99 %', asked: 1, fixed: 0, rate: 9_999, amount: 10_000, fee: 9_999 },
  ])('$name is priced as documented', ({ asked, fixed, rate, amount, fee }) => {
    const priced = grossUp(asked, { cardFeeBasisPoints: rate, transactionFeeMinor: fixed });
    expect(priced).toEqual({
      requestedMinor: asked,
      transactionFeeMinor: fixed,
      cardFeeMinor: fee,
      amountMinor: amount,
    });
  });

  test('the amount is the sum of its parts, all of them whole and none below zero', () => {
    fc.assert(
      fc.property(requested, terms, (asked, fees) => {
        const priced = grossUp(asked, fees);
        const parts = [priced.requestedMinor, priced.transactionFeeMinor, priced.cardFeeMinor];
        expect(parts.reduce((sum, part) => sum + part, 0)).toBe(priced.amountMinor);
        expect(priced.requestedMinor).toBe(asked);
        expect(priced.transactionFeeMinor).toBe(fees.transactionFeeMinor);
        for (const part of parts) expect(part).toBeGreaterThanOrEqual(0);
        expect(parts.every(Number.isSafeInteger)).toBe(true);
      }),
    );
  });

  test('the fee is the share of the gross amount, to half a minor unit', () => {
    fc.assert(
      fc.property(requested, terms, (asked, fees) => {
        const priced = grossUp(asked, fees);
        const off =
          BigInt(priced.cardFeeMinor) * 10_000n -
          BigInt(priced.amountMinor) * BigInt(fees.cardFeeBasisPoints);
        expect(off <= 5_000n && off >= -5_000n).toBe(true);
      }),
    );
  });

  test('the amount is the nearest whole one, and the higher of two that are as near', () => {
    fc.assert(
      fc.property(requested, terms, (asked, fees) => {
        const share = BigInt(10_000 - fees.cardFeeBasisPoints);
        const { amountMinor } = grossUp(asked, fees);
        const above =
          BigInt(amountMinor) * share - BigInt(asked + fees.transactionFeeMinor) * 10_000n;
        expect(2n * above > -share && 2n * above <= share).toBe(true);
      }),
    );
  });

  test('whoever asks for more is charged more, and a higher rate never costs less', () => {
    const below = fc.integer({ min: 1, max: MAX_AMOUNT_MINOR - 1 });
    fc.assert(
      fc.property(below, terms, fc.nat({ max: 9_999 }), (asked, fees, rate) => {
        const { amountMinor } = grossUp(asked, fees);
        expect(grossUp(asked + 1, fees).amountMinor).toBeGreaterThan(amountMinor);
        const [low, high] = [rate, fees.cardFeeBasisPoints].toSorted((a, b) => a - b);
        const at = (cardFeeBasisPoints = 0) =>
          grossUp(asked, { ...fees, cardFeeBasisPoints }).amountMinor;
        expect(at(high)).toBeGreaterThanOrEqual(at(low));
      }),
    );
  });

  test('without a rate there is no card fee, and without terms no fee at all', () => {
    fc.assert(
      fc.property(requested, terms, (asked, fees) => {
        expect(grossUp(asked, { ...fees, cardFeeBasisPoints: 0 }).cardFeeMinor).toBe(0);
        expect(grossUp(asked, NO_FEES).amountMinor).toBe(asked);
      }),
    );
  });
});

describe('the rate of a property', () => {
  const property = { cardFeeBasisPoints: 150, cardFeeByBrand: { amex: 290, visa: 0 } };

  test.each([
    ['amex', 290],
    ['visa', 0],
    ['mastercard', 150],
  ])(
    '%s costs %i basis points: its own rate if it has one, else the general one',
    (brand, rate) => {
      expect(cardFeeBasisPoints(property, brand)).toBe(rate);
    },
  );
});
