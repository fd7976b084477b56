import { z } from '@hono/zod-openapi';
import { daysBetween } from '../../core/days.ts';
import { andThen, err, ok } from '../../core/result.ts';
import { LARGE_BODY_LIMIT_BYTES } from '../../http/json.ts';
import { propertyNow } from '../../platform/propertyNow.ts';
import { compareLedger } from '../../pms/ledger/compare.ts';
import { reportSchema, reportView } from '../../pms/ledger/views.ts';
import { moveApplication } from '../../records/applications/actions.ts';
import { saveRecord } from '../../records/applications/records.ts';
import { MOST_NIGHTS, readNights, readRooms } from '../../records/rooms/actions.ts';
import {
  putAvailability,
  putRateRestrictions,
  putRates,
  putRoomRestrictions,
} from '../../records/rooms/nights.ts';
import { nightsView, propertyDataView } from '../../records/rooms/views.ts';
import { namesApplication, recordData, statusMembers } from '../applications/schemas.ts';
import { reportData } from '../pmsLedger/schemas.ts';
import { type MessageHandler, messageHandler } from './handler.ts';
import { pushHandler } from './push.ts';
import { tooManyNights, unknownRoomType } from './rules/failures.ts';
import {
  daysInOrder,
  inventoryRange,
  nightsAnswer,
  ping,
  propertyInfoAnswer,
  rateRange,
  rateRestrictionRange,
  roomRestrictionRange,
  stay,
} from './schemas.ts';

/** The most nights in one answer of GetInventory, counted for each rate: about 12 MB. */
const MOST_NIGHTS_ANSWERED = 50_000;

/** The handlers of all messages, by `MessageType` (pms: Messages from the PMS). */
export const handlers: ReadonlyMap<string, MessageHandler> = new Map(
  [
    messageHandler({
      type: 'Ping',
      scope: 'inventory',
      members: () => z.object(ping),
      answer: ping,
      handle: async (_work, { EchoData }) => ok(EchoData === undefined ? {} : { EchoData }),
    }),

    messageHandler({
      type: 'GetPropertyInfo',
      scope: 'inventory',
      members: () => z.object({}),
      answer: propertyInfoAnswer,
      handle: async ({ database, property }) => {
        const { propertyName, roomTypes } = await readRooms(database, property.id);
        return ok({ PropertyData: propertyDataView(propertyName, roomTypes) });
      },
    }),

    messageHandler({
      type: 'GetInventory',
      scope: 'inventory',
      members: () => z.object(stay).check(daysInOrder('checkIn', 'checkOut', 1, MOST_NIGHTS)),
      answer: nightsAnswer,
      handle: async ({ database, property }, { pmsRoomTypeCode, checkIn, checkOut }) => {
        const found = await readNights(database, property.id, pmsRoomTypeCode, checkIn, checkOut);
        if (!found) return err(unknownRoomType(pmsRoomTypeCode));
        const { roomType, known } = found;
        const nights = daysBetween(checkIn, checkOut) * roomType.rateTypes.length;
        if (nights > MOST_NIGHTS_ANSWERED) return err(tooManyNights(MOST_NIGHTS_ANSWERED));
        const { exponent } = property;
        return ok({ InventoryData: nightsView(roomType, exponent, checkIn, checkOut, known) });
      },
    }),

    pushHandler({
      type: 'SetInventory',
      list: 'InventoryData',
      range: () => inventoryRange,
      put: putAvailability,
    }),

    pushHandler({
      type: 'SetRates',
      list: 'RateData',
      range: rateRange,
      put: putRates,
    }),

    /** These hold for all rates of a room type. */
    pushHandler({
      type: 'SetRoomRestrictions',
      list: 'RoomRestrictionData',
      range: () => roomRestrictionRange,
      put: putRoomRestrictions,
    }),

    setRateRestrictions('SetRateRestrictions'),

    messageHandler({
      type: 'BookingRecord',
      scope: 'applications',
      members: (exponent) =>
        z.object({ BookingData: recordData(exponent).describe('as the PMS knows it') }),
      answer: {},
      handle: async ({ database, property }, { BookingData }) => {
        const saved = await saveRecord(database, property, BookingData, propertyNow(property));
        return saved.ok ? ok({}) : saved;
      },
    }),

    messageHandler({
      type: 'TransactionReport',
      scope: 'payments',
      limitBytes: LARGE_BODY_LIMIT_BYTES,
      members: (exponent) =>
        z.object({ ReportData: reportData(exponent).describe('what the PMS has booked') }),
      answer: { report: reportSchema.describe('what was found') },
      handle: async ({ property, ...work }, { ReportData }) => {
        const { From: from, Lines: lines, To: to } = ReportData;
        const made = await compareLedger(
          { ...work, property, nowMs: propertyNow(property) },
          { from, lines, to },
        );
        return andThen(made, (report) => ok({ report: reportView(report, property.exponent) }));
      },
    }),

    messageHandler({
      type: 'BookingStatus',
      scope: 'applications',
      members: () => z.object(statusMembers).check(namesApplication),
      answer: {},
      handle: async ({ database, property }, { ApplicationNumber, BookingID, Status, Time }) => {
        const bookingId = BookingID ?? undefined;
        const key =
          typeof ApplicationNumber === 'string'
            ? { applicationNumber: ApplicationNumber, bookingId }
            : { bookingId: bookingId ?? 0 };
        const now = propertyNow(property);
        const moved = await moveApplication(database, property, key, Status, Time ?? null, now);
        return moved.ok ? ok({}) : moved;
      },
    }),
  ].map((handler) => [handler.type, handler]),
);

/** Restrictions of rates, under one of the names that their own endpoint takes (pms: SetRateRestrictions). */
export function setRateRestrictions(type: 'SetRateRestrictions' | 'SetRates'): MessageHandler {
  return pushHandler({
    type,
    list: 'RateRestrictionData',
    range: () => rateRestrictionRange,
    put: putRateRestrictions,
  });
}
