import { and, asc, eq, gt, sql } from 'drizzle-orm';
import { pick } from '../../core/pick.ts';
import { addDays, type IsoDate } from '../../core/time.ts';
import { BALANCE, balanceAt, DUE_MINOR } from '../../money/balance/bookingMoney.ts';
import { bookingsSince, followNext, selectUnfollowed } from '../../money/balance/owed.ts';
import { type Database, queries } from '../../platform/db/database.ts';
import { comesAfter, type Part } from '../../platform/db/page.ts';
import { prepared, type RowOf } from '../../platform/db/prepared.ts';
import { bookings, owedBookings, owedDays } from '../../schema/bookingTables.ts';
import { archivedBookings } from '../../schema/lifeTables.ts';
import { properties } from '../../schema/propertyTables.ts';

/** A stay that owes something, with how many there are and what they owe together. */
export type OwingStay = RowOf<typeof selectOwing>;

/** Among how many stays that owe something they are counted: the first arrivals. */
const MOST_LOOKED_AT = 1_000;

/** What the statement of arrivals is filled with. */
interface Arriving {
  readonly propertyId: string;
  readonly from: IsoDate;
  readonly to: IsoDate;
  readonly limit: number;
}

/**
 * Selects the stays that arrive on some days and owe something, the first arrival first: as it is noted, and as it is now for
 * those that something happened to since.
 */
export const selectOwing = prepared<Arriving>()(({ from, limit, propertyId, to }) => {
  const { arrival, currency, reference } = bookings;
  const late = bookingsSince(propertyId);
  const noted = sql`SELECT hit, ${currency} AS hit_currency, hit_arrival, hit_minor FROM (SELECT ${owedBookings.bookingReference} AS hit, ${owedBookings.arrival} AS hit_arrival, ${owedBookings.dueMinor} AS hit_minor FROM ${owedBookings} WHERE ${owedBookings.propertyId} = ${propertyId} AND ${owedBookings.arrival} BETWEEN ${from} AND ${to} AND ${owedBookings.bookingReference} NOT IN ${late} ORDER BY ${owedBookings.arrival}, ${owedBookings.bookingReference} LIMIT ${MOST_LOOKED_AT}) CROSS JOIN ${bookings} ON ${bookings.propertyId} = ${propertyId} AND ${reference} = hit`;
  const since = sql`SELECT ${reference}, ${currency}, ${arrival}, ${DUE_MINOR} FROM ${bookings} WHERE ${bookings.propertyId} = ${propertyId} AND ${reference} IN ${late} AND ${arrival} BETWEEN ${from} AND ${to} AND ${bookings.status} = 'booked'`;
  const owing = sql`(${noted} UNION ALL ${since} ORDER BY hit_arrival, hit LIMIT ${MOST_LOOKED_AT})`;
  const first = sql`(SELECT hit, count(*) OVER (PARTITION BY hit_currency) AS in_all, sum(hit_minor) OVER (PARTITION BY hit_currency) AS all_minor FROM ${owing} WHERE hit_minor > 0 ORDER BY hit_arrival, hit LIMIT ${limit})`;
  return queries
    .select({
      ...pick(bookings, 'reference', 'status', 'arrival', 'departure', 'firstName', 'lastName'),
      ...pick(bookings, 'currency', 'totalCostMinor'),
      balance: BALANCE.as('balance'),
      all: sql<number>`in_all`.as('all_in_all'),
      allMinor: sql<number>`all_minor`.as('all_in_minor'),
    })
    .from(sql`${first} AS listed`)
    .crossJoin(bookings)
    .where(and(eq(bookings.propertyId, propertyId), eq(reference, sql`hit`)))
    .orderBy(asc(arrival), asc(reference));
});

/** How many batches of events somebody waits for; the next reader goes on. */
const MOST_BATCHES = 20;

/** How long a reader waits before each: whoever else calls gets their turn. */
const PAUSE_MS = 10;

