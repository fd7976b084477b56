import { z } from '@hono/zod-openapi';
import { storedDecimal } from '../../core/money.ts';
import { exactTimestamp } from '../../core/time.ts';
import type { Balance } from './rules/balance.ts';

/** A booking's balance (interface: Get the balance). */
export const balanceSchema = z
  .object({
    bookingReference: z.string(),
    currency: z.string(),
    totalCost: z.number(),
    paid: z
      .number()
      .describe('What accepted charges brought, less what was given back or disputed.'),
    refunded: z.number(),
    disputed: z.number(),
    waived: z.number().describe('By how much refunds with `waive` lowered what the stay costs.'),
    uncertain: z.number().describe('What charges and captures in `Processing` may have taken.'),
    scheduled: z.number().describe('Of transactions in `Pending`.'),
    held: z.number().describe('Of transactions in `Authorized`.'),
    bonds: z.number().describe('What accepted Bonds brought, less what was given back.'),
    due: z.number().describe('`totalCost` less `paid` and `waived`; 0 if that is less.'),
    overpaid: z.number(),
    asOf: z.string(),
  })
  .openapi('Balance');

/** Converts a balance. `asOf` has milliseconds, so that the same instant can be asked for again. */
export function balanceView(
  bookingReference: string,
  balance: Balance & { readonly currency: string },
  asOfMs: number,
  timeZone: string,
): z.infer<typeof balanceSchema> {
  const { currency } = balance;
  const amount = (minor: number) => storedDecimal(minor, currency);
  return {
    bookingReference,
    currency,
    totalCost: amount(balance.totalCostMinor),
    paid: amount(balance.paidMinor),
    refunded: amount(balance.refundedMinor),
    disputed: amount(balance.disputedMinor),
    waived: amount(balance.waivedMinor),
    uncertain: amount(balance.uncertainMinor),
    scheduled: amount(balance.scheduledMinor),
    held: amount(balance.heldMinor),
    bonds: amount(balance.bondsMinor),
    due: amount(balance.dueMinor),
    overpaid: amount(balance.overpaidMinor),
    asOf: exactTimestamp(asOfMs, timeZone),
  };
}
