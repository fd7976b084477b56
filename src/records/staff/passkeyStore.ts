import { and, desc, eq, type SQL } from 'drizzle-orm';
import { queries } from '../../platform/db/database.ts';
import { endedSessions } from '../../schema/accessTables.ts';
import { type PasskeyRow, passkeys, users } from '../../schema/staffTables.ts';

/** Adds a passkey. Nothing happens if the same device adds it twice. */
export function insertPasskey(row: PasskeyRow) {
  return queries.insert(passkeys).values(row).onConflictDoNothing();
}

export function selectPasskey(id: string) {
  return queries.select().from(passkeys).where(eq(passkeys.id, id));
}

export function selectUserOfPasskey(id: string) {
  return queries.select().from(users).where(isOfPasskey(id));
}

export function isOfPasskey(id: string): SQL {
  const userId = queries.select({ id: passkeys.userId }).from(passkeys).where(eq(passkeys.id, id));
  return eq(users.id, userId);
}

/** Notes that a page's question was answered. A second answer violates its key. */
export function insertAnswered(question: Readonly<{ challenge: string; untilMs: number }>) {
  const { challenge, untilMs } = question;
  return queries.insert(endedSessions).values({ id: challenge, untilMs });
}

/** Selects the passkeys of a person, the latest first. */
export function selectPasskeys(userId: string) {
  return queries
    .select()
    .from(passkeys)
    .where(eq(passkeys.userId, userId))
    .orderBy(desc(passkeys.createdAtMs));
}

/** Notes that a passkey was used. */
export function updatePasskey(passkey: Pick<PasskeyRow, 'id' | 'counter' | 'lastUsedAtMs'>) {
  const { counter, id, lastUsedAtMs } = passkey;
  return queries.update(passkeys).set({ counter, lastUsedAtMs }).where(eq(passkeys.id, id));
}

export function deletePasskey({ id, userId }: Pick<PasskeyRow, 'id' | 'userId'>) {
  return queries.delete(passkeys).where(and(eq(passkeys.id, id), eq(passkeys.userId, userId)));
}

export function deletePasskeysOf(userId: string) {
  return queries.delete(passkeys).where(eq(passkeys.userId, userId));
}