/** When stays that owe something arrive, seen from a day: the sums of each are kept apart. */
export type Age = 'overdue' | 'now' | 'week' | 'month' | 'later';

/** How many stays owe something, and how much in minor units, by their arrival. */
export type OwedSums = Awaited<ReturnType<typeof selectOwedSums>>;

/**
 * Reads what is owed of all bookings of a property that are not cancelled, by their arrival (parts: What is owed).
 * `isComplete` is false while a long time's events are still to be followed: the next reading has more of them.
 */
export async function readOwedSums(
  database: Database,
  propertyId: string,
  today: IsoDate,
): Promise<{ readonly sums: OwedSums; readonly isComplete: boolean }> {
  const read = [selectOwedSums(propertyId, today), selectUnfollowed(propertyId)] as const;
  let [sums, [left]] = await database.batch('d1.console.read', read);
  for (let batch = 0; (left?.events ?? 0) > 0; batch += 1) {
    if (batch === MOST_BATCHES) return { sums, isComplete: false };
    await scheduler.wait(PAUSE_MS);
    const following = [...followNext(propertyId), ...read] as const;
    [, , , , , sums, [left]] = await database.batch('d1.sums.follow', following);
  }
  return { sums, isComplete: true };
}

export function selectOwedSums(propertyId: string, today: IsoDate) {
  const { arrival, dueMinor, number } = owedDays;
  const until = (days: number) => sql`${arrival} <= ${addDays(today, days)}`;
  const age = sql<Age>`CASE WHEN ${arrival} < ${today} THEN 'overdue' WHEN ${until(1)} THEN 'now' WHEN ${until(7)} THEN 'week' WHEN ${until(30)} THEN 'month' ELSE 'later' END`;
  return queries
    .select({
      age: age.as('age'),
      number: sql<number>`sum(${number})`.as('sum_number'),
      dueMinor: sql<number>`sum(${dueMinor})`.as('sum_due_minor'),
    })
    .from(owedDays)
    .where(and(eq(owedDays.propertyId, propertyId), gt(number, 0)))
    .groupBy(age);
}

/** A stay that owes something; of one that is archived, no more is known than when it was and what it owes. */
export type OwedStay = Awaited<ReturnType<typeof selectOwed>>[number];

/** Selects the stays of a property that owe something, the first arrival first. */
export function selectOwed(propertyId: string | null, { after, limit }: Part) {
  const { arrival, bookingReference, dueMinor } = owedBookings;
  const total = sql`coalesce(${bookings.totalCostMinor}, ${dueMinor})`;
  return queries
    .select({
      reference: sql<string>`${bookingReference}`.as('owing_reference'),
      arrival: sql<string>`${arrival}`.as('owing_arrival'),
      ...pick(bookings, 'departure', 'firstName', 'totalCostMinor'),
      status: sql<'booked'>`'booked'`.as('owing_status'),
      lastName: sql<string>`coalesce(${bookings.lastName}, ${archivedBookings.lastName}, '')`.as(
        'owing_name',
      ),
      currency: sql<string>`${properties.currency}`.as('owing_currency'),
      balance: balanceAt(total).as('balance'),
    })
    .from(owedBookings)
    .innerJoin(properties, eq(properties.id, owedBookings.propertyId))
    .leftJoin(bookings, isOwed(bookings))
    .leftJoin(archivedBookings, isOwed(archivedBookings))
    .where(
      and(
        propertyId === null ? undefined : eq(owedBookings.propertyId, propertyId),
        comesAfter('ascending', [arrival, bookingReference], after),
      ),
    )
    .orderBy(asc(arrival), asc(bookingReference))
    .limit(limit + 1);
}

function isOwed({ propertyId, reference }: typeof bookings | typeof archivedBookings) {
  return and(eq(propertyId, owedBookings.propertyId), eq(reference, owedBookings.bookingReference));
}
