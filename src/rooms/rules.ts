import type { BookingRow, RoomStay } from '../db/bookingTables.ts';
import type { RoomType } from '../db/roomTables.ts';

/** A kind of room as the PMS tells it, with the rates that it is sold at. */
export type ToldRoomType = Pick<RoomType, 'code' | 'name' | 'rateTypes'>;

/** How many room types that the PMS names no more keep their number: those that it named last. */
const MOST_GONE = 500;

/**
 * The catalogue after the PMS was asked again: a known code keeps its number, also while the PMS does not name it;
 * a new one gets the next after the largest ever given.
 */
export function refreshedCatalogue(
  before: readonly RoomType[],
  told: readonly ToldRoomType[],
): RoomType[] {
  const numbers = new Map(before.map(({ code, id }) => [code, id]));
  let largest = before.reduce((most, { id }) => Math.max(most, id), 0);
  const present = told.map(({ code, name, rateTypes }): RoomType => {
    const id = numbers.get(code) ?? largest + 1;
    largest = Math.max(largest, id);
    return { id, code, name, rateTypes };
  });
  const named = new Set(told.map(({ code }) => code));
  const gone = before
    .filter(({ code }) => !named.has(code))
    .toSorted((a, b) => b.id - a.id)
    .slice(0, MOST_GONE)
    .map(({ id, code, name }): RoomType => ({ id, code, name, rateTypes: [], gone: true }));
  return [...present, ...gone];
}

/** The room types that the PMS names. */
export function presentRoomTypes(catalogue: readonly RoomType[]): RoomType[] {
  return catalogue.filter(({ gone }) => !gone);
}

/** What a range of a message names. */
export interface NamedCodes {
  readonly roomTypeCode: string;
  readonly rateTypeCode?: string;
}

/** A code that the property's PMS never told of, and the range of the message that names it. */
export interface UnknownCode {
  readonly index: number;
  readonly kind: 'RoomTypeCode' | 'RateTypeCode';
  readonly code: string;
}

/** The unknown codes in ranges, in their order; a rate must be one of its room type. */
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

/** So many rooms more (or less, below 0) from one day until another, which is no night of them any more. */
export interface AvailabilityChange {
  readonly roomTypeCode: string;
  readonly fromDay: string;
  readonly untilDay: string;
  readonly delta: number;
}

/**
 * What a booking that was made, changed or cancelled does to availability: while it is booked, each of its room stays
 * takes one room a night. Nights that it had before and has still are in no change; the changes of a room type do not overlap.
 */
export function availabilityChanges(
  before: BookingRow | null,
  after: BookingRow,
): AvailabilityChange[] {
  // By room type: on which days how many rooms more are free from then on.
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
