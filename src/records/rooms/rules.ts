import type { BookingRow, RoomStay } from '../../schema/bookingTables.ts';
import type { RoomType } from '../../schema/roomTables.ts';

export type PmsRoomType = Pick<RoomType, 'code' | 'name' | 'rateTypes'>;

/** How many room types keep their number after the PMS stops listing them: the newest ones. */
const MOST_GONE = 500;

/**
 * The catalogue after a refresh from the PMS. A known code keeps its number, even while the PMS does not list it. A
 * new code gets the number after the largest one.
 */
export function refreshedCatalogue(
  before: readonly RoomType[],
  received: readonly PmsRoomType[],
): RoomType[] {
  const numbers = new Map(before.map(({ code, id }) => [code, id]));
  let largest = before.reduce((most, { id }) => Math.max(most, id), 0);
  const present = received.map(({ code, name, rateTypes }): RoomType => {
    const id = numbers.get(code) ?? largest + 1;
    largest = Math.max(largest, id);
    return { id, code, name, rateTypes };
  });
  const named = new Set(received.map(({ code }) => code));
  const gone = before
    .filter(({ code }) => !named.has(code))
    .toSorted((a, b) => b.id - a.id)
    .slice(0, MOST_GONE)
    .map(({ id, code, name }): RoomType => ({ id, code, name, rateTypes: [], gone: true }));
  return [...present, ...gone];
}

/** The room types that the PMS lists now. */
export function presentRoomTypes(catalogue: readonly RoomType[]): RoomType[] {
  return catalogue.filter(({ gone }) => !gone);
}

/** The codes of a range in a message. */
export interface NamedCodes {
  readonly roomTypeCode: string;
  readonly rateTypeCode?: string;
}

/** A code that is not in the property's catalogue, and the index of its range in the message. */
export interface UnknownCode {
  readonly index: number;
  readonly kind: 'RoomTypeCode' | 'RateTypeCode';
  readonly code: string;
}

/** The unknown codes in ranges, in their order. A rate must belong to its room type. */
export function unknownCodes(
  catalogue: readonly RoomType[],
  ranges: readonly NamedCodes[],
): UnknownCode[] {
  const known = new Map(
    presentRoomTypes(catalogue).map(({ code, rateTypes }) => [
      code,
      new Set(rateTypes.map((rateType) => rateType.code)),
    ]),
  );
  return ranges.flatMap(({ roomTypeCode, rateTypeCode }, index): UnknownCode[] => {
    const rates = known.get(roomTypeCode);
    if (!rates) return [{ index, kind: 'RoomTypeCode', code: roomTypeCode }];
    return rateTypeCode === undefined || rates.has(rateTypeCode)
      ? []
      : [{ index, kind: 'RateTypeCode', code: rateTypeCode }];
  });
}

/** A change of `delta` free rooms for the nights in [fromDay, untilDay). */
export interface AvailabilityChange {
  readonly roomTypeCode: string;
  readonly fromDay: string;
  readonly untilDay: string;
  readonly delta: number;
}

/**
 * The changes of availability by a new, changed or cancelled booking. While it is booked, each of its room stays takes
 * one room a night. Leaves out nights that the booking keeps; the changes of a room type do not overlap.
 */
export function availabilityChanges(
  before: BookingRow | null,
  after: BookingRow,
): AvailabilityChange[] {
  // By room type and day: the change of free rooms from that day on.
  const steps = new Map<string, Map<string, number>>();
  const step = (roomTypeCode: string, day: string, delta: number) => {
    const days = steps.get(roomTypeCode) ?? new Map<string, number>();
    steps.set(roomTypeCode, days.set(day, (days.get(day) ?? 0) + delta));
  };
  for (const { roomTypeCode, startDate, endDate } of takenBy(before)) {
    step(roomTypeCode, startDate, 1);
    step(roomTypeCode, endDate, -1);
  }
  for (const { roomTypeCode, startDate, endDate } of takenBy(after)) {
    step(roomTypeCode, startDate, -1);
    step(roomTypeCode, endDate, 1);
  }
  return [...steps].flatMap(([roomTypeCode, days]) => changesOf(roomTypeCode, days));
}

function takenBy(booking: BookingRow | null): readonly RoomStay[] {
  return booking?.status === 'booked' ? (booking.roomStays ?? []) : [];
}

function changesOf(roomTypeCode: string, days: ReadonlyMap<string, number>): AvailabilityChange[] {
  const ordered = [...days]
    .filter(([, rise]) => rise !== 0)
    .toSorted(([a], [b]) => (a < b ? -1 : 1));
  let delta = 0;
  return ordered.flatMap(([fromDay, rise], index) => {
    delta += rise;
    const untilDay = ordered[index + 1]?.[0];
    return delta === 0 || untilDay === undefined
      ? []
      : [{ roomTypeCode, fromDay, untilDay, delta }];
  });
}
