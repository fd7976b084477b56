import { sql } from 'drizzle-orm';
import { check, index, integer, sqliteTable, text } from 'drizzle-orm/sqlite-core';
import { ofProperty } from './propertyTables.ts';
import { bytes, isOneOf } from './storage.ts';

/**
 * Messages to the PMS, each queued in the same batch as the change it reports. An entry of that batch names it, and so
 * orders the messages of one booking. Those about the stay go out in that order, and so do those about money (pms: Order).
 */
export const outbox = sqliteTable(
  'outbox',
  {
    /** A UUID that grows with time; the same on every try. */
    messageId: text('message_id').primaryKey(),
    propertyId: ofProperty(),
    bookingReference: text('booking_reference').notNull(),
    messageType: text('message_type', {
      enum: ['PushBooking', 'PushModification', 'PushCancellation', 'PushTransaction'],
    }).notNull(),
    /** The message's part of the envelope, without credentials: `pms/outbox/payloads.ts`. Null once it was let go. */
    payload: bytes('payload'),
    status: text({ enum: ['Pending', 'Confirmed', 'Dead', 'Dismissed'] }).notNull(),
    /** The attempts to send it. Probes of a PMS that is down do not count. */
    attempts: integer().notNull().default(0),
    /** The attempts that the PMS answered with `Status` `Error`. They are among `attempts`. */
    refusals: integer().notNull().default(0),
    /** When the PMS first answered with `Status` `Error`. A replay leaves it. */
    answeredAtMs: integer('answered_at_ms'),
    /** When to send it next; null while an earlier message of its booking holds it back, and once it is settled. */
    dueAtMs: integer('due_at_ms'),
    lastError: text('last_error'),
    createdAtMs: integer('created_at_ms').notNull(),
    completedAtMs: integer('completed_at_ms'),
  },
  (table) => [
    index('outbox_unsettled')
      .on(table.propertyId, table.dueAtMs)
      .where(sql`${table.status} IN ('Pending', 'Dead')`),
    index('outbox_dead').on(table.messageId).where(sql`${table.status} = 'Dead'`),
    index('outbox_dead_of_property')
      .on(table.propertyId, table.messageId)
      .where(sql`${table.status} = 'Dead'`),
    check('outbox_status', isOneOf(table.status)),
    check('outbox_due', sql`${table.dueAtMs} IS NULL OR ${table.status} = 'Pending'`),
  ],
);

/**
 * A comparison of the PMS's ledger with the messages (pms: The PMS's ledger): a repair sends again what it missed. The
 * latest of a property are kept.
 */
export const ledgerReports = sqliteTable(
  'ledger_reports',
  {
    /** A UUID. */
    id: text().primaryKey(),
    propertyId: ofProperty(),
    createdAtMs: integer('created_at_ms').notNull(),
    matched: integer().notNull(),
    /** What differs, packed: `pms/ledger/reports.ts`. */
    found: bytes('found').notNull(),
  },
  (table) => [index('ledger_reports_by_property').on(table.propertyId, table.createdAtMs)],
);

export type OutboxRow = typeof outbox.$inferSelect;
export type LedgerReportRow = typeof ledgerReports.$inferSelect;
