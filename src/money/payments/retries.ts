import { HOUR_MS, MINUTE_MS } from '../../core/time.ts';
import type { TransactionRow } from '../../platform/db/moneyTables.ts';

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

/** When this attempt of a schedule was first due. A postponement does not make it less late. */
export function nominalTimeMs(row: TransactionRow): number {
  return retryTimeMs(row) ?? row.scheduledAtMs ?? 0;
}

/**
 * When to retry a schedule whose attempt the acquirer rejected for a temporary reason; null when its time is over. It
 * waits at least as long as the acquirer asks. Schedules that are rejected together spread over a span that grows with
 * each rejection, so that they do not come back together.
 */
export function afterRejectionMs(
  row: TransactionRow,
  retryAfterMs: number | null,
  nowMs: number,
): number | null {
  const listedMs = REJECTED_DELAYS_MS[row.rejections] ?? HOUR_MS;
  const waitMs =
    retryAfterMs === null
      ? listedMs
      : Math.max(retryAfterMs, Math.min(listedMs, spreadMs(row, retryAfterMs)));
  const untilMs = beforeThisAttempt(row) + REJECTED_LIFE_MS;
  return nowMs + waitMs > untilMs ? null : nowMs + waitMs;
}

/** The nominal time of the attempt under way, which the row counts already. */
function beforeThisAttempt(row: TransactionRow): number {
  return nominalTimeMs({ ...row, attempts: row.attempts - 1 });
}

/** A wait between the one that the acquirer asks for and several times that, by the schedule's own random reference; whole. */
function spreadMs({ reference, rejections }: TransactionRow, retryAfterMs: number): number {
  const from = (rejections * 4) % 28;
  const fraction = Number.parseInt(reference.slice(from, from + 4), 16) / 0xffff;
  return Math.round(retryAfterMs * (1 + fraction * 4 * 2 ** Math.min(rejections, 20)));
}
