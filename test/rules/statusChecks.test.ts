import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  keyEndsAtMs,
  mayResend,
  nextStatusCheckAtMs,
  outcomeAgainAfterMs,
  sentUntilMs,
} from '../../src/money/gateway/rules/statusChecks.ts';

const HOUR_MS = 3_600_000;
const instants = fc.nat(4e12);

describe('the status checks of an unknown outcome', () => {
  test.each([
    [0, 5_000, '5 seconds'],
    [1, 30_000, '30 seconds'],
    [2, 120_000, '2 minutes'],
    [3, 600_000, '10 minutes'],
    [4, HOUR_MS, '1 hour'],
    [5, 4 * HOUR_MS, '4 hours'],
    [6, 12 * HOUR_MS, '12 hours'],
    [7, 24 * HOUR_MS, 'a day'],
    [8, 24 * HOUR_MS, 'a day'],
    [1_000, 24 * HOUR_MS, 'a day'],
  ])('after %i of them the next one waits %i ms: %s', (statusChecks, waitMs) => {
    fc.assert(
      fc.property(instants, (nowMs) => {
        expect(nextStatusCheckAtMs(statusChecks, nowMs)).toBe(nowMs + waitMs);
      }),
    );
  });

  test('have growing intervals, of a day at most, and never end', () => {
    fc.assert(
      fc.property(fc.nat(1_000), instants, (statusChecks, nowMs) => {
        const wait = nextStatusCheckAtMs(statusChecks, nowMs) - nowMs;
        expect(wait).toBeGreaterThan(0);
        expect(wait).toBeLessThanOrEqual(24 * HOUR_MS);
        expect(nextStatusCheckAtMs(statusChecks + 1, nowMs) - nowMs).toBeGreaterThanOrEqual(wait);
      }),
    );
  });
});

describe('sending an unknown request again under its key', () => {
  test.each([
    [0, true],
    [22 * HOUR_MS, true],
    [23 * HOUR_MS, true],
    [23 * HOUR_MS + 1, false],
    [24 * HOUR_MS - 1, false],
    [24 * HOUR_MS, false],
    [400 * 24 * HOUR_MS, false],
  ])('after %i ms is allowed: %s', (ageMs, allowed) => {
    fc.assert(
      fc.property(instants, (askedAtMs) => {
        expect(mayResend(askedAtMs, askedAtMs + ageMs)).toBe(allowed);
      }),
    );
  });
});

describe('a request that was sent', () => {
  test('may have been sent until 23 hours after the first time, or until now', () => {
    expect(sentUntilMs(1_000, 5_000)).toBe(5_000);
    expect(sentUntilMs(1_000, 30 * HOUR_MS)).toBe(1_000 + 23 * HOUR_MS);
  });

  test('has a key that can have no effect 23 hours after the last time', () => {
    expect(keyEndsAtMs(1_000)).toBe(1_000 + 23 * HOUR_MS);
  });
});

describe('an outcome that D1 had no time for', () => {
  test.each([
    [1, 125, 250],
    [2, 250, 500],
    [3, 500, 1_000],
    [4, 1_000, 2_000],
  ])('is sent again after refusal %i in %i to %i ms', (refusals, least, most) => {
    expect(outcomeAgainAfterMs(refusals, 0)).toBe(least);
    expect(outcomeAgainAfterMs(refusals, 1)).toBe(most);
  });

  test('is left to the next status check after the fifth', () => {
    expect(outcomeAgainAfterMs(5, 0)).toBeNull();
  });
});
