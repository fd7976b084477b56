import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { balanceOf, type ChargeTotals, type Movement } from '../../src/money/balance/balance.ts';
import { transactionRow } from './rows.ts';

const movement = (changes: Partial<Movement> = {}): Movement =>
  transactionRow({ status: 'Accepted', pendingOperation: null, ...changes });

/** The journal of a charge: what it brought without fees, its fees, and what became of it. */
const taken = (
  transactionId: number,
  netMinor: number,
  { feeMinor = 0, refundedMinor = 0, disputedMinor = 0 }: Partial<ChargeTotals> = {},
): ChargeTotals => ({
  transactionId,
  takenMinor: netMinor + feeMinor,
  feeMinor,
  refundedMinor,
  disputedMinor,
});

describe('what is due', () => {
  it.each([
    ['nothing was paid', [], [], 0, 60_000],
    ['a part was paid', [movement({ id: 2 })], [taken(2, 10_000)], 10_000, 50_000],
    ['more was paid', [movement({ id: 2 })], [taken(2, 70_000)], 70_000, 0],
    ['a bond was paid', [movement({ id: 2, purpose: 'Bond' })], [taken(2, 10_000)], 0, 60_000],
    ['a charge was declined', [movement({ id: 2, status: 'Declined' })], [], 0, 60_000],
    [
      'a part was given back',
      [movement({ id: 2 })],
      [taken(2, 10_000, { feeMinor: 309, refundedMinor: 4_000 })],
      6_000,
      54_000,
    ],
    [
      'all was given back, with its fee',
      [movement({ id: 2 })],
      [taken(2, 10_000, { feeMinor: 309, refundedMinor: 10_309 })],
      0,
      60_000,
    ],
    [
      'a bond was given back',
      [movement({ id: 2 }), movement({ id: 4, purpose: 'Bond' })],
      [taken(2, 10_000), taken(4, 5_000, { refundedMinor: 4_000 })],
      10_000,
      50_000,
    ],
  ] as const)('when %s', (_case, movements, totals, paidMinor, dueMinor) => {
    const expected = { paidMinor, dueMinor, payableMinor: dueMinor, disputedMinor: 0 };
    expect(balanceOf(60_000, movements, totals)).toMatchObject(expected);
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
      movement({ id: 2, status: 'Pending', requestedMinor: 20_000 }),
      movement({ id: 4, status: 'Pending', requestedMinor: 5_000, purpose: 'Bond' }),
      movement({ id: 6, status: 'Declined', requestedMinor: 7_000 }),
      movement({ id: 8, status: 'Pending', requestedMinor: 300 }),
    ];
    expect(balanceOf(60_000, rows, [])).toMatchObject({
      dueMinor: 60_000,
      payableMinor: 60_000,
      scheduledMinor: 20_300,
      proposedMinor: 39_700,
    });
    expect(balanceOf(20_300, rows, []).proposedMinor).toBe(0);
    expect(balanceOf(20_000, rows, [])).toMatchObject({ payableMinor: 20_000, proposedMinor: 0 });
  });

  it('has the sum of completed refunds, of bonds too, with fees', () => {
    const rows = [movement({ id: 2 }), movement({ id: 4, purpose: 'Bond' })];
    const totals = [
      taken(2, 10_000, { feeMinor: 309, refundedMinor: 10_309 }),
      taken(4, 5_000, { refundedMinor: 4_000 }),
    ];
    expect(balanceOf(60_000, rows, totals).refundedMinor).toBe(14_309);
    expect(balanceOf(60_000, rows, []).refundedMinor).toBe(0);
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
      const balance = balanceOf(60_000, [movement({ id: 2 })], [taken(2, 10_000, became)]);
      const dueMinor = 60_000 - paidMinor;
      const payableMinor = dueMinor - disputedMinor;
      expect(balance).toMatchObject({ paidMinor, disputedMinor, dueMinor, payableMinor });
    },
  );

  it('of a bond does not count', () => {
    const rows = [movement({ id: 2, purpose: 'Bond' })];
    const balance = balanceOf(60_000, rows, [taken(2, 5_000, { disputedMinor: 5_000 })]);
    expect(balance).toMatchObject({ paidMinor: 0, disputedMinor: 0, payableMinor: 60_000 });
  });
});

/** What happens to a charge, unit by unit. */
const story = fc.record({
  purpose: fc.constantFrom('Deposit', 'Balance', 'Bond', 'Manual'),
  netMinor: fc.integer({ min: 1, max: 40 }),
  feeMinor: fc.nat(8),
  refundedMinor: fc.nat(50),
  disputedMinor: fc.nat(50),
});

