/** What the history says of a change, and what its entries add up to (parts: The history). */
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  eventOf,
  historyOf,
  movementOf,
  openedBy,
} from '../../src/money/payments/rules/history.ts';
import { subjectText } from '../../src/records/history/rules/entry.ts';
import {
  bookingTotals,
  type EntryMoney,
  overpaidBy,
  shareOf,
  withEntry,
} from '../../src/records/history/rules/totals.ts';
import { NO_SUMS, type Sums } from '../../src/records/history/sums.ts';
import { movements } from '../../src/schema/historyTables.ts';
import type { TransactionRow } from '../../src/schema/moneyTables.ts';
import { seed } from '../support/seed.ts';
import { transactionRow } from './rows.ts';

const row = (changes: Partial<TransactionRow>) =>
  transactionRow({ pendingOperation: null, ...changes });

describe('the event of a change', () => {
  it.each<[string, Partial<TransactionRow> | null, Partial<TransactionRow>, string | null]>([
    ['a charge that is sent', null, { status: 'Processing' }, null],
    ['a new schedule', null, { kind: 'schedule', status: 'Pending' }, 'schedule.created'],
    [
      'a charge that is taken',
      { status: 'Processing' },
      { status: 'Accepted' },
      'payment.accepted',
    ],
    [
      'a hold that is captured',
      { kind: 'authorization', status: 'Processing', pendingOperation: 'capture' },
      { kind: 'authorization', status: 'Accepted' },
      'authorization.captured',
    ],
    ['a schedule that is tried', { status: 'Pending' }, { status: 'Processing' }, null],
    [
      'a schedule that is tried again later',
      { kind: 'schedule', status: 'Processing' },
      { kind: 'schedule', status: 'Pending' },
      'schedule.retrying',
    ],
    ['a decline for good', { status: 'Processing' }, { status: 'Declined' }, 'payment.declined'],
    ['a failure', { status: 'Processing' }, { status: 'Failed' }, 'payment.failed'],
    [
      'an end without a charge',
      { status: 'Pending' },
      { status: 'Cancelled' },
      'schedule.cancelled',
    ],
    [
      'an outcome that is not known',
      { status: 'Processing', statusChecks: 0 },
      { status: 'Processing', statusChecks: 1 },
      'payment.unknown',
    ],
    [
      'an outcome that is still not known',
      { status: 'Processing', statusChecks: 1 },
      { status: 'Processing', statusChecks: 2 },
      null,
    ],
    [
      'a hold that is approved',
      { status: 'Processing', pendingOperation: 'authorize' },
      { status: 'Authorized' },
      'authorization.authorized',
    ],
    [
      'a capture that is rejected at once',
      { status: 'Processing', pendingOperation: 'capture', statusChecks: 0 },
      { status: 'Authorized' },
      null,
    ],
    [
      'a capture that was unknown, and is rejected',
      { status: 'Processing', pendingOperation: 'capture', statusChecks: 2 },
      { status: 'Authorized' },
      'authorization.authorized',
    ],
    [
      'a hold that is let go',
      { status: 'Processing' },
      { status: 'Released' },
      'authorization.released',
    ],
    ['a hold that ends', { status: 'Processing' }, { status: 'Expired' }, 'authorization.expired'],
    [
      'a correction, whatever the state',
      { status: 'Failed' },
      { status: 'Accepted', correctedAtMs: 5 },
      'payment.corrected',
    ],
    ['a new due time', { status: 'Pending', dueAtMs: 1 }, { status: 'Pending', dueAtMs: 2 }, null],
    ['a new charge of a part of a plan', null, { status: 'Pending', planId: 'p1' }, null],
    ['a new payment that failed', null, { status: 'Failed' }, 'payment.failed'],
    ['a new payment that its card refused', null, { status: 'Declined' }, 'payment.declined'],
    ['a new payment that was taken', null, { status: 'Accepted' }, 'payment.accepted'],
    [
      'a new hold that was captured',
      null,
      { status: 'Accepted', kind: 'authorization' },
      'authorization.captured',
    ],
    ['a new payment under way', null, { status: 'Processing' }, null],
    ['a new hold that nobody has heard of', null, { status: 'Authorized' }, null],
    [
      'one under way that changes without a status check',
      { status: 'Processing', statusChecks: 0 },
      { status: 'Processing', statusChecks: 0 },
      null,
    ],
  ])('%s', (_name, before, after, type) => {
    expect(eventOf({ before: before && row(before), after: row(after) })).toBe(type);
  });
});

