import { and, desc, eq } from 'drizzle-orm';
import type { Database, Queries } from '../db/database.ts';
import { type BookingRow, bookings, cards, properties } from '../db/schema.ts';
import type { BookingState } from './rules.ts';

/** The most cards of one booking that are read: the newest. */
const MOST_CARDS = 100;

/** Selects the property, the booking (if there is one) and its cards; for the start of a batch. */
export function selectBooking(queries: Queries, propertyId: string, reference: string) {
  return [
    queries.select().from(properties).where(eq(properties.id, propertyId)),
    queries
      .select()
      .from(bookings)
      .where(and(eq(bookings.propertyId, propertyId), eq(bookings.reference, reference))),
    queries
      .select()
      .from(cards)
      .where(and(eq(cards.propertyId, propertyId), eq(cards.bookingReference, reference)))
      .orderBy(desc(cards.createdAtMs), desc(cards.token))
      .limit(MOST_CARDS),
  ] as const;
}

/** Reads a booking in one round trip; null when the property has none by that reference. */
export async function readBooking(
  database: Database,
  boundary: 'd1.booking.read' | 'd1.booking.load',
  propertyId: string,
  reference: string,
): Promise<{ property: BookingState['property'] | null; state: BookingState | null }> {
  const [[property], [booking], bookingCards] = await database.batch(
    boundary,
    selectBooking(database.queries, propertyId, reference),
  );
  if (!property) return { property: null, state: null };
  return { property, state: booking ? { property, booking, cards: bookingCards } : null };
}

/** Inserts a new booking. */
export function insertBooking(queries: Queries, row: BookingRow) {
  return queries.insert(bookings).values(row);
}

/** Writes a changed booking; the schema refuses it when `row.version` is not the next one. */
export function updateBooking(queries: Queries, row: BookingRow) {
  const { propertyId, reference, currency: _fixed, ...changes } = row;
  return queries
    .update(bookings)
    .set(changes)
    .where(and(eq(bookings.propertyId, propertyId), eq(bookings.reference, reference)));
}
