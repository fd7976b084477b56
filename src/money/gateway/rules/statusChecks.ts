import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from '../../../core/time.ts';

/** The waits before the status checks of an unknown outcome: after the attempt, then after each check. */
const STATUS_CHECK_DELAYS_MS = [
  5 * SECOND_MS,
  30 * SECOND_MS,
  2 * MINUTE_MS,
  10 * MINUTE_MS,
  HOUR_MS,
  4 * HOUR_MS,
  12 * HOUR_MS,
] as const;

/** When to check an outcome that is still unknown after this many status checks; once a day after the list's end. */
export function nextStatusCheckAtMs(statusChecks: number, nowMs: number): number {
  return nowMs + (STATUS_CHECK_DELAYS_MS[statusChecks] ?? DAY_MS);
}

/** How long a request may be sent again under its key: an hour less than the shortest key life of a gateway, 24 h. */
const RESEND_LIFE_MS = 23 * HOUR_MS;

/** Whether a request first sent at `askedAtMs` may be sent again. Later it may only be looked up. */
export function mayResend(askedAtMs: number, nowMs: number): boolean {
  return nowMs - askedAtMs <= RESEND_LIFE_MS;
}

/** The latest time at which a request first sent at `askedAtMs` may have been sent, as far as is known at `nowMs`. */
export function sentUntilMs(askedAtMs: number, nowMs: number): number {
  return Math.min(nowMs, askedAtMs + RESEND_LIFE_MS);
}

/** From when on the key of a request last sent at `sentAtMs` can have no effect at the acquirer any more. */
export function keyEndsAtMs(sentAtMs: number): number {
  return sentAtMs + RESEND_LIFE_MS;
}

/** The least time between the two status checks that end an operation which the acquirer does not have. */
export const BETWEEN_ABSENCES_MS = HOUR_MS;

/** How often an outcome that D1 had no time for is sent again, and the longest pause before the first of these times. */
const MOST_OUTCOMES_AGAIN = 4;
const FIRST_PAUSE_MS = SECOND_MS / 4;

/**
 * How long to wait before an outcome is sent again that D1 refused so often in a row, because too much waited: it never ran.
 * Null: leave it to the next status check. `share`, from 0 to 1, spreads what was refused at once.
 */
export function outcomeAgainAfterMs(refusals: number, share: number): number | null {
  if (refusals > MOST_OUTCOMES_AGAIN) return null;
  return Math.round((FIRST_PAUSE_MS * 2 ** (refusals - 1) * (1 + share)) / 2);
}

/** When the alarm checks an operation that got no answer: well after the gateway's deadline. */
export const SAFETY_NET_MS = MINUTE_MS;
