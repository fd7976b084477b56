import { z } from '@hono/zod-openapi';
import { storedDecimal } from '../../core/money.ts';
import { offsetTimestamp } from '../../core/time.ts';
import { shownTime } from '../../platform/views.ts';
import type { CardSummary } from '../../records/cards/views.ts';
import type { DisputeRow } from '../../schema/disputeTables.ts';
import { disputeStatusSchema } from '../disputes/views.ts';
import {
  fieldsWithOffset,
  holdFields,
  holdUntilOf,
  type ShownTransaction,
  scheduledTimeSchema,
  transactionFieldsSchema,
  transactionStatusSchema,
} from '../payments/views.ts';
import { listedRefundSchema, listedRefundView, type ShownRefund } from '../refunds/views.ts';

/** A dispute as its transaction shows it (interface: Disputes). */
const listedDisputeSchema = z
  .object({
    disputeId: z.string().describe("the gateway's id"),
    status: disputeStatusSchema,
    reason: z.string().describe("the gateway's word, such as `fraudulent`"),
    amount: z.number().describe('the disputed amount'),
    openedOn: shownTime.describe('when it was opened'),
  })
  .openapi('TransactionDispute', { description: 'the one that was opened last: see Disputes' });

/** A payment transaction as lists show it (interface: List transactions). */
export const listedTransactionSchema = transactionFieldsSchema
  .extend({
    reference: z.string().describe("the transaction's own"),
    status: transactionStatusSchema,
    scheduledTime: scheduledTimeSchema,
    dispute: listedDisputeSchema.optional(),
    initiator: z
      .enum(['guest', 'phone'])
      .optional()
      .describe('who asked for it, unless the property by itself: see Who pays'),
    attempts: z.int().optional().describe('of a schedule: how often a card was tried'),
    limitToDue: z
      .literal(true)
      .optional()
      .describe('of a schedule that takes what is due, at most: see The guard'),
    ...holdFields,
    refunds: z.array(listedRefundSchema).describe('of this charge'),
  })
  .openapi('ListedTransaction');

export type ListedTransactionView = z.infer<typeof listedTransactionSchema>;

/** A transaction as lists show it: status, refunds, time with offset, and the fields of its kind. */
export function listedView(
  row: ShownTransaction,
  card: CardSummary | null,
  refunds: readonly ShownRefund[],
  dispute: DisputeRow | null,
  timeZone: string,
): ListedTransactionView {
  const { scheduledTime, expiryTime, attempts, initiator } = row;
  return {
    ...fieldsWithOffset(row, card, timeZone),
    reference: row.reference,
    status: row.status,
    ...(initiator !== 'property' && { initiator }),
    ...(row.kind === 'schedule' && { scheduledTime, attempts }),
    ...(row.limitToDue && { limitToDue: true as const }),
    ...(row.kind === 'authorization' && {
      preAuth: true as const,
      expiryTime,
      holdUntil: holdUntilOf(row, timeZone),
    }),
    ...(dispute && { dispute: listedDisputeView(dispute, timeZone) }),
    refunds: refunds.map((refund) => listedRefundView(refund, card, timeZone)),
  };
}

function listedDisputeView(dispute: DisputeRow, timeZone: string) {
  return {
    disputeId: dispute.id,
    status: dispute.status,
    reason: dispute.reason,
    amount: storedDecimal(dispute.amountMinor, dispute.currency),
    openedOn: offsetTimestamp(dispute.openedAtMs, timeZone),
  };
}
