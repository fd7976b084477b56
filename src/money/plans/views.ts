import { z } from '@hono/zod-openapi';
import { digestOf } from '../../core/digest.ts';
import { type PlanView, planChangesSchema, planSchema } from '../../records/plans/views.ts';

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

/** What tells whether people still see the same plan: a digest of the name, amount and local day of each part to come. */
export function shownPlan({ parts }: PlanView): Promise<string> {
  const toCome = parts.filter(({ status }) => status === 'planned');
  const lines = toCome.map((part) => [part.label, part.amount, part.paid, part.dueAt.slice(0, 10)]);
  return digestOf(JSON.stringify(lines));
}
