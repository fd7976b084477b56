import { z } from '@hono/zod-openapi';
import { storedDecimal } from '../../core/money.ts';
import { localTimestamp, offsetTimestamp } from '../../core/time.ts';
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

export type RefundStatusView = z.infer<typeof listedRefundSchema>;

/** The columns of a refund that views show. */
export type ShownRefund = Pick<RefundRow, keyof typeof shownRefundColumns>;

/** A refund as create answers show it: with local time without offset. */
export function createdRefundView(
  row: ShownRefund,
  card: CardSummary | null,
  timeZone: string,
): RefundView {
  return refundView(row, card, localTimestamp(row.createdAtMs, timeZone));
}

/** A refund as lists show it: with its status, its origin if that is the gateway, and time with offset. */
export function listedRefundView(
  row: ShownRefund,
  card: CardSummary | null,
  timeZone: string,
): RefundStatusView {
  return {
    ...refundView(row, card, offsetTimestamp(row.createdAtMs, timeZone)),
    status: row.status,
    ...(row.origin === 'gateway' && { origin: row.origin }),
  };
}

function refundView(row: ShownRefund, card: CardSummary | null, timeStamp: string): RefundView {
  return {
    id: row.id,
    amount: storedDecimal(row.amountMinor, row.currency),
    creditCardFee: 0,
    transactionFee: 0,
    reference: row.reference,
    bookingReference: row.bookingReference,
    type: 'RefundManual',
    timeStamp,
    cardDetails: cardDetailsView(card, row.currency),
  };
}
