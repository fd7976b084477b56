import { HOUR_MS } from '../core/time.ts';
import type { Database } from '../db/database.ts';
import {
  type CardEntryAttempt,
  forgetCardEntries,
  insertCardEntry,
  selectCardEntry,
} from './store.ts';

/** How many cards may be entered through one link in an hour. */
export const MOST_ENTRIES = 3;

/** What becomes of a card's number that was sent through a link. */
export type EntryVerdict =
  | { readonly kind: 'counted' }
  | { readonly kind: 'too-many' }
  /** The same form was sent before: its card, if it was kept, was made at this time. */
  | { readonly kind: 'repeated'; readonly atMs: number };

/**
 * Counts a card's number before it goes to the vault, so that nobody tries many numbers: exactly, whoever sends how
 * many at once, and a double click once. One round trip.
 */
export async function countCardEntry(
  database: Database,
  entry: CardEntryAttempt,
): Promise<EntryVerdict> {
  const { queries } = database;
  const sinceMs = entry.atMs - HOUR_MS;
  const [[before], , counted] = await database.batch('d1.cardEntry.count', [
    selectCardEntry(queries, entry.attempt),
    forgetCardEntries(queries, entry.linkId, sinceMs),
    insertCardEntry(queries, entry, MOST_ENTRIES, sinceMs),
  ]);
  if (counted.length > 0) return { kind: 'counted' };
  return before ? { kind: 'repeated', atMs: before.atMs } : { kind: 'too-many' };
}
