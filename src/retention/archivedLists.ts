import type { z } from '@hono/zod-openapi';
import { listTransactions } from '../money/folio/list.ts';
import type { ListedTransactionView } from '../money/folio/listedView.ts';
import { pageFound } from '../platform/db/narrow.ts';
import type { Page, Part } from '../platform/db/page.ts';
import { type ArchiveWork, databaseWith } from '../records/archive/read.ts';
import {
  type PaymentFilter,
  selectArchivedPage,
  selectArchivedPayments,
} from '../records/archive/store.ts';
import { type listedBookingSchema, listedBookingView } from '../records/bookings/list.ts';
import { type BookingFilter, readBooking } from '../records/bookings/store.ts';
import type { ArchivedBookingRow, ArchivedPaymentRow } from '../schema/lifeTables.ts';

/** Lists a property's archived bookings, the newest first (interface: Archived bookings). Each is read from its file. */
export async function listArchivedBookings(
  work: ArchiveWork,
  propertyId: string,
  filter: BookingFilter,
  part: Part,
): Promise<Page<z.infer<typeof listedBookingSchema>>> {
  const statements = selectArchivedPage(propertyId, filter, part);
  const found = await work.database.of(propertyId).batch('d1.archive.read', statements);
  const page = pageFound<ArchivedBookingRow>(found, part.limit, (row) => [
    row.createdAtMs,
    row.reference,
  ]);
  const rows: z.infer<typeof listedBookingSchema>[] = [];
  for (const { reference } of page.rows) {
    const database = await databaseWith(work, { propertyId, reference });
    if (database === null) continue;
    const home = database.of(propertyId);
    const { state } = await readBooking(home, 'd1.booking.read', propertyId, reference);
    if (state) rows.push(listedBookingView(state));
  }
  return { rows, next: page.next };
}

/** Lists the payments of a property's archived bookings, the newest first. */
export async function listArchivedPayments(
  work: ArchiveWork,
  propertyId: string,
  filter: PaymentFilter,
  part: Part,
): Promise<Page<ListedTransactionView>> {
  const statements = selectArchivedPayments(propertyId, filter, part);
  const found = await work.database.of(propertyId).batch('d1.archive.read', statements);
  const page = pageFound<ArchivedPaymentRow>(found, part.limit, (row) => [row.createdAtMs, row.id]);
  const views = new Map<number, ListedTransactionView>();
  for (const reference of new Set(page.rows.map((row) => row.bookingReference))) {
    const database = await databaseWith(work, { propertyId, reference });
    if (database === null) continue;
    const all = await listTransactions(database.of(propertyId), propertyId, reference);
    for (const view of all.ok ? all.value : []) views.set(view.id, view);
  }
  return { rows: page.rows.flatMap(({ id }) => views.get(id) ?? []), next: page.next };
}
