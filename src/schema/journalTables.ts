import { sql } from 'drizzle-orm';
import { check, index, integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core';
import { transactions } from './moneyTables.ts';

/**
 * One row for every certain movement of money (parts: The journal). Triggers write it in the same batch as the
 * change that it records, so that no code can forget it; those of a dispute the code adds, one for each movement. Rows are never changed, but for `reconciledAtMs`.
 */
export const journal = sqliteTable(
  'journal',
  {
    /** The charge that the movement is about. */
    transactionId: integer('transaction_id')
      .notNull()
      .references(() => transactions.id),
    /** 1 for the charge or capture itself, then in the order in which this service learnt of the movements. */
    number: integer().notNull(),
    propertyId: text('property_id').notNull(),
    bookingReference: text('booking_reference').notNull(),
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
    primaryKey({ columns: [table.transactionId, table.number] }),
    index('journal_by_time').on(table.propertyId, table.occurredAtMs),
    check(
      'journal_kind',
      sql`${table.kind} IN ('charge', 'capture', 'refund', 'reversal', 'chargeback', 'chargeback_reversal', 'correction')`,
    ),
    // A charge is taken once, before anything else happens to it.
    check(
      'journal_taken_first',
      sql`(${table.number} = 1) = (${table.kind} IN ('charge', 'capture'))`,
    ),
    check(
      'journal_sign',
      sql`(${table.kind} NOT IN ('charge', 'capture', 'reversal', 'chargeback_reversal') OR ${table.amountMinor} > 0) AND (${table.kind} NOT IN ('refund', 'chargeback') OR ${table.amountMinor} < 0)`,
    ),
  ],
);

export type JournalRow = typeof journal.$inferSelect;
