import { z } from '@hono/zod-openapi';
import { exportUserSchema, runSchema, variantSchema } from '../../exports/views.ts';
import { CARD_NUMBER, identifier, isNoCardIdentifier } from '../../http/fields.ts';
import { nextPage, pageFields } from '../../http/listFields.ts';

/** The portfolio of properties and export users without one of their own (exports: Two files a day). */
export const DEFAULT_PORTFOLIO = 'default';

/** The body of `export/run`. */
export const runBody = z.object({
  portfolio: identifier.optional().describe('`default` when left out'),
  variant: variantSchema.describe('which of the two files'),
});

/** The answer of `export/run`. */
export const runAnswer = z.object({
  success: z.literal(true),
  runId: z.string().describe('as in the list of runs'),
});

/** The body of `export/list`. */
export const listBody = z.object({
  portfolio: identifier.optional().describe('only its runs'),
  variant: variantSchema.optional().describe("only this file's"),
  ...pageFields,
});

/** The answer of `export/list`. */
export const listAnswer = z.object({
  success: z.literal(true),
  runs: z.array(runSchema),
  nextCursor: nextPage,
});

/** HTTP Basic allows no colon in a user name. */
const username = z
  .string()
  .regex(
    /^[\x21-\x39\x3b-\x7e]{1,100}$/,
    'Use 1 to 100 ASCII characters without spaces and colons.',
  )
  .refine(isNoCardIdentifier, CARD_NUMBER)
  .openapi({ example: 'warehouse' });

/** The body of `export-user/create`. */
export const userBody = z.object({
  portfolio: identifier.optional().describe('whose files they may fetch; `default` when left out'),
  username,
});

/** The body of `export-user/revoke`. */
export const revokeBody = z.object({ username });

/** The body of `export-user/list`. */
export const usersBody = z.object({
  portfolio: identifier.optional().describe('only its users'),
  ...pageFields,
});

/** The answer of `export-user/list`. */
export const usersAnswer = z.object({
  success: z.literal(true),
  exportUsers: z.array(exportUserSchema),
  nextCursor: nextPage,
});

/** The answer of `export-user/create`. */
export const userAnswer = z.object({
  success: z.literal(true),
  username: z.string().describe('for HTTP Basic'),
  password: z.string().describe('in this answer only'),
});
