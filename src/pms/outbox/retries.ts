import { HOUR_MS, MINUTE_MS, SECOND_MS } from '../../core/time.ts';

/** The delay of each attempt after the one before (pms: Retries). */
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

/** The largest part by which a delay grows at random, so that messages that failed together spread out. */
const MOST_JITTER = 0.1;

/** The longest `Retry-After` that the service respects. */
const LONGEST_RETRY_AFTER_MS = 24 * HOUR_MS;

/** What the time of the next attempt depends on. */
export interface RetryTiming {
  readonly nowMs: number;
  /** From 0 to 1. */
  readonly random: number;
  /** The delay that the PMS asked for; null if none. */
  readonly retryAfterMs: number | null;
}

/** When a message is sent again after `attempts` failed attempts; null when it is `Dead`. */
export function nextAttemptAtMs(attempts: number, timing: RetryTiming): number | null {
  const delayMs = DELAYS_MS[attempts - 1];
  return delayMs === undefined ? null : laterMs(delayMs, timing);
}

/** The time after a delay, which jitter and the PMS's `Retry-After` can only lengthen. */
export function laterMs(delayMs: number, { nowMs, random, retryAfterMs }: RetryTiming): number {
  const jitteredMs = Math.round(delayMs * (1 + MOST_JITTER * random));
  return nowMs + Math.max(jitteredMs, Math.min(retryAfterMs ?? 0, LONGEST_RETRY_AFTER_MS));
}
