import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { ReportSums, Share } from '../../src/desk/reports/read.ts';
import {
  acceptanceOf,
  added,
  currenciesOf,
  isEmpty,
  isWithinReach,
  linesOf,
  netOf,
  partsOf,
  type ReportLine,
  reasonsOf,
  spanBefore,
  stepOf,
} from '../../src/desk/reports/rules.ts';
import { movements } from '../../src/schema/historyTables.ts';

const nothing: ReportSums = {
  moved: [],
  untaken: [],
  acquirerFees: [],
  cancellations: [],
};

type Moved = ReportSums['moved'][number];

const moved = (kind: Moved['kind'], amountMinor: number, changes: Partial<Moved> = {}): Moved => ({
  period: 0,
  currency: 'EUR',
  kind,
  number: 2,
  amountMinor,
  feeMinor: 3,
  ...changes,
});

const empty: ReportLine = {
  taken: 0,
  takenMinor: 0,
  feeMinor: 0,
  approved: 0,
  declined: 0,
  failed: 0,
  refunds: 0,
  refundedMinor: 0,
  disputes: 0,
  disputedMinor: 0,
  acquirerFeeMinor: 0,
};

describe('a line of a report', () => {
  it.each<[Moved, Partial<ReportLine>]>([
    [moved('charge', 100), { approved: 2, taken: 2, takenMinor: 100, feeMinor: 3 }],
    [moved('capture', 100), { taken: 2, takenMinor: 100, feeMinor: 3 }],
    [moved('correction', -40), { takenMinor: -40, feeMinor: 3 }],
    [moved('refund', -50), { refunds: 2, refundedMinor: 50 }],
    [moved('reversal', 50), { refundedMinor: -50 }],
    [moved('chargeback', -70), { disputes: 2, disputedMinor: 70 }],
    [moved('chargeback_reversal', 70), { disputedMinor: -70 }],
  ])('counts what moved: %o', (sum, counted) => {
    expect(linesOf({ ...nothing, moved: [sum] }, 'EUR', 1)).toEqual([{ ...empty, ...counted }]);
  });

  it('counts holds that were approved, what banks declined, what failed, and what the acquirer kept', () => {
    const of = { period: 0, currency: 'EUR' };
    const untaken = { ...of, declineCode: null, amountMinor: 500 };
    const sums: ReportSums = {
      ...nothing,
      moved: [moved('hold', 500, { number: 4 })],
      untaken: [
        { ...untaken, status: 'Declined', number: 5 },
        { ...untaken, status: 'Failed', number: 6 },
      ],
      acquirerFees: [{ ...of, feeMinor: 7 }],
    };
    const line = { ...empty, approved: 4, declined: 5, failed: 6, acquirerFeeMinor: 7 };
    expect(linesOf(sums, 'EUR', 1)).toEqual([line]);
  });

  it('has what belongs to its period and its currency, and nothing else', () => {
    const sums = {
      ...nothing,
      moved: [
        moved('charge', 100),
        moved('charge', 10, { period: 2 }),
        moved('charge', 1, { currency: 'USD' }),
      ],
    };
    const taken = (of: readonly ReportLine[]) => of.map(({ takenMinor }) => takenMinor);
    expect(taken(linesOf(sums, 'EUR', 3))).toEqual([100, 0, 10]);
    expect(taken(linesOf(sums, 'USD', 3))).toEqual([1, 0, 0]);
    expect(linesOf(sums, 'AUD', 2).every(isEmpty)).toBe(true);
  });

  it('is net what was taken, less what went back, was withdrawn and was kept', () => {
    const line = {
      ...empty,
      takenMinor: 1_000,
      feeMinor: 50,
      refundedMinor: 200,
      disputedMinor: 30,
      acquirerFeeMinor: 4,
    };
    expect(netOf(line)).toBe(766);
  });

  it('adds up: the lines of all periods are the line of the whole, and so is their net', () => {
    const movement = fc.record({
      period: fc.integer({ min: 0, max: 4 }),
      currency: fc.constant('EUR'),
      kind: fc.constantFrom(...movements),
      number: fc.integer({ min: 1, max: 9 }),
      amountMinor: fc.integer({ min: -10_000, max: 10_000 }),
      feeMinor: fc.integer({ min: 0, max: 100 }),
    });
    fc.assert(
      fc.property(fc.array(movement), (all) => {
        const lines = linesOf({ ...nothing, moved: all }, 'EUR', 5);
        const whole = { ...nothing, moved: all.map((one) => ({ ...one, period: 0 })) };
        expect([added(lines)]).toEqual(linesOf(whole, 'EUR', 1));
        const nets = lines.reduce((sum, line) => sum + netOf(line), 0);
        expect(netOf(added(lines))).toBe(nets);
      }),
    );
  });

  it('is empty where every figure is 0', () => {
    expect(isEmpty(empty)).toBe(true);
    expect(added([])).toEqual(empty);
    for (const name of Object.keys(empty)) expect(isEmpty({ ...empty, [name]: -1 })).toBe(false);
  });

  it('has no acceptance where banks decided nothing; failures at the acquirer are no decisions', () => {
    expect(acceptanceOf({ ...empty, failed: 3 })).toBe(null);
    expect(acceptanceOf({ ...empty, declined: 1 })).toBe(0);
    expect(acceptanceOf({ ...empty, approved: 3, declined: 1, failed: 8 })).toBe(0.75);
  });
});

describe('the lines of a report', () => {
  it.each([
    ['2027-01-01', '2027-01-31', 'day'],
    ['2027-01-01', '2027-02-01', 'week'],
    ['2027-01-01', '2027-07-29', 'week'],
    ['2027-01-01', '2027-07-30', 'month'],
  ])('are as long as a page can have all of them: %s to %s', (from, to, step) => {
    expect(stepOf({ from, to })).toBe(step);
  });
});