describe('the movement of a change', () => {
  const taken = { status: 'Accepted', gatewayReference: 'pi_1', completedAtMs: 9 } as const;
  const priced = { requestedMinor: 100, amountMinor: 103, cardFeeMinor: 2, transactionFeeMinor: 1 };

  it('is the charge or the capture, with its fees, when the money is taken', () => {
    const after = row({ ...taken, ...priced });
    const before = row({ status: 'Processing', ...priced });
    const moved = { amountMinor: 103, feeMinor: 3, gatewayReference: 'pi_1', occurredAtMs: 9 };
    expect(movementOf({ before, after })).toMatchObject({ kind: 'charge', ...moved });
    const hold = { ...after, kind: 'authorization' as const };
    expect(movementOf({ before, after: hold })).toMatchObject({ kind: 'capture', ...moved });
    expect(movementOf({ before: null, after })).toMatchObject({ kind: 'charge', ...moved });
  });

  it('is a correction when another amount was taken, or for another payment', () => {
    const before = row({ ...taken, ...priced });
    const less = {
      ...before,
      requestedMinor: 50,
      amountMinor: 51,
      cardFeeMinor: 1,
      transactionFeeMinor: 0,
    };
    expect(movementOf({ before, after: less })).toMatchObject({
      kind: 'correction',
      amountMinor: -52,
      feeMinor: -2,
    });
    expect(movementOf({ before, after: { ...before, gatewayReference: 'pi_2' } })).toMatchObject({
      kind: 'correction',
      amountMinor: 0,
      feeMinor: 0,
      gatewayReference: 'pi_2',
    });
  });

  it('is a correction when only the fees, or only the amount without them, are others', () => {
    const before = row({ ...taken, ...priced });
    const moved = { kind: 'correction', amountMinor: 0 };
    const other = { ...before, requestedMinor: 99, cardFeeMinor: 3 };
    expect(movementOf({ before, after: other })).toMatchObject({ ...moved, feeMinor: 1 });
    const more = { ...before, amountMinor: 104, cardFeeMinor: 3 };
    expect(movementOf({ before, after: more })).toMatchObject({ amountMinor: 1, feeMinor: 1 });
  });

  it('is none while nothing is taken, and none when only our record of it changes', () => {
    const before = row({ ...taken, ...priced });
    expect(movementOf({ before, after: { ...before, refundReservedMinor: 5 } })).toBeNull();
    expect(movementOf({ before: { ...before, gatewayReference: null }, after: before })).toBeNull();
    expect(movementOf({ before: null, after: row({ status: 'Processing' }) })).toBeNull();
  });
});

describe('what a change opens', () => {
  it.each<[Partial<TransactionRow> | null, Partial<TransactionRow>, object | null]>([
    [null, { status: 'Pending' }, { scheduledMinor: 100 }],
    [null, { status: 'Processing', pendingOperation: 'charge' }, { uncertainMinor: 100 }],
    [
      { status: 'Pending' },
      { status: 'Processing', pendingOperation: 'charge' },
      { scheduledMinor: -100, uncertainMinor: 100 },
    ],
    [
      { status: 'Processing', pendingOperation: 'charge' },
      { status: 'Accepted' },
      { uncertainMinor: -100 },
    ],
    [{ status: 'Pending' }, { status: 'Pending', requestedMinor: 40 }, { scheduledMinor: -60 }],
    [{ status: 'Pending' }, { status: 'Pending', dueAtMs: 8 }, null],
    [null, { status: 'Pending', purpose: 'Bond' }, null],
  ])('%o to %o', (before, after, opened) => {
    const of = (changes: Partial<TransactionRow>) => row({ requestedMinor: 100, ...changes });
    const change = openedBy({ before: before && of(before), after: of(after) });
    const nothing = { scheduledMinor: null, uncertainMinor: null, heldMinor: null };
    expect(change).toEqual(opened && { ...nothing, ...opened });
  });
});

/** Entries of a booking with three charges, of which one is a Bond. */
const entries = fc.array(
  fc.record({
    chargeId: fc.constantFrom(1, 2, 3),
    kind: fc.constantFrom(...movements),
    minor: fc.integer({ min: 1, max: 10_000 }),
    scheduledMinor: fc.option(fc.integer({ min: -500, max: 500 })),
  }),
  { maxLength: 30 },
);

const entryOf = (
  drawn: typeof entries extends fc.Arbitrary<(infer One)[]> ? One : never,
): EntryMoney => {
  const { chargeId, kind, minor, scheduledMinor } = drawn;
  const isOut = kind === 'refund' || kind === 'chargeback';
  return {
    charge: { id: chargeId, purpose: chargeId === 3 ? 'Bond' : 'Balance' },
    moved: {
      kind,
      amountMinor: isOut ? -minor : minor,
      feeMinor: kind === 'charge' ? Math.floor(minor / 50) : 0,
    },
    open: { scheduledMinor, uncertainMinor: null, heldMinor: null },
  };
};

