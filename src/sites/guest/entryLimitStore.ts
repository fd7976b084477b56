import { and, eq, gt, lte, type SQL, sql } from 'drizzle-orm';
import type { Queries } from '../../platform/db/database.ts';
import { cardEntries } from '../../schema/cardTables.ts';

/** One submission of a card's form through a link. */
export interface CardEntryAttempt {
  /** The form's own id: a repeated submission has the same one. */
  readonly attempt: string;
  readonly linkId: string;
  readonly propertyId: string;
  /** Null for a card that belongs to no booking. */
  readonly bookingReference: string | null;
  readonly atMs: number;
}

/** Selects an attempt that was counted. */
export function selectCardEntry(queries: Queries, attempt: string) {
  return queries
    .select({ atMs: cardEntries.atMs })
    .from(cardEntries)
    .where(eq(cardEntries.attempt, attempt));
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
  queries: Queries,
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

/** Deletes a link's attempts up to `untilMs`, which no longer count. */
export function deleteOldCardEntries(queries: Queries, linkId: string, untilMs: number) {
  return queries
    .delete(cardEntries)
    .where(and(eq(cardEntries.linkId, linkId), lte(cardEntries.atMs, untilMs)));
}
