import { err, ok, type Result } from '../../core/result.ts';
import type { Database, Statement } from '../../platform/db/database.ts';
import { retryWhenStale, StaleState } from '../../platform/db/retryWhenStale.ts';
import type { RoomType } from '../../schema/roomTables.ts';
import { selectProperty } from '../properties/store.ts';
import { MOST_RATE_TYPES } from './propertyData.ts';
import {
  type NamedCodes,
  type PmsRoomType,
  presentRoomTypes,
  refreshedCatalogue,
  type UnknownCode,
  unknownCodes,
} from './rules.ts';
import {
  replaceCatalogue,
  selectAvailable,
  selectCatalogue,
  selectRateNights,
  selectRoomRestrictions,
} from './store.ts';
import type { KnownNights } from './views.ts';

/** The longest stay or range of nights that a message may name (pms: Rooms and rates). */
export const MOST_NIGHTS = 750;

/** The attempts to store a catalogue while other requests store one in between. */
const MOST_ATTEMPTS = 20;

const isStale = (error: unknown) => error instanceof StaleState;

/** Stores the rooms and rates from a PMS, and returns them with this service's numbers. */
export async function storeRooms(
  database: Database,
  propertyId: string,
  received: readonly PmsRoomType[],
  nowMs: number,
): Promise<readonly RoomType[]> {
  return retryWhenStale({ attempts: MOST_ATTEMPTS, isStale }, async () => {
    const before = await readCatalogue(database, propertyId);
    const roomTypes = refreshedCatalogue(before?.roomTypes ?? [], received);
    const expectedAtMs = before?.fetchedAtMs ?? null;
    // This time is the catalogue's version, so it always grows.
    const fetchedAtMs = Math.max(nowMs, (expectedAtMs ?? 0) + 1);
    const [replaced] = await database.batch('d1.rooms.save', [
      replaceCatalogue({ propertyId, roomTypes, fetchedAtMs }, expectedAtMs),
    ]);
    if (replaced.length === 0) throw new StaleState('another catalogue of rooms was stored');
    return presentRoomTypes(roomTypes);
  });
}

async function readCatalogue(database: Database, propertyId: string) {
  const [[catalogue]] = await database.batch('d1.rooms.read', [selectCatalogue(propertyId)]);
  return catalogue ?? null;
}

/** A property's name, and the rooms and rates last fetched from its PMS, if any. One round trip. */
export async function readRooms(
  database: Database,
  propertyId: string,
): Promise<{ propertyName: string; roomTypes: readonly RoomType[] }> {
  const [[property], [catalogue]] = await database.batch('d1.rooms.read', [
    selectProperty(propertyId),
    selectCatalogue(propertyId),
  ]);
  return {
    propertyName: property?.name ?? '',
    roomTypes: presentRoomTypes(catalogue?.roomTypes ?? []),
  };
}

/** The statements that store ranges of nights. */
export type PutRanges<Range> = (
  propertyId: string,
  ranges: readonly Range[],
) => readonly Statement[];

/** Stores ranges of nights: all, or none if a code is unknown. Where ranges overlap, the last one wins. */
export async function applyRanges<Range extends NamedCodes>(
  database: Database,
  propertyId: string,
  ranges: readonly Range[],
  put: PutRanges<Range>,
): Promise<Result<null, UnknownCode[]>> {
  const catalogue = await readCatalogue(database, propertyId);
  const unknown = unknownCodes(catalogue?.roomTypes ?? [], ranges);
  if (unknown.length > 0) return err(unknown);
  const [first, ...others] = put(propertyId, ranges);
  if (first) await database.batch('d1.inventory.save', [first, ...others]);
  return ok(null);
}

/** Reads a room type and its known nights in [fromDay, untilDay); null for an unknown room type. One round trip. */
export async function readNights(
  database: Database,
  propertyId: string,
  roomTypeCode: string,
  fromDay: string,
  untilDay: string,
): Promise<{ roomType: RoomType; known: KnownNights } | null> {
  const nights = { propertyId, roomTypeCode, fromDay, untilDay };
  const [[catalogue], available, restrictions, rates] = await database.batch('d1.inventory.read', [
    selectCatalogue(propertyId),
    selectAvailable(nights),
    selectRoomRestrictions(nights),
    selectRateNights(nights, MOST_NIGHTS * MOST_RATE_TYPES),
  ]);
  const roomType = presentRoomTypes(catalogue?.roomTypes ?? []).find(
    ({ code }) => code === roomTypeCode,
  );
  return roomType ? { roomType, known: { available, restrictions, rates } } : null;
}
