import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { balanceOfRows, openDueMinor } from '../../src/money/balance/rules/balance.ts';
import { paidInstead, staysScheduledMinor } from '../../src/money/guest/rules.ts';
import {
  type AmountRequest,
  amountFor,
  amountToCapture,
  amountToFire,
  dependsOnTotals,
  judge,
  mayDependOnDue,
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
    expect(judged).toMatchObject({
      ok: false,
      error: {
        detail: 'The amount is more than is due. Nothing was charged.',
        members: { due: 0.001 },
      },
    });
  });
});

describe('whether what a schedule takes may depend on what is due', () => {
  it.each([
    ['Deposit', false, true],
    ['Balance', false, true],
    ['Balance', true, true],
    ['Manual', false, false],
    ['Bond', false, false],
    ['Manual', true, true],
  ] as const)('of a %s that takes what is due, at most (%s): %s', (purpose, limitToDue, may) => {
    expect(mayDependOnDue({ purpose, limitToDue })).toBe(may);
  });
});

describe('whether a new payment depends on what is paid', () => {
  it.each([
    ['off', 'charge', false, false],
    ['off', 'charge', true, true],
    ['off', 'authorization', true, true],
    ['off', 'schedule', true, false],
    ['off', 'schedule', false, false],
    ['warn', 'charge', false, true],
    ['warn', 'schedule', false, true],
    ['warn', 'schedule', true, true],
    ['refuse', 'charge', false, true],
  ] as const)(
    'of a guard that shall %s: a %s that takes what is due, at most (%s): %s',
    (overchargeGuard, kind, limitToDue, depends) => {
      const request = { kind, limitToDue };
      const unknown = { totalCostMinor: 0, knownTotalMinor: 0 };
      expect(dependsOnTotals({ overchargeGuard }, booking, request)).toBe(depends);
      expect(dependsOnTotals({ overchargeGuard }, unknown, request)).toBe(false);
    },
  );

  it('goes by the last total that was known only if it takes what is due, at most', () => {
    const once = { totalCostMinor: 0, knownTotalMinor: 600 };
    const depends = (limitToDue: boolean) =>
      dependsOnTotals({ overchargeGuard: 'refuse' }, once, { kind: 'charge', limitToDue });
    expect([depends(true), depends(false)]).toEqual([true, false]);
  });
});

