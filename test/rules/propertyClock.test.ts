import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  clockOf,
  isReal,
  propertyTime,
  REAL_TIME,
  realTimeOf,
} from '../../src/core/propertyClock.ts';

const NOW_MS = Date.parse('2027-02-14T12:00:00Z');
const HOUR_MS = 3_600_000;

describe("a property's clock", () => {
  it.each([
    ['shows real time where it was never moved', 0, null, NOW_MS],
    ['runs ahead', HOUR_MS, null, NOW_MS + HOUR_MS],
    ['stands still while it is frozen ahead', HOUR_MS, NOW_MS + 7, NOW_MS + 7],
    ['is never behind real time', HOUR_MS, NOW_MS - 7, NOW_MS],
  ])('%s', (_, clockAheadMs, clockFrozenAtMs, shownMs) => {
    expect(propertyTime({ clockAheadMs, clockFrozenAtMs }, NOW_MS)).toBe(shownMs);
  });

  it('shows an instant at the real time that is said, however far ahead it runs', () => {
    fc.assert(
      fc.property(fc.nat(1e12), fc.integer({ min: -1e12, max: 1e12 }), (clockAheadMs, wait) => {
        const clock = { clockAheadMs, clockFrozenAtMs: null };
        const atMs = NOW_MS + wait;
        expect(propertyTime(clock, realTimeOf(clock, atMs, NOW_MS))).toBe(atMs);
      }),
    );
  });

  it('shows an instant as much later as that is after what it shows while it is frozen', () => {
    const frozen = { clockAheadMs: HOUR_MS, clockFrozenAtMs: NOW_MS + HOUR_MS };
    expect(realTimeOf(frozen, NOW_MS + 3 * HOUR_MS, NOW_MS)).toBe(NOW_MS + 2 * HOUR_MS);
  });

  it('is real only where it neither runs ahead nor is frozen', () => {
    expect(isReal(REAL_TIME)).toBe(true);
    expect(isReal({ ...REAL_TIME, clockAheadMs: 1 })).toBe(false);
    expect(isReal({ ...REAL_TIME, clockFrozenAtMs: NOW_MS })).toBe(false);
  });

  it('is taken from the row of its property without the rest', () => {
    const clock = { version: 3, clockAheadMs: 4, clockFrozenAtMs: 5 };
    expect(clockOf(Object.assign({ id: 'demo' }, clock))).toEqual(clock);
  });
});
