import type { z } from '@hono/zod-openapi';
import { and, desc, eq, type SQL, sql } from 'drizzle-orm';
import { MINUTE_MS, offsetTimestamp } from '../../core/time.ts';
import { type Database, queries } from '../../platform/db/database.ts';
import { foundByEach, isBetween } from '../../platform/db/narrow.ts';
import { comesAfter, type Page, type Part, pageOf } from '../../platform/db/page.ts';
import { shownTime } from '../../platform/views.ts';
import { type BookingRow, bookings } from '../../schema/bookingTables.ts';
import { cards } from '../../schema/cardTables.ts';
import { shownCardColumns } from '../cards/views.ts';
import { selectProperty } from '../properties/store.ts';
import { savedBookingSchema, savedBookingView, shownBookingColumns } from './views.ts';

/** A booking in the list of a property's bookings (interface: List bookings). */
export const listedBookingSchema = savedBookingSchema
  .extend({
    createdAt: shownTime.describe('when it was made'),
    changedAt: shownTime.describe('when it, or its card, changed last'),
  })
  .openapi('ListedBooking');

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

/** Lists a property's bookings, the newest first (interface: List bookings). One round trip. */
export async function listBookings(
  database: Database,
  propertyId: string,
  filter: BookingFilter,
  part: Part,
): Promise<Page<z.infer<typeof listedBookingSchema>>> {
  const [[property], rows] = await database.batch('d1.booking.read', [
    selectProperty(propertyId),
    selectListedBookings(propertyId, filter, part),
  ]);
  if (!property) return { rows: [], next: null };
  const page = pageOf(rows, part.limit, (row) => [row.createdAtMs, row.reference]);
  return {
    rows: page.rows.map(({ card, createdAtMs, updatedAtMs, ...booking }) => ({
      ...savedBookingView({ property, booking, cards: card ? [card] : [] }),
      createdAt: offsetTimestamp(createdAtMs, property.timeZone),
      changedAt: offsetTimestamp(updatedAtMs, property.timeZone),
    })),
    next: page.next,
  };
}

/** Selects a property's bookings with the card in use, newest first. */
export function selectListedBookings(
  propertyId: string,
  filter: BookingFilter,
  { limit, after }: Part,
) {
  const { reference, createdAtMs } = bookings;
  const { status } = filter;
  const narrowed = found(propertyId, filter);
  // The plus keeps SQLite from reading every booking in the order of the list.
  const created = narrowed ? sql`+${createdAtMs}` : sql`${createdAtMs}`;
  return (
    queries
      // A batch returns columns by name only: the two tables' columns need different names.
      .select({
        ...shownBookingColumns,
        createdAtMs,
        updatedAtMs: bookings.updatedAtMs,
        card: shownCardColumns,
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

/** The filters that find few bookings of many; undefined without such a filter. */
function found(propertyId: string, filter: BookingFilter): SQL | undefined {
  const { email, lastName, arrivalFrom, arrivalTo, changedSinceMs } = filter;
  const { arrival, reference } = bookings;
  const own = eq(bookings.propertyId, propertyId);
  return foundByEach({ table: bookings, key: reference, own }, [
    email === undefined ? undefined : sql`lower(${bookings.email}) = lower(${email})`,
    lastName === undefined ? undefined : sql`lower(${bookings.lastName}) = lower(${lastName})`,
    isBetween(arrival, arrivalFrom, arrivalTo),
    changedSinceMs === undefined ? undefined : changedSince(propertyId, changedSinceMs),
  ]);
}

/** What was made or changed since a time, each by its index. The literal is the condition of one. */
function changedSince(propertyId: string, sinceMs: number): SQL {
  const { createdAtMs, reference, updatedAtMs } = bookings;
  const ofProperty = eq(bookings.propertyId, propertyId);
  return sql`${reference} IN (
    SELECT ${reference} FROM ${bookings}
      WHERE ${ofProperty} AND ${createdAtMs} >= ${sinceMs - MINUTE_MS} AND ${updatedAtMs} >= ${sinceMs}
    UNION ALL SELECT ${reference} FROM ${bookings}
      WHERE ${ofProperty} AND ${updatedAtMs} > ${createdAtMs} + 60000 AND ${updatedAtMs} >= ${sinceMs})`;
}
