import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  type Balance,
  balanceOfRows as balanceOf,
  type Movement,
  statementOf,
} from '../../src/money/balance/rules/balance.ts';
import type { ChargeTotals } from '../../src/records/history/sums.ts';
import { transactionRow } from './rows.ts';

const movement = (changes: Partial<Movement> = {}): Movement =>
  transactionRow({ status: 'Accepted', pendingOperation: null, ...changes });

/** The journal of a charge: what it brought without fees, its fees, and what became of it. */
const taken = (
  netMinor: number,
  changes: Partial<Omit<ChargeTotals, 'takenMinor'>> = {},
): ChargeTotals => ({
  transactionId: 2,
  purpose: 'Balance',
  takenMinor: netMinor + (changes.feeMinor ?? 0),
  feeMinor: 0,
  refundedMinor: 0,
  waivedMinor: 0,
  disputedMinor: 0,
  ...changes,
});

describe('what is due', () => {
  const bond = { purpose: 'Bond' } as const;

  it.each<[string, ChargeTotals[], Partial<Balance>]>([
    ['nothing was paid', [], { dueMinor: 60_000 }],
    ['a part was paid', [taken(10_000)], { paidMinor: 10_000, dueMinor: 50_000 }],
    ['more was paid', [taken(70_000)], { paidMinor: 70_000, dueMinor: 0, overpaidMinor: 10_000 }],
    ['a bond was paid', [taken(10_000, bond)], { bondsMinor: 10_000, dueMinor: 60_000 }],
    [
      'a part was given back, fees last',
      [taken(10_000, { feeMinor: 309, refundedMinor: 4_000 })],
      { paidMinor: 6_000, refundedMinor: 4_000, dueMinor: 54_000 },
    ],
    [
      'all was given back, with its fee',
      [taken(10_000, { feeMinor: 309, refundedMinor: 10_309 })],
      { paidMinor: 0, refundedMinor: 10_000, dueMinor: 60_000 },
    ],
    [
      'a bond was given back',
      [taken(10_000), taken(5_000, { ...bond, refundedMinor: 4_000 })],
      { paidMinor: 10_000, refundedMinor: 0, bondsMinor: 1_000, dueMinor: 50_000 },
    ],
    [
      'the stay costs less by what was given back',
      [taken(60_000, { feeMinor: 1_856, refundedMinor: 10_000, waivedMinor: 10_000 })],
      { paidMinor: 50_000, waivedMinor: 10_000, dueMinor: 0, overpaidMinor: 0 },
    ],
    [
      'the stay costs nothing by what was given back with its fee',
      [taken(60_000, { feeMinor: 1_856, refundedMinor: 61_856, waivedMinor: 61_856 })],
      { paidMinor: 0, waivedMinor: 60_000, dueMinor: 0 },
    ],
    [
      'the stay costs less by a part of what was given back',
      [taken(60_000, { refundedMinor: 30_000, waivedMinor: 10_000 })],
      { paidMinor: 30_000, waivedMinor: 10_000, dueMinor: 20_000 },
    ],
    [
      'a bond was given back so that the stay costs less',
      [taken(5_000, { ...bond, refundedMinor: 5_000, waivedMinor: 5_000 })],
      { waivedMinor: 0, dueMinor: 60_000 },
    ],
  ])('when %s', (_case, totals, expected) => {
    expect(balanceOf(60_000, [], totals)).toMatchObject(expected);
  });

  it('is not known without a total', () => {
    const known = { paidMinor: 10_000, dueMinor: 0, overpaidMinor: 0 };
    expect(balanceOf(0, [], [taken(10_000)])).toMatchObject(known);
  });

  it.each([
    [{ pendingOperation: 'charge', requestedMinor: 20_000 }, 20_000],
    [{ pendingOperation: 'capture', requestedMinor: 20_000, captureRequestedMinor: 5_000 }, 5_000],
    [{ pendingOperation: 'capture', requestedMinor: 20_000 }, 20_000],
    [{ pendingOperation: 'authorize', requestedMinor: 20_000 }, 0],
    [{ pendingOperation: 'release', requestedMinor: 20_000 }, 0],
    [{ pendingOperation: 'expire', requestedMinor: 20_000 }, 0],
    [{ pendingOperation: 'charge', requestedMinor: 20_000, purpose: 'Bond' }, 0],
  ] as const)('less what is uncertain is payable now: %o', (changes, uncertainMinor) => {
    const balance = balanceOf(60_000, [movement({ ...changes, status: 'Processing' })], []);
    expect(balance).toMatchObject({
      paidMinor: 0,
      dueMinor: 60_000,
      uncertainMinor,
      payableMinor: 60_000 - uncertainMinor,
    });
  });

  it('stays due while it is scheduled, but is not proposed', () => {
    const rows = [
      movement({ status: 'Pending', requestedMinor: 20_000 }),
      movement({ status: 'Pending', requestedMinor: 5_000, purpose: 'Bond' }),
      movement({ status: 'Declined', requestedMinor: 7_000 }),
      movement({ status: 'Authorized', requestedMinor: 900 }),
      movement({ status: 'Pending', requestedMinor: 300 }),
    ];
    expect(balanceOf(60_000, rows, [])).toMatchObject({
      dueMinor: 60_000,
      payableMinor: 60_000,
      scheduledMinor: 20_300,
      heldMinor: 900,
      plannedMinor: 0,
      proposedMinor: 39_700,
    });
    expect(balanceOf(20_300, rows, []).proposedMinor).toBe(0);
    expect(balanceOf(20_000, rows, [])).toMatchObject({ payableMinor: 20_000, proposedMinor: 0 });
  });
});

