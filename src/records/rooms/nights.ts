import { type SQL, sql } from 'drizzle-orm';
import type { AnySQLiteColumn } from 'drizzle-orm/sqlite-core';
import { daysBetween } from '../../core/days.ts';
import { queries } from '../../platform/db/database.ts';
import { inventory, nightlyRates, roomRestrictions } from '../../schema/roomTables.ts';
import type { NamedCodes } from './rules.ts';
import { nightKey } from './store.ts';

/**
 * Statements that store a PMS's availability, rates and restrictions by night. A statement has one parameter, a JSON
 * list of ranges, expands it in SQL and writes only the nights that change. A great message becomes several statements
 * for one batch, sorted by room type and rate, so that each night belongs to one statement as far as possible.
 */

/** Nights of a room type, first and last day included. */
interface Range {
  readonly roomTypeCode: string;
  readonly firstDay: string;
  readonly lastDay: string;
}

export interface AvailabilityRange extends Range {
  readonly available: number;
}

/** The price of nights at a rate, in minor units; 0 is closed. */
export interface RateRange extends Range {
  readonly rateTypeCode: string;
  readonly valueMinor: number;
}

/** The restrictions of nights. A missing one stays unchanged. */
export interface Restrictions {
  readonly minLos?: number | undefined;
  readonly closed?: boolean | undefined;
  readonly closedToArrival?: boolean | undefined;
  readonly closedToDeparture?: boolean | undefined;
}

export interface RoomRestrictionRange extends Range, Restrictions {}

export interface RateRestrictionRange extends RoomRestrictionRange {
  readonly rateTypeCode: string;
}

/** A range of nights for a statement: its first and last day, its room type, and the values of its columns. */
export type RangeRow = readonly [
  firstDay: string,
  lastDay: string,
  roomTypeCode: string,
  ...columns: (string | number | boolean | null)[],
];

/** The longest list of one statement. D1 takes 2,000,000 bytes in a parameter, and a character has at most three. */
const MOST_CHARACTERS = 600_000;

/** The most nights of one statement, so that what SQLite sorts at a time stays small. */
const MOST_NIGHTS = 50_000;

export function putAvailability(propertyId: string, ranges: readonly AvailabilityRange[]) {
  const rows = sorted(ranges).map((it): RangeRow => [...placeOf(it), it.available]);
  return rangeLists(rows).map((list) =>
    queries
      .insert(inventory)
      .select(
        sql`${nights(['room', 'available'], list)}
          SELECT ${propertyId}, room, day, ${lastValue('available')} FROM nights GROUP BY room, day`,
      )
      .onConflictDoUpdate({
        target: nightKey,
        set: { available: sql`excluded.available` },
        setWhere: sql`${inventory.available} <> excluded.available`,
      }),
  );
}

/** Stores rates. Leaves restrictions unchanged. */
export function putRates(propertyId: string, ranges: readonly RateRange[]) {
  const rows = sorted(ranges).map(
    (it): RangeRow => [...placeOf(it), it.rateTypeCode, it.valueMinor],
  );
  return rangeLists(rows).map((list) =>
    queries
      .insert(nightlyRates)
      .select(
        sql`${nights(['room', 'rate', 'value'], list)}
          SELECT ${propertyId}, room, rate, day, ${lastValue('value')}, NULL, NULL, NULL, NULL
          FROM nights GROUP BY room, rate, day`,
      )
      .onConflictDoUpdate({
        target: rateKey,
        set: { valueMinor: sql`excluded.value_minor` },
        setWhere: sql`${nightlyRates.valueMinor} IS NOT excluded.value_minor`,
      }),
  );
}

/** Stores restrictions of rates. A missing restriction stays. */
export function putRateRestrictions(propertyId: string, ranges: readonly RateRestrictionRange[]) {
  const rows = sorted(ranges)
    .filter(restricts)
    .map((it): RangeRow => [...placeOf(it), it.rateTypeCode, ...restrictionsOf(it)]);
  const kept = keptRestrictions(nightlyRates);
  return rangeLists(rows).map((list) =>
    queries
      .insert(nightlyRates)
      .select(
        sql`${nights(['room', 'rate', ...RESTRICTIONS], list)}
          SELECT ${propertyId}, room, rate, day, NULL, ${LAST_RESTRICTIONS}
          FROM nights GROUP BY room, rate, day`,
      )
      .onConflictDoUpdate({ target: rateKey, set: kept.values, setWhere: kept.anyChange }),
  );
}

