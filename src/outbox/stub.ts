import type { Env } from '../env.ts';
import type { Crossings } from '../io/crossings.ts';
import { logError } from '../io/log.ts';
import type { Changed } from './actions.ts';
import type { DispatcherCalls, PokeReason } from './object.ts';

/**
 * Pokes a PMS's dispatcher. What comes of it is only logged: a message that nobody was told of is found by the sweep.
 */
export async function pokeDispatcher(
  env: Env,
  crossings: Crossings,
  pmsUrl: string,
  why: PokeReason,
): Promise<void> {
  const dispatcher: DispatcherCalls = env.PMS_DISPATCHER.getByName(pmsUrl);
  try {
    await crossings.cross('object.dispatcher', () => dispatcher.poke(pmsUrl, why));
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
