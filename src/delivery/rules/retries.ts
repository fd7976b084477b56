import { HOUR_MS, MINUTE_MS, SECOND_MS } from '../../core/time.ts';

/** The delay of each attempt after the one before, where the receiver did not answer what it should (pms: Retries). */
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

/** How many of these delays follow a PMS's `Status` `Error`: to repeat it for days would not change the PMS's answer. */
const MOST_REFUSALS_REPEATED = 4;

/** The largest part by which a delay grows at random, so that messages that failed together spread out. */
const MOST_JITTER = 0.1;

/** The longest `Retry-After` that the service respects. */
const LONGEST_RETRY_AFTER_MS = 24 * HOUR_MS;

/** What the time of the next attempt depends on. */
export interface RetryTiming {
  readonly nowMs: number;
  /** From 0 to 1. */
  readonly random: number;
  /** The delay that the receiver asked for; null if none. */
  readonly retryAfterMs: number | null;
}

/** The failed attempts of a message: all of them, and those that a PMS answered with `Status` `Error`. */
export interface FailedAttempts {
  readonly attempts: number;
  readonly refusals: number;
}

/**
 * When a message is sent again after failed attempts, the last of which was refused by a PMS or got no answer; null
 * when it is `Dead`. Each way of failing has a plan and a count of its own.
 */
export function nextAttemptAtMs(
  { attempts, refusals }: FailedAttempts,
  wasRefused: boolean,
  timing: RetryTiming,
): number | null {
  if (wasRefused && refusals > MOST_REFUSALS_REPEATED) return null;
  const delayMs = DELAYS_MS[(wasRefused ? refusals : attempts - refusals) - 1];
  return delayMs === undefined ? null : laterMs(delayMs, timing);
}

/** The time after a delay, which jitter and the receiver's `Retry-After` can only lengthen. */
export function laterMs(delayMs: number, { nowMs, random, retryAfterMs }: RetryTiming): number {
  const jitteredMs = Math.round(delayMs * (1 + MOST_JITTER * random));
  return nowMs + Math.max(jitteredMs, Math.min(retryAfterMs ?? 0, LONGEST_RETRY_AFTER_MS));
}

/** How long something waits that the service cannot send, because a key is missing. It counts as no attempt. */
export const UNSENT_WAIT_MS = 10 * MINUTE_MS;
