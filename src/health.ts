import { z } from '@hono/zod-openapi';
import { SECOND_MS } from './core/time.ts';
import { readHealth, type WholeHealth } from './desk/operations/health.ts';
import type { Api } from './http/operation.ts';
import { jsonAnswer, responsesFor } from './http/responses.ts';
import type { Env } from './platform/env.ts';
import { databaseLimit } from './records/homes/homes.ts';

const healthAnswer = z.object({
  success: z.literal(true),
  database: z.literal('answers'),
  payments: z
    .enum(['on time', 'late'])
    .describe('`late`: a schedule, hold, status check or refund is overdue by 10 minutes'),
  acquirer: z
    .enum(['ok', 'rejecting'])
    .describe('`rejecting`: schedules wait because the gateway rejected them for its own reasons'),
  messages: z
    .enum(['delivered', 'late', 'dead'])
    .describe('`late`: a message waits 10 minutes too long; `dead`: at least one is'),
  events: z
    .enum(['delivered', 'late', 'dead'])
    .describe('`late`: a delivery waits 10 minutes too long; `dead`: one to an active endpoint is'),
  exports: z.enum(['on time', 'late']).describe('`late`: an export run is overdue by 10 minutes'),
  keys: z
    .enum(['ok', 'missing'])
    .describe('`missing`: something is encrypted with a key that `KEYRING` lacks: see List keys'),
  databases: z
    .enum(['ok', 'filling', 'full'])
    .describe('of the fullest database: `filling` from 80 %, `full` from 95 %'),
  databasesAway: z
    .array(z.string())
    .readonly()
    .optional()
    .describe('the databases that do not answer, where there are any: of them nothing is known'),
  reconciliation: z
    .enum(['ok', 'exceptions', 'late'])
    .describe('`exceptions`: a difference needs a person; `late`: not compared for 3 hours'),
});

/** How long an isolate reuses its last answer, so that frequent requests do not reach D1. */
const CACHED_MS = 5 * SECOND_MS;

/** The queues as an isolate last read them. */
const cache = new WeakMap<Env, { readonly atMs: number; readonly health: WholeHealth }>();

/** `GET /health`: 200 if D1 answers, and whether any work is overdue (interface: Health). */
export function registerHealth(api: Api): void {
  api.openAPIRegistry.registerPath({
    method: 'get',
    path: '/health',
    summary: 'Reports whether the service works, and any overdue work',
    tags: ['operations'],
    security: [],
    responses: {
      200: jsonAnswer(healthAnswer, 'D1 answers'),
      ...responsesFor(['method_not_allowed']),
    },
  });
  api.get('/health', async (c) => {
    const nowMs = Date.now();
    const cached = cache.get(c.env);
    const isFresh = cached && nowMs >= cached.atMs && nowMs - cached.atMs < CACHED_MS;
    const health = isFresh
      ? cached.health
      : await readHealth(c.get('database'), databaseLimit(c.env), nowMs);
    if (!isFresh) cache.set(c.env, { atMs: nowMs, health });
    const answer: z.infer<typeof healthAnswer> = { success: true, database: 'answers', ...health };
    return c.json(answer);
  });
}
