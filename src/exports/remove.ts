import { DAY_MS, utcDate } from '../core/time.ts';
import type { Database } from '../db/database.ts';
import type { ExportRunRow } from '../db/schema.ts';
import type { Crossings } from '../io/crossings.ts';
import { deleteRuns, selectExpired, unpublishExpired } from './store.ts';

/** How many files one run removes; the next run goes on. */
const MOST_FILES = 500;

/** What removing files needs. */
interface RemovalWork {
  readonly database: Database;
  readonly crossings: Crossings;
  readonly bucket: R2Bucket;
}

/**
 * Removes the files of a run's portfolio and variant that are older than their keeping time: first from sight, then
 * from R2, then from the list of runs, so that nobody is ever pointed to a file that is gone.
 */
export async function removeExpired(
  { database, crossings, bucket }: RemovalWork,
  run: ExportRunRow,
  keepDays: number,
): Promise<number> {
  const { queries } = database;
  const oldest = utcDate(Date.parse(run.date) - keepDays * DAY_MS);
  const [expired] = await database.batch('d1.export.checkpoint', [
    selectExpired(queries, run, oldest, MOST_FILES),
    unpublishExpired(queries, run, oldest),
  ]);
  if (expired.length === 0) return 0;
  await crossings.cross('r2.delete', () => bucket.delete(expired.map((one) => one.objectKey)));
  await database.batch('d1.export.checkpoint', [
    deleteRuns(
      queries,
      expired.map((one) => one.id),
    ),
  ]);
  return expired.length;
}
