import type { Query } from 'drizzle-orm';
import { getOrInsertComputed } from '../../core/getOrInsertComputed.ts';
import type { Env } from '../env.ts';
import type { DatabaseObject } from './store/object.ts';

/** Runs the statements of a batch: one round trip, one transaction. Returns the answer to each, as D1 does. */
export interface Runner {
  /** The name of its binding, or of its object. */
  readonly name: string;
  /** Which of the deployment's databases it is for good: 0 for the directory. Its ids begin with it. */
  readonly number: number;
  /** Whether new properties are placed here although nobody names it. */
  readonly takesNew: boolean;
  run(queries: readonly Query[]): Promise<unknown[]>;
}

/** The databases of a deployment, the directory first. */
export type Runners = readonly [Runner, ...Runner[]];

/** Runs batches on a database of D1. */
export function onD1(name: string, number: number, d1: D1Database): Runner {
  return {
    name,
    number,
    takesNew: true,
    run: (queries) => d1.batch(queries.map(({ sql, params }) => d1.prepare(sql).bind(...params))),
  };
}

/** The size of the database, as an answer of D1 says it; 0 where it does not. */
export function bytesOf(answer: unknown): number {
  const { meta } = answer as { readonly meta?: { readonly size_after?: number } };
  return meta?.size_after ?? 0;
}

const known = new WeakMap<Env, Runners>();

/** The number of the first database in an object: more than any of D1 has. */
const FIRST_STORE = 4_096;

/** Runs batches on a database in an object's storage, by its name. */
export function onStore(name: string, number: number, stores: Env['STORES']): Runner {
  const objects = stores as DurableObjectNamespace<DatabaseObject>;
  return {
    name,
    number,
    takesNew: false,
    run: async (queries) => objects.getByName(name).run(queries),
  };
}

/** The databases that are bound, `DB`, `DB2` and so on, up to the first that is not; then those in objects. */
export function runnersOf(env: Env): Runners {
  return getOrInsertComputed(known, env, () => [
    onD1('DB', 0, env.DB),
    ...furtherOf(env, 2),
    ...Array.from({ length: Number(env.STORE_COUNT ?? 0) }, (_, at) =>
      onStore(`STORE${at + 1}`, FIRST_STORE + at, env.STORES),
    ),
  ]);
}

function furtherOf(env: Env, number: number): Runner[] {
  const name = `DB${number}` as const;
  const d1 = env[name];
  return d1 ? [onD1(name, number - 1, d1), ...furtherOf(env, number + 1)] : [];
}
