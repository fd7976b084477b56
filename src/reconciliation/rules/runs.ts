import type { Failure, FieldIssue } from '../../core/failure.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../core/time.ts';
import type { ReconciliationRunRow } from '../../schema/reconciliationTables.ts';

/** Scheduled runs leave out the newest movements: their operations may still be under way. */
const RECENT_MS = 5 * MINUTE_MS;

/** How far back an hourly run may look, and the nightly one does. */
const HOURLY_WINDOW_MS = 48 * HOUR_MS;
const NIGHTLY_WINDOW_MS = 10 * DAY_MS;

/** When the nightly run is due, after midnight in UTC. */
const NIGHTLY_AT_MS = 2 * HOUR_MS;

const MOST_ASKED_MS = 31 * DAY_MS;

/** How long movements may wait for their hourly comparison. */
export const RECONCILIATION_LATE_MS = 3 * HOUR_MS;

export interface Comparing {
  /** Whether an hourly run began longer ago than that and is not complete. */
  readonly hasLateRun: boolean;
  /** When an hourly run was completed within that time; null if none was. */
  readonly comparedAtMs: number | null;
  /** When the first movement was recorded; null while there is none to compare. */
  readonly firstMovementAtMs: number | null;
  readonly nowMs: number;
}

export function isLate({ comparedAtMs, firstMovementAtMs, hasLateRun, nowMs }: Comparing): boolean {
  if (hasLateRun) return true;
  const isWaiting =
    firstMovementAtMs !== null && firstMovementAtMs < nowMs - RECONCILIATION_LATE_MS;
  return isWaiting && comparedAtMs === null;
}

/**
 * A run that the clock asks for: of each account one, unless one has started since `dueSinceMs`. `fromMs` is how far back it
 * looks where none has ended since: {@link beginningOf}.
 */
export interface PlannedRun {
  readonly cause: 'hourly' | 'nightly';
  readonly dueSinceMs: number;
  readonly fromMs: number;
  readonly toMs: number;
}

/** The runs that are due by the clock: one in each hour, and one each night from 02:00 UTC on. */
export function plannedRuns(nowMs: number): readonly [PlannedRun, PlannedRun] {
  const hourMs = Math.floor(nowMs / HOUR_MS) * HOUR_MS;
  const nightMs = Math.floor((nowMs - NIGHTLY_AT_MS) / DAY_MS) * DAY_MS + NIGHTLY_AT_MS;
  const toMs = nowMs - RECENT_MS;
  return [
    { cause: 'hourly', dueSinceMs: hourMs, fromMs: nowMs - HOURLY_WINDOW_MS, toMs },
    { cause: 'nightly', dueSinceMs: nightMs, fromMs: nowMs - NIGHTLY_WINDOW_MS, toMs },
  ];
}

/** What is known when the next run of a kind begins, of one account. */
export interface Before {
  /** Where the last complete one ended; null if there was none. */
  readonly toMs: number | null;
  /** The earliest movement that it left; null if there is none. */
  readonly leftFromMs: number | null;
  /** The earliest movement that was recorded since, although it occurred long before; null if there is none. */
  readonly lateFromMs: number | null;
}

/**
 * How late an acquirer may list a movement by its time, for the next hourly run to find it. Longer than a movement takes that
 * is recorded here promptly (`PROMPT_MS`).
 */
export const LISTED_LATE_MS = 2 * HOUR_MS;

/**
 * Where a run begins. The nightly one compares its whole window. The hourly one does not compare again what agreed: a movement
 * does not change at an acquirer, since what happens to its payment later is a movement of its own, at its own time. So it
 * begins where the last one ended, less the time by which a movement may be listed late, or with what that one left: what
 * differs stays within its window as long as nobody accepts it, and so does what had no answer. A movement that is listed even
 * later, or whose record here came apart from the acquirer's after they agreed, waits for the night.
 */
export function beginningOf({ cause, fromMs }: PlannedRun, before: Before): number {
  const { lateFromMs, leftFromMs, toMs } = before;
  if (toMs === null) return fromMs;
  if (cause === 'nightly') return Math.min(fromMs, toMs);
  const newFromMs = toMs - LISTED_LATE_MS;
  const leftMs = Math.min(leftFromMs ?? newFromMs, lateFromMs ?? newFromMs);
  return Math.min(newFromMs, Math.max(fromMs, leftMs));
}

/** Since when the holds were made that a run asks for: what is let go moves nothing, so an hourly run asks for all of its window. */
export function holdsFromMs(run: Pick<ReconciliationRunRow, 'cause' | 'fromMs' | 'toMs'>): number {
  const { cause, fromMs, toMs } = run;
  if (cause === 'asked') return fromMs;
  return cause === 'hourly' ? Math.min(fromMs, toMs - HOURLY_WINDOW_MS) : 0;
}

/** How far a run read the history or the holds: the key of the last row; nothing at the start. */
export function readTo(run: Pick<ReconciliationRunRow, 'cursor'>): readonly (string | number)[] {
  return run.cursor === null ? [] : (JSON.parse(run.cursor) as (string | number)[]);
}

/** Where comparing by a property's moved clock begins: where it ended last, or as far back as a nightly run. */
export function beginningByClock(endedLastMs: number | null, nowMs: number): number {
  return Math.min(endedLastMs ?? Number.POSITIVE_INFINITY, nowMs - NIGHTLY_WINDOW_MS);
}

/** When a property's moved clock is compared next: at the full hour by which nothing of now is too new. */
export function comparesByClockAtMs(nowMs: number): number {
  return Math.ceil((nowMs + RECENT_MS) / HOUR_MS) * HOUR_MS;
}

export function spanIssues({ fromMs, toMs }: { fromMs: number; toMs: number }): FieldIssue[] {
  const code = 'invalid_value';
  if (toMs <= fromMs) return [{ field: 'to', code, message: 'Use a time after `from`.' }];
  if (toMs - fromMs <= MOST_ASKED_MS) return [];
  const message = 'Use times that are at most 31 days apart.';
  return [
    { field: 'from', code, message },
    { field: 'to', code, message },
  ];
}

/** The movements that are looked for at the acquirer: those of the last minutes may still be on their way there. */
export function recentSinceMs(nowMs: number): number {
  return nowMs - RECENT_MS;
}

/** The failure of a run that is not finished yet. */
export const STILL_COMPARING: Failure = {
  code: 'busy',
  detail: 'The comparison goes on. Ask again with the same arguments to get its result.',
  retryAfterSeconds: 10,
};
