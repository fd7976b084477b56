import { localDate } from '../../core/time.ts';
import type { Database } from '../../platform/db/database.ts';
import { violatesNotNull } from '../../platform/db/errors.ts';
import type { PropertyRow } from '../../schema/propertyTables.ts';
import { countAgain, selectFailedAt } from './dayFailuresStore.ts';
import { addToDays, noteProgress, selectNextEvents } from './daySumsStore.ts';

/** How many of a property's events one batch sums up. */
const AT_ONCE = 500;

/**
 * Sums up a property's next movements, at most `batches` times {@link AT_ONCE} events. Returns whether all are. Several may
 * do so at once: each event is summed up once. Two round trips a batch.
 */
export async function sumUp(
  database: Database,
  { id, timeZone }: Pick<PropertyRow, 'id' | 'timeZone'>,
  batches: number,
): Promise<boolean> {
  const { held, isNext, moved, range } = selectNextEvents(id, AT_ONCE);
  const read = [range, moved, held, selectFailedAt(id, isNext)] as const;
  for (let batch = 0; batch < batches; batch += 1) {
    const [[next], movements, holds, failed] = await database.batch('d1.sums.follow', read);
    if (!next || next.upTo === null) return true;
    const sums = [...movements, ...holds].map((one) => ({
      ...one,
      day: localDate(one.occurredAtMs, timeZone),
    }));
    try {
      await database.batch('d1.sums.follow', [
        noteProgress(id, next.from, next.upTo),
        addToDays(id, sums),
        ...countAgain({ id, timeZone }, failed),
      ]);
    } catch (error) {
      // Somebody else has summed up the same.
      if (!violatesNotNull(error, 'day_sums_progress.event_number')) throw error;
      continue;
    }
    if (next.upTo === next.latest) return true;
  }
  return false;
}
