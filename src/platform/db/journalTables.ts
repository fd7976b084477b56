import { sql } from 'drizzle-orm';
import { check, index, integer, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core';
import { transactions } from './moneyTables.ts';

/**
 * One row for every certain movement of money (architecture: The journal). Triggers write it in the same batch as the
 * change that it tells of, so that no code can forget it. Rows are never changed, but for `reconciledAtMs`.
 */
export const journal = sqliteTable(
  'journal',
  {
    id: integer().primaryKey(),
    propertyId: text('property_id').notNull(),
    bookingReference: text('booking_reference').notNull(),
    /** The charge that the movement is about. */
    transactionId: integer('transaction_id')
      .notNull()
      .references(() => transactions.id),
    refundId: integer('refund_id'),
    disputeId: text('dispute_id'),
    kind: text({
      enum: [
        'charge',
        'capture',
        'refund',
        'reversal',
        'chargeback',
        'chargeback_reversal',
        'correction',
      ],
    }).notNull(),
    currency: text().notNull(),
    /** Positive for money that comes to the property. */
    amountMinor: integer('amount_minor').notNull(),
    /** The part of the amount that is fees; 0 unless the movement is a charge, a capture or a correction of one. */
    feeMinor: integer('fee_minor').notNull(),
    gateway: text().notNull(),
    /** The acquirer's id of the charge, refund or dispute; null where it is not known. */
    gatewayReference: text('gateway_reference'),
    /** When the acquirer did it, and when this service learnt it. */
    occurredAtMs: integer('occurred_at_ms').notNull(),
    recordedAtMs: integer('recorded_at_ms').notNull(),
    /** When reconciliation found the same movement at the acquirer; null before. */
    reconciledAtMs: integer('reconciled_at_ms'),
  },
  (table) => [
    index('journal_by_transaction').on(table.transactionId),
    index('journal_by_gateway_reference').on(table.gatewayReference),
    index('journal_unreconciled')
      .on(table.propertyId, table.occurredAtMs)
      .where(sql`${table.reconciledAtMs} IS NULL`),
    // A charge is taken once.
    uniqueIndex('journal_taken_once')
      .on(table.transactionId)
      .where(sql`${table.kind} IN ('charge', 'capture')`),
    check(
      'journal_kind',
      sql`${table.kind} IN ('charge', 'capture', 'refund', 'reversal', 'chargeback', 'chargeback_reversal', 'correction')`,
    ),
    check(
      'journal_sign',
      sql`(${table.kind} NOT IN ('charge', 'capture', 'reversal', 'chargeback_reversal') OR ${table.amountMinor} > 0) AND (${table.kind} NOT IN ('refund', 'chargeback') OR ${table.amountMinor} < 0)`,
    ),
  ],
);

/** The sums of a charge's journal rows. A trigger adds each row; no code writes this table. */
export const chargeTotals = sqliteTable('charge_totals', {
  transactionId: integer('transaction_id')
    .primaryKey()
    .references(() => transactions.id),
  /** What was taken from the card, fees included, and the fees in it. */
  takenMinor: integer('taken_minor').notNull(),
  feeMinor: integer('fee_minor').notNull(),
  /** What was given back. */
  refundedMinor: integer('refunded_minor').notNull(),
  /** What the acquirer holds back for disputes. */
  disputedMinor: integer('disputed_minor').notNull(),
});

export type JournalRow = typeof journal.$inferSelect;
export type ChargeTotalsRow = typeof chargeTotals.$inferSelect;
