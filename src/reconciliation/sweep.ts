import { DAY_MS, SECOND_MS } from '../core/time.ts';
import type { Config } from '../platform/config.ts';
import { type Database, selectAbsent } from '../platform/db/database.ts';
import type { Env } from '../platform/env.ts';
import { logError } from '../platform/log.ts';
import { Trace } from '../platform/trace.ts';
import { accountsOf } from './actions.ts';
import { advance, Budget } from './advance.ts';
import {
  type Before,
  beginningByClock,
  beginningOf,
  type PlannedRun,
  plannedRuns,
} from './rules/runs.ts';
import {
  deleteRunsBefore,
  insertPlannedRun,
  insertRun,
  selectAccountsDue,
  selectLastByClock,
  selectOpenRuns,
} from './runStore.ts';
import { selectRecordedLate } from './store.ts';
import { newRun, type ReconciliationWork, reconciliationWork } from './work.ts';

/** What one sweep does at most; the next sweep goes on. Each page takes up to four statements, of the thousand of D1's limits. */
const CALLS_PER_SWEEP = 200;
const SWEEP_MS = 40 * SECOND_MS;
const RUNS_PER_SWEEP = 20;

/** How many accounts get their runs in one sweep. */
const ACCOUNTS_PER_SWEEP = 20;

const KEPT_MS = 7 * DAY_MS;

/**
 * Compares what the acquirer recorded with the history (parts: Reconciliation): starts the runs that are due and
 * goes on with open ones. The frequent Cron Trigger runs it. Returns how many runs it worked on.
 */
export async function sweepReconciliation(
  env: Env,
  config: Config,
  nowMs: number,
  of?: string,
): Promise<number> {
  const work = reconciliationWork(env, config, new Trace(), crypto.randomUUID());
  const budget = new Budget(CALLS_PER_SWEEP, work.now() + SWEEP_MS, work.now);
  let worked = 0;
  for (const { database, name: home } of work.database.limitedTo(of).each) {
    try {
      if (await isMoving(database)) continue;
      worked += await goOn({ ...work, database, home }, nowMs, budget);
    } catch (error) {
      if (!database.isMany) throw error;
      logError('database_failed', error, { database: home });
    }
  }
  return worked;
}

/** Whether a database has rows of a property that does not live there: it is compared when that has come, or gone. */
async function isMoving(database: Database): Promise<boolean> {
  if (!database.isMany) return false;
  const [moving] = await database.batch('d1.reconciliation.read', [selectAbsent().limit(1)]);
  return moving.length > 0;
}

/** Starts the runs of a database that are due and goes on with its open ones. Returns on how many it worked. */
async function goOn(work: ReconciliationWork, nowMs: number, budget: Budget): Promise<number> {
  let worked = 0;
  for (const { id } of await openRuns(work, nowMs)) {
    if (budget.isSpent) break;
    try {
      if (await advance(work, id, budget)) worked += 1;
    } catch (error) {
      // Its lease ends by itself, and a later sweep goes on with it.
      logError('reconciliation_failed', error, { requestId: work.requestId, run: id });
    }
  }
  return worked;
}

/** The runs to go on with, those that are due by the clock among them. One round trip, four when a run is due. */
async function openRuns(work: ReconciliationWork, nowMs: number) {
  const { accounts, database, gateway } = work;
  const runs = plannedRuns(nowMs);
  const [hourly, nightly] = runs;
  const [due, open] = await database.batch('d1.reconciliation.read', [
    selectAccountsDue(gateway.name, accounts, runs, ACCOUNTS_PER_SWEEP),
    selectOpenRuns(gateway.name, nowMs, RUNS_PER_SWEEP),
  ]);
  const lateFrom = await readRecordedLate(work, due);
  const [first, ...rest] = due.flatMap((one, at) => {
    const { account, hourlyLeftFromMs: leftFromMs, hourlyToMs, nightlyToMs } = one;
    const hour = { toMs: hourlyToMs, leftFromMs, lateFromMs: lateFrom[at] ?? null };
    const night = { toMs: nightlyToMs, leftFromMs: null, lateFromMs: null };
    return [
      ...(one.hourly ? [planned(work, hourly, account, hour, nowMs)] : []),
      ...(one.nightly ? [planned(work, nightly, account, night, nowMs)] : []),
    ];
  });
  if (!first) return open;
  await database.batch('d1.reconciliation.save', [
    first,
    ...rest,
    deleteRunsBefore(nowMs - KEPT_MS),
  ]);
  const [all] = await database.batch('d1.reconciliation.read', [
    selectOpenRuns(gateway.name, nowMs, RUNS_PER_SWEEP),
  ]);
  return all;
}

/**
 * Since when each account has movements that were recorded long after they occurred, since its last hourly run ended. One
 * round trip where a run is due, none otherwise.
 */
async function readRecordedLate(
  work: ReconciliationWork,
  due: readonly { readonly account: string | null; readonly hourlyToMs: number | null }[],
): Promise<(number | null)[]> {
  const [first, ...rest] = due.map(({ account, hourlyToMs }) =>
    selectRecordedLate(work, account, hourlyToMs ?? Number.MAX_SAFE_INTEGER),
  );
  if (!first) return [];
  const found = await work.database.batch('d1.reconciliation.read', [first, ...rest]);
  return found.map(([row]) => row?.fromMs ?? null);
}

function planned(
  work: ReconciliationWork,
  due: PlannedRun,
  account: string | null,
  before: Before,
  nowMs: number,
) {
  const { cause, toMs } = due;
  const run = newRun(work, { account, cause, fromMs: beginningOf(due, before), toMs }, nowMs);
  return insertPlannedRun(run, due);
}

/** What comparing may do while a clock is being advanced. What is left, the sweep does. */
const CALLS_BY_CLOCK = 400;
const BY_CLOCK_MS = 20 * SECOND_MS;

/**
 * Compares a property's movements up to an instant of its moved clock (parts: Clocks): no run by real time looks that far
 * ahead. Returns how many corrections it made and how many differences it found.
 */
export async function compareByClock(
  env: Env,
  config: Config,
  propertyId: string,
  atMs: number,
): Promise<number> {
  const opened = reconciliationWork(env, config, new Trace(), crypto.randomUUID());
  const work = { ...opened, database: opened.database.of(propertyId) };
  const { database, gateway } = work;
  const accounts = await accountsOf(work, propertyId);
  if (!accounts.ok) return 0;
  const [[last]] = await database.batch('d1.reconciliation.read', [
    selectLastByClock(gateway.name, propertyId),
  ]);
  const fromMs = beginningByClock(last?.toMs ?? null, atMs);
  const budget = new Budget(CALLS_BY_CLOCK, work.now() + BY_CLOCK_MS, work.now);
  let found = 0;
  for (const account of accounts.value) {
    const begun = newRun(work, { account, propertyId, cause: 'clock', fromMs, toMs: atMs });
    await database.batch('d1.reconciliation.save', [insertRun(begun)]);
    const run = await advance(work, begun.id, budget);
    found += (run?.corrected ?? 0) + (run?.exceptions ?? 0);
  }
  return found;
}