/** Stores restrictions of room types, which hold for all their rates. A missing restriction stays. */
export function putRoomRestrictions(propertyId: string, ranges: readonly RoomRestrictionRange[]) {
  const rows = sorted(ranges)
    .filter(restricts)
    .map((it): RangeRow => [...placeOf(it), ...restrictionsOf(it)]);
  const kept = keptRestrictions(roomRestrictions);
  return rangeLists(rows).map((list) =>
    queries
      .insert(roomRestrictions)
      .select(
        sql`${nights(['room', ...RESTRICTIONS], list)}
          SELECT ${propertyId}, room, day, ${LAST_RESTRICTIONS} FROM nights GROUP BY room, day`,
      )
      .onConflictDoUpdate({ target: roomKey, set: kept.values, setWhere: kept.anyChange }),
  );
}

const rateKey = [
  nightlyRates.propertyId,
  nightlyRates.roomTypeCode,
  nightlyRates.rateTypeCode,
  nightlyRates.day,
];

const roomKey = [roomRestrictions.propertyId, roomRestrictions.roomTypeCode, roomRestrictions.day];

/** Ranges by room type and rate. Those of one rate keep their order, in which the last one wins. */
function sorted<It extends NamedCodes>(ranges: readonly It[]): It[] {
  return ranges.toSorted(
    (a, b) =>
      compare(a.roomTypeCode, b.roomTypeCode) ||
      compare(a.rateTypeCode ?? '', b.rateTypeCode ?? ''),
  );
}

function compare(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}

function placeOf({ firstDay, lastDay, roomTypeCode }: Range): [string, string, string] {
  return [firstDay, lastDay, roomTypeCode];
}

/** The columns of a range's restrictions, in the order of {@link restrictionsOf}. */
const RESTRICTIONS = ['min_los', 'closed', 'cta', 'ctd'] as const;

const LAST_RESTRICTIONS = sql.join(RESTRICTIONS.map(lastValue), sql.raw(', '));

function restrictionsOf(range: Restrictions): RangeRow[number][] {
  const { minLos, closed, closedToArrival, closedToDeparture } = range;
  return [minLos ?? null, closed ?? null, closedToArrival ?? null, closedToDeparture ?? null];
}

/** Whether a range has any restriction. Without one it must not insert nights. */
function restricts(range: Restrictions): boolean {
  return restrictionsOf(range).some((value) => value !== null);
}

/** The values of a night that is there already: what the message left out stays. */
function keptRestrictions(table: Readonly<Record<keyof Restrictions, AnySQLiteColumn>>) {
  const values = {
    minLos: sql`coalesce(excluded.min_los, ${table.minLos})`,
    closed: sql`coalesce(excluded.closed, ${table.closed})`,
    closedToArrival: sql`coalesce(excluded.closed_to_arrival, ${table.closedToArrival})`,
    closedToDeparture: sql`coalesce(excluded.closed_to_departure, ${table.closedToDeparture})`,
  };
  const anyChange = sql`${values.minLos} IS NOT ${table.minLos}
    OR ${values.closed} IS NOT ${table.closed}
    OR ${values.closedToArrival} IS NOT ${table.closedToArrival}
    OR ${values.closedToDeparture} IS NOT ${table.closedToDeparture}`;
  return { values, anyChange };
}

/**
 * `WITH RECURSIVE nights`: every night of the ranges in a JSON list, each with the index `at` of its range. A range is
 * `[first day, last day, …columns]`.
 */
function nights(columns: readonly string[], list: string): SQL {
  const names = sql.raw(columns.join(', '));
  const values = sql.raw(columns.map((_, index) => `value ->> ${index + 2}`).join(', '));
  return sql`WITH RECURSIVE nights (at, day, last_day, ${names}) AS (
      SELECT key, value ->> 0, value ->> 1, ${values} FROM json_each(${list})
      UNION ALL
      SELECT at, date(day, '+1 day'), last_day, ${names} FROM nights WHERE day < last_day
    )`;
}

/** The value of the last range of a night that has one; NULL when none has. */
function lastValue(column: string): SQL {
  const values = `json_group_array(${column} ORDER BY at) FILTER (WHERE ${column} IS NOT NULL)`;
  return sql.raw(`${values} ->> '$[#-1]'`);
}

/**
 * The ranges as JSON lists, each for a statement of its own, in their order. One message's statements thus keep to D1's
 * limits, and the later ones win where ranges overlap.
 */
export function rangeLists(rows: readonly RangeRow[]): string[] {
  const lists: string[] = [];
  let texts: string[] = [];
  let characters = 0;
  let nights = 0;
  for (const row of rows) {
    const text = JSON.stringify(row);
    const count = daysBetween(row[0], row[1]) + 1;
    const fits = characters + text.length < MOST_CHARACTERS && nights + count <= MOST_NIGHTS;
    if (!fits && texts.length > 0) {
      lists.push(`[${texts.join()}]`);
      [texts, characters, nights] = [[], 0, 0];
    }
    texts.push(text);
    characters += text.length + 1;
    nights += count;
  }
  if (texts.length > 0) lists.push(`[${texts.join()}]`);
  return lists;
}
