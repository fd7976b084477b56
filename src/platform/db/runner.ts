import type { Query } from 'drizzle-orm';
import { getOrInsertComputed } from '../../core/getOrInsertComputed.ts';
import type { Env } from '../env.ts';

/** Runs the statements of a batch: one round trip, one transaction. Returns the answer to each, as D1 does. */
export interface Runner {
  /** The name of its binding. */
  readonly name: string;
  run(queries: readonly Query[]): Promise<unknown[]>;
}

/** The databases of a deployment, the directory first. */
export type Runners = readonly [Runner, ...Runner[]];

/** Runs batches on a database of D1. */
export function onD1(name: string, d1: D1Database): Runner {
  return {
    name,
    run: (queries) => d1.batch(queries.map(({ sql, params }) => d1.prepare(sql).bind(...params))),
  };
}

/** The size of the database, as an answer of D1 says it; 0 where it does not. */
export function bytesOf(answer: unknown): number {
  const { meta } = answer as { readonly meta?: { readonly size_after?: number } };
  return meta?.size_after ?? 0;
}

const known = new WeakMap<Env, Runners>();

/** The databases that are bound: `DB`, `DB2` and so on, up to the first that is not. */
export function runnersOf(env: Env): Runners {
  return getOrInsertComputed(known, env, () => [onD1('DB', env.DB), ...furtherOf(env, 2)]);
}

function furtherOf(env: Env, number: number): Runner[] {
  const d1 = env[`DB${number}`];
  return d1 ? [onD1(`DB${number}`, d1), ...furtherOf(env, number + 1)] : [];
}
