import type { Database } from '../../platform/db/database.ts';
import type { BookingName } from '../bookings/store.ts';
import { type FileWork, readFile } from './file.ts';
import { deleteMoving, insertMoving } from './rows.ts';
import { close, open, selectArchived } from './store.ts';

export interface ArchiveWork extends FileWork {
  readonly database: Database;
}

/**
 * The database as if an archived booking stood in it, for whoever only reads: the same queries give the same answers. Null
 * if the booking is not archived. One round trip, and the file.
 */
export async function databaseWith(
  { bucket, database, trace }: ArchiveWork,
  name: BookingName,
): Promise<Database | null> {
  const { propertyId } = name;
  const [[archived]] = await database
    .of(propertyId)
    .batch('d1.archive.read', [selectArchived(name)]);
  if (archived?.state !== 'archived') return null;
  const rows = await readFile({ bucket, trace }, archived.objectKey);
  return database.with({
    propertyId,
    before: [open(name), ...insertMoving(rows)],
    after: [...deleteMoving(name), close(name, 'archived')],
  });
}
