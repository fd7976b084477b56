import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { balanceOf, type Movement } from '../../src/money/folio/balance.ts';
import { transactionRow } from './rows.ts';

const movement = (changes: Partial<Movement> = {}): Movement =>
  transactionRow({ status: 'Accepted', pendingOperation: null, ...changes });

const refund = (
  transactionId: number,
  amountMinor: number,
  status: 'Refunded' | 'Failed' | 'Processing',
) => ({
  transactionId,
  amountMinor,
  status,
});

describe('what is due', () => {
  it.each([
    ['nothing was paid', [], [], 0, 60_000],
    ['a part was paid', [movement({ id: 2, requestedMinor: 10_000 })], [], 10_000, 50_000],
    ['more was paid', [movement({ id: 2, requestedMinor: 70_000 })], [], 70_000, 0],
    ['a bond was paid', [movement({ id: 2, purpose: 'Bond' })], [], 0, 60_000],
    ['a charge was declined', [movement({ id: 2, status: 'Declined' })], [], 0, 60_000],
    [
      'a part was given back',
      [movement({ id: 2, requestedMinor: 10_000 })],
      [refund(2, 4_000, 'Refunded')],
      6_000,
      54_000,
    ],
    [
      'all was given back, with its fee',
      [movement({ id: 2, requestedMinor: 10_000 })],
      [refund(2, 10_309, 'Refunded')],
      0,
      60_000,
    ],
    [
      'a refund failed, and another is under way',
      [movement({ id: 2, requestedMinor: 10_000 })],
      [refund(2, 4_000, 'Failed'), refund(2, 1_000, 'Processing')],
      10_000,
      50_000,
    ],
    [
      'another charge was given back',
      [movement({ id: 2, requestedMinor: 10_000 }), movement({ id: 4, purpose: 'Bond' })],
      [refund(4, 4_000, 'Refunded')],
      10_000,
      50_000,
    ],
  ] as const)('when %s', (_case, movements, refunds, paidMinor, dueMinor) => {
    expect(balanceOf(60_000, movements, refunds)).toMatchObject({ paidMinor, dueMinor });
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

  it('stays due while it is scheduled, and the balance has the scheduled sum', () => {
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
    });
  });

  it('has the sum of completed refunds, of bonds too, with fees', () => {
    const rows = [
      movement({ id: 2, requestedMinor: 10_000 }),
      movement({ id: 4, purpose: 'Bond' }),
    ];
    const refunds = [
      refund(2, 10_309, 'Refunded'),
      refund(4, 4_000, 'Refunded'),
      refund(4, 600, 'Failed'),
      refund(4, 50, 'Processing'),
    ];
    expect(balanceOf(60_000, rows, refunds).refundedMinor).toBe(14_309);
    expect(balanceOf(60_000, rows, []).refundedMinor).toBe(0);
  });

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

  it('is never negative, and paying what is payable leaves nothing payable', () => {
    fc.assert(
      fc.property(fc.nat(5_000_000), movements, (totalMinor, made) => {
        const rows = made.map(({ operation, ...one }, index) => {
          const pendingOperation = one.status === 'Processing' ? operation : null;
          return movement({ ...one, pendingOperation, id: index });
        });
        const before = balanceOf(totalMinor, rows, []);
        expect(before.payableMinor).toBeGreaterThanOrEqual(0);
        expect(before.payableMinor).toBeLessThanOrEqual(before.dueMinor);
        const paid = movement({ id: 99, purpose: 'Balance', requestedMinor: before.payableMinor });
        expect(balanceOf(totalMinor, [...rows, paid], []).payableMinor).toBe(0);
      }),
    );
  });

  it('grows by what is refunded, but never above the total', () => {
    fc.assert(
      fc.property(fc.nat(5_000_000), minor, minor, (totalMinor, requestedMinor, backMinor) => {
        const rows = [movement({ id: 2, requestedMinor, purpose: 'Balance' })];
        const before = balanceOf(totalMinor, rows, []).dueMinor;
        const after = balanceOf(totalMinor, rows, [refund(2, backMinor, 'Refunded')]).dueMinor;
        expect(after).toBeGreaterThanOrEqual(before);
        expect(after).toBeLessThanOrEqual(totalMinor);
      }),
    );
  });
});
