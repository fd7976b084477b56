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
import { LONGEST_HOLD_DAYS, LONGEST_SCHEDULE_YEARS } from '../../money/payments/rules.ts';

/** Guests pay on their pages only, where their bank can ask them. */
const initiator = z
  .enum(['property', 'phone'], { error: 'Use property or phone: guests pay on the payment page.' })
  .optional()
  .describe('who asks for the payment: see Who pays; `property` when left out');

function paymentFields(exponent: number) {
  return {
    reference,
    amount: amount(exponent).describe('what the property is to receive, without fees'),
    isVirtualCard: z.boolean().optional().describe('`true` charges no fees'),
    description: description.optional().describe('goes to the gateway and the PMS'),
    transactionType: z
      .enum(['Deposit', 'Balance', 'Bond', 'Manual'])
      .optional()
      .describe('`Manual` when left out'),
    token: cardToken
      .optional()
      .describe('charges this card of the property, in place of the one in use'),
    initiator,
  };
}

const limitToDue = z
  .boolean()
  .optional()
  .describe('takes what is due, at most; a schedule when it fires: see The guard');

const quoteId = name(4_000).optional().describe('charges exactly this quote: see Quotes');

const allowDuplicate = z
  .boolean()
  .optional()
  .describe('makes the payment although the booking has one like it: see Duplicates');

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
    preAuth: z
      .boolean()
      .optional()
      .describe('`true` makes it a pre-authorization; without it, `expiryTime` is ignored'),
    expiryTime: z.unknown().optional().openapi({
      type: 'string',
      format: 'date-time',
      description: 'with `preAuth`, required: when the hold ends; ahead, at most 30 days',
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
    time: futureInstant((nowMs) => yearsAfterMs(nowMs, LONGEST_SCHEDULE_YEARS), times).describe(
      'when to charge; ahead, at most two years',
    ),
  });
}

export const transactionBody = z.object({ reference, chargeId });

export function captureBody(exponent: number) {
  return z.object({
    reference,
    chargeId,
    amount: amount(exponent).optional().describe('without fees; all of it when left out'),
  });
}
