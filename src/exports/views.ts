import { z } from '@hono/zod-openapi';
import { pick } from '../core/pick.ts';
import { utcOrNull, utcTimestamp } from '../core/time.ts';
import { named, shownTime } from '../platform/views.ts';
import type { ExportUserRow } from '../schema/accessTables.ts';
import { type ExportRunRow, exportRuns } from '../schema/exportTables.ts';
import { variants } from './rules/variants.ts';

export const variantSchema = z.enum(variants);

/** A run for administrators; times in UTC (interface: List export runs). */
export const runSchema = named('ExportRun', {
  runId: z.string().describe('a UUID'),
  portfolio: z.string().describe('whose properties it exports'),
  variant: variantSchema.describe('which of the files'),
  date: z.string().describe('the UTC day of the file'),
  cause: z.enum(exportRuns.cause.enumValues).describe("the daily run, or an administrator's"),
  status: z.enum(exportRuns.status.enumValues),
  rows: z.int().describe('lines written'),
  expectedRows: z.int().describe('lines expected by now'),
  bytes: z.int().describe('the size so far'),
  sha256: z.string().nullable().describe('of the complete file, in hex'),
  failure: z.string().nullable().describe('why it failed, or what delays it'),
  startedAt: shownTime.describe('in UTC'),
  finishedAt: shownTime.nullable().describe('in UTC'),
});

export type RunView = z.infer<typeof runSchema>;

export function runView(row: ExportRunRow): RunView {
  return {
    runId: row.id,
    ...pick(row, 'portfolio', 'variant', 'date', 'cause', 'status', 'rows', 'expectedRows'),
    ...pick(row, 'bytes', 'sha256', 'failure'),
    startedAt: utcTimestamp(row.startedAtMs),
    finishedAt: utcOrNull(row.finishedAtMs),
  };
}

/** An export user for administrators; times in UTC (interface: List export users). */
export const exportUserSchema = named('ExportUser', {
  username: z.string().describe('for HTTP Basic'),
  portfolio: z.string().describe('whose files they may fetch'),
  createdAt: shownTime.describe('in UTC'),
  lastUsedAt: shownTime.nullable().describe('in UTC, noted at most once an hour'),
  revokedAt: shownTime.nullable().describe('in UTC; null while they are not'),
});

export type ExportUserView = z.infer<typeof exportUserSchema>;

export function exportUserView(row: ExportUserRow): ExportUserView {
  return {
    username: row.username,
    portfolio: row.portfolio,
    createdAt: utcTimestamp(row.createdAtMs),
    lastUsedAt: utcOrNull(row.lastUsedAtMs),
    revokedAt: utcOrNull(row.revokedAtMs),
  };
}