/** What became of a charge: what it brought without fees, and what was taken from it. */
type Story = Pick<ChargeTotals, 'refundedMinor' | 'disputedMinor'> & { readonly netMinor: number };

/** The naive model: a charge's units lie in a row, those of the fee last; refunds take from the front, then disputes. */
function unitsOf({ netMinor, refundedMinor, disputedMinor }: Story) {
  const units = Array.from({ length: netMinor }, (_, at) => {
    if (at < refundedMinor) return 'refunded';
    return at < refundedMinor + disputedMinor ? 'disputed' : 'paid';
  });
  const count = (what: string) => units.filter((unit) => unit === what).length;
  return { paidMinor: count('paid'), disputedMinor: count('disputed') };
}

describe('a balance', () => {
  const minor = fc.integer({ min: 1, max: 1_000_000 });
  const movements = fc.array(
    fc.record({
      requestedMinor: minor,
      purpose: fc.constantFrom('Deposit', 'Balance', 'Bond', 'Manual'),
      status: fc.constantFrom('Accepted', 'Declined', 'Processing', 'Pending', 'Failed'),
      operation: fc.constantFrom('charge', 'capture', 'authorize'),
    }),
    { maxLength: 8 },
  );

  it('is that of the naive model, in which every unit lies somewhere', () => {
    fc.assert(
      fc.property(fc.nat(300), fc.array(story, { maxLength: 6 }), (totalMinor, stories) => {
        const rows = stories.map(({ purpose }, id) => movement({ id, purpose }));
        const totals = stories.map((one, id) => taken(id, one.netMinor, one));
        const counted = stories.filter(({ purpose }) => purpose !== 'Bond').map(unitsOf);
        const paidMinor = counted.reduce((sum, units) => sum + units.paidMinor, 0);
        const disputedMinor = counted.reduce((sum, units) => sum + units.disputedMinor, 0);
        expect(balanceOf(totalMinor, rows, totals)).toMatchObject({
          paidMinor,
          disputedMinor,
          dueMinor: Math.max(0, totalMinor - paidMinor),
          payableMinor: Math.max(0, totalMinor - paidMinor - disputedMinor),
        });
      }),
    );
  });

  it('is never negative, and paying what is payable leaves nothing payable', () => {
    fc.assert(
      fc.property(fc.nat(5_000_000), movements, (totalMinor, made) => {
        const rows = made.map(({ operation, ...one }, index) => {
          const pendingOperation = one.status === 'Processing' ? operation : null;
          return movement({ ...one, pendingOperation, id: index });
        });
        const totals = rows.flatMap(({ id, status, requestedMinor }) =>
          status === 'Accepted' ? [taken(id, requestedMinor)] : [],
        );
        const before = balanceOf(totalMinor, rows, totals);
        expect(before.payableMinor).toBeGreaterThanOrEqual(0);
        expect(before.payableMinor).toBeLessThanOrEqual(before.dueMinor);
        expect(before.proposedMinor).toBeGreaterThanOrEqual(0);
        expect(before.proposedMinor).toBeLessThanOrEqual(before.payableMinor);
        const paid = movement({ id: 99, purpose: 'Balance' });
        const after = [...totals, taken(99, before.payableMinor)];
        expect(balanceOf(totalMinor, [...rows, paid], after).payableMinor).toBe(0);
      }),
    );
  });

  it('is due more by what is refunded, but never above the total', () => {
    fc.assert(
      fc.property(fc.nat(5_000_000), minor, minor, (totalMinor, netMinor, refundedMinor) => {
        const rows = [movement({ id: 2, purpose: 'Balance' })];
        const before = balanceOf(totalMinor, rows, [taken(2, netMinor)]).dueMinor;
        const back = taken(2, netMinor, { refundedMinor });
        const after = balanceOf(totalMinor, rows, [back]).dueMinor;
        expect(after).toBeGreaterThanOrEqual(before);
        expect(after).toBeLessThanOrEqual(totalMinor);
      }),
    );
  });

  it('asks the guest for the same when a dispute comes, and when it is won', () => {
    fc.assert(
      fc.property(fc.nat(300), story, (totalMinor, { disputedMinor, ...one }) => {
        const rows = [movement({ id: 2, purpose: one.purpose })];
        const without = balanceOf(totalMinor, rows, [taken(2, one.netMinor, one)]);
        const during = balanceOf(totalMinor, rows, [
          taken(2, one.netMinor, { ...one, disputedMinor }),
        ]);
        expect(during.paidMinor + during.disputedMinor).toBe(without.paidMinor);
        expect(during.payableMinor).toBe(without.payableMinor);
      }),
    );
  });
});
