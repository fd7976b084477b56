import { LruCache } from '../../core/lruCache.ts';
import type { Env } from '../../platform/env.ts';
import { logError } from '../../platform/log.ts';
import { Trace } from '../../platform/trace.ts';
import type { Changed } from './actions.ts';
import type { DispatcherCalls, NotifyReason, PmsDispatcher, SentAsOf } from './object.ts';

/** How long a notification waits, so that one call covers the messages queued for the same PMS by then. */
const COALESCE_MS = 20;

/** How many PMSs with a pending notification are remembered. A forgotten one gets an extra notification. */
const MOST_PENDING = 1_000;

/** When each pending notification is due, by the address of its PMS. */
const pendingUntilMs = new LruCache<number>(MOST_PENDING);

/**
 * Notifies a PMS's dispatcher of a queued message. One call covers all messages that this isolate queues for the PMS
 * within {@link COALESCE_MS}. If the call is lost, the sweep finds their messages.
 */
export async function notifyOfMessage(env: Env, pmsUrl: string): Promise<void> {
  const nowMs = Date.now();
  // A pending notification covers this message too.
  if (nowMs < (pendingUntilMs.get(pmsUrl) ?? 0)) return;
  pendingUntilMs.set(pmsUrl, nowMs + COALESCE_MS);
  await call(env, new Trace(), pmsUrl, async (dispatcher) => {
    await scheduler.wait(COALESCE_MS);
    pendingUntilMs.delete(pmsUrl);
    await dispatcher.notify(pmsUrl, 'message');
  });
}

/** Notifies a PMS's dispatcher that a message is overdue, or that the PMS is up. */
export function notifyDispatcher(
  env: Env,
  trace: Trace,
  pmsUrl: string,
  why: Exclude<NotifyReason, 'message'>,
): Promise<void> {
  return call(env, trace, pmsUrl, (dispatcher) => dispatcher.notify(pmsUrl, why));
}

/** Sends what is due of a property whose clock is being advanced and stands at `atMs`. */
export function sendAsOf(
  env: Env,
  trace: Trace,
  pmsUrl: string,
  propertyId: string,
  atMs: number,
): Promise<SentAsOf> {
  return trace.span('object.dispatcher', () =>
    dispatcherOf(env, pmsUrl).sendAsOf(pmsUrl, propertyId, atMs),
  );
}

function dispatcherOf(env: Env, pmsUrl: string): DispatcherCalls {
  return (env.PMS_DISPATCHER as DurableObjectNamespace<PmsDispatcher>).getByName(pmsUrl);
}

/** Calls a PMS's dispatcher. A failure is only logged, because the sweep repeats the notification. */
async function call(
  env: Env,
  trace: Trace,
  pmsUrl: string,
  notify: (dispatcher: DispatcherCalls) => Promise<void>,
): Promise<void> {
  try {
    await trace.span('object.dispatcher', () => notify(dispatcherOf(env, pmsUrl)));
  } catch (error) {
    logError('notify_failed', error, { host: new URL(pmsUrl).host });
  }
}

/**
 * Notifies the dispatcher after an administrator replayed or dismissed messages. The administrator expects the PMS to
 * be up, so the dispatcher tries it immediately.
 */
export async function notifyAfterChange(
  env: Env,
  trace: Trace,
  { count, pmsUrl }: Changed,
): Promise<void> {
  if (pmsUrl !== null && count > 0) await notifyDispatcher(env, trace, pmsUrl, 'up');
}
