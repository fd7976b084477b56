import { sql } from 'drizzle-orm';
import { check, index, integer, sqliteTable, text } from 'drizzle-orm/sqlite-core';
import { ofBooking } from './bookingTables.ts';

/**
 * What is wrong with the card of a scheduled charge, and what is done about it (interface: Recovery). There is a row for
 * each schedule and each part of a plan whose card will have expired, and for each charge that was declined for good,
 * whether the property asks its guests or not.
 */
export const recoveries = sqliteTable(
  'recoveries',
  {
    /** The charge; of a part that is not charged yet, an id that no charge has: see `foretold` of its plan's part. */
    transactionId: integer('transaction_id').primaryKey(),
    propertyId: text('property_id').notNull(),
    bookingReference: text('booking_reference').notNull(),
    /**
     * `expiring`, `former`: the charge is still to come, and its card will have expired, or is kept at a former account. The
     * others: it was declined, for good or because its guest is needed.
     */
    cause: text({ enum: ['expiring', 'former', 'declined', 'authentication'] }).notNull(),
    /** When the charge was or is to be made: the scheduled time, or that of the request. */
    chargeAtMs: integer('charge_at_ms').notNull(),
    cardToken: text('card_token').notNull(),
    /** The card that `card.expiring` told of; it is told once. */
    toldCard: text('told_card'),
    /** How often the guest was asked: in all, and for this cause. */
    asked: integer().notNull().default(0),
    askedForCause: integer('asked_for_cause').notNull().default(0),
    /** When the guest was first asked for this cause, and until when an answer counts. */
    firstAskedAtMs: integer('first_asked_at_ms'),
    deadlineAtMs: integer('deadline_at_ms'),
    /** The id of the latest mail that reminds the guest: it names every charge whose recovery names it. */
    reminderMail: text('reminder_mail'),
    /** The new card that a declined charge is to be made again on. */
    answerCard: text('answer_card'),
    /** When `recovery.flagged` told that nobody answered; once for a charge. */
    flaggedAtMs: integer('flagged_at_ms'),
    /** When there is something to do next; null while nothing is. */
    dueAtMs: integer('due_at_ms'),
    endedAtMs: integer('ended_at_ms'),
    endedAs: text('ended_as', { enum: ['answered', 'paid', 'over', 'unanswered'] }),
    /** Grows by one with every change: a change decided on an older state is refused. */
    version: integer().notNull().default(1),
    createdAtMs: integer('created_at_ms').notNull(),
    changedAtMs: integer('changed_at_ms').notNull(),
    /** Whether the charge is of a settlement: that its booking is cancelled does not end the recovery. */
    ofSettlement: integer('of_settlement', { mode: 'boolean' }).notNull().default(false),
  },
  (table) => [
    ofBooking(table),
    index('recoveries_by_booking').on(table.propertyId, table.bookingReference),
    // The list of problems, the earliest charge first.
    index('recoveries_by_time')
      .on(table.propertyId, table.chargeAtMs, table.transactionId)
      .where(sql`${table.endedAs} IS NULL OR ${table.endedAs} = 'unanswered'`),
    index('recoveries_anywhere')
      .on(table.chargeAtMs, table.transactionId)
      .where(sql`${table.endedAs} IS NULL OR ${table.endedAs} = 'unanswered'`),
    index('recoveries_due').on(table.dueAtMs).where(sql`${table.dueAtMs} IS NOT NULL`),
    index('recoveries_by_card').on(table.cardToken),
    check('recoveries_ended', sql`(${table.endedAtMs} IS NULL) = (${table.endedAs} IS NULL)`),
    check('recoveries_done', sql`${table.endedAtMs} IS NULL OR ${table.dueAtMs} IS NULL`),
    check(
      'recoveries_asked',
      sql`${table.askedForCause} BETWEEN 0 AND ${table.asked} AND (${table.askedForCause} = 0 OR ${table.deadlineAtMs} IS NOT NULL)`,
    ),
  ],
);

export type RecoveryRow = typeof recoveries.$inferSelect;
