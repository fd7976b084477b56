import { and, eq } from 'drizzle-orm';
import type { Queries } from '../../platform/db/database.ts';
import { chargeTotals } from '../../platform/db/journalTables.ts';
import { prepared } from '../../platform/db/prepared.ts';
import type { BookingName } from '../../records/bookings/store.ts';

/** Selects the sums of the journal for each of a booking's charges that was taken (architecture: The journal). */
export function selectChargeTotals(queries: Queries, propertyId: string, reference: string) {
  return totalsOfBooking(queries, { propertyId, reference });
}

const totalsOfBooking = prepared<BookingName>()((queries, { propertyId, reference }) =>
  queries
    .select()
    .from(chargeTotals)
    .where(
      and(eq(chargeTotals.propertyId, propertyId), eq(chargeTotals.bookingReference, reference)),
    ),
);
