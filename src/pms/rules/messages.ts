import { decimalText } from '../../core/money.ts';
import { offsetTimestamp } from '../../core/time.ts';
import type { DisputeMovement } from '../../gateways/gateway.ts';
import { isChanged } from '../../records/bookings/rules.ts';
import { channelCodeOf } from '../../records/properties/rules.ts';
import type { BookingRow, RoomStay } from '../../schema/bookingTables.ts';
import type { CardRow } from '../../schema/cardTables.ts';
import type { DisputeRow } from '../../schema/disputeTables.ts';
import type { RefundRow, TransactionRow } from '../../schema/moneyTables.ts';
import type { OutboxRow } from '../../schema/outboxTables.ts';
import type { PropertyRow } from '../../schema/propertyTables.ts';
import type { RoomType } from '../../schema/roomTables.ts';
import type {
  BookingData,
  CancellationData,
  GuestData,
  RoomStayData,
  TransactionData,
} from '../messageSchemas.ts';

/** A message for the PMS: its type, and the members of that type (pms: Messages to the PMS). */
export interface PmsMessage {
  readonly type: OutboxRow['messageType'];
  readonly payload: Record<string, unknown>;
}

/** A property with the rooms and rates that its PMS sent last. */
export interface Channel {
  readonly property: PropertyRow;
  readonly roomTypes: readonly RoomType[];
}

/**
 * The message about a booking that was made, changed or cancelled; null for a save that changed nothing, one that
 * repeats what the PMS sent, and a booking that was cancelled before and still is.
 */
export function bookingMessage(
  channel: Channel,
  before: BookingRow | null,
  after: BookingRow,
): PmsMessage | null {
  if (after.fromPms) return null;
  if (after.status === 'cancelled') {
    return before?.status === 'cancelled' ? null : cancellationMessage(after);
  }
  // The PMS knows a booking of its own, but not yet what this service makes of it.
  if (before?.fromPms) return modificationMessage(channel, after, {});
  if (before?.status === 'booked') {
    return isChanged(before, after) ? modificationMessage(channel, after, {}) : null;
  }
  const BookingData = bookingData(channel, after, { known: {}, card: {} });
  return { type: 'PushBooking', payload: { BookingData } };
}

function cancellationMessage({ reference, pmsConfirmationNumber }: BookingRow): PmsMessage {
  const data: CancellationData = {
    Reference: reference,
    PMSConfirmationNumber: given(pmsConfirmationNumber),
  };
  return { type: 'PushCancellation', payload: { CancellationData: data } };
}

function modificationMessage(channel: Channel, booking: BookingRow, card: CardMembers): PmsMessage {
  const known = { PMSConfirmationNumber: given(booking.pmsConfirmationNumber) };
  const BookingData = bookingData(channel, booking, { known, card });
  return { type: 'PushModification', payload: { BookingData } };
}

/** Whether the guest entered a card by a link, of which the PMS is notified. */
export function isByLink(card: Pick<CardRow, 'enteredBy' | 'requestId'>): boolean {
  return card.enteredBy === 'guest' || card.requestId !== null;
}

/** The message about a card that the guest entered by a link: the booking with the card's mask and type. */
export function cardMessage(
  channel: Channel,
  booking: BookingRow,
  card: CardRow,
): PmsMessage | null {
  if (!isByLink(card) || booking.status === 'cancelled') return null;
  return modificationMessage(channel, booking, cardMembers(card));
}

type CardMembers = Pick<GuestData, 'CardMask' | 'CardType'>;

/** Members that not every message has: the PMS's number of the booking, and the card. */
interface FurtherMembers {
  readonly known: Pick<BookingData, 'PMSConfirmationNumber'>;
  readonly card: CardMembers;
}

