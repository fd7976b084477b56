import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { balanceOfRows, openDueMinor } from '../../src/money/balance/rules/balance.ts';
import { paidInstead, staysScheduledMinor } from '../../src/money/guest/rules.ts';
import {
  amountToCapture,
  amountToFire,
  judge,
  scheduledWarnings,
} from '../../src/money/payments/rules/overcharge.ts';
import { price, termsOf, withoutFees } from '../../src/money/pricing/fees.ts';
import type { BookingTotals } from '../../src/records/history/sums.ts';
import { NO_PAYMENTS } from '../support/noPayments.ts';
import { transactionRow } from './rows.ts';

const property = { overchargeGuard: 'refuse', currency: 'AUD' } as const;

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

describe('what stays scheduled', () => {
  const booking = { totalCostMinor: 600 };
  const standing = { ...NO_PAYMENTS, scheduledMinor: 600 };

  it.each([
    ['charge', 'Balance', 'warn', true],
    ['charge', 'Manual', 'refuse', true],
    ['schedule', 'Balance', 'warn', true],
    ['charge', 'Balance', 'off', false],
    ['authorization', 'Balance', 'warn', false],
    ['charge', 'Bond', 'warn', false],
  ] as const)('beside a %s of a %s, which shall %s', (kind, purpose, overchargeGuard, warns) => {
    const payment = { kind, purpose, requestedMinor: 1 };
    const judged = (known: typeof standing, total = booking) =>
      scheduledWarnings({ overchargeGuard }, total, payment, known);
    expect(judged(standing)).toEqual(warns ? ['scheduled_exceeds_due'] : []);
    expect(judged({ ...standing, scheduledMinor: 599 })).toEqual([]);
    expect(judged(standing, { totalCostMinor: 0 })).toEqual([]);
  });
});

const booking = { totalCostMinor: 600, knownTotalMinor: 600 };
const guard = fc.constantFrom('off' as const, 'warn' as const, 'refuse' as const);
const minor = fc.integer({ min: 1, max: 1_000 });
const some = fc.nat(700);
const standing = fc
  .record({ paidMinor: some, waivedMinor: some, disputedMinor: some, uncertainMinor: some })
  .map((changes) => ({ ...NO_PAYMENTS, ...changes }));
const schedule = fc.record({
  purpose: fc.constantFrom('Deposit' as const, 'Balance' as const, 'Manual' as const),
  requestedMinor: minor,
  askedMinor: fc.constant(null),
  limitToDue: fc.boolean(),
  putOffUntilMs: fc.constantFrom(null, 1),
});

