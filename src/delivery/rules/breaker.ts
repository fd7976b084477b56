import { MINUTE_MS, SECOND_MS } from '../../core/time.ts';
import { laterMs, type RetryTiming } from './retries.ts';

/** After this many failures in a row, over two bookings or more, a receiver counts as down (pms: When a PMS is down). */
const FAILURES_TO_OPEN = 5;

/** The delay of each probe after the one before; the last delay repeats. */
const PROBE_DELAYS_MS = [
  5 * SECOND_MS,
  15 * SECOND_MS,
  30 * SECOND_MS,
  MINUTE_MS,
  2 * MINUTE_MS,
  5 * MINUTE_MS,
  10 * MINUTE_MS,
] as const;

/** The shortest delay after a failed probe, even if a new message arrives. */
const SOONEST_PROBE_MS = 15 * SECOND_MS;

/** How many messages go to a working receiver at once. */
const MOST_AT_ONCE = 8;

/**
 * A circuit breaker for one receiver. Closed: messages go out. Open: the receiver counts as down, and one waiting
 * message at a time goes out as a probe.
 */
export type Breaker =
  | {
      readonly kind: 'closed';
      /** Transport failures and 5xx in a row. */
      readonly failures: number;
      /** The bookings of those failures, at most two: more would not change anything. */
      readonly bookings: readonly string[];
    }
  | {
      readonly kind: 'open';
      /** Failed probes so far. */
      readonly probes: number;
      readonly probeAtMs: number;
      /** The earliest time to which a new message may bring the next probe forward. */
      readonly soonestMs: number;
    };

export const CLOSED: Breaker = { kind: 'closed', failures: 0, bookings: [] };

/** What is known of a receiver: its own breaker, and one for each account whose credentials it denied last. */
export interface Breakers {
  readonly receiver: Breaker;
  readonly accounts: Readonly<Record<string, Breaker>>;
}

/** Nothing is wrong. */
export const ALL_CLOSED: Breakers = { receiver: CLOSED, accounts: {} };

/** How many messages may be under way at once, at this time. */
export function capacity(breaker: Breaker, nowMs: number): number {
  if (breaker.kind === 'closed') return MOST_AT_ONCE;
  return nowMs >= breaker.probeAtMs ? 1 : 0;
}

/** The breaker after a transport failure or a 5xx for a message of `booking`. */
export function afterFailure(
  breaker: Breaker,
  booking: string,
  probe: boolean,
  timing: RetryTiming,
): Breaker {
  if (breaker.kind === 'closed') {
    const failures = breaker.failures + 1;
    const bookings = [...new Set([...breaker.bookings, booking])].slice(0, 2);
    return failures >= FAILURES_TO_OPEN && bookings.length > 1
      ? opened(0, timing)
      : { kind: 'closed', failures, bookings };
  }
  // Messages that were under way when the breaker opened are not probes.
  if (!probe) return breaker;
  return opened(breaker.probes + 1, timing);
}

function opened(probes: number, timing: RetryTiming): Breaker {
  const delayMs = PROBE_DELAYS_MS[probes] ?? PROBE_DELAYS_MS.at(-1) ?? MINUTE_MS;
  return {
    kind: 'open',
    probes,
    probeAtMs: laterMs(delayMs, timing),
    soonestMs: laterMs(SOONEST_PROBE_MS, timing),
  };
}

/** Brings the next probe forward for a new message, but not before `soonestMs`. */
export function withEarlierProbe(breaker: Breaker, nowMs: number): Breaker {
  if (breaker.kind === 'closed') return breaker;
  const probeAtMs = Math.max(breaker.soonestMs, nowMs);
  return probeAtMs < breaker.probeAtMs ? { ...breaker, probeAtMs } : breaker;
}

/** Makes the next probe due now. */
export function withProbeNow(breaker: Breaker, nowMs: number): Breaker {
  return breaker.kind === 'closed' ? breaker : { ...breaker, probeAtMs: nowMs };
}
