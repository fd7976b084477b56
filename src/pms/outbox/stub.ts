import { MINUTE_MS } from '../../core/time.ts';
import { Dispatchers } from '../../delivery/stub.ts';
import { Database } from '../../platform/db/database.ts';
import type { Env } from '../../platform/env.ts';
import { Trace } from '../../platform/trace.ts';
import type { Changed } from './actions.ts';
import { selectOverduePms } from './store.ts';

/** The dispatchers of PMSs, by their addresses. */
export const pmsDispatchers = new Dispatchers(
  (env) => env.PMS_DISPATCHER,
  (pmsUrl) => ({ host: new URL(pmsUrl).host }),
);

/**
 * Notifies the dispatcher after an administrator replayed or dismissed messages. The administrator expects the PMS to
 * be up, so the dispatcher tries it immediately.
 */
export async function notifyAfterChange(
  env: Env,
  trace: Trace,
  { count, pmsUrl }: Changed,
): Promise<void> {
  if (pmsUrl !== null && count > 0) await pmsDispatchers.notify(env, trace, pmsUrl, 'up');
}

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
  await Promise.all(urls.map((url) => pmsDispatchers.notify(env, trace, url, 'overdue')));
  return urls.length;
}
