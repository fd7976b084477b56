import type { BookingWork } from '../../operation/work.ts';
import { standingOf } from '../../records/history/rules/standing.ts';
import type { Standing } from '../../records/history/sums.ts';
import { selectSums } from '../../records/history/sumsStore.ts';

/** The sums of a booking's payments, from memory or by one round trip. */
export async function standingBefore(work: BookingWork): Promise<Standing> {
  const { database, memory, propertyId, reference } = work;
  if (memory.sums === null) {
    const [totals, [open]] = await database.batch(
      'd1.balance.read',
      selectSums(database.queries, { propertyId, reference }),
    );
    if (open) memory.sums = { totals, open };
  }
  if (memory.sums === null) throw new Error('a sum has no row');
  return standingOf(memory.sums);
}
