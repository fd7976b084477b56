import { z } from '@hono/zod-openapi';
import { nightsBetween } from '../../core/days.ts';
import { toDecimal } from '../../core/money.ts';
import { named } from '../../platform/views.ts';
import type { NightlyRateRow, RoomRestrictionsRow, RoomType } from '../../schema/roomTables.ts';

/** The known nights of a room type: its availability, its own restrictions, and its rates. */
export interface KnownNights {
  readonly available: readonly { readonly day: string; readonly available: number }[];
  readonly restrictions: readonly RoomNight[];
  readonly rates: readonly RateNight[];
}

/** The restrictions of a night at every rate. Null where the PMS has sent no value. */
export type RoomNight = Omit<RoomRestrictionsRow, 'propertyId' | 'roomTypeCode'>;

/** A night at a rate. Null where the PMS has sent no value. */
export type RateNight = Omit<NightlyRateRow, 'propertyId' | 'roomTypeCode'>;

/** A night at a rate as GetInventory shows it (pms: GetInventory). */
const nightSchema = named('RoomNight', {
  day: z.string().describe('the night, `YYYY-MM-DD`'),
  ldsRoomTypeID: z
    .string()
    .openapi({ example: '1' })
    .describe("the service's own number of the room type; it stays the same"),
  ldsRoomTypeName: z.string().describe('the room type'),
  pmsRoomTypeCode: z.string().describe("the PMS's code of it"),
  ldsRateName: z.string().describe('the rate'),
  totalAmount: z.number().describe('the price; 0 when unknown'),
  cta: z
    .boolean()
    .describe('closed to arrival, by the room type or the rate; `false` when unknown'),
  ctd: z
    .boolean()
    .describe('closed to departure, by the room type or the rate; `false` when unknown'),
  closed: z.boolean().describe('closed, without a price, or no room known to be free'),
  mlos: z
    .int()
    .describe("shortest stay, the longer of the room type's and the rate's; 1 when unknown"),
});

/** The nights of a room type, by `RateTypeCode`. */
export const nightsSchema = z.record(z.string(), z.array(nightSchema));

/** A property's rooms and rates in messages (pms: GetPropertyInfo). */
export const propertyDataSchema = named('PropertyData', {
  PropertyName: z.string(),
  RoomTypes: z
    .array(
      z.object({
        RoomTypeCode: z.string().describe('1–50 characters or an integer'),
        RoomTypeName: z.string().describe('1–200 characters'),
        RateTypes: z
          .array(
            z.object({
              RateTypeCode: z.string().describe('1–50 characters or an integer'),
              RateTypeName: z.string().describe('1–200 characters'),
            }),
          )
          .describe('at most 200, each `RateTypeCode` once'),
      }),
    )
    .describe('at most 500, each `RoomTypeCode` once'),
});

/**
 * Every night of a stay at every rate of a room type, by `RateTypeCode`. A night is closed when the PMS closed it, when
 * its price is missing or 0, and when its number of free rooms is unknown or 0. A restriction holds where the room type
 * or the rate has it; of two shortest stays the longer one counts.
 */
export function nightsView(
  roomType: RoomType,
  exponent: number,
  checkIn: string,
  checkOut: string,
  known: KnownNights,
): z.infer<typeof nightsSchema> {
  const days = nightsBetween(checkIn, checkOut);
  const free = new Map(known.available.map(({ day, available }) => [day, available]));
  const rooms = new Map(known.restrictions.map((night) => [night.day, night]));
  const nights = new Map(known.rates.map((night) => [keyOf(night.rateTypeCode, night.day), night]));
  return Object.fromEntries(
    roomType.rateTypes.map((rateType) => [
      rateType.code,
      days.map((day): z.infer<typeof nightSchema> => {
        const night = nights.get(keyOf(rateType.code, day));
        const { closed, cta, ctd, mlos } = restrictionsOf(rooms.get(day), night);
        const valueMinor = night?.valueMinor ?? 0;
        return {
          day,
          ldsRoomTypeID: String(roomType.id),
          ldsRoomTypeName: roomType.name,
          pmsRoomTypeCode: roomType.code,
          ldsRateName: rateType.name,
          totalAmount: toDecimal(valueMinor, exponent),
          cta,
          ctd,
          closed: closed || valueMinor === 0 || (free.get(day) ?? 0) <= 0,
          mlos,
        };
      }),
    ]),
  );
}

/** The restrictions of a night from its room type and its rate together. */
function restrictionsOf(room: RoomNight | undefined, rate: RateNight | undefined) {
  const stays = [room?.minLos, rate?.minLos].filter((minLos) => typeof minLos === 'number');
  return {
    closed: room?.closed === true || rate?.closed === true,
    cta: room?.closedToArrival === true || rate?.closedToArrival === true,
    ctd: room?.closedToDeparture === true || rate?.closedToDeparture === true,
    mlos: stays.length > 0 ? Math.max(...stays) : 1,
  };
}

/** Unique, because every day has ten characters. */
function keyOf(rateTypeCode: string, day: string): string {
  return `${day}${rateTypeCode}`;
}

export function propertyDataView(
  propertyName: string,
  roomTypes: readonly RoomType[],
): z.infer<typeof propertyDataSchema> {
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
