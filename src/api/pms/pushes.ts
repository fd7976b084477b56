import { applyRanges, type PutRanges } from '../../records/rooms/actions.ts';
import {
  putAvailability,
  putRateRestrictions,
  putRates,
  putRoomRestrictions,
} from '../../records/rooms/nights.ts';
import type { NamedCodes } from '../../records/rooms/rules.ts';
import type { MessageHandler } from './handler.ts';
import { type Days, type PushDefinition, pushHandler } from './push.ts';
import {
  inventoryRange,
  rateRange,
  rateRestrictionRange,
  roomRestrictionRange,
} from './schemas.ts';

/** A push whose ranges, each named as this service names them, are stored by `put`. */
function push<Sent extends Days, Range extends NamedCodes>(
  definition: PushDefinition<Sent>,
  rangeOf: (sent: Sent) => Range,
  put: PutRanges<Range>,
): MessageHandler {
  return pushHandler(definition, ({ database, property }, sent) =>
    applyRanges(database, property.id, sent.map(rangeOf), put),
  );
}

/** Availability of room types (pms: SetInventory). */
export const setInventory = push(
  { type: 'SetInventory', list: 'InventoryData', range: () => inventoryRange },
  (sent) => ({ ...nightsOf(sent), available: sent.Availability }),
  putAvailability,
);

/** Prices of rates (pms: SetRates). */
export const setRates = push(
  { type: 'SetRates', list: 'RateData', range: rateRange },
  (sent) => ({ ...nightsOf(sent), rateTypeCode: sent.RateTypeCode, valueMinor: sent.RateValue }),
  putRates,
);

/** Restrictions of room types, which hold for all their rates (pms: SetRoomRestrictions). */
export const setRoomRestrictions = push(
  { type: 'SetRoomRestrictions', list: 'RoomRestrictionData', range: () => roomRestrictionRange },
  (sent) => ({ ...nightsOf(sent), ...restrictionsOf(sent) }),
  putRoomRestrictions,
);

/** Restrictions of rates, under one of the names that their own endpoint takes (pms: SetRateRestrictions). */
export function setRateRestrictions(type: 'SetRateRestrictions' | 'SetRates'): MessageHandler {
  return push(
    { type, list: 'RateRestrictionData', range: () => rateRestrictionRange },
    (sent) => ({
      ...nightsOf(sent),
      ...restrictionsOf(sent),
      rateTypeCode: sent.RateTypeCode,
    }),
    putRateRestrictions,
  );
}

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
