import { and, desc, eq, gte, inArray, lte, type SQL, sql } from 'drizzle-orm';
import type { Queries } from '../../platform/db/database.ts';
import { comesAfter, type Part } from '../../platform/db/page.ts';
import { type BookingRow, bookings } from '../../schema/bookingTables.ts';
import { cards } from '../../schema/cardTables.ts';

/** Filters the bookings of a property. What is undefined filters nothing. */
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

/** Selects a property's bookings with the card in use, newest first. */
export function selectListedBookings(
  queries: Queries,
  propertyId: string,
  filter: BookingFilter,
  { limit, after }: Part,
) {
  const { reference, createdAtMs } = bookings;
  const { status } = filter;
  const narrowed = found(queries, propertyId, filter);
  // The plus keeps SQLite from reading every booking in the order of the list.
  const created = narrowed ? sql`+${createdAtMs}` : sql`${createdAtMs}`;
  return (
    queries
      // A batch returns columns by name only: the two tables' columns need different names.
      .select({
        reference,
        status: bookings.status,
        arrival: bookings.arrival,
        departure: bookings.departure,
        lastName: bookings.lastName,
        email: bookings.email,
        currency: bookings.currency,
        totalCostMinor: bookings.totalCostMinor,
        cardToken: bookings.cardToken,
        createdAtMs,
        updatedAtMs: bookings.updatedAtMs,
        card: {
          token: cards.token,
          brand: cards.brand,
          masked: cards.masked,
          holderName: cards.holderName,
          expiryMonth: cards.expiryMonth,
          expiryYear: cards.expiryYear,
          funding: cards.funding,
          issuerCountry: cards.issuerCountry,
        },
      })
      .from(bookings)
      .leftJoin(cards, eq(cards.token, bookings.cardToken))
      .where(
        and(
          eq(bookings.propertyId, propertyId),
          narrowed,
          // A literal, so that SQLite uses the index of cancelled bookings.
          status === 'cancelled'
            ? sql`${bookings.status} = 'cancelled'`
            : status && eq(bookings.status, status),
          comesAfter('descending', [created, reference], after),
        ),
      )
      .orderBy(desc(created), desc(reference))
      .limit(limit + 1)
  );
}

/** The filters that find few bookings of many, each by its index; undefined without such a filter. */
function found(queries: Queries, propertyId: string, filter: BookingFilter): SQL | undefined {
  const { email, lastName, arrivalFrom, arrivalTo, changedSinceMs } = filter;
  const conditions = [
    email === undefined ? undefined : sql`lower(${bookings.email}) = lower(${email})`,
    lastName === undefined ? undefined : sql`lower(${bookings.lastName}) = lower(${lastName})`,
    arrivalFrom === undefined && arrivalTo === undefined
      ? undefined
      : and(
          arrivalFrom === undefined ? undefined : gte(bookings.arrival, arrivalFrom),
          arrivalTo === undefined ? undefined : lte(bookings.arrival, arrivalTo),
        ),
    changedSinceMs === undefined ? undefined : gte(bookings.updatedAtMs, changedSinceMs),
  ].filter((condition) => condition !== undefined);
  return and(
    ...conditions.map((condition) =>
      inArray(
        bookings.reference,
        queries
          .select({ reference: bookings.reference })
          .from(bookings)
          .where(and(eq(bookings.propertyId, propertyId), condition)),
      ),
    ),
  );
}
