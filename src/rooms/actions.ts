import { err, ok, type Result } from '../core/result.ts';
import type { Database } from '../db/database.ts';
import type { RoomType } from '../db/roomTables.ts';
import { selectProperty } from '../properties/store.ts';
import {
  type AvailabilityRange,
  putAvailability,
  putRates,
  putRestrictions,
  type RateRange,
  type RestrictionRange,
} from './nights.ts';
import { MOST_RATE_TYPES } from './propertyData.ts';
import {
  type NamedCodes,
  presentRoomTypes,
  refreshedCatalogue,
  type ToldRoomType,
  type UnknownCode,
  unknownCodes,
} from './rules.ts';
import { replaceCatalogue, selectAvailable, selectCatalogue, selectRateNights } from './store.ts';
import type { KnownNights } from './views.ts';

/** The longest stay or range of nights that a message may name (decisions: section 8). */
export const MOST_NIGHTS = 750;

/** How often a catalogue is stored anew because another one was stored in between. */
const MOST_DECISIONS = 20;

/** Stores the rooms and rates that a PMS told, and returns them with this service's numbers. */
export async function storeRooms(
  database: Database,
  propertyId: string,
  told: readonly ToldRoomType[],
  nowMs: number,
): Promise<readonly RoomType[]> {
  for (let decision = 1; decision <= MOST_DECISIONS; decision += 1) {
    const before = await readCatalogue(database, propertyId);
    const roomTypes = refreshedCatalogue(before?.roomTypes ?? [], told);
    const expectedAtMs = before?.fetchedAtMs ?? null;
    // By this time a catalogue is known to be the one that was read, so it always grows.
    const fetchedAtMs = Math.max(nowMs, (expectedAtMs ?? 0) + 1);
    const [replaced] = await database.batch('d1.rooms.save', [
      replaceCatalogue(database.queries, { propertyId, roomTypes, fetchedAtMs }, expectedAtMs),
    ]);
    if (replaced.length > 0) return presentRoomTypes(roomTypes);
  }
  throw new Error('the catalogue of rooms was replaced again and again');
}

async function readCatalogue(database: Database, propertyId: string) {
  const [[catalogue]] = await database.batch('d1.rooms.read', [
    selectCatalogue(database.queries, propertyId),
  ]);
  return catalogue ?? null;
}

/** A property's name, and its rooms and rates as its PMS told them last; none when it was never asked. One round trip. */
export async function readRooms(
  database: Database,
  propertyId: string,
): Promise<{ propertyName: string; roomTypes: readonly RoomType[] }> {
  const { queries } = database;
  const [[property], [catalogue]] = await database.batch('d1.rooms.read', [
    selectProperty(queries, propertyId),
    selectCatalogue(queries, propertyId),
  ]);
  return {
    propertyName: property?.name ?? '',
    roomTypes: presentRoomTypes(catalogue?.roomTypes ?? []),
  };
}

/** Stores availability, wholly or (with an unknown code) not at all; where ranges overlap, the last wins. */
export async function applyInventory(
  database: Database,
  propertyId: string,
  ranges: readonly AvailabilityRange[],
): Promise<Result<null, UnknownCode[]>> {
  return applyRanges(database, propertyId, ranges, () =>
    putAvailability(database.queries, propertyId, ranges),
  );
}

/** Stores rates, wholly or not at all; where ranges overlap, the last wins. */
export async function applyRates(
  database: Database,
  propertyId: string,
  ranges: readonly RateRange[],
): Promise<Result<null, UnknownCode[]>> {
  return applyRanges(database, propertyId, ranges, () =>
    putRates(database.queries, propertyId, ranges),
  );
}

/** Stores restrictions, wholly or not at all; where ranges overlap, the last that tells a restriction wins. */
export async function applyRestrictions(
  database: Database,
  propertyId: string,
  ranges: readonly RestrictionRange[],
): Promise<Result<null, UnknownCode[]>> {
  return applyRanges(database, propertyId, ranges, () =>
    putRestrictions(database.queries, propertyId, ranges),
  );
}

async function applyRanges(
  database: Database,
  propertyId: string,
  ranges: readonly NamedCodes[],
  put: () => Put,
): Promise<Result<null, UnknownCode[]>> {
  const catalogue = await readCatalogue(database, propertyId);
  const unknown = unknownCodes(catalogue?.roomTypes ?? [], ranges);
  if (unknown.length > 0) return err(unknown);
  if (ranges.length > 0) await database.batch('d1.inventory.save', [put()]);
  return ok(null);
}

type Put = ReturnType<typeof putAvailability | typeof putRates | typeof putRestrictions>;

/** A kind of room with what is known of its nights from one day until another; null when there is no such room type. One round trip. */
export async function readNights(
  database: Database,
  propertyId: string,
  roomTypeCode: string,
  fromDay: string,
  untilDay: string,
): Promise<{ roomType: RoomType; known: KnownNights } | null> {
  const { queries } = database;
  const [[catalogue], available, rates] = await database.batch('d1.inventory.read', [
    selectCatalogue(queries, propertyId),
    selectAvailable(queries, propertyId, roomTypeCode, fromDay, untilDay),
    selectRateNights(
      queries,
      propertyId,
      roomTypeCode,
      fromDay,
      untilDay,
      MOST_NIGHTS * MOST_RATE_TYPES,
    ),
  ]);
  const roomType = presentRoomTypes(catalogue?.roomTypes ?? []).find(
    ({ code }) => code === roomTypeCode,
  );
  return roomType ? { roomType, known: { available, rates } } : null;
}
