import { describe, expect, it } from 'vitest';
import { boundOf, endsBefore, instantOfBound } from '../../src/core/bounds.ts';

const ZONE = 'Australia/Perth';
const ms = (text: string) => Date.parse(text);

describe('a bound of time', () => {
  it.each([
    ['a day', '2027-02-14', { day: '2027-02-14' }],
    ['a day that begins with its day', '14-02-2027', { day: '2027-02-14' }],
    ['an instant', '2027-02-14T15:00:00+08:00', { atMs: ms('2027-02-14T07:00:00Z') }],
    ['nothing where the day does not exist', '2027-02-30', null],
    ['nothing where the time has no offset', '2027-02-14T15:00:00', null],
    ['nothing where it is neither', 'tomorrow', null],
    ['nothing where there is none', '', null],
  ])('is %s', (_, text, bound) => {
    expect(boundOf(text)).toEqual(bound);
  });

  it('of a day begins with its first instant, and ends with that of the next one', () => {
    const day = { day: '2027-02-14' } as const;
    expect(instantOfBound(day, 'begins', ZONE)).toBe(ms('2027-02-13T16:00:00Z'));
    expect(instantOfBound(day, 'ends', ZONE)).toBe(ms('2027-02-14T16:00:00Z'));
  });

  it('of an instant is that instant, at both ends', () => {
    expect(instantOfBound({ atMs: 7 }, 'begins', ZONE)).toBe(7);
    expect(instantOfBound({ atMs: 7 }, 'ends', ZONE)).toBe(7);
  });

  it('ends before its beginning: a day by the instant after it, an instant by itself', () => {
    const day = { day: '2027-02-14' } as const;
    expect([6, 7, 8].map((beforeMs) => endsBefore(day, beforeMs, 7))).toEqual([true, true, false]);
    const instant = { atMs: 7 };
    expect([6, 7, 8].map((beforeMs) => endsBefore(instant, beforeMs, 7))).toEqual([
      true,
      false,
      false,
    ]);
  });
});
