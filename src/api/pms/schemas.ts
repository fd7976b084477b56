import { z } from '@hono/zod-openapi';
import { daysBetween } from '../../core/days.ts';
import { fieldIssue } from '../../core/failure.ts';
import { bodyCheck } from '../../http/bodyCheck.ts';
import {
  CARD_NUMBER,
  code,
  cost,
  flag,
  identifierText,
  isNoCardIdentifier,
  isoDate,
  wholeNumber,
} from '../../http/fields.ts';
import { MOST_NIGHTS } from '../../records/rooms/actions.ts';
import { nightsSchema, propertyDataSchema } from '../../records/rooms/views.ts';

const MESSAGE_ID = /^[\p{L}\p{M}\p{N}\p{P}\p{S} ]{1,100}$/u;

/** The sender's identifier of a message. Replies echo it. */
export const messageId = z
  .string()
  .regex(MESSAGE_ID, 'Use 1 to 100 printable characters.')
  .refine(isNoCardIdentifier, CARD_NUMBER)
  .openapi({
    example: '0f9b2c1e-7a55-4a1b-9a51-3f1f0f3f7b7e',
    pattern: '^.{1,100}$',
  });

/** The sender's time of a message: any text. Replies echo it unchanged. */
export const timeStamp = code(100).openapi({ example: '2027-02-10T09:00:00+08:00' });

/** The first members of every reply to a message that was carried out. */
export const replyHead = z.object({
  success: z.literal(true),
  MessageID: messageId.describe('that of the message'),
  TimeStamp: timeStamp.describe("that of the message; if it is missing, the service's own"),
  Status: z.literal('Success'),
});

export type ReplyHead = z.infer<typeof replyHead>;

/** The additional members of a failed message's problem. `MessageID` is absent if the message has no valid one. */
export const errorReplyMembers = z.object({
  MessageID: messageId.optional().describe('that of the message, where it has a valid one'),
  TimeStamp: timeStamp.describe("that of the message; if it is missing, the service's own"),
  Status: z.literal('Error'),
  ErrorMessage: z.string().describe('the problem'),
});

export type ErrorReplyMembers = z.infer<typeof errorReplyMembers>;

/** The credentials of a PMS in the body (pms: Envelope). */
export const authentication = z.object({
  Username: z.string().min(1).max(200).describe("of the property's PMS"),
  Password: z.string().min(1).max(200).describe("of the property's PMS"),
});

export const ping = {
  EchoData: identifierText.optional().describe('a text that the reply returns'),
};

export const propertyInfoAnswer = { PropertyData: propertyDataSchema };

/** The members of `GetInventory`, at the same level as those of the envelope. */
export const stay = {
  pmsRoomTypeCode: code(50).openapi({ example: 'DLX' }).describe('of the fetched rooms'),
  checkIn: isoDate.describe('the first night'),
  checkOut: isoDate.describe('the day of departure, 1–750 nights after `checkIn`'),
  adults: wholeNumber(1, 100).describe('checked, but without influence'),
  children: wholeNumber(0, 100).optional().describe('checked, but without influence'),
};

export const nightsAnswer = {
  InventoryData: nightsSchema.describe('the nights of each rate, by `RateTypeCode`'),
};

const days = {
  StartDate: isoDate.describe('the first night'),
  EndDate: isoDate.describe('the last night, the 750th at most'),
};

const room = {
  RoomTypeCode: code(50).openapi({ example: 'DLX' }).describe('of the fetched rooms'),
};

const roomAndRate = {
  ...room,
  RateTypeCode: code(50).openapi({ example: 'BAR' }).describe("of this room's fetched rates"),
};

const restrictions = {
  MinLOS: wholeNumber(0, 999).optional().describe('shortest stay in nights'),
  Closed: z.boolean().optional(),
  CTA: flag('closed to arrival'),
  CTD: flag('closed to departure'),
};

/** An entry of `InventoryData` of `SetInventory`. Entries are read into the names of this service. */
export const inventoryRange = z
  .object({
    ...room,
    ...days,
    Availability: wholeNumber(0, 100_000).describe('free rooms on each night'),
  })
  .check(rangeInOrder())
  .transform((sent) => ({ ...nightsOf(sent), available: sent.Availability }));

/** An entry of `RateData` of `SetRates`; the schema reads its value into minor units. */
export function rateRange(exponent: number) {
  return z
    .object({
      ...roomAndRate,
      ...days,
      RateValue: cost(exponent).describe('price of each night; 0 closes it'),
    })
    .check(rangeInOrder())
    .transform((sent) => ({
      ...nightsOf(sent),
      rateTypeCode: sent.RateTypeCode,
      valueMinor: sent.RateValue,
    }));
}

/** An entry of `RoomRestrictionData` of `SetRoomRestrictions`. */
export const roomRestrictionRange = z
  .object({ ...room, ...days, ...restrictions })
  .check(rangeInOrder())
  .transform((sent) => ({ ...nightsOf(sent), ...restrictionsOf(sent) }));

/** An entry of `RateRestrictionData` of `SetRateRestrictions`. */
export const rateRestrictionRange = z
  .object({ ...roomAndRate, ...days, ...restrictions })
  .check(rangeInOrder())
  .transform((sent) => ({
    ...nightsOf(sent),
    ...restrictionsOf(sent),
    rateTypeCode: sent.RateTypeCode,
  }));

type Sent<Members extends z.ZodRawShape> = z.infer<z.ZodObject<Members>>;

function nightsOf(sent: Sent<typeof room & typeof days>) {
  return { roomTypeCode: sent.RoomTypeCode, firstDay: sent.StartDate, lastDay: sent.EndDate };
}

function restrictionsOf(sent: Sent<typeof restrictions>) {
  return {
    minLos: sent.MinLOS,
    closed: sent.Closed,
    closedToArrival: sent.CTA,
    closedToDeparture: sent.CTD,
  };
}

/** Checks that a range goes from `StartDate` to `EndDate`, both inclusive. */
function rangeInOrder() {
  return daysInOrder('StartDate', 'EndDate', 0, MOST_NIGHTS - 1);
}

/** Checks that one day is `fewest` to `most` days after another, if both are valid. */
export function daysInOrder(from: string, until: string, fewest: number, most: number) {
  return bodyCheck(
    (body) => {
      const days = daysBetween(String(body[from]), String(body[until]));
      if (days > most) return [fieldIssue(until, 'too_big', `At most ${MOST_NIGHTS} nights.`)];
      return days < fewest
        ? [fieldIssue(until, 'dates_out_of_order', `${from} must come first.`)]
        : [];
    },
    [from, until],
  );
}
