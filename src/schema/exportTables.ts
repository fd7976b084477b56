import { sql } from 'drizzle-orm';
import {
  check,
  index,
  integer,
  primaryKey,
  sqliteTable,
  text,
  uniqueIndex,
} from 'drizzle-orm/sqlite-core';

/** One run that makes an export file (exports: Three files a day). */
export const exportRuns = sqliteTable(
  'export_runs',
  {
    /** A UUID that grows with time. */
    id: text().primaryKey(),
    portfolio: text().notNull(),
    variant: text({ enum: ['propertySystem', 'applicationConsole', 'ledger'] }).notNull(),
    /** The UTC day of the file. */
    date: text().notNull(),
    /** `daily`: the Cron Trigger started it; `erasure`: it writes a file anew; otherwise an administrator did. */
    cause: text({ enum: ['daily', 'admin', 'erasure'] }).notNull(),
    status: text({ enum: ['Running', 'Complete', 'Failed'] }).notNull(),
    /** The last application at the start of the run. Later ones are left out. The ledger goes by `startedAtMs`. */
    lastApplicationId: integer('last_application_id').notNull(),
    /** The last move of an application to another customer at the start of the run. */
    lastMoveId: integer('last_move_id').notNull().default(0),
    /** The expected number of rows: a guess at first, then an estimate from the progress. */
    expectedRows: integer('expected_rows').notNull(),
    /** The progress, stored with every part. */
    rows: integer().notNull().default(0),
    bytes: integer().notNull().default(0),
    objectKey: text('object_key').notNull(),
    sha256: text(),
    failure: text(),
    /** When to check that the run still makes progress; null after its end. */
    dueAtMs: integer('due_at_ms'),
    startedAtMs: integer('started_at_ms').notNull(),
    finishedAtMs: integer('finished_at_ms'),
    /** The run whose file this one writes anew, without the guests who were erased since; null for none. */
    rewrites: text(),
    /** When guests were erased that its file may hold: it is written anew. Null if there are none. */
    staleSinceMs: integer('stale_since_ms'),
  },
  (table) => [
    uniqueIndex('export_runs_daily')
      .on(table.portfolio, table.variant, table.date)
      .where(sql`${table.cause} = 'daily' AND ${table.status} <> 'Failed'`),
    index('export_runs_due').on(table.dueAtMs).where(sql`${table.dueAtMs} IS NOT NULL`),
    index('export_runs_by_day').on(table.portfolio, table.variant, table.date),
    uniqueIndex('export_runs_rewriting')
      .on(table.rewrites)
      .where(sql`${table.rewrites} IS NOT NULL AND ${table.status} <> 'Failed'`),
    index('export_runs_stale').on(table.staleSinceMs).where(sql`${table.staleSinceMs} IS NOT NULL`),
    index('export_runs_unfinished').on(table.startedAtMs).where(sql`${table.status} <> 'Complete'`),
    check(
      'export_runs_complete',
      sql`${table.status} <> 'Complete' OR ${table.sha256} IS NOT NULL`,
    ),
  ],
);

/** The published file of a day: its last complete run. One row, so that publishing is one write. */
export const exportFiles = sqliteTable(
  'export_files',
  {
    portfolio: text().notNull(),
    variant: text({ enum: ['propertySystem', 'applicationConsole', 'ledger'] }).notNull(),
    date: text().notNull(),
    runId: text('run_id')
      .notNull()
      .references(() => exportRuns.id),
  },
  (table) => [primaryKey({ columns: [table.portfolio, table.variant, table.date] })],
);

export type ExportRunRow = typeof exportRuns.$inferSelect;
