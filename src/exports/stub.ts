import type { Env } from '../env.ts';
import type { Crossings } from '../io/crossings.ts';
import { logError } from '../io/log.ts';
import type { ExporterCalls } from './object.ts';

/** Has a run's object make its file. What comes of it is only logged: a run that nobody works on is found by the sweep. */
export async function pokeExporter(env: Env, crossings: Crossings, runId: string): Promise<void> {
  const exporter: ExporterCalls = env.EXPORTER.getByName(runId);
  try {
    await crossings.cross('object.export', () => exporter.begin(runId));
  } catch (error) {
    logError('poke_failed', error, { runId });
  }
}
