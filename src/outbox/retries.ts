import { HOUR_MS, MINUTE_MS, SECOND_MS } from '../core/time.ts';

/** After which times a message is sent again (decisions: section 9). */
const DELAYS_MS = [
  5 * SECOND_MS,
  30 * SECOND_MS,
  5 * MINUTE_MS,
  30 * MINUTE_MS,
  2 * HOUR_MS,
  5 * HOUR_MS,
  10 * HOUR_MS,
  14 * HOUR_MS,
  20 * HOUR_MS,
  24 * HOUR_MS,
] as const;

/** By how much of itself a delay may be lengthened, so that what failed together does not come back together. */
const MOST_JITTER = 0.1;

/** The longest that a PMS may ask to be left alone. */
const LONGEST_RETRY_AFTER_MS = 24 * HOUR_MS;

/** What a try that failed knows of the time. */
export interface Lateness {
  readonly nowMs: number;
  /** From 0 to 1. */
  readonly random: number;
  /** How long the PMS asked to be left alone; null when it did not say. */
  readonly retryAfterMs: number | null;
}

/** When a message is sent again after so many tries in vain; null when it is given up as `Dead`. */
export function nextTryAtMs(attempts: number, lateness: Lateness): number | null {
  const delayMs = DELAYS_MS[attempts - 1];
  return delayMs === undefined ? null : laterMs(delayMs, lateness);
}

/** A time at least this far ahead: jitter and the PMS's own wish only lengthen. */
export function laterMs(delayMs: number, { nowMs, random, retryAfterMs }: Lateness): number {
  const jitteredMs = Math.round(delayMs * (1 + MOST_JITTER * random));
  return nowMs + Math.max(jitteredMs, Math.min(retryAfterMs ?? 0, LONGEST_RETRY_AFTER_MS));
}
