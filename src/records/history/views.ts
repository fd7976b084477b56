import { z } from '@hono/zod-openapi';
import { storedDecimal } from '../../core/money.ts';
import type { Overpaid } from './rules/totals.ts';

export const overpaidSchema = z
  .object({
    bookingReference: z.string(),
    currency: z.string().describe('ISO 4217 code'),
    totalCost: z.number().describe("the booking's total"),
    paid: z.number().describe('see Get the balance'),
    overpaid: z.number().describe('what is paid beyond the total'),
  })
  .openapi('EventBalance');

/** Shows the balance of a booking that became overpaid. */
export function overpaidView(
  bookingReference: string,
  currency: string,
  { paidMinor, totalCostMinor }: Overpaid,
): z.infer<typeof overpaidSchema> {
  return {
    bookingReference,
    currency,
    totalCost: storedDecimal(totalCostMinor, currency),
    paid: storedDecimal(paidMinor, currency),
    overpaid: storedDecimal(paidMinor - totalCostMinor, currency),
  };
}
