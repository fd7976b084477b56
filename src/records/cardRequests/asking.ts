import { v7 as timeOrderedUuid } from 'uuid';
import { HOUR_MS } from '../../core/time.ts';
import type { Database } from '../../platform/db/database.ts';
import type { CardRequestRow } from '../../schema/cardTables.ts';
import { MOST_REQUESTS } from './rules.ts';
import { insertRequest } from './store.ts';

/**
 * Counts a message that asks a guest for another card among the requests for cards that the guest gets in an hour
 * (interface: Card requests). False if there were too many already. The message links to the payment page, so the
 * counted request takes no card itself.
 */
export async function countAsking(
  database: Database,
  guest: Pick<CardRequestRow, 'propertyId' | 'bookingReference' | 'email'>,
  nowMs: number,
): Promise<boolean> {
  const row: CardRequestRow = {
    ...guest,
    id: timeOrderedUuid(),
    status: 'Superseded',
    expiresAtMs: nowMs,
    createdAtMs: nowMs,
  };
  const [inserted] = await database.batch('d1.cardRequest.save', [
    insertRequest(database.queries, row, MOST_REQUESTS, nowMs - HOUR_MS),
  ]);
  return inserted.length > 0;
}
