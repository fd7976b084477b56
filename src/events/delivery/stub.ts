import { SECOND_MS } from '../../core/time.ts';
import { Dispatchers } from '../../delivery/stub.ts';
import { openDatabase } from '../../platform/db/database.ts';
import type { Env } from '../../platform/env.ts';
import { logError } from '../../platform/log.ts';
import { Trace } from '../../platform/trace.ts';
import { selectActiveEndpoints, selectOverdueEndpoints } from './store.ts';

export const eventDispatchers = new Dispatchers(
  (env) => env.EVENT_DISPATCHER,
  (endpoint) => ({ endpoint }),
);

/** Notifies the dispatchers of all of a property's endpoints, for who does not know them. One round trip. */
export async function notifyEndpointsOf(env: Env, propertyId: string): Promise<void> {
  try {
    const database = openDatabase(env, new Trace()).of(propertyId);
    const [[property]] = await database.batch('d1.endpoint.read', [
      selectActiveEndpoints(propertyId),
    ]);
    const endpoints = property?.webhookEndpoints ?? [];
    await Promise.all(endpoints.map((id) => eventDispatchers.notifyOfNew(env, id)));
  } catch (error) {
    logError('notify_failed', error, { property: propertyId });
  }
}

/** What is overdue by this long was not notified of: a sweep caused it, or the notification was lost. */
const OVERDUE_MS = 10 * SECOND_MS;

/** Finds deliveries that are overdue, and notifies the dispatchers of their endpoints. The frequent Cron Trigger runs it. */
export function sweepEvents(env: Env, nowMs: number, of?: string): Promise<number> {
  const overdue = (limit: number) => selectOverdueEndpoints(nowMs - OVERDUE_MS, limit);
  return eventDispatchers.sweep(env, overdue, of);
}
