import { sql } from 'drizzle-orm';
import {
  check,
  foreignKey,
  index,
  integer,
  sqliteTable,
  text,
  unique,
} from 'drizzle-orm/sqlite-core';
import type { Dispute } from '../gateways/gateway.ts';
import { bookings } from './bookingTables.ts';
import { cards } from './cardTables.ts';

/** Charges, scheduled charges and pre-authorizations (interface: 2.1; decisions: section 5). */
export const transactions = sqliteTable(
  'transactions',
  {
    id: integer().primaryKey(),
    propertyId: text('property_id').notNull(),
    bookingReference: text('booking_reference').notNull(),
    /** 32 hex digits; the stem of the gateway's idempotency keys. */
    reference: text().notNull(),
    kind: text({ enum: ['charge', 'schedule', 'authorization'] }).notNull(),
    purpose: text({ enum: ['Deposit', 'Balance', 'Bond', 'Manual'] }).notNull(),
    status: text({
      enum: [
        'Pending',
        'Processing',
        'Authorized',
        'Accepted',
        'Declined',
        'Failed',
        'Cancelled',
        'Released',
        'Expired',
      ],
    }).notNull(),
    currency: text().notNull(),
    requestedMinor: integer('requested_minor').notNull(),
    transactionFeeMinor: integer('transaction_fee_minor').notNull(),
    cardFeeMinor: integer('card_fee_minor').notNull(),
    /** What the card is charged: requested + both fees. */
    amountMinor: integer('amount_minor').notNull(),
    /** What refunds have taken or are about to take. */
    refundReservedMinor: integer('refund_reserved_minor').notNull().default(0),
    virtualCard: integer('virtual_card', { mode: 'boolean' }).notNull(),
    /** The share that the card fee was priced with, so that a later capture is priced alike. */
    feeBasisPoints: integer('fee_basis_points').notNull(),
    description: text(),
    cardToken: text('card_token').references(() => cards.token),
    /** The request named the card; else a schedule takes the one that the booking uses when it fires. */
    cardNamed: integer('card_named', { mode: 'boolean' }).notNull(),
    /** The caller's own words, given back as they came. */
    scheduledTime: text('scheduled_time'),
    scheduledAtMs: integer('scheduled_at_ms'),
    expiryTime: text('expiry_time'),
    /** When a hold ends: as asked for, or earlier where the gateway says so. */
    expiresAtMs: integer('expires_at_ms'),
    firstAttemptAtMs: integer('first_attempt_at_ms'),
    /** What is asked of the gateway while the status is Processing. */
    pendingOperation: text('pending_operation', {
      enum: ['charge', 'authorize', 'capture', 'release', 'expire'],
    }),
    /** What a capture under way takes, without and with fees; copied to the amounts when it is done. */
    captureRequestedMinor: integer('capture_requested_minor'),
    captureAmountMinor: integer('capture_amount_minor'),
    gateway: text().notNull(),
    /** The gateway's idempotency key of the attempt under way or made last: `<reference>-<attempt>`. */
    gatewayKey: text('gateway_key'),
    gatewayReference: text('gateway_reference'),
    /** How many requests with a key of their own were sent: `gateway_key` is the last one's. */
    attempts: integer().notNull().default(0),
    /** When the request under way was first sent: its key is only good for so long. */
    askedAtMs: integer('asked_at_ms'),
    /** How often an unknown outcome has been asked for since the attempt. */
    inquiries: integer().notNull().default(0),
    declineCode: text('decline_code'),
    declineRetryable: integer('decline_retryable', { mode: 'boolean' }),
    /** What the cardholder's bank disputes; null while it does not. */
    dispute: text({ mode: 'json' }).$type<Dispute>(),
    /** When the booking's object must look at this row again; null when nothing is due. */
    dueAtMs: integer('due_at_ms'),
    /** The caller's idempotency key of the operation under way, whose kept answer is completed with the outcome. */
    idempotencyKey: text('idempotency_key'),
    bookingVersion: integer('booking_version').notNull(),
    propertyVersion: integer('property_version').notNull(),
    /** Grows by one with every change: a change decided on an older state is refused. */
    version: integer().notNull().default(1),
    createdAtMs: integer('created_at_ms').notNull(),
    settledAtMs: integer('settled_at_ms'),
  },
  (table) => [
    foreignKey({
      columns: [table.propertyId, table.bookingReference],
      foreignColumns: [bookings.propertyId, bookings.reference],
    }),
    unique('transactions_reference').on(table.reference),
    index('transactions_by_booking').on(table.propertyId, table.bookingReference),
    index('transactions_due').on(table.dueAtMs).where(sql`${table.dueAtMs} IS NOT NULL`),
    // The four below are for the operations page; a charge that is accepted or declined at once stands in none of them.
    index('transactions_scheduled')
      .on(table.dueAtMs, table.currency, table.amountMinor)
      .where(sql`${table.status} = 'Pending'`),
    index('transactions_retried')
      .on(table.askedAtMs)
      .where(sql`${table.status} = 'Pending' AND ${table.attempts} > 0`),
    index('transactions_unknown')
      .on(table.askedAtMs)
      .where(sql`${table.status} = 'Processing' AND ${table.inquiries} > 0`),
    index('transactions_settled_later')
      .on(table.settledAtMs)
      .where(
        sql`${table.settledAtMs} IS NOT NULL AND (${table.kind} <> 'charge' OR ${table.inquiries} > 0)`,
      ),
    check(
      'transactions_amount',
      sql`${table.requestedMinor} > 0 AND ${table.transactionFeeMinor} >= 0 AND ${table.cardFeeMinor} >= 0 AND ${table.amountMinor} = ${table.requestedMinor} + ${table.transactionFeeMinor} + ${table.cardFeeMinor}`,
    ),
    check(
      'transactions_refund_reserved',
      sql`${table.refundReservedMinor} BETWEEN 0 AND ${table.amountMinor} AND (${table.refundReservedMinor} = 0 OR ${table.status} = 'Accepted')`,
    ),
    check(
      'transactions_status',
      sql`${table.status} IN ('Processing', 'Accepted', 'Declined', 'Failed') OR (${table.kind} = 'schedule' AND ${table.status} IN ('Pending', 'Cancelled')) OR (${table.kind} = 'authorization' AND ${table.status} IN ('Authorized', 'Released', 'Expired'))`,
    ),
    check(
      'transactions_gateway_key',
      sql`${table.gatewayKey} IS NULL OR ${table.gatewayKey} GLOB ${table.reference} || '-*'`,
    ),
    check(
      'transactions_processing',
      sql`(${table.status} = 'Processing') = (${table.pendingOperation} IS NOT NULL) AND (${table.status} <> 'Processing' OR (${table.gatewayKey} IS NOT NULL AND ${table.cardToken} IS NOT NULL AND ${table.dueAtMs} IS NOT NULL AND ${table.askedAtMs} IS NOT NULL))`,
    ),
    check(
      'transactions_waiting',
      sql`(${table.status} <> 'Pending' OR ${table.scheduledAtMs} IS NOT NULL) AND (${table.status} <> 'Authorized' OR ${table.expiresAtMs} IS NOT NULL) AND (${table.status} NOT IN ('Pending', 'Authorized') OR ${table.dueAtMs} IS NOT NULL)`,
    ),
    check(
      'transactions_capture',
      sql`${table.captureAmountMinor} IS NULL OR (${table.kind} = 'authorization' AND ${table.captureAmountMinor} BETWEEN 1 AND ${table.amountMinor})`,
    ),
  ],
);

