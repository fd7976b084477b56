import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { sumOf } from '../../src/core/sum.ts';
import { HOUR_MS, MINUTE_MS } from '../../src/core/time.ts';
import { toPost } from '../../src/disbursements/rules/payouts.ts';
import { type BookedEntry, ledgerColumns, linesOf } from '../../src/exports/rules/ledgerLines.ts';
import { recordedAtMs } from '../../src/records/history/rules/entry.ts';
import {
  type MovedInTurn,
  type Posting,
  postingsOfMoved,
  postingsOfPaidOut,
} from '../../src/records/history/rules/postings.ts';
import {
  afterMoved,
  bookingTotals,
  NOTHING_MOVED,
} from '../../src/records/history/rules/totals.ts';
import { type ChargeTotals, NO_SUMS } from '../../src/records/history/sums.ts';

type Moved = MovedInTurn['moved'];

/** What an account has, positive for credits. */
function balanceOf(postings: readonly Posting[], account: Posting['account']): number {
  const own = postings.filter((one) => one.account === account);
  return own.reduce((sum, { amountMinor, side }) => sum + signed(side, amountMinor), 0);
}

function signed(side: Posting['side'], minor: number): number {
  return side === 'credit' ? minor : -minor;
}

/** The postings of a charge's movements, one after the other, and what they come to. */
function played(movements: readonly Moved[], purpose: MovedInTurn['purpose'] = 'Balance') {
  let before = NOTHING_MOVED;
  const entries = movements.map((moved) => {
    const postings = postingsOfMoved({ before, moved, purpose });
    before = afterMoved(before, moved);
    return postings;
  });
  return { entries, sums: before };
}

function moved(kind: Moved['kind'], amountMinor: number, feeMinor = 0): Moved {
  return { kind, amountMinor, feeMinor };
}

const CHARGE = moved('charge', 15_464, 464);

/** A posting in short: `debit acquirer 15464`. */
function inShort(postings: readonly Posting[]): string[] {
  return postings.map(({ account, amountMinor, side }) => `${side} ${account} ${amountMinor}`);
}

describe('an entry of the books', () => {
  it.each<[string, readonly Moved[], readonly string[]]>([
    [
      'a charge',
      [CHARGE],
      ['debit acquirer 15464', 'credit guests 15000', 'credit surcharges 464'],
    ],
    [
      'a refund of less than was asked for',
      [CHARGE, moved('refund', -15_000)],
      ['debit guests 15000', 'credit acquirer 15000'],
    ],
    [
      'a refund of the rest, fees last',
      [CHARGE, moved('refund', -14_000), moved('refund', -1_464)],
      ['debit guests 1000', 'debit surcharges 464', 'credit acquirer 1464'],
    ],
    [
      'the late failure of a refund, of which fees come back first',
      [CHARGE, moved('refund', -15_464), moved('reversal', 15_464)],
      ['debit acquirer 15464', 'credit guests 15000', 'credit surcharges 464'],
    ],
    [
      'the late failure of the first of two refunds',
      [CHARGE, moved('refund', -14_000), moved('refund', -1_464), moved('reversal', 14_000)],
      ['debit acquirer 14000', 'credit guests 13536', 'credit surcharges 464'],
    ],
    [
      'a dispute of everything',
      [CHARGE, moved('chargeback', -15_464)],
      ['debit surcharges 464', 'debit disputed 15000', 'credit acquirer 15464'],
    ],
    [
      'a dispute that is won',
      [CHARGE, moved('chargeback', -15_464), moved('chargeback_reversal', 15_464)],
      ['debit acquirer 15464', 'credit surcharges 464', 'credit disputed 15000'],
    ],
    [
      'a dispute of more than a refund left',
      [moved('charge', 10_000), moved('refund', -4_000), moved('chargeback', -10_000)],
      ['debit surcharges 4000', 'debit disputed 6000', 'credit acquirer 10000'],
    ],
    [
      'a correction of the amount',
      [CHARGE, moved('correction', -5_155, -155)],
      ['debit guests 5000', 'debit surcharges 155', 'credit acquirer 5155'],
    ],
    ['a correction of the name alone', [CHARGE, moved('correction', 0)], []],
  ])('%s', (_what, movements, last) => {
    expect(inShort(played(movements).entries.at(-1) ?? [])).toEqual(last);
  });

  it('of a bond leaves what guests owe alone', () => {
    const all = [CHARGE, moved('refund', -5_000), moved('chargeback', -1_000)];
    expect(played(all, 'Bond').entries.map(inShort)).toEqual([
      ['debit acquirer 15464', 'credit bonds 15000', 'credit surcharges 464'],
      ['debit bonds 5000', 'credit acquirer 5000'],
      ['debit bonds 1000', 'credit acquirer 1000'],
    ]);
  });

  it('of a payout says what the bank got and what the acquirer kept', () => {
    expect(inShort(postingsOfPaidOut({ netMinor: 15_000, feeMinor: 464 }))).toEqual([
      'debit acquirer-fees 464',
      'debit bank 15000',
      'credit acquirer 15464',
    ]);
    expect(inShort(postingsOfPaidOut({ netMinor: -5_000, feeMinor: 0 }))).toEqual([
      'debit acquirer 5000',
      'credit bank 5000',
    ]);
  });
});

