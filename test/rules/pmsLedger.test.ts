import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  compareLines,
  isLineTime,
  type LedgerLine,
  type ToldTransaction,
} from '../../src/pms/ledger/rules/compare.ts';

const ZONE = 'Australia/Perth';

function told(id: number, changes: Partial<ToldTransaction> = {}): ToldTransaction {
  return {
    messageId: `m-${id}`,
    transactionId: String(id),
    reference: `RES-${id}`,
    type: 'Payment',
    amountMinor: 10_000 + id,
    processedTime: '2027-02-14T23:30:00+08:00',
    delivery: 'Confirmed',
    isInSpan: true,
    ...changes,
  };
}

/** The line that the PMS has of a transaction, if all went well. */
function lineOf(one: ToldTransaction, changes: Partial<LedgerLine> = {}): LedgerLine {
  const { amountMinor, processedTime, reference, transactionId, type } = one;
  return { transactionId, reference, type, amountMinor, processedTime, ...changes };
}

/** The same where the PMS keeps no ids of ours. */
const nameless = (one: ToldTransaction, changes: Partial<LedgerLine> = {}) =>
  lineOf(one, { transactionId: undefined, ...changes });

const compare = (all: readonly ToldTransaction[], lines: readonly LedgerLine[]) => {
  const { different, matched, missing, twice, unknown } = compareLines(all, lines, ZONE);
  return {
    matched,
    missing: missing.map(({ transactionId }) => transactionId),
    unknown,
    twice,
    different,
  };
};

const NOTHING = { matched: 0, missing: [], unknown: [], twice: [], different: [] };

