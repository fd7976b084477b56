import { sql } from 'drizzle-orm';
import {
  check,
  index,
  integer,
  primaryKey,
  sqliteTable,
  text,
  unique,
} from 'drizzle-orm/sqlite-core';
import type { HistoryRow, Movement } from './historyTables.ts';
import type { TransactionRow } from './moneyTables.ts';
import { ofProperty, properties } from './propertyTables.ts';
import { isOneOf } from './storage.ts';

/** That a guest's data were erased (interface: Erase a guest). Asked again, the same erasure answers. */
export const erasures = sqliteTable(
  'erasures',
  {
    /** A UUID that grows with time. */
    id: text().primaryKey(),
    propertyId: ofProperty(),
    /** `booking <reference>`, or `address <digest>`: the SHA-256 of the address in lower case, as hex. */
    subject: text().notNull(),
    /** The references of the bookings that were erased. */
    bookings: text({ mode: 'json' }).$type<readonly string[]>().notNull(),
    actor: text().notNull(),
    /** When something was erased last, by the property's clock. */
    atMs: integer('at_ms').notNull(),
  },
  (table) => [unique('erasures_subject').on(table.propertyId, table.subject)],
);

export type ErasureRow = typeof erasures.$inferSelect;

/**
 * Bookings whose rows are in a file of R2 instead (parts: The archive), with what lists find them by. `outside`: the booking is
 * in D1, and the file is to be deleted. `open`: within one batch only, rows come and go.
 */
export const archivedBookings = sqliteTable(
  'archived_bookings',
  {
    propertyId: ofProperty(),
    reference: text().notNull(),
    state: text({ enum: ['outside', 'archived', 'open'] }).notNull(),
    objectKey: text('object_key').notNull(),
    status: text({ enum: ['booked', 'cancelled'] }).notNull(),
    arrival: text().notNull(),
    lastName: text('last_name').notNull(),
    email: text().notNull(),
    createdAtMs: integer('created_at_ms').notNull(),
    updatedAtMs: integer('updated_at_ms').notNull(),
    /** The number of its last event: no later event of the property gets it. */
    lastEventNumber: integer('last_event_number').notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.propertyId, table.reference] }),
    index('archived_bookings_by_event').on(table.propertyId, table.lastEventNumber),
    index('archived_bookings_by_creation').on(table.propertyId, table.createdAtMs, table.reference),
    index('archived_bookings_by_email').on(table.propertyId, sql`lower(${table.email})`),
    index('archived_bookings_outside').on(table.propertyId).where(sql`${table.state} = 'outside'`),
    check('archived_bookings_state', isOneOf(table.state)),
  ],
);

/** The payments of archived bookings, with what their list and the evidence about a later payment find them by. */
export const archivedPayments = sqliteTable(
  'archived_payments',
  {
    propertyId: text('property_id').notNull(),
    id: integer().notNull(),
    bookingReference: text('booking_reference').notNull(),
    status: text().notNull(),
    purpose: text().notNull(),
    createdAtMs: integer('created_at_ms').notNull(),
    changedAtMs: integer('changed_at_ms').notNull(),
    currency: text().notNull().default(''),
    amountMinor: integer('amount_minor').notNull().default(0),
    completedAtMs: integer('completed_at_ms'),
    /** Brand, last digits and expiry of the card that it was taken from; null if it was not taken, or was disputed. */
    takenFrom: text('taken_from'),
  },
  (table) => [
    primaryKey({ columns: [table.propertyId, table.id] }),
    index('archived_payments_by_creation').on(table.propertyId, table.createdAtMs, table.id),
    index('archived_payments_by_booking').on(table.propertyId, table.bookingReference),
  ],
);

/**
 * What the acquirer has of archived bookings: by its ids, disbursements name charges, refunds and disputes, and callers a
 * dispute.
 */
export const archivedReferences = sqliteTable(
  'archived_references',
  {
    propertyId: text('property_id').notNull(),
    gatewayReference: text('gateway_reference').notNull(),
    bookingReference: text('booking_reference').notNull(),
    chargeId: integer('charge_id').notNull(),
    refundId: integer('refund_id'),
    /** This service's own name of the charge or refund; null for a dispute. */
    reference: text(),
    /** The acquirer's account that has it; null for the platform's. */
    account: text(),
  },
  (table) => [
    primaryKey({ columns: [table.propertyId, table.gatewayReference] }),
    index('archived_references_by_booking').on(table.propertyId, table.bookingReference),
  ],
);

/**
 * The movements of archived bookings that were recorded lately, as the books read them (exports: Ledger file): their day may
 * not be in a file yet. A movement is either here or in the history.
 */
export const archivedMovements = sqliteTable(
  'archived_movements',
  {
    propertyId: text('property_id').notNull(),
    bookingReference: text('booking_reference').notNull(),
    sequence: integer().notNull(),
    atMs: integer('at_ms').notNull(),
    recordedAtMs: integer('recorded_at_ms'),
    occurredAtMs: integer('occurred_at_ms').notNull(),
    subjectKind: text('subject_kind').$type<HistoryRow['subjectKind']>().notNull(),
    subjectId: text('subject_id').notNull(),
    movement: text().$type<Movement>().notNull(),
    currency: text().notNull(),
    amountMinor: integer('amount_minor').notNull(),
    feeMinor: integer('fee_minor').notNull(),
    chargeId: integer('charge_id').notNull(),
    purpose: text().$type<TransactionRow['purpose']>().notNull(),
    /** The sums of the charge before it. */
    takenBefore: integer('taken_before').notNull(),
    feeBefore: integer('fee_before').notNull(),
    refundedBefore: integer('refunded_before').notNull(),
    disputedBefore: integer('disputed_before').notNull(),
  },
  (table) => [primaryKey({ columns: [table.propertyId, table.bookingReference, table.sequence] })],
);

/** How far a property has let go of what it does not need any more. */
export const retentionProgress = sqliteTable('retention_progress', {
  propertyId: text('property_id')
    .primaryKey()
    .references(() => properties.id),
  /** The last day, by its clock, on which its `retention` was seen to. */
  day: text().notNull().default(''),
  /** The last event whose messages and deliveries were let go of. */
  eventNumber: integer('event_number').notNull().default(0),
});

export type ArchivedBookingRow = typeof archivedBookings.$inferSelect;
export type ArchivedPaymentRow = typeof archivedPayments.$inferSelect;
