import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { HOUR_MS, MINUTE_MS } from '../../src/core/time.ts';
import {
  afterNoAnswerMs,
  afterRejectionMs,
  nominalTimeMs,
  retryTimeMs,
} from '../../src/money/payments/rules/retries.ts';
import { transactionRow } from './rows.ts';

const NOW_MS = Date.UTC(2026, 9, 1, 12);

const digits = fc.constantFrom(...Array.from('0123456789abcdef'));
const reference = fc.array(digits, { minLength: 32, maxLength: 32 }).map((all) => all.join(''));

it('a rejected schedule comes back after as long as the acquirer asks at least, at a whole millisecond', () => {
  fc.assert(
    fc.property(
      reference,
      fc.nat(30),
      fc.integer({ min: 0, max: 60_000 }),
      (own, rejections, retryAfterMs) => {
        const row = transactionRow({
          kind: 'schedule',
          reference: own,
          scheduledAtMs: NOW_MS,
          attempts: 1,
          rejections,
        });
        const againAtMs = afterRejectionMs(row, retryAfterMs, NOW_MS) ?? Number.NaN;
        expect(againAtMs).toBeGreaterThanOrEqual(NOW_MS + retryAfterMs);
        expect(Number.isInteger(againAtMs)).toBe(true);
      },
    ),
  );
});

const late = (own: string, rejections: number) =>
  transactionRow({
    kind: 'schedule',
    reference: own,
    scheduledAtMs: NOW_MS,
    attempts: 0,
    rejections,
  });

it('a late schedule is asked for in ever longer waits while the acquirer does not say, spread by its own reference', () => {
  const listed = [1, 5, 15, 60, 60, 60].map((minutes) => minutes * MINUTE_MS);
  fc.assert(
    fc.property(reference, fc.nat(5), (own, rejections) => {
      const waitMs = (afterNoAnswerMs(late(own, rejections), null, NOW_MS) ?? 0) - NOW_MS;
      const listedMs = listed[rejections] ?? 0;
      expect(waitMs).toBeGreaterThanOrEqual(listedMs);
      expect(waitMs).toBeLessThanOrEqual(listedMs + 3 * MINUTE_MS);
    }),
  );
  const asked = ['0', '4', '8', 'b'].map((digit) => late(digit.repeat(32), 0));
  for (const retryAfterMs of [null, 40_000]) {
    const times = asked.map((row) => afterNoAnswerMs(row, retryAfterMs, NOW_MS));
    expect(new Set(times).size).toBe(asked.length);
  }
});

it('a late schedule is asked for a last time right after its 72 hours', () => {
  const overMs = NOW_MS + 72 * HOUR_MS + 1;
  const row = late('f'.repeat(32), 9);
  expect(afterNoAnswerMs(row, null, overMs - 2)).toBe(overMs);
  expect(afterNoAnswerMs(row, 90 * HOUR_MS, NOW_MS)).toBe(overMs);
  expect(afterNoAnswerMs(row, null, overMs)).toBeNull();
  // An outage of the service itself, and one question in vain, are no reason to end it.
  expect(afterNoAnswerMs(late('f'.repeat(32), 3), null, overMs)).toBeGreaterThan(overMs);
});

/** A schedule whose reference is hex digits, first those given, then zeros. */
const referenced = (digitsFirst: string, rejections: number) =>
  transactionRow({
    kind: 'schedule',
    reference: digitsFirst.padEnd(32, '0'),
    rejections,
    scheduledAtMs: NOW_MS,
    firstAttemptAtMs: null,
    attempts: 0,
  });

it.each([
  ['the whole span', 'ffff', 0, MINUTE_MS + 26_000],
  ['nothing of it', '0000ffff', 0, MINUTE_MS],
  ['the part of the next digits after a rejection', '0000ffff', 1, 5 * MINUTE_MS + 26_000],
  ['nothing of it, by the next digits', 'ffff', 1, 5 * MINUTE_MS],
  ['the same span until the fourth', '000000000000ffff', 3, HOUR_MS + 26_000],
  ['twice the span from the fifth on', '0000000000000000ffff', 4, HOUR_MS + 52_000],
  ['sixteen times, by the first digits again', 'ffff', 7, HOUR_MS + 416_000],
  ['an hour at most', 'f'.repeat(32), 20, 2 * HOUR_MS],
])('a late schedule without an answer waits longer by %s', (_what, own, rejections, waitMs) => {
  expect(afterNoAnswerMs(referenced(own, rejections), null, NOW_MS)).toBe(NOW_MS + waitMs);
});

it('a late schedule without an answer ends only once it was asked for at all the listed times', () => {
  const overMs = NOW_MS + 72 * HOUR_MS + 1;
  expect(afterNoAnswerMs(referenced('', 3), null, overMs)).toBe(overMs + HOUR_MS);
  expect(afterNoAnswerMs(referenced('', 4), null, overMs)).toBeNull();
  expect(afterNoAnswerMs(referenced('', 4), null, overMs - 1)).toBe(overMs);
});

it('a schedule is first due at its time, or a day later if nothing was due then', () => {
  const row = referenced('', 0);
  expect(nominalTimeMs(row)).toBe(NOW_MS);
  expect(nominalTimeMs({ ...row, putOffUntilMs: NOW_MS + 1 })).toBe(NOW_MS + 1);
  expect(nominalTimeMs({ ...row, putOffUntilMs: NOW_MS - 1 })).toBe(NOW_MS);
  expect(nominalTimeMs({ ...row, attempts: 1, firstAttemptAtMs: NOW_MS + 5 })).toBe(
    NOW_MS + 5 + HOUR_MS,
  );
});

it('a schedule without a first attempt has no retry', () => {
  expect(retryTimeMs({ ...referenced('', 0), attempts: 1 })).toBeNull();
  expect(retryTimeMs(transactionRow({ attempts: 1, firstAttemptAtMs: NOW_MS }))).toBeNull();
});