describe('the amount of a new payment', () => {
  const amount = (
    request: Partial<AmountRequest>,
    known: Partial<BookingTotals> | null,
    stepMinor = 1,
    totals: Partial<typeof booking> = {},
  ) => {
    const plain = { kind: 'charge', purpose: 'Balance', requestedMinor: 600 } as const;
    const asked = { ...plain, limitToDue: false, ...request };
    const sums = known && { ...NO_PAYMENTS, ...known };
    const decided = amountFor(property, { ...booking, ...totals }, asked, sums, stepMinor);
    if (!decided.ok) return decided.error.code;
    return [decided.value.requestedMinor, decided.value.askedMinor];
  };
  const limited = { limitToDue: true };

  it.each<[string, () => ReturnType<typeof amount>, ReturnType<typeof amount>]>([
    ['is what was asked for', () => amount({}, {}), [600, null]],
    [
      'is refused where the guard refuses it',
      () => amount({}, { paidMinor: 1 }),
      'amount_exceeds_due',
    ],
    ['is not lowered by what nobody read', () => amount(limited, null), [600, null]],
    ['is all that was asked for, where it is due', () => amount(limited, {}), [600, null]],
    ['is what is due, at most', () => amount(limited, { paidMinor: 1 }), [599, 600]],
    ['leaves out what is uncertain', () => amount(limited, { uncertainMinor: 2 }), [598, 600]],
    [
      'is a multiple of the step, if it is lowered',
      () => amount(limited, { paidMinor: 1 }, 10),
      [590, 600],
    ],
    [
      'stays as it was asked for, finer than the step or not, where more is due',
      () => amount({ ...limited, requestedMinor: 595 }, {}, 10),
      [595, null],
    ],
    [
      'stays as it was asked for where exactly that is due',
      () => amount({ ...limited, requestedMinor: 595 }, { paidMinor: 5 }, 10),
      [595, null],
    ],
    [
      'is refused where nothing is due',
      () => amount(limited, { paidMinor: 600 }),
      'amount_exceeds_due',
    ],
    [
      'is refused where less than a step is due',
      () => amount(limited, { paidMinor: 591 }, 10),
      'amount_exceeds_due',
    ],
    [
      'of a schedule is lowered when it fires, not before',
      () => amount({ ...limited, kind: 'schedule' }, { paidMinor: 600 }),
      [600, null],
    ],
    [
      'of a hold is lowered at once',
      () => amount({ ...limited, kind: 'authorization' }, { paidMinor: 1 }),
      [599, 600],
    ],
    [
      'of a Manual is lowered too',
      () => amount({ ...limited, purpose: 'Manual' }, { paidMinor: 1 }),
      [599, 600],
    ],
    [
      'is what is due of the last total that was known',
      () => amount(limited, { paidMinor: 1 }, 1, { totalCostMinor: 0 }),
      [599, 600],
    ],
    [
      'is compared with no earlier total',
      () => amount({}, { paidMinor: 1 }, 1, { totalCostMinor: 0 }),
      [600, null],
    ],
  ])('%s', (_what, found, expected) => {
    expect(found()).toEqual(expected);
  });

  it('says what is due where it is refused as nothing is', () => {
    const asked = {
      kind: 'charge',
      purpose: 'Manual',
      requestedMinor: 5,
      limitToDue: true,
    } as const;
    const paid = { ...NO_PAYMENTS, paidMinor: 600 };
    expect(amountFor(property, booking, asked, paid, 1)).toMatchObject({
      error: { members: { due: 0 } },
    });
  });

  it('warns where the guard only warns', () => {
    const asked = { kind: 'charge', purpose: 'Deposit', requestedMinor: 601 } as const;
    const warning = { ...property, overchargeGuard: 'warn' } as const;
    const decided = amountFor(warning, booking, { ...asked, limitToDue: false }, NO_PAYMENTS, 1);
    expect(decided).toEqual({
      ok: true,
      value: { requestedMinor: 601, askedMinor: null, warnings: ['exceeds_due'] },
    });
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
    ['takes all of it if it is due', () => fired('refuse', {}), 600],
    ['takes the lesser', () => fired('refuse', { paidMinor: 599 }), 1],
    ['ends with nothing due', () => fired('refuse', { paidMinor: 600 }), 'nothingDue'],
    [
      'ends with the rest waived',
      () => fired('refuse', { paidMinor: 1, waivedMinor: 599 }),
      'nothingDue',
    ],
    ['leaves what is disputed', () => fired('refuse', { disputedMinor: 200 }), 400],
    ['waits for what would lower it', () => fired('refuse', { uncertainMinor: 1 }), 'wait'],
    [
      'is not lowered by what is uncertain',
      () => fired('refuse', { uncertainMinor: 1 }, { requestedMinor: 599 }),
      599,
    ],
    [
      'ends with nothing due, whatever is uncertain',
      () => fired('refuse', { paidMinor: 600, uncertainMinor: 9 }),
      'nothingDue',
    ],
    [
      'takes all of it without a total',
      () => fired('refuse', { paidMinor: 600 }, {}, { totalCostMinor: 0 }),
      600,
    ],
    [
      'is never guarded as a Manual',
      () => fired('refuse', { paidMinor: 600 }, { purpose: 'Manual' }),
      600,
    ],
    [
      'is put off with nothing due, if that is only warned of',
      () => fired('warn', { paidMinor: 600 }),
      'putOff',
    ],
    ['is taken after that', () => fired('warn', { paidMinor: 600 }, { putOffUntilMs: 1 }), 600],
    ['is not lowered where that is only warned of', () => fired('warn', { paidMinor: 1 }), 600],
    ['is put off if all is disputed', () => fired('warn', { disputedMinor: 600 }), 'putOff'],
    [
      'waits where only what is uncertain says',
      () => fired('warn', { uncertainMinor: 600 }),
      'wait',
    ],
    ['is taken where nobody minds', () => fired('off', { paidMinor: 600 }), 600],
    ['is limited whatever the guard', () => fired('off', { paidMinor: 500 }, limited), 100],
    [
      'is limited as a Manual too',
      () => fired('warn', { paidMinor: 600 }, { ...limited, purpose: 'Manual' }),
      'nothingDue',
    ],
    [
      'is limited by the last total that was known',
      () => fired('off', { paidMinor: 500 }, limited, { totalCostMinor: 0 }),
      100,
    ],
    [
      'is limited by what was asked for first',
      () => fired('off', {}, { ...limited, requestedMinor: 100, askedMinor: 500 }),
      500,
    ],
  ] as const)('%s', (_what, found, expected) => {
    expect(found()).toBe(expected);
  });

  it.each([
    ['lowered', { requestedMinor: 600 }, 3, 590],
    ['not lowered', { requestedMinor: 595 }, 3, 595],
    ['lowered to exactly what was asked for', { requestedMinor: 595 }, 5, 595],
    ['lowered below a step', { requestedMinor: 600 }, 591, 'nothingDue'],
  ])('takes multiples of the step where it is %s', (_what, row, paidMinor, expected) => {
    const full = { purpose: 'Balance', askedMinor: null, limitToDue: true, ...row } as const;
    const known = { ...NO_PAYMENTS, paidMinor };
    const off = { overchargeGuard: 'off' } as const;
    const amount = amountToFire(off, booking, { ...full, putOffUntilMs: null }, known, 10);
    expect(amount.kind === 'take' ? amount.requestedMinor : amount.kind).toBe(expected);
  });

  it('takes all of it where nobody read what is paid, whatever the guard', () => {
    const row = { purpose: 'Balance', requestedMinor: 600, askedMinor: null } as const;
    const full = { ...row, limitToDue: false, putOffUntilMs: null };
    for (const overchargeGuard of ['off', 'warn', 'refuse'] as const) {
      const amount = amountToFire({ overchargeGuard }, booking, full, null, 1);
      expect(amount).toEqual({ kind: 'take', requestedMinor: 600 });
    }
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

describe('a capture of more than is due, which a guard refuses', () => {
  const taken = (paidMinor: number, total = booking.totalCostMinor) => {
    const payment = { purpose: 'Balance', requestedMinor: 600 } as const;
    const known = { ...NO_PAYMENTS, paidMinor };
    const judged = amountToCapture(property, { totalCostMinor: total }, payment, known, 10);
    return judged.ok ? judged.value.requestedMinor : judged.error.code;
  };

  it.each([
    ['takes a multiple of the step', () => taken(3), 590],
    ['is refused where less than a step is due', () => taken(591), 'amount_exceeds_due'],
    ['takes all of it where the total is not known', () => taken(600, 0), 600],
  ] as const)('%s', (_what, found, expected) => {
    expect(found()).toBe(expected);
  });

  it('takes all of it where nobody read what is paid', () => {
    const payment = { purpose: 'Balance', requestedMinor: 601 } as const;
    expect(amountToCapture(property, booking, payment, null, 1)).toEqual({
      ok: true,
      value: { requestedMinor: 601, warnings: [] },
    });
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
    expect(insteadOf(300, 150, [3])).toEqual([[3], 2]);
    expect(insteadOf(300, 100, [])).toEqual([[3], null]);
  });

  it('is the newer of two at the same time, and none of a plan', () => {
    const planned = (id: number, planId: string | null) =>
      transactionRow({
        id,
        planId,
        kind: 'schedule',
        status: 'Pending',
        pendingOperation: null,
        requestedMinor: 100,
        scheduledAtMs: 5,
      });
    const rows = [planned(1, null), planned(3, null), planned(2, null), planned(4, 'plan-1')];
    const due = { payableMinor: 300, scheduledMinor: 300 };
    const paid = paidInstead(rows, due, { requestedMinor: 150, asked: [4] }, 1);
    expect([paid.cancelled.map(({ id }) => id), paid.lowered?.to.id]).toEqual([[3], 2]);
  });
});
