/**
 * The service, and beside it what it asked its database: each statement with the values for which it read the most rows, and
 * how SQLite goes about it.
 */
import service from '../src/index.ts';

// biome-ignore lint/performance/noBarrelFile: a Worker's entry has to export the classes of its objects.
// biome-ignore lint/performance/noReExportAll: all of them, whichever there are.
export * from '../src/index.ts';

/** A statement as it read the most rows. */
export interface Recorded {
  readonly sql: string;
  readonly params: readonly unknown[];
  readonly rowsRead: number;
  /** Milliseconds in the database. */
  readonly ms: number;
}

const recorded = new Map<string, Recorded>();

/** A statement of D1's binding, by the binding's own names of what it was prepared and bound with. */
interface Bound {
  readonly statement: string;
  readonly params: readonly unknown[];
}

let isRecording = false;

function record(database: D1Database): void {
  if (isRecording) return;
  isRecording = true;
  const d1 = Object.getPrototypeOf(database) as D1Database;
  const batch = d1.batch;
  d1.batch = async function <T>(this: D1Database, statements: D1PreparedStatement[]) {
    const results = (await batch.call(this, statements)) as D1Result<T>[];
    for (const [at, one] of (statements as unknown as Bound[]).entries()) {
      const { duration: ms = 0, rows_read: rowsRead = 0 } = results[at]?.meta ?? {};
      const { params, statement: sql } = one;
      if (rowsRead >= (recorded.get(sql)?.rowsRead ?? 0)) {
        recorded.set(sql, { sql, params, rowsRead, ms });
      }
    }
    return results;
  };
}

export default {
  ...service,
  async fetch(request, env, context) {
    record(env.DB);
    const { pathname } = new URL(request.url);
    if (pathname === '/recorded') return Response.json([...recorded.values()]);
    if (pathname !== '/plan') return service.fetch(request, env, context);
    const { params, sql } = (await request.json()) as Recorded;
    const plan = await env.DB.prepare(`EXPLAIN QUERY PLAN ${sql}`)
      .bind(...params)
      .all<{ detail: string }>();
    return Response.json(plan.results.map(({ detail }) => detail));
  },
} satisfies typeof service;
