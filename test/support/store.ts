/** A database in an object's storage, where the Worker's tests have one of D1 else. */
import { env } from 'cloudflare:workers';
import type { Query } from 'drizzle-orm';
import * as runner from '../../src/platform/db/runner.ts';
import type { Env } from '../../src/platform/env.ts';

const { STORES } = env as unknown as Env;

/** A statement for a database in an object, with its values. */
class Statement {
  readonly #run: (queries: readonly Query[]) => Promise<unknown[]>;
  readonly query: Query;

  constructor(run: (queries: readonly Query[]) => Promise<unknown[]>, query: Query) {
    this.#run = run;
    this.query = query;
  }

  bind(...params: unknown[]): Statement {
    return new Statement(this.#run, { ...this.query, params });
  }

  all(): Promise<D1Result<Record<string, unknown>>> {
    return this.#ask();
  }

  run(): Promise<D1Result> {
    return this.#ask();
  }

  async raw(): Promise<unknown[][]> {
    return (await this.#ask()).results.map((row) => Object.values(row));
  }

  async first(column?: string): Promise<unknown> {
    const [row] = (await this.#ask()).results;
    if (!row) return null;
    return column === undefined ? row : row[column];
  }

  /** Not one of the others: each of those counts as a round trip (counting.ts). */
  async #ask(): Promise<D1Result<Record<string, unknown>>> {
    const [answer] = await this.#run([this.query]);
    return answer as D1Result<Record<string, unknown>>;
  }
}

/** The methods of D1 that tests call. */
class StoreAsD1 {
  readonly #run: (queries: readonly Query[]) => Promise<unknown[]>;

  constructor(name: string) {
    this.#run = runner.onStore(name, 0, STORES).run;
  }

  prepare(sql: string): Statement {
    return new Statement(this.#run, { sql, params: [] });
  }

  batch(statements: readonly Statement[]): Promise<unknown[]> {
    return this.#run(statements.map(({ query }) => query));
  }

  exec(sql: string): Promise<unknown[]> {
    return this.#run([{ sql, params: [] }]);
  }
}

/** A database in an object, for what of the tests wants one of D1. */
export function asD1(name: string): D1Database {
  return new StoreAsD1(name) as unknown as D1Database;
}

/** Which databases the service finds by itself. */
const ofDeployment = runner.runnersOf;

/** Has the Worker under test find its first database in an object: for good, as each file of this process wants it. */
export function useStore(): void {
  const first = runner.onD1('DB', 0, asD1('DB'));
  const runnersOf = (bindings: Env): runner.Runners => {
    const [, ...others] = ofDeployment(bindings);
    return [first, ...others];
  };
  const exported: object = runner;
  Object.defineProperty(exported, 'runnersOf', { value: runnersOf, configurable: true });
}
