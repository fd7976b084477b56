import { z } from '@hono/zod-openapi';
import { utcOrNull, utcTimestamp } from '../core/time.ts';
import type { ExportUserRow } from '../schema/accessTables.ts';
import { type ExportRunRow, exportRuns } from '../schema/exportTables.ts';
import { variants } from './rules/variants.ts';

/** One of the two daily files. */
export const variantSchema = z.enum(variants);

/** A run for administrators; times in UTC (interface: List export runs). */
export const runSchema = z
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
    finishedAt: utcOrNull(row.finishedAtMs),
  };
}

/** An export user for administrators; times in UTC (interface: List export users). */
export const exportUserSchema = z
  .object({
    username: z.string(),
    portfolio: z.string(),
    createdAt: z.string(),
    lastUsedAt: z.string().nullable().describe('Noted at most once an hour.'),
    revokedAt: z.string().nullable(),
  })
  .openapi('ExportUser');

export type ExportUserView = z.infer<typeof exportUserSchema>;

/** Converts an export user for administrators. */
export function exportUserView(row: ExportUserRow): ExportUserView {
  return {
    username: row.username,
    portfolio: row.portfolio,
    createdAt: utcTimestamp(row.createdAtMs),
    lastUsedAt: utcOrNull(row.lastUsedAtMs),
    revokedAt: utcOrNull(row.revokedAtMs),
  };
}
