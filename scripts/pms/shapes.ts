/** The schema of each type of message (pms: Messages to the PMS). Ignores unknown members. */
import { z } from 'zod';
import { moneyFaults } from './moneyFaults.ts';

/** The message for a faulty member: it is missing, or it has the wrong type. */
function unless(what: string) {
  return {
    error: ({ input }: { readonly input?: unknown }) =>
      input === undefined ? 'is missing' : `is not ${what}`,
  };
}

const text = z.string(unless('a text')).min(1, { error: 'is empty', abort: true });

/** Required, but empty where nobody gave it. */
const anyText = z.string(unless('a text'));

/** A mask of a card: the same for every brand, and empty without a card. */
const cardMask = anyText.regex(/^(?:X{12}\d{4})?$/, 'is not twelve X and four digits');

/** The brand of a card in lower case, and empty without a card. */
const cardType = anyText.regex(/^[a-z]*$/, 'is not in lower case');

const date = z.iso.date({ ...unless('a date YYYY-MM-DD'), abort: true });

const timeStamp = z.iso.datetime({ offset: true, ...unless('an ISO 8601 time with offset') });

const money = z
  .string(unless('a text with digits'))
  .regex(/^-?\d+(?:\.\d+)?$/, { error: 'is not an amount', abort: true });

/** The price of a stay: an amount, or empty. */
const price = z
  .string(unless('a text with digits'))
  .regex(/^(?:\d+(?:\.\d+)?)?$/, { error: 'is not an amount', abort: true });

/** The members of every envelope except the credentials (pms: Envelope). */
export const envelopeShape = z.object({
  MessageID: z.uuid(unless('a UUID')),
  TimeStamp: timeStamp,
  MessageType: text,
});

/** The credentials in an envelope. */
export const authenticationShape = z.object(
  { Username: z.string(unless('a text')), Password: z.string(unless('a text')) },
  unless('an object'),
);

const roomStay = z
  .object(
    {
      RoomTypeCode: text,
      RoomTypeName: anyText,
      RateTypeCode: text,
      RateTypeName: anyText,
      StartDate: date,
      EndDate: date,
      Adults: z.int(unless('a whole number')).nullable(),
      Children: z.int(unless('a whole number')).nullable(),
      Amount: price,
      Currency: text,
    },
    unless('an object'),
  )
  .refine((stay) => stay.EndDate > stay.StartDate, {
    path: ['EndDate'],
    error: 'is not after StartDate',
  });

const booking = z.object(
  {
    Reference: text,
    ChannelName: text,
    ChannelID: text,
    Created: timeStamp,
    ArrivalDate: date,
    DepartureDate: date,
    ETA: anyText,
    Notes: anyText,
    Guest: z.object(
      {
        Prefix: anyText,
        FirstName: anyText,
        MiddleNames: anyText,
        LastName: text,
        Suffix: anyText,
        Company: anyText,
        Phone: anyText,
        Mobile: anyText,
        Fax: anyText,
        Email: text,
        Address: anyText,
        City: anyText,
        State: anyText,
        PostCode: anyText,
        Country: anyText,
        CardMask: cardMask.optional(),
        CardType: cardType.optional(),
      },
      unless('an object'),
    ),
    RoomStays: z.array(roomStay, unless('a list')),
  },
  unless('an object'),
);

type Stay = Pick<z.infer<typeof booking>, 'ArrivalDate' | 'DepartureDate'>;

const endsAfterItsStart = (stay: Stay) => stay.DepartureDate > stay.ArrivalDate;

const tooEarly = { path: ['DepartureDate'], error: 'is not after ArrivalDate' };

const transactionMembers = z.object(
  {
    TransactionID: text,
    RelatedReference: text,
    RelatedSource: text,
    GatewayID: text,
    GatewayReference: anyText,
    CardMask: cardMask,
    CardType: cardType,
    Type: z.enum(['Payment', 'Refund'], unless('Payment or Refund')),
    Currency: text,
    CardFee: money,
    TransactionFee: money,
    AmountNet: money,
    AmountGross: money,
    ProcessedTime: timeStamp,
    Description: anyText,
  },
  unless('an object'),
);

/** The elements of a transaction as XML, in their order; and those inside `TransactionData`. */
export const xmlOrder = {
  request: ['Authentication', 'TimeStamp', 'MessageID', 'MessageType', 'TransactionData'],
  transaction: Object.keys(transactionMembers.shape),
} as const;

const transaction = transactionMembers.superRefine((data, context) => {
  for (const [name, message] of moneyFaults(data)) {
    context.addIssue({ code: 'custom', path: [name], message });
  }
});

/** The schemas by type of message. */
export const messageShapes: ReadonlyMap<string, z.ZodType> = new Map<string, z.ZodType>([
  ['Ping', z.object({ EchoData: z.string(unless('a text')) })],
  ['GetPropertyInfo', z.object({})],
  ['PushBooking', z.object({ BookingData: booking.refine(endsAfterItsStart, tooEarly) })],
  [
    'PushModification',
    z.object({
      BookingData: booking
        .extend({ PMSConfirmationNumber: anyText })
        .refine(endsAfterItsStart, tooEarly),
    }),
  ],
  [
    'PushCancellation',
    z.object({
      CancellationData: z.object(
        { Reference: text, PMSConfirmationNumber: anyText },
        unless('an object'),
      ),
    }),
  ],
  ['PushTransaction', z.object({ TransactionData: transaction })],
]);
