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
  | { readonly kind: 'open'; readonly probes: number; readonly probeAtMs: number };

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
      ? { kind: 'open', probes: 0, probeAtMs: probeTime(0, lateness) }
      : { kind: 'closed', failures, bookings };
  }
  // What was under way when the PMS was found to be down says nothing new.
  if (!probe) return breaker;
  const probes = breaker.probes + 1;
  return { kind: 'open', probes, probeAtMs: probeTime(probes, lateness) };
}

function probeTime(probes: number, lateness: Lateness): number {
  const delayMs = PROBE_DELAYS_MS[probes] ?? PROBE_DELAYS_MS.at(-1) ?? MINUTE_MS;
  return laterMs(delayMs, lateness);
}
