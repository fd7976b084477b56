import { and, desc, eq } from 'drizzle-orm';
import { type BookingRow, bookings } from '../db/bookingTables.ts';
import { cards } from '../db/cardTables.ts';
import type { Database, Queries } from '../db/database.ts';
import { properties } from '../db/propertyTables.ts';
import { columnsOf, remembered, type Slotted } from '../db/remembered.ts';
import { selectProperty } from '../properties/store.ts';
import type { BookingState } from './rules.ts';

/** The most cards of one booking that are read: the newest. */
const MOST_CARDS = 100;

/** Selects the property, the booking (if there is one) and its cards; for the start of a batch. */
export function selectBooking(queries: Queries, propertyId: string, reference: string) {
  const name = { propertyId, reference };
  return [
    selectProperty(queries, propertyId),
    bookingByName(queries, name),
    cardsOfBooking(queries, name),
  ] as const;
}

/** What names a booking. */
export interface BookingName {
  readonly propertyId: string;
  readonly reference: string;
}

/** The booking of that name. */
export function isBooking({ propertyId, reference }: Slotted<BookingName>) {
  return and(eq(bookings.propertyId, propertyId), eq(bookings.reference, reference));
}

/** The cards attached to a booking. */
function ofBooking({ propertyId, reference }: Slotted<BookingName>) {
  return and(eq(cards.propertyId, propertyId), eq(cards.bookingReference, reference));
}

const NEWEST_FIRST = [desc(cards.createdAtMs), desc(cards.token)] as const;

const bookingByName = remembered<BookingName>()((queries, name) =>
  queries.select().from(bookings).where(isBooking(name)),
);

const cardsOfBooking = remembered<BookingName>()((queries, name) =>
  queries
    .select()
    .from(cards)
    .where(ofBooking(name))
    .orderBy(...NEWEST_FIRST)
    .limit(MOST_CARDS),
);

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

/** Selects what is shown of a booking and its property; none when there is no such booking. */
export function selectShown(queries: Queries, propertyId: string, reference: string) {
  return shownByName(queries, { propertyId, reference });
}

// A batch tells columns apart by name alone: none of one table's may be called as one of the other's.
const shownByName = remembered<BookingName>()((queries, name) =>
  queries
    .select({
      property: { site: properties.site, name: properties.name },
      booking: {
        propertyId: bookings.propertyId,
        reference: bookings.reference,
        status: bookings.status,
        arrival: bookings.arrival,
        departure: bookings.departure,
        lastName: bookings.lastName,
        email: bookings.email,
        currency: bookings.currency,
        totalCostMinor: bookings.totalCostMinor,
        cardToken: bookings.cardToken,
        linkVersion: bookings.linkVersion,
      },
    })
    .from(bookings)
    .innerJoin(properties, eq(properties.id, bookings.propertyId))
    .where(isBooking(name)),
);

/** Selects what is shown of a booking's cards, the newest first. */
export function selectShownCards(queries: Queries, propertyId: string, reference: string) {
  return shownCards(queries, { propertyId, reference });
}

const shownCards = remembered<BookingName>()((queries, name) =>
  queries
    .select({
      token: cards.token,
      brand: cards.brand,
      masked: cards.masked,
      holderName: cards.holderName,
      expiryMonth: cards.expiryMonth,
      expiryYear: cards.expiryYear,
    })
    .from(cards)
    .where(ofBooking(name))
    .orderBy(...NEWEST_FIRST)
    .limit(MOST_CARDS),
);

/** Inserts a new booking. */
export const insertBooking = remembered<BookingRow>()((queries, row) =>
  queries.insert(bookings).values(row),
);

/** Writes a changed booking; the schema refuses it when `row.version` is not the next one. */
export const updateBooking = remembered<BookingRow>()((queries, row) => {
  const { propertyId, reference, currency: _fixed, ...changes } = row;
  return queries
    .update(bookings)
    .set(columnsOf<Partial<BookingRow>>(changes))
    .where(isBooking({ propertyId, reference }));
});
