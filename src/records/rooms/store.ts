import { and, asc, eq, gte, lt, sql } from 'drizzle-orm';
import { queries, type Statement } from '../../platform/db/database.ts';
import type { BookingRow } from '../../schema/bookingTables.ts';
import {
  inventory,
  nightlyRates,
  type RoomType,
  roomCatalogues,
  roomRestrictions,
} from '../../schema/roomTables.ts';
import { availabilityChanges } from './rules.ts';

export const nightKey = [inventory.propertyId, inventory.roomTypeCode, inventory.day];

export function selectCatalogue(propertyId: string) {
  return queries.select().from(roomCatalogues).where(eq(roomCatalogues.propertyId, propertyId));
}

/**
 * Replaces the catalogue that was fetched at `expectedAtMs` (null: there was none) and returns its property. Returns
 * no row, and changes nothing, when another catalogue has replaced it already.
 */
export function replaceCatalogue(
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

/** Nights of a room type, in [fromDay, untilDay). */
interface Nights {
  readonly propertyId: string;
  readonly roomTypeCode: string;
  readonly fromDay: string;
  readonly untilDay: string;
}

function isOf(
  table: typeof inventory | typeof roomRestrictions | typeof nightlyRates,
  { propertyId, roomTypeCode, fromDay, untilDay }: Nights,
) {
  return and(
    eq(table.propertyId, propertyId),
    eq(table.roomTypeCode, roomTypeCode),
    gte(table.day, fromDay),
    lt(table.day, untilDay),
  );
}

export function selectAvailable(nights: Nights) {
  const { day, available } = inventory;
  return queries.select({ day, available }).from(inventory).where(isOf(inventory, nights));
}

/** Selects the restrictions of a room type that hold for all its rates, by night. */
export function selectRoomRestrictions(nights: Nights) {
  const { day, minLos, closed, closedToArrival, closedToDeparture } = roomRestrictions;
  return queries
    .select({ day, minLos, closed, closedToArrival, closedToDeparture })
    .from(roomRestrictions)
    .where(isOf(roomRestrictions, nights));
}

export function selectRateNights(nights: Nights, limit: number) {
  const { rateTypeCode, day, valueMinor, minLos, closed, closedToArrival, closedToDeparture } =
    nightlyRates;
  return queries
    .select({ rateTypeCode, day, valueMinor, minLos, closed, closedToArrival, closedToDeparture })
    .from(nightlyRates)
    .where(isOf(nightlyRates, nights))
    .orderBy(asc(rateTypeCode), asc(day))
    .limit(limit);
}

/**
 * Applies a new, changed or cancelled booking to availability: one statement or none, for the batch that saves the
 * booking. Nights without a number from the PMS stay unknown. Availability may fall below 0.
 */
export function availabilityStatements(
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
