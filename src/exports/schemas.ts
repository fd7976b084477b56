import { z } from '@hono/zod-openapi';
import { identifier, pageLimit } from '../http/fields.ts';
import { variants } from './variants.ts';

const variant = z.enum(variants);

const run = z
  .object({
    runId: z.string(),
    portfolio: z.string(),
    variant,
    date: z.string().describe('The UTC day that the file is of.'),
    cause: z.enum(['daily', 'admin']),
    status: z.enum(['Running', 'Complete', 'Failed']),
    rows: z.int().describe('Lines written so far.'),
    expectedRows: z.int().describe('How many it may come to, as far as is known by now.'),
    bytes: z.int(),
    sha256: z.string().nullable(),
    failure: z.string().nullable().describe('Why it ended, or what holds it up.'),
    startedAt: z.string(),
    finishedAt: z.string().nullable(),
  })
  .openapi('ExportRun');

/** The body of `export/run`. */
export const runBody = z.object({ portfolio: identifier.optional(), variant });

/** What `export/run` answers. */
export const runAnswer = z.object({ success: z.literal(true), runId: z.string() });

/** The body of `export/list`. */
export const listBody = z.object({
  portfolio: identifier.optional(),
  variant: variant.optional(),
  limit: pageLimit.optional(),
  cursor: z.uuid().optional(),
});

/** What `export/list` answers. */
export const listAnswer = z.object({
  success: z.literal(true),
  runs: z.array(run),
  nextCursor: z.string().nullable(),
});

/** The body of `export-user/create`; a colon cannot stand in a name of HTTP Basic. */
export const userBody = z.object({
  portfolio: identifier.optional(),
  username: z
    .string()
    .regex(/^[\x21-\x39\x3b-\x7e]{1,100}$/, '1 to 100 ASCII characters, no space and no colon.')
    .openapi({ example: 'warehouse' }),
});

/** What `export-user/create` answers. */
export const userAnswer = z.object({
  success: z.literal(true),
  username: z.string(),
  password: z.string(),
});
