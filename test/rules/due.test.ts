import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  dueOf,
  lesserOf,
  openDueMinor,
  totalFor,
  unattendedDue,
} from '../../src/money/balance/rules/balance.ts';
import type { BookingTotals } from '../../src/records/history/sums.ts';
import { NO_PAYMENTS } from '../support/noPayments.ts';

const standing = (changes: Partial<BookingTotals>): BookingTotals => ({
  ...NO_PAYMENTS,
  ...changes,
});

describe('what is due', () => {
  it.each<[number | null, Partial<BookingTotals>, number | null, number | null]>([
    [600, {}, 600, 600],
    [600, { paidMinor: 100, uncertainMinor: 50 }, 450, 450],
    [600, { paidMinor: 600, uncertainMinor: 1 }, 0, 0],
    [600, { paidMinor: 100, waivedMinor: 100 }, 400, 400],
    [600, { disputedMinor: 200 }, 600, 400],
    [null, { paidMinor: 100 }, null, null],
  ])('of %i with %o is %s, without anybody there %s', (total, changes, attended, unattended) => {
    const known = standing(changes);
    expect(openDueMinor(total, known)).toBe(attended);
    const due = unattendedDue(total, known);
    expect(due && Math.max(0, due.certainMinor - due.uncertainMinor)).toBe(unattended);
  });

  it('is of the last total that was known, for what takes what is due at most', () => {
    const booking = { totalCostMinor: 0, knownTotalMinor: 600 };
    expect(totalFor(booking, { limitToDue: true })).toBe(600);
    expect(totalFor(booking, { limitToDue: false })).toBe(null);
    expect(totalFor({ ...booking, totalCostMinor: 500 }, { limitToDue: true })).toBe(500);
  });
});

describe('the lesser of an amount and of what is due', () => {
  const minor = fc.integer({ min: 0, max: 1_000 });
  const due = fc.record({ certainMinor: minor, uncertainMinor: minor });

  it('is the same whatever becomes of what is uncertain, or it waits', () => {
    fc.assert(
      fc.property(minor, due, (amountMinor, known) => {
        const { certainMinor, uncertainMinor } = known;
        const ifTaken = Math.min(amountMinor, Math.max(0, certainMinor - uncertainMinor));
        const ifNot = Math.min(amountMinor, certainMinor);
        const lesser = lesserOf(amountMinor, known);
        expect(lesser).toBe(ifTaken === ifNot ? ifNot : null);
      }),
    );
  });

  it('never takes more than is due, whoever paid before', () => {
    fc.assert(
      fc.property(minor, minor, minor, (totalMinor, paidMinor, amountMinor) => {
        fc.pre(totalMinor > 0);
        const before = standing({ paidMinor });
        const taken = lesserOf(amountMinor, unattendedDue(totalMinor, before)) ?? 0;
        const after = standing({ paidMinor: paidMinor + taken });
        expect(dueOf(totalMinor, after)).toBe(dueOf(totalMinor, before) - taken);
      }),
    );
  });

  it('is the amount where the total is not known', () => {
    expect(lesserOf(100, null)).toBe(100);
  });
});
