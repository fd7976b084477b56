import { z } from '@hono/zod-openapi';
import { type Failure, failure } from '../../core/failure.ts';
import { storedDecimal } from '../../core/money.ts';
import { err, ok, type Result, refuse } from '../../core/result.ts';
import { sumOf } from '../../core/sum.ts';
import { localTimestamp, offsetTimestamp } from '../../core/time.ts';
import type { Outcome } from '../../gateways/gateway.ts';
import { type CardSummary, cardDetailsSchema, cardDetailsView } from '../../records/cards/views.ts';
import { type RefundRow, refunds } from '../../schema/moneyTables.ts';
import type { shownRefundColumns } from './store.ts';

/** The fields that every view of a refund has (interface: The refund object). */
const refundFieldsSchema = z.object({
  id: z.int().describe('odd; charges have even ids'),
  amount: z.number().describe('what the guest gets back'),
  creditCardFee: z.literal(0).describe('refunds bear no fees'),
  transactionFee: z.literal(0).describe('refunds bear no fees'),
  reference: z.string().describe("the refund's own"),
  bookingReference: z.string(),
  type: z.literal('RefundManual'),
  timeStamp: z.string().describe('local time in the answer to a refund, with offset in lists'),
  cardDetails: cardDetailsSchema,
});

/** A refund record as create answers show it: without `status`. */
export const refundSchema = refundFieldsSchema.openapi('Refund');

export type RefundView = z.infer<typeof refundSchema>;

/** A refund record with its status: in lists, and in answers to refunds with an unknown outcome. */
export const listedRefundSchema = refundFieldsSchema
  .extend({
    status: z.enum(refunds.status.enumValues).describe('in lists, and with `504`'),
    origin: z
      .literal('gateway')
      .optional()
      .describe('somebody made the refund at the gateway, past this service'),
  })
  .openapi('ListedRefund');

export type ShownRefund = Pick<RefundRow, keyof typeof shownRefundColumns>;

/** A refund as create answers show it: with local time without offset. */
export function createdRefundView(
  row: ShownRefund,
  card: CardSummary | null,
  timeZone: string,
): RefundView {
  return {
    ...refundView(row, card, timeZone),
    timeStamp: localTimestamp(row.createdAtMs, timeZone),
  };
}

/** A refund as lists show it: with its status, its origin if that is the gateway, and time with offset. */
export function listedRefundView(
  row: ShownRefund,
  card: CardSummary | null,
  timeZone: string,
): z.infer<typeof listedRefundSchema> {
  return {
    ...refundView(row, card, timeZone),
    status: row.status,
    ...(row.origin === 'gateway' && { origin: row.origin }),
  };
}

function refundView(row: ShownRefund, card: CardSummary | null, timeZone: string): RefundView {
  return {
    id: row.id,
    amount: storedDecimal(row.amountMinor, row.currency),
    creditCardFee: 0,
    transactionFee: 0,
    reference: row.reference,
    bookingReference: row.bookingReference,
    type: 'RefundManual',
    timeStamp: offsetTimestamp(row.createdAtMs, timeZone),
    cardDetails: cardDetailsView(card, { currency: row.currency, timeZone }),
  };
}

/** The answer to a refund request: one record for each charge that was refunded. */
export const refundsAnswerSchema = z.object({
  refunds: z.array(refundSchema).describe('one for each charge that was refunded'),
});

export type RefundsAnswer = z.infer<typeof refundsAnswerSchema>;

/** A refund request after its last round. */
export interface RefundProgress {
  readonly askedMinor: number;
  /** The records that the request made, in any status. */
  readonly refunds: readonly RefundRow[];
  /** The last outcome that failed a part; null if there was none, or it is no longer known. */
  readonly rejection: Outcome | null;
  /** Why nothing more is refunded, where a charge is disputed; null otherwise. */
  readonly disputed: Failure | null;
}

/**
 * The answer to a refund request, from the records that it made. While a part is in `Processing`, the outcome is
 * unknown. If less was refunded than requested, the failure says why and lists what was refunded.
 */
export function refundAnswer(
  { askedMinor, refunds, rejection, disputed }: RefundProgress,
  cardOf: (chargeId: number) => CardSummary | null,
  timeZone: string,
): Result<RefundsAnswer> {
  const view = (row: RefundRow) => createdRefundView(row, cardOf(row.transactionId), timeZone);
  if (refunds.some(({ status }) => status === 'Processing')) {
    const notFailed = refunds.filter(({ status }) => status !== 'Failed');
    const members = { refunds: notFailed.map((row) => ({ ...view(row), status: row.status })) };
    const detail =
      'The gateway did not answer. The service is checking the outcome and refunds nothing twice.';
    return refuse('outcome_unknown', detail, members);
  }
  const made = refunds.filter(({ status }) => status === 'Refunded');
  const sumMinor = sumOf(made, 'amountMinor');
  const views = made.map(view);
  if (sumMinor === askedMinor) return ok({ refunds: views });
  return err(
    disputed ? { ...disputed, members: { refunds: views } } : notRefunded(rejection, views),
  );
}

function notRefunded(rejection: Outcome | null, refunds: RefundView[]): Failure {
  const detail =
    refunds.length === 0
      ? 'The gateway did not accept the refund. Nothing was refunded.'
      : 'The gateway did not accept the whole refund. `refunds` lists what was refunded.';
  if (rejection?.kind !== 'declined') return failure('gateway_error', detail, { refunds });
  const { declineCode, retryable } = rejection;
  return failure('card_declined', detail, { declineCode, retryable, refunds });
}
