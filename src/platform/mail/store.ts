import { desc, eq } from 'drizzle-orm';
import { localMailbox, type MailboxRow, suppressedAddresses } from '../../schema/mailTables.ts';
import type { Queries } from '../db/database.ts';

/** Puts a mail into the local mailbox. One that is there already is left as it is. */
export function keepInMailbox(queries: Queries, row: Omit<MailboxRow, 'id'>) {
  return queries.insert(localMailbox).values(row).onConflictDoNothing();
}

/** Selects the local mailbox's messages, newest first. */
export function selectMail(queries: Queries, limit: number) {
  return queries.select().from(localMailbox).orderBy(desc(localMailbox.id)).limit(limit);
}

/** Selects an address that gets no mail. */
export function selectSuppressed(queries: Queries, digest: string) {
  return queries.select().from(suppressedAddresses).where(eq(suppressedAddresses.digest, digest));
}

/** Keeps that an address bounced. */
export function insertSuppressed(queries: Queries, row: typeof suppressedAddresses.$inferInsert) {
  return queries.insert(suppressedAddresses).values(row).onConflictDoNothing();
}

/** Lets an address get mail again. Returns it if it got none. */
export function deleteSuppressed(queries: Queries, digest: string) {
  return queries
    .delete(suppressedAddresses)
    .where(eq(suppressedAddresses.digest, digest))
    .returning({ digest: suppressedAddresses.digest });
}
