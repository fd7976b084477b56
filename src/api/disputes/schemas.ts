import { z } from '@hono/zod-openapi';
import { instant, reference } from '../../http/fields.ts';
import { boundsInOrder, nextPage, pageFields } from '../../http/listFields.ts';
import { disputeSchema, disputeStatusSchema } from '../../money/disputes/views.ts';

/** The body of `list`: `from` is inclusive, `to` exclusive. */
export const listBody = z
  .object({
    reference: reference.optional().describe('the disputes of this booking'),
    status: disputeStatusSchema.optional(),
    from: instant.optional().describe('by `openedAt`, inclusive'),
    to: instant.optional().describe('by `openedAt`, exclusive'),
    ...pageFields,
  })
  .check(boundsInOrder('from', 'to'));

/** The answer of `list`. */
export const listAnswer = z.object({
  success: z.literal(true),
  disputes: z.array(disputeSchema),
  nextCursor: nextPage,
});
