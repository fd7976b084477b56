import { z } from '@hono/zod-openapi';
import { DAY_MS, yearsAfterMs } from '../../core/time.ts';
import {
  amount,
  cardToken,
  chargeId,
  description,
  futureInstant,
  name,
  reference,
  type TimeJudge,
} from '../../http/fields.ts';
import { listedTransactionSchema } from '../../money/folio/listedView.ts';
import { cancelledSchedulesSchema, transactionAnswerSchema } from '../../money/payments/views.ts';

/** The longest time until a pre-authorization expires. */
const LONGEST_HOLD_DAYS = 30;

/** The longest time until a scheduled charge. */
export const LONGEST_SCHEDULE_YEARS = 2;

/** Guests pay on their pages only, where their bank can ask them. */
const initiator = z
  .enum(['property', 'phone'], { error: 'Use property or phone: guests pay on the payment page.' })
  .optional()
  .describe('Who asks for the payment: the property by itself, or its guest by phone or mail.');

function paymentFields(exponent: number) {
  return {
    reference,
    amount: amount(exponent),
    isVirtualCard: z.boolean().optional(),
    description: description.optional(),
    transactionType: z.enum(['Deposit', 'Balance', 'Bond', 'Manual']).optional(),
    token: cardToken
      .optional()
      .describe('A card token. If omitted, the booking’s card is charged.'),
    initiator,
  };
}

const limitToDue = z
  .boolean()
  .optional()
  .describe('Take what is due, at most: a schedule when it fires, everything else now.');

const quoteId = name(4_000).optional().describe('Charge exactly this quote.');

const allowDuplicate = z
  .boolean()
  .optional()
  .describe('Make the payment although the booking has one like it.');

function holdExpiry(times: TimeJudge) {
  return futureInstant((nowMs) => nowMs + LONGEST_HOLD_DAYS * DAY_MS, times);
}

/**
 * The body of create: a charge (interface: Create a charge), or with `preAuth` a pre-authorization (interface: Create a
 * pre-authorization).
 */
export function paymentBody(exponent: number, times: TimeJudge) {
  const fields = z.object({
    ...paymentFields(exponent),
    limitToDue,
    allowDuplicate,
    quoteId,
    preAuth: z.boolean().optional(),
    expiryTime: z.unknown().optional().openapi({
      type: 'string',
      description:
        'With preAuth: the end of the hold, as ISO 8601 with offset, at most 30 days ahead.',
    }),
  });
  return HOLD_ISSUES.reduce(
    (schema, code) =>
      schema.refine((body) => holdIssue(body, times) !== code, {
        path: ['expiryTime'],
        params: { code },
        message: 'With preAuth, use a future time at most 30 days ahead, as ISO 8601 with offset.',
        // Check this even if other fields are invalid, so that the answer lists all issues at once.
        when: ({ value }) => value !== null && typeof value === 'object',
      }),
    fields,
  ).transform(({ preAuth, expiryTime, ...payment }) => ({
    ...payment,
    hold: preAuth ? holdExpiry({ ...times, pastTimes: true }).parse(expiryTime) : null,
  }));
}

const HOLD_ISSUES = ['required', 'invalid_time', 'time_in_past', 'time_too_far'] as const;

/** The issue of a pre-authorization's expiry, or null. Charges ignore the field. */
function holdIssue(body: { preAuth?: unknown; expiryTime?: unknown }, times: TimeJudge) {
  if (body.preAuth !== true) return null;
  if (body.expiryTime === undefined) return 'required';
  const read = holdExpiry(times).safeParse(body.expiryTime);
  if (read.success) return null;
  const [issue] = read.error.issues;
  const code = issue?.code === 'custom' ? issue.params?.['code'] : undefined;
  return HOLD_ISSUES.find((known) => known === code) ?? 'invalid_time';
}

/** The body of schedule (interface: Schedule a charge). */
export function scheduleBody(exponent: number, times: TimeJudge) {
  return z.object({
    ...paymentFields(exponent),
    limitToDue,
    time: futureInstant((nowMs) => yearsAfterMs(nowMs, LONGEST_SCHEDULE_YEARS), times),
  });
}

/** The body of an operation on one transaction of a booking. */
export const transactionBody = z.object({ reference, chargeId });

/** The body of charging a pre-authorization. */
export function captureBody(exponent: number) {
  return z.object({ reference, chargeId, amount: amount(exponent).optional() });
}

/** The answer of an operation on one transaction. */
export const transactionAnswer = z.object({
  success: z.literal(true),
  ...transactionAnswerSchema.shape,
});

/** The answer of cancel-schedules. */
export const cancelledSchedulesAnswer = z.object({
  success: z.literal(true),
  ...cancelledSchedulesSchema.shape,
});

/** The answer of the list: `success` is the integer 1. */
export const listAnswer = z.object({
  success: z.literal(1),
  transactions: z.array(listedTransactionSchema),
});

/** The answer of get-transaction. */
export const listedTransactionAnswer = z.object({
  success: z.literal(true),
  transaction: listedTransactionSchema,
});
