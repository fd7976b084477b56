import { type Failure, failure } from '../core/failure.ts';
import { err, ok, type Result } from '../core/result.ts';
import { localDate } from '../core/time.ts';
import { noteOwed } from '../money/balance/owed.ts';
import type { BookingWork } from '../operation/work.ts';
import { refusedByGuard, violatesNotNull } from '../platform/db/errors.ts';
import { deleteFile, readFile, writeFile } from '../records/archive/file.ts';
import { deleteMovements, keepMovements } from '../records/archive/movements.ts';
import { archivedRows, deleteMoving, insertMoving, selectMoving } from '../records/archive/rows.ts';
import {
  close,
  deletePayments,
  deleteReferences,
  forgetFile,
  keepPayments,
  keepReferences,
  noteFile,
  open,
  openAt,
  selectArchived,
} from '../records/archive/store.ts';
import { bookingNotFound } from '../records/bookings/rules.ts';
import { selectBooking } from '../records/bookings/store.ts';
import { sumUp } from '../records/history/daySums.ts';
import { selectSummedUp } from '../records/history/daySumsStore.ts';
import { selectOpen, selectUnsettled } from '../records/privacy/eraseStore.ts';
import { stillOpen } from '../records/privacy/rules.ts';

/**
 * Moves the booking, whole, to a file of R2 (parts: The archive). The file is noted before it is written, and the rows go in
 * the batch that says that it is archived: cut off anywhere, the booking is in one of the two places, and what is left over
 * is deleted later. Fails with `invalid_state` while something is open, or the departure is not past.
 */
export async function archive(work: BookingWork): Promise<Result<null>> {
  const { database, propertyId, reference } = work;
  const name = { propertyId, reference };
  const [[property], [booking], , openThings, unsettled, [before], [summed], ...found] =
    await database.batch('d1.archive.read', [
      ...selectBooking(propertyId, reference),
      selectOpen(name),
      selectUnsettled(name),
      selectArchived(name),
      selectSummedUp(propertyId),
      ...selectMoving(name),
    ]);
  if (property) work.follow(property);
  if (!property || !booking)
    return before?.state === 'archived' ? ok(null) : err(bookingNotFound());
  const left = [...openThings, ...unsettled];
  if (left.length > 0) return err(stillOpen(reference, left));
  if (booking.departure >= localDate(work.now(), property.timeZone)) return err(NOT_LEFT);
  const rows = archivedRows(found);
  const history = (rows['history'] ?? []) as unknown as ArchivedEntry[];
  const sequence = Math.max(0, ...history.map((entry) => entry.sequence));
  const lastEvent = Math.max(0, ...history.map((entry) => entry.event_number ?? 0));
  const isSummedUp =
    lastEvent <= (summed?.eventNumber ?? 0) || (await sumUp(database, property, MOST_SUMMED_UP));
  if (!isSummedUp) return err(NOT_SUMMED_UP);
  if (before) await dropFile(work, before.objectKey);
  const objectKey = `archive/${propertyId}/${encodeURIComponent(reference)}/${crypto.randomUUID()}.json.gz`;
  await database.batch('d1.archive.save', [noteFile(booking, objectKey, lastEvent)]);
  await writeFile(work, objectKey, rows);
  try {
    await database.batch('d1.archive.save', [
      openAt(name, objectKey, sequence),
      keepPayments(name),
      keepReferences(name),
      ...keepMovements(name, Date.now()),
      ...noteOwed(name),
      ...deleteMoving(name),
      close(name, 'archived'),
    ]);
  } catch (error) {
    // Something was recorded meanwhile: another day.
    if (!violatesNotNull(error, 'archived_bookings.state')) throw error;
    await dropFile(work, objectKey);
    return err(NOT_LEFT);
  }
  work.memory.forget();
  work.memory.isNew = true;
  // The object has nothing to keep any more.
  await work.wakeBy(work.now());
  return ok(null);
}

/** An entry as its row stands in the file. */
interface ArchivedEntry {
  readonly sequence: number;
  readonly event_number: number | null;
}

/** How many batches of events are summed up at most before a booking's go. */
const MOST_SUMMED_UP = 100;

const NOT_SUMMED_UP: Failure = {
  code: 'busy',
  detail: 'What the property moved is not summed up yet. This request recorded nothing: try again.',
  retryAfterSeconds: 1,
};

const NOT_LEFT = failure('invalid_state', 'The departure is not past, or the booking changed.');

/** Brings an archived booking back into D1. False if it is not archived. Done twice, it is done once. */
async function bringBack(work: BookingWork): Promise<boolean> {
  const { database, propertyId, reference } = work;
  const name = { propertyId, reference };
  const [[archived]] = await database.batch('d1.archive.read', [selectArchived(name)]);
  if (archived?.state !== 'archived') return false;
  const rows = await readFile(work, archived.objectKey);
  await database.batch('d1.archive.save', [
    open(name),
    ...insertMoving(rows),
    deletePayments(name),
    deleteReferences(name),
    deleteMovements(name),
    close(name, 'outside'),
  ]);
  work.memory.forget();
  await dropFile(work, archived.objectKey);
  return true;
}

/**
 * Deletes the file that something left over when it was cut off. In the booking's turn: nobody else can tell such a file from
 * one that its booking is just moving to.
 */
export async function dropLeftover(work: BookingWork): Promise<Result<null>> {
  const [[left]] = await work.database.batch('d1.archive.read', [selectArchived(work)]);
  if (left?.state === 'outside') await dropFile(work, left.objectKey);
  return ok(null);
}

/** Deletes the file of a booking that is in D1, then what names it: cut off in between, the sweep does it again. */
async function dropFile(work: BookingWork, objectKey: string): Promise<void> {
  await deleteFile(work, objectKey);
  await work.database.batch('d1.archive.save', [forgetFile(work, objectKey)]);
}

/**
 * Does an operation. If it finds no booking, or the schema says that it is archived, brings the booking back and does it
 * again: so nothing is asked of the archive while the booking is in D1.
 */
export async function orFromArchive<T>(
  work: BookingWork,
  operation: () => Promise<Result<T>>,
): Promise<Result<T>> {
  try {
    const answer = await operation();
    if (answer.ok || !isMissing(answer.error)) return answer;
    return (await bringBack(work)) ? await operation() : answer;
  } catch (error) {
    if (!refusedByGuard(error, 'archived') || !(await bringBack(work))) throw error;
    return operation();
  }
}

function isMissing({ code }: Failure): boolean {
  return (
    code === 'booking_not_found' || code === 'transaction_not_found' || code === 'token_not_found'
  );
}
