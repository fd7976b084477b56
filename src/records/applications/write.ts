import { sql } from 'drizzle-orm';
import { err, ok, type Result } from '../../core/result.ts';
import type { Database, Statement } from '../../platform/db/database.ts';
import { DatabaseUnavailable, refusedByGuard, violatesUnique } from '../../platform/db/errors.ts';
import { onCurrent, overtaken } from '../../platform/db/retryWhenStale.ts';
import type { ApplicationRow } from '../../schema/applicationTables.ts';
import { BookingArchived } from '../archive/store.ts';
import { staleUnless } from '../properties/store.ts';
import { appendMove } from './entry.ts';
import { APPLICATION_NOT_FOUND, type Owner } from './rules.ts';
import {
  type ApplicationChange,
  type ApplicationKey,
  depositIsPaid,
  type insertApplication,
  noteMove,
  selectApplication,
  selectDeposit,
  updateApplication,
} from './store.ts';

/** Runs `decide`, which reads, decides and writes. Repeats it when another write came in between. */
export function onCurrentApplication<T>(decide: () => Promise<Result<T>>): Promise<Result<T>> {
  return onCurrent('application', wasOvertaken, decide);
}

function wasOvertaken(error: unknown): boolean {
  return refusedByGuard(error, 'stale_state') || violatesUnique(error, 'applications.');
}

/** Reads a property's application in one round trip; null when there is none. */
export async function readApplication(
  database: Database,
  propertyId: string,
  key: ApplicationKey,
): Promise<ApplicationRow | null> {
  const [[row]] = await database.batch('d1.application.read', [selectApplication(propertyId, key)]);
  return row ?? null;
}

/** A change, and the statements that come before it; null when nothing changes. */
export type Decided = {
  readonly before?: readonly Statement[];
  readonly change: ApplicationChange;
} | null;

/** Reads an application, decides what changes, and writes it. Two round trips. */
export function changeApplication(
  database: Database,
  owner: Owner,
  key: ApplicationKey,
  decide: (row: ApplicationRow, isDepositPaid: boolean) => Result<Decided>,
  linkTo: string | null = null,
): Promise<Result<ApplicationRow>> {
  const propertyId = owner.id;
  return onCurrentApplication(async () => {
    const [[row], [deposit]] = await database.batch('d1.application.read', [
      selectApplication(propertyId, key),
      selectDeposit(propertyId, linkTo ?? ''),
    ]);
    if (!row) return err(APPLICATION_NOT_FOUND);
    const isPaid = deposit?.isPaid === 1;
    const decided = decide(row, isPaid);
    if (!decided.ok) return decided;
    if (decided.value === null) return ok(row);
    const { before = [], change } = decided.value;
    const unchanged = linkTo === null ? [] : [staleIfPaid(owner, linkTo, isPaid)];
    return write(database, [...unchanged, ...before], changeOf(owner, row, change), {
      propertyId,
      key,
      isWritten: becomes(row.version + 1, change.updatedAtMs),
    });
  });
}

/** Refuses a batch that was decided before the deposit of a booking was accepted. */
export function staleIfPaid({ id }: Owner, reference: string, isPaid: boolean): Statement {
  return staleUnless(id, sql`${depositIsPaid(id, reference)} = ${isPaid ? 1 : 0}`);
}

/** The change of an application, with the event of its move if it moves. */
export function changeOf(owner: Owner, row: ApplicationRow, change: ApplicationChange): Saving {
  const { contactId, customerId, ...plain } = change;
  const after = { ...row, ...plain };
  const moved = { after, contact: contactId, atMs: change.updatedAtMs };
  return {
    first: customerId ? [noteMove(row, customerId)] : [],
    save: updateApplication(row, change),
    further: after.currentStatus === row.currentStatus ? [] : appendMove(owner, moved),
  };
}

/** Whether a row has this version from the change at this time. */
export function becomes(version: number, updatedAtMs: number): (row: ApplicationRow) => boolean {
  return (row) => row.version === version && row.updatedAtMs === updatedAtMs;
}

interface Expected {
  readonly propertyId: string;
  readonly key: ApplicationKey;
  /** Whether a row is the written one. Default: any row with the key. */
  readonly isWritten?: (row: ApplicationRow) => boolean;
}

/** The statement that saves an application, those that read what was before, and those of what follows from it. */
export interface Saving {
  readonly first?: readonly Statement[];
  readonly save: ReturnType<typeof insertApplication | typeof updateApplication>;
  readonly further: readonly Statement[];
}

/**
 * Writes an application and returns its row. When D1 does not say whether it committed, looks the row up, so that the
 * caller does not repeat a change that was saved. Throws {@link BookingArchived} for a move of one whose booking is archived.
 */
export async function write(
  database: Database,
  before: readonly Statement[],
  { first = [], save, further }: Saving,
  { propertyId, key, isWritten = () => true }: Expected,
): Promise<Result<ApplicationRow>> {
  const statements: [Statement, ...Statement[]] = [save, ...further];
  // The rows that the application refers to come first.
  statements.unshift(...before, ...first);
  try {
    const results = await database.batch('d1.application.save', statements);
    const [row] = results[before.length + first.length] as ApplicationRow[];
    return row ? ok(row) : err(overtaken('application'));
  } catch (error) {
    const isArchived = refusedByGuard(error, 'archived');
    const isAsked = isArchived || error instanceof DatabaseUnavailable;
    const row = isAsked && (await readApplication(database, propertyId, key));
    // A move is an entry in the history of its booking.
    if (isArchived && row && row.bookingReference !== null)
      throw new BookingArchived({ propertyId, reference: row.bookingReference });
    if (!row || !isWritten(row)) throw error;
    return ok(row);
  }
}
