import { and, eq, gt, lte, sql } from 'drizzle-orm';
import { cardEntries } from '../db/cardTables.ts';
import type { Queries } from '../db/database.ts';

/** One sending of a card's number through a link. */
export interface CardEntryAttempt {
  /** Made by the form. */
  readonly attempt: string;
  readonly linkId: string;
  readonly atMs: number;
}

/** Selects an attempt, if it was counted. */
export function selectCardEntry(queries: Queries, attempt: string) {
  return queries
    .select({ atMs: cardEntries.atMs })
    .from(cardEntries)
    .where(eq(cardEntries.attempt, attempt));
}

/** Counts an attempt, unless it was counted before or there were `most` since `sinceMs`; then it returns nothing. */
export function insertCardEntry(
  queries: Queries,
  { attempt, linkId, atMs }: CardEntryAttempt,
  most: number,
  sinceMs: number,
) {
  const earlier = queries
    .select({ count: sql`count(*)` })
    .from(cardEntries)
    .where(and(eq(cardEntries.linkId, linkId), gt(cardEntries.atMs, sinceMs)));
  return queries
    .insert(cardEntries)
    .select(sql`SELECT ${attempt}, ${linkId}, ${atMs} WHERE ${earlier} < ${most}`)
    .onConflictDoNothing()
    .returning({ attempt: cardEntries.attempt });
}

/** Forgets a link's attempts that count no more. */
export function forgetCardEntries(queries: Queries, linkId: string, untilMs: number) {
  return queries
    .delete(cardEntries)
    .where(and(eq(cardEntries.linkId, linkId), lte(cardEntries.atMs, untilMs)));
}
