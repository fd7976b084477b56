import { z } from '@hono/zod-openapi';
import { storedDecimal } from '../../core/money.ts';
import { named } from '../../platform/views.ts';
import type { Overpaid } from './rules/totals.ts';

export const overpaidSchema = named('EventBalance', {
  bookingReference: z.string(),
  currency: z.string().describe('ISO 4217 code'),
  totalCost: z.number().describe("the booking's total"),
  paid: z.number().describe('see Get the balance'),
  overpaid: z.number().describe('what is paid beyond the total'),
});

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
