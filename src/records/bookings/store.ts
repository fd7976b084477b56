import { and, type Column, desc, eq, inArray, isNull, type SQL, sql } from 'drizzle-orm';
import { pick } from '../../core/pick.ts';
import { type Database, queries, type Statement } from '../../platform/db/database.ts';
import { columnsOf, prepared, type ValuesOrPlaceholders } from '../../platform/db/prepared.ts';
import { type BookingRow, bookings, bookingWords } from '../../schema/bookingTables.ts';
import { cards } from '../../schema/cardTables.ts';
import { properties } from '../../schema/propertyTables.ts';
import { shownCardColumns } from '../cards/views.ts';
import { selectProperty } from '../properties/store.ts';
import { lookUpWordsOf } from './rules/searchWords.ts';
import type { BookingState } from './rules.ts';
import { shownBookingColumns } from './views.ts';

/** How many cards of a booking to read: the newest ones. */
const MOST_CARDS = 100;

/** Selects the property, the booking (if there is one) and its cards; for the start of a batch. */
export function selectBooking(propertyId: string, reference: string) {
  const name = { propertyId, reference };
  return [selectProperty(propertyId), bookingByName(name), cardsOfBooking(name)] as const;
}

export interface BookingName {
  readonly propertyId: string;
  readonly reference: string;
}

/** Filters the bookings of a property, archived or not. What is undefined filters nothing. */
export interface BookingFilter {
  /** Days as `YYYY-MM-DD`, inclusive. */
  readonly arrivalFrom?: string | undefined;
  readonly arrivalTo?: string | undefined;
  readonly status?: BookingRow['status'] | undefined;
  /** Only what changed at this time or later. */
  readonly changedSinceMs?: number | undefined;
  /** Compared without regard to case. */
  readonly email?: string | undefined;
  readonly lastName?: string | undefined;
}

/** Joins a table of bookings' records with their bookings. */
export function namesBooking(record: {
  readonly propertyId: Column;
  readonly bookingReference: Column;
}) {
  return and(
    eq(bookings.propertyId, record.propertyId),
    eq(bookings.reference, record.bookingReference),
  );
}

/** The condition for the rows of a table that are about a booking. */
export function isOfBooking(
  record: { readonly propertyId: Column; readonly bookingReference: Column },
  { propertyId, reference }: ValuesOrPlaceholders<BookingName>,
) {
  return and(eq(record.propertyId, propertyId), eq(record.bookingReference, reference));
}

export function isBooking({
  propertyId,
  reference,
}: ValuesOrPlaceholders<BookingName> | { readonly propertyId: string; readonly reference: SQL }) {
  return and(eq(bookings.propertyId, propertyId), eq(bookings.reference, reference));
}

/** The condition for the cards of a booking. Those that its guest removed are no longer its own. */
function ofBooking(name: ValuesOrPlaceholders<BookingName>) {
  return and(isOfBooking(cards, name), isNull(cards.removedAtMs));
}

const NEWEST_FIRST = [desc(cards.createdAtMs), desc(cards.token)] as const;

const bookingByName = prepared<BookingName>()((name) =>
  queries.select().from(bookings).where(isBooking(name)),
);

const cardsOfBooking = prepared<BookingName>()((name) =>
  queries
    .select()
    .from(cards)
    .where(ofBooking(name))
    .orderBy(...NEWEST_FIRST)
    .limit(MOST_CARDS),
);

export function selectReference(propertyId: string, reference: string) {
  return queries
    .select({ reference: bookings.reference })
    .from(bookings)
    .where(isBooking({ propertyId, reference }));
}

/** Reads a booking in one round trip; null when the property has none by that reference. */
export async function readBooking(
  database: Database,
  span: 'd1.booking.read' | 'd1.booking.load',
  propertyId: string,
  reference: string,
): Promise<{ property: BookingState['property'] | null; state: BookingState | null }> {
  const [[property], [booking], bookingCards] = await database.batch(
    span,
    selectBooking(propertyId, reference),
  );
  if (!property) return { property: null, state: null };
  return { property, state: booking ? { property, booking, cards: bookingCards } : null };
}

/**
 * Selects the shown columns of a booking and its property; no row for an unknown booking. A batch returns columns by name
 * only: the two tables' columns need different names.
 */
export const selectShown = prepared<BookingName>()((name) =>
  queries
    .select({
      property: pick(properties, 'site', 'name', 'timeZone'),
      booking: {
        propertyId: bookings.propertyId,
        ...shownBookingColumns,
        linkVersion: bookings.linkVersion,
      },
    })
    .from(bookings)
    .innerJoin(properties, eq(properties.id, bookings.propertyId))
    .where(isBooking(name)),
);

/** Selects the shown columns of a booking's cards, newest first, without those that nothing was paid with yet. */
export const selectShownCards = prepared<BookingName>()((name) =>
  queries
    .select(shownCardColumns)
    .from(cards)
    .where(and(ofBooking(name), eq(cards.enteredToPay, false)))
    .orderBy(...NEWEST_FIRST)
    .limit(MOST_CARDS),
);

export const insertBooking = prepared<BookingRow>()((row) => queries.insert(bookings).values(row));

/** Makes a card the booking's card in use, whatever else of the booking changed meanwhile. */
export function useCard(name: BookingName, cardToken: string, updatedAtMs: number) {
  return queries
    .update(bookings)
    .set({ cardToken, updatedAtMs, version: sql`${bookings.version} + 1` })
    .where(isBooking(name));
}

/**
 * Updates a booking that arrives when it did before: what is not set costs no written row of its index. A trigger refuses it
 * when `row.version` is not the next version.
 */
export function updateBooking({ arrival: _same, ...row }: BookingRow) {
  return updateColumns(row);
}

/** The same, whatever changed since it was like `before`. */
export function updateBookingFrom(before: BookingRow, row: BookingRow) {
  return before.arrival === row.arrival ? updateBooking(row) : updateColumns(row);
}

const updateColumns = prepared<Omit<BookingRow, 'arrival' | 'erasedAtMs'> & Partial<BookingRow>>()(
  (row) => {
    const { propertyId, reference, currency: _fixed, createdAtMs: _made, ...changes } = row;
    return queries
      .update(bookings)
      .set(columnsOf<Partial<BookingRow>>(changes))
      .where(isBooking({ propertyId, reference }));
  },
);

/** Keeps the words that find a saved booking, where they are others than before. */
export function saveWords(before: BookingRow | null, booking: BookingRow): Statement[] {
  const { propertyId, reference } = booking;
  const was = before === null ? [] : lookUpWordsOf(before);
  const is = lookUpWordsOf(booking);
  const own = isOfBooking(bookingWords, { propertyId, reference });
  const gone = was.filter((word) => !is.includes(word));
  const added = is.filter((word) => !was.includes(word));
  return [
    ...(gone.length > 0
      ? [queries.delete(bookingWords).where(and(inArray(bookingWords.word, gone), own))]
      : []),
    ...(added.length > 0
      ? [
          queries
            .insert(bookingWords)
            .values(added.map((word) => ({ propertyId, word, bookingReference: reference })))
            .onConflictDoNothing(),
        ]
      : []),
  ];
}
