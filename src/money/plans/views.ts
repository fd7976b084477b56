import { z } from '@hono/zod-openapi';
import { hex } from '../../core/ids.ts';
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
export async function shownPlan({ parts }: PlanView): Promise<string> {
  const toCome = parts.filter(({ status }) => status === 'planned');
  const lines = toCome.map((part) => [part.label, part.amount, part.paid, part.dueAt.slice(0, 10)]);
  const text = new TextEncoder().encode(JSON.stringify(lines));
  return hex(new Uint8Array(await crypto.subtle.digest('SHA-256', text)));
}
