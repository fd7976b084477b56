import { and, eq } from 'drizzle-orm';
import { queries, type Statement } from '../../platform/db/database.ts';
import { type HistoryRow, history } from '../../schema/historyTables.ts';
import { isOfBooking } from '../bookings/store.ts';
import { isFreeText, withoutGuest } from '../privacy/rules.ts';
import { packedSnapshot, snapshotOf } from './rules/snapshots.ts';

/**
 * The statements that take guests out of entries: free texts, and what events of applications show. None for those that
 * tell nothing. The schema takes them once the booking or the application is marked as erased.
 */
export function forgetting(entries: readonly HistoryRow[]): Statement[] {
  return entries.flatMap((entry) => {
    const change = { ...(isFreeText(entry.detail) && { detail: null }), ...snapshotWithout(entry) };
    if (Object.keys(change).length === 0) return [];
    const { bookingReference, propertyId, sequence } = entry;
    return [
      queries
        .update(history)
        .set(change)
        .where(
          and(
            isOfBooking(history, { propertyId, reference: bookingReference }),
            eq(history.sequence, sequence),
          ),
        ),
    ];
  });
}

function snapshotWithout(entry: HistoryRow): Partial<Pick<HistoryRow, 'snapshot'>> {
  const before = snapshotOf(entry);
  const after = withoutGuest(before);
  const isOther = after !== null && JSON.stringify(after) !== JSON.stringify(before);
  return isOther ? { snapshot: packedSnapshot(after, entry) } : {};
}
