import { z } from '@hono/zod-openapi';
import { DAY_MS, yearsAfterMs } from '../core/time.ts';
import { refunds, transactions } from '../db/moneyTables.ts';
import { amount, chargeId, description, futureInstant, reference, text } from '../http/fields.ts';

/** The card that a transaction or a refund was made on. */
export const cardDetails = z
  .object({
    cardNumber: z.string().openapi({ example: '4242', description: 'The last four digits' }),
    cardType: z.string().openapi({ example: 'visa' }),
    currency: z.string().openapi({ example: 'AUD' }),
    token: z.string(),
  })
  .nullable()
  .openapi('CardDetails');

const face = {
  id: z.int(),
  amount: z.number().openapi({ example: 154.64 }),
  creditCardFee: z.number().openapi({ example: 4.64 }),
  transactionFee: z.number().openapi({ example: 0 }),
  bookingReference: z.string(),
  type: z.string().openapi({ example: 'PaymentManual' }),
  timeStamp: z.string(),
  cardDetails,
};

const status = z.enum(transactions.status.enumValues);

/** A refund with its status, as lists show it. */
const listedRefund = z
  .object({ ...face, reference: z.string(), status: z.enum(refunds.status.enumValues) })
  .openapi('ListedRefund');

const transaction = z
  .object({
    ...face,
    reference: z.string().optional().describe('Not for a schedule'),
    status: status.optional().describe('For schedules and pre-authorizations'),
    scheduledTime: z.string().optional().describe('For schedules, as it was sent'),
    preAuth: z.literal(true).optional(),
    expiryTime: z.string().optional().describe('For pre-authorizations, as it was sent'),
  })
  .openapi('Transaction');

const listedTransaction = z
  .object({
    ...face,
    reference: z.string(),
    status,
    scheduledTime: z.string().optional(),
    dispute: z
      .object({
        disputeId: z.string(),
        status: z.string().describe("The acquirer's word, such as `needs_response` or `lost`."),
        reason: z.string(),
        amount: z.number(),
        openedOn: z.string(),
      })
      .optional()
      .describe("In lists, when the cardholder's bank disputes the charge."),
    attempts: z.int().optional().describe('For schedules: how often the card was tried'),
    preAuth: z.literal(true).optional(),
    expiryTime: z.string().optional(),
    refunds: z.array(listedRefund),
  })
  .openapi('ListedTransaction');

/** How far ahead a pre-authorization may expire. */
const LONGEST_HOLD_DAYS = 30;

/** How far ahead a charge may be scheduled. */
const LONGEST_SCHEDULE_YEARS = 2;

function paymentFields(exponent: number) {
  return {
    reference,
    amount: amount(exponent),
    isVirtualCard: z.boolean().optional(),
    description: description.optional(),
    transactionType: z.enum(['Deposit', 'Balance', 'Bond', 'Manual']).optional(),
    token: text(64)
      .optional()
      .describe('A card token; when absent, the booking’s card is charged.'),
  };
}

function holdExpiry(pastTimes: boolean) {
  return futureInstant((nowMs) => nowMs + LONGEST_HOLD_DAYS * DAY_MS, pastTimes);
}

/** The body of create (interface: 4.1); with `preAuth`, of a pre-authorization (decisions: section 5). */
export function paymentBody(exponent: number, pastTimes: boolean) {
  const fields = z.object({
    ...paymentFields(exponent),
    preAuth: z.boolean().optional(),
    expiryTime: z.unknown().optional().openapi({
      type: 'string',
      description: 'With preAuth: when the hold ends, ISO 8601 with offset, at most 30 days ahead.',
    }),
  });
  return HOLD_FAULTS.reduce(
    (schema, code) =>
      schema.refine((body) => holdFault(body, pastTimes) !== code, {
        path: ['expiryTime'],
        params: { code },
        message: 'With preAuth, a time ahead of at most 30 days, ISO 8601 with offset.',
        // Whatever is wrong with other fields, every faulty one is named at once.
        when: ({ value }) => value !== null && typeof value === 'object',
      }),
    fields,
  ).transform(({ preAuth, expiryTime, ...payment }) => ({
    ...payment,
    hold: preAuth ? holdExpiry(true).parse(expiryTime) : null,
  }));
}

const HOLD_FAULTS = ['required', 'invalid_time', 'time_in_past', 'time_too_far'] as const;

/** What is wrong with the expiry of a pre-authorization; a charge that is none may carry whatever it likes there. */
function holdFault(body: { preAuth?: unknown; expiryTime?: unknown }, pastTimes: boolean) {
  if (body.preAuth !== true) return null;
  if (body.expiryTime === undefined) return 'required';
  const read = holdExpiry(pastTimes).safeParse(body.expiryTime);
  if (read.success) return null;
  const [issue] = read.error.issues;
  const code = issue?.code === 'custom' ? issue.params?.['code'] : undefined;
  return HOLD_FAULTS.find((fault) => fault === code) ?? 'invalid_time';
}

/** The body of schedule (interface: 4.2). */
export function scheduleBody(exponent: number, pastTimes: boolean) {
  return z.object({
    ...paymentFields(exponent),
    time: futureInstant((nowMs) => yearsAfterMs(nowMs, LONGEST_SCHEDULE_YEARS), pastTimes),
  });
}

/** The body of an operation on one transaction of a booking. */
export const transactionBody = z.object({ reference, chargeId });

/** The body of charging a pre-authorization. */
export function captureBody(exponent: number) {
  return z.object({ reference, chargeId, amount: amount(exponent).optional() });
}

/** What an operation on one transaction answers. */
export const transactionAnswer = z.object({
  success: z.literal(true),
  transaction,
  warnings: z.array(z.string()).optional(),
});

/** What cancel-schedules answers. */
export const cancelledSchedulesAnswer = z.object({
  success: z.literal(true),
  cancelled: z.array(transaction),
  skipped: z.array(z.object({ id: z.int(), status })),
});

/** What the list answers: `success` is the integer 1. */
export const listAnswer = z.object({
  success: z.literal(1),
  transactions: z.array(listedTransaction),
});

/** What get-transaction answers. */
export const listedTransactionAnswer = z.object({
  success: z.literal(true),
  transaction: listedTransaction,
});
