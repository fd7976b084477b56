import { sql } from 'drizzle-orm';
import {
  check,
  index,
  integer,
  sqliteTable,
  text,
  unique,
  uniqueIndex,
} from 'drizzle-orm/sqlite-core';
import { ofBooking } from './bookingTables.ts';
import { cards } from './cardTables.ts';
import { isOneOf } from './storage.ts';

/** A schedule that a payment lowers, and its price then, in minor units. */
export interface LoweredSchedule {
  readonly id: number;
  readonly requestedMinor: number;
  readonly transactionFeeMinor: number;
  readonly cardFeeMinor: number;
  readonly amountMinor: number;
}

/** Charges, scheduled charges and pre-authorizations (interface: The transaction object). */
export const transactions = sqliteTable(
  'transactions',
  {
    id: integer().primaryKey(),
    propertyId: text('property_id').notNull(),
    bookingReference: text('booking_reference').notNull(),
    /** 32 hex digits; the prefix of the gateway's idempotency keys. */
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
    /** The amount charged to the card: requested + both fees. */
    amountMinor: integer('amount_minor').notNull(),
    /** The sum of the refunds that are accepted or under way. */
    refundReservedMinor: integer('refund_reserved_minor').notNull().default(0),
    virtualCard: integer('virtual_card', { mode: 'boolean' }).notNull(),
    /** The rate of the card fee, so that a later capture uses the same. */
    feeBasisPoints: integer('fee_basis_points').notNull(),
    /** Whether the rate is of the gross or of the requested amount, and the highest card fee that it makes; null for none. */
    feeMethod: text('fee_method', { enum: ['grossUp', 'add'] })
      .notNull()
      .default('grossUp'),
    feeMaximumMinor: integer('fee_maximum_minor'),
    /** The amount that was asked for, where less was due or another amount was taken; null if it is the same. */
    askedMinor: integer('asked_minor'),
    /** Whether a schedule charges what is due when it fires, at most. */
    limitToDue: integer('limit_to_due', { mode: 'boolean' }).notNull().default(false),
    /** What the caller is told beside the transaction, each time. */
    warnings: text({ mode: 'json' })
      .$type<readonly ('exceeds_due' | 'scheduled_exceeds_due' | 'surcharge_not_allowed')[]>()
      .notNull()
      .default([]),
    /** The schedules that end when this payment is accepted: the guest pays it instead of them. */
    replaces: text({ mode: 'json' }).$type<readonly number[]>().notNull().default([]),
    /** The schedule that takes less once this payment is accepted, and its price then; null for none. */
    lowers: text({ mode: 'json' }).$type<LoweredSchedule>(),
    /** The latest payment that a schedule may give way to. The schedule waits while an outcome of such is unknown. */
    replacedBy: integer('replaced_by'),
    /** The declined charge that this one is made in place of, on a new card (interface: Recovery). */
    replacesCharge: integer('replaces_charge'),
    /** The quote that was charged: it is used once. */
    quoteId: text('quote_id'),
    /** The part of a plan that it charges; null for what is no part (interface: Payment plans). */
    planId: text('plan_id'),
    partId: text('part_id'),
    description: text(),
    /** Who asked for the payment, and whether the cardholder is there (interface: Who pays). */
    initiator: text({ enum: ['guest', 'property', 'phone'] })
      .notNull()
      .default('property'),
    /** The page to which the bank returns the guest who pays; null if none does. */
    returnUrl: text('return_url'),
    /** When the acquirer first said that the guest's bank wants to verify them; null if it did not. */
    bankAskedAtMs: integer('bank_asked_at_ms'),
    cardToken: text('card_token').references(() => cards.token),
    /** Whether the request named the card. Otherwise a schedule uses the booking's card when it fires. */
    cardNamed: integer('card_named', { mode: 'boolean' }).notNull(),
    /**
     * The card that the booking used when the schedule was made, if another one is charged first. It is tried once if that
     * is declined for good: from then on it is the `cardToken`.
     */
    otherCard: text('other_card'),
    /** Free text of the caller, returned unchanged. */
    scheduledTime: text('scheduled_time'),
    scheduledAtMs: integer('scheduled_at_ms'),
    expiryTime: text('expiry_time'),
    /** When a hold ends: as requested, or earlier if the gateway says so. */
    expiresAtMs: integer('expires_at_ms'),
    firstAttemptAtMs: integer('first_attempt_at_ms'),
    /** Until when a schedule was put off, once, because nothing was due; null if it was not. */
    putOffUntilMs: integer('put_off_until_ms'),
    /** The gateway operation under way while the status is Processing. */
    pendingOperation: text('pending_operation', {
      enum: ['charge', 'authorize', 'capture', 'release', 'expire'],
    }),
    /** The amounts of a capture under way, without and with fees. On success they become the charge's amounts. */
    captureRequestedMinor: integer('capture_requested_minor'),
    captureAmountMinor: integer('capture_amount_minor'),
    gateway: text().notNull(),
    /** The gateway's idempotency key of the latest attempt: `<reference>-<attempt>`. */
    gatewayKey: text('gateway_key'),
    gatewayReference: text('gateway_reference'),
    /** The number of attempts, each with its own key: `gateway_key` is the last one's. */
    attempts: integer().notNull().default(0),
    /** When the request under way was first sent: gateways forget a key after a while. */
    askedAtMs: integer('asked_at_ms'),
    /** The status checks of an unknown outcome since the attempt. */
    statusChecks: integer('status_checks').notNull().default(0),
    declineCode: text('decline_code'),
    declineRetryable: integer('decline_retryable', { mode: 'boolean' }),
    /** How often in a row the acquirer rejected the attempt for a temporary reason. Such an attempt does not count. */
    rejections: integer().notNull().default(0),
    /** When the request under way was sent last; null if that is `askedAtMs`. */
    sentAtMs: integer('sent_at_ms'),
    /** When the acquirer first had no such operation although its key had ended; null before. */
    absentAtMs: integer('absent_at_ms'),
    /**
     * When its end was asked for while its outcome was not known, by a caller or by the cancellation of its booking; null
     * if it was not. A lost request is not sent again since.
     */
    unwantedSinceMs: integer('unwanted_since_ms'),
    /** When the booking's Durable Object must process this row next; null for never. */
    dueAtMs: integer('due_at_ms'),
    /** The caller's idempotency key of the operation under way. Its stored answer gets the outcome later. */
    idempotencyKey: text('idempotency_key'),
    bookingVersion: integer('booking_version').notNull(),
    propertyVersion: integer('property_version').notNull(),
    /** Grows by one with every change: a change decided on an older state is refused. */
    version: integer().notNull().default(1),
    createdAtMs: integer('created_at_ms').notNull(),
    /** When the final outcome came about at the acquirer. The history has this time as `occurredAtMs`. */
    completedAtMs: integer('completed_at_ms'),
    /** When this service learnt the final outcome; null before. */
    learntAtMs: integer('learnt_at_ms'),
    /** When the acquirer's record last corrected a final state; null if never. Only a correction leaves one. */
    correctedAtMs: integer('corrected_at_ms'),
    /** When something that lists show of it changed last; null if nothing has since its creation. */
    changedAtMs: integer('changed_at_ms'),
  },
  (table) => [
    ofBooking(table),
    uniqueIndex('transactions_of_quote').on(table.quoteId).where(sql`${table.quoteId} IS NOT NULL`),
    // Finds a booking by an amount that a guest or a bank names.
    index('transactions_by_amount').on(table.propertyId, table.amountMinor, table.createdAtMs),
    // The next three serve the list of a property's transactions. A charge that is accepted at once writes only into the
    // first: the others leave it out.
    index('transactions_by_creation').on(table.propertyId, table.createdAtMs),
    index('transactions_by_status')
      .on(table.propertyId, table.status, table.createdAtMs)
      .where(sql`${table.status} NOT IN ('Processing', 'Accepted')`),
    index('transactions_changed_later')
      .on(table.propertyId, table.changedAtMs)
      .where(
        sql`${table.changedAtMs} > ${table.createdAtMs} + 60000 AND ${table.status} <> 'Processing'`,
      ),
    index('transactions_due').on(table.dueAtMs).where(sql`${table.dueAtMs} IS NOT NULL`),
    // The next five serve the operations page. They leave out charges that are accepted or declined at once.
    index('transactions_scheduled')
      .on(table.dueAtMs, table.currency, table.amountMinor)
      .where(sql`${table.status} = 'Pending'`),
    index('transactions_retried')
      .on(table.askedAtMs)
      .where(sql`${table.status} = 'Pending' AND ${table.attempts} > 0`),
    index('transactions_rejected')
      .on(table.dueAtMs)
      .where(sql`${table.status} = 'Pending' AND ${table.rejections} > 0`),
    index('transactions_unknown')
      .on(table.askedAtMs)
      .where(sql`${table.status} = 'Processing' AND ${table.statusChecks} > 0`),
    // Payments that wait for their guest's bank, for the list: no status check looks at them meanwhile.
    index('transactions_at_bank')
      .on(table.propertyId)
      .where(sql`${table.status} = 'Processing' AND ${table.bankAskedAtMs} IS NOT NULL`),
    // What may still be charged on a card, of whichever booking. Charges by request never wait, and write nothing into it.
    index('transactions_needing_card')
      .on(table.cardToken)
      .where(sql`${table.completedAtMs} IS NULL AND ${table.kind} <> 'charge'`),
    index('transactions_replacing')
      .on(table.replacesCharge)
      .where(sql`${table.replacesCharge} IS NOT NULL`),
    // Payments with a warning. Literals of JSON: the column is text.
    index('transactions_warned').on(table.createdAtMs).where(sql`${table.warnings} <> '[]'`),
    // The work lists of a property's staff: what is to come, and what failed.
    index('transactions_coming')
      .on(table.propertyId, table.dueAtMs)
      .where(sql`${table.status} IN ('Pending', 'Authorized')`),
    index('transactions_failed')
      .on(table.propertyId, table.learntAtMs)
      .where(sql`${table.status} IN ('Declined', 'Failed')`),
    // What failed anywhere, for administrators: declines are left out.
    index('transactions_failed_anywhere')
      .on(table.learntAtMs)
      .where(sql`${table.status} = 'Failed'`),
    index('transactions_completed_later')
      .on(table.completedAtMs)
      .where(
        sql`${table.completedAtMs} IS NOT NULL AND (${table.kind} <> 'charge' OR ${table.statusChecks} > 0)`,
      ),
    // Few: holds that ended after their outcome was not known.
    index('transactions_doubtful_holds')
      .on(table.completedAtMs)
      .where(sql`${table.kind} = 'authorization' AND ${table.statusChecks} > 0`),
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
      'transactions_completed',
      sql`${table.completedAtMs} IS NULL OR ${table.status} NOT IN ('Pending', 'Authorized', 'Processing')`,
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

/** A refund of one charge (interface: The refund object). */
export const refunds = sqliteTable(
  'refunds',
  {
    id: integer().primaryKey(),
    transactionId: integer('transaction_id')
      .notNull()
      .references(() => transactions.id),
    propertyId: text('property_id').notNull(),
    bookingReference: text('booking_reference').notNull(),
    /** 32 hex digits; also the gateway's idempotency key. */
    reference: text().notNull(),
    /** The request of the refund. One request can make several refunds. */
    commandReference: text('command_reference').notNull(),
    status: text({ enum: ['Processing', 'Refunded', 'Failed'] }).notNull(),
    amountMinor: integer('amount_minor').notNull(),
    currency: text().notNull(),
    description: text(),
    /** Whether the stay costs less by it, so that what it gives back is not due again. */
    waived: integer({ mode: 'boolean' }).notNull().default(false),
    gatewayReference: text('gateway_reference'),
    /** Who made it: this service, or a person at the acquirer. */
    origin: text({ enum: ['service', 'gateway'] })
      .notNull()
      .default('service'),
    /** Who asked for it, as in the audit trail; null for refunds that were made before this column. */
    actor: text(),
    statusChecks: integer('status_checks').notNull().default(0),
    rejections: integer().notNull().default(0),
    sentAtMs: integer('sent_at_ms'),
    absentAtMs: integer('absent_at_ms'),
    /** Also set while a refund that the acquirer accepted can still fail. */
    dueAtMs: integer('due_at_ms'),
    idempotencyKey: text('idempotency_key'),
    /** The property that the refund was decided with; null for refunds that were made before this column. */
    propertyVersion: integer('property_version'),
    /** Grows by one with every change: a change decided on an older state is refused. */
    version: integer().notNull().default(1),
    createdAtMs: integer('created_at_ms').notNull(),
    completedAtMs: integer('completed_at_ms'),
    learntAtMs: integer('learnt_at_ms'),
    correctedAtMs: integer('corrected_at_ms'),
  },
  (table) => [
    unique('refunds_by_booking').on(table.propertyId, table.bookingReference, table.reference),
    index('refunds_by_change')
      .on(table.propertyId, table.learntAtMs)
      .where(sql`${table.learntAtMs} IS NOT NULL`),
    index('refunds_due').on(table.dueAtMs).where(sql`${table.dueAtMs} IS NOT NULL`),
    index('refunds_failed')
      .on(table.propertyId, table.learntAtMs)
      .where(sql`${table.status} = 'Failed'`),
    index('refunds_failed_anywhere').on(table.learntAtMs).where(sql`${table.status} = 'Failed'`),
    uniqueIndex('refunds_of_gateway')
      .on(table.propertyId, table.gatewayReference)
      .where(sql`${table.origin} = 'gateway'`),
    index('refunds_unknown')
      .on(table.createdAtMs)
      .where(sql`${table.status} = 'Processing' AND ${table.statusChecks} > 0`),
    check('refunds_amount', sql`${table.amountMinor} > 0`),
    check('refunds_status', isOneOf(table.status)),
  ],
);

export type TransactionRow = typeof transactions.$inferSelect;
export type RefundRow = typeof refunds.$inferSelect;

/** The gateway operation of a transaction in `Processing`. */
export type PendingOperation = NonNullable<TransactionRow['pendingOperation']>;
