import { z } from '@hono/zod-openapi';
import { planChangesSchema, planSchema } from '../../records/plans/views.ts';

/** The answer to a plan that is put (interface: Put a plan). */
export const planPutSchema = z.object({
  plan: planSchema,
  planChanges: planChangesSchema,
  warnings: z
    .array(z.enum(['no_card']))
    .optional()
    .describe('`no_card`: the booking has no card yet, and the request names none'),
});

export type PlanPut = z.infer<typeof planPutSchema>;
