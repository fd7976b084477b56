import { z } from '@hono/zod-openapi';
import { named } from '../platform/views.ts';

export const text = (example: string) => z.string().openapi({ example });

const money = (example: string) => text(example).describe("with the currency's decimals");

export const time = text('2027-02-10T09:00:00+08:00').describe('a time with offset');

const cardMembers = {
  CardMask: text('XXXXXXXXXXXX4242').describe('twelve X and the last four digits'),
  CardType: text('visa').describe('the brand in lower case'),
};

/** The guest of a booking (pms: PushBooking and PushModification). A text that nobody gave is empty. */
const guestSchema = named('PmsGuest', {
  Prefix: text('Ms').describe('such as `Ms`'),
  FirstName: text('Anna'),
  MiddleNames: text(''),
  LastName: text('Nguyen').describe('always given'),
  Suffix: text('').describe('such as `PhD`'),
  Company: text('Nguyen Pty Ltd'),
  Phone: text('+61 8 5550 1234'),
  Mobile: text('+61 400 555 123'),
  Fax: text(''),
  Email: text('guest@hotel.com').describe('always given'),
  Address: text('1 High Street\nUnit 2').describe('perhaps of several lines'),
  City: text('Perth'),
  State: text('WA'),
  PostCode: text('6000'),
  Country: text('Australia').describe('as it was given'),
  CardMask: cardMembers.CardMask.optional().describe(
    'only after the guest entered a card by a link',
  ),
  CardType: cardMembers.CardType.optional().describe('likewise: the brand in lower case'),
});

export type GuestData = z.infer<typeof guestSchema>;

const roomStaySchema = named('PmsRoomStay', {
  RoomTypeCode: text('STD'),
  RoomTypeName: text('Standard Studio').describe('as the PMS told it last'),
  RateTypeCode: text('BAR'),
  RateTypeName: text('Best available').describe('as the PMS told it last'),
  StartDate: text('2027-02-14').describe('`YYYY-MM-DD`'),
  EndDate: text('2027-02-16').describe('`YYYY-MM-DD`'),
  Adults: z.int().nullable(),
  Children: z.int().nullable(),
  Amount: money('400.00').describe(`with the currency's decimals, or \`""\``),
  Currency: text('AUD').describe('ISO 4217 code'),
});

export type RoomStayData = z.infer<typeof roomStaySchema>;

/** `BookingData` of `PushBooking` and `PushModification`. */
export const bookingDataSchema = named('PmsBookingData', {
  Reference: text('RES-1001').describe("the booking's"),
  PMSConfirmationNumber: text('PMS-1006')
    .optional()
    .describe("with `PushModification`: the PMS's own number, once known"),
  ChannelName: text('Website').describe("the booking's `source`, else the property's site"),
  ChannelID: text('demo').describe("the property's `channelCode`"),
  Created: time.describe('when the booking was made, with offset'),
  ArrivalDate: text('2027-02-14').describe('`YYYY-MM-DD`'),
  DepartureDate: text('2027-02-16').describe('`YYYY-MM-DD`'),
  ETA: text('around 18:30').describe('`eta` as it was given'),
  Notes: text('A quiet room, please.').describe('`notes`, perhaps of several lines'),
  Guest: guestSchema,
  RoomStays: z.array(roomStaySchema).describe('`[]` where the booking has none'),
});

export type BookingData = z.infer<typeof bookingDataSchema>;

/** `CancellationData` of `PushCancellation`. */
export const cancellationDataSchema = named('PmsCancellationData', {
  Reference: text('RES-1001').describe("the booking's"),
  PMSConfirmationNumber: text('PMS-1006').describe("the PMS's own number, where known"),
});

export type CancellationData = z.infer<typeof cancellationDataSchema>;

/** `TransactionData` of `PushTransaction` (pms: PushTransaction). */
export const transactionDataSchema = named('PmsTransactionData', {
  TransactionID: text('371022640840704').describe('the id of the charge or refund'),
  RelatedReference: text('RES-1001').describe("the booking's"),
  RelatedSource: text('Website').describe(
    "the booking's `source`, else the property's `channelCode`",
  ),
  GatewayID: text('sandbox').describe('`sandbox` or `stripe`'),
  GatewayReference: text('sandbox_be3697b0d1570a4eb0ddd7af').describe("the gateway's id"),
  ...cardMembers,
  Type: z.enum(['Payment', 'Refund']).describe('`Refund`: also what a dispute withdraws'),
  Currency: text('AUD').describe('ISO 4217 code'),
  CardFee: money('4.64').describe('`0.00` for refunds'),
  TransactionFee: money('0.00').describe('`0.00` for refunds'),
  AmountNet: money('150.00').describe('`AmountGross` less both fees'),
  AmountGross: money('154.64').describe('what was charged or refunded'),
  ProcessedTime: time.describe('when the gateway did it, with offset'),
  Description: text('Deposit').describe('as the caller gave it, or what happened'),
});

export type TransactionData = z.infer<typeof transactionDataSchema>;