describe('what a plan is still to charge', () => {
  it('stays due, but is not proposed, and its charges are not counted as scheduled too', () => {
    const rows = [
      movement({ status: 'Pending', requestedMinor: 20_000, planId: 'plan-7' }),
      movement({ status: 'Pending', requestedMinor: 5_000 }),
    ];
    expect(balanceOf(60_000, rows, [], 30_000)).toMatchObject({
      dueMinor: 60_000,
      payableMinor: 60_000,
      scheduledMinor: 5_000,
      plannedMinor: 30_000,
      proposedMinor: 25_000,
    });
    expect(balanceOf(60_000, rows, [], 55_001).proposedMinor).toBe(0);
  });
});

describe('the statement of a booking', () => {
  it('leaves out its Bonds, whatever became of them', () => {
    const stay = taken(10_000, { feeMinor: 309 });
    const became = { feeMinor: 50, refundedMinor: 1_000, disputedMinor: 500 };
    const totals = [stay, taken(5_000, { ...became, purpose: 'Bond' })];
    expect(statementOf(totals, balanceOf(60_000, [], totals))).toEqual({
      stayMinor: 60_000,
      waivedMinor: 0,
      feesMinor: 309,
      chargedMinor: 10_309,
      refundedMinor: 0,
      disputedMinor: 0,
      dueMinor: 50_000,
      overpaidMinor: 0,
    });
  });
});

describe('what is disputed', () => {
  it.each([
    ['in full, with its fee', { feeMinor: 309, disputedMinor: 10_309 }, 0, 10_000],
    ['in part', { feeMinor: 309, disputedMinor: 4_000 }, 6_000, 4_000],
    ['and won', { feeMinor: 309 }, 10_000, 0],
    [
      'after a part was given back',
      { feeMinor: 309, refundedMinor: 3_000, disputedMinor: 7_309 },
      0,
      7_000,
    ],
    ['after all was given back', { refundedMinor: 10_000, disputedMinor: 10_000 }, 0, 0],
  ] as const)(
    '%s is neither paid nor asked for again',
    (_case, became, paidMinor, disputedMinor) => {
      const balance = balanceOf(60_000, [], [taken(10_000, became)]);
      const dueMinor = 60_000 - paidMinor;
      const payableMinor = dueMinor - disputedMinor;
      expect(balance).toMatchObject({ paidMinor, disputedMinor, dueMinor, payableMinor });
    },
  );

  it('of a bond does not count', () => {
    const bond = taken(5_000, { purpose: 'Bond', disputedMinor: 5_000 });
    const balance = balanceOf(60_000, [], [bond]);
    expect(balance).toMatchObject({ paidMinor: 0, disputedMinor: 0, payableMinor: 60_000 });
  });
});

/** What happens to a charge, unit by unit. */
const story = fc
  .record({
    purpose: fc.constantFrom(
      'Deposit' as const,
      'Balance' as const,
      'Bond' as const,
      'Manual' as const,
    ),
    netMinor: fc.integer({ min: 1, max: 40 }),
    feeMinor: fc.nat(8),
    refundedMinor: fc.nat(50),
    waived: fc.double({ min: 0, max: 1, noNaN: true }),
    disputedMinor: fc.nat(50),
  })
  .map(({ netMinor, waived, ...one }) =>
    taken(netMinor, { ...one, waivedMinor: Math.floor(one.refundedMinor * waived) }),
  );

