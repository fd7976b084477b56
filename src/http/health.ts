import { z } from '@hono/zod-openapi';
import { lte, sql } from 'drizzle-orm';
import { MINUTE_MS } from '../core/time.ts';
import type { Database, Queries } from '../db/database.ts';
import { exportRuns, outbox, refunds, transactions } from '../db/schema.ts';
import type { Api } from './operation.ts';

/** What should have happened this long ago, and has not, is late: the Cron Trigger makes good what alarms missed within two minutes. */
const LATE_MS = 10 * MINUTE_MS;

const answer = z.object({
  success: z.literal(true),
  database: z.literal('answers'),
  payments: z
    .enum(['on time', 'late'])
    .describe('What is due: schedules, holds, look-ups, refunds.'),
  messages: z.enum(['delivered', 'dead']).describe('Whether a message to a PMS was given up.'),
  exports: z.enum(['on time', 'late']),
});

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
    const health = await readHealth(c.get('database'), Date.now() - LATE_MS);
    return c.json({ success: true, database: 'answers', ...health });
  });
}

/** Looks at the head of each queue: one round trip, a row of each index. */
async function readHealth(database: Database, beforeMs: number) {
  const { queries } = database;
  const [payments, lateRefunds, dead, runs] = await database.batch('d1.health', [
    one(queries).from(transactions).where(lte(transactions.dueAtMs, beforeMs)).limit(1),
    one(queries).from(refunds).where(lte(refunds.dueAtMs, beforeMs)).limit(1),
    one(queries)
      .from(outbox)
      // As a literal, so that SQLite takes the index of dead messages.
      .where(sql`${outbox.status} = 'Dead'`)
      .limit(1),
    one(queries).from(exportRuns).where(lte(exportRuns.dueAtMs, beforeMs)).limit(1),
  ]);
  return {
    payments: payments.length + lateRefunds.length > 0 ? 'late' : 'on time',
    messages: dead.length > 0 ? 'dead' : 'delivered',
    exports: runs.length > 0 ? 'late' : 'on time',
  };
}

function one(queries: Queries) {
  return queries.select({ one: sql<number>`1` });
}