function bookingData(
  { property, roomTypes }: Channel,
  booking: BookingRow,
  { known, card }: FurtherMembers,
): BookingData {
  return {
    Reference: booking.reference,
    ...known,
    ChannelName: booking.source ?? property.site,
    ChannelID: channelCodeOf(property),
    Created: offsetTimestamp(booking.createdAtMs, property.timeZone),
    ArrivalDate: booking.arrival,
    DepartureDate: booking.departure,
    ETA: given(booking.eta),
    Notes: given(booking.notes),
    Guest: { ...guestMembers(booking), ...card },
    RoomStays: (booking.roomStays ?? []).map((stay) => roomStay(stay, roomTypes, booking.currency)),
  };
}

/** A text, or an empty one where nobody gave it. */
function given(text: string | null | undefined): string {
  return text ?? '';
}

function guestMembers({ firstName, lastName, email, phone, guest }: BookingRow): GuestData {
  return {
    Prefix: given(guest?.prefix),
    FirstName: given(firstName),
    MiddleNames: given(guest?.middleNames),
    LastName: lastName,
    Suffix: given(guest?.suffix),
    Company: given(guest?.company),
    Phone: given(phone),
    Mobile: given(guest?.mobile),
    Fax: given(guest?.fax),
    Email: email,
    Address: given(guest?.address),
    City: given(guest?.city),
    State: given(guest?.state),
    PostCode: given(guest?.postCode),
    Country: given(guest?.country),
  };
}

/** The mask of a card, the same for every brand, and its brand in lower case. */
function cardMembers(card: Pick<CardRow, 'brand' | 'last4'>) {
  return { CardMask: `${'X'.repeat(12)}${card.last4}`, CardType: card.brand };
}

function roomStay(stay: RoomStay, roomTypes: readonly RoomType[], currency: string): RoomStayData {
  const roomType = roomTypes.find(({ code }) => code === stay.roomTypeCode);
  const rateType = roomType?.rateTypes.find(({ code }) => code === stay.rateTypeCode);
  return {
    RoomTypeCode: stay.roomTypeCode,
    RoomTypeName: given(roomType?.name),
    RateTypeCode: stay.rateTypeCode,
    RateTypeName: given(rateType?.name),
    StartDate: stay.startDate,
    EndDate: stay.endDate,
    Adults: stay.adults ?? null,
    Children: stay.children ?? null,
    Amount: stay.amountMinor === undefined ? '' : decimalText(stay.amountMinor, currency),
    Currency: currency,
  };
}

/** The booking and the card of a transaction or refund. */
export interface MoneyOf {
  readonly property: PropertyRow;
  readonly booking: Pick<BookingRow, 'source'>;
  readonly card: Pick<CardRow, 'brand' | 'last4'> | null;
}

/** The message about an accepted charge. Amounts are strings with the currency's decimals. */
export function paymentMessage(of: MoneyOf, row: TransactionRow): PmsMessage {
  return transactionMessage(of, {
    transactionId: row.id,
    row,
    type: 'Payment',
    cardFeeMinor: row.cardFeeMinor,
    transactionFeeMinor: row.transactionFeeMinor,
    netMinor: row.requestedMinor,
    processedAtMs: row.completedAtMs ?? row.createdAtMs,
  });
}

/**
 * The message about an accepted charge whose amount the acquirer's record corrected: the difference, with a transaction
 * id of its own (pms: PushTransaction).
 */
export function correctionMessage(
  of: MoneyOf,
  before: TransactionRow,
  after: TransactionRow,
  transactionId: number,
): PmsMessage {
  return transactionMessage(of, {
    transactionId,
    row: { ...after, description: 'Correction of the amount' },
    type: 'Payment',
    cardFeeMinor: after.cardFeeMinor - before.cardFeeMinor,
    transactionFeeMinor: after.transactionFeeMinor - before.transactionFeeMinor,
    netMinor: after.requestedMinor - before.requestedMinor,
    processedAtMs: after.completedAtMs ?? after.createdAtMs,
  });
}

/** The message about a refund that was made. Its amounts are positive. */
export function refundMessage(of: MoneyOf, row: RefundRow, gateway: string): PmsMessage {
  return transactionMessage(of, {
    transactionId: row.id,
    row: { ...row, gateway },
    type: 'Refund',
    netMinor: row.amountMinor,
    processedAtMs: row.completedAtMs ?? row.createdAtMs,
  });
}

