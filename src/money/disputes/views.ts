import { z } from '@hono/zod-openapi';
import { storedDecimal } from '../../core/money.ts';
import { pick } from '../../core/pick.ts';
import { offsetTimestamp } from '../../core/time.ts';
import { named, shownTime } from '../../platform/views.ts';
import { type DisputeRow, disputes } from '../../schema/disputeTables.ts';

export const disputeStatusSchema = z.enum(disputes.status.enumValues);

/** A dispute in the list of a property's disputes (interface: List disputes). */
export const disputeSchema = named('Dispute', {
  disputeId: z.string().describe("the gateway's id"),
  bookingReference: z.string(),
  chargeId: z.int().describe('the disputed charge'),
  amount: z.number().describe('the disputed amount'),
  fee: z.number().describe('what the gateway charges for the dispute itself'),
  currency: z.string().describe('ISO 4217 code'),
  reason: z.string().describe("the gateway's word, such as `fraudulent`"),
  status: disputeStatusSchema,
  stage: z
    .enum(['inquiry', 'chargeback'])
    .optional()
    .describe('`inquiry` while nothing was ever withdrawn; absent in older events'),
  respondBy: shownTime.nullable().describe('when an answer is due at the latest'),
  openedAt: shownTime.describe('when it was opened'),
  closedAt: shownTime.nullable().describe('when it was won or lost'),
});

export type DisputeView = z.infer<typeof disputeSchema>;

/** Converts a dispute for the list, with times of the property's zone. */
export function disputeView(
  row: DisputeRow & Pick<DisputeView, 'stage'>,
  timeZone: string,
): DisputeView {
  const time = (atMs: number | null) => (atMs === null ? null : offsetTimestamp(atMs, timeZone));
  return {
    disputeId: row.id,
    bookingReference: row.bookingReference,
    chargeId: row.transactionId,
    amount: storedDecimal(row.amountMinor, row.currency),
    fee: storedDecimal(row.feeMinor, row.currency),
    ...pick(row, 'currency', 'reason', 'status'),
    ...(row.stage && { stage: row.stage }),
    respondBy: time(row.respondByMs),
    openedAt: offsetTimestamp(row.openedAtMs, timeZone),
    closedAt: time(row.closedAtMs),
  };
}
