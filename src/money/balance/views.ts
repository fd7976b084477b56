import { z } from '@hono/zod-openapi';
import { storedDecimal } from '../../core/money.ts';
import { exactTimestamp } from '../../core/time.ts';
import { named, shownTime } from '../../platform/views.ts';
import type { Balance } from './rules/balance.ts';

/** A booking's balance (interface: Get the balance). */
export const balanceSchema = named('Balance', {
  bookingReference: z.string(),
  currency: z.string().describe('ISO 4217 code'),
  totalCost: z.number().describe('of the booking, at that instant'),
  paid: z
    .number()
    .describe('what `Accepted` charges brought, less what was given back or is disputed'),
  refunded: z.number().describe('what was given back of them'),
  disputed: z.number().describe('what is withdrawn of them for disputes'),
  waived: z.number().describe('by how much refunds with `waive` lowered what the stay costs'),
  uncertain: z.number().describe('what charges and captures in `Processing` may have taken'),
  scheduled: z.number().describe('of transactions in `Pending`, without parts of a plan'),
  planned: z.number().describe('what the parts of its plan lack that are still to be charged'),
  held: z.number().describe('of transactions in `Authorized`'),
  bonds: z
    .number()
    .describe('what `Accepted` Bonds brought, less what was given back or is withdrawn'),
  due: z.number().describe('`totalCost` less `paid` and `waived`, and at least 0'),
  overpaid: z
    .number()
    .describe('`paid` less `totalCost`, and at least 0; 0 where `totalCost` is 0'),
  asOf: shownTime.describe('to the millisecond'),
});

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
    planned: amount(balance.plannedMinor),
    held: amount(balance.heldMinor),
    bonds: amount(balance.bondsMinor),
    due: amount(balance.dueMinor),
    overpaid: amount(balance.overpaidMinor),
    asOf: exactTimestamp(asOfMs, timeZone),
  };
}
