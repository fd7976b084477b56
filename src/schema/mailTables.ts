import { sql } from 'drizzle-orm';
import { check, index, integer, sqliteTable, text } from 'drizzle-orm/sqlite-core';
import { ofProperty } from './propertyTables.ts';
import { isOneOf } from './storage.ts';

/**
 * Mails that are to be sent, and what came of them (interface: Mails). Each is queued in the batch of what it follows from.
 * Its words and links are made when it is sent.
 */
export const mails = sqliteTable(
  'mails',
  {
    /**
     * What it follows from and its kind, so that it is queued once: `<id of the charge or refund>-<kind>`,
     * `<event type>-<id>-<when>-dailyWord`, `<charge id>-<number of the
     * reminder>-cardRecovery` or `-virtualCard`, `<request id>-cardRequest`, `<UUID>-paymentLink`. Senders that take such a key get it.
     */
    id: text().primaryKey(),
    propertyId: ofProperty(),
    /** Null for a card request by address only. */
    bookingReference: text('booking_reference'),
    /**
     * `cardRecovery`: reminds a guest of charges whose card fails; `virtualCard`: asks the property. `dailyWord`: one entry of the daily digest, which the
     * property gets in the morning.
     */
    kind: text({
      enum: [
        'receipt',
        'refund',
        'failedPayment',
        'cardRecovery',
        'virtualCard',
        'cardRequest',
        'paymentLink',
        'dailyWord',
      ],
    }).notNull(),
    /** The type of the event that it tells of; null if it tells of none. */
    eventType: text('event_type'),
    /** What it is about: a `charge`, a `refund`, a `dispute`, a `cardRequest` or a `booking`. */
    subjectKind: text('subject_kind').notNull(),
    subjectId: text('subject_id').notNull(),
    /**
     * `Suppressed`: the address has bounced. `Dropped`: nobody is to be told any more, as when an address was taken away.
     * `Dead`: given up after the last attempt.
     */
    status: text({ enum: ['Pending', 'Sent', 'Suppressed', 'Dropped', 'Dead'] }).notNull(),
    attempts: integer().notNull().default(0),
    /** When it is sent next, by the property's clock; null once it is settled. */
    dueAtMs: integer('due_at_ms'),
    /** What the sender said last. It names no person. */
    lastError: text('last_error'),
    /** The local day on whose morning an entry of the daily digest goes out; null before that is planned. */
    morning: text(),
    /**
     * The beginning of SHA-256 of the guest's address in lower case, as hex, once a mail was sent there or put off because of
     * many others; null before that.
     */
    recipient: text(),
    /** The id of the mail that sums this one up with others to the same address; null for one that goes out by itself. */
    summedUpIn: text('summed_up_in'),
    createdAtMs: integer('created_at_ms').notNull(),
    completedAtMs: integer('completed_at_ms'),
  },
  (table) => [
    index('mails_due').on(table.propertyId, table.dueAtMs).where(sql`${table.dueAtMs} IS NOT NULL`),
    // Serves the list of mails.
    index('mails_by_time').on(table.propertyId, table.createdAtMs),
    index('mails_by_booking').on(table.propertyId, table.bookingReference),
    // What an address got lately.
    index('mails_by_recipient')
      .on(table.propertyId, table.recipient, table.completedAtMs)
      .where(sql`${table.recipient} IS NOT NULL`),
    check(
      'mails_status',
      sql`${isOneOf(table.status)} AND (${table.status} = 'Pending') = (${table.dueAtMs} IS NOT NULL)`,
    ),
  ],
);

export type MailRow = typeof mails.$inferSelect;

/** Mails of local mode, for `/dev/mailbox`. A deployment never writes here. */
export const localMailbox = sqliteTable('local_mailbox', {
  id: integer().primaryKey({ autoIncrement: true }),
  recipient: text().notNull(),
  subject: text().notNull(),
  text: text().notNull(),
  html: text().notNull(),
  /** By the property's clock. */
  atMs: integer('at_ms').notNull(),
  sender: text(),
  replyTo: text('reply_to'),
  /** The mail of the outbox: a mail that is sent twice is taken once. Null for a mail that never was in it. */
  mailId: text('mail_id').unique('local_mailbox_mail'),
});

export type MailboxRow = typeof localMailbox.$inferSelect;

/** Addresses that bounced and get no more mail (interface: Mails). */
export const suppressedAddresses = sqliteTable('suppressed_addresses', {
  /** SHA-256 of the address in lower case, as hex: the address itself is not kept. */
  digest: text().primaryKey(),
  /** What the sender said. It names no person. */
  why: text().notNull(),
  sinceMs: integer('since_ms').notNull(),
});
