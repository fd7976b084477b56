import { and, eq, gt, lte, sql } from 'drizzle-orm';
import { cardEntries } from '../../platform/db/cardTables.ts';
import type { Queries } from '../../platform/db/database.ts';

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

/** Inserts and returns an attempt; returns nothing if it was counted before or the link has `most` since `sinceMs`. */
export function insertCardEntry(
  queries: Queries,
  { attempt, linkId, atMs, propertyId, bookingReference }: CardEntryAttempt,
  most: number,
  sinceMs: number,
) {
  const earlier = queries
    .select({ count: sql`count(*)` })
    .from(cardEntries)
    .where(and(eq(cardEntries.linkId, linkId), gt(cardEntries.atMs, sinceMs)));
  return queries
    .insert(cardEntries)
    .select(
      sql`SELECT ${attempt}, ${linkId}, ${atMs}, ${propertyId}, ${bookingReference} WHERE ${earlier} < ${most}`,
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