describe('a schedule that fires', () => {
  const fired = (
    overchargeGuard: 'off' | 'warn' | 'refuse',
    changes: Partial<BookingTotals>,
    row: Partial<Parameters<typeof amountToFire>[2]> = {},
    totals: Partial<typeof booking> = {},
  ) => {
    const plain = { purpose: 'Balance', requestedMinor: 600, askedMinor: null } as const;
    const full = { ...plain, limitToDue: false, putOffUntilMs: null, ...row };
    const known = { ...NO_PAYMENTS, ...changes };
    const amount = amountToFire({ overchargeGuard }, { ...booking, ...totals }, full, known, 1);
    return amount.kind === 'take' ? amount.requestedMinor : amount.kind;
  };
  const limited = { limitToDue: true };

  it.each([
    ['takes all of it if it is due', fired('refuse', {}), 600],
    ['takes the lesser', fired('refuse', { paidMinor: 599 }), 1],
    ['ends with nothing due', fired('refuse', { paidMinor: 600 }), 'nothingDue'],
    [
      'ends with the rest waived',
      fired('refuse', { paidMinor: 1, waivedMinor: 599 }),
      'nothingDue',
    ],
    ['leaves what is disputed', fired('refuse', { disputedMinor: 200 }), 400],
    ['waits for what would lower it', fired('refuse', { uncertainMinor: 1 }), 'wait'],
    [
      'is not lowered by what is uncertain',
      fired('refuse', { uncertainMinor: 1 }, { requestedMinor: 599 }),
      599,
    ],
    [
      'ends with nothing due, whatever is uncertain',
      fired('refuse', { paidMinor: 600, uncertainMinor: 9 }),
      'nothingDue',
    ],
    [
      'takes all of it without a total',
      fired('refuse', { paidMinor: 600 }, {}, { totalCostMinor: 0 }),
      600,
    ],
    [
      'is never guarded as a Manual',
      fired('refuse', { paidMinor: 600 }, { purpose: 'Manual' }),
      600,
    ],
    [
      'is put off with nothing due, if that is only warned of',
      fired('warn', { paidMinor: 600 }),
      'putOff',
    ],
    ['is taken after that', fired('warn', { paidMinor: 600 }, { putOffUntilMs: 1 }), 600],
    ['is not lowered where that is only warned of', fired('warn', { paidMinor: 1 }), 600],
    ['is put off if all is disputed', fired('warn', { disputedMinor: 600 }), 'putOff'],
    ['waits where only what is uncertain says', fired('warn', { uncertainMinor: 600 }), 'wait'],
    ['is taken where nobody minds', fired('off', { paidMinor: 600 }), 600],
    ['is limited whatever the guard', fired('off', { paidMinor: 500 }, limited), 100],
    [
      'is limited as a Manual too',
      fired('warn', { paidMinor: 600 }, { ...limited, purpose: 'Manual' }),
      'nothingDue',
    ],
    [
      'is limited by the last total that was known',
      fired('off', { paidMinor: 500 }, limited, { totalCostMinor: 0 }),
      100,
    ],
    [
      'is limited by what was asked for first',
      fired('off', {}, { ...limited, requestedMinor: 100, askedMinor: 500 }),
      500,
    ],
  ] as const)('%s', (_what, found, expected) => {
    expect(found).toBe(expected);
  });

  it('takes no more than was scheduled, and no more than is due unless the guard lets it', () => {
    fc.assert(
      fc.property(guard, schedule, standing, (overchargeGuard, row, known) => {
        const amount = amountToFire({ overchargeGuard }, booking, row, known, 1);
        if (amount.kind !== 'take') return;
        expect(amount.requestedMinor).toBeGreaterThan(0);
        expect(amount.requestedMinor).toBeLessThanOrEqual(row.requestedMinor);
        const isHeld = row.limitToDue || (overchargeGuard === 'refuse' && row.purpose !== 'Manual');
        const open = openDueMinor(600, known) ?? 0;
        if (isHeld) expect(amount.requestedMinor).toBeLessThanOrEqual(open);
      }),
    );
  });
});

describe('a capture', () => {
  const taken = (overchargeGuard: 'off' | 'warn' | 'refuse', paidMinor: number) => {
    const judged = amountToCapture(
      { ...property, overchargeGuard },
      booking,
      { purpose: 'Balance', requestedMinor: 600 },
      { ...NO_PAYMENTS, paidMinor },
      1,
    );
    return judged.ok ? [judged.value.requestedMinor, ...judged.value.warnings] : judged.error.code;
  };

  it.each([
    ['refuse', 0, [600]],
    ['refuse', 599, [1]],
    ['refuse', 600, 'amount_exceeds_due'],
    ['warn', 1, [600, 'exceeds_due']],
    ['warn', 600, [600, 'exceeds_due']],
    ['off', 600, [600]],
  ] as const)('which shall %s, with %i paid', (overchargeGuard, paidMinor, expected) => {
    expect(taken(overchargeGuard, paidMinor)).toEqual(expected);
  });
});

