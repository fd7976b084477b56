import { and, eq, gt, lte, type SQL, sql } from 'drizzle-orm';
import { HOUR_MS } from '../../core/time.ts';
import { type Database, queries } from '../../platform/db/database.ts';
import { cardEntries } from '../../schema/cardTables.ts';

export interface CardEntryAttempt {
  /** The form's own id: a repeated submission has the same one. */
  readonly attempt: string;
  readonly linkId: string;
  readonly propertyId: string;
  /** Null for a card that belongs to no booking. */
  readonly bookingReference: string | null;
  readonly atMs: number;
}

/** How many attempts a link and a booking may have. */
export interface EntryLimits {
  readonly ofLink: number;
  readonly ofBooking: number;
}

/**
 * Inserts and returns an attempt. Returns nothing if it was counted before, or if its link or booking has reached its
 * limit since `sinceMs`.
 */
export function insertCardEntry(
  { attempt, linkId, atMs, propertyId, bookingReference }: CardEntryAttempt,
  limits: EntryLimits,
  sinceMs: number,
) {
  const earlier = (of: SQL | undefined) =>
    queries
      .select({ count: sql`count(*)` })
      .from(cardEntries)
      .where(and(of, gt(cardEntries.atMs, sinceMs)));
  const ofLink = earlier(eq(cardEntries.linkId, linkId));
  const ofBooking = earlier(
    and(
      eq(cardEntries.propertyId, propertyId),
      // In SQL, nothing equals null: without a booking, only the link counts.
      sql`${cardEntries.bookingReference} = ${bookingReference}`,
    ),
  );
  return queries
    .insert(cardEntries)
    .select(
      sql`SELECT ${attempt}, ${linkId}, ${atMs}, ${propertyId}, ${bookingReference}
        WHERE ${ofLink} < ${limits.ofLink} AND ${ofBooking} < ${limits.ofBooking}`,
    )
    .onConflictDoNothing()
    .returning({ attempt: cardEntries.attempt });
}

/** How many cards guests may try in an hour: through one link, and for one booking through all its links. */
const MOST_ENTRIES: EntryLimits = { ofLink: 3, ofBooking: 6 };

/** Whether a card that was sent through a link may go to the vault. */
export type EntryVerdict =
  | { readonly kind: 'counted' }
  | { readonly kind: 'too-many' }
  /** The guest sent the same form before, at `atMs`. If its card was saved, `atMs` is when the card was created. */
  | { readonly kind: 'repeated'; readonly atMs: number };

/**
 * Counts a card before it goes to the vault, so that nobody can test many card numbers through a page. The count is
 * exact under concurrent requests, and a double click counts once. One round trip.
 */
export async function countCardEntry(
  database: Database,
  entry: CardEntryAttempt,
): Promise<EntryVerdict> {
  const { atMs, linkId } = cardEntries;
  const sinceMs = entry.atMs - HOUR_MS;
  const [[before], , counted] = await database.batch('d1.cardEntry.count', [
    queries.select({ atMs }).from(cardEntries).where(eq(cardEntries.attempt, entry.attempt)),
    // What no longer counts.
    queries.delete(cardEntries).where(and(eq(linkId, entry.linkId), lte(atMs, sinceMs))),
    insertCardEntry(entry, MOST_ENTRIES, sinceMs),
  ]);
  if (counted.length > 0) return { kind: 'counted' };
  return before ? { kind: 'repeated', atMs: before.atMs } : { kind: 'too-many' };
}
