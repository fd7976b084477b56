import { z } from '@hono/zod-openapi';
import { instantOf, parseDayMonthYear, parseIsoDate } from '../../core/time.ts';
import type { Bound } from '../../disbursements/actions.ts';
import {
  detailedDisbursementSchema,
  disbursementSchema,
  disbursementStatusSchema,
} from '../../disbursements/views.ts';
import { code } from '../../http/fields.ts';
import { nextPage, pageFields } from '../../http/listFields.ts';

/** A disbursement's identifier. Any other text is simply not found. */
const disbursementId = code(200).openapi({ example: 'sandbox-2027-02-14' });

const bound = z
  .string()
  .transform((text, context): Bound => {
    const day = parseIsoDate(text) ?? parseDayMonthYear(text);
    if (day !== null) return { day };
    const atMs = instantOf(text);
    if (atMs !== null) return { atMs };
    context.addIssue({
      code: 'custom',
      params: { code: 'invalid_value' },
      message: 'Use a day as YYYY-MM-DD or DD-MM-YYYY, or a time with offset.',
    });
    return z.NEVER;
  })
  .openapi({ example: '2027-02-14' });

/** The body of `get-details`. */
export const detailsBody = z.object({ disbursementId });

/** The body of `get-all`. Bounds that are days are inclusive; of two instants, the later is exclusive. */
export const listBody = z.object({
  from: bound.optional().describe('a date, `DD-MM-YYYY` or a time; by `timeEffective`, inclusive'),
  to: bound.optional().describe('a day is inclusive, a time exclusive'),
  status: disbursementStatusSchema.optional(),
  ...pageFields,
});

/** The answer of `get-details`. */
export const detailsAnswer = z.object({
  success: z.literal(true),
  disbursement: detailedDisbursementSchema,
});

/** The answer of `get-all`. */
export const listAnswer = z.object({
  success: z.literal(true),
  disbursements: z.array(disbursementSchema),
  nextCursor: nextPage,
});
