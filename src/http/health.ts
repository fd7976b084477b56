import { z } from '@hono/zod-openapi';
import { sql } from 'drizzle-orm';
import { properties } from '../db/schema.ts';
import type { Api } from './operation.ts';

/** `GET /health`: 200 once D1 answers. */
export function registerHealth(api: Api): void {
  api.openAPIRegistry.registerPath({
    method: 'get',
    path: '/health',
    summary: 'Whether the service can work',
    tags: ['operations'],
    security: [],
    responses: {
      200: {
        description: 'D1 answers',
        content: {
          'application/json': {
            schema: z.object({ success: z.literal(true), database: z.literal('answers') }),
          },
        },
      },
    },
  });
  api.get('/health', async (c) => {
    const database = c.get('database');
    await database.batch('d1.health', [
      database.queries.select({ one: sql<number>`1` }).from(properties).limit(1),
    ]);
    return c.json({ success: true, database: 'answers' });
  });
}
