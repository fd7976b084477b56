import { nightsBetween } from '../core/days.ts';
import { toDecimal } from '../core/money.ts';
import type { NightlyRateRow, RoomType } from '../db/roomTables.ts';

/** What is known of one kind of room: each night's availability, and each rate's nights. */
export interface KnownNights {
  readonly available: readonly { readonly day: string; readonly available: number }[];
  readonly rates: readonly RateNight[];
}

/** A night at a rate, as far as the PMS told of it. */
export type RateNight = Omit<NightlyRateRow, 'propertyId' | 'roomTypeCode'>;

/** A night at a rate as GetInventory shows it (decisions: section 8). */
export interface NightView {
  readonly day: string;
  /** This service's own number of the room type. */
  readonly ldsRoomTypeID: number;
  readonly ldsRoomTypeName: string;
  readonly pmsRoomTypeCode: string;
  readonly ldsRateName: string;
  /** In the property's currency; 0 where the PMS told none. */
  readonly totalAmount: number;
  readonly cta: boolean;
  readonly ctd: boolean;
  readonly closed: boolean;
  readonly mlos: number;
}

/**
 * Every night of a stay at every rate of a room type, by `RateTypeCode`. A night is closed when the PMS closed it, when it
 * has no price (or 0), and when no room is known to be free.
 */
export function nightsView(
  roomType: RoomType,
  exponent: number,
  checkIn: string,
  checkOut: string,
  known: KnownNights,
): Record<string, NightView[]> {
  const days = nightsBetween(checkIn, checkOut);
  const free = new Map(known.available.map(({ day, available }) => [day, available]));
  const told = new Map(known.rates.map((night) => [keyOf(night.rateTypeCode, night.day), night]));
  return Object.fromEntries(
    roomType.rateTypes.map((rateType) => [
      rateType.code,
      days.map((day): NightView => {
        const night = told.get(keyOf(rateType.code, day));
        const valueMinor = night?.valueMinor ?? 0;
        return {
          day,
          ldsRoomTypeID: roomType.id,
          ldsRoomTypeName: roomType.name,
          pmsRoomTypeCode: roomType.code,
          ldsRateName: rateType.name,
          totalAmount: toDecimal(valueMinor, exponent),
          cta: night?.closedToArrival ?? false,
          ctd: night?.closedToDeparture ?? false,
          closed: (night?.closed ?? false) || valueMinor === 0 || (free.get(day) ?? 0) <= 0,
          mlos: night?.minLos ?? 1,
        };
      }),
    ]),
  );
}

/** Days all have ten characters, so that no code can be taken for another with a day. */
function keyOf(rateTypeCode: string, day: string): string {
  return `${day}${rateTypeCode}`;
}

/** A property's rooms and rates as messages show them (decisions: section 8, `PropertyData`). */
export function propertyDataView(propertyName: string, roomTypes: readonly RoomType[]) {
  return {
    PropertyName: propertyName,
    RoomTypes: roomTypes.map((roomType) => ({
      RoomTypeCode: roomType.code,
      RoomTypeName: roomType.name,
      RateTypes: roomType.rateTypes.map(({ code, name }) => ({
        RateTypeCode: code,
        RateTypeName: name,
      })),
    })),
  };
}
