import { z } from '@hono/zod-openapi';
import { instantOf, parseDayMonthYear, parseIsoDate } from '../core/time.ts';
import { pageLimit } from '../http/fields.ts';
import type { Bound } from './actions.ts';

const statuses = z.enum(['not_paid_out', 'in_transit', 'paid_out', 'failed']);

/** A disbursement's name; whatever cannot be one is of none. */
const disbursementId = z.string().min(1).max(200).openapi({ example: 'sandbox-2027-02-14' });

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
      message: 'A day as YYYY-MM-DD or DD-MM-YYYY, or a time with offset.',
    });
    return z.NEVER;
  })
  .openapi({ type: 'string', example: '2027-02-14' });

/** The body of `get-details`. */
export const detailsBody = z.object({ disbursementId });

/** The body of `get-all`: both bounds are inclusive days, or instants of which the later is exclusive. */
export const listBody = z.object({
  from: bound.optional(),
  to: bound.optional(),
  status: statuses.optional(),
  limit: pageLimit.optional(),
  cursor: disbursementId.optional(),
});

const header = z
  .object({
    disbursementId: z.string(),
    gatewayId: z.string().describe('Who pays out.'),
    status: statuses,
    currency: z.string(),
    grossAmount: z.number(),
    fee: z.number(),
    netAmount: z.number(),
    description: z.string(),
    timeEffective: z.string(),
    expectedArrivalDate: z.string(),
  })
  .openapi('Disbursement');

const item = z
  .object({
    itemId: z.string(),
    gatewayTransactionId: z.string().nullable(),
    description: z.string(),
    reportingCategory: z.enum(['sale', 'refund', 'dispute', 'refund_failure', 'adjustment']),
    currency: z.string(),
    grossAmount: z.number().describe('Negative for what leaves the property.'),
    fee: z.number(),
    netAmount: z.number(),
    threeDSAuthenticated: z.boolean(),
    timeEffective: z.string(),
    createdOn: z.string(),
    timeAvailable: z.string(),
  })
  .openapi('DisbursementItem');

/** What `get-details` answers. */
export const detailsAnswer = z.object({
  success: z.literal(true),
  disbursement: header.extend({ transactions: z.array(item) }).openapi('DisbursementDetails'),
});

/** What `get-all` answers. */
export const listAnswer = z.object({
  success: z.literal(true),
  disbursements: z.array(header),
  nextCursor: z.string().nullable(),
});
