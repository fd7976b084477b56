import { type SQL, sql } from 'drizzle-orm';
import type { Queries } from '../../platform/db/database.ts';
import { inventory, nightlyRates } from '../../platform/db/roomTables.ts';
import { nightKey } from './store.ts';

/**
 * Statements that store a PMS's availability, rates and restrictions by night. Each message is one statement with one
 * parameter, a JSON list of its ranges. So it is atomic, stays far below D1's limits of statements and parameters, and
 * writes only the nights that change.
 */

/** Nights of a room type, first and last day included. */
export interface AvailabilityRange {
  readonly roomTypeCode: string;
  readonly firstDay: string;
  readonly lastDay: string;
  readonly available: number;
}

/** The price of nights at a rate, in minor units; 0 is closed. First and last day included. */
export interface RateRange {
  readonly roomTypeCode: string;
  readonly rateTypeCode: string;
  readonly firstDay: string;
  readonly lastDay: string;
  readonly valueMinor: number;
}

/** The restrictions of nights at a rate. A missing one stays unchanged. First and last day included. */
export interface RestrictionRange {
  readonly roomTypeCode: string;
  readonly rateTypeCode: string;
  readonly firstDay: string;
  readonly lastDay: string;
  readonly minLos?: number | undefined;
  readonly closed?: boolean | undefined;
  readonly closedToArrival?: boolean | undefined;
  readonly closedToDeparture?: boolean | undefined;
}

/** Stores availability in one statement, which writes only the nights that change. */
export function putAvailability(
  queries: Queries,
  propertyId: string,
  ranges: readonly AvailabilityRange[],
) {
  const rows = ranges.map((it) => [it.firstDay, it.lastDay, it.roomTypeCode, it.available]);
  return queries
    .insert(inventory)
    .select(
      sql`${nights(['room', 'available'], rows)}
        SELECT ${propertyId}, room, day, ${lastValue('available')} FROM nights GROUP BY room, day`,
    )
    .onConflictDoUpdate({
      target: nightKey,
      set: { available: sql`excluded.available` },
      setWhere: sql`${inventory.available} <> excluded.available`,
    });
}

/** Stores rates in one statement, which writes only the nights that change. Leaves restrictions unchanged. */
export function putRates(queries: Queries, propertyId: string, ranges: readonly RateRange[]) {
  const rows = ranges.map((it) => [
    it.firstDay,
    it.lastDay,
    it.roomTypeCode,
    it.rateTypeCode,
    it.valueMinor,
  ]);
  return queries
    .insert(nightlyRates)
    .select(
      sql`${nights(['room', 'rate', 'value'], rows)}
        SELECT ${propertyId}, room, rate, day, ${lastValue('value')}, NULL, NULL, NULL, NULL
        FROM nights GROUP BY room, rate, day`,
    )
    .onConflictDoUpdate({
      target: rateKey,
      set: { valueMinor: sql`excluded.value_minor` },
      setWhere: sql`${nightlyRates.valueMinor} IS NOT excluded.value_minor`,
    });
}

/** Stores restrictions in one statement, which writes only the nights that change. A missing restriction stays. */
export function putRestrictions(
  queries: Queries,
  propertyId: string,
  ranges: readonly RestrictionRange[],
) {
  const rows = ranges.map((it) => [
    it.firstDay,
    it.lastDay,
    it.roomTypeCode,
    it.rateTypeCode,
    it.minLos ?? null,
    it.closed ?? null,
    it.closedToArrival ?? null,
    it.closedToDeparture ?? null,
  ]);
  // A range without any restriction must not insert nights.
  const restricting = rows.filter((row) => row.slice(4).some((value) => value !== null));
  const kept = {
    minLos: sql`coalesce(excluded.min_los, ${nightlyRates.minLos})`,
    closed: sql`coalesce(excluded.closed, ${nightlyRates.closed})`,
    closedToArrival: sql`coalesce(excluded.closed_to_arrival, ${nightlyRates.closedToArrival})`,
    closedToDeparture: sql`coalesce(excluded.closed_to_departure, ${nightlyRates.closedToDeparture})`,
  };
  return queries
    .insert(nightlyRates)
    .select(
      sql`${nights(['room', 'rate', 'min_los', 'closed', 'cta', 'ctd'], restricting)}
        SELECT ${propertyId}, room, rate, day, NULL,
          ${lastValue('min_los')}, ${lastValue('closed')}, ${lastValue('cta')}, ${lastValue('ctd')}
        FROM nights GROUP BY room, rate, day`,
    )
    .onConflictDoUpdate({
      target: rateKey,
      set: kept,
      setWhere: sql`${kept.minLos} IS NOT ${nightlyRates.minLos}
        OR ${kept.closed} IS NOT ${nightlyRates.closed}
        OR ${kept.closedToArrival} IS NOT ${nightlyRates.closedToArrival}
        OR ${kept.closedToDeparture} IS NOT ${nightlyRates.closedToDeparture}`,
    });
}

const rateKey = [
  nightlyRates.propertyId,
  nightlyRates.roomTypeCode,
  nightlyRates.rateTypeCode,
  nightlyRates.day,
];

/**
 * `WITH RECURSIVE nights`: every night of the ranges, each with the index `at` of its range in the message. A range is
 * `[first day, last day, …columns]`.
 */
function nights(columns: readonly string[], ranges: readonly (readonly unknown[])[]): SQL {
  const names = sql.raw(columns.join(', '));
  const values = sql.raw(columns.map((_, index) => `value ->> ${index + 2}`).join(', '));
  return sql`WITH RECURSIVE nights (at, day, last_day, ${names}) AS (
      SELECT key, value ->> 0, value ->> 1, ${values} FROM json_each(${JSON.stringify(ranges)})
      UNION ALL
      SELECT at, date(day, '+1 day'), last_day, ${names} FROM nights WHERE day < last_day
    )`;
}

/** The value of the last range of a night that has one; NULL when none has. */
function lastValue(column: string): SQL {
  const values = `json_group_array(${column} ORDER BY at) FILTER (WHERE ${column} IS NOT NULL)`;
  return sql.raw(`${values} ->> '$[#-1]'`);
}
