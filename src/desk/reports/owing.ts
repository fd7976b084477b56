import { and, asc, eq, gt, sql } from 'drizzle-orm';
import { pick } from '../../core/pick.ts';
import { addDays, type IsoDate } from '../../core/time.ts';
import { BALANCE, balanceAt, DUE_MINOR } from '../../money/balance/bookingMoney.ts';
import { bookingsSince, followNext, selectUnfollowed } from '../../money/balance/owed.ts';
import { type Database, queries } from '../../platform/db/database.ts';
import { comesAfter, type Part } from '../../platform/db/page.ts';
import { prepared, type RowOf } from '../../platform/db/prepared.ts';
import { othersTurn } from '../../platform/othersTurn.ts';
import { bookings, owedBookings, owedDays } from '../../schema/bookingTables.ts';
import { archivedBookings } from '../../schema/lifeTables.ts';
import type { OfSpan } from './store.ts';

/** A stay that owes something, with how many there are and what they owe together. */
export type OwingStay = RowOf<typeof selectOwing>;

/**
 * Selects the stays that arrive on some days and owe something, the first arrival first: as it is noted, and as it is now for
 * those that something happened to since. All are counted by the sums of their days.
 */
export const selectOwing = prepared<OfSpan & { readonly limit: number }>()(
  ({ from, limit, propertyId, to }) => {
    const { arrival, currency, reference } = bookings;
    const { arrival: notedArrival, bookingReference, dueMinor } = owedBookings;
    const late = bookingsSince(propertyId);
    const isNoted = sql`${owedBookings.propertyId} = ${propertyId} AND ${notedArrival} BETWEEN ${from} AND ${to}`;
    const now = sql`SELECT ${reference} AS hit, ${arrival} AS hit_arrival, ${currency} AS hit_currency, ${DUE_MINOR} AS hit_minor FROM ${bookings} WHERE ${bookings.propertyId} = ${propertyId} AND ${reference} IN ${late} AND ${arrival} BETWEEN ${from} AND ${to} AND ${bookings.status} = 'booked'`;
    const noted = sql`SELECT ${bookingReference}, ${notedArrival}, ${owedBookings.currency}, ${dueMinor} FROM ${owedBookings} WHERE ${isNoted} AND ${bookingReference} NOT IN ${late} ORDER BY ${notedArrival}, ${bookingReference} LIMIT ${limit}`;
    const first = sql`(SELECT hit FROM (SELECT * FROM changed UNION ALL SELECT * FROM (${noted})) WHERE hit_minor > 0 ORDER BY hit_arrival, hit LIMIT ${limit})`;
    const counted = sql`SELECT ${owedDays.currency}, ${owedDays.number}, ${owedDays.dueMinor} FROM ${owedDays} WHERE ${owedDays.propertyId} = ${propertyId} AND ${owedDays.arrival} BETWEEN ${from} AND ${to}
    UNION ALL SELECT ${owedBookings.currency}, -1, -${dueMinor} FROM ${owedBookings} WHERE ${isNoted} AND ${bookingReference} IN ${late}
    UNION ALL SELECT hit_currency, 1, hit_minor FROM changed WHERE hit_minor > 0`;
    const all = sql`(SELECT currency AS all_currency, sum(number) AS in_all, sum(due_minor) AS all_minor FROM (${counted}) GROUP BY currency)`;
    return queries
      .select({
        ...pick(bookings, 'reference', 'status', 'arrival', 'departure', 'firstName', 'lastName'),
        ...pick(bookings, 'currency', 'totalCostMinor'),
        balance: BALANCE.as('balance'),
        all: sql<number>`in_all`.as('in_all'),
        allMinor: sql<number>`all_minor`.as('all_minor'),
      })
      .from(
        sql`(WITH changed AS MATERIALIZED (${now}) SELECT * FROM ${first} CROSS JOIN ${all}) AS listed`,
      )
      .crossJoin(bookings)
      .where(
        and(
          eq(bookings.propertyId, propertyId),
          eq(reference, sql`hit`),
          eq(currency, sql`all_currency`),
        ),
      )
      .orderBy(asc(arrival), asc(reference));
  },
);

/** How many batches of events somebody waits for; the next reader goes on. */
const MOST_BATCHES = 20;

/** How long a reader waits before each, so that other requests run. */
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
    await othersTurn(PAUSE_MS);
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
      currency: sql<string>`${owedBookings.currency}`.as('owing_currency'),
      balance: balanceAt(total).as('balance'),
    })
    .from(owedBookings)
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
