import type { BookingWork } from '../../operation/work.ts';
import type { Statement } from '../../platform/db/database.ts';
import { recordEvent } from '../../records/events/record.ts';
import type { CardRow } from '../../schema/cardTables.ts';
import type { TransactionRow } from '../../schema/moneyTables.ts';

/** The event that a schedule's card will have expired by its time. */
export function expiringEvent(
  work: BookingWork,
  { id: chargeId }: TransactionRow,
  { token: cardToken }: CardRow,
): Statement {
  return recordEvent(work.database.queries, {
    ...about(work),
    type: 'card.expiring',
    chargeId,
    cardToken,
  });
}

/** The event that nobody answered until the deadline. */
export function flaggedEvent(work: BookingWork, { id: chargeId }: TransactionRow): Statement {
  return recordEvent(work.database.queries, { ...about(work), type: 'recovery.flagged', chargeId });
}

function about(work: BookingWork) {
  return { propertyId: work.propertyId, bookingReference: work.reference, atMs: work.now() };
}
