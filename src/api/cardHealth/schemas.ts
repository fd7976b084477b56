import { z } from '@hono/zod-openapi';
import { instant, reference } from '../../http/fields.ts';
import { boundsInOrder, nextPage, pageFields } from '../../http/listFields.ts';
import { problemSchema } from '../../money/recovery/problems.ts';

/** The body of `health`: `from` is inclusive, `to` exclusive, both times of charges. */
export const healthBody = z
  .object({
    reference: reference.optional().describe("only this booking's"),
    from: instant.optional().describe('by the time of the charge'),
    to: instant.optional().describe('by the time of the charge, exclusive'),
    ...pageFields,
  })
  .check(boundsInOrder('from', 'to'));

/** The answer of `health`. */
export const healthAnswer = z.object({
  success: z.literal(true),
  problems: z.array(problemSchema),
  nextCursor: nextPage,
});
