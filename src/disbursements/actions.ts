import { and, eq, gte, lt, sql } from 'drizzle-orm';
import { type Bound, endsBefore, instantOfBound } from '../core/bounds.ts';
import { type Failure, failure, fieldFailure } from '../core/failure.ts';
import { err, ok, type Result } from '../core/result.ts';
import type { Database } from '../platform/db/database.ts';
import { type Page, type Part, pagesOf, shownPage } from '../platform/db/page.ts';
import { type DisbursementRow, disbursements } from '../schema/disbursementTables.ts';
import { selectLinesOf } from './bank/store.ts';
import { selectDisbursement, selectItems, selectOwnRecords } from './store.ts';
import type { DetailedDisbursement, ListedWithLine } from './views.ts';

/** A disbursement of a property with its items (interface: Get a disbursement). One round trip. */
export async function readDisbursement(
  database: Database,
  propertyId: string,
  id: string,
): Promise<Result<DetailedDisbursement, Failure>> {
  const [[row], items, named, charges, refunds, disputes, [bankLine = null]] = await database.batch(
    'd1.disbursement.read',
    [
      selectDisbursement(propertyId, id),
      selectItems(propertyId, id),
      ...selectOwnRecords(propertyId, id),
      selectLinesOf(propertyId, sql`SELECT ${id} AS id`),
    ],
  );
  return row
    ? ok({
        row,
        bankLine,
        items,
        bookings: named.map(({ reference }) => reference),
        records: [...charges, ...refunds, ...disputes],
      })
    : err(failure('disbursement_not_found', 'The property has no disbursement with this id.'));
}

export interface ListFilter {
  readonly from?: Bound | undefined;
  readonly to?: Bound | undefined;
  readonly status?: DisbursementRow['status'] | undefined;
}

/** Lists a property's disbursements with their bank lines, newest first. Named days are days of the property's time zone, `to` included. */
export async function listDisbursements(
  database: Database,
  { id: propertyId, timeZone }: { readonly id: string; readonly timeZone: string },
  { from, to, status }: ListFilter,
  part: Part,
): Promise<Result<Page<ListedWithLine>, Failure>> {
  const fromMs = from ? instantOfBound(from, 'begins', timeZone) : null;
  const beforeMs = to ? instantOfBound(to, 'ends', timeZone) : null;
  if (fromMs !== null && beforeMs !== null && to && endsBefore(to, beforeMs, fromMs)) {
    const message = 'to must not come before from.';
    return err(fieldFailure([{ field: 'to', code: 'dates_out_of_order', message }]));
  }
  const isListed = and(
    eq(disbursements.propertyId, propertyId),
    fromMs === null ? undefined : gte(disbursements.effectiveAtMs, fromMs),
    beforeMs === null ? undefined : lt(disbursements.effectiveAtMs, beforeMs),
    status === undefined ? undefined : eq(disbursements.status, status),
  );
  const page = pages.select(isListed, part).as('page');
  const [rows, lines] = await database.batch('d1.disbursement.read', [
    pages.select(isListed, part),
    selectLinesOf(propertyId, sql`SELECT id FROM ${page}`),
  ]);
  const lineOf = new Map(lines.map((line) => [line.disbursementId, line]));
  const withLine = (row: DisbursementRow) => ({ row, bankLine: lineOf.get(row.id) ?? null });
  return ok(shownPage(pages.cut(rows, part), withLine));
}

const pages = pagesOf(disbursements, 'descending', ['effectiveAtMs', 'id']);
