import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { HOUR_MS, MINUTE_MS, SECOND_MS } from '../../src/core/time.ts';
import { laterMs, nextTryAtMs } from '../../src/outbox/retries.ts';

const NOW = 1_800_000_000_000;
const exactly = { nowMs: NOW, random: 0, retryAfterMs: null };

const delays: [number, number][] = [
  [1, 5 * SECOND_MS],
  [2, 30 * SECOND_MS],
  [3, 5 * MINUTE_MS],
  [4, 30 * MINUTE_MS],
  [5, 2 * HOUR_MS],
  [6, 5 * HOUR_MS],
  [7, 10 * HOUR_MS],
  [8, 14 * HOUR_MS],
  [9, 20 * HOUR_MS],
  [10, 24 * HOUR_MS],
];

describe('the next try', () => {
  it.each(delays)('after %i tries in vain comes %i ms later', (attempts, delayMs) => {
    expect(nextTryAtMs(attempts, exactly)).toBe(NOW + delayMs);
  });

  it.each([11, 12, 100])('after %i tries is none', (attempts) => {
    expect(nextTryAtMs(attempts, exactly)).toBeNull();
  });

  it('is only ever put off: by a tenth by chance, and by what the PMS asks, up to a day', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 10 }),
        fc.double({ min: 0, max: 1, noNaN: true }),
        fc.option(fc.integer({ min: 0, max: 1_000 * HOUR_MS })),
        (attempts, random, retryAfterMs) => {
          const delayMs = delays[attempts - 1]?.[1] ?? 0;
          const late = (nextTryAtMs(attempts, { nowMs: NOW, random, retryAfterMs }) ?? 0) - NOW;
          const askedMs = Math.min(retryAfterMs ?? 0, 24 * HOUR_MS);
          expect(late).toBeGreaterThanOrEqual(Math.max(delayMs, askedMs));
          expect(late).toBeLessThanOrEqual(Math.max(1.1 * delayMs + 1, askedMs));
        },
      ),
    );
  });

  it('is as late as the PMS asks', () => {
    expect(laterMs(SECOND_MS, { ...exactly, retryAfterMs: HOUR_MS })).toBe(NOW + HOUR_MS);
  });
});
