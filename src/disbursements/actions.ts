import { type Failure, failure, fieldFailure } from '../core/failure.ts';
import { err, ok, type Result } from '../core/result.ts';
import { addDays, startOfDayMs } from '../core/time.ts';
import type { Database } from '../db/database.ts';
import type { DisbursementItemRow, DisbursementRow } from '../db/disbursementTables.ts';
import { selectDisbursement, selectDisbursements, selectItems } from './store.ts';

/** A disbursement of a property with its items (decisions: section 11). One round trip. */
export async function readDisbursement(
  database: Database,
  propertyId: string,
  id: string,
): Promise<Result<{ row: DisbursementRow; items: DisbursementItemRow[] }, Failure>> {
  const { queries } = database;
  const [[row], items] = await database.batch('d1.disbursement.read', [
    selectDisbursement(queries, propertyId, id),
    selectItems(queries, propertyId, id),
  ]);
  return row
    ? ok({ row, items })
    : err(failure('disbursement_not_found', 'The property has no such disbursement.'));
}

/** A bound of time: a day of the property's, or an instant. */
export type Bound = { readonly day: string } | { readonly atMs: number };

/** What a list may be narrowed to. */
export interface ListFilter {
  readonly from?: Bound | undefined;
  readonly to?: Bound | undefined;
  readonly status?: DisbursementRow['status'] | undefined;
  /** The last disbursement of the page before. */
  readonly cursor?: string | undefined;
}

/** A property's disbursements, newest first, by when they are effective in its own days. */
export async function listDisbursements(
  database: Database,
  { id: propertyId, timeZone }: { readonly id: string; readonly timeZone: string },
  { from, to, status, cursor }: ListFilter,
  limit: number,
): Promise<Result<{ rows: DisbursementRow[]; nextCursor: string | null }, Failure>> {
  const after = cursor === undefined ? null : await find(database, propertyId, cursor);
  if (after === undefined) return err(unknownCursor());
  const filter = {
    fromMs: from ? instantOfBound(from, 0, timeZone) : null,
    // A day that is named is included.
    beforeMs: to ? instantOfBound(to, 1, timeZone) : null,
    status: status ?? null,
    after,
  };
  const [rows] = await database.batch('d1.disbursement.read', [
    selectDisbursements(database.queries, propertyId, filter, limit + 1),
  ]);
  const page = rows.slice(0, limit);
  const nextCursor = rows.length > limit ? (page.at(-1)?.id ?? null) : null;
  return ok({ rows: page, nextCursor });
}

async function find(
  database: Database,
  propertyId: string,
  id: string,
): Promise<DisbursementRow | undefined> {
  const [[row]] = await database.batch('d1.disbursement.read', [
    selectDisbursement(database.queries, propertyId, id),
  ]);
  return row;
}

function instantOfBound(bound: Bound, daysLater: number, timeZone: string): number {
  if ('atMs' in bound) return bound.atMs;
  return startOfDayMs(addDays(bound.day, daysLater), timeZone);
}

function unknownCursor(): Failure {
  const message = 'No page ends with this.';
  return fieldFailure([{ field: 'cursor', code: 'invalid_value', message }]);
}
