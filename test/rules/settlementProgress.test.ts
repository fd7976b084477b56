import { describe, expect, it } from 'vitest';
import {
  isIncoming,
  nextOfSettlement,
  progressOf,
  type StepProgress,
  sumsOf,
} from '../../src/money/settlements/rules/progress.ts';
import type { RefundRow, TransactionRow } from '../../src/schema/moneyTables.ts';
import type { SettlementStep, SettlementTerms } from '../../src/schema/settlementTables.ts';
import { refundRow, transactionRow } from './rows.ts';

const NOW_MS = 10_000;

const step = (what: SettlementStep['what'], refundId: number | null = null): SettlementStep => ({
  what,
  chargeId: 41,
  refundId,
  amountMinor: 9_000,
  shownMinor: 9_270,
});

/** How far a step has come whose transactions are these. */
const come = (
  what: SettlementStep['what'],
  ...rows: readonly Partial<TransactionRow>[]
): Partial<StepProgress> | undefined => {
  const transactions = rows.map((row) => transactionRow({ requestedMinor: 9_000, ...row }));
  const [progress] = progressOf({ steps: [step(what)] }, { transactions, refunds: [] });
  return progress;
};

const givenBack = (row: Partial<RefundRow>) => {
  const refunds = [refundRow({ id: 3, status: 'Processing' }), refundRow({ id: 7, ...row })];
  const [progress] = progressOf({ steps: [step('refund', 7)] }, { transactions: [], refunds });
  return progress;
};

describe('a step that comes in', () => {
  it.each(['capture', 'charge'] as const)('is done when it was taken: %s', (what) => {
    const taken = come(what, { status: 'Accepted', requestedMinor: 8_000, dueAtMs: null });
    expect(taken).toEqual({
      ...step(what),
      status: 'Accepted',
      dueAtMs: null,
      state: 'done',
      movedMinor: 8_000,
    });
  });

  it.each(['capture', 'charge'] as const)('is open while it is asked for: %s', (operation) => {
    const row = { pendingOperation: operation, dueAtMs: 12_000 };
    expect(come('charge', row)).toMatchObject({ state: 'open', dueAtMs: 12_000, movedMinor: 0 });
  });

  it.each<Partial<TransactionRow>>([
    { status: 'Declined', pendingOperation: null },
    { status: 'Failed', pendingOperation: null },
    { status: 'Authorized', pendingOperation: 'release' },
  ])('has failed otherwise: %o', (row) => {
    expect(come('charge', row)).toMatchObject({ state: 'failed', movedMinor: 0 });
  });

  it('is done when what was made in its place was taken, with the amount of that', () => {
    const declined = { status: 'Declined', pendingOperation: null } as const;
    const again = {
      id: 50,
      status: 'Accepted',
      replacesCharge: 41,
      requestedMinor: 7_000,
    } as const;
    expect(come('charge', declined, again)).toMatchObject({
      state: 'done',
      status: 'Declined',
      movedMinor: 7_000,
    });
    const other = { ...again, replacesCharge: 40 };
    const pending = { ...again, status: 'Declined' as const };
    expect(come('charge', declined, other, pending)).toMatchObject({ state: 'failed' });
  });
});

describe('a step that lets go', () => {
  it.each([
    ['Released', 'done', 9_000],
    ['Expired', 'done', 9_000],
    ['Accepted', 'failed', 0],
    ['Authorized', 'open', 0],
    ['Processing', 'open', 0],
  ] as const)('that is %s is %s', (status, state, movedMinor) => {
    expect(come('release', { status })).toMatchObject({ status, state, movedMinor });
  });
});

describe('a step that goes out', () => {
  it.each<[Partial<RefundRow>, Partial<StepProgress>]>([
    [
      { status: 'Processing', dueAtMs: null },
      { state: 'waiting', movedMinor: 0 },
    ],
    [
      { status: 'Processing', dueAtMs: 12_000 },
      { state: 'open', dueAtMs: 12_000, movedMinor: 0 },
    ],
    [
      { status: 'Refunded', dueAtMs: null },
      { state: 'done', movedMinor: 9_000 },
    ],
    [
      { status: 'Failed', dueAtMs: null },
      { state: 'failed', movedMinor: 0 },
    ],
  ])('with %o has come so far', (row, progress) => {
    expect(givenBack(row)).toMatchObject({ ...progress, status: row.status });
  });
});

