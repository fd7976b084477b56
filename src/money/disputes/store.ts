import { and, asc, eq } from 'drizzle-orm';
import type { Queries } from '../../platform/db/database.ts';
import { type DisputeRow, disputes } from '../../platform/db/disputeTables.ts';
import { prepared } from '../../platform/db/prepared.ts';
import type { BookingName } from '../../records/bookings/store.ts';

/** Inserts a dispute. The schema writes the journal if its funds are withdrawn. */
export function insertDispute(queries: Queries, row: DisputeRow) {
  return queries.insert(disputes).values(row);
}

/** Changes a dispute. The schema refuses the change if D1 has another version than `row`. */
export function updateDispute(queries: Queries, row: DisputeRow, change: Partial<DisputeRow>) {
  return queries
    .update(disputes)
    .set({ ...change, version: row.version + 1 })
    .where(and(eq(disputes.propertyId, row.propertyId), eq(disputes.id, row.id)));
}

/** Selects the disputes of a booking's charges, the one opened first first. */
export function selectDisputesOfBooking(queries: Queries, propertyId: string, reference: string) {
  return ofBooking(queries, { propertyId, reference });
}

const ofBooking = prepared<BookingName>()((queries, { propertyId, reference }) =>
  queries
    .select()
    .from(disputes)
    .where(and(eq(disputes.propertyId, propertyId), eq(disputes.bookingReference, reference)))
    .orderBy(asc(disputes.openedAtMs), asc(disputes.id)),
);