describe('the sums of a history', () => {
  it('are those of its entries, in whatever order they come', () => {
    fc.assert(
      fc.property(entries, (drawn) => {
        const all = drawn.map(entryOf);
        const sums = all.reduce<Sums>(withEntry, NO_SUMS);
        const backwards = all.toReversed().reduce<Sums>(withEntry, NO_SUMS);
        expect(bookingTotals(backwards)).toEqual(bookingTotals(sums));
        const scheduled = drawn.reduce((sum, { scheduledMinor }) => sum + (scheduledMinor ?? 0), 0);
        expect(sums.open.scheduledMinor).toBe(scheduled);
        const takenOf = (id: number) =>
          all
            .filter(({ charge, moved }) => {
              const isTaken = ['charge', 'capture', 'correction'].includes(moved?.kind ?? '');
              return charge?.id === id && isTaken;
            })
            .reduce((sum, { moved }) => sum + (moved?.amountMinor ?? 0), 0);
        for (const { transactionId, takenMinor } of sums.totals) {
          expect(takenMinor).toBe(takenOf(transactionId));
        }
        const { paidMinor } = bookingTotals(sums);
        const counted = sums.totals.filter(({ purpose }) => purpose !== 'Bond');
        expect(paidMinor).toBe(counted.reduce((sum, one) => sum + shareOf(one).paidMinor, 0));
      }),
      { seed },
    );
  });

  it('add up each amount that is open, and what refunds waive', () => {
    const open = { scheduledMinor: 1, uncertainMinor: 20, heldMinor: 300, plannedMinor: 4_000 };
    const once = withEntry(NO_SUMS, { open });
    expect(once).toEqual({ totals: [], open });
    const closed = withEntry(once, { open: { ...open, plannedMinor: -4_000, heldMinor: null } });
    expect(closed.open).toEqual({
      scheduledMinor: 2,
      uncertainMinor: 40,
      heldMinor: 300,
      plannedMinor: 0,
    });
    const charge = { id: 1, purpose: 'Balance' } as const;
    const refund = { kind: 'refund', amountMinor: -30, feeMinor: 0, waivedMinor: 20 } as const;
    const twice = withEntry(withEntry(NO_SUMS, { charge, moved: refund }), {
      charge,
      moved: refund,
    });
    expect(twice.totals).toMatchObject([{ refundedMinor: 60, waivedMinor: 40 }]);
    // A charge that nothing moved of, and a movement of no charge.
    expect(withEntry(NO_SUMS, { charge })).toEqual(NO_SUMS);
    expect(withEntry(NO_SUMS, { moved: refund }).totals).toEqual([]);
  });

  it('make a booking overpaid exactly when what is paid grows beyond its total', () => {
    fc.assert(
      fc.property(entries, fc.integer({ min: 0, max: 20_000 }), (drawn, totalCostMinor) => {
        let before: Sums = NO_SUMS;
        for (const entry of drawn.map(entryOf)) {
          const after = withEntry(before, entry);
          const judged = { ...entry, totalCostMinor, formerTotalMinor: totalCostMinor };
          const { paidMinor } = bookingTotals(after);
          const grows = paidMinor > bookingTotals(before).paidMinor;
          const isOver = totalCostMinor > 0 && paidMinor > totalCostMinor && grows;
          expect(overpaidBy(before, after, judged)).toEqual(
            isOver ? { totalCostMinor, paidMinor } : null,
          );
          before = after;
        }
      }),
      { seed },
    );
  });

  it.each([
    [600, 500, true],
    [0, 500, true],
    [500, 600, false],
    [600, 0, false],
    [500, 500, false],
    [600, 550, false],
    [600, 549, true],
  ])(
    'of 550 paid, a total of %i that becomes %i makes it overpaid: %s',
    (former, now, expected) => {
      const sums = withEntry(
        NO_SUMS,
        entryOf({ chargeId: 1, kind: 'capture', minor: 550, scheduledMinor: null }),
      );
      const judged = { formerTotalMinor: former, totalCostMinor: now };
      expect(overpaidBy(sums, sums, judged) !== null).toBe(expected);
    },
  );
});

describe('the subject of an entry', () => {
  it.each([
    ['booking', '', null, 'booking'],
    ['charge', '7', 7, 'charge 7'],
    ['dispute', 'dp_1', 7, 'charge 7 dispute dp_1'],
    ['card', 'abc', null, 'card abc'],
  ] as const)('%s %s', (subjectKind, subjectId, chargeId, text) => {
    expect(subjectText({ subjectKind, subjectId, chargeId })).toBe(text);
  });
});

describe('a change in the history', () => {
  it('is all that it is at once', () => {
    const before = transactionRow({ virtualCard: true });
    const after = row({ virtualCard: true, status: 'Accepted', completedAtMs: 2_000 });
    const use = { takenMinor: 15_000, heldMinor: -15_000, refundedMinor: 0 };
    expect(historyOf({ before, after })).toEqual({
      event: 'payment.accepted',
      moved: expect.objectContaining({ kind: 'charge', amountMinor: 15_000 }),
      open: expect.objectContaining({ uncertainMinor: -15_000 }),
      used: [{ cardToken: 'visa-card', use }],
    });
  });

  it('closes a hold that is let go', () => {
    const hold = row({ kind: 'authorization', status: 'Authorized' });
    const after = { ...hold, status: 'Released' } as const;
    expect(openedBy({ before: hold, after })).toMatchObject({ heldMinor: -15_000 });
  });

  it('is no event where a hold that stays is only asked about', () => {
    const hold = row({ kind: 'authorization', status: 'Authorized' });
    expect(eventOf({ before: hold, after: { ...hold, statusChecks: 1 } })).toBeNull();
  });
});
