import { MINUTE_MS } from '../core/time.ts';
import { Database } from '../db/database.ts';
import type { Env } from '../env.ts';
import { Crossings } from '../io/crossings.ts';
import { selectOverduePms } from './store.ts';
import { pokeDispatcher } from './stub.ts';

/** How many dispatchers one sweep pokes; the next sweep goes on. */
const MOST_PER_SWEEP = 200;

/**
 * Finds messages that should have gone out over a minute ago, and pokes the dispatchers of their PMSs. Run by the
 * frequent Cron Trigger, for alarms and pokes that were lost.
 */
export async function sweepOutbox(env: Env, nowMs: number): Promise<number> {
  const crossings = new Crossings();
  const database = new Database(env.DB, crossings);
  const [overdue] = await database.batch('d1.sweep.read', [
    selectOverduePms(database.queries, nowMs - MINUTE_MS, MOST_PER_SWEEP),
  ]);
  const urls = overdue.flatMap(({ pmsUrl }) => pmsUrl ?? []);
  await Promise.all(urls.map((url) => pokeDispatcher(env, crossings, url, 'overdue')));
  return urls.length;
}
