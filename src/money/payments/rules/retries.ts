import { HOUR_MS, MINUTE_MS, SECOND_MS } from '../../../core/time.ts';
import type { TransactionRow } from '../../../schema/moneyTables.ts';

/** When a softly declined schedule is retried, counted from its first attempt. */
const DECLINED_DELAYS_MS = [HOUR_MS, 24 * HOUR_MS, 72 * HOUR_MS] as const;

/** How long to wait after an attempt that the acquirer rejected for a temporary reason; then hourly. */
const REJECTED_DELAYS_MS = [MINUTE_MS, 5 * MINUTE_MS, 15 * MINUTE_MS, HOUR_MS] as const;

/** For how long after its time an attempt that the acquirer rejects for temporary reasons is retried. */
const REJECTED_LIFE_MS = 72 * HOUR_MS;

/** When a softly declined schedule is retried; null before its first attempt, after its last, and for other kinds. */
export function retryTimeMs(row: TransactionRow): number | null {
  const delayMs = row.kind === 'schedule' ? DECLINED_DELAYS_MS[row.attempts - 1] : undefined;
  return delayMs === undefined || row.firstAttemptAtMs === null
    ? null
    : row.firstAttemptAtMs + delayMs;
}

/** When this attempt of a schedule was first due. Of postponements, only the day that nothing was due makes it less late. */
export function nominalTimeMs(row: TransactionRow): number {
  return Math.max(retryTimeMs(row) ?? row.scheduledAtMs ?? 0, row.putOffUntilMs ?? 0);
}

/**
 * When to retry a schedule whose attempt the acquirer rejected for a temporary reason; null when its time is over. It
 * waits at least as long as the acquirer asks. Schedules that are rejected together spread over a span that grows with
 * the rejections, so that they do not come back together.
 */
export function afterRejectionMs(
  row: TransactionRow,
  retryAfterMs: number | null,
  nowMs: number,
): number | null {
  const listedMs = listedAfterRejectionMs(row);
  const waitMs = retryAfterMs === null ? listedMs : spreadAfterMs(row, listedMs, retryAfterMs);
  // The row counts the attempt under way already.
  const untilMs = nominalTimeMs({ ...row, attempts: row.attempts - 1 }) + REJECTED_LIFE_MS;
  return nowMs + waitMs > untilMs ? null : nowMs + waitMs;
}

/**
 * When to ask again for a late schedule of which the acquirer did not say whether it has that charge already; null when
 * its time is over and it was asked for at all the listed times. It waits like one that was rejected, and always spreads:
 * an outage leaves many of an instant. Its time never passes without a question right after.
 */
export function afterNoAnswerMs(
  row: TransactionRow,
  retryAfterMs: number | null,
  nowMs: number,
): number | null {
  const overAtMs = nominalTimeMs(row) + REJECTED_LIFE_MS + 1;
  const isOver = nowMs >= overAtMs;
  if (isOver && row.rejections >= REJECTED_DELAYS_MS.length) return null;
  const listedMs = listedAfterRejectionMs(row);
  const waitMs =
    retryAfterMs === null ? listedMs + spreadMs(row) : spreadAfterMs(row, listedMs, retryAfterMs);
  return isOver ? nowMs + waitMs : Math.min(nowMs + waitMs, overAtMs);
}

function listedAfterRejectionMs({ rejections }: TransactionRow): number {
  return REJECTED_DELAYS_MS[rejections] ?? HOUR_MS;
}

/** At least as long as the acquirer asks, spread up to the listed time. */
function spreadAfterMs(row: TransactionRow, listedMs: number, retryAfterMs: number): number {
  return Math.max(retryAfterMs, Math.min(listedMs, retryAfterMs + spreadMs(row)));
}

/**
 * The span over which the first retries spread: 500 schedules of one second come back at 19 a second, within what an
 * acquirer takes that allows 25.
 */
const SPREAD_MS = 26 * SECOND_MS;

/** How many retries spread over that span; then it doubles each time. */
const FIRST_RETRIES = 4;

/** What a schedule waits longer than the acquirer asks: a part of the span, by its own random reference. */
function spreadMs({ reference, rejections }: TransactionRow): number {
  const from = (rejections * 4) % 28;
  const fraction = Number.parseInt(reference.slice(from, from + 4), 16) / 0xffff;
  const doublings = Math.max(0, rejections + 1 - FIRST_RETRIES);
  return Math.round(fraction * Math.min(SPREAD_MS * 2 ** doublings, HOUR_MS));
}
