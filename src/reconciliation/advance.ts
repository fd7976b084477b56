import { MINUTE_MS } from '../core/time.ts';
import { logInfo, logWarning } from '../platform/log.ts';
import type { ReconciliationRunRow } from '../schema/reconciliationTables.ts';
import { refreshHolds } from './holds.ts';
import { confirmOurs } from './ours.ts';
import { release } from './progress.ts';
import { leaseRun } from './runStore.ts';
import { compareMovements } from './theirs.ts';
import { type Held, LEASE_MS, type Paged, type ReconciliationWork } from './work.ts';

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
 * Goes on with a run, page by page, until it is done or the budget is spent. Whoever comes later goes on after the last
 * page that was saved. Returns the run as it was left; null while somebody else works on it.
 */
export async function advance(
  work: ReconciliationWork,
  id: string,
  budget: Budget,
): Promise<ReconciliationRunRow | null> {
  const { database, now } = work;
  const nowMs = now();
  const [[leased]] = await database.batch('d1.reconciliation.save', [
    leaseRun(database.queries, id, nowMs, nowMs + LEASE_MS),
  ]);
  if (!leased) return null;
  let held: Held = { run: leased, agreed: [] };
  while (held.run.phase !== 'done' && !budget.isSpent) {
    const paged = await nextPage(work, held);
    if (paged.kind === 'lost') return null;
    if (paged.kind === 'failed') return pause(work, held, paged.reason);
    budget.spend(1 + paged.calls);
    held = paged.held;
  }
  return finish(work, held);
}

function nextPage(work: ReconciliationWork, held: Held): Promise<Paged> {
  switch (held.run.phase) {
    case 'theirs':
      return compareMovements(work, held);
    case 'ours':
      return confirmOurs(work, held);
    default:
      return refreshHolds(work, held);
  }
}

/** Leaves a run whose acquirer did not answer; it goes on after a pause. */
async function pause(
  work: ReconciliationWork,
  held: Held,
  reason: string,
): Promise<ReconciliationRunRow | null> {
  const { requestId } = work;
  const { account, id } = held.run;
  logWarning('reconciliation_paused', { requestId, run: id, account: account ?? '', why: reason });
  const run = { ...held.run, lastError: reason };
  return (await release(work, { ...held, run }, work.now() + PAUSE_MS)) ? run : null;
}

/** Saves the run, and completes it if it is done. A run that was asked for stays until somebody gets its result. */
async function finish(work: ReconciliationWork, held: Held): Promise<ReconciliationRunRow | null> {
  const isOver = held.run.phase === 'done' && held.run.cause !== 'asked';
  const completedAtMs = isOver ? work.now() : null;
  const run = { ...held.run, lastError: null, completedAtMs };
  if (!(await release(work, { ...held, run }))) return null;
  if (run.phase === 'done') logFinished(work, run);
  return run;
}

function logFinished({ now, requestId }: ReconciliationWork, run: ReconciliationRunRow): void {
  const { account, cause, compared, corrected, exceptions, id, propertyId, startedAtMs } = run;
  logInfo('reconciliation_finished', {
    requestId,
    property: propertyId ?? undefined,
    run: id,
    cause,
    account: account ?? '',
    compared,
    corrected,
    exceptions,
    ms: now() - startedAtMs,
  });
}
