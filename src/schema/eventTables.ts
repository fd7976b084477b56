import { sql } from 'drizzle-orm';
import { check, index, integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core';
import { ofProperty } from './propertyTables.ts';
import { isOneOf } from './storage.ts';

/** An address that a property's events are delivered to (interface: Webhook endpoints). */
export const webhookEndpoints = sqliteTable(
  'webhook_endpoints',
  {
    id: text().primaryKey(),
    propertyId: ofProperty(),
    url: text().notNull(),
    /** Patterns of types, such as `payment.*`. */
    types: text({ mode: 'json' }).$type<readonly string[]>().notNull(),
    active: integer({ mode: 'boolean' }).notNull(),
    /** Encrypted: see `crypto/seal.ts`. */
    secretSealed: text('secret_sealed').notNull(),
    /** The secret before the last rotation, which also signs until an instant of real time. */
    previousSecretSealed: text('previous_secret_sealed'),
    previousUntilMs: integer('previous_until_ms'),
    /** Grows with every change: a change decided on an older state is refused. */
    version: integer().notNull().default(1),
    createdAtMs: integer('created_at_ms').notNull(),
    deletedAtMs: integer('deleted_at_ms'),
  },
  (table) => [
    index('webhook_endpoints_by_property').on(table.propertyId, table.id),
    // Find what was sealed with an earlier key.
    index('webhook_endpoints_by_key').on(table.secretSealed),
    index('webhook_endpoints_by_previous_key').on(table.previousSecretSealed),
    check('webhook_endpoints_deleted', sql`${table.deletedAtMs} IS NULL OR ${table.active} = 0`),
  ],
);

/**
 * The delivery of an event to an endpoint (interface: Deliveries), made in the batch of the event. Of one booking,
 * deliveries go out in the order of the events.
 */
export const webhookDeliveries = sqliteTable(
  'webhook_deliveries',
  {
    endpointId: text('endpoint_id')
      .notNull()
      .references(() => webhookEndpoints.id),
    eventNumber: integer('event_number').notNull(),
    propertyId: text('property_id').notNull(),
    bookingReference: text('booking_reference'),
    status: text({ enum: ['Pending', 'Confirmed', 'Dead', 'Dismissed'] }).notNull(),
    /** The attempts to send it. Probes of an endpoint that is down do not count. */
    attempts: integer().notNull().default(0),
    /** When to send it next, by the property's clock; null while an earlier one holds it back, and once it is settled. */
    dueAtMs: integer('due_at_ms'),
    /** The HTTP status of the last answer; null if there was none. */
    lastStatus: integer('last_status'),
    lastError: text('last_error'),
    completedAtMs: integer('completed_at_ms'),
  },
  (table) => [
    primaryKey({ columns: [table.endpointId, table.eventNumber] }),
    // The deliveries of a booking that hold others back.
    index('webhook_deliveries_pending')
      .on(table.endpointId, table.bookingReference, table.eventNumber)
      .where(sql`${table.status} = 'Pending'`),
    index('webhook_deliveries_dead')
      .on(table.endpointId, table.bookingReference, table.eventNumber)
      .where(sql`${table.status} = 'Dead'`),
    index('webhook_deliveries_due')
      .on(table.endpointId, table.dueAtMs)
      .where(sql`${table.dueAtMs} IS NOT NULL`),
    check('webhook_deliveries_status', isOneOf(table.status)),
    check(
      'webhook_deliveries_due_pending',
      sql`${table.dueAtMs} IS NULL OR ${table.status} = 'Pending'`,
    ),
  ],
);

export type WebhookEndpointRow = typeof webhookEndpoints.$inferSelect;
export type WebhookDeliveryRow = typeof webhookDeliveries.$inferSelect;
