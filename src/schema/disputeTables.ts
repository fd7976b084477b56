import { sql } from 'drizzle-orm';
import { check, index, integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core';
import { ofBooking } from './bookingTables.ts';
import { transactions } from './moneyTables.ts';
import { isOneOf } from './storage.ts';

/** A dispute (chargeback) of a charge (interface: Disputes). A charge can have several. */
export const disputes = sqliteTable(
  'disputes',
  {
    propertyId: text('property_id').notNull(),
    id: text().notNull(),
    bookingReference: text('booking_reference').notNull(),
    transactionId: integer('transaction_id')
      .notNull()
      .references(() => transactions.id),
    status: text({ enum: ['needs_response', 'under_review', 'won', 'lost'] }).notNull(),
    reason: text().notNull(),
    currency: text().notNull(),
    amountMinor: integer('amount_minor').notNull(),
    /** What the acquirer charges for the dispute itself. */
    feeMinor: integer('fee_minor').notNull(),
    /** Whether the acquirer withdrew more for it than it gave back. The history has each movement. */
    fundsWithdrawn: integer('funds_withdrawn', { mode: 'boolean' }).notNull(),
    openedAtMs: integer('opened_at_ms').notNull(),
    respondByMs: integer('respond_by_ms'),
    closedAtMs: integer('closed_at_ms'),
    /** When the acquirer did what the last change is about, and when this service learnt it. */
    changedAtMs: integer('changed_at_ms').notNull(),
    learntAtMs: integer('learnt_at_ms').notNull(),
    /** The answer that the acquirer was sent, while it is not known whether it took that; null otherwise. */
    pendingAnswer: text('pending_answer', { enum: ['evidence', 'acceptance'] }),
    /** The answer that the acquirer took last, and when; null before. */
    answer: text({ enum: ['evidence', 'acceptance'] }),
    answeredAtMs: integer('answered_at_ms'),
    /** 32 hex digits: the acquirer's idempotency key of the last answer that it was sent. */
    answerReference: text('answer_reference'),
    /** When the pending answer was sent first, and last if it was sent again. */
    askedAtMs: integer('asked_at_ms'),
    sentAtMs: integer('sent_at_ms'),
    statusChecks: integer('status_checks').notNull().default(0),
    /** When the acquirer first had no such answer although its key had ended; null before. */
    absentAtMs: integer('absent_at_ms'),
    /** The deadline that the event `dispute.due_soon` was about; null before it. */
    toldDeadlineMs: integer('told_deadline_ms'),
    /** When the booking's Durable Object must look at it next; null for never. */
    dueAtMs: integer('due_at_ms'),
    /** Grows by one with every change: a change decided on an older state is refused. */
    version: integer().notNull().default(1),
  },
  (table) => [
    primaryKey({ columns: [table.propertyId, table.id] }),
    ofBooking(table),
    index('disputes_by_booking').on(table.propertyId, table.bookingReference),
    index('disputes_by_change').on(table.propertyId, table.learntAtMs),
    index('disputes_open')
      .on(table.propertyId, table.openedAtMs)
      .where(sql`${table.status} IN ('needs_response', 'under_review')`),
    // The work list of a property's staff: what needs an answer first, by its deadline.
    index('disputes_by_deadline')
      .on(table.propertyId, table.status, table.respondByMs, table.id)
      .where(sql`${table.status} IN ('needs_response', 'under_review')`),
    // The same of all properties, for administrators, and what was decided.
    index('disputes_open_anywhere')
      .on(table.status, table.respondByMs, table.id)
      .where(sql`${table.status} IN ('needs_response', 'under_review')`),
    index('disputes_closed_anywhere')
      .on(table.learntAtMs, table.id)
      .where(sql`${table.status} IN ('won', 'lost')`),
    index('disputes_by_time').on(table.propertyId, table.openedAtMs, table.id),
    check('disputes_amount', sql`${table.amountMinor} > 0 AND ${table.feeMinor} >= 0`),
    check('disputes_status', isOneOf(table.status)),
    index('disputes_due').on(table.dueAtMs).where(sql`${table.dueAtMs} IS NOT NULL`),
    check(
      'disputes_pending',
      sql`${table.pendingAnswer} IS NULL OR (${table.answerReference} IS NOT NULL AND ${table.askedAtMs} IS NOT NULL AND ${table.dueAtMs} IS NOT NULL)`,
    ),
    check('disputes_answered', sql`(${table.answer} IS NULL) = (${table.answeredAtMs} IS NULL)`),
  ],
);

/** The evidence that the acquirer was sent against a dispute, so that a lost request can be sent again as it was. */
export const disputeEvidence = sqliteTable(
  'dispute_evidence',
  {
    /** The `answerReference` that it was sent under. */
    reference: text().primaryKey(),
    propertyId: text('property_id').notNull(),
    bookingReference: text('booking_reference').notNull(),
    disputeId: text('dispute_id').notNull(),
    /** The texts, by the acquirer's names of its fields; null once the guest is erased. */
    texts: text({ mode: 'json' }).$type<Readonly<Record<string, string>>>(),
    /** Whether the stay took place, as it was known then. */
    stayHappened: integer('stay_happened', { mode: 'boolean' }).notNull(),
    /** The acquirer's id of the PDF that goes with it; null where it has none. */
    document: text(),
    createdAtMs: integer('created_at_ms').notNull(),
  },
  (table) => [
    ofBooking(table),
    index('dispute_evidence_by_dispute').on(table.propertyId, table.disputeId),
  ],
);

export type DisputeEvidenceRow = typeof disputeEvidence.$inferSelect;
export type DisputeRow = typeof disputes.$inferSelect;
export type DisputeStatus = DisputeRow['status'];

/** What a dispute is answered with: evidence against it, or that it is accepted. */
export type DisputeAnswer = NonNullable<DisputeRow['answer']>;
