import type { Config } from '../platform/config.ts';
import { openDatabase } from '../platform/db/database.ts';
import type { Env } from '../platform/env.ts';
import { objectNamed } from '../platform/objects.ts';
import { Trace } from '../platform/trace.ts';
import type { Sweeper } from './object.ts';
import { type SweepOfEach, succeeds, sweeps, sweepsOfAll, sweepsOfEach } from './sweeps.ts';

/**
 * Runs every sweep, and waits for all. One database is looked after here; of many, each has its sweeper. Returns whether all
 * succeeded.
 */
export async function sweepAll(env: Env, config: Config, nowMs: number): Promise<boolean> {
  const here = (some: Partial<typeof sweeps>) =>
    Object.entries(some).map(([sweep, run]) => succeeds({ sweep }, () => run(env, config, nowMs)));
  const database = openDatabase(env, new Trace());
  const all = database.isMany
    ? [...here(sweepsOfAll), ...database.each.flatMap(({ name }) => bySweeper(env, name, nowMs))]
    : here(sweeps);
  return (await Promise.all(all)).every(Boolean);
}

/** Has a database's sweeper run the sweeps of it. */
function bySweeper(env: Env, database: string, nowMs: number): Promise<boolean>[] {
  const sweeper = objectNamed(env, env.SWEEPER as DurableObjectNamespace<Sweeper>, database);
  return (Object.keys(sweepsOfEach) as SweepOfEach[]).map(async (sweep) => {
    let succeeded = false;
    const called = async () => {
      succeeded = await sweeper.sweep(sweep, database, nowMs);
    };
    return (await succeeds({ sweep, database }, called)) && succeeded;
  });
}