it('a step without its row is an error', () => {
  const none = { transactions: [], refunds: [] };
  const missing = /has no row/;
  expect(() => progressOf({ steps: [step('charge')] }, none)).toThrow(missing);
  expect(() => progressOf({ steps: [step('refund', 7)] }, none)).toThrow(missing);
});

const terms: SettlementTerms = {
  reason: 'guest',
  rule: 0,
  keepMinor: 20_000,
  paidMinor: 30_000,
  uncollectableMinor: 0,
  unrefundableMinor: 0,
};

const progress = (
  what: SettlementStep['what'],
  state: StepProgress['state'],
  changes: Partial<StepProgress> = {},
): StepProgress => ({
  ...step(what),
  state,
  status: 'Processing',
  dueAtMs: null,
  movedMinor: 0,
  ...changes,
});

describe('what a settlement came to', () => {
  it('is what was paid, with what came in and without what went back', () => {
    const sums = sumsOf({ terms: { ...terms, uncollectableMinor: 500 } }, [
      progress('charge', 'done', { movedMinor: 1 }),
      progress('charge', 'done', { movedMinor: 2 }),
      progress('capture', 'done', { movedMinor: 10 }),
      progress('refund', 'done', { movedMinor: 100 }),
      progress('release', 'done', { movedMinor: 1_000 }),
      progress('bond', 'done', { movedMinor: 10_000 }),
      progress('charge', 'failed', { amountMinor: 40 }),
      progress('capture', 'failed', { amountMinor: 7 }),
      progress('capture', 'open', { amountMinor: 9_999 }),
      progress('refund', 'failed', { amountMinor: 9_999 }),
      progress('release', 'failed', { amountMinor: 9_999 }),
    ]);
    expect(sums).toEqual({
      keptMinor: 30_000 + 13 - 100,
      chargedMinor: 3,
      capturedMinor: 10,
      refundedMinor: 100,
      releasedMinor: 1_000,
      uncollectedMinor: 547,
    });
  });

  it('counts captures and charges as coming in', () => {
    const all = ['capture', 'charge', 'refund', 'release', 'bond'] as const;
    expect(all.filter(isIncoming)).toEqual(['capture', 'charge']);
  });
});

describe('what is done about a settlement next', () => {
  const next = (of: Partial<SettlementTerms>, ...steps: readonly StepProgress[]) =>
    nextOfSettlement({ terms: { ...terms, ...of } }, steps, NOW_MS);
  const waiting = (refundId: number, what: 'refund' | 'bond' = 'refund') =>
    progress(what, 'waiting', { refundId });

  it('is a wait while what comes in is open, a second after the first of it is due', () => {
    const open = [
      progress('charge', 'open', { dueAtMs: 15_000 }),
      progress('capture', 'open', { dueAtMs: 12_000 }),
    ];
    expect(next({}, ...open, waiting(7))).toEqual({ kind: 'wait', untilMs: 13_000 });
  });

  it('is a wait of a second at least', () => {
    const wait = { kind: 'wait', untilMs: NOW_MS + 1_000 };
    expect(next({}, progress('charge', 'open', { dueAtMs: 4_000 }))).toEqual(wait);
    expect(next({}, progress('refund', 'open'))).toEqual(wait);
  });

  it('gives back all that waits as soon as nothing that comes in is open', () => {
    const steps = [
      progress('charge', 'failed'),
      progress('release', 'open'),
      progress('refund', 'open', { refundId: 5 }),
      waiting(7),
      waiting(8, 'bond'),
    ];
    expect(next({}, ...steps)).toEqual({ kind: 'giveBack', refundIds: [7, 8] });
  });

  it.each<[Partial<SettlementTerms>, StepProgress['state'], string]>([
    [{}, 'done', 'settled'],
    [{}, 'failed', 'incomplete'],
    [{ uncollectableMinor: 1 }, 'done', 'incomplete'],
    [{ unrefundableMinor: 1 }, 'done', 'incomplete'],
  ])('ends it when each step has its outcome: %o, %s', (of, state, status) => {
    const steps = [progress('refund', 'done'), progress('charge', state)];
    expect(next(of, ...steps)).toEqual({ kind: 'end', status });
  });
});
