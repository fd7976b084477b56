import { HOUR_MS } from '../../core/time.ts';
import type { Database } from '../../platform/db/database.ts';
import {
  type CardEntryAttempt,
  deleteOldCardEntries,
  type EntryLimits,
  insertCardEntry,
  selectCardEntry,
} from './entryLimitStore.ts';
import type { CardEntryContext } from './entryResult.ts';

/** How many cards guests may try in an hour: through one link, and for one booking through all its links. */
const MOST_ENTRIES: EntryLimits = { ofLink: 3, ofBooking: 6 };

/** Whether a card that was sent through a link may go to the vault. */
export type EntryVerdict =
  | { readonly kind: 'counted' }
  | { readonly kind: 'too-many' }
  /** The guest sent the same form before, at `atMs`. If its card was saved, `atMs` is when the card was created. */
  | { readonly kind: 'repeated'; readonly atMs: number };

/** The attempt that a submitted form counts as. */
export function entryAttempt(
  { linkId, property, bookingReference }: CardEntryContext,
  attempt: string,
  atMs: number,
): CardEntryAttempt {
  return { attempt, linkId, propertyId: property.id, bookingReference, atMs };
}

/**
 * Counts a card before it goes to the vault, so that nobody can test many card numbers through a page. The count is
 * exact under concurrent requests, and a double click counts once. One round trip.
 */
export async function countCardEntry(
  database: Database,
  entry: CardEntryAttempt,
): Promise<EntryVerdict> {
  const { queries } = database;
  const sinceMs = entry.atMs - HOUR_MS;
  const [[before], , counted] = await database.batch('d1.cardEntry.count', [
    selectCardEntry(queries, entry.attempt),
    deleteOldCardEntries(queries, entry.linkId, sinceMs),
    insertCardEntry(queries, entry, MOST_ENTRIES, sinceMs),
  ]);
  if (counted.length > 0) return { kind: 'counted' };
  return before ? { kind: 'repeated', atMs: before.atMs } : { kind: 'too-many' };
}
