import { eq } from 'drizzle-orm';
import { digestOf } from '../../core/digest.ts';
import { suppressedAddresses } from '../../schema/mailTables.ts';
import { type Database, queries } from '../db/database.ts';

const { digest } = suppressedAddresses;

/** Whether an address bounced before and gets no mail. One round trip. */
export async function isSuppressed(database: Database, address: string): Promise<boolean> {
  const isOfAddress = eq(digest, await addressDigest(address));
  const [rows] = await database.directory.batch('d1.mail.read', [
    queries.select().from(suppressedAddresses).where(isOfAddress),
  ]);
  return rows.length > 0;
}

/** Keeps that an address bounced. `why` names no person. */
export async function suppress(database: Database, address: string, why: string): Promise<void> {
  const row = { digest: await addressDigest(address), why, sinceMs: Date.now() };
  await database.directory.batch('d1.mail.save', [
    queries.insert(suppressedAddresses).values(row).onConflictDoNothing(),
  ]);
}

/** Lets an address get mail again (interface: Lift a suppression). Returns whether it got none. */
export async function liftSuppression(database: Database, address: string): Promise<boolean> {
  const isOfAddress = eq(digest, await addressDigest(address));
  const [lifted] = await database.directory.batch('d1.mail.save', [
    queries.delete(suppressedAddresses).where(isOfAddress).returning({ digest }),
  ]);
  return lifted.length > 0;
}

/** An address without regard to case, as it is kept: not in the clear. */
export function addressDigest(address: string): Promise<string> {
  return digestOf(address.toLowerCase());
}
