import { z } from '@hono/zod-openapi';
import { runPageSchema, variantSchema } from '../../exports/views.ts';
import { CARD_NUMBER, identifier, isNoCardIdentifier, pageLimit } from '../../http/fields.ts';

/** The body of `export/run`. */
export const runBody = z.object({ portfolio: identifier.optional(), variant: variantSchema });

/** The answer of `export/run`. */
export const runAnswer = z.object({ success: z.literal(true), runId: z.string() });

/** The body of `export/list`. */
export const listBody = z.object({
  portfolio: identifier.optional(),
  variant: variantSchema.optional(),
  limit: pageLimit.optional(),
  cursor: z.uuid().optional(),
});

/** The answer of `export/list`. */
export const listAnswer = z.object({
  success: z.literal(true),
  ...runPageSchema.shape,
});

/** The body of `export-user/create`. HTTP Basic allows no colon in a user name. */
export const userBody = z.object({
  portfolio: identifier.optional(),
  username: z
    .string()
    .regex(
      /^[\x21-\x39\x3b-\x7e]{1,100}$/,
      'Use 1 to 100 ASCII characters without spaces and colons.',
    )
    .refine(isNoCardIdentifier, CARD_NUMBER)
    .openapi({ example: 'warehouse' }),
});

/** The answer of `export-user/create`. */
export const userAnswer = z.object({
  success: z.literal(true),
  username: z.string(),
  password: z.string(),
});
