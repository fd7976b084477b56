import { Coalescing } from '../../delivery/coalesce.ts';
import type { DispatcherCalls, NotifyReason, SentAsOf } from '../../delivery/object.ts';
import { Database } from '../../platform/db/database.ts';
import type { Env } from '../../platform/env.ts';
import { logError } from '../../platform/log.ts';
import { Trace } from '../../platform/trace.ts';
import type { EventDispatcher } from './object.ts';
import { selectActiveEndpoints } from './store.ts';

const notifications = new Coalescing();

/**
 * Notifies an endpoint's dispatcher that there may be events. One call covers all events that this isolate causes within a
 * few milliseconds. If the call is lost, the sweep finds their deliveries.
 */
export async function notifyOfEvents(env: Env, endpointId: string): Promise<void> {
  if (!notifications.isFirst(endpointId)) return;
  await call(env, new Trace(), endpointId, async (dispatcher) => {
    await notifications.wait(endpointId);
    await dispatcher.notify(endpointId, 'message');
  });
}

/** Notifies the dispatchers of all of a property's endpoints, for who does not know them. One round trip. */
export async function notifyEndpointsOf(env: Env, propertyId: string): Promise<void> {
  try {
    const database = new Database(env.DB, new Trace());
    const [[property]] = await database.batch('d1.endpoint.read', [
      selectActiveEndpoints(database.queries, propertyId),
    ]);
    await Promise.all((property?.webhookEndpoints ?? []).map((id) => notifyOfEvents(env, id)));
  } catch (error) {
    logError('notify_failed', error, { property: propertyId });
  }
}

/** Notifies an endpoint's dispatcher that a delivery is overdue, or that the endpoint is up. */
export function notifyEventDispatcher(
  env: Env,
  trace: Trace,
  endpointId: string,
  why: Exclude<NotifyReason, 'message'>,
): Promise<void> {
  return call(env, trace, endpointId, (dispatcher) => dispatcher.notify(endpointId, why));
}

/** Delivers what is due to an endpoint of a property whose clock is being advanced and stands at `atMs`. */
export function deliverAsOf(
  env: Env,
  trace: Trace,
  endpointId: string,
  propertyId: string,
  atMs: number,
): Promise<SentAsOf> {
  return trace.span('object.dispatcher', () =>
    dispatcherOf(env, endpointId).sendAsOf(endpointId, propertyId, atMs),
  );
}

function dispatcherOf(env: Env, endpointId: string): DispatcherCalls {
  return (env.EVENT_DISPATCHER as DurableObjectNamespace<EventDispatcher>).getByName(endpointId);
}

/** Calls an endpoint's dispatcher. A failure is only logged, because the sweep repeats the notification. */
async function call(
  env: Env,
  trace: Trace,
  endpoint: string,
  notify: (dispatcher: DispatcherCalls) => Promise<void>,
): Promise<void> {
  try {
    await trace.span('object.dispatcher', () => notify(dispatcherOf(env, endpoint)));
  } catch (error) {
    logError('notify_failed', error, { endpoint });
  }
}
