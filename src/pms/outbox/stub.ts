import { MINUTE_MS } from '../../core/time.ts';
import { Dispatchers } from '../../delivery/stub.ts';
import type { Env } from '../../platform/env.ts';
import type { Trace } from '../../platform/trace.ts';
import type { Changed } from './actions.ts';
import { selectOverduePms } from './store.ts';

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

/**
 * Finds messages that are overdue by more than a minute, and notifies the dispatchers of their PMSs. The frequent Cron
 * Trigger runs it.
 */
export function sweepOutbox(env: Env, nowMs: number, of?: string): Promise<number> {
  return pmsDispatchers.sweep(env, (limit) => selectOverduePms(nowMs - MINUTE_MS, limit), of);
}
