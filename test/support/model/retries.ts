import type { Payment } from './state.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

/** When a schedule that was declined softly is tried again, after its first attempt (interface: Schedules). */
const AFTER_DECLINES = [HOUR, 24 * HOUR, 72 * HOUR] as const;

/** How long it waits after a temporary rejection; later once an hour. */
const AFTER_REJECTIONS = [MINUTE, 5 * MINUTE, 15 * MINUTE, HOUR] as const;

/** An attempt that is later than this is not made any more. */
const MOST_OVERDUE = 72 * HOUR;

/** When the next attempt of a declined schedule is due; null when it has none left, or had none yet. */
export function retryTimeMs({ kind, attempts, firstAttemptAtMs }: Payment): number | null {
  const delayMs = kind === 'schedule' ? AFTER_DECLINES[attempts - 1] : undefined;
  return delayMs === undefined || firstAttemptAtMs === null ? null : firstAttemptAtMs + delayMs;
}

/** When the next attempt of a schedule is due, whatever postponed it. */
export function nominalTimeMs(payment: Payment): number {
  const { putOffUntilMs, scheduledAtMs } = payment;
  return Math.max(retryTimeMs(payment) ?? scheduledAtMs ?? 0, putOffUntilMs ?? 0);
}

/** Whether the next attempt of a schedule comes too late to be made. */
export function isTooLate(payment: Payment, nowMs: number): boolean {
  return nowMs - nominalTimeMs(payment) > MOST_OVERDUE;
}

/** Alarms ring in time: what is later than this may have been charged before D1 was restored. */
const LATE = 2 * MINUTE;

/** Whether the acquirer is asked for a schedule before it is charged or ended: it is late, or was tried before. */
export function mayHaveBeenCharged(payment: Payment, nowMs: number): boolean {
  return payment.attempts > 0 || nowMs - nominalTimeMs(payment) > LATE;
}

/** What is known of a temporary rejection. */
interface Rejection {
  /** How many there were before it. */
  readonly rejections: number;
  readonly retryAfterMs: number | null;
  readonly nowMs: number;
}

/** When to try again after a temporary rejection, which counts as no attempt; null when it is too late for that. */
export function timeAfterRejection(
  payment: Payment,
  { rejections, retryAfterMs, nowMs }: Rejection,
): number | null {
  const usualMs = AFTER_REJECTIONS[rejections] ?? HOUR;
  const waitMs =
    retryAfterMs === null
      ? usualMs
      : Math.max(retryAfterMs, Math.min(usualMs, retryAfterMs + spreadMs(payment.ref, rejections)));
  return isTooLate(payment, nowMs + waitMs) ? null : nowMs + waitMs;
}

/**
 * When to ask again for a late schedule of which the acquirer did not say whether it has that charge; null when its time is
 * over and it was asked for often enough.
 */
export function timeAfterNoAnswer(
  payment: Payment,
  retryAfterMs: number | null,
  nowMs: number,
): number | null {
  const { ref, rejections } = payment;
  const overAtMs = nominalTimeMs(payment) + MOST_OVERDUE + 1;
  const isOver = isTooLate(payment, nowMs);
  if (isOver && rejections >= AFTER_REJECTIONS.length) return null;
  const usualMs = AFTER_REJECTIONS[rejections] ?? HOUR;
  const spread = spreadMs(ref, rejections);
  const waitMs =
    retryAfterMs === null
      ? usualMs + spread
      : Math.max(retryAfterMs, Math.min(usualMs, retryAfterMs + spread));
  return isOver ? nowMs + waitMs : Math.min(nowMs + waitMs, overAtMs);
}

/**
 * Schedules that are refused together come back apart: over 26 s, from the fifth refusal on over twice as long each time
 * up to an hour, each by its own random reference.
 */
function spreadMs(ref: string, rejections: number): number {
  const digits = ref.slice((4 * rejections) % 28).slice(0, 4);
  const share = Number(`0x${digits}`) / 65_535;
  const spanMs = 26_000 * 2 ** Math.max(0, rejections - 3);
  return Math.round(share * Math.min(spanMs, HOUR));
}
