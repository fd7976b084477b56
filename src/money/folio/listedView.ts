import { z } from '@hono/zod-openapi';
import { storedDecimal } from '../../core/money.ts';
import { offsetTimestamp } from '../../core/time.ts';
import type { CardSummary } from '../../records/cards/views.ts';
import type { DisputeRow } from '../../schema/disputeTables.ts';
import { disputeStatusSchema } from '../disputes/views.ts';
import {
  fieldsWithOffset,
  holdUntilOf,
  holdUntilSchema,
  type ShownTransaction,
  transactionFieldsSchema,
  transactionStatusSchema,
} from '../payments/views.ts';
import { listedRefundSchema, listedRefundView, type ShownRefund } from '../refunds/views.ts';

/** A dispute as its transaction shows it (interface: Disputes). */
const listedDisputeSchema = z
  .object({
    disputeId: z.string(),
    status: disputeStatusSchema,
    reason: z.string(),
    amount: z.number(),
    openedOn: z.string(),
  })
  .openapi('TransactionDispute');

/** A payment transaction as lists show it (interface: List transactions). */
export const listedTransactionSchema = transactionFieldsSchema
  .extend({
    reference: z.string(),
    status: transactionStatusSchema,
    scheduledTime: z.string().nullable().optional(),
    dispute: listedDisputeSchema
      .optional()
      .describe("In lists, when the cardholder's bank disputes the charge."),
    initiator: z
      .enum(['guest', 'phone'])
      .optional()
      .describe('Who asked for it, unless the property did by itself.'),
    attempts: z.int().optional().describe('For schedules: the number of attempts'),
    preAuth: z.literal(true).optional(),
    expiryTime: z.string().nullable().optional(),
    holdUntil: holdUntilSchema,
    refunds: z.array(listedRefundSchema),
  })
  .openapi('ListedTransaction');

export type ListedTransactionView = z.infer<typeof listedTransactionSchema>;

/** The columns of a dispute that its transaction shows. */
export type ShownDispute = Pick<
  DisputeRow,
  'id' | 'status' | 'reason' | 'amountMinor' | 'currency' | 'openedAtMs'
>;

/** A transaction as lists show it: status, refunds, time with offset, and the fields of its kind. */
export function listedView(
  row: ShownTransaction,
  card: CardSummary | null,
  refunds: readonly ShownRefund[],
  dispute: ShownDispute | null,
  timeZone: string,
): ListedTransactionView {
  const { scheduledTime, expiryTime, attempts, initiator } = row;
  return {
    ...fieldsWithOffset(row, card, timeZone),
    reference: row.reference,
    status: row.status,
    ...(initiator !== 'property' && { initiator }),
    ...(row.kind === 'schedule' && { scheduledTime, attempts }),
    ...(row.kind === 'authorization' && {
      preAuth: true as const,
      expiryTime,
      holdUntil: holdUntilOf(row, timeZone),
    }),
    ...(dispute && { dispute: listedDisputeView(dispute, timeZone) }),
    refunds: refunds.map((refund) => listedRefundView(refund, card, timeZone)),
  };
}

function listedDisputeView(dispute: ShownDispute, timeZone: string) {
  return {
    disputeId: dispute.id,
    status: dispute.status,
    reason: dispute.reason,
    amount: storedDecimal(dispute.amountMinor, dispute.currency),
    openedOn: offsetTimestamp(dispute.openedAtMs, timeZone),
  };
}
