import { earlierOf } from '../core/time.ts';
import type { Database, Statement } from '../platform/db/database.ts';
import { logWarning } from '../platform/log.ts';
import {
  closeExceptions,
  insertException,
  openException,
  selectAccepted,
} from '../records/exceptions/exceptions.ts';
import type { ExceptionRow, ReconciliationRunRow } from '../schema/reconciliationTables.ts';
import type { Difference } from './rules/differences.ts';
import { saveRun } from './runStore.ts';
import { LEASE_MS, type LeasedRun, type PageCounts, type ReconciliationWork } from './work.ts';

/**
 * The statements that save what the pages before this one came to, and extend the lease. Each page begins with them, so
 * that a page on which everything agrees takes one round trip. A page whose progress is lost is compared again, which
 * changes nothing.
 */
export function progressOf({ gateway, now }: ReconciliationWork, { agreed, run }: LeasedRun) {
  const nowMs = now();
  const leasedUntilMs = Math.max(nowMs + LEASE_MS, run.leasedUntilMs + 1);
  return {
    saved: saveRun(run, leasedUntilMs),
    closed: closeExceptions(gateway.name, agreed, nowMs) satisfies Statement,
    /** The run as the next page saves it. */
    run: { ...run, leasedUntilMs },
  };
}

/** A run after a page: it goes on after `cursor`, or with its next phase where that is null. */
export function runAfter(
  run: ReconciliationRunRow,
  cursor: string | null,
  { compared, corrected, exceptions, leftFromMs }: PageCounts,
): ReconciliationRunRow {
  return {
    ...run,
    cursor,
    phase: cursor === null ? PHASE_AFTER[run.phase] : run.phase,
    compared: run.compared + compared,
    corrected: run.corrected + corrected,
    exceptions: run.exceptions + exceptions,
    leftFromMs: earlierOf(run.leftFromMs, leftFromMs),
  };
}

const PHASE_AFTER = { theirs: 'ours', ours: 'holds', holds: 'done', done: 'done' } as const;

/** Saves the run and gives the lease back, or keeps others away from it until a time. False if the lease was lost. */
export async function release(
  { database, gateway, now }: ReconciliationWork,
  { agreed, run }: LeasedRun,
  untilMs = 0,
): Promise<boolean> {
  const [saved] = await database.batch('d1.reconciliation.save', [
    saveRun(run, untilMs),
    closeExceptions(gateway.name, agreed, now()),
  ]);
  return saved.length > 0;
}

/** A movement that differs, or of which the acquirer did not say. */
export interface Left {
  /** What its exception says; null where it has none. */
  readonly difference: Pick<Difference, 'kind' | 'subject'> | null;
  readonly atMs: number;
}

/**
 * Notes where the next hourly run begins, so that it compares what is left again, unless somebody accepted it as it is: who
 * accepted one difference of a payment did not know of another kind.
 */
export async function noteLeft(
  { counts, database, gateway }: ReconciliationWork,
  { cause }: ReconciliationRunRow,
  left: readonly Left[],
): Promise<void> {
  if (cause !== 'hourly' || left.length === 0) return;
  const differences = left.flatMap(({ difference }) => difference ?? []);
  const [accepted] = await database.batch('d1.reconciliation.read', [
    selectAccepted(
      gateway.name,
      differences.map(({ subject }) => subject),
    ),
  ]);
  const isAccepted = (found: Left['difference']) =>
    accepted.some(({ kind, subject }) => kind === found?.kind && subject === found.subject);
  for (const { atMs, difference } of left) {
    if (!isAccepted(difference)) counts.leftFromMs = earlierOf(counts.leftFromMs, atMs);
  }
}

/** Records differences as exceptions, each once, and counts and logs the new ones. */
export async function recordExceptions(
  { counts, database, gateway, now, requestId }: ReconciliationWork,
  differences: readonly Difference[],
): Promise<void> {
  const rows = differences.map((one) => openException({ ...one, gateway: gateway.name }, now()));
  const opened = await insertAll(database, rows);
  counts.exceptions += opened.length;
  for (const { bookingReference, id, kind, propertyId, subject } of opened) {
    logWarning('reconciliation_exception', {
      requestId,
      property: propertyId ?? undefined,
      booking: bookingReference ?? undefined,
      exception: id,
      kind,
      subject,
    });
  }
}

/** Inserts exceptions, each where its property lives, and returns those that are new. */
async function insertAll(
  database: Database,
  rows: readonly ExceptionRow[],
): Promise<ExceptionRow[]> {
  const homes = database.isMany
    ? Map.groupBy(rows, ({ propertyId }) => propertyId)
    : new Map([[null, rows]]);
  const opened: ExceptionRow[] = [];
  for (const [propertyId, own] of homes) {
    const [first, ...rest] = own.map((row) => insertException(row));
    if (!first) continue;
    const home = propertyId === null ? database : database.of(propertyId);
    const inserted = await home.batch('d1.reconciliation.save', [first, ...rest]);
    opened.push(...own.filter((_, at) => (inserted[at]?.length ?? 0) > 0));
  }
  return opened;
}
