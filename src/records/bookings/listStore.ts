import { and, desc, eq, gte, inArray, lt, lte, or, type SQL, sql } from 'drizzle-orm';
import { type BookingRow, bookings } from '../../platform/db/bookingTables.ts';
import { cards } from '../../platform/db/cardTables.ts';
import type { Queries } from '../../platform/db/database.ts';

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
  /** Only bookings after this place in the list. */
  readonly after?: { readonly createdAtMs: number; readonly key: string } | undefined;
}

/** Selects a property's bookings with the card in use, newest first. */
export function selectListedBookings(
  queries: Queries,
  propertyId: string,
  filter: BookingFilter,
  limit: number,
) {
  const { reference, createdAtMs } = bookings;
  const { status, after } = filter;
  const narrowed = found(queries, propertyId, filter);
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
          after &&
            or(
              lt(createdAtMs, after.createdAtMs),
              and(eq(createdAtMs, after.createdAtMs), lt(reference, after.key)),
            ),
        ),
      )
      // The plus keeps SQLite from reading every booking in the order of the list.
      .orderBy(narrowed ? sql`+${createdAtMs} DESC` : desc(createdAtMs), desc(reference))
      .limit(limit)
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
