import { capitalisedBrand } from '../core/cardNumbers.ts';
import { decimalText } from '../core/money.ts';
import { offsetTimestamp } from '../core/time.ts';
import type { BookingRow, RoomStay } from '../platform/db/bookingTables.ts';
import type { CardRow } from '../platform/db/cardTables.ts';
import type { DisputeRow } from '../platform/db/disputeTables.ts';
import type { RefundRow, TransactionRow } from '../platform/db/moneyTables.ts';
import type { OutboxRow } from '../platform/db/outboxTables.ts';
import type { PropertyRow } from '../platform/db/propertyTables.ts';

/** A message for the PMS: its type, and the members of that type (pms: Messages to the PMS). */
export interface PmsMessage {
  readonly type: OutboxRow['messageType'];
  readonly payload: Record<string, unknown>;
}

/**
 * The message about a booking that was made, changed or cancelled; null for a booking that was cancelled before and
 * still is, because the PMS already knows that.
 */
export function bookingMessage(
  property: PropertyRow,
  before: BookingRow | null,
  after: BookingRow,
): PmsMessage | null {
  if (after.status === 'cancelled') {
    if (before?.status === 'cancelled') return null;
    const { reference: Reference, pmsConfirmationNumber: PMSConfirmationNumber } = after;
    return {
      type: 'PushCancellation',
      payload: { CancellationData: { Reference, PMSConfirmationNumber } },
    };
  }
  if (before?.status === 'booked') {
    const BookingData = bookingData(property, after, {
      PMSConfirmationNumber: after.pmsConfirmationNumber,
    });
    return { type: 'PushModification', payload: { BookingData } };
  }
  return { type: 'PushBooking', payload: { BookingData: bookingData(property, after, {}) } };
}

/** The message about a card that the guest entered by a link: the booking with the card's mask and type. */
export function cardMessage(
  { property, booking }: { readonly property: PropertyRow; readonly booking: BookingRow },
  card: CardRow,
): PmsMessage | null {
  const byLink = card.enteredBy === 'guest' || card.requestId !== null;
  if (!byLink || booking.status === 'cancelled') return null;
  const { Guest, ...BookingData } = bookingData(property, booking, {
    PMSConfirmationNumber: booking.pmsConfirmationNumber,
  });
  const cardMembers = { CardMask: card.masked, CardType: capitalisedBrand(card.brand) };
  return {
    type: 'PushModification',
    payload: { BookingData: { ...BookingData, Guest: { ...Guest, ...cardMembers } } },
  };
}

function bookingData(property: PropertyRow, booking: BookingRow, known: Record<string, unknown>) {
  return {
    Reference: booking.reference,
    ...known,
    ChannelName: booking.source ?? property.site,
    ChannelID: property.site,
    Created: offsetTimestamp(booking.createdAtMs, property.timeZone),
    ArrivalDate: booking.arrival,
    DepartureDate: booking.departure,
    ETA: null,
    Guest: {
      FirstName: booking.firstName,
      LastName: booking.lastName,
      Email: booking.email,
      Phone: booking.phone,
    },
    RoomStays: (booking.roomStays ?? []).map((stay) => roomStay(stay, booking.currency)),
  };
}

function roomStay(stay: RoomStay, currency: string) {
  return {
    RoomTypeCode: stay.roomTypeCode,
    RateTypeCode: stay.rateTypeCode,
    StartDate: stay.startDate,
    EndDate: stay.endDate,
    Adults: stay.adults ?? null,
    Children: stay.children ?? null,
    Amount: stay.amountMinor === undefined ? null : decimalText(stay.amountMinor, currency),
    Currency: currency,
  };
}

/** The booking and the card of a transaction or refund. */
export interface MoneyOf {
  readonly property: PropertyRow;
  readonly booking: Pick<BookingRow, 'source'>;
  readonly card: CardRow | null;
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
    grossMinor: row.amountMinor,
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
    grossMinor: after.amountMinor - before.amountMinor,
    processedAtMs: after.completedAtMs ?? after.createdAtMs,
  });
}

/** The message about a refund that was made. Its amounts are positive. */
export function refundMessage(of: MoneyOf, row: RefundRow, gateway: string): PmsMessage {
  return transactionMessage(of, {
    transactionId: row.id,
    row: { ...row, gateway },
    type: 'Refund',
    cardFeeMinor: 0,
    transactionFeeMinor: 0,
    netMinor: row.amountMinor,
    grossMinor: row.amountMinor,
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
    cardFeeMinor: 0,
    transactionFeeMinor: 0,
    netMinor: -row.amountMinor,
    grossMinor: -row.amountMinor,
    processedAtMs: row.completedAtMs ?? row.createdAtMs,
  });
}

/**
 * The message about a dispute whose funds were withdrawn: a refund; or, with negative amounts, about funds that came
 * back (pms: PushTransaction).
 */
export function chargebackMessage(
  of: MoneyOf,
  charge: Pick<TransactionRow, 'bookingReference' | 'gateway'>,
  dispute: DisputeRow,
  transactionId: number,
): PmsMessage {
  const { amountMinor, changedAtMs, currency, fundsWithdrawn, id } = dispute;
  const netMinor = fundsWithdrawn ? amountMinor : -amountMinor;
  return transactionMessage(of, {
    transactionId,
    row: {
      ...charge,
      currency,
      gatewayReference: id,
      description: fundsWithdrawn ? 'Chargeback' : 'Chargeback reversed',
    },
    type: 'Refund',
    cardFeeMinor: 0,
    transactionFeeMinor: 0,
    netMinor,
    grossMinor: netMinor,
    processedAtMs: changedAtMs,
  });
}

interface MoneyMoved {
  readonly transactionId: number;
  readonly row: Pick<
    TransactionRow,
    'bookingReference' | 'currency' | 'gateway' | 'gatewayReference' | 'description'
  >;
  readonly type: 'Payment' | 'Refund';
  readonly cardFeeMinor: number;
  readonly transactionFeeMinor: number;
  readonly netMinor: number;
  readonly grossMinor: number;
  readonly processedAtMs: number;
}

function transactionMessage({ property, booking, card }: MoneyOf, moved: MoneyMoved): PmsMessage {
  const { row } = moved;
  const text = (minor: number) => decimalText(minor, row.currency);
  const TransactionData = {
    TransactionID: String(moved.transactionId),
    RelatedReference: row.bookingReference,
    RelatedSource: booking.source,
    GatewayID: row.gateway,
    GatewayReference: row.gatewayReference,
    CardMask: card?.masked ?? null,
    CardType: card && capitalisedBrand(card.brand),
    Type: moved.type,
    Currency: row.currency,
    CardFee: text(moved.cardFeeMinor),
    TransactionFee: text(moved.transactionFeeMinor),
    AmountNet: text(moved.netMinor),
    AmountGross: text(moved.grossMinor),
    ProcessedTime: offsetTimestamp(moved.processedAtMs, property.timeZone),
    Description: row.description,
  };
  return { type: 'PushTransaction', payload: { TransactionData } };
}
