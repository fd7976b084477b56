/** A database in an object's storage, where the Worker's tests have one of D1 else. */
import { env } from 'cloudflare:workers';
import type { Query } from 'drizzle-orm';
import { vi } from 'vitest';
import * as runner from '../../src/platform/db/runner.ts';
import type { Env } from '../../src/platform/env.ts';

const { STORES } = env as unknown as Env;

/** Has the Worker under test find its database in an object. */
export function useStore(): void {
  const store = { ...runner.onStore('DB', 0, STORES), takesNew: true };
  vi.spyOn(runner, 'runnersOf').mockReturnValue([store]);
}

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

  async all(): Promise<D1Result<Record<string, unknown>>> {
    const [answer] = await this.#run([this.query]);
    return answer as D1Result<Record<string, unknown>>;
  }

  run(): Promise<D1Result> {
    return this.all();
  }

  async raw(): Promise<unknown[][]> {
    return (await this.all()).results.map((row) => Object.values(row));
  }

  async first(column?: string): Promise<unknown> {
    const [row] = (await this.all()).results;
    if (!row) return null;
    return column === undefined ? row : row[column];
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
