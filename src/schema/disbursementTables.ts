import { sql } from 'drizzle-orm';
import {
  check,
  foreignKey,
  index,
  integer,
  primaryKey,
  sqliteTable,
  text,
  uniqueIndex,
} from 'drizzle-orm/sqlite-core';
import { ofProperty } from './propertyTables.ts';
import { isOneOf } from './storage.ts';

/**
 * An acquirer's payout to a property (interface: Disbursements). Its totals are the sums of its items.
 */
export const disbursements = sqliteTable(
  'disbursements',
  {
    propertyId: ofProperty(),
    /** The acquirer's id of the payout, unique within a property. */
    id: text().notNull(),
    gateway: text().notNull(),
    status: text({ enum: ['not_paid_out', 'in_transit', 'paid_out', 'failed'] }).notNull(),
    currency: text().notNull(),
    grossMinor: integer('gross_minor').notNull().default(0),
    feeMinor: integer('fee_minor').notNull().default(0),
    netMinor: integer('net_minor').notNull().default(0),
    /** What the history says that the bank got, and that the acquirer kept. */
    postedNetMinor: integer('posted_net_minor').notNull().default(0),
    postedFeeMinor: integer('posted_fee_minor').notNull().default(0),
    /** How many items there are: counted when the totals are added up. */
    itemCount: integer('item_count').notNull().default(0),
    description: text().notNull(),
    effectiveAtMs: integer('effective_at_ms').notNull(),
    /** When the money should reach the property's bank account. */
    arrivalDate: text('arrival_date').notNull(),
    /** When the sandbox gateway closes or pays out this one next. Null for acquirers that do so themselves. */
    dueAtMs: integer('due_at_ms'),
    paysAtMs: integer('pays_at_ms'),
  },
  (table) => [
    primaryKey({ columns: [table.propertyId, table.id] }),
    index('disbursements_by_time').on(table.propertyId, table.effectiveAtMs, table.id),
    index('disbursements_newest').on(table.effectiveAtMs, table.id),
    index('disbursements_by_arrival').on(table.propertyId, table.arrivalDate),
    index('disbursements_due').on(table.dueAtMs).where(sql`${table.dueAtMs} IS NOT NULL`),
    check('disbursements_net', sql`${table.netMinor} = ${table.grossMinor} - ${table.feeMinor}`),
    check('disbursements_status', isOneOf(table.status)),
  ],
);

/** One movement of money, in exactly one disbursement. Its id is the acquirer's. */
export const disbursementItems = sqliteTable(
  'disbursement_items',
  {
    propertyId: text('property_id').notNull(),
    id: text().notNull(),
    disbursementId: text('disbursement_id').notNull(),
    /** The acquirer's reference of the charge or refund, if any. */
    gatewayTransactionId: text('gateway_transaction_id'),
    description: text().notNull(),
    category: text({
      enum: ['sale', 'refund', 'dispute', 'refund_failure', 'adjustment'],
    }).notNull(),
    currency: text().notNull(),
    /** Negative when the property pays. */
    grossMinor: integer('gross_minor').notNull(),
    feeMinor: integer('fee_minor').notNull(),
    netMinor: integer('net_minor').notNull(),
    threeDsAuthenticated: integer('three_ds_authenticated', { mode: 'boolean' }).notNull(),
    effectiveAtMs: integer('effective_at_ms').notNull(),
    createdAtMs: integer('created_at_ms').notNull(),
    availableAtMs: integer('available_at_ms').notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.propertyId, table.id] }),
    foreignKey({
      columns: [table.propertyId, table.disbursementId],
      foreignColumns: [disbursements.propertyId, disbursements.id],
    }),
    index('disbursement_items_by_disbursement').on(table.propertyId, table.disbursementId),
    check(
      'disbursement_items_net',
      sql`${table.netMinor} = ${table.grossMinor} - ${table.feeMinor}`,
    ),
    check(
      'disbursement_items_sign',
      sql`(${table.category} <> 'sale' OR ${table.grossMinor} > 0) AND (${table.category} <> 'refund' OR ${table.grossMinor} < 0)`,
    ),
  ],
);

/**
 * A line of a property's bank statements, once however often it was imported (interface: Bank statements). A disbursement
 * has one at most.
 */
export const bankLines = sqliteTable(
  'bank_lines',
  {
    propertyId: ofProperty(),
    /** 32 hexadecimal digits, made from what makes a line the same in another file: `disbursements/bank/lineIds.ts`. */
    id: text().notNull(),
    /** The bank's day of booking. */
    date: text().notNull(),
    currency: text().notNull(),
    /** Negative for what left the account. */
    amountMinor: integer('amount_minor').notNull(),
    /** What the bank wrote, without card numbers. */
    description: text().notNull(),
    /** Whether it is known which disbursement it is. */
    status: text({ enum: ['matched', 'unmatched'] }).notNull(),
    disbursementId: text('disbursement_id'),
  },
  (table) => [
    primaryKey({ columns: [table.propertyId, table.id] }),
    foreignKey({
      columns: [table.propertyId, table.disbursementId],
      foreignColumns: [disbursements.propertyId, disbursements.id],
    }),
    // For lists of all: its condition keeps SQLite from using it where the status is asked for.
    index('bank_lines_by_date')
      .on(table.propertyId, table.date, table.id)
      .where(sql`${table.date} <> ''`),
    index('bank_lines_by_status').on(
      table.propertyId,
      table.status,
      table.date,
      table.id,
      table.amountMinor,
      table.currency,
    ),
    uniqueIndex('bank_lines_of_disbursement')
      .on(table.propertyId, table.disbursementId)
      .where(sql`${table.disbursementId} IS NOT NULL`),
    check(
      'bank_lines_status',
      sql`${table.status} = iif(${table.disbursementId} IS NULL, 'unmatched', 'matched')`,
    ),
  ],
);

/** How far the service has read the payouts of an acquirer's account. */
export const payoutProgress = sqliteTable('payout_progress', {
  /** `sandbox`, or `stripe` followed by the id of the account. */
  source: text().primaryKey(),
  /** The last movement read from the sandbox's ledger; for Stripe, the UTC day of the last look-up. */
  position: text().notNull(),
});

export type DisbursementRow = typeof disbursements.$inferSelect;
export type BankLineRow = typeof bankLines.$inferSelect;
export type DisbursementItemRow = typeof disbursementItems.$inferSelect;
