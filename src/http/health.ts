import { z } from '@hono/zod-openapi';
import { lte, sql } from 'drizzle-orm';
import { MINUTE_MS, SECOND_MS } from '../core/time.ts';
import type { Database, Queries } from '../db/database.ts';
import { exportRuns } from '../db/exportTables.ts';
import { refunds, transactions } from '../db/moneyTables.ts';
import { outbox } from '../db/outboxTables.ts';
import type { Env } from '../env.ts';
import { selectOverduePms } from '../outbox/store.ts';
import type { Api } from './operation.ts';

/** What should have happened this long ago, and has not, is late: the Cron Trigger makes good what alarms missed within two minutes. */
const LATE_MS = 10 * MINUTE_MS;

const answer = z.object({
  success: z.literal(true),
  database: z.literal('answers'),
  payments: z
    .enum(['on time', 'late'])
    .describe('What is due: schedules, holds, look-ups, refunds.'),
  messages: z
    .enum(['delivered', 'late', 'dead'])
    .describe('Whether a message to a PMS waits for longer than it should, or was given up.'),
  exports: z.enum(['on time', 'late']),
});

/** How long an answer is good for: whoever asks more often asks the isolate's memory, not D1. */
const REMEMBERED_MS = 5 * SECOND_MS;

/** How the queues were when they were last looked at. */
interface Looked {
  readonly atMs: number;
  readonly health: Awaited<ReturnType<typeof readHealth>>;
}

const lastLooks = new WeakMap<Env, Looked>();

/** `GET /health`: 200 once D1 answers, with whether anything is left lying (decisions: section 13). */
export function registerHealth(api: Api): void {
  api.openAPIRegistry.registerPath({
    method: 'get',
    path: '/health',
    summary: 'Whether the service can work, and nothing is left lying',
    tags: ['operations'],
    security: [],
    responses: {
      200: { description: 'D1 answers', content: { 'application/json': { schema: answer } } },
    },
  });
  api.get('/health', async (c) => {
    const nowMs = Date.now();
    const last = lastLooks.get(c.env);
    const isFresh = last && nowMs >= last.atMs && nowMs - last.atMs < REMEMBERED_MS;
    const health = isFresh ? last.health : await readHealth(c.get('database'), nowMs - LATE_MS);
    if (!isFresh) lastLooks.set(c.env, { atMs: nowMs, health });
    return c.json({ success: true, database: 'answers', ...health });
  });
}

/** Looks at the head of each queue: one round trip. */
async function readHealth(database: Database, beforeMs: number) {
  const [payments, lateRefunds, dead, waiting, runs] = await database.batch(
    'd1.health',
    selectLeftLying(database.queries, beforeMs),
  );
  return {
    payments: late([...payments, ...lateRefunds]),
    messages: dead.length > 0 ? 'dead' : waiting.length > 0 ? 'late' : 'delivered',
    exports: late(runs),
  };
}

function late(rows: readonly unknown[]): 'late' | 'on time' {
  return rows.length > 0 ? 'late' : 'on time';
}

/**
 * Selects a row of each kind of thing that should have happened before `beforeMs`: charges, refunds, messages that were given
 * up, PMSs with one that waits, exports. Each is found by an index, whatever there is beside it.
 */
export function selectLeftLying(queries: Queries, beforeMs: number) {
  return [
    one(queries).from(transactions).where(lte(transactions.dueAtMs, beforeMs)).limit(1),
    one(queries).from(refunds).where(lte(refunds.dueAtMs, beforeMs)).limit(1),
    one(queries)
      .from(outbox)
      // As a literal, so that SQLite takes the index of dead messages.
      .where(sql`${outbox.status} = 'Dead'`)
      .limit(1),
    selectOverduePms(queries, beforeMs, 1),
    one(queries).from(exportRuns).where(lte(exportRuns.dueAtMs, beforeMs)).limit(1),
  ] as const;
}

function one(queries: Queries) {
  return queries.select({ one: sql<number>`1` });
}
