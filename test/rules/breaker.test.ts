import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { MINUTE_MS, SECOND_MS } from '../../src/core/time.ts';
import { afterFailure, type Breaker, CLOSED, roomFor } from '../../src/outbox/breaker.ts';

const NOW = 1_800_000_000_000;
const at = (nowMs: number) => ({ nowMs, random: 0, retryAfterMs: null });

function failing(bookings: readonly string[], from: Breaker = CLOSED): Breaker {
  return bookings.reduce(
    (breaker, booking) => afterFailure(breaker, booking, false, at(NOW)),
    from,
  );
}

describe('the breaker', () => {
  it('opens at the fifth failure in a row over two bookings', () => {
    expect(failing(['a', 'b', 'a', 'a']).kind).toBe('closed');
    expect(failing(['a', 'b', 'a', 'a', 'a'])).toEqual({
      kind: 'open',
      probes: 0,
      probeAtMs: NOW + 5 * SECOND_MS,
    });
    expect(failing(['a', 'a', 'a', 'a', 'a', 'b']).kind).toBe('open');
  });

  it('never opens for one booking alone', () => {
    expect(failing(Array.from({ length: 100 }, () => 'a')).kind).toBe('closed');
  });

  it('probes after 5 s, 15 s, 30 s, 1, 2, 5, and then every 10 minutes', () => {
    let breaker = failing(['a', 'b', 'c', 'd', 'e']);
    const delays: number[] = [];
    for (let probe = 0; probe < 8; probe += 1) {
      delays.push(breaker.kind === 'open' ? breaker.probeAtMs - NOW : 0);
      breaker = afterFailure(breaker, 'a', true, at(NOW));
    }
    const minutes = (count: number) => count * MINUTE_MS;
    expect(delays).toEqual([
      5 * SECOND_MS,
      15 * SECOND_MS,
      30 * SECOND_MS,
      ...[1, 2, 5, 10, 10].map(minutes),
    ]);
  });

  it('waits with a probe as long as the PMS asks', () => {
    const open = failing(['a', 'b', 'c', 'd', 'e']);
    const asked = { ...at(NOW), retryAfterMs: 60 * MINUTE_MS };
    expect(afterFailure(open, 'a', true, asked)).toMatchObject({ probeAtMs: NOW + 60 * MINUTE_MS });
  });

  it('learns nothing from what was under way when it opened', () => {
    const open = failing(['a', 'b', 'c', 'd', 'e']);
    expect(afterFailure(open, 'f', false, at(NOW + MINUTE_MS))).toBe(open);
  });

  it('has room for eight while closed, and for one probe when its time has come', () => {
    const open = failing(['a', 'b', 'c', 'd', 'e']);
    expect(roomFor(CLOSED, NOW)).toBe(8);
    expect(roomFor(open, NOW + 5 * SECOND_MS - 1)).toBe(0);
    expect(roomFor(open, NOW + 5 * SECOND_MS)).toBe(1);
  });

  it('is open exactly after five failures or more over two bookings', () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom('a', 'b', 'c'), { maxLength: 12 }), (bookings) => {
        const down = bookings.length >= 5 && new Set(bookings).size > 1;
        expect(failing(bookings).kind).toBe(down ? 'open' : 'closed');
      }),
    );
  });
});
