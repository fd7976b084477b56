import { HOUR_MS } from '../../core/time.ts';
import type { Database } from '../../platform/db/database.ts';
import type { CardRequestRow } from '../../schema/cardTables.ts';
import { MOST_REQUESTS } from './rules.ts';
import { insertRequest } from './store.ts';

/**
 * Counts a reminder, by the id of its mail, among the requests for cards that its guest gets in an hour (interface: Card
 * requests): once, however often it is sent. False if there were too many already. Its link leads to the payment page, so
 * the counted request takes no card itself.
 */
export async function countReminder(
  database: Database,
  reminder: Pick<CardRequestRow, 'id' | 'propertyId' | 'bookingReference' | 'email'>,
  nowMs: number,
): Promise<boolean> {
  const row: CardRequestRow = {
    ...reminder,
    status: 'Superseded',
    expiresAtMs: nowMs,
    createdAtMs: nowMs,
  };
  const [counted] = await database.batch('d1.cardRequest.save', [
    insertRequest(database.queries, row, MOST_REQUESTS, nowMs - HOUR_MS),
  ]);
  return counted.length > 0;
}
