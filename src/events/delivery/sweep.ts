import { SECOND_MS } from '../../core/time.ts';
import { Database } from '../../platform/db/database.ts';
import type { Env } from '../../platform/env.ts';
import { Trace } from '../../platform/trace.ts';
import { selectOverdueEndpoints } from './store.ts';
import { notifyEventDispatcher } from './stub.ts';

/** How many dispatchers one sweep notifies; the next sweep continues. */
const MOST_PER_SWEEP = 200;

/** What is overdue by this long was not notified of: a sweep caused it, or the notification was lost. */
const OVERDUE_MS = 10 * SECOND_MS;

/**
 * Finds deliveries that are overdue, and notifies the dispatchers of their endpoints. The frequent Cron Trigger runs it,
 * because alarms and notifications can get lost.
 */
export async function sweepEvents(env: Env, nowMs: number): Promise<number> {
  const trace = new Trace();
  const database = new Database(env.DB, trace);
  const [overdue] = await database.batch('d1.sweep.read', [
    selectOverdueEndpoints(database.queries, nowMs - OVERDUE_MS, MOST_PER_SWEEP),
  ]);
  await Promise.all(
    overdue.map(({ endpointId }) => notifyEventDispatcher(env, trace, endpointId, 'overdue')),
  );
  return overdue.length;
}
