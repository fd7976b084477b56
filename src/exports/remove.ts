import { DAY_MS, utcDate } from '../core/time.ts';
import type { Database } from '../db/database.ts';
import type { Crossings } from '../io/crossings.ts';
import { deleteRuns, selectExpired, unpublishExpired } from './store.ts';

/** How many files R2 removes at once. */
const MOST_FILES = 1_000;

/** How often it is asked to: more than that is left for the next day. */
const MOST_ROUNDS = 10;

/** What removing files needs. */
interface RemovalWork {
  readonly database: Database;
  readonly crossings: Crossings;
  readonly bucket: R2Bucket;
}

/**
 * Removes the files of every portfolio that are older than their keeping time: first from sight, then from R2, then
 * from the list of runs, so that nobody is ever pointed to a file that is gone. What fails is done the next day.
 */
export async function removeExpired(
  work: RemovalWork,
  keepDays: number,
  nowMs: number,
): Promise<void> {
  const oldest = utcDate(nowMs - keepDays * DAY_MS);
  for (let round = 0; round < MOST_ROUNDS; round += 1) {
    if ((await removeSome(work, oldest)) < MOST_FILES) return;
  }
}

/** Removes files of days before `oldest`, and says how many. */
async function removeSome(
  { database, crossings, bucket }: RemovalWork,
  oldest: string,
): Promise<number> {
  const { queries } = database;
  const [expired] = await database.batch('d1.export.expired', [
    selectExpired(queries, oldest, MOST_FILES),
    unpublishExpired(queries, oldest),
  ]);
  if (expired.length === 0) return 0;
  await crossings.cross('r2.delete', () => bucket.delete(expired.map((one) => one.objectKey)));
  const ids = expired.map((one) => one.id);
  await database.batch('d1.export.expired', [deleteRuns(queries, ids)]);
  return expired.length;
}
