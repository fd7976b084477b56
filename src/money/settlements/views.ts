import { z } from '@hono/zod-openapi';
import { storedDecimal } from '../../core/money.ts';
import { named } from '../../platform/views.ts';
import { transactions } from '../../schema/moneyTables.ts';
import { type SettlementRow, settlements } from '../../schema/settlementTables.ts';
import { isSettled, progressOf, type StepRows, sumsOf } from './rules/progress.ts';

/** A settlement (interface: Apply a cancellation). Amounts are without fees. */
export const settlementSchema = named('Settlement', {
  settlementId: z.string().describe('32 hex digits'),
  status: z
    .enum(settlements.status.enumValues)
    .describe('`settling` until each step has its outcome; `incomplete` where one failed for good'),
  kept: z.number().describe('what the property keeps: paid, charged and captured less refunded'),
  charged: z.number().describe('what the card was charged for it'),
  captured: z.number().describe('what of holds was captured'),
  refunded: z.number().describe('what was given back; Bonds are left out'),
  released: z.number().describe('what of holds was released'),
  uncollected: z.number().describe('what is kept by the policy, but could not be taken'),
  steps: z
    .array(
      z.object({
        what: z
          .enum(['capture', 'charge', 'refund', 'release', 'bond'])
          .describe('what it does; `bond` gives a Bond back'),
        chargeId: z.int().describe('the charge or hold'),
        refundId: z.int().nullable().describe('of `refund` and `bond`'),
        amount: z.number().describe('of a refund with the fees that go back, else without fees'),
        status: z
          .enum([...transactions.status.enumValues, 'Refunded'])
          .describe('of the transaction or refund'),
      }),
    )
    .describe('in their order: money comes in before it goes out'),
});

export type SettlementView = z.infer<typeof settlementSchema>;

/** A settlement as its rows are now. One that has ended is as complete as they are. */
export function settlementView(
  row: SettlementRow,
  rows: StepRows,
  currency: string,
): SettlementView {
  const progress = progressOf(row, rows);
  const sums = sumsOf(row, progress);
  const amount = (minor: number) => storedDecimal(minor, currency);
  const ended = isSettled(row, progress) ? 'settled' : 'incomplete';
  return {
    settlementId: row.id,
    status: row.status === 'settling' ? row.status : ended,
    kept: amount(sums.keptMinor),
    charged: amount(sums.chargedMinor),
    captured: amount(sums.capturedMinor),
    refunded: amount(sums.refundedMinor),
    released: amount(sums.releasedMinor),
    uncollected: amount(sums.uncollectedMinor),
    steps: progress.map(({ chargeId, refundId, shownMinor, status, what }) => ({
      what,
      chargeId,
      refundId,
      amount: amount(shownMinor),
      status,
    })),
  };
}
