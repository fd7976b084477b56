import type { Config } from '../platform/config.ts';
import { openDatabase } from '../platform/db/database.ts';
import type { Env } from '../platform/env.ts';
import { objectNamed } from '../platform/objects.ts';
import { Trace } from '../platform/trace.ts';
import type { Sweeper } from './object.ts';
import { type SweepOfEach, succeeds, sweeps, sweepsOfEach } from './sweeps.ts';

/** What may take all that the platform allows one invocation. */
const GREAT: readonly SweepOfEach[] = ['reconciliation'];

/**
 * Runs every sweep, and waits for all. One database is looked after here, but for what needs an invocation of its own; of
 * many, each has its sweeper. Returns whether all succeeded.
 */
export async function sweepAll(env: Env, config: Config, nowMs: number): Promise<boolean> {
  const { each, isMany } = openDatabase(env, new Trace());
  const elsewhere = isMany ? namesOf(sweepsOfEach) : GREAT;
  const here = namesOf(sweeps).filter((name) => !elsewhere.some((other) => other === name));
  const all = [
    ...here.map((sweep) => succeeds({ sweep }, () => sweeps[sweep](env, config, nowMs))),
    ...each.flatMap(({ name }) => elsewhere.map((sweep) => bySweeper(env, sweep, name, nowMs))),
  ];
  return (await Promise.all(all)).every(Boolean);
}

function namesOf<Some extends object>(some: Some): (keyof Some)[] {
  return Object.keys(some) as (keyof Some)[];
}

/** Has a database's sweeper run a sweep of it. */
async function bySweeper(
  env: Env,
  sweep: SweepOfEach,
  database: string,
  nowMs: number,
): Promise<boolean> {
  const sweeper = objectNamed(env, env.SWEEPER as DurableObjectNamespace<Sweeper>, database);
  let succeeded = false;
  const called = async () => {
    succeeded = await sweeper.sweep(sweep, database, nowMs);
  };
  return (await succeeds({ sweep, database }, called)) && succeeded;
}
