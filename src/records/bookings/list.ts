import type { z } from '@hono/zod-openapi';
import { offsetTimestamp } from '../../core/time.ts';
import type { Database } from '../../platform/db/database.ts';
import { type Key, type Part, pageOf } from '../../platform/db/page.ts';
import { shownTime } from '../../platform/views.ts';
import { selectProperty } from '../properties/store.ts';
import { type BookingFilter, selectListedBookings } from './listStore.ts';
import { savedBookingSchema, savedBookingView } from './views.ts';

/** A booking in the list of a property's bookings (interface: List bookings). */
export const listedBookingSchema = savedBookingSchema
  .extend({
    createdAt: shownTime.describe('when it was made'),
    changedAt: shownTime.describe('when it, or its card, changed last'),
  })
  .openapi('ListedBooking');

type ListedBooking = z.infer<typeof listedBookingSchema>;

/** Lists a property's bookings, the newest first (interface: List bookings). One round trip. */
export async function listBookings(
  database: Database,
  propertyId: string,
  filter: BookingFilter,
  part: Part,
): Promise<{ readonly bookings: ListedBooking[]; readonly next: Key | null }> {
  const { queries } = database;
  const [[property], rows] = await database.batch('d1.booking.read', [
    selectProperty(queries, propertyId),
    selectListedBookings(queries, propertyId, filter, part),
  ]);
  if (!property) return { bookings: [], next: null };
  const page = pageOf(rows, part.limit, (row) => [row.createdAtMs, row.reference]);
  return {
    bookings: page.rows.map(({ card, createdAtMs, updatedAtMs, ...booking }) => ({
      ...savedBookingView({ property, booking, cards: card ? [card] : [] }),
      createdAt: offsetTimestamp(createdAtMs, property.timeZone),
      changedAt: offsetTimestamp(updatedAtMs, property.timeZone),
    })),
    next: page.next,
  };
}
