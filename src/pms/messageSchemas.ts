import { z } from '@hono/zod-openapi';

const text = (example: string) => z.string().openapi({ example });

const money = (example: string) =>
  text(example).describe("With the currency's decimals, as a string.");

const time = text('2027-02-10T09:00:00+08:00').describe('A time with offset.');

const cardMembers = {
  CardMask: text('XXXXXXXXXXXX4242').describe('Twelve X and the last four digits.'),
  CardType: text('visa').describe('The brand in lower case.'),
};

/** The guest of a booking (pms: PushBooking and PushModification). A text that nobody gave is empty. */
const guestSchema = z
  .object({
    Prefix: text('Ms'),
    FirstName: text('Anna'),
    MiddleNames: text(''),
    LastName: text('Nguyen'),
    Suffix: text(''),
    Company: text('Nguyen Pty Ltd'),
    Phone: text('+61 8 5550 1234'),
    Mobile: text('+61 400 555 123'),
    Fax: text(''),
    Email: text('guest@hotel.com'),
    Address: text('1 High Street\nUnit 2'),
    City: text('Perth'),
    State: text('WA'),
    PostCode: text('6000'),
    Country: text('Australia'),
    CardMask: cardMembers.CardMask.optional(),
    CardType: cardMembers.CardType.optional(),
  })
  .describe('CardMask and CardType only after the guest entered a card by a link.')
  .openapi('PmsGuest');

export type GuestData = z.infer<typeof guestSchema>;

const roomStaySchema = z
  .object({
    RoomTypeCode: text('STD'),
    RoomTypeName: text('Standard Studio'),
    RateTypeCode: text('BAR'),
    RateTypeName: text('Best available'),
    StartDate: text('2027-02-14'),
    EndDate: text('2027-02-16'),
    Adults: z.int().nullable(),
    Children: z.int().nullable(),
    Amount: money('400.00'),
    Currency: text('AUD'),
  })
  .openapi('PmsRoomStay');

export type RoomStayData = z.infer<typeof roomStaySchema>;

/** `BookingData` of `PushBooking` and `PushModification`. */
export const bookingDataSchema = z
  .object({
    Reference: text('RES-1001'),
    PMSConfirmationNumber: text('PMS-1006')
      .optional()
      .describe("With PushModification: the PMS's own number, or empty."),
    ChannelName: text('Website'),
    ChannelID: text('demo'),
    Created: time,
    ArrivalDate: text('2027-02-14'),
    DepartureDate: text('2027-02-16'),
    ETA: text('around 18:30'),
    Notes: text('A quiet room, please.'),
    Guest: guestSchema,
    RoomStays: z.array(roomStaySchema),
  })
  .openapi('PmsBookingData');

export type BookingData = z.infer<typeof bookingDataSchema>;

/** `CancellationData` of `PushCancellation`. */
export const cancellationDataSchema = z
  .object({ Reference: text('RES-1001'), PMSConfirmationNumber: text('PMS-1006') })
  .openapi('PmsCancellationData');

export type CancellationData = z.infer<typeof cancellationDataSchema>;

/** `TransactionData` of `PushTransaction` (pms: PushTransaction). */
export const transactionDataSchema = z
  .object({
    TransactionID: text('371022640840704'),
    RelatedReference: text('RES-1001'),
    RelatedSource: text('Website'),
    GatewayID: text('sandbox'),
    GatewayReference: text('sandbox_be3697b0d1570a4eb0ddd7af'),
    ...cardMembers,
    Type: z.enum(['Payment', 'Refund']),
    Currency: text('AUD'),
    CardFee: money('4.64'),
    TransactionFee: money('0.00'),
    AmountNet: money('150.00').describe('AmountGross less both fees.'),
    AmountGross: money('154.64'),
    ProcessedTime: time,
    Description: text('Deposit'),
  })
  .openapi('PmsTransactionData');

export type TransactionData = z.infer<typeof transactionDataSchema>;

/** `EchoData` of `Ping`, which the reply repeats. */
export const echoDataSchema = text('0903f462-ba97-4804-8236-8641119e6d56');

/** The members that every message has before those of its type (pms: Envelope). */
export const envelopeHead = {
  Authentication: z
    .object({ Username: text('pms-user'), Password: text('pms-pass') })
    .describe("The credentials of the property's PMS.")
    .openapi('PmsCredentials'),
  MessageID: z.uuid().openapi({ example: '01998f00-0000-7000-8000-000000000000' }),
  TimeStamp: time,
};

/** The members of every reply (pms: Envelope). */
export const replyHead = {
  MessageID: envelopeHead.MessageID.describe('That of the message.'),
  TimeStamp: time.optional(),
  Status: z.enum(['Success', 'Error']),
  ErrorMessage: z.string().optional().describe('With Error: the problem.'),
};
