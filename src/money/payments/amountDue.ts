import type { BookingWork } from '../../operation/work.ts';
import { standingOf } from '../../records/history/rules/standing.ts';
import type { Standing } from '../../records/history/sums.ts';
import { knownHistory, selectHistory } from '../../records/history/sumsStore.ts';

/** The sums of a booking's payments, from memory or by one round trip. */
export async function standingBefore(work: BookingWork): Promise<Standing> {
  const { database, memory, propertyId, reference } = work;
  if (memory.history === null) {
    const entries = await database.batch(
      'd1.balance.read',
      selectHistory(database.queries, { propertyId, reference }),
    );
    memory.history = knownHistory(...entries);
  }
  return standingOf(memory.history);
}
