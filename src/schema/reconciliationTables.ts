import { sql } from 'drizzle-orm';
import { check, index, integer, sqliteTable, text, unique } from 'drizzle-orm/sqlite-core';
import { isOneOf } from './storage.ts';

/** A comparison of the acquirer's movements with the history, page by page (parts: Reconciliation). */
export const reconciliationRuns = sqliteTable(
  'reconciliation_runs',
  {
    /** A UUID that grows with time. */
    id: text().primaryKey(),
    gateway: text().notNull(),
    /** The acquirer's account; null for the platform's own. */
    account: text(),
    /** The one property that is compared; null for every property of the account. */
    propertyId: text('property_id'),
    cause: text({ enum: ['hourly', 'nightly', 'asked', 'clock'] }).notNull(),
    fromMs: integer('from_ms').notNull(),
    toMs: integer('to_ms').notNull(),
    /** What is compared now: the acquirer's movements, then our journal, then our holds. */
    phase: text({ enum: ['theirs', 'ours', 'holds', 'done'] }).notNull(),
    /** How far the phase is; null at its start. */
    cursor: text(),
    /** How many of the acquirer's movements were looked at, how many corrections made, how many exceptions found. */
    compared: integer().notNull().default(0),
    corrected: integer().notNull().default(0),
    exceptions: integer().notNull().default(0),
    /** The earliest movement of an hourly run that did not agree, or of which the acquirer did not say; null if there is none. */
    leftFromMs: integer('left_from_ms'),
    /** Until when one caller works on the run. */
    leasedUntilMs: integer('leased_until_ms').notNull().default(0),
    /** Why the last step failed; null if it did not. */
    lastError: text('last_error'),
    startedAtMs: integer('started_at_ms').notNull(),
    completedAtMs: integer('completed_at_ms'),
  },
  (table) => [
    index('reconciliation_runs_open')
      .on(table.startedAtMs)
      .where(sql`${table.completedAtMs} IS NULL`),
    index('reconciliation_runs_by_account').on(table.gateway, table.account, table.startedAtMs),
    check('reconciliation_runs_phase', isOneOf(table.phase)),
  ],
);

/** What the two records disagree about, as lists show it. */
export interface ExceptionSide {
  readonly status: string;
  /** In minor units; null where the side has no amount. */
  readonly amountMinor: number | null;
  readonly currency: string | null;
  /** The charge or refund of this service, or the acquirer's id. */
  readonly id: string | null;
  readonly atMs: number | null;
}

/** A difference between the acquirer's record and ours that could not be corrected (interface: Reconciliation). */
export const exceptions = sqliteTable(
  'exceptions',
  {
    /** A UUID that grows with time. */
    id: text().primaryKey(),
    propertyId: text('property_id'),
    bookingReference: text('booking_reference'),
    gateway: text().notNull(),
    kind: text({
      enum: [
        'missing_here',
        'missing_there',
        'amount_differs',
        'state_differs',
        'unknown_payment',
        'not_at_bank',
      ],
    }).notNull(),
    /** What it is about: the acquirer's id, or this service's reference. One exception of a kind for each. */
    subject: text().notNull(),
    ours: text({ mode: 'json' }).$type<ExceptionSide>(),
    theirs: text({ mode: 'json' }).$type<ExceptionSide>(),
    foundAtMs: integer('found_at_ms').notNull(),
    status: text({ enum: ['open', 'closed'] }).notNull(),
    resolution: text({ enum: ['corrected', 'accepted'] }),
    resolvedAtMs: integer('resolved_at_ms'),
    detail: text().notNull(),
  },
  (table) => [
    unique('exceptions_subject').on(table.gateway, table.kind, table.subject),
    index('exceptions_open').on(table.propertyId, table.id).where(sql`${table.status} = 'open'`),
    // The newest of all properties.
    index('exceptions_newest_open').on(table.id).where(sql`${table.status} = 'open'`),
    index('exceptions_by_property').on(table.propertyId, table.id),
    check(
      'exceptions_resolution',
      sql`(${table.status} = 'open') = (${table.resolution} IS NULL) AND (${table.status} = 'open') = (${table.resolvedAtMs} IS NULL)`,
    ),
  ],
);

export type ReconciliationRunRow = typeof reconciliationRuns.$inferSelect;
export type ExceptionRow = typeof exceptions.$inferSelect;
