import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { laterMs, nextAttemptAtMs as nextOf } from '../../src/delivery/rules/retries.ts';

const SECOND_MS = 1_000;
const MINUTE_MS = 60_000;
const HOUR_MS = 3_600_000;
const NOW_MS = Date.UTC(2026, 9, 25, 0, 59);

/** A try that failed now, without luck or wish, unless a test says so. */
function failed(changes: Partial<Parameters<typeof laterMs>[1]> = {}) {
  return { nowMs: NOW_MS, random: 0, retryAfterMs: null, ...changes };
}

/** When a message is sent again after tries of which the PMS answered none. */
function nextAttemptAtMs(attempts: number, timing: ReturnType<typeof failed>) {
  return nextOf({ attempts, refusals: 0 }, false, timing);
}

const delays: [attempts: number, wait: string, milliseconds: number][] = [
  [1, '5 s', 5 * SECOND_MS],
  [2, '30 s', 30 * SECOND_MS],
  [3, '5 min', 5 * MINUTE_MS],
  [4, '30 min', 30 * MINUTE_MS],
  [5, '2 h', 2 * HOUR_MS],
  [6, '5 h', 5 * HOUR_MS],
  [7, '10 h', 10 * HOUR_MS],
  [8, '14 h', 14 * HOUR_MS],
  [9, '20 h', 20 * HOUR_MS],
  [10, '24 h', 24 * HOUR_MS],
];

const nowMs = fc.integer({ min: 0, max: 4_102_444_800_000 });
const random = fc.double({ min: 0, max: 1, noNaN: true });
const attempts = fc.integer({ min: 1, max: 10 });
const delayMs = fc.constantFrom(...delays.map(([, , milliseconds]) => milliseconds));
const wish = fc.oneof(
  fc.constant(null),
  fc.constantFrom(0, 24 * HOUR_MS - 1, 24 * HOUR_MS, 24 * HOUR_MS + 1, Number.MAX_SAFE_INTEGER),
  fc.integer({ min: 0, max: 30 * HOUR_MS }),
);

describe('a message that was not confirmed', () => {
  it.each(delays)('is sent again, after try %i, in %s', (tries, _, milliseconds) => {
    expect(nextAttemptAtMs(tries, failed())).toBe(NOW_MS + milliseconds);
  });

  it.each(delays)('waits at most a tenth more than it must: try %i', (tries, _, milliseconds) => {
    expect(nextAttemptAtMs(tries, failed({ random: 1 }))).toBe(NOW_MS + 1.1 * milliseconds);
    expect(nextAttemptAtMs(tries, failed({ random: 0.5 }))).toBe(NOW_MS + 1.05 * milliseconds);
  });

  it.each([11, 12, 100])(
    'is given up after its tenth retry, whatever the PMS wishes: try %i',
    (tries) => {
      expect(nextAttemptAtMs(tries, failed())).toBeNull();
      expect(nextAttemptAtMs(tries, failed({ random: 1, retryAfterMs: HOUR_MS }))).toBeNull();
    },
  );

  it('is tried eleven times in all, over 75 h 35 min 35 s without jitter', () => {
    const times = [NOW_MS];
    for (let next: number | null = NOW_MS; next !== null; ) {
      next = nextAttemptAtMs(times.length, failed({ nowMs: next }));
      if (next !== null) times.push(next);
    }
    expect(times).toHaveLength(11);
    expect((times.at(-1) ?? 0) - NOW_MS).toBe(75 * HOUR_MS + 35 * MINUTE_MS + 35 * SECOND_MS);
  });

  it('is never sent early, nor more than a tenth late where the PMS has no wish', () => {
    fc.assert(
      fc.property(nowMs, random, attempts, (now, luck, tries) => {
        const wait = (nextAttemptAtMs(tries, failed({ nowMs: now, random: luck })) ?? 0) - now;
        const must = delays[tries - 1]?.[2] ?? 0;
        expect(Number.isSafeInteger(wait)).toBe(true);
        expect(wait).toBeGreaterThanOrEqual(must);
        expect(wait).toBeLessThanOrEqual(1.1 * must);
      }),
    );
  });
});

describe('a message that the PMS refuses', () => {
  it.each(delays.slice(0, 4))('is sent again, after refusal %i, in %s', (refusals, _, wait) => {
    const first = nextOf({ attempts: refusals, refusals }, true, failed());
    const afterOutages = nextOf({ attempts: refusals + 7, refusals }, true, failed());
    expect([first, afterOutages]).toEqual([NOW_MS + wait, NOW_MS + wait]);
  });

  it.each([5, 6, 100])('is given up after its fourth retry: refusal %i', (refusals) => {
    expect(nextOf({ attempts: refusals, refusals }, true, failed())).toBeNull();
  });

  it.each(delays)('keeps the plan of outages for them: try %i', (outages, _, wait) => {
    const failedAttempts = { attempts: outages + 4, refusals: 4 };
    expect(nextOf(failedAttempts, false, failed())).toBe(NOW_MS + wait);
  });
});

describe('a PMS that asks to be left alone', () => {
  it.each([
    ['for less than it would be anyway', 4 * SECOND_MS, 5 * SECOND_MS],
    ['for no time', 0, 5 * SECOND_MS],
    ['for a time that has passed', -HOUR_MS, 5 * SECOND_MS],
    ['for two minutes', 120 * SECOND_MS, 120 * SECOND_MS],
    ['for a day', 24 * HOUR_MS, 24 * HOUR_MS],
    ['for a day and a moment', 24 * HOUR_MS + 1, 24 * HOUR_MS],
    ['for ever', 999_999_999 * SECOND_MS, 24 * HOUR_MS],
  ])('%s is left alone as long as is right', (_, retryAfterMs, milliseconds) => {
    expect(laterMs(5 * SECOND_MS, failed({ retryAfterMs }))).toBe(NOW_MS + milliseconds);
  });

  it('is left alone for the longer of both times, and for a day at most', () => {
    fc.assert(
      fc.property(nowMs, random, delayMs, wish, (now, luck, delay, retryAfterMs) => {
        const lateness = { nowMs: now, random: luck, retryAfterMs };
        const without = laterMs(delay, { ...lateness, retryAfterMs: null });
        const asked = now + Math.min(retryAfterMs ?? 0, 24 * HOUR_MS);
        expect(laterMs(delay, lateness)).toBe(asked > without ? asked : without);
      }),
    );
  });
});
