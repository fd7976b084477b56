import type { Query } from 'drizzle-orm';
import type { BatchResponse } from 'drizzle-orm/batch';
import { drizzle } from 'drizzle-orm/d1';
import type { SpanName, Trace } from '../trace.ts';
import {
  certainlyRefused,
  DatabaseOverloaded,
  DatabaseUnavailable,
  wasOverloaded,
} from './errors.ts';

export type D1Span = Extract<SpanName, `d1.${string}`>;

/** Builds statements. Only {@link Database.batch} runs them, so it belongs to no database. */
export const queries = drizzle({ prepare: () => null } as unknown as D1Database);

/** A statement for a batch: a drizzle query, or a prepared statement with its values. */
export interface Statement {
  /** The type of the result; drizzle has no such value at run time. */
  readonly _: { readonly dialect: 'sqlite'; readonly result: unknown };
  prepare(): PreparedQuery;
}

/** The SQL of a statement, its values, and the mapping of its rows. */
interface PreparedQuery {
  getQuery(): Query;
  mapResult(response: unknown, isFromBatch?: boolean): unknown;
}

/**
 * D1, the source of truth. Every call is one batch: one round trip, one transaction, one span. In every table money is
 * integer minor units of the row's currency, instants are milliseconds since 1970 (`…AtMs`), dates `YYYY-MM-DD`. Every
 * row names its property, and every query filters by it.
 */
export class Database {
  readonly #d1: D1Database;
  readonly #trace: Trace;
  readonly #onWrite: () => void;

  /** Calls `onWrite` before each batch that writes. */
  constructor(d1: D1Database, trace: Trace, onWrite = () => {}) {
    this.#d1 = d1;
    this.#trace = trace;
    this.#onWrite = onWrite;
  }

  /**
   * Runs statements as one transaction in one round trip. Throws a constraint error of SQLite unchanged: nothing was
   * written, and {@link DatabaseOverloaded} where D1 refused the batch before it ran. Throws {@link DatabaseUnavailable}
   * for every other error: D1 may have committed the batch. A batch that writes counts as recorded, unless it was refused.
   */
  async batch<S extends Statement, Batch extends Readonly<[S, ...S[]]>>(
    span: D1Span,
    statements: Batch,
  ): Promise<BatchResponse<Batch>> {
    const trace = this.#trace;
    const prepared = statements.map((statement) => statement.prepare());
    const writes = !prepared.every(onlyReads);
    if (writes) {
      trace.writeSent();
      this.#onWrite();
    }
    try {
      const results = await trace.span(span, () => this.#run(prepared));
      return results as BatchResponse<Batch>;
    } catch (error) {
      const isOverload = wasOverloaded(error);
      if (!isOverload && !certainlyRefused(error)) throw new DatabaseUnavailable(error);
      if (writes) trace.writeRefused();
      throw isOverload ? new DatabaseOverloaded(error) : error;
    }
  }

  /** Like drizzle's own `batch`, which takes no prepared statements. */
  async #run(prepared: readonly PreparedQuery[]): Promise<unknown[]> {
    const bound = prepared.map((query) => {
      const { sql, params } = query.getQuery();
      return this.#d1.prepare(sql).bind(...params);
    });
    const responses = await this.#d1.batch(bound);
    return prepared.map((query, at) => query.mapResult(responses[at], true));
  }
}

/** Whether a query only reads. Any query that does not begin with SELECT counts as a write. */
function onlyReads(query: PreparedQuery): boolean {
  return /^select\b/i.test(query.getQuery().sql);
}
