import { z } from 'zod';
import { packed, unpacked } from '../../core/packed.ts';
import type { LedgerReportRow } from '../../schema/outboxTables.ts';
import type { LedgerComparison } from './rules/compare.ts';

/** How many lines of a kind a report keeps, for people to look at: the answer of the comparison has all. */
const MOST_KEPT = 1_000;

const line = z.object({
  transactionId: z.union([z.string(), z.number()]).nullish(),
  reference: z.string(),
  type: z.enum(['Payment', 'Refund']),
  amountMinor: z.number(),
  processedTime: z.string().nullish(),
});

const difference = z.object({
  transactionId: z.union([z.string(), z.number()]),
  field: z.enum(['reference', 'type', 'amountGross', 'processedTime']),
  ours: z.union([z.string(), z.number()]),
  theirs: z.union([z.string(), z.number()]),
});

const keptSchema = z.object({
  /** All messages that the PMS lacks. */
  missing: z.array(z.object({ messageId: z.string(), reference: z.string() })),
  unknown: z.array(line),
  twice: z.array(line),
  different: z.array(difference),
});

export type KeptReport = z.infer<typeof keptSchema>;

type Named = Pick<LedgerReportRow, 'id'>;

export function packedReport(found: LedgerComparison, { id }: Named): Uint8Array {
  const kept: KeptReport = {
    missing: found.missing.map(({ messageId, reference }) => ({ messageId, reference })),
    unknown: found.unknown.slice(0, MOST_KEPT),
    twice: found.twice.slice(0, MOST_KEPT),
    different: found.different.slice(0, MOST_KEPT),
  };
  return packed(kept, [id]);
}

export function keptReport({ found, id }: Named & Pick<LedgerReportRow, 'found'>): KeptReport {
  return keptSchema.parse(unpacked(found, [id]));
}
