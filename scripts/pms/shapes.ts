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

/** Required, but may be null or empty. */
const maybeText = z.string(unless('a text')).nullable();

const date = z.iso.date({ ...unless('a date YYYY-MM-DD'), abort: true });

const timeStamp = z.iso.datetime({ offset: true, ...unless('an ISO 8601 time with offset') });

const money = z
  .string(unless('a text with digits'))
  .regex(/^-?\d+(?:\.\d+)?$/, { error: 'is not an amount', abort: true });

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
      RateTypeCode: text,
      StartDate: date,
      EndDate: date,
      Adults: z.int(unless('a whole number')).nullish(),
      Children: z.int(unless('a whole number')).nullish(),
      Amount: money.nullish(),
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
    ETA: maybeText,
    Guest: z.object(
      { FirstName: maybeText, LastName: text, Email: text, Phone: maybeText },
      unless('an object'),
    ),
    RoomStays: z.array(roomStay, unless('a list')),
  },
  unless('an object'),
);

type Stay = Pick<z.infer<typeof booking>, 'ArrivalDate' | 'DepartureDate'>;

const endsAfterItsStart = (stay: Stay) => stay.DepartureDate > stay.ArrivalDate;

const tooEarly = { path: ['DepartureDate'], error: 'is not after ArrivalDate' };

const transaction = z
  .object(
    {
      TransactionID: text,
      RelatedReference: text,
      RelatedSource: maybeText,
      GatewayID: text,
      GatewayReference: maybeText,
      CardMask: maybeText,
      CardType: maybeText,
      Type: z.enum(['Payment', 'Refund'], unless('Payment or Refund')),
      Currency: text,
      CardFee: money,
      TransactionFee: money,
      AmountNet: money,
      AmountGross: money,
      ProcessedTime: timeStamp,
      Description: maybeText,
    },
    unless('an object'),
  )
  .superRefine((data, context) => {
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
        .extend({ PMSConfirmationNumber: maybeText })
        .refine(endsAfterItsStart, tooEarly),
    }),
  ],
  [
    'PushCancellation',
    z.object({
      CancellationData: z.object(
        { Reference: text, PMSConfirmationNumber: maybeText },
        unless('an object'),
      ),
    }),
  ],
  ['PushTransaction', z.object({ TransactionData: transaction })],
]);
