import { and, eq, inArray, type Placeholder, type SQL, sql } from 'drizzle-orm';
import { type Database, queries, type Statement } from '../../platform/db/database.ts';
import { unindexed } from '../../platform/db/indexes.ts';
import type { BookingName } from '../../records/bookings/store.ts';
import { lastEventNumber } from '../../records/history/store.ts';
import { bookings, owedBookings, owedDays, owedProgress } from '../../schema/bookingTables.ts';
import { properties } from '../../schema/propertyTables.ts';
import { DUE_MINOR } from './bookingMoney.ts';

/** How many of a property's events one batch follows. */
const AT_ONCE = 500;

type Noted = [Statement, Statement, Statement, Statement];

/** The statements that note what some of a property's bookings owe now. What is archived keeps what is noted. */
function notedAgain(propertyId: string, references: SQL): Noted {
  const { arrival, currency, reference, status } = bookings;
  const those = and(eq(bookings.propertyId, propertyId), sql`${reference} IN ${references}`);
  // The limit keeps SQLite from working out what is due twice.
  const owing = sql`SELECT * FROM (SELECT ${bookings.propertyId}, ${reference}, ${arrival}, ${currency}, ${DUE_MINOR} AS due FROM ${bookings} WHERE ${those} AND ${status} = 'booked' LIMIT ${AT_ONCE}) WHERE due > 0`;
  const noted = and(
    eq(owedBookings.propertyId, propertyId),
    inArray(
      owedBookings.bookingReference,
      queries.select({ reference }).from(bookings).where(those),
    ),
  );
  return [
    addToArrivals('-', noted),
    queries.delete(owedBookings).where(noted),
    queries.insert(owedBookings).select(owing),
    addToArrivals('+', noted),
  ];
}

/**
 * Adds what is noted of some bookings to the sums of their arrivals, or takes it away. In the order of arrivals SQLite would go
 * through all that is noted.
 */
function addToArrivals(sign: '+' | '-', noted: SQL | undefined) {
  const { arrival, currency, dueMinor, propertyId } = owedBookings;
  const signed = (minor: SQL) => sql`${sql.raw(sign)}${minor}`;
  const sums = sql`SELECT ${propertyId}, ${arrival}, ${currency}, ${signed(sql`count(*)`)}, ${signed(sql`sum(${dueMinor})`)} FROM ${owedBookings} WHERE ${noted} GROUP BY ${unindexed(arrival)}, ${currency}`;
  return queries
    .insert(owedDays)
    .select(sums)
    .onConflictDoUpdate({
      target: [owedDays.propertyId, owedDays.arrival, owedDays.currency],
      set: {
        number: sql`${owedDays.number} + excluded.number`,
        dueMinor: sql`${owedDays.dueMinor} + excluded.due_minor`,
      },
    });
}

/** The statements that note what a booking owes, for a batch that changes it without an event. */
export function noteOwed({ propertyId, reference }: BookingName): Noted {
  return notedAgain(propertyId, sql`(${reference})`);
}

/** The last event that is followed. */
const followed = (propertyId: string | SQL | Placeholder) =>
  sql<number>`coalesce((SELECT event_number FROM owed_progress WHERE property_id = ${propertyId}), 0)`;

/** The bookings of a property that later events are about, for a condition. */
export function bookingsSince(propertyId: Placeholder): SQL {
  return sql`(SELECT booking_reference FROM history WHERE property_id = ${propertyId} AND event_number > ${followed(propertyId)})`;
}

/** Selects how many events of a property are to be followed still. */
export function selectUnfollowed(propertyId: string) {
  return queries
    .select({
      events: sql<number>`${lastEventNumber(propertyId)} - ${followed(propertyId)}`.as(
        'unfollowed',
      ),
    })
    .from(properties)
    .where(eq(properties.id, propertyId));
}

/** Selects properties that more than one batch of events is to be followed of. */
export function selectFarBehind(limit: number) {
  const id = sql`${properties.id}`;
  return queries
    .select({ propertyId: properties.id })
    .from(properties)
    .where(sql`${lastEventNumber(id)} - ${followed(id)} > ${AT_ONCE}`)
    .limit(limit);
}

/**
 * The statements that note what the bookings owe that a property's next events are about, {@link AT_ONCE} of them. Several
 * callers may send them at once.
 */
export function followNext(propertyId: string): [...Noted, Statement] {
  const next = (column: 'booking_reference' | 'event_number') =>
    sql`(SELECT ${sql.raw(column)} FROM history WHERE property_id = ${propertyId} AND event_number > ${followed(propertyId)} ORDER BY event_number LIMIT ${AT_ONCE})`;
  const upTo = sql`coalesce((SELECT max(event_number) FROM ${next('event_number')}), ${followed(propertyId)})`;
  return [
    ...notedAgain(propertyId, next('booking_reference')),
    queries
      .insert(owedProgress)
      .values({ propertyId, eventNumber: upTo })
      .onConflictDoUpdate({
        target: owedProgress.propertyId,
        set: { eventNumber: sql`excluded.event_number` },
      }),
  ];
}

/** Notes what is owed after a property's next events, in at most so many batches. A round trip each. */
export async function followOwed(
  database: Database,
  propertyId: string,
  batches: number,
): Promise<void> {
  for (let batch = 0; batch < batches; batch += 1) {
    const [, , , , , [left]] = await database.batch('d1.sums.follow', [
      ...followNext(propertyId),
      selectUnfollowed(propertyId),
    ]);
    if ((left?.events ?? 0) <= 0) return;
  }
}
