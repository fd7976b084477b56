import { z } from '@hono/zod-openapi';
import { code, description, instant } from '../../http/fields.ts';
import { pageFields } from '../../http/listFields.ts';
import { exceptionSchema } from '../../reconciliation/views.ts';
import { exceptions } from '../../schema/reconciliationTables.ts';

const exceptionId = z.uuid();

/** The body of `list`. */
export const listBody = z.object({
  property: code(64).optional(),
  status: z.enum(exceptions.status.enumValues).optional(),
  ...pageFields,
});

/** The body of `run`. `to` is exclusive. */
export const runBody = z.object({ property: code(64), from: instant, to: instant });

/** The body of `accept`. */
export const acceptBody = z.object({ exceptionId, reason: description.min(1) });

/** The answer of `list`. */
export const listAnswer = z.object({
  success: z.literal(true),
  exceptions: z.array(exceptionSchema),
  nextCursor: z.string().nullable(),
});

/** The answer of `run`. */
export const runAnswer = z.object({
  success: z.literal(true),
  compared: z.int().describe('How many movements of the acquirer were looked at.'),
  corrected: z.int().describe('How many corrections were made.'),
  exceptions: z.int().describe('How many exceptions are new.'),
});

/** The answer of `accept`. */
export const acceptAnswer = z.object({ success: z.literal(true), exception: exceptionSchema });
