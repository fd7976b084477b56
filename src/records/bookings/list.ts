import { z } from '@hono/zod-openapi';
import { offsetTimestamp } from '../../core/time.ts';
import type { Database } from '../../platform/db/database.ts';
import { selectProperty } from '../properties/store.ts';
import { type BookingFilter, selectListedBookings } from './listStore.ts';
import { savedBookingSchema, savedBookingView } from './views.ts';

/** A booking in the list of a property's bookings (interface: List bookings). */
export const listedBookingSchema = savedBookingSchema
  .extend({ createdAt: z.string(), changedAt: z.string() })
  .openapi('ListedBooking');

type ListedBooking = z.infer<typeof listedBookingSchema>;

/** A page of bookings. `next` is the place of its last one; null on the last page. */
interface BookingPage {
  readonly bookings: ListedBooking[];
  readonly next: { readonly createdAtMs: number; readonly key: string } | null;
}

/** Lists a property's bookings, the newest first (interface: List bookings). One round trip. */
export async function listBookings(
  database: Database,
  propertyId: string,
  filter: BookingFilter,
  limit: number,
): Promise<BookingPage> {
  const { queries } = database;
  const [[property], rows] = await database.batch('d1.booking.read', [
    selectProperty(queries, propertyId),
    selectListedBookings(queries, propertyId, filter, limit + 1),
  ]);
  if (!property) return { bookings: [], next: null };
  const page = rows.slice(0, limit);
  const last = rows.length > limit ? page.at(-1) : undefined;
  return {
    bookings: page.map(({ card, createdAtMs, updatedAtMs, ...booking }) => ({
      ...savedBookingView({ property, booking, cards: card ? [card] : [] }),
      createdAt: offsetTimestamp(createdAtMs, property.timeZone),
      changedAt: offsetTimestamp(updatedAtMs, property.timeZone),
    })),
    next: last ? { createdAtMs: last.createdAtMs, key: last.reference } : null,
  };
}
