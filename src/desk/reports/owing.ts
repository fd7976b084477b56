import { and, asc, eq, gt, gte, lte, sql } from 'drizzle-orm';
import { pick } from '../../core/pick.ts';
import { addDays, type IsoDate } from '../../core/time.ts';
import { DUE_MINOR, ENTRIES } from '../../money/balance/bookingMoney.ts';
import { type Database, queries } from '../../platform/db/database.ts';
import { bookings } from '../../schema/bookingTables.ts';

/** A stay that owes something, with how many there are and what they owe together. */
export type OwingStay = Awaited<ReturnType<typeof selectOwing>>[number];

/** Among how many arrivals those that owe something are looked for: the first ones. */
const MOST_LOOKED_AT = 2_000;

/** Selects the stays that arrive on some days and owe something, the first arrival first. */
export function selectOwing(
  propertyId: string,
  { from, to }: { readonly from: IsoDate; readonly to: IsoDate },
  limit: number,
) {
  const { arrival, reference, status } = bookings;
  const owing = queries
    .select({
      hit: reference,
      arrival,
      dueMinor: DUE_MINOR.as('due_minor'),
      inCurrency: bookings.currency,
    })
    .from(bookings)
    .where(
      and(
        eq(bookings.propertyId, propertyId),
        gte(arrival, from),
        lte(arrival, to),
        eq(status, 'booked'),
      ),
    )
    // The limit also keeps SQLite from working out what is due twice.
    .orderBy(asc(arrival), asc(reference))
    .limit(MOST_LOOKED_AT)
    .as('owing');
  const first = queries
    .select({
      hit: owing.hit,
      all: sql<number>`count(*) OVER (PARTITION BY ${owing.inCurrency})`.as('in_all'),
      allMinor: sql<number>`sum(${owing.dueMinor}) OVER (PARTITION BY ${owing.inCurrency})`.as(
        'all_minor',
      ),
    })
    .from(owing)
    .where(gt(owing.dueMinor, 0))
    .orderBy(asc(owing.arrival), asc(owing.hit))
    .limit(limit)
    .as('listed');
  return queries
    .select({
      ...pick(bookings, 'reference', 'status', 'arrival', 'departure', 'firstName', 'lastName'),
      ...pick(bookings, 'currency', 'totalCostMinor'),
      entries: ENTRIES.as('entries'),
      all: first.all,
      allMinor: first.allMinor,
    })
    .from(first)
    .crossJoin(bookings)
    .where(and(eq(bookings.propertyId, propertyId), eq(reference, first.hit)))
    .orderBy(asc(arrival), asc(reference));
}

/** The arrivals among which stays that owe something are looked for. */
export const OWING_BEFORE_DAYS = 60;
export const OWING_AHEAD_DAYS = 14;

/** Reads the stays around today that owe something, the first arrival first. One round trip. */
export async function readOwing(
  database: Database,
  propertyId: string,
  today: IsoDate,
  limit: number,
): Promise<readonly OwingStay[]> {
  const span = { from: addDays(today, -OWING_BEFORE_DAYS), to: addDays(today, OWING_AHEAD_DAYS) };
  const [stays] = await database.batch('d1.console.read', [selectOwing(propertyId, span, limit)]);
  return stays;
}
