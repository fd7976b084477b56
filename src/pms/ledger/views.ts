import { z } from '@hono/zod-openapi';
import { toDecimal } from '../../core/money.ts';
import { named, shownTime } from '../../platform/views.ts';
import { outbox } from '../../schema/outboxTables.ts';
import type { MadeReport } from './compare.ts';
import type { LineDifference } from './rules/compare.ts';

const transactionId = z
  .union([z.string(), z.int()])
  .describe("the message's `TransactionID`, as the PMS wrote it")
  .openapi({ example: '371022640840704' });

const shownAmount = z.number().describe('with fees; negative where a refund came back');

const kind = z.enum(['Payment', 'Refund']).describe("the message's `Type`");

const missingSchema = named('MissingAtPms', {
  messageId: z.string().describe('of the message, which a repair sends again'),
  transactionId: z.string().describe("the message's `TransactionID`"),
  reference: z.string().describe("the booking's"),
  type: kind,
  amountGross: shownAmount,
  processedTime: shownTime.describe('when the acquirer did it'),
  delivery: z.enum(outbox.status.enumValues).describe('what became of the message so far'),
});

const lineSchema = named('PmsLedgerLine', {
  transactionId: transactionId.nullish(),
  reference: z.string().describe('as the PMS wrote it'),
  type: kind,
  amountGross: shownAmount,
  processedTime: z.string().nullish().describe('as the PMS wrote it'),
});

const differenceSchema = named('PmsLedgerDifference', {
  transactionId,
  field: z.enum(['reference', 'type', 'amountGross', 'processedTime']).describe('what differs'),
  ours: z.union([z.string(), z.number()]).describe('what the message said'),
  theirs: z.union([z.string(), z.number()]).describe('what the line says'),
});

/** How the PMS's ledger agrees with what it was sent (pms: The PMS's ledger). */
export const reportSchema = named('PmsLedgerReport', {
  reportId: z.string().describe('for a repair'),
  matched: z.int().describe('how many lines agree with a message'),
  missingAtPms: z.array(missingSchema).describe('sent, and not in the report of its span'),
  unknownHere: z.array(lineSchema).describe('lines that no message told'),
  twiceAtPms: z.array(lineSchema).describe('lines that repeat an earlier one'),
  different: z.array(differenceSchema).describe('one entry for each member that differs'),
});

export function reportView(
  { different, matched, missing, reportId, twice, unknown }: MadeReport,
  exponent: number,
): z.infer<typeof reportSchema> {
  const withAmount = <One extends { readonly amountMinor: number }>(one: One) => {
    const { amountMinor, ...said } = one;
    return { ...said, amountGross: toDecimal(amountMinor, exponent) };
  };
  return {
    reportId,
    matched,
    missingAtPms: missing.map(({ isInSpan: _isInSpan, ...one }) => withAmount(one)),
    unknownHere: unknown.map((line) => withAmount(line)),
    twiceAtPms: twice.map((line) => withAmount(line)),
    different: different.map((one) => differenceView(one, exponent)),
  };
}

function differenceView(one: LineDifference, exponent: number): z.infer<typeof differenceSchema> {
  if (one.field !== 'amountGross') return one;
  return { ...one, ours: toDecimal(one.ours, exponent), theirs: toDecimal(one.theirs, exponent) };
}
