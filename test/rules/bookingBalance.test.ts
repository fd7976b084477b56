import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { bookingBalance, type PurposeTotals } from '../../src/money/balance/bookingBalance.ts';

const nothingOpen = { scheduledMinor: 0, uncertainMinor: 0, heldMinor: 0 };

/** The journal of a charge that brought 100.00 and a fee of 3.09. */
const charge = (changes: Partial<PurposeTotals> = {}): PurposeTotals => ({
  purpose: 'Deposit',
  takenMinor: 10_309,
  feeMinor: 309,
  refundedMinor: 0,
  disputedMinor: 0,
  ...changes,
});

describe('a balance', () => {
  it.each<[string, number, PurposeTotals[], object]>([
    ['of nothing', 60_000, [], { paidMinor: 0, dueMinor: 60_000, overpaidMinor: 0 }],
    ['of a part', 60_000, [charge()], { paidMinor: 10_000, dueMinor: 50_000, overpaidMinor: 0 }],
    ['of too much', 9_000, [charge()], { paidMinor: 10_000, dueMinor: 0, overpaidMinor: 1_000 }],
    ['without a total', 0, [charge()], { paidMinor: 10_000, dueMinor: 0, overpaidMinor: 0 }],
    [
      'after a refund, fees last',
      60_000,
      [charge({ refundedMinor: 4_000 })],
      { paidMinor: 6_000, refundedMinor: 4_000, dueMinor: 54_000 },
    ],
    [
      'after a refund of all, without the fee',
      60_000,
      [charge({ refundedMinor: 10_309 })],
      { paidMinor: 0, refundedMinor: 10_000, dueMinor: 60_000 },
    ],
    [
      'under dispute',
      60_000,
      [charge({ refundedMinor: 4_000, disputedMinor: 6_309 })],
      { paidMinor: 0, refundedMinor: 4_000, disputedMinor: 6_000, dueMinor: 60_000 },
    ],
    [
      'with a bond',
      60_000,
      [charge(), charge({ purpose: 'Bond', refundedMinor: 2_500 })],
      { paidMinor: 10_000, refundedMinor: 0, bondsMinor: 7_500, dueMinor: 50_000 },
    ],
  ])('%s', (_case, totalCostMinor, totals, expected) => {
    expect(bookingBalance(totalCostMinor, totals, nothingOpen)).toMatchObject(expected);
  });

  it('adds up, whatever happened', () => {
    const totals = fc
      .record({
        purpose: fc.constantFrom('Deposit' as const, 'Balance' as const, 'Manual' as const),
        netMinor: fc.integer({ min: 1, max: 1e9 }),
        feeMinor: fc.integer({ min: 0, max: 1e6 }),
        refunded: fc.double({ min: 0, max: 1, noNaN: true }),
        disputed: fc.double({ min: 0, max: 1, noNaN: true }),
      })
      .map(({ purpose, netMinor, feeMinor, refunded, disputed }) => {
        const takenMinor = netMinor + feeMinor;
        const refundedMinor = Math.floor(takenMinor * refunded);
        const disputedMinor = Math.floor(takenMinor * disputed);
        return { purpose, takenMinor, feeMinor, refundedMinor, disputedMinor };
      });
    fc.assert(
      fc.property(fc.nat(2e9), fc.array(totals, { maxLength: 8 }), (totalCostMinor, all) => {
        const found = bookingBalance(totalCostMinor, all, nothingOpen);
        const brought = all.reduce((sum, one) => sum + one.takenMinor - one.feeMinor, 0);
        const { disputedMinor, dueMinor, overpaidMinor, paidMinor, refundedMinor } = found;
        expect(paidMinor + refundedMinor + disputedMinor).toBe(brought);
        expect(Math.min(paidMinor, disputedMinor, refundedMinor, dueMinor)).toBeGreaterThanOrEqual(
          0,
        );
        expect(Math.min(dueMinor, overpaidMinor)).toBe(0);
        if (totalCostMinor > 0) expect(dueMinor - overpaidMinor).toBe(totalCostMinor - paidMinor);
      }),
    );
  });
});
