import type { Database } from '../../platform/db/database.ts';
import type { BookingName } from '../../records/bookings/store.ts';
import { selectBookingOf } from '../payments/store.ts';
import { selectBookingOfRefund } from '../refunds/store.ts';

/** Finds the booking of a transaction or refund of any property by its id, which is unique in the deployment. */
export async function findBookingOf(database: Database, id: number): Promise<BookingName | null> {
  const { queries } = database;
  const [[ofTransaction], [ofRefund]] = await database.batch('d1.place.read', [
    selectBookingOf(queries, id),
    selectBookingOfRefund(queries, id),
  ]);
  return ofTransaction ?? ofRefund ?? null;
}
