import { and, asc, eq, gte, lt, sql } from 'drizzle-orm';
import type { Queries, Statement } from '../../platform/db/database.ts';
import type { BookingRow } from '../../schema/bookingTables.ts';
import {
  inventory,
  nightlyRates,
  type RoomType,
  roomCatalogues,
  roomRestrictions,
} from '../../schema/roomTables.ts';
import { availabilityChanges } from './rules.ts';

/** The key of a night of a room type. */
export const nightKey = [inventory.propertyId, inventory.roomTypeCode, inventory.day];

/** Selects a property's rooms and rates. */
export function selectCatalogue(queries: Queries, propertyId: string) {
  return queries.select().from(roomCatalogues).where(eq(roomCatalogues.propertyId, propertyId));
}

/**
 * Replaces the catalogue that was fetched at `expectedAtMs` (null: there was none) and returns its property. Returns
 * no row, and changes nothing, when another catalogue has replaced it already.
 */
export function replaceCatalogue(
  queries: Queries,
  row: { propertyId: string; roomTypes: RoomType[]; fetchedAtMs: number },
  expectedAtMs: number | null,
) {
  const { roomTypes, fetchedAtMs } = row;
  return queries
    .insert(roomCatalogues)
    .values(row)
    .onConflictDoUpdate({
      target: roomCatalogues.propertyId,
      set: { roomTypes, fetchedAtMs },
      setWhere: sql`${roomCatalogues.fetchedAtMs} IS ${expectedAtMs}`,
    })
    .returning({ propertyId: roomCatalogues.propertyId });
}

/** Selects the free rooms of a room type by night, in [fromDay, untilDay). */
export function selectAvailable(
  queries: Queries,
  propertyId: string,
  roomTypeCode: string,
  fromDay: string,
  untilDay: string,
) {
  return queries
    .select({ day: inventory.day, available: inventory.available })
    .from(inventory)
    .where(
      and(
        eq(inventory.propertyId, propertyId),
        eq(inventory.roomTypeCode, roomTypeCode),
        gte(inventory.day, fromDay),
        lt(inventory.day, untilDay),
      ),
    );
}

/** Selects the restrictions of a room type that hold for all its rates, by night, in [fromDay, untilDay). */
export function selectRoomRestrictions(
  queries: Queries,
  propertyId: string,
  roomTypeCode: string,
  fromDay: string,
  untilDay: string,
) {
  const { day, minLos, closed, closedToArrival, closedToDeparture } = roomRestrictions;
  return queries
    .select({ day, minLos, closed, closedToArrival, closedToDeparture })
    .from(roomRestrictions)
    .where(
      and(
        eq(roomRestrictions.propertyId, propertyId),
        eq(roomRestrictions.roomTypeCode, roomTypeCode),
        gte(roomRestrictions.day, fromDay),
        lt(roomRestrictions.day, untilDay),
      ),
    );
}

/** Selects the nights of a room type at all its rates, in [fromDay, untilDay), `limit` at most. */
export function selectRateNights(
  queries: Queries,
  propertyId: string,
  roomTypeCode: string,
  fromDay: string,
  untilDay: string,
  limit: number,
) {
  const { rateTypeCode, day, valueMinor, minLos, closed, closedToArrival, closedToDeparture } =
    nightlyRates;
  return queries
    .select({ rateTypeCode, day, valueMinor, minLos, closed, closedToArrival, closedToDeparture })
    .from(nightlyRates)
    .where(
      and(
        eq(nightlyRates.propertyId, propertyId),
        eq(nightlyRates.roomTypeCode, roomTypeCode),
        gte(nightlyRates.day, fromDay),
        lt(nightlyRates.day, untilDay),
      ),
    )
    .orderBy(asc(nightlyRates.rateTypeCode), asc(nightlyRates.day))
    .limit(limit);
}

/**
 * Applies a new, changed or cancelled booking to availability: one statement or none, for the batch that saves the
 * booking. Nights without a number from the PMS stay unknown. Availability may fall below 0.
 */
export function availabilityStatements(
  queries: Queries,
  propertyId: string,
  before: BookingRow | null,
  after: BookingRow,
): Statement[] {
  const changes = availabilityChanges(before, after);
  if (changes.length === 0) return [];
  const rows = changes.map((it) => [it.roomTypeCode, it.fromDay, it.untilDay, it.delta]);
  return [
    queries
      .insert(inventory)
      // CROSS JOIN keeps this order, so that only the nights of the changes are read.
      .select(
        sql`SELECT night.property_id, night.room_type_code, night.day, night.available + (value ->> 3)
          FROM json_each(${JSON.stringify(rows)}) CROSS JOIN ${inventory} AS night
          WHERE night.property_id = ${propertyId} AND night.room_type_code = value ->> 0
            AND night.day >= value ->> 1 AND night.day < value ->> 2`,
      )
      .onConflictDoUpdate({
        target: nightKey,
        set: { available: sql`excluded.available` },
      }),
  ];
}