const purpose = fc.constantFrom('Deposit', 'Balance', 'Bond', 'Manual');

/** Movements as they can follow each other, and as they cannot: the books balance all the same. */
const movements = fc
  .record({
    amount: fc.integer({ min: 1, max: 100_000 }),
    feePercent: fc.integer({ min: 0, max: 99 }),
    later: fc.array(
      fc.record({
        kind: fc.constantFrom(
          'refund',
          'reversal',
          'chargeback',
          'chargeback_reversal',
          'correction',
        ),
        minor: fc.integer({ min: 1, max: 120_000 }),
      }),
      { maxLength: 12 },
    ),
  })
  .map(({ amount, feePercent, later }): Moved[] => [
    moved('charge', amount, Math.floor((amount * feePercent) / 100)),
    ...later.map(({ kind, minor }) => {
      const isOut = kind === 'refund' || kind === 'chargeback';
      return moved(kind, isOut ? -minor : minor, kind === 'correction' ? Math.floor(minor / 7) : 0);
    }),
  ]);

describe('any movements of charges', () => {
  it('balance in each entry, and come to the balance of the booking', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(movements, purpose), { maxLength: 5 }), (charges) => {
        const all = charges.map(([each, of]) => ({ ...played(each, of), each, purpose: of }));
        for (const entry of all.flatMap(({ entries }) => entries)) {
          const credits = entry.map(({ amountMinor, side }) => signed(side, amountMinor));
          expect(credits.reduce((sum, minor) => sum + minor, 0)).toBe(0);
          expect(entry.every(({ amountMinor }) => amountMinor > 0)).toBe(true);
          expect(new Set(entry.map(({ account }) => account)).size).toBe(entry.length);
        }
        const postings = all.flatMap(({ entries }) => entries.flat());
        const totals = all.map(
          ({ purpose: of, sums }, index): ChargeTotals => ({
            ...sums,
            transactionId: index,
            purpose: of,
          }),
        );
        const booking = bookingTotals({ ...NO_SUMS, totals });
        const disputed = balanceOf(postings, 'disputed');
        expect(balanceOf(postings, 'guests') + disputed).toBe(booking.paidMinor);
        expect(disputed + booking.disputedMinor).toBe(0);
        expect(balanceOf(postings, 'bonds')).toBe(booking.bondsMinor);
        const journal = sumOf(
          all.flatMap(({ each }) => each),
          'amountMinor',
        );
        expect(balanceOf(postings, 'acquirer') + journal).toBe(0);
      }),
    );
  });
});

describe('what a disbursement posts', () => {
  const row = { netMinor: 900, feeMinor: 100, postedNetMinor: 0, postedFeeMinor: 0 };

  it('is nothing before it is paid out, then all of it, once', () => {
    expect(toPost({ ...row, status: 'not_paid_out' })).toBeNull();
    expect(toPost({ ...row, status: 'in_transit' })).toBeNull();
    expect(toPost({ ...row, status: 'paid_out' })).toEqual({ netMinor: 900, feeMinor: 100 });
    const posted = { ...row, postedNetMinor: 900, postedFeeMinor: 100 };
    expect(toPost({ ...posted, status: 'paid_out' })).toBeNull();
  });

  it('is what came later', () => {
    const posted = { ...row, postedNetMinor: 700, postedFeeMinor: 80 };
    expect(toPost({ ...posted, status: 'paid_out' })).toEqual({ netMinor: 200, feeMinor: 20 });
  });

  it('comes back when it fails, but for the fees', () => {
    const posted = { ...row, postedNetMinor: 900, postedFeeMinor: 100 };
    expect(toPost({ ...posted, status: 'failed' })).toEqual({ netMinor: -900, feeMinor: 0 });
    expect(toPost({ ...row, status: 'failed' })).toEqual({ netMinor: 0, feeMinor: 100 });
  });
});

