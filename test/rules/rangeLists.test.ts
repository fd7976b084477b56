import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { daysBetween } from '../../src/core/days.ts';
import { type RangeRow, rangeLists } from '../../src/records/rooms/nights.ts';

const bytesOf = (text: string) => new TextEncoder().encode(text).length;

const rowsOf = (list: string) => JSON.parse(list) as RangeRow[];

const nightsOf = (list: string) =>
  rowsOf(list).reduce((sum, [first, last]) => sum + daysBetween(first, last) + 1, 0);

const SHORT: RangeRow = ['2027-01-01', '2027-01-01', 'DLX', 'BAR', 15_000];
const LONG: RangeRow = ['2027-01-01', '2029-01-19', 'DLX', 'BAR', 15_000];
/** The longest codes there are, in characters of three bytes. */
const WIDE: RangeRow = ['2027-01-01', '2027-01-01', '語'.repeat(50), '語'.repeat(50), 15_000];

describe('the lists of ranges for statements', () => {
  test('are none without ranges, and one for a few', () => {
    expect(rangeLists([])).toEqual([]);
    expect(rangeLists([SHORT, LONG])).toEqual([JSON.stringify([SHORT, LONG])]);
  });

  test.each([
    ['short', SHORT, 50_000],
    ['of 750 nights', LONG, 533],
    ['of wide codes', WIDE, 24_000],
    ['together too long', ['2027-01-01', '2027-01-01', 'x'.repeat(700_000)] as const, 3],
  ])('hold all ranges that are %s, each below D1’s limit of a parameter', (_name, row, count) => {
    const rows = Array.from({ length: count }, () => row);
    const lists = rangeLists(rows);
    expect(lists.length).toBeGreaterThan(1);
    expect(lists.flatMap(rowsOf)).toEqual(rows);
    for (const list of lists) {
      expect(bytesOf(list)).toBeLessThanOrEqual(2_000_000);
      expect(nightsOf(list)).toBeLessThanOrEqual(50_000);
    }
    expect(lists.length).toBeLessThan(15);
  });

  test('keep the order of the ranges, whatever these are', () => {
    const row = fc.tuple(
      fc.constant('2027-01-01'),
      fc.constantFrom('2027-01-01', '2028-06-01', '2029-01-19'),
      fc.string({ unit: 'grapheme', maxLength: 50 }),
      fc.oneof(fc.integer(), fc.constant(null), fc.boolean()),
    );
    fc.assert(
      fc.property(fc.array(row, { maxLength: 200 }), (rows) => {
        expect(rangeLists(rows).flatMap(rowsOf)).toEqual(rows);
      }),
    );
  });
});
