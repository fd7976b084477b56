import { and, eq, gte, lt } from 'drizzle-orm';
import { type Failure, failure, fieldFailure } from '../core/failure.ts';
import { err, ok, type Result } from '../core/result.ts';
import { addDays, startOfDayMs } from '../core/time.ts';
import type { Database } from '../platform/db/database.ts';
import { type Page, type Part, pagesOf } from '../platform/db/page.ts';
import { type DisbursementRow, disbursements } from '../schema/disbursementTables.ts';
import { selectDisbursement, selectItems, selectOwnRecords } from './store.ts';
import type { DetailedDisbursement } from './views.ts';

/** A disbursement of a property with its items (interface: Get a disbursement). One round trip. */
export async function readDisbursement(
  database: Database,
  propertyId: string,
  id: string,
): Promise<Result<DetailedDisbursement, Failure>> {
  const [[row], items, named, charges, refunds, disputes] = await database.batch(
    'd1.disbursement.read',
    [
      selectDisbursement(propertyId, id),
      selectItems(propertyId, id),
      ...selectOwnRecords(propertyId, id),
    ],
  );
  return row
    ? ok({
        row,
        items,
        bookings: named.map(({ reference }) => reference),
        records: [...charges, ...refunds, ...disputes],
      })
    : err(failure('disbursement_not_found', 'The property has no disbursement with this id.'));
}

/** A bound of time: a local day of the property, or an instant. */
export type Bound = { readonly day: string } | { readonly atMs: number };

export interface ListFilter {
  readonly from?: Bound | undefined;
  readonly to?: Bound | undefined;
  readonly status?: DisbursementRow['status'] | undefined;
}

/** Lists a property's disbursements, newest first. Named days are days of the property's time zone, `to` included. */
export async function listDisbursements(
  database: Database,
  { id: propertyId, timeZone }: { readonly id: string; readonly timeZone: string },
  { from, to, status }: ListFilter,
  part: Part,
): Promise<Result<Page<DisbursementRow>, Failure>> {
  const fromMs = from ? instantOfBound(from, 0, timeZone) : null;
  const beforeMs = to ? instantOfBound(to, 1, timeZone) : null;
  if (fromMs !== null && beforeMs !== null && to && isBefore(to, beforeMs, fromMs)) {
    const message = 'to must not come before from.';
    return err(fieldFailure([{ field: 'to', code: 'dates_out_of_order', message }]));
  }
  const isListed = and(
    eq(disbursements.propertyId, propertyId),
    fromMs === null ? undefined : gte(disbursements.effectiveAtMs, fromMs),
    beforeMs === null ? undefined : lt(disbursements.effectiveAtMs, beforeMs),
    status === undefined ? undefined : eq(disbursements.status, status),
  );
  return ok(await pages.read(database, 'd1.disbursement.read', isListed, part));
}

const pages = pagesOf(disbursements, 'descending', ['effectiveAtMs', 'id']);

function instantOfBound(bound: Bound, daysLater: number, timeZone: string): number {
  if ('atMs' in bound) return bound.atMs;
  return startOfDayMs(addDays(bound.day, daysLater), timeZone);
}

/** Whether the later bound comes before the earlier one. The instant after a day is no longer in it. */
function isBefore(to: Bound, beforeMs: number, fromMs: number): boolean {
  return 'day' in to ? beforeMs <= fromMs : beforeMs < fromMs;
}
