import { MINUTE_MS } from '../../core/time.ts';
import { Database } from '../../platform/db/database.ts';
import type { Env } from '../../platform/env.ts';
import { Trace } from '../../platform/trace.ts';
import { selectOverduePms } from './store.ts';
import { notifyDispatcher } from './stub.ts';

/** How many dispatchers one sweep notifies; the next sweep continues. */
const MOST_PER_SWEEP = 200;

/**
 * Finds messages that are overdue by more than a minute, and notifies the dispatchers of their PMSs. The frequent Cron
 * Trigger runs it, because alarms and notifications can get lost.
 */
export async function sweepOutbox(env: Env, nowMs: number): Promise<number> {
  const trace = new Trace();
  const database = new Database(env.DB, trace);
  const [overdue] = await database.batch('d1.sweep.read', [
    selectOverduePms(database.queries, nowMs - MINUTE_MS, MOST_PER_SWEEP),
  ]);
  const urls = overdue.flatMap(({ pmsUrl }) => pmsUrl ?? []);
  await Promise.all(urls.map((url) => notifyDispatcher(env, trace, url, 'overdue')));
  return urls.length;
}
