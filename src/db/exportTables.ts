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

/** One making of one export file (decisions: section 10). */
export const exportRuns = sqliteTable(
  'export_runs',
  {
    /** A UUID that grows with time. */
    id: text().primaryKey(),
    portfolio: text().notNull(),
    variant: text({ enum: ['propertySystem', 'applicationConsole'] }).notNull(),
    /** The UTC day that the file is of. */
    date: text().notNull(),
    /** `daily` once a day by the Cron Trigger; else by an administrator. */
    cause: text({ enum: ['daily', 'admin'] }).notNull(),
    status: text({ enum: ['Running', 'Complete', 'Failed'] }).notNull(),
    /** The last application that existed when the run began: what comes later is not in it. */
    lastApplicationId: integer('last_application_id').notNull(),
    /** The last move of an application to another customer before the run began. */
    lastMoveId: integer('last_move_id').notNull().default(0),
    /** How many rows it may come to: guessed at the start, then reckoned from how far it is. */
    expectedRows: integer('expected_rows').notNull(),
    /** How far it has come, kept with every part. */
    rows: integer().notNull().default(0),
    bytes: integer().notNull().default(0),
    objectKey: text('object_key').notNull(),
    sha256: text(),
    failure: text(),
    /** When somebody must look whether it goes on; null once it is over. */
    dueAtMs: integer('due_at_ms'),
    startedAtMs: integer('started_at_ms').notNull(),
    finishedAtMs: integer('finished_at_ms'),
  },
  (table) => [
    uniqueIndex('export_runs_daily')
      .on(table.portfolio, table.variant, table.date)
      .where(sql`${table.cause} = 'daily' AND ${table.status} <> 'Failed'`),
    index('export_runs_due').on(table.dueAtMs).where(sql`${table.dueAtMs} IS NOT NULL`),
    index('export_runs_by_day').on(table.portfolio, table.variant, table.date),
    index('export_runs_unfinished').on(table.startedAtMs).where(sql`${table.status} <> 'Complete'`),
    check(
      'export_runs_complete',
      sql`${table.status} <> 'Complete' OR ${table.sha256} IS NOT NULL`,
    ),
  ],
);

/** The file of a day: the last complete run of it. One row, so that publishing is one write. */
export const exportFiles = sqliteTable(
  'export_files',
  {
    portfolio: text().notNull(),
    variant: text({ enum: ['propertySystem', 'applicationConsole'] }).notNull(),
    date: text().notNull(),
    runId: text('run_id')
      .notNull()
      .references(() => exportRuns.id),
  },
  (table) => [primaryKey({ columns: [table.portfolio, table.variant, table.date] })],
);

export type ExportRunRow = typeof exportRuns.$inferSelect;
