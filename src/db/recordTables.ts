import { integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core';

/**
 * First answers by the caller's idempotency key (decisions: section 4). `answer` stays null while the
 * operation runs; the request itself is kept only as a keyed fingerprint.
 */
export const idempotencyKeys = sqliteTable(
  'idempotency_keys',
  {
    propertyId: text('property_id').notNull(),
    operation: text().notNull(),
    key: text().notNull(),
    fingerprint: text().notNull(),
    requestId: text('request_id').notNull(),
    /** The reference of what the request made or changed: by it, an answer that was never kept is found again. */
    commandReference: text('command_reference'),
    answer: text(),
    createdAtMs: integer('created_at_ms').notNull(),
  },
  (table) => [primaryKey({ columns: [table.propertyId, table.operation, table.key] })],
);

/** Append-only: every change of state, written in the same batch as the change. */
export const audit = sqliteTable(
  'audit',
  {
    propertyId: text('property_id').notNull(),
    bookingReference: text('booking_reference').notNull(),
    /** Grows with time, and is unique. */
    id: integer().notNull(),
    atMs: integer('at_ms').notNull(),
    actor: text().notNull(),
    /** What changed: `booking`, `card <token>`, `charge <id>`, `refund <id>`, `message <id>`. */
    subject: text().notNull(),
    from: text('from_state'),
    to: text('to_state').notNull(),
    detail: text(),
  },
  (table) => [primaryKey({ columns: [table.propertyId, table.bookingReference, table.id] })],
);