describe('the days that a report is compared with', () => {
  it.each([
    ['as many days before', '2027-03-10', '2027-03-16', '2027-03-03', '2027-03-09'],
    ['a single day', '2027-03-10', '2027-03-10', '2027-03-09', '2027-03-09'],
    ['the same days of the month before', '2027-03-01', '2027-03-16', '2027-02-01', '2027-02-16'],
    ['the whole month before', '2027-03-01', '2027-03-31', '2027-02-01', '2027-02-28'],
    ['a longer month before', '2027-04-01', '2027-04-30', '2027-03-01', '2027-03-31'],
    ['a month that is shorter than that', '2027-03-01', '2027-03-30', '2027-02-01', '2027-02-28'],
    ['December', '2027-01-01', '2027-01-05', '2026-12-01', '2026-12-05'],
    ['days of two months', '2027-03-01', '2027-04-02', '2027-01-27', '2027-02-28'],
    ['days of two years', '2026-02-01', '2027-02-28', '2025-01-04', '2026-01-31'],
  ])('are %s: %s to %s', (_, from, to, before, last) => {
    expect(spanBefore({ from, to })).toEqual({ from: before, to: last });
  });

  it.each([
    ['2028-02-28', true],
    ['2028-02-29', false],
    ['2027-02-27', true],
  ])('may go up to a year ahead: %s', (day, isNear) => {
    expect(isWithinReach(day, '2027-02-28')).toBe(isNear);
  });
});

const share = (changes: Partial<Share> = {}): Share => ({
  currency: 'EUR',
  kind: 'charge',
  brand: 'Visa',
  agency: null,
  purpose: 'Balance',
  actor: 'kim',
  actorName: 'Kim',
  number: 1,
  amountMinor: 100,
  ...changes,
});

describe('the parts of what was taken', () => {
  it('are divided by one thing, the most first', () => {
    const shares = [
      share(),
      share({ brand: 'Mastercard', amountMinor: 250, number: 3 }),
      share({ kind: 'refund', amountMinor: -30, number: 1 }),
      share({ brand: 'Mastercard', kind: 'capture', amountMinor: 50 }),
    ];
    const name = 'Kim';
    expect(partsOf(shares, 'EUR', 'brand')).toEqual([
      { of: 'Mastercard', name, taken: 4, takenMinor: 300, refundedMinor: 0 },
      { of: 'Visa', name, taken: 1, takenMinor: 100, refundedMinor: 30 },
    ]);
    expect(partsOf(shares, 'EUR', 'actor')).toEqual([
      { of: 'kim', name, taken: 5, takenMinor: 400, refundedMinor: 30 },
    ]);
    expect(partsOf(shares, 'EUR', 'agency').map(({ of }) => of)).toEqual([null]);
  });

  it('leave out other currencies and what moved nothing, and keep what only went back', () => {
    const shares = [
      share({ currency: 'USD' }),
      share({ brand: 'Amex', kind: 'chargeback', amountMinor: -10 }),
      share({ brand: 'Diners', kind: 'refund', amountMinor: -20 }),
    ];
    expect(partsOf(shares, 'EUR', 'brand').map(({ of }) => of)).toEqual(['Diners']);
  });

  it('have the first name that is known', () => {
    const shares = [share({ actorName: null }), share(), share({ actorName: 'Kim Lee' })];
    expect(partsOf(shares, 'EUR', 'actor').map(({ name }) => name)).toEqual(['Kim']);
  });
});

describe('the reasons of what was not taken', () => {
  const untaken = (
    status: 'Declined' | 'Failed',
    declineCode: string | null,
    period: number,
    changes: { readonly number?: number; readonly currency?: string } = {},
  ) => ({ period, currency: 'EUR', status, declineCode, number: 1, amountMinor: 100, ...changes });

  it('add up over the first periods, the most frequent first', () => {
    const sums = {
      ...nothing,
      untaken: [
        untaken('Declined', 'lost_card', 0),
        untaken('Failed', null, 0, { number: 2 }),
        untaken('Declined', 'insufficient_funds', 0, { number: 2 }),
        untaken('Declined', 'insufficient_funds', 1, { number: 3 }),
        untaken('Declined', 'insufficient_funds', 2, { number: 50 }),
        untaken('Declined', 'insufficient_funds', 0, { number: 70, currency: 'USD' }),
        untaken('Declined', null, 1, { number: 3 }),
      ],
    };
    expect(reasonsOf(sums, 'EUR', 2)).toEqual([
      { status: 'Declined', declineCode: 'insufficient_funds', number: 5, amountMinor: 200 },
      { status: 'Declined', declineCode: null, number: 3, amountMinor: 100 },
      { status: 'Failed', declineCode: null, number: 2, amountMinor: 100 },
      { status: 'Declined', declineCode: 'lost_card', number: 1, amountMinor: 100 },
    ]);
  });
});

describe('the currencies of a report', () => {
  it("are each named once, the property's first", () => {
    const of = (currency: string) => ({ period: 0, currency, number: 1 });
    const sums: ReportSums = {
      ...nothing,
      moved: [moved('charge', 1, { currency: 'USD' }), moved('hold', 1, { currency: 'JPY' })],
      untaken: [{ ...of('CHF'), status: 'Failed', declineCode: null, amountMinor: 1 }],
      acquirerFees: [{ period: 0, currency: 'AUD', feeMinor: 1 }],
    };
    expect(currenciesOf(sums, 'EUR')).toEqual(['EUR', 'USD', 'JPY', 'CHF', 'AUD']);
  });
});
