import { z } from '@hono/zod-openapi';
import { instant, isNoCardIdentifier, reference } from '../../http/fields.ts';
import type { DisputePlace } from '../../money/disputes/store.ts';
import { disputeSchema, disputeStatusSchema } from '../../money/disputes/views.ts';

/** `nextCursor` of the page before: the place of its last dispute. */
const cursor = z
  .string()
  .transform((text, context): DisputePlace => {
    const [, openedAt, id] = /^(-?\d{1,15})\.(.{1,255})$/.exec(text) ?? [];
    if (openedAt !== undefined && id !== undefined && isNoCardIdentifier(text))
      return { openedAtMs: Number(openedAt), id };
    context.addIssue({
      code: 'custom',
      params: { code: 'invalid_value' },
      message: 'Use the nextCursor of an earlier answer.',
    });
    return z.NEVER;
  })
  .openapi({ type: 'string' });

/** The cursor that continues after a dispute. */
export function cursorAfter({ openedAtMs, id }: DisputePlace): string {
  return `${openedAtMs}.${id}`;
}

/** The body of `list`: `from` is inclusive, `to` exclusive. */
export const listBody = z.object({
  reference: reference.optional(),
  status: disputeStatusSchema.optional(),
  from: instant.optional(),
  to: instant.optional(),
  limit: z.int().min(1).max(200).openapi({ example: 100 }).optional(),
  cursor: cursor.optional(),
});

/** The answer of `list`. */
export const listAnswer = z.object({
  success: z.literal(true),
  disputes: z.array(disputeSchema),
  nextCursor: z.string().nullable(),
});
