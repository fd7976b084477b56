import { DAY_MS, MINUTE_MS, utcDate } from '../core/time.ts';
import type { Config } from '../platform/config.ts';
import { type Database, openDatabase } from '../platform/db/database.ts';
import type { Env } from '../platform/env.ts';
import { Trace } from '../platform/trace.ts';
import type { ExportRunRow } from '../schema/exportTables.ts';
import { newRun, startRuns } from './actions.ts';
import { deleteOldCopies } from './copies.ts';
import type { FileWork } from './rewrite.ts';
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
  // The oldest day whose files are kept.
  const oldest = utcDate(nowMs - config.exportKeepDays * DAY_MS);
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
  const work = { database, trace, bucket: env.EXPORTS };
  const rewritten = await rewriteStale(work, nowMs);
  const ids = [...overdue.map(({ id }) => id), ...started, ...rewritten];
  await Promise.all(ids.map((id) => notifyExporter(env, trace, id)));
  if (started.length > 0) {
    await deleteOldCopies(database, nowMs);
    await removeExpired(work, oldest);
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

/** How many files one sweep begins to write anew, and how many old ones it deletes. */
const MOST_REWRITTEN = 20;

/**
 * Begins to write files anew that may hold guests who were erased, and returns the runs. What earlier runs replaced is
 * deleted: readers had a minute to end with it.
 */
async function rewriteStale(work: FileWork, nowMs: number): Promise<string[]> {
  const { database } = work;
  const [stale, replaced] = await database.batch('d1.export.find', [
    selectStale(MOST_REWRITTEN),
    selectRewritten(MOST_REWRITTEN),
  ]);
  await deleteFiles(work, replaced);
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

/**
 * Deletes the files of every portfolio of days before `oldest`. It first unpublishes them, then deletes them
 * from R2, then deletes their runs, so that no link leads to a missing file. The next day retries after a failure.
 */
async function removeExpired(work: FileWork, oldest: string): Promise<void> {
  for (let round = 0; round < MOST_ROUNDS; round += 1) {
    const [expired] = await work.database.batch('d1.export.expired', [
      selectExpired(oldest, MOST_FILES),
      unpublishExpired(oldest),
    ]);
    await deleteFiles(work, expired);
    if (expired.length < MOST_FILES) return;
  }
}

/** Deletes files, then their runs. */
async function deleteFiles(
  { bucket, database, trace }: FileWork,
  runs: readonly Pick<ExportRunRow, 'id' | 'objectKey'>[],
): Promise<void> {
  if (runs.length === 0) return;
  await trace.span('r2.delete', () => bucket.delete(runs.map((one) => one.objectKey)));
  await database.batch('d1.export.expired', [deleteRuns(runs.map((one) => one.id))]);
}
