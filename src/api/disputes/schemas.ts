import { z } from '@hono/zod-openapi';
import { instant, reference } from '../../http/fields.ts';
import { boundsInOrder, pageFields } from '../../http/listFields.ts';
import { disputeSchema, disputeStatusSchema } from '../../money/disputes/views.ts';

/** The body of `list`: `from` is inclusive, `to` exclusive. */
export const listBody = z
  .object({
    reference: reference.optional(),
    status: disputeStatusSchema.optional(),
    from: instant.optional(),
    to: instant.optional(),
    ...pageFields,
  })
  .check(boundsInOrder('from', 'to'));

/** The answer of `list`. */
export const listAnswer = z.object({
  success: z.literal(true),
  disputes: z.array(disputeSchema),
  nextCursor: z.string().nullable(),
});
