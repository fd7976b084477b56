import { integer, sqliteTable, text } from 'drizzle-orm/sqlite-core';

/** Mails of local mode, for `/dev/mailbox`. A deployment never writes here. */
export const localMailbox = sqliteTable('local_mailbox', {
  id: integer().primaryKey({ autoIncrement: true }),
  recipient: text().notNull(),
  subject: text().notNull(),
  text: text().notNull(),
  html: text().notNull(),
  atMs: integer('at_ms').notNull(),
});

export type MailRow = typeof localMailbox.$inferSelect;
