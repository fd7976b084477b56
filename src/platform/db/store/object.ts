import { DurableObject } from 'cloudflare:workers';
import type { Query } from 'drizzle-orm';
import type { Env } from '../../env.ts';
import { migrations } from './migrations.ts';

/** How many of the migrations a store has. */
const DONE = 'migrations';

/** The answer to one statement, as far as D1's is read. */
interface StoreAnswer {
  readonly success: true;
  readonly results: Record<string, SqlStorageValue>[];
  readonly meta: {
    readonly changes: number;
    readonly rows_read: number;
    readonly rows_written: number;
    readonly size_after: number;
  };
}

/**
 * A database in the storage of a Durable Object, beside those of D1: the same tables, the same statements, one transaction
 * for each batch (parts: Many databases). It brings itself up to date as it starts.
 */
export class DatabaseObject extends DurableObject<Env> {
  readonly #storage: DurableObjectStorage;

  constructor(ctx: DurableObjectState, env: Env) {
    super(ctx, env);
    this.#storage = ctx.storage;
    this.#storage.transactionSync(() => this.#migrate());
  }

  /** Runs the statements of a batch in one transaction. Throws SQLite's own error: then nothing was written. */
  run(queries: readonly Query[]): StoreAnswer[] {
    return this.#storage.transactionSync(() => queries.map((query) => this.#answer(query)));
  }

  #answer({ params, sql: text }: Query): StoreAnswer {
    const { sql } = this.#storage;
    const rows = sql.exec(text, ...params.map(stored));
    const results = rows.toArray();
    const changed = rows.rowsWritten > 0 ? sql.exec('SELECT changes() AS changes').one() : null;
    return {
      success: true,
      results,
      meta: {
        changes: Number(changed?.['changes'] ?? 0),
        rows_read: rows.rowsRead,
        rows_written: rows.rowsWritten,
        size_after: sql.databaseSize,
      },
    };
  }

  #migrate(): void {
    const { kv, sql } = this.#storage;
    const done = kv.get<number>(DONE) ?? 0;
    for (const { text } of migrations.slice(done)) {
      sql.exec(text);
    }
    if (done < migrations.length) kv.put(DONE, migrations.length);
  }
}

/** A value as an object's storage takes it: D1 takes truth values too. */
function stored(value: unknown): SqlStorageValue {
  return typeof value === 'boolean' ? Number(value) : (value as SqlStorageValue);
}
