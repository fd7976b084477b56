import { DAY_MS, utcDate } from '../core/time.ts';
import type { Database } from '../platform/db/database.ts';
import type { Trace } from '../platform/trace.ts';
import { deleteRuns, selectExpired, unpublishExpired } from './store.ts';

/** How many files R2 deletes at once. */
const MOST_FILES = 1_000;

/** How many rounds one day makes; the next day continues. */
const MOST_ROUNDS = 10;

/** What removing files needs. */
interface RemovalWork {
  readonly database: Database;
  readonly trace: Trace;
  readonly bucket: R2Bucket;
}

/**
 * Deletes the files of every portfolio that are older than `keepDays`. It first unpublishes them, then deletes them
 * from R2, then deletes their runs, so that no link leads to a missing file. The next day retries after a failure.
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

/** Deletes files of days before `oldest`; returns how many. */
async function removeSome(
  { database, trace, bucket }: RemovalWork,
  oldest: string,
): Promise<number> {
  const { queries } = database;
  const [expired] = await database.batch('d1.export.expired', [
    selectExpired(queries, oldest, MOST_FILES),
    unpublishExpired(queries, oldest),
  ]);
  if (expired.length === 0) return 0;
  await trace.span('r2.delete', () => bucket.delete(expired.map((one) => one.objectKey)));
  const ids = expired.map((one) => one.id);
  await database.batch('d1.export.expired', [deleteRuns(queries, ids)]);
  return expired.length;
}
