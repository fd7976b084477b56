import { z } from '@hono/zod-openapi';
import { code, description, instant } from '../../http/fields.ts';
import { nextPage, pageFields } from '../../http/listFields.ts';
import { exceptionSchema } from '../../reconciliation/views.ts';
import { exceptions } from '../../schema/reconciliationTables.ts';

const exceptionId = z.uuid();

/** The body of `list`. */
export const listBody = z.object({
  property: code(64).optional().describe('only its exceptions'),
  status: z.enum(exceptions.status.enumValues).optional().describe('only these'),
  ...pageFields,
});

/** The body of `run`. `to` is exclusive. */
export const runBody = z.object({
  property: code(64).describe('the one to compare'),
  from: instant.describe('at most 31 days before `to`'),
  to: instant.describe('exclusive'),
});

/** The body of `accept`. */
export const acceptBody = z.object({
  exceptionId: exceptionId.describe('of the list'),
  reason: description.min(1).describe('kept in the audit trail'),
});

/** The answer of `list`. */
export const listAnswer = z.object({
  success: z.literal(true),
  exceptions: z.array(exceptionSchema),
  nextCursor: nextPage,
});

/** The answer of `run`. */
export const runAnswer = z.object({
  success: z.literal(true),
  compared: z.int().describe('movements of the acquirer that were looked at'),
  corrected: z.int().describe('corrections that were made'),
  exceptions: z.int().describe('how many are new'),
});

/** The answer of `accept`. */
export const acceptAnswer = z.object({ success: z.literal(true), exception: exceptionSchema });