describe('the ledger of a PMS', () => {
  it('that lost three of sixty, changed one, booked one twice and made one up is told so, and nothing else', () => {
    const all = Array.from({ length: 60 }, (_, at) => told(at));
    const lost = [7, 21, 48];
    const made = lineOf(told(99), { reference: 'WALK-IN' });
    const lines = [
      ...all
        .filter((_, at) => !lost.includes(at))
        .map((one, at) => (at === 3 ? lineOf(one, { amountMinor: 1 }) : lineOf(one))),
      lineOf(all[30] as ToldTransaction),
      made,
    ];
    expect(compare(all, lines)).toEqual({
      matched: 56,
      missing: ['7', '21', '48'],
      unknown: [made],
      twice: [lineOf(all[30] as ToldTransaction)],
      different: [{ transactionId: '3', field: 'amountGross', ours: 10_003, theirs: 1 }],
    });
  });

  it.each<[string, LedgerLine[], Partial<typeof NOTHING> | object]>([
    ['by id, as a number too', [lineOf(told(1), { transactionId: 1 })], { matched: 1 }],
    ['by what it says', [nameless(told(1))], { matched: 1 }],
    [
      'by what it says under an id of its own',
      [lineOf(told(1), { transactionId: 'F-1' })],
      { matched: 1 },
    ],
    [
      'by what it says, without a time',
      [nameless(told(1), { processedTime: null })],
      { matched: 1 },
    ],
    [
      'by the local day',
      [nameless(told(1), { processedTime: '2027-02-14T15:59:59Z' })],
      { matched: 1 },
    ],
    ['by a day alone', [nameless(told(1), { processedTime: '2027-02-14' })], { matched: 1 }],
    [
      'by local time',
      [nameless(told(1), { processedTime: '2027-02-14 00:10:00' })],
      { matched: 1 },
    ],
  ])('is matched %s', (_how, lines, found) => {
    expect(compare([told(1)], lines)).toEqual({ ...NOTHING, ...found });
  });

  it.each<[string, Partial<LedgerLine>]>([
    ['day', { processedTime: '2027-02-14T16:00:00Z' }],
    ['amount', { amountMinor: 10_002 }],
    ['booking', { reference: 'RES-2' }],
    ['type', { type: 'Refund' }],
  ])('without ids is not matched to another %s', (_what, changes) => {
    const line = nameless(told(1), changes);
    expect(compare([told(1)], [line])).toEqual({ ...NOTHING, missing: ['1'], unknown: [line] });
  });

  it('says each member in which a line differs', () => {
    const line = lineOf(told(1), {
      transactionId: 1,
      reference: 'RES-2',
      type: 'Refund',
      amountMinor: 5,
      processedTime: '2027-02-16',
    });
    expect(compare([told(1)], [line]).different).toEqual([
      { transactionId: 1, field: 'reference', ours: 'RES-1', theirs: 'RES-2' },
      { transactionId: 1, field: 'type', ours: 'Payment', theirs: 'Refund' },
      { transactionId: 1, field: 'amountGross', ours: 10_001, theirs: 5 },
      {
        transactionId: 1,
        field: 'processedTime',
        ours: '2027-02-14T23:30:00+08:00',
        theirs: '2027-02-16',
      },
    ]);
  });

  it('has as many equal lines as there are equal payments; one more stands twice', () => {
    const same = { reference: 'RES-1', amountMinor: 500 };
    const all = [told(1, same), told(2, same)];
    const line = nameless(told(1, same));
    expect(compare(all, [line, line])).toEqual({ ...NOTHING, matched: 2 });
    expect(compare(all, [line, line, line])).toEqual({ ...NOTHING, matched: 2, twice: [line] });
    expect(compare(all, [line])).toEqual({ ...NOTHING, matched: 1, missing: ['2'] });
  });

  it('that keeps ids of its own has booked twice what it has under two of them', () => {
    const [first, second] = ['F-1', 'F-2'].map((transactionId) =>
      lineOf(told(1), { transactionId }),
    );
    const lines = [first, second] as LedgerLine[];
    expect(compare([told(1)], lines)).toEqual({ ...NOTHING, matched: 1, twice: [second] });
  });

  it('that knows a payment by our id has another one where a like line has an unknown id', () => {
    const other = lineOf(told(1), { transactionId: '77' });
    const found = compare([told(1)], [lineOf(told(1)), other]);
    expect(found).toEqual({ ...NOTHING, matched: 1, unknown: [other] });
  });

  it('may name what moved outside of the span, which it cannot lack', () => {
    const before = told(1, { isInSpan: false });
    expect(compare([before], [lineOf(before)])).toEqual({ ...NOTHING, matched: 1 });
    expect(compare([before], [])).toEqual(NOTHING);
  });

  it('accounts for every line and every message once, whatever they are', () => {
    const any = fc.record({
      transactionId: fc.option(fc.integer({ min: 1, max: 6 }), { nil: undefined }),
      reference: fc.constantFrom('RES-1', 'RES-2'),
      type: fc.constantFrom('Payment' as const, 'Refund' as const),
      amountMinor: fc.constantFrom(100, 200),
      processedTime: fc.constantFrom(undefined, '2027-02-14', '2027-02-15'),
    });
    fc.assert(
      fc.property(
        fc.array(any, { maxLength: 8 }),
        fc.array(any, { maxLength: 12 }),
        (ours, lines) => {
          const all = ours.map((one, at) =>
            told(at + 1, {
              ...one,
              transactionId: String(at + 1),
              processedTime: '2027-02-14T10:00:00+08:00',
            }),
          );
          const { different, matched, missing, twice, unknown } = compareLines(all, lines, ZONE);
          const differing = new Set(different.map(({ transactionId }) => transactionId)).size;
          expect(matched + differing + twice.length + unknown.length).toBe(lines.length);
          expect(matched + differing + missing.length).toBe(all.length);
        },
      ),
    );
  });
});

describe('the time of a line', () => {
  it.each([
    ['2027-02-14T10:00:00+08:00', true],
    ['2027-02-14T10:00:00Z', true],
    ['2027-02-14 10:00:00', true],
    ['2027-02-14T10:00', true],
    ['2027-02-14', true],
    ['14-02-2027', true],
    ['2027-02-30', false],
    ['yesterday', false],
    ['', false],
  ])('%s: %s', (text, isTime) => {
    expect(isLineTime(text)).toBe(isTime);
  });
});
