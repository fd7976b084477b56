import { describe, expect, it } from 'vitest';
import { limitedTo, priceOfLess, quotedPrice } from '../../src/money/pricing/repricing.ts';
import { propertyRow, transactionRow } from './rows.ts';

/** A schedule of 150.00 at 3 %: 150.00 / 0.97 = 154.64 */
const row = transactionRow({
  kind: 'schedule',
  status: 'Pending',
  requestedMinor: 15_000,
  cardFeeMinor: 464,
  amountMinor: 15_464,
  feeBasisPoints: 300,
});

const parts = (requestedMinor: number, cardFeeMinor: number) => ({
  requestedMinor,
  transactionFeeMinor: 0,
  cardFeeMinor,
  amountMinor: requestedMinor + cardFeeMinor,
});

describe('a schedule that takes less than was asked for', () => {
  it('bears the fee of what it takes, at the terms that it was priced with', () => {
    // 100.00 / 0.97 = 103.09
    expect(priceOfLess(row, 10_000, 1)).toEqual(parts(10_000, 309));
    expect(priceOfLess({ ...row, feeMaximumMinor: 300 }, 10_000, 1)).toEqual(parts(10_000, 300));
  });

  it('bears no more than its scheduled fee, wherever the step rounds it', () => {
    const small = { ...row, ...parts(15_006, 464), feeBasisPoints: 300 };
    expect(priceOfLess(small, 15_001, 10).cardFeeMinor).toBeLessThanOrEqual(464);
    expect(priceOfLess(small, 15_001, 10).amountMinor % 10).toBe(0);
  });

  it('remembers what was asked for first', () => {
    expect(limitedTo(row, 10_000, 1)).toEqual({ ...parts(10_000, 309), askedMinor: 15_000 });
    const lowered = { ...row, ...parts(10_000, 309), askedMinor: 15_000 };
    expect(limitedTo(lowered, 5_000, 1)).toEqual({ ...parts(5_000, 155), askedMinor: 15_000 });
    expect(limitedTo(lowered, 15_000, 1)).toEqual({ ...parts(15_000, 464), askedMinor: 15_000 });
  });

  it('changes nothing where it takes what was asked for', () => {
    expect(limitedTo(row, 15_000, 1)).toEqual({});
  });
});

describe('the price that a quote says', () => {
  const card = { brand: 'visa', funding: 'unknown', issuerCountry: null } as const;
  const dearer = {
    basisPoints: 500,
    method: 'add',
    transactionFeeMinor: 0,
    from: '2026-10-05T00:00:00Z',
  } as const;
  const property = propertyRow({ feeRules: [dearer] });
  const nowMs = Date.UTC(2026, 9, 1);
  const later = { requestedMinor: 10_000, purpose: 'Manual', virtualCard: false } as const;
  const atMs = Date.UTC(2026, 9, 6);

  it.each([
    ['authorization', 10_500, 0],
    ['schedule', 10_000, 0],
  ] as const)('of a later %s is %i', (kind, amountMinor, rule) => {
    const quoted = quotedPrice(property, card, { ...later, kind, atMs }, { nowMs, stepMinor: 1 });
    expect(quoted).toMatchObject({ ok: true, value: { priced: { amountMinor }, rule } });
  });
});