/** Money that goes back, each record against one charge (interface: 2.2; decisions: section 5). */
export const refunds = sqliteTable(
  'refunds',
  {
    id: integer().primaryKey(),
    transactionId: integer('transaction_id')
      .notNull()
      .references(() => transactions.id),
    propertyId: text('property_id').notNull(),
    bookingReference: text('booking_reference').notNull(),
    /** 32 hex digits; also the gateway's idempotency key of this refund. */
    reference: text().notNull(),
    /** The request that made it: one request can make several refunds. */
    commandReference: text('command_reference').notNull(),
    status: text({ enum: ['Processing', 'Refunded', 'Failed'] }).notNull(),
    amountMinor: integer('amount_minor').notNull(),
    currency: text().notNull(),
    description: text(),
    gatewayReference: text('gateway_reference'),
    inquiries: integer().notNull().default(0),
    dueAtMs: integer('due_at_ms'),
    idempotencyKey: text('idempotency_key'),
    /** Grows by one with every change: a change decided on an older state is refused. */
    version: integer().notNull().default(1),
    createdAtMs: integer('created_at_ms').notNull(),
    settledAtMs: integer('settled_at_ms'),
  },
  (table) => [
    unique('refunds_reference').on(table.reference),
    index('refunds_by_booking').on(table.propertyId, table.bookingReference),
    index('refunds_due').on(table.dueAtMs).where(sql`${table.dueAtMs} IS NOT NULL`),
    index('refunds_unknown')
      .on(table.createdAtMs)
      .where(sql`${table.status} = 'Processing' AND ${table.inquiries} > 0`),
    check('refunds_amount', sql`${table.amountMinor} > 0`),
    check('refunds_status', sql`${table.status} IN ('Processing', 'Refunded', 'Failed')`),
  ],
);

export type TransactionRow = typeof transactions.$inferSelect;
export type RefundRow = typeof refunds.$inferSelect;
