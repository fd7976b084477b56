import { Coalescing } from '../../delivery/coalesce.ts';
import type { DispatcherCalls, NotifyReason, SentAsOf } from '../../delivery/object.ts';
import type { Env } from '../../platform/env.ts';
import { logError } from '../../platform/log.ts';
import { Trace } from '../../platform/trace.ts';
import type { Changed } from './actions.ts';
import type { PmsDispatcher } from './object.ts';

const notifications = new Coalescing();

/**
 * Notifies a PMS's dispatcher of a queued message. One call covers all messages that this isolate queues for the PMS
 * within a few milliseconds. If the call is lost, the sweep finds their messages.
 */
export async function notifyOfMessage(env: Env, pmsUrl: string): Promise<void> {
  if (!notifications.isFirst(pmsUrl)) return;
  await call(env, new Trace(), pmsUrl, async (dispatcher) => {
    await notifications.wait(pmsUrl);
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
