import { integer, sqliteTable, text } from 'drizzle-orm/sqlite-core';

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
