import { type Failure, failure } from '../../core/failure.ts';
import { MINUTE_MS, monthHasEnded } from '../../core/time.ts';
import { type BookingState, precedesCancellation } from '../../records/bookings/rules.ts';
import type { ChargeableCard } from '../../records/cards/rules/virtual.ts';
import { isOfFormerAccount } from '../../records/cards/rules.ts';
import type { PayingCard } from '../../records/properties/rules/feeTerms.ts';
import type { BookingRow } from '../../schema/bookingTables.ts';
import type { CardRow } from '../../schema/cardTables.ts';
import type { TransactionRow } from '../../schema/moneyTables.ts';

/** The longest time until a pre-authorization expires. */
export const LONGEST_HOLD_DAYS = 30;

export const LONGEST_SCHEDULE_YEARS = 2;

export type Purpose = TransactionRow['purpose'];

/** The fields of every payment request (interface: Create a charge); the amount is without fees. */
export interface PaymentRequest {
  readonly requestedMinor: number;
  readonly currency: string;
  readonly virtualCard: boolean;
  readonly description: string | null;
  readonly purpose: Purpose;
  /** A card named by the caller; null for the one that the booking uses. */
  readonly cardToken: string | null;
}

export type CardToCharge = PayingCard &
  ChargeableCard &
  Pick<CardRow, 'token' | 'expiryMonth' | 'expiryYear' | 'gatewayAccount'>;

export interface BookingToCharge<Card> extends Pick<BookingState, 'property' | 'booking'> {
  readonly cards: readonly Card[];
}

export type CardChoice = Pick<TransactionRow, 'cardNamed' | 'cardToken' | 'otherCard' | 'status'>;

/** Whether a transaction has a card of its own. Otherwise it is a schedule that uses the booking's card when it fires. */
export function hasOwnCard({ cardNamed, cardToken, otherCard, status }: CardChoice): boolean {
  return status !== 'Pending' || cardNamed || isOnOtherCard({ cardToken, otherCard });
}

/** Whether a schedule is tried on the card that it was made on, after another was declined for good. */
export function isOnOtherCard(row: Pick<CardChoice, 'cardToken' | 'otherCard'>): boolean {
  return row.otherCard !== null && row.otherCard === row.cardToken;
}

/**
 * The card that the booking used when a schedule was made, if `card`, which is charged first, is another one. It stays
 * known for as long as the schedule is tried, also while it may not be charged itself.
 */
export function otherCardOf(row: TransactionRow, card: CardRow): string | null {
  if (hasOwnCard(row)) return row.otherCard;
  const madeOn = row.otherCard ?? row.cardToken;
  return madeOn === card.token ? null : madeOn;
}

/** The card that is tried once after the one charged first was declined for good; null for none that may be charged. */
export function cardToTryNext(
  { property, cards }: BookingState,
  { cardToken, otherCard }: TransactionRow,
  nowMs: number,
): string | null {
  const other = cards.find(({ token }) => token === otherCard);
  if (!other || other.token === cardToken || isOfFormerAccount(property, other)) return null;
  return cardExpired(other, property.timeZone, nowMs) ? null : other.token;
}

/** The token of the card that a transaction was made on, or that a schedule would be charged on now. */
export function cardTokenNow(
  transaction: CardChoice,
  booking: Pick<BookingRow, 'cardToken'>,
): string | null {
  return hasOwnCard(transaction) ? transaction.cardToken : booking.cardToken;
}

/** The states in which a transaction still needs its card. */
export const NEEDING_CARD = ['Pending', 'Authorized', 'Processing'] as const;

/** Whether a card cannot be removed from a booking because of a transaction. */
export function needsCard(
  transaction: CardChoice & Pick<TransactionRow, 'status'>,
  booking: Pick<BookingRow, 'cardToken'>,
  { token }: Pick<CardRow, 'token'>,
): boolean {
  return (
    NEEDING_CARD.some((status) => status === transaction.status) &&
    cardTokenNow(transaction, booking) === token
  );
}

/** Whether a card has expired: it is valid through the last day of its month, in the property's zone. */
export function cardExpired(
  card: Pick<CardRow, 'expiryMonth' | 'expiryYear'>,
  timeZone: string,
  atMs: number,
): boolean {
  return monthHasEnded(card.expiryYear, card.expiryMonth, timeZone, atMs);
}

export function wrongKind(needed: string): Failure {
  return failure('invalid_state', `This transaction is not ${needed}.`);
}

/** The transaction or refund is in another state than the operation needs. */
export function wrongState(what: string, { status }: { readonly status: string }): Failure {
  return failure('invalid_state', `The ${what} is ${status}.`);
}

/** Whether the outcome of a new charge or hold is not known, or was not when its end was asked for. */
export function isLost({ pendingOperation, status, unwantedSinceMs }: TransactionRow): boolean {
  if (status === 'Processing')
    return pendingOperation === 'charge' || pendingOperation === 'authorize';
  return unwantedSinceMs !== null && status !== 'Authorized';
}

/** Why a hold cannot be released; null if it can, was already, or is only not known to be there. */
export function whyNotReleased(row: TransactionRow): Failure | null {
  if (row.kind !== 'authorization') return wrongKind('a pre-authorization');
  const mayEnd = row.status === 'Released' || row.status === 'Authorized' || isLost(row);
  return mayEnd ? null : wrongState('pre-authorization', row);
}

/** Why a schedule cannot be cancelled; null if it can, was already, or may have been charged. */
export function whyNotCancelled(row: TransactionRow): Failure | null {
  if (row.kind !== 'schedule') return wrongKind('a scheduled charge');
  const mayEnd = row.status === 'Cancelled' || row.status === 'Pending' || isLost(row);
  return mayEnd ? null : wrongState('scheduled charge', row);
}

/** When a schedule is charged: after a soft decline, the next try is later than the time that was asked for. */
export function dueTimeOf(
  row: Pick<TransactionRow, 'createdAtMs' | 'dueAtMs' | 'scheduledAtMs'>,
): number {
  return row.dueAtMs ?? row.scheduledAtMs ?? row.createdAtMs;
}

export const TOKEN_NOT_FOUND = failure('token_not_found', 'There is no card with this token.');

export const TRANSACTION_NOT_FOUND = failure(
  'transaction_not_found',
  'The booking has no transaction with this id.',
);

/** How long a guest has to confirm a payment at their bank (interface: The bank's step). */
const BANK_STEP_MS = 30 * MINUTE_MS;

/**
 * Until when a guest can confirm a payment at their bank, in milliseconds. Where no guest is there, or they or the
 * cancellation of their booking stopped it, that is over.
 */
export function bankStepUntilMs(
  state: Pick<BookingState, 'booking'>,
  row: Pick<TransactionRow, 'bankAskedAtMs' | 'bookingVersion' | 'initiator' | 'unwantedSinceMs'>,
  nowMs: number,
): number {
  const { bankAskedAtMs, initiator, unwantedSinceMs } = row;
  const isStopped = precedesCancellation(state, row) || unwantedSinceMs !== null;
  if (initiator !== 'guest' || isStopped) return nowMs;
  return (bankAskedAtMs ?? nowMs) + BANK_STEP_MS;
}

/** Whether a payment waits for its guest to confirm it at their bank, as far as D1 knows. */
export function isAtBank(row: Pick<TransactionRow, 'bankAskedAtMs' | 'status'>): boolean {
  return row.status === 'Processing' && row.bankAskedAtMs !== null;
}
