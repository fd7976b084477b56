import { z } from '@hono/zod-openapi';
import { storedDecimal } from '../../core/money.ts';
import { pick } from '../../core/pick.ts';
import { named } from '../../platform/views.ts';
import { type BankLineRow, bankLines } from '../../schema/disbursementTables.ts';

export const lineStatusSchema = z.enum(bankLines.status.enumValues);

/** A line of a bank statement (interface: Bank statements). */
export const bankLineSchema = named('BankLine', {
  lineId: z.string().describe('the same however often the line is imported'),
  date: z.string().openapi({ format: 'date', example: '2027-02-16' }).describe('of booking'),
  amount: z.number().describe('negative for what left the account'),
  currency: z.string().describe('ISO 4217 code'),
  description: z.string().describe('what the bank wrote, without card numbers'),
  status: lineStatusSchema.describe('whether it is known which disbursement it is'),
  disbursementId: z.string().nullable().describe('the disbursement that it is'),
});

export function bankLineView(row: BankLineRow): z.infer<typeof bankLineSchema> {
  return {
    lineId: row.id,
    date: row.date,
    amount: storedDecimal(row.amountMinor, row.currency),
    ...pick(row, 'currency', 'description', 'status', 'disbursementId'),
  };
}
