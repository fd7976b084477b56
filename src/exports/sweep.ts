import { DAY_MS, MINUTE_MS, utcDate } from '../core/time.ts';
import type { Config } from '../platform/config.ts';
import { type Database, openDatabase } from '../platform/db/database.ts';
import type { Env } from '../platform/env.ts';
import { Trace } from '../platform/trace.ts';
import { newRun, startRuns } from './actions.ts';
import { deleteOldCopies } from './copies.ts';
import {
  deleteRuns,
  insertRewriting,
  type Portfolios,
  selectExpired,
  selectMissingRuns,
  selectOverdueRuns,
  selectPortfolios,
  selectRewritten,
  selectStale,
  unpublishExpired,
} from './store.ts';
import { notifyExporter } from './stub.ts';

/** The time of day, in UTC, from which the day's runs start; the daily Cron Trigger has the same. */
const DAILY_AT_MS = 10 * MINUTE_MS;

/** How many runs one sweep starts, and how many it continues; the next sweep handles the rest. */
const MOST_PER_SWEEP = 100;

/**
 * Starts the day's missing runs, and continues runs without progress. Both Cron Triggers call it: the daily one on
 * time, the frequent one in case the daily one did not fire. Repeated calls start each run of a day once. A portfolio
 * whose first property came after that time of day has no run on that day. When runs start, expired files are deleted.
 */
export async function sweepExports(env: Env, config: Config, nowMs: number): Promise<number> {
  const trace = new Trace();
  const database = openDatabase(env, trace);
  const date = utcDate(nowMs);
  const dailyAtMs = Date.parse(date) + DAILY_AT_MS;
  const oldest = oldestDay(config, nowMs);
  const [overdue, missing] = await database.batch('d1.sweep.read', [
    selectOverdueRuns(nowMs - MINUTE_MS, MOST_PER_SWEEP),
    selectMissingRuns(
      { date, sinceMs: dailyAtMs, oldest },
      MOST_PER_SWEEP,
      await readPortfolios(database),
    ),
  ]);
  const wanted = missing.map((run) => ({ ...run, cause: 'daily' as const }));
  const started = nowMs < dailyAtMs ? [] : await startRuns(database, wanted, nowMs);
  const rewritten = await rewriteStale({ database, trace, bucket: env.EXPORTS }, nowMs);
  const ids = [...overdue.map(({ id }) => id), ...started, ...rewritten];
  await Promise.all(ids.map((id) => notifyExporter(env, trace, id)));
  if (started.length > 0) {
    await deleteOldCopies(database, nowMs);
    await removeExpired({ database, trace, bucket: env.EXPORTS }, oldest);
  }
  return ids.length;
}

/**
 * The portfolios of the databases that answer; null where there is one database, which knows them by itself. A portfolio
 * that is older in one that is away does not begin its books: their first day is not known.
 */
async function readPortfolios(database: Database): Promise<Portfolios | null> {
  if (!database.isMany) return null;
  const found = await database.everyAnswering('d1.sweep.read', [selectPortfolios()]);
  const groups = Map.groupBy(found.flat(2), ({ portfolio }) => portfolio);
  const all = [...groups].map(([portfolio, own]) => ({
    portfolio,
    sinceMs: Math.min(...own.map(({ sinceMs }) => sinceMs)),
  }));
  return { all, isWhole: found.length === database.each.length };
}

/** The oldest day whose files are kept. */
function oldestDay({ exportKeepDays }: Config, nowMs: number): string {
  return utcDate(nowMs - exportKeepDays * DAY_MS);
}

/** How many files one sweep begins to write anew, and how many old ones it deletes. */
const MOST_REWRITTEN = 20;

/**
 * Begins to write files anew that may hold guests who were erased, and returns the runs. What earlier runs replaced is
 * deleted: readers had a minute to end with it.
 */
async function rewriteStale(work: RemovalWork, nowMs: number): Promise<string[]> {
  const { bucket, database, trace } = work;
  const [stale, replaced] = await database.batch('d1.export.find', [
    selectStale(MOST_REWRITTEN),
    selectRewritten(MOST_REWRITTEN),
  ]);
  if (replaced.length > 0) {
    await trace.span('r2.delete', () => bucket.delete(replaced.map((one) => one.objectKey)));
    await database.batch('d1.export.expired', [deleteRuns(replaced.map((one) => one.id))]);
  }
  const [first, ...rest] = stale.map((source) =>
    insertRewriting(newRun({ ...source, cause: 'erasure' }, nowMs), source),
  );
  if (!first) return [];
  const begun = await database.batch('d1.export.start', [first, ...rest]);
  return begun.flatMap((rows) => rows.map(({ id }) => id));
}

/** How many files R2 deletes at once. */
const MOST_FILES = 1_000;

/** How many rounds one day makes; the next day continues. */
const MOST_ROUNDS = 10;

interface RemovalWork {
  readonly database: Database;
  readonly trace: Trace;
  readonly bucket: R2Bucket;
}

/**
 * Deletes the files of every portfolio of days before `oldest`. It first unpublishes them, then deletes them
 * from R2, then deletes their runs, so that no link leads to a missing file. The next day retries after a failure.
 */
async function removeExpired(work: RemovalWork, oldest: string): Promise<void> {
  for (let round = 0; round < MOST_ROUNDS; round += 1) {
    if ((await removeSome(work, oldest)) < MOST_FILES) return;
  }
}

/** Deletes files of days before `oldest`; returns how many. */
async function removeSome(
  { database, trace, bucket }: RemovalWork,
  oldest: string,
): Promise<number> {
  const [expired] = await database.batch('d1.export.expired', [
    selectExpired(oldest, MOST_FILES),
    unpublishExpired(oldest),
  ]);
  if (expired.length === 0) return 0;
  await trace.span('r2.delete', () => bucket.delete(expired.map((one) => one.objectKey)));
  const ids = expired.map((one) => one.id);
  await database.batch('d1.export.expired', [deleteRuns(ids)]);
  return expired.length;
}
