import {
  applyInventory,
  applyRateRestrictions,
  applyRates,
  applyRoomRestrictions,
} from '../../records/rooms/actions.ts';
import type { MessageHandler } from './handler.ts';
import { pushHandler } from './push.ts';
import {
  inventoryRange,
  rateRange,
  rateRestrictionRange,
  roomRestrictionRange,
} from './schemas.ts';

/** Availability of room types (pms: SetInventory). */
export const setInventory = pushHandler(
  { type: 'SetInventory', list: 'InventoryData', range: () => inventoryRange },
  ({ database, property }, ranges) =>
    applyInventory(
      database,
      property.id,
      ranges.map((range) => ({ ...nightsOf(range), available: range.Availability })),
    ),
);

/** Prices of rates (pms: SetRates). */
export const setRates = pushHandler(
  { type: 'SetRates', list: 'RateData', range: rateRange },
  ({ database, property }, ranges) =>
    applyRates(
      database,
      property.id,
      ranges.map((range) => ({
        ...nightsOf(range),
        rateTypeCode: range.RateTypeCode,
        valueMinor: range.RateValue,
      })),
    ),
);

/** Restrictions of room types, which hold for all their rates (pms: SetRoomRestrictions). */
export const setRoomRestrictions = pushHandler(
  { type: 'SetRoomRestrictions', list: 'RoomRestrictionData', range: () => roomRestrictionRange },
  ({ database, property }, ranges) =>
    applyRoomRestrictions(
      database,
      property.id,
      ranges.map((range) => ({ ...nightsOf(range), ...restrictionsOf(range) })),
    ),
);

/** Restrictions of rates, under one of the names that their own endpoint takes (pms: SetRateRestrictions). */
export function setRateRestrictions(type: 'SetRateRestrictions' | 'SetRates'): MessageHandler {
  return pushHandler(
    { type, list: 'RateRestrictionData', range: () => rateRestrictionRange },
    ({ database, property }, ranges) =>
      applyRateRestrictions(
        database,
        property.id,
        ranges.map((range) => ({
          ...nightsOf(range),
          ...restrictionsOf(range),
          rateTypeCode: range.RateTypeCode,
        })),
      ),
  );
}

/** The room type and the nights of a range. */
function nightsOf(range: {
  readonly RoomTypeCode: string;
  readonly StartDate: string;
  readonly EndDate: string;
}) {
  return {
    roomTypeCode: range.RoomTypeCode,
    firstDay: range.StartDate,
    lastDay: range.EndDate,
  };
}

function restrictionsOf(range: {
  readonly MinLOS?: number | undefined;
  readonly Closed?: boolean | undefined;
  readonly CTA?: boolean | undefined;
  readonly CTD?: boolean | undefined;
}) {
  return {
    minLos: range.MinLOS,
    closed: range.Closed,
    closedToArrival: range.CTA,
    closedToDeparture: range.CTD,
  };
}
