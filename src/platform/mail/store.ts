import { desc } from 'drizzle-orm';
import type { Queries } from '../db/database.ts';
import { localMailbox, type MailRow } from '../db/mailTables.ts';

/** Inserts a message into the local mailbox. */
export function insertMail(queries: Queries, row: Omit<MailRow, 'id'>) {
  return queries.insert(localMailbox).values(row);
}

/** Selects the local mailbox's messages, newest first. */
export function selectMail(queries: Queries, limit: number) {
  return queries.select().from(localMailbox).orderBy(desc(localMailbox.id)).limit(limit);
}
