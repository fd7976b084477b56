import { sql } from 'drizzle-orm';
import { check, index, integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core';
import { ofBooking } from './bookingTables.ts';
import { transactions } from './moneyTables.ts';
import { isOneOf } from './storage.ts';

/** A dispute (chargeback) of a charge (interface: Disputes). A charge can have several. */
export const disputes = sqliteTable(
  'disputes',
  {
    propertyId: text('property_id').notNull(),
    id: text().notNull(),
    bookingReference: text('booking_reference').notNull(),
    transactionId: integer('transaction_id')
      .notNull()
      .references(() => transactions.id),
    status: text({ enum: ['needs_response', 'under_review', 'won', 'lost'] }).notNull(),
    reason: text().notNull(),
    currency: text().notNull(),
    amountMinor: integer('amount_minor').notNull(),
    /** What the acquirer charges for the dispute itself. */
    feeMinor: integer('fee_minor').notNull(),
    /** Whether the acquirer withdrew more for it than it gave back. The history has each movement. */
    fundsWithdrawn: integer('funds_withdrawn', { mode: 'boolean' }).notNull(),
    openedAtMs: integer('opened_at_ms').notNull(),
    respondByMs: integer('respond_by_ms'),
    closedAtMs: integer('closed_at_ms'),
    /** When the acquirer did what the last change is about, and when this service learnt it. */
    changedAtMs: integer('changed_at_ms').notNull(),
    learntAtMs: integer('learnt_at_ms').notNull(),
    /** Grows by one with every change: a change decided on an older state is refused. */
    version: integer().notNull().default(1),
  },
  (table) => [
    primaryKey({ columns: [table.propertyId, table.id] }),
    ofBooking(table),
    index('disputes_by_booking').on(table.propertyId, table.bookingReference),
    index('disputes_by_change').on(table.propertyId, table.learntAtMs),
    index('disputes_open')
      .on(table.propertyId, table.openedAtMs)
      .where(sql`${table.status} IN ('needs_response', 'under_review')`),
    // The work list of a property's staff: what needs an answer first, by its deadline.
    index('disputes_by_deadline')
      .on(table.propertyId, table.status, table.respondByMs, table.id)
      .where(sql`${table.status} IN ('needs_response', 'under_review')`),
    index('disputes_by_time').on(table.propertyId, table.openedAtMs, table.id),
    check('disputes_amount', sql`${table.amountMinor} > 0 AND ${table.feeMinor} >= 0`),
    check('disputes_status', isOneOf(table.status)),
  ],
);

export type DisputeRow = typeof disputes.$inferSelect;
export type DisputeStatus = DisputeRow['status'];
