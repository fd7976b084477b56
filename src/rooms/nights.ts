import { type SQL, sql } from 'drizzle-orm';
import type { Queries } from '../db/database.ts';
import { inventory, nightlyRates } from '../db/roomTables.ts';
import { nightKey } from './store.ts';

/**
 * What a PMS pushes, stored by night. However many nights a message names, storing them is one statement with one
 * parameter that holds all ranges as JSON: it is atomic, far from D1's limits of statements and parameters, and
 * writes only the nights that change.
 */

/** Nights of a kind of room: from the first day to the last, both among them. */
export interface AvailabilityRange {
  readonly roomTypeCode: string;
  readonly firstDay: string;
  readonly lastDay: string;
  readonly available: number;
}

/** Nights at a rate, with what each costs in minor units; 0 is closed. */
export interface RateRange {
  readonly roomTypeCode: string;
  readonly rateTypeCode: string;
  readonly firstDay: string;
  readonly lastDay: string;
  readonly valueMinor: number;
}

/** Nights at a rate, with what restricts their sale; what is left out stays as it is. */
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

/** Stores availability: one statement, however many nights, that writes only those that change. */
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
        SELECT ${propertyId}, room, day, ${lastTold('available')} FROM nights GROUP BY room, day`,
    )
    .onConflictDoUpdate({
      target: nightKey,
      set: { available: sql`excluded.available` },
      setWhere: sql`${inventory.available} <> excluded.available`,
    });
}

/** Stores rates: one statement that writes only the nights that change, and no restriction. */
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
        SELECT ${propertyId}, room, rate, day, ${lastTold('value')}, NULL, NULL, NULL, NULL
        FROM nights GROUP BY room, rate, day`,
    )
    .onConflictDoUpdate({
      target: rateKey,
      set: { valueMinor: sql`excluded.value_minor` },
      setWhere: sql`${nightlyRates.valueMinor} IS NOT excluded.value_minor`,
    });
}

/** Stores restrictions: one statement that writes only the nights that change; what a range leaves out stays, night by night. */
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
  // A range that tells nothing makes no night known.
  const telling = rows.filter((row) => row.slice(4).some((told) => told !== null));
  const kept = {
    minLos: sql`coalesce(excluded.min_los, ${nightlyRates.minLos})`,
    closed: sql`coalesce(excluded.closed, ${nightlyRates.closed})`,
    closedToArrival: sql`coalesce(excluded.closed_to_arrival, ${nightlyRates.closedToArrival})`,
    closedToDeparture: sql`coalesce(excluded.closed_to_departure, ${nightlyRates.closedToDeparture})`,
  };
  return queries
    .insert(nightlyRates)
    .select(
      sql`${nights(['room', 'rate', 'min_los', 'closed', 'cta', 'ctd'], telling)}
        SELECT ${propertyId}, room, rate, day, NULL,
          ${lastTold('min_los')}, ${lastTold('closed')}, ${lastTold('cta')}, ${lastTold('ctd')}
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

/** Above every value that a night can be told, so that a range's place and its value fit into one integer. */
const SPAN = 1_000_000_000_000;

/**
 * `WITH RECURSIVE nights`: every night of ranges, each written `[first day, last day, …columns]`, with the place `at` of its
 * range in the message.
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

/** What the last range that tells it says of a night, over a group of all that name the night; NULL when none does. */
function lastTold(column: string): SQL {
  return sql.raw(`max(at * ${SPAN} + ${column}) % ${SPAN}`);
}
