import { integer, sqliteTable, text } from 'drizzle-orm/sqlite-core';

/**
 * The view through which events are recorded: a trigger gives each its numbers (parts: Events). It is a table for
 * drizzle only, which inserts into no views; its name keeps drizzle-kit from making one.
 */
export const newEvents = sqliteTable('new_events', {
  propertyId: text('property_id').notNull(),
  bookingReference: text('booking_reference'),
  type: text().notNull(),
  atMs: integer('at_ms').notNull(),
  subject: text().notNull(),
  snapshot: text({ mode: 'json' }).notNull(),
});