describe('the time of recording', () => {
  const nowMs = Date.UTC(2026, 10, 26, 12);

  it('is that of the entry, for a movement that has just occurred', () => {
    const entry = { atMs: nowMs - 20_000, occurredAtMs: nowMs - 21_000 };
    expect(recordedAtMs(entry, nowMs)).toBeNull();
  });

  it('is noted where the clock of the property is another', () => {
    const ahead = nowMs + MINUTE_MS;
    expect(recordedAtMs({ atMs: ahead, occurredAtMs: ahead }, nowMs)).toBe(nowMs);
  });

  it('is noted where the movement occurred long before', () => {
    const late = { atMs: nowMs, occurredAtMs: nowMs - HOUR_MS };
    expect(recordedAtMs(late, nowMs)).toBeNull();
    expect(recordedAtMs({ ...late, occurredAtMs: late.occurredAtMs - 1 }, nowMs)).toBe(nowMs);
  });
});

describe('a line of the ledger', () => {
  const entry: BookedEntry = {
    propertyId: 'demo',
    bookingReference: 'RES-1',
    sequence: 7,
    atMs: Date.UTC(2026, 10, 26, 20),
    recordedAtMs: Date.UTC(2026, 10, 26, 20),
    timeZone: 'Australia/Perth',
    subjectKind: 'refund',
    subjectId: '12',
    kind: 'refund',
    currency: 'KWD',
    amountMinor: -1_500,
    feeMinor: 0,
    chargeId: 11,
    purpose: 'Manual',
    before: { ...NOTHING_MOVED, takenMinor: 1_500 },
  };

  it('has the members of the schema, the day of the property and the decimals of the currency', () => {
    const lines = linesOf(entry);
    expect(lines).toEqual([
      {
        postingId: `demo/RES-1/7/${entry.recordedAtMs}/1`,
        entryId: `demo/RES-1/7/${entry.recordedAtMs}`,
        property: 'demo',
        date: '2026-11-27',
        time: '2026-11-26T20:00:00Z',
        account: 'guests',
        side: 'debit',
        amount: '1.500',
        currency: 'KWD',
        bookingReference: 'RES-1',
        chargeId: 11,
        refundId: 12,
        disputeId: null,
        disbursementId: null,
        description: 'Refund',
      },
      expect.objectContaining({
        postingId: `demo/RES-1/7/${entry.recordedAtMs}/2`,
        side: 'credit',
      }),
    ]);
    expect(Object.keys(lines[0] ?? {})).toEqual(ledgerColumns.map(({ name }) => name));
  });

  it('of a payout names the disbursement', () => {
    const payout = {
      ...entry,
      bookingReference: '',
      subjectKind: 'disbursement' as const,
      subjectId: 'sandbox-2026-11-26',
      kind: 'payout' as const,
      amountMinor: 900,
      feeMinor: 100,
      chargeId: null,
      purpose: null,
    };
    expect(linesOf(payout)[0]).toMatchObject({
      account: 'acquirer-fees',
      amount: '0.100',
      bookingReference: null,
      chargeId: null,
      refundId: null,
      disbursementId: 'sandbox-2026-11-26',
      description: 'Payout',
    });
  });

  it.each<[BookedEntry['kind'], number, string]>([
    ['charge', 1_500, 'Charge'],
    ['capture', 1_500, 'Captured hold'],
    ['correction', 100, 'Correction of a charge'],
    ['refund', -1_500, 'Refund'],
    ['reversal', 1_500, 'Reversal of failed refund'],
    ['chargeback', -1_500, 'Chargeback'],
    ['chargeback_reversal', 1_500, 'Chargeback reversed'],
  ])('of a %s of %i says "%s"', (kind, amountMinor, description) => {
    const [line] = linesOf({ ...entry, kind, amountMinor });
    expect(line).toMatchObject({ description, amount: expect.stringMatching(/^[01]\.[15]00$/) });
  });

  it('names the dispute, where it is one', () => {
    const lost = {
      ...entry,
      kind: 'chargeback',
      subjectKind: 'dispute',
      subjectId: 'dp_1',
    } as const;
    expect(linesOf(lost)[0]).toMatchObject({ disputeId: 'dp_1', refundId: null });
  });

  it('of a movement without a charge is a mistake', () => {
    expect(() => linesOf({ ...entry, purpose: null })).toThrow('a movement has no charge');
  });
});
