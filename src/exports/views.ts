import { z } from '@hono/zod-openapi';
import { utcTimestamp } from '../core/time.ts';
import { type ExportRunRow, exportRuns } from '../platform/db/exportTables.ts';
import { variants } from './variants.ts';

/** One of the two daily files. */
export const variantSchema = z.enum(variants);

/** A run for administrators; times in UTC (interface: List export runs). */
const runSchema = z
  .object({
    runId: z.string(),
    portfolio: z.string(),
    variant: variantSchema,
    date: z.string().describe('The UTC day of the file.'),
    cause: z.enum(exportRuns.cause.enumValues),
    status: z.enum(exportRuns.status.enumValues),
    rows: z.int().describe('Lines written so far.'),
    expectedRows: z.int().describe('Estimate of all lines.'),
    bytes: z.int(),
    sha256: z.string().nullable(),
    failure: z.string().nullable().describe('Why the run failed, or why it is delayed.'),
    startedAt: z.string(),
    finishedAt: z.string().nullable(),
  })
  .openapi('ExportRun');

export type RunView = z.infer<typeof runSchema>;

/** A page of runs, newest first; `nextCursor` is null on the last one. */
export const runPageSchema = z.object({
  runs: z.array(runSchema),
  nextCursor: z.string().nullable(),
});

export type RunPage = z.infer<typeof runPageSchema>;

/** Converts a run for administrators. */
export function runView(row: ExportRunRow): RunView {
  return {
    runId: row.id,
    portfolio: row.portfolio,
    variant: row.variant,
    date: row.date,
    cause: row.cause,
    status: row.status,
    rows: row.rows,
    expectedRows: row.expectedRows,
    bytes: row.bytes,
    sha256: row.sha256,
    failure: row.failure,
    startedAt: utcTimestamp(row.startedAtMs),
    finishedAt: row.finishedAtMs === null ? null : utcTimestamp(row.finishedAtMs),
  };
}
