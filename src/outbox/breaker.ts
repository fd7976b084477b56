import { MINUTE_MS, SECOND_MS } from '../core/time.ts';
import { type Lateness, laterMs } from './retries.ts';

/** So many failures in a row, over at least two bookings, mean that the PMS itself is down (decisions: section 9). */
const FAILURES_TO_OPEN = 5;

/** How long after a failed probe the next one goes out; the last holds from then on. */
const PROBE_DELAYS_MS = [
  5 * SECOND_MS,
  15 * SECOND_MS,
  30 * SECOND_MS,
  MINUTE_MS,
  2 * MINUTE_MS,
  5 * MINUTE_MS,
  10 * MINUTE_MS,
] as const;

/** After a probe in vain, not even a new message brings the next one sooner than this. */
const SOONEST_PROBE_MS = 15 * SECOND_MS;

/** How many messages are under way at once to a PMS that answers. */
const MOST_AT_ONCE = 8;

/**
 * Whether a PMS is up, as far as its answers tell. Closed: messages go out. Open: one probe at a time, which is one
 * of the messages that wait.
 */
export type Breaker =
  | {
      readonly kind: 'closed';
      /** Transport failures and 5xx since the last answer of another sort. */
      readonly failures: number;
      /** The bookings that they were about, as far as it matters: two at most. */
      readonly bookings: readonly string[];
    }
  | {
      readonly kind: 'open';
      /** Probes in vain so far. */
      readonly probes: number;
      readonly probeAtMs: number;
      /** From when on a new message may bring the next probe forward. */
      readonly soonestMs: number;
    };

/** A PMS of which nothing bad is known. */
export const CLOSED: Breaker = { kind: 'closed', failures: 0, bookings: [] };

/** How many messages may be under way now. */
export function roomFor(breaker: Breaker, nowMs: number): number {
  if (breaker.kind === 'closed') return MOST_AT_ONCE;
  return nowMs >= breaker.probeAtMs ? 1 : 0;
}

/** What is known after a transport failure or a 5xx of a message about `booking`. */
export function afterFailure(
  breaker: Breaker,
  booking: string,
  probe: boolean,
  lateness: Lateness,
): Breaker {
  if (breaker.kind === 'closed') {
    const failures = breaker.failures + 1;
    const bookings = [...new Set([...breaker.bookings, booking])].slice(0, 2);
    return failures >= FAILURES_TO_OPEN && bookings.length > 1
      ? opened(0, lateness)
      : { kind: 'closed', failures, bookings };
  }
  // What was under way when the PMS was found to be down says nothing new.
  if (!probe) return breaker;
  return opened(breaker.probes + 1, lateness);
}

function opened(probes: number, lateness: Lateness): Breaker {
  const delayMs = PROBE_DELAYS_MS[probes] ?? PROBE_DELAYS_MS.at(-1) ?? MINUTE_MS;
  return {
    kind: 'open',
    probes,
    probeAtMs: laterMs(delayMs, lateness),
    soonestMs: laterMs(SOONEST_PROBE_MS, lateness),
  };
}

/** The same with the next probe as soon as there is something new to tell: the PMS may have come back meanwhile. */
export function hurried(breaker: Breaker, nowMs: number): Breaker {
  if (breaker.kind === 'closed') return breaker;
  const probeAtMs = Math.max(breaker.soonestMs, nowMs);
  return probeAtMs < breaker.probeAtMs ? { ...breaker, probeAtMs } : breaker;
}

/** The same with the next probe now: somebody knows that the PMS is back. */
export function probedNow(breaker: Breaker, nowMs: number): Breaker {
  return breaker.kind === 'closed' ? breaker : { ...breaker, probeAtMs: nowMs };
}