/**
 * The naive model: a charge's units lie in a row, those of the fee last; refunds take from the front, those that lower
 * the price last, then disputes.
 */
function unitsOf({
  takenMinor,
  feeMinor,
  refundedMinor,
  waivedMinor,
  disputedMinor,
}: ChargeTotals) {
  const units = Array.from({ length: takenMinor - feeMinor }, (_, at) => {
    if (at < refundedMinor - waivedMinor) return 'refunded';
    if (at < refundedMinor) return 'waived';
    return at < refundedMinor + disputedMinor ? 'disputed' : 'paid';
  });
  return (what: (typeof units)[number]) => units.filter((unit) => unit === what).length;
}

describe('a balance', () => {
  const minor = fc.integer({ min: 1, max: 1_000_000 });
  const stories = fc.array(story, { maxLength: 6 });
  const movements = fc.array(
    fc
      .record({
        requestedMinor: minor,
        purpose: fc.constantFrom('Deposit', 'Balance', 'Bond', 'Manual'),
        status: fc.constantFrom('Declined', 'Processing', 'Pending', 'Failed'),
        operation: fc.constantFrom('charge', 'capture', 'authorize'),
      })
      .map(({ operation, ...one }) =>
        movement({ ...one, pendingOperation: one.status === 'Processing' ? operation : null }),
      ),
    { maxLength: 8 },
  );

  it('is that of the naive model, in which every unit lies somewhere', () => {
    fc.assert(
      fc.property(fc.nat(300), stories, (totalMinor, totals) => {
        const counted = totals.filter(({ purpose }) => purpose !== 'Bond').map(unitsOf);
        const count = (what: Parameters<(typeof counted)[number]>[0]) =>
          counted.reduce((sum, units) => sum + units(what), 0);
        const dueMinor = Math.max(0, totalMinor - count('paid') - count('waived'));
        expect(balanceOf(totalMinor, [], totals)).toMatchObject({
          paidMinor: count('paid'),
          refundedMinor: count('refunded') + count('waived'),
          waivedMinor: count('waived'),
          disputedMinor: count('disputed'),
          dueMinor,
          overpaidMinor: totalMinor === 0 ? 0 : Math.max(0, count('paid') - totalMinor),
          payableMinor: Math.max(0, dueMinor - count('disputed')),
        });
      }),
    );
  });

  it('is never negative, and paying what is payable leaves nothing payable', () => {
    fc.assert(
      fc.property(fc.nat(5_000_000), movements, stories, (totalMinor, rows, totals) => {
        const before = balanceOf(totalMinor, rows, totals);
        expect(Math.min(...Object.values(before))).toBeGreaterThanOrEqual(0);
        expect(before.payableMinor).toBeLessThanOrEqual(before.dueMinor);
        expect(before.proposedMinor).toBeLessThanOrEqual(before.payableMinor);
        const after = balanceOf(totalMinor, rows, [...totals, taken(before.payableMinor)]);
        expect(after.payableMinor).toBe(0);
      }),
    );
  });

  it('is due more by what is refunded, but not by what is waived', () => {
    fc.assert(
      fc.property(fc.nat(5_000_000), minor, minor, (totalMinor, netMinor, refundedMinor) => {
        const dueOf = (one: ChargeTotals) => balanceOf(totalMinor, [], [one]).dueMinor;
        const before = dueOf(taken(netMinor));
        const after = dueOf(taken(netMinor, { refundedMinor }));
        expect(after).toBeGreaterThanOrEqual(before);
        expect(after).toBeLessThanOrEqual(totalMinor);
        const waived = dueOf(taken(netMinor, { refundedMinor, waivedMinor: refundedMinor }));
        expect(waived).toBeLessThanOrEqual(before);
      }),
    );
  });

  it('asks the guest for the same when a dispute comes, and when it is won', () => {
    fc.assert(
      fc.property(fc.nat(300), story, (totalMinor, one) => {
        const without = balanceOf(totalMinor, [], [{ ...one, disputedMinor: 0 }]);
        const during = balanceOf(totalMinor, [], [one]);
        expect(during.paidMinor + during.disputedMinor).toBe(without.paidMinor);
        expect(during.payableMinor).toBe(without.payableMinor);
      }),
    );
  });
});
