import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { addDays, localDate, startOfDayMs } from '../../src/core/time.ts';
import { readSpan } from '../../src/desk/reports/report.ts';
import { lengthOf, MOST_DAYS, periodsOf, stepOf } from '../../src/desk/reports/rules.ts';
import { boundsOf } from '../../src/desk/reports/store.ts';

/** Zones whose clocks change: by an hour, by half an hour, at midnight, and by a whole day once. */
const ZONES = [
  'Europe/Berlin',
  'Australia/Lord_Howe',
  'America/Santiago',
  'Pacific/Apia',
  'UTC',
] as const;

const spans = fc
  .record({
    day: fc.integer({ min: 0, max: 9_000 }),
    length: fc.integer({ min: 1, max: MOST_DAYS }),
  })
  .map(({ day, length }) => {
    const from = addDays('2008-01-01', day);
    return { from, to: addDays(from, length - 1) };
  });

describe('the lines of a report', () => {
  it('have each instant of its days in exactly one of them', () => {
    fc.assert(
      fc.property(
        spans,
        fc.constantFrom('day', 'week', 'month'),
        fc.constantFrom(...ZONES),
        (span, step, zone) => {
          const periods = periodsOf(span, step);
          const bounds = boundsOf(periods, zone);
          expect([periods[0]?.from, periods.at(-1)?.to]).toEqual([span.from, span.to]);
          expect(bounds[0]?.fromMs).toBe(startOfDayMs(span.from, zone));
          for (const [index, { beforeMs, fromMs }] of bounds.entries()) {
            expect(beforeMs).toBe(bounds[index + 1]?.fromMs ?? beforeMs);
            // A day that a zone left out has no instant.
            if (beforeMs === fromMs) continue;
            expect(beforeMs).toBeGreaterThan(fromMs);
            const last = localDate(beforeMs - 1, zone);
            expect(last <= (periods[index]?.to ?? '')).toBe(true);
          }
        },
      ),
      { numRuns: 60 },
    );
  });

  it('are at most 31, whatever the days', () => {
    fc.assert(
      fc.property(spans, (span) => {
        const step = stepOf(span);
        const periods = periodsOf(span, step);
        expect(periods.length).toBeLessThanOrEqual(31);
        expect(periods.reduce((sum, period) => sum + lengthOf(period), 0)).toBe(lengthOf(span));
        for (const { from } of periods.slice(1)) {
          if (step === 'week') expect(new Date(from).getUTCDay()).toBe(1);
          if (step === 'month') expect(from.slice(8)).toBe('01');
        }
      }),
      { numRuns: 200 },
    );
  });

  it('end with the calendar', () => {
    const span = { from: '9999-12-30', to: '9999-12-31' };
    const day = (from: string) => ({ from, to: from });
    expect(periodsOf(span, 'day')).toEqual([day('9999-12-30'), day('9999-12-31')]);
    expect(periodsOf(span, 'week')).toEqual([span]);
    expect(periodsOf(span, 'month')).toEqual([span]);
  });
});

describe('the days of a report', () => {
  const today = '2028-02-29';

  it.each([
    ['2029-02-28', '2029-02-28', null],
    ['2028-02-29', '2029-03-01', /at most a year ahead/],
    ['9999-12-31', '9999-12-31', /at most a year ahead/],
    ['', '9999-12-31', /at most a year ahead/],
    ['0001-01-01', '0001-01-31', null],
    ['0001-01-01', '', /at most 366 days/],
    ['2028-02-29', '2028-02-28', /not come before/],
    ['+010000-01-01', '', /existing day/],
  ])('from %j to %j', (from, to, error) => {
    const read = readSpan({ from, to }, today);
    expect(read.ok ? null : read.error).toEqual(error && expect.stringMatching(error));
  });
});
