import type { Config } from '../config.ts';
import { MINUTE_MS, utcDate } from '../core/time.ts';
import { Database } from '../db/database.ts';
import type { Env } from '../env.ts';
import { Crossings } from '../io/crossings.ts';
import { startRuns } from './actions.ts';
import { removeExpired } from './remove.ts';
import { selectMissingRuns, selectOverdueRuns } from './store.ts';
import { pokeExporter } from './stub.ts';

/** The time of day, in UTC, from which the day's files are made: what the daily Cron Trigger says as well. */
const DAILY_AT_MS = 10 * MINUTE_MS;

/** How many runs one sweep begins, and goes on with; the next sweep goes on. */
const MOST_PER_SWEEP = 100;

/**
 * Begins the day's runs that were not begun yet, and goes on with those that nobody works on. Run by both Cron
 * Triggers: the daily one is there for its time, the frequent one for a day on which that did not fire. A run of a day
 * is begun once, however often this is called. A portfolio without a property at that time of day has missed nothing.
 * When a day's runs begin, the files that were kept long enough are removed.
 */
export async function sweepExports(env: Env, config: Config, nowMs: number): Promise<number> {
  const crossings = new Crossings();
  const database = new Database(env.DB, crossings);
  const date = utcDate(nowMs);
  const dailyAtMs = Date.parse(date) + DAILY_AT_MS;
  const [overdue, missing] = await database.batch('d1.sweep.read', [
    selectOverdueRuns(database.queries, nowMs - MINUTE_MS, MOST_PER_SWEEP),
    selectMissingRuns(database.queries, date, dailyAtMs, MOST_PER_SWEEP),
  ]);
  const wanted = missing.map((run) => ({ ...run, cause: 'daily' as const }));
  const begun = nowMs < dailyAtMs ? [] : await startRuns(database, wanted, nowMs);
  const ids = [...overdue.map(({ id }) => id), ...begun];
  await Promise.all(ids.map((id) => pokeExporter(env, crossings, id)));
  if (begun.length > 0) {
    await removeExpired({ database, crossings, bucket: env.EXPORTS }, config.exportKeepDays, nowMs);
  }
  return ids.length;
}
