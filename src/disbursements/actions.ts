import { eq, sql } from 'drizzle-orm';
import { type Bound, endsBefore, instantOfBound } from '../core/bounds.ts';
import { fieldFailure } from '../core/failure.ts';
import { err, ok, type Result, refuse } from '../core/result.ts';
import type { Database } from '../platform/db/database.ts';
import { pageFound, waysToFind } from '../platform/db/narrow.ts';
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
): Promise<Result<DetailedDisbursement>> {
  const [[row], [bankLine = null], items, here, archived, ...records] = await database.batch(
    'd1.disbursement.read',
    [
      selectDisbursement(propertyId, id),
      selectLinesOf(propertyId, sql`SELECT ${id} AS id`),
      selectItems(propertyId, id),
      ...selectOwnRecords(propertyId, id),
    ],
  );
  return row
    ? ok({
        row,
        bankLine,
        items,
        bookings: [...here, ...archived].map(({ reference }) => reference),
        records: records.flat(),
      })
    : refuse('disbursement_not_found', 'The property has no disbursement with this id.');
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
): Promise<Result<Page<ListedWithLine>>> {
  const fromMs = from ? instantOfBound(from, 'begins', timeZone) : null;
  const beforeMs = to ? instantOfBound(to, 'ends', timeZone) : null;
  if (fromMs !== null && beforeMs !== null && to && endsBefore(to, beforeMs, fromMs)) {
    const message = 'to must not come before from.';
    return err(fieldFailure([{ field: 'to', code: 'dates_out_of_order', message }]));
  }
  const { effectiveAtMs, id } = disbursements;
  const own = eq(disbursements.propertyId, propertyId);
  const span = { from: fromMs ?? undefined, before: beforeMs ?? undefined };
  const columns = [effectiveAtMs, id] as const;
  const list = { table: disbursements, columns, order: 'descending', own, span } as const;
  const filters = status === undefined ? [] : [{ rows: eq(disbursements.status, status) }];
  const asked = { after: part.after, most: part.limit + 1 };
  const [edge, inOrder] = waysToFind(list, filters, asked, (way) => pages.along(way));
  const [lines, ...found] = await database.batch('d1.disbursement.read', [
    selectLinesOf(propertyId, sql`SELECT id FROM ${inOrder.as('page')}`),
    edge,
    inOrder,
  ]);
  const page = pageFound<DisbursementRow>(found, part.limit, (row) => [row.effectiveAtMs, row.id]);
  const lineOf = new Map(lines.map((line) => [line.disbursementId, line]));
  const withLine = (row: DisbursementRow) => ({ row, bankLine: lineOf.get(row.id) ?? null });
  return ok(shownPage(page, withLine));
}

const pages = pagesOf(disbursements, 'descending', ['effectiveAtMs', 'id']);
