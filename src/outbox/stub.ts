import { describeError } from '../db/errors.ts';
import type { Env } from '../env.ts';
import type { Crossings } from '../io/crossings.ts';
import type { DispatcherCalls } from './object.ts';

/**
 * Tells a PMS's dispatcher that there may be something to send; with `probe` a PMS that was down is tried at once.
 * What comes of it is only logged: a message that nobody was told of is found by the sweep.
 */
export async function pokeDispatcher(
  env: Env,
  crossings: Crossings,
  pmsUrl: string,
  { probe }: { readonly probe: boolean } = { probe: false },
): Promise<void> {
  const dispatcher: DispatcherCalls = env.PMS_DISPATCHER.getByName(pmsUrl);
  try {
    await crossings.cross('object.dispatcher', () => dispatcher.poke(pmsUrl, probe));
  } catch (error) {
    console.error(JSON.stringify({ event: 'poke_failed', error: describeError(error) }));
  }
}