/** The message about a refund that failed after it had been made: negative amounts and its own transaction id. */
export function reversalMessage(
  of: MoneyOf,
  row: RefundRow,
  gateway: string,
  transactionId: number,
): PmsMessage {
  return transactionMessage(of, {
    transactionId,
    row: { ...row, gateway, description: 'Reversal of failed refund' },
    type: 'Refund',
    netMinor: -row.amountMinor,
    processedAtMs: row.completedAtMs ?? row.createdAtMs,
  });
}

/**
 * The message about funds that were withdrawn for a dispute: a refund; or, with negative amounts, about funds that came
 * back (pms: PushTransaction).
 */
export function chargebackMessage(
  of: MoneyOf,
  charge: Pick<TransactionRow, 'bookingReference' | 'gateway'>,
  {
    dispute: { currency, id },
    movement: { amountMinor, atMs },
  }: { readonly dispute: DisputeRow; readonly movement: DisputeMovement },
  transactionId: number,
): PmsMessage {
  return transactionMessage(of, {
    transactionId,
    row: {
      ...charge,
      currency,
      gatewayReference: id,
      description: amountMinor < 0 ? 'Chargeback' : 'Chargeback reversed',
    },
    type: 'Refund',
    netMinor: -amountMinor,
    processedAtMs: atMs,
  });
}

interface MoneyMoved {
  readonly transactionId: number;
  readonly row: Pick<
    TransactionRow,
    'bookingReference' | 'currency' | 'gateway' | 'gatewayReference' | 'description'
  >;
  readonly type: 'Payment' | 'Refund';
  /** None where they are left out. */
  readonly cardFeeMinor?: number;
  readonly transactionFeeMinor?: number;
  readonly netMinor: number;
  readonly processedAtMs: number;
}

function transactionMessage({ property, booking, card }: MoneyOf, moved: MoneyMoved): PmsMessage {
  const { cardFeeMinor = 0, netMinor, row, transactionFeeMinor = 0 } = moved;
  const text = (minor: number) => decimalText(minor, row.currency);
  const data: TransactionData = {
    TransactionID: String(moved.transactionId),
    RelatedReference: row.bookingReference,
    RelatedSource: booking.source ?? channelCodeOf(property),
    GatewayID: row.gateway,
    GatewayReference: given(row.gatewayReference),
    ...(card ? cardMembers(card) : { CardMask: '', CardType: '' }),
    Type: moved.type,
    Currency: row.currency,
    CardFee: text(cardFeeMinor),
    TransactionFee: text(transactionFeeMinor),
    AmountNet: text(netMinor),
    AmountGross: text(netMinor + cardFeeMinor + transactionFeeMinor),
    ProcessedTime: offsetTimestamp(moved.processedAtMs, property.timeZone),
    Description: given(row.description),
  };
  return { type: 'PushTransaction', payload: { TransactionData: data } };
}

/** The members of a message that tell of a guest, beside all of `Guest` but their card. */
const OF_GUEST: ReadonlySet<string> = new Set(['ETA', 'Notes', 'Description']);

const OF_CARD: ReadonlySet<string> = new Set(['CardMask', 'CardType']);

/** What a message says, without its guest. */
export function withoutGuestIn(payload: PmsMessage['payload']): PmsMessage['payload'] {
  return mapValues(payload, (_name, data) =>
    isRecord(data)
      ? mapValues(data, (name, value) => {
          if (OF_GUEST.has(name)) return '';
          if (name !== 'Guest' || !isRecord(value)) return value;
          return mapValues(value, (member, it) => (OF_CARD.has(member) ? it : ''));
        })
      : data,
  );
}

/** A record with each of its values mapped. */
export function mapValues(
  record: Record<string, unknown>,
  map: (name: string, value: unknown) => unknown,
): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(record).map(([name, value]) => [name, map(name, value)]),
  );
}

export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