describe('what a guest’s payment is instead of', () => {
  const amount = fc.integer({ min: 1, max: 100_000 });
  const schedules = fc.array(fc.record({ amount, day: fc.integer({ min: 1, max: 60 }) }), {
    maxLength: 8,
  });
  const rates = fc.record({
    feeBasisPoints: fc.integer({ min: 0, max: 5_000 }),
    feeMethod: fc.constantFrom('grossUp' as const, 'add' as const),
    feeMaximumMinor: fc.option(fc.nat(5_000)),
    transactionFeeMinor: fc.nat(300),
    stepMinor: fc.constantFrom(1, 10),
  });

  it('is the latest schedules, and of the last of them what is too much, never at a higher fee', () => {
    fc.assert(
      fc.property(schedules, amount, amount, rates, (planned, total, requestedMinor, one) => {
        const { stepMinor, ...terms } = one;
        const rows = planned.map((each, index) => {
          const row = transactionRow({
            ...terms,
            id: index + 1,
            kind: 'schedule',
            status: 'Pending',
            pendingOperation: null,
            requestedMinor: each.amount,
            scheduledAtMs: each.day,
          });
          const priced = price(each.amount, termsOf(row), stepMinor);
          return { ...row, ...(priced.ok ? priced.value : withoutFees(each.amount, stepMinor)) };
        });
        const balance = balanceOfRows(total, rows, []);
        const { cancelled, lowered } = paidInstead(
          rows,
          balance,
          { requestedMinor, asked: [] },
          stepMinor,
        );
        const leftMinor = staysScheduledMinor(balance, { cancelled, lowered });
        const dueMinor = Math.max(0, total - requestedMinor);
        expect(leftMinor).toBeLessThanOrEqual(dueMinor);
        const last = lowered?.row ?? cancelled.at(-1);
        if (last)
          expect(dueMinor - leftMinor).toBeLessThan(
            stepMinor + (lowered ? 0 : last.requestedMinor),
          );
        const untouched = rows.filter((row) => row !== lowered?.row && !cancelled.includes(row));
        const latest = Math.max(...untouched.map((row) => row.scheduledAtMs ?? 0));
        for (const row of cancelled) expect(row.scheduledAtMs).toBeGreaterThanOrEqual(latest);
        if (lowered === null) return;
        const { row, to } = lowered;
        expect(to.requestedMinor).toBeLessThan(row.requestedMinor);
        expect(to.cardFeeMinor).toBeLessThanOrEqual(row.cardFeeMinor);
        expect(to.transactionFeeMinor).toBeLessThanOrEqual(row.transactionFeeMinor);
        expect(to.amountMinor).toBe(to.requestedMinor + to.cardFeeMinor + to.transactionFeeMinor);
        expect(to.amountMinor % stepMinor).toBe(0);
      }),
    );
  });

  it('is no Bond, and nothing that is not pending', () => {
    const rows = [
      transactionRow({ id: 1, kind: 'schedule', status: 'Pending', purpose: 'Bond' }),
      transactionRow({ id: 2, kind: 'schedule', status: 'Cancelled' }),
    ];
    const nothing = { cancelled: [], lowered: null };
    const all = { requestedMinor: 15_000, asked: [1, 2] };
    expect(paidInstead(rows, balanceOfRows(15_000, rows, []), all, 1)).toEqual(nothing);
  });

  it('is what the guest is asked about and pays first, then the latest of the others', () => {
    const rows = [1, 2, 3].map((id) =>
      transactionRow({
        id,
        kind: 'schedule',
        status: 'Pending',
        pendingOperation: null,
        requestedMinor: 100,
        scheduledAtMs: id,
      }),
    );
    const insteadOf = (totalMinor: number, requestedMinor: number, asked: number[]) => {
      const balance = balanceOfRows(totalMinor, rows, []);
      const paid = paidInstead(rows, balance, { requestedMinor, asked }, 1);
      return [paid.cancelled.map(({ id }) => id), paid.lowered?.to.id ?? null];
    };
    expect(insteadOf(900, 100, [])).toEqual([[], null]);
    expect(insteadOf(900, 100, [2])).toEqual([[2], null]);
    expect(insteadOf(300, 100, [1])).toEqual([[1], null]);
    expect(insteadOf(300, 150, [1])).toEqual([[1], 3]);
    expect(insteadOf(250, 200, [1])).toEqual([[1, 3], 2]);
  });
});
