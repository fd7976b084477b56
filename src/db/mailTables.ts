import { integer, sqliteTable, text } from 'drizzle-orm/sqlite-core';

/** What a local start would have sent by e-mail; no deployment writes here. */
export const localMailbox = sqliteTable('local_mailbox', {
  id: integer().primaryKey({ autoIncrement: true }),
  recipient: text().notNull(),
  subject: text().notNull(),
  text: text().notNull(),
  html: text().notNull(),
  atMs: integer('at_ms').notNull(),
});

export type MailRow = typeof localMailbox.$inferSelect;
