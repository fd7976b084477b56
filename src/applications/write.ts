import type { Failure } from '../core/failure.ts';
import { err, ok, type Result } from '../core/result.ts';
import type { ApplicationRow } from '../db/applicationTables.ts';
import type { Database, Statement } from '../db/database.ts';
import { DatabaseUnavailable, refusedByGuard, violatesUnique } from '../db/errors.ts';
import { applicationNotFound, overtaken } from './rules.ts';
import {
  type ApplicationChange,
  type ApplicationKey,
  type insertApplication,
  selectApplication,
  updateApplication,
} from './store.ts';

/** How often a change is decided anew because another one came in between. */
const MOST_DECISIONS = 5;

/** Decides and writes; does both again when the application, or what it was to be, has changed meanwhile. */
export async function onCurrentApplication<T>(
  decide: () => Promise<Result<T, Failure>>,
): Promise<Result<T, Failure>> {
  for (let decision = 1; decision <= MOST_DECISIONS; decision += 1) {
    try {
      return await decide();
    } catch (error) {
      if (!wasOvertaken(error)) throw error;
    }
  }
  return err(overtaken());
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
  const [[row]] = await database.batch('d1.application.read', [
    selectApplication(database.queries, propertyId, key),
  ]);
  return row ?? null;
}

/** A decided change: what has to be written before, and what becomes of the application; null when nothing does. */
export type Decided = {
  readonly before?: readonly Statement[];
  readonly change: ApplicationChange;
} | null;

/** Reads an application, decides what changes, and writes it. Two round trips. */
export function changeApplication(
  database: Database,
  propertyId: string,
  key: ApplicationKey,
  decide: (row: ApplicationRow) => Result<Decided, Failure>,
): Promise<Result<ApplicationRow, Failure>> {
  return onCurrentApplication(async () => {
    const row = await readApplication(database, propertyId, key);
    if (!row) return err(applicationNotFound());
    const decided = decide(row);
    if (!decided.ok) return decided;
    if (decided.value === null) return ok(row);
    const { before = [], change } = decided.value;
    const update = updateApplication(database.queries, row, change);
    return write(database, before, update, {
      propertyId,
      key,
      isWritten: becomes(row.version + 1, change.updatedAtMs),
    });
  });
}

/** Whether an application has come to a version by the very change of that time. */
export function becomes(version: number, updatedAtMs: number): (row: ApplicationRow) => boolean {
  return (row) => row.version === version && row.updatedAtMs === updatedAtMs;
}

/** What an application is known by once it was written. */
interface Expected {
  readonly propertyId: string;
  readonly key: ApplicationKey;
  /** Whether it is what was written; one that was found at all, when left out. */
  readonly isWritten?: (row: ApplicationRow) => boolean;
}

/**
 * Writes an application and returns it as D1 has it. When D1 does not say whether it committed, the application is
 * looked for, so that nobody is told to do again what was done.
 */
export async function write(
  database: Database,
  before: readonly Statement[],
  save: ReturnType<typeof insertApplication | typeof updateApplication>,
  { propertyId, key, isWritten = () => true }: Expected,
): Promise<Result<ApplicationRow, Failure>> {
  try {
    const statements: [Statement, ...Statement[]] = [save];
    // The order counts: what the application refers to comes first.
    statements.unshift(...before);
    const results = await database.batch('d1.application.save', statements);
    const [row] = results.at(-1) as ApplicationRow[];
    return row ? ok(row) : err(overtaken());
  } catch (error) {
    if (!(error instanceof DatabaseUnavailable)) throw error;
    const row = await readApplication(database, propertyId, key);
    if (!row || !isWritten(row)) throw error;
    return ok(row);
  }
}
