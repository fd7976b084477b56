import { z } from '@hono/zod-openapi';
import type { FieldIssue } from '../../core/failure.ts';
import { DAY_MS, yearsAfterMs } from '../../core/time.ts';
import { bodyCheck } from '../../http/bodyCheck.ts';
import {
  amount,
  cardToken,
  chargeId,
  description,
  flag,
  futureInstant,
  name,
  reference,
  type TimeJudge,
} from '../../http/fields.ts';
import { fieldIssues } from '../../http/issues.ts';
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
    isVirtualCard: flag('`true` charges no fees'),
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

const limitToDue = flag('takes what is due, at most; a schedule when it fires: see The guard');

const quoteId = name(4_000).optional().describe('charges exactly this quote: see Quotes');

const allowDuplicate = flag(
  'makes the payment although the booking has one like it: see Duplicates',
);

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
    preAuth: flag('`true` makes it a pre-authorization; without it, `expiryTime` is ignored'),
    expiryTime: z.unknown().optional().openapi({
      type: 'string',
      format: 'date-time',
      description: 'with `preAuth`, required: when the hold ends; ahead, at most 30 days',
    }),
  });
  return fields
    .check(bodyCheck((body) => holdIssues(body, times)))
    .transform(({ preAuth, expiryTime, ...payment }) => ({
      ...payment,
      hold: preAuth ? holdExpiry({ ...times, pastTimes: true }).parse(expiryTime) : null,
    }));
}

/** What is wrong with a pre-authorization's expiry. Charges ignore the field. */
function holdIssues(
  { preAuth, expiryTime }: Readonly<Record<string, unknown>>,
  times: TimeJudge,
): FieldIssue[] {
  if (preAuth !== true) return [];
  const read = holdExpiry(times).safeParse(expiryTime);
  if (read.success) return [];
  const [{ code } = { code: 'invalid_time' }] = fieldIssues(expiryTime, read.error);
  const message = 'With preAuth, use a future time at most 30 days ahead, as ISO 8601 with offset.';
  return [{ field: 'expiryTime', code: code === 'invalid_type' ? 'invalid_time' : code, message }];
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
