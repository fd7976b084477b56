import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { balanceOf, schedulesToReplace } from '../../src/money/balance/balance.ts';
import { judge, openDueMinor, standingAfter } from '../../src/money/payments/overcharge.ts';
import { transactionRow } from './rows.ts';

const property = { overchargeGuard: 'refuse', currency: 'AUD' } as const;

describe('what is due before a payment', () => {
  it.each([
    [600_00, { paidMinor: 0, uncertainMinor: 0 }, 600_00],
    [600_00, { paidMinor: 100_00, uncertainMinor: 50_00 }, 450_00],
    [600_00, { paidMinor: 600_00, uncertainMinor: 1 }, 0],
    [0, { paidMinor: 0, uncertainMinor: 0 }, null],
  ])('of %i with %o is %s', (totalCostMinor, standing, due) => {
    expect(openDueMinor({ totalCostMinor }, standing)).toBe(due);
  });
});

describe('the guard', () => {
  it.each([
    ['Deposit', 'refuse', 601_00, 'amount_exceeds_due'],
    ['Balance', 'refuse', 601_00, 'amount_exceeds_due'],
    ['Balance', 'refuse', 600_00, []],
    ['Balance', 'warn', 601_00, ['exceeds_due']],
    ['Balance', 'off', 601_00, []],
    ['Manual', 'refuse', 601_00, []],
    ['Bond', 'refuse', 601_00, []],
  ] as const)(
    'of a %s, which shall %s: %i',
    (purpose, overchargeGuard, requestedMinor, expected) => {
      const judged = judge({ ...property, overchargeGuard }, purpose, requestedMinor, 600_00);
      expect(judged.ok ? judged.value : judged.error.code).toEqual(expected);
    },
  );

  it('says what is due, in the currency', () => {
    const judged = judge({ ...property, currency: 'KWD' }, 'Balance', 2, 1);
    expect(judged).toMatchObject({ ok: false, error: { members: { due: 0.001 } } });
  });

  it('lets everything pass where the total is not known', () => {
    expect(judge(property, 'Balance', 1, null)).toEqual({ ok: true, value: [] });
  });
});

describe('what a payment leaves', () => {
  it.each([
    ['charge', 'Balance', 'accepted', 150],
    ['charge', 'Manual', 'accepted', 150],
    ['charge', 'Bond', 'accepted', 100],
    ['authorization', 'Balance', 'accepted', 100],
    ['schedule', 'Balance', 'accepted', 100],
    ['charge', 'Balance', 'ended', 100],
  ] as const)('by a %s of a %s that is %s', (kind, purpose, outcome, paidMinor) => {
    const row = { kind, purpose, requestedMinor: 50 };
    expect(standingAfter({ paidMinor: 100, uncertainMinor: 7 }, row, outcome)).toEqual({
      paidMinor,
      uncertainMinor: 7,
    });
  });
});

describe('the schedules that a guest’s payment is instead of', () => {
  const amount = fc.integer({ min: 1, max: 100_000 });
  const schedules = fc.array(fc.record({ amount, day: fc.integer({ min: 1, max: 60 }) }), {
    maxLength: 8,
  });

  it('are the latest, as many as are too much, and no more', () => {
    fc.assert(
      fc.property(schedules, amount, amount, (planned, totalCostMinor, requestedMinor) => {
        const rows = planned.map((one, index) =>
          transactionRow({
            id: index + 1,
            kind: 'schedule',
            status: 'Pending',
            pendingOperation: null,
            requestedMinor: one.amount,
            scheduledAtMs: one.day,
          }),
        );
        const balance = balanceOf(totalCostMinor, rows, []);
        const replaced = schedulesToReplace(rows, balance, requestedMinor);
        const left = rows.filter((row) => !replaced.includes(row));
        const leftMinor = left.reduce((sum, row) => sum + row.requestedMinor, 0);
        const dueMinor = Math.max(0, totalCostMinor - requestedMinor);
        expect(leftMinor).toBeLessThanOrEqual(dueMinor);
        const last = replaced.at(-1);
        if (last) expect(leftMinor + last.requestedMinor).toBeGreaterThan(dueMinor);
        const latestLeft = Math.max(...left.map((row) => row.scheduledAtMs ?? 0));
        for (const row of replaced) expect(row.scheduledAtMs).toBeGreaterThanOrEqual(latestLeft);
      }),
    );
  });

  it('are no Bonds, and nothing that is not pending', () => {
    const rows = [
      transactionRow({ id: 1, kind: 'schedule', status: 'Pending', purpose: 'Bond' }),
      transactionRow({ id: 2, kind: 'schedule', status: 'Cancelled' }),
    ];
    expect(schedulesToReplace(rows, balanceOf(15_000, rows, []), 15_000)).toEqual([]);
  });
});
