import { pick } from '../core/pick.ts';
import { MINUTE_MS } from '../core/time.ts';
import { logInfo, logWarning } from '../platform/log.ts';
import type { ReconciliationRunRow } from '../schema/reconciliationTables.ts';
import { confirmOurs } from './ours.ts';
import { release } from './progress.ts';
import { leaseRun } from './runStore.ts';
import { compareMovements } from './theirs.ts';
import { refreshHolds } from './unlisted.ts';
import {
  LEASE_MS,
  type LeasedRun,
  newCounts,
  type Paged,
  type ReconciliationWork,
} from './work.ts';

/** How long a run waits after its acquirer did not answer. Other runs go on meanwhile. */
const PAUSE_MS = 2 * MINUTE_MS;

/** How much one caller may still do: calls of bookings and acquirers, until a time. */
export class Budget {
  #calls: number;
  readonly #untilMs: number;
  readonly #now: () => number;

  constructor(calls: number, untilMs: number, now: () => number) {
    this.#calls = calls;
    this.#untilMs = untilMs;
    this.#now = now;
  }

  get isSpent(): boolean {
    return this.#calls <= 0 || this.#now() >= this.#untilMs;
  }

  spend(calls: number): void {
    this.#calls -= calls;
  }
}

/**
 * Goes on with a run, page by page, until it is done or the budget is spent. The next caller goes on after the last page
 * that was saved. Returns the run as it was left; null while somebody else works on it.
 */
export async function advance(
  work: ReconciliationWork,
  id: string,
  budget: Budget,
): Promise<ReconciliationRunRow | null> {
  const { database, now } = work;
  const nowMs = now();
  const [[taken]] = await database.batch('d1.reconciliation.save', [
    leaseRun(id, nowMs, nowMs + LEASE_MS),
  ]);
  if (!taken) return null;
  let leased: LeasedRun = { run: taken, agreed: [] };
  while (leased.run.phase !== 'done' && !budget.isSpent) {
    const counts = newCounts();
    const paged = await nextPage({ ...work, counts }, leased);
    if (paged.kind === 'lost') return null;
    if (paged.kind === 'failed') return pause(work, leased, paged.reason);
    budget.spend(1 + counts.calls);
    leased = paged.leased;
  }
  return finish(work, leased);
}

function nextPage(work: ReconciliationWork, leased: LeasedRun): Promise<Paged> {
  switch (leased.run.phase) {
    case 'theirs':
      return compareMovements(work, leased);
    case 'ours':
      return confirmOurs(work, leased);
    default:
      return refreshHolds(work, leased);
  }
}

/** Leaves a run whose acquirer did not answer; it goes on after a pause. */
async function pause(
  work: ReconciliationWork,
  leased: LeasedRun,
  reason: string,
): Promise<ReconciliationRunRow | null> {
  const { requestId } = work;
  const { account, id } = leased.run;
  logWarning('reconciliation_paused', { requestId, run: id, account: account ?? '', why: reason });
  const run = { ...leased.run, lastError: reason };
  return (await release(work, { ...leased, run }, work.now() + PAUSE_MS)) ? run : null;
}

/** Saves the run, and completes it if it is done. A run that was asked for stays until somebody gets its result. */
async function finish(
  work: ReconciliationWork,
  leased: LeasedRun,
): Promise<ReconciliationRunRow | null> {
  const isOver = leased.run.phase === 'done' && leased.run.cause !== 'asked';
  const completedAtMs = isOver ? work.now() : null;
  const run = { ...leased.run, lastError: null, completedAtMs };
  if (!(await release(work, { ...leased, run }))) return null;
  if (run.phase === 'done') logFinished(work, run);
  return run;
}

function logFinished({ now, requestId }: ReconciliationWork, run: ReconciliationRunRow): void {
  const { account, cause, id, propertyId, startedAtMs } = run;
  logInfo('reconciliation_finished', {
    requestId,
    property: propertyId ?? undefined,
    run: id,
    cause,
    account: account ?? '',
    ...pick(run, 'compared', 'corrected', 'exceptions'),
    ms: now() - startedAtMs,
  });
}
