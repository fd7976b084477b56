import { err, ok, type Result } from '../../core/result.ts';
import type { Database } from '../../platform/db/database.ts';
import { pageFound } from '../../platform/db/narrow.ts';
import { type Page, type Part, shownPage } from '../../platform/db/page.ts';
import { bookingNotFound } from '../../records/bookings/rules.ts';
import { selectReference } from '../../records/bookings/store.ts';
import { type DisputeFilter, type StagedDispute, selectDisputes } from './store.ts';
import { type DisputeView, disputeView } from './views.ts';

/** Lists a property's disputes, the one opened last first (interface: List disputes). One round trip. */
export async function listDisputes(
  database: Database,
  { id: propertyId, timeZone }: { readonly id: string; readonly timeZone: string },
  filter: DisputeFilter,
  part: Part,
): Promise<Result<Page<DisputeView>>> {
  const [named, ...found] = await database.batch('d1.dispute.read', [
    selectReference(propertyId, filter.reference ?? ''),
    ...selectDisputes(propertyId, filter, part),
  ]);
  if (filter.reference !== undefined && named.length === 0) return err(bookingNotFound());
  const page = pageFound<StagedDispute>(found, part.limit, (row) => [row.openedAtMs, row.id]);
  return ok(shownPage(page, (row) => disputeView(row, timeZone)));
}
