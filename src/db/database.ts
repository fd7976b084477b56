import type { BatchItem, BatchResponse } from 'drizzle-orm/batch';
import { type DrizzleD1Database, drizzle } from 'drizzle-orm/d1';
import { madeOnce } from '../core/made.ts';
import type { Boundary, Crossings } from '../io/crossings.ts';
import { certainlyRefused, DatabaseUnavailable } from './errors.ts';

/** The boundaries at which D1 is asked. */
export type D1Boundary = Extract<Boundary, `d1.${string}`>;

/** Builds statements; they run only through {@link Database.batch}. */
export type Queries = DrizzleD1Database;

/** A statement ready to run in a batch. */
export type Statement = BatchItem<'sqlite'>;

/** Drizzle for each binding: it keeps nothing of a request. */
const made = new WeakMap<D1Database, Queries>();

/**
 * D1 as this service uses it, the one truth: every call is one batch, thus one round trip and one transaction, and
 * every round trip has a name and is counted. In every table money is integer minor units of the row's currency, instants
 * are milliseconds since 1970 (`…AtMs`), dates `YYYY-MM-DD`. Every row names its property, and every query asks for it.
 */
export class Database {
  readonly queries: Queries;
  readonly #crossings: Crossings;

  constructor(d1: D1Database, crossings: Crossings) {
    this.queries = madeOnce(made, d1, () => drizzle(d1));
    this.#crossings = crossings;
  }

  /**
   * Runs statements as one transaction in one round trip; a failing one undoes them all. Throws SQLite's
   * refusal as it is, and anything else as {@link DatabaseUnavailable}: the batch may have been committed.
   */
  async batch<S extends Statement, Batch extends Readonly<[S, ...S[]]>>(
    boundary: D1Boundary,
    statements: Batch,
  ): Promise<BatchResponse<Batch>> {
    try {
      return await this.#crossings.cross(boundary, () => this.queries.batch(statements));
    } catch (error) {
      throw certainlyRefused(error) ? error : new DatabaseUnavailable(error);
    }
  }
}
