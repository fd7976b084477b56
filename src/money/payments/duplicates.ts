import { type Failure, failure } from '../../core/failure.ts';
import { SECOND_MS } from '../../core/time.ts';
import type { BookingWork } from '../../operation/work.ts';
import type { BookingState } from '../../records/bookings/rules.ts';
import type { CardRow } from '../../schema/cardTables.ts';
import { type Likeness, selectLatestLike } from './store.ts';
import { problemTransaction } from './views.ts';

/** What the look for a duplicate needs. It only reads. */
type DuplicateWork = Pick<BookingWork, 'database' | 'propertyId' | 'reference' | 'now'>;

/**
 * Refuses a charge or hold like one that was made within the property's time and was taken or is under way (interface:
 * Duplicates); null if there is none, or if the property does not look for them. Schedules are not compared.
 */
export async function refuseDuplicate(
  { database, propertyId, reference, now }: DuplicateWork,
  { property }: Pick<BookingState, 'property'>,
  likeness: Likeness,
  card: CardRow | null,
): Promise<Failure | null> {
  const { duplicateWindowSeconds, timeZone } = property;
  if (duplicateWindowSeconds === 0 || likeness.kind === 'schedule') return null;
  const sinceMs = now() - duplicateWindowSeconds * SECOND_MS;
  const [[earlier]] = await database.batch('d1.transaction.read', [
    selectLatestLike(database.queries, propertyId, reference, { ...likeness, sinceMs }),
  ]);
  if (!earlier) return null;
  return failure(
    'possible_duplicate',
    'The booking has a payment like this one already. Send allowDuplicate, or an Idempotency-Key, to make another.',
    { transaction: problemTransaction(earlier, card, timeZone) },
  );
}
