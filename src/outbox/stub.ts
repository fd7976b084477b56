import { Recent } from '../core/recent.ts';
import type { Env } from '../env.ts';
import { Crossings } from '../io/crossings.ts';
import { logError } from '../io/log.ts';
import type { Changed } from './actions.ts';
import type { DispatcherCalls, PokeReason } from './object.ts';

/** How long the poke for a message waits for others of the same PMS. */
const GATHER_MS = 20;

/** How many PMSs are remembered that are about to be poked; one that was forgotten is poked twice. */
const MOST_GATHERING = 1_000;

/** Until when a poke waits, by its PMS's address. */
const gathering = new Recent<number>(MOST_GATHERING);

/**
 * Tells a PMS's dispatcher of a message that was queued: once for all that are queued here within a moment. A message whose poke
 * is lost, or whose poke another one was to make, is found by the sweep.
 */
export async function announceMessage(env: Env, pmsUrl: string): Promise<void> {
  const nowMs = Date.now();
  // A poke that is still to be made tells of this message as well.
  if (nowMs < (gathering.get(pmsUrl) ?? 0)) return;
  gathering.set(pmsUrl, nowMs + GATHER_MS);
  await call(env, new Crossings(), pmsUrl, async (dispatcher) => {
    await scheduler.wait(GATHER_MS);
    gathering.forget(pmsUrl);
    await dispatcher.poke(pmsUrl, 'message');
  });
}

/** Pokes a PMS's dispatcher: something is overdue, or the PMS is known to be up. */
export function pokeDispatcher(
  env: Env,
  crossings: Crossings,
  pmsUrl: string,
  why: Exclude<PokeReason, 'message'>,
): Promise<void> {
  return call(env, crossings, pmsUrl, (dispatcher) => dispatcher.poke(pmsUrl, why));
}

/** Calls a PMS's dispatcher. What comes of it is only logged. */
async function call(
  env: Env,
  crossings: Crossings,
  pmsUrl: string,
  ask: (dispatcher: DispatcherCalls) => Promise<void>,
): Promise<void> {
  const dispatcher: DispatcherCalls = env.PMS_DISPATCHER.getByName(pmsUrl);
  try {
    await crossings.cross('object.dispatcher', () => ask(dispatcher));
  } catch (error) {
    logError('poke_failed', error, { host: new URL(pmsUrl).host });
  }
}

/** Tells the dispatcher of a change by ops, who tries a PMS that was down at once: ops would not ask if it were not up again. */
export async function pokeAfterChange(
  env: Env,
  crossings: Crossings,
  { count, pmsUrl }: Changed,
): Promise<void> {
  if (pmsUrl !== null && count > 0) await pokeDispatcher(env, crossings, pmsUrl, 'up');
}
