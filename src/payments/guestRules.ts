import { type BookingState, bookingNotFound } from '../bookings/rules.ts';
import { type Failure, failure } from '../core/failure.ts';
import { MINUTE_MS } from '../core/time.ts';
import type { CardRow } from '../db/cardTables.ts';
import type { TransactionRow } from '../db/moneyTables.ts';
import { cardFeeBasisPoints } from '../properties/rules.ts';
import type { Balance } from './balance.ts';
import { grossUp, type Priced } from './fees.ts';
import { cardExpired } from './rules.ts';

/** So many declines of a booking's charges in so long a time, and no guest may try another. */
const MOST_DECLINES = 5;
const DECLINES_WITHIN_MS = 10 * MINUTE_MS;

/** What a guest wants to pay, as the page showed it. */
export interface GuestPayment {
  readonly requestedMinor: number;
  readonly cardToken: string;
  /** What the guest was told that the card will be charged, fees included. */
  readonly agreedMinor: number;
}

/** The cards that a guest may pay with: entered by a guest on a page of this service, and still good; in use first. */
export function guestCards(
  { property, booking, cards }: BookingState,
  nowMs: number,
): readonly CardRow[] {
  const own = cards.filter(
    (card) => card.enteredBy === 'guest' && !cardExpired(card, property.timeZone, nowMs),
  );
  const first = own.filter(({ token }) => token === booking.cardToken);
  return [...first, ...own.filter((card) => !first.includes(card))];
}

/** What a card is charged for an amount, fees included. */
export function guestPrice(
  { property }: Pick<BookingState, 'property'>,
  card: Pick<CardRow, 'brand'>,
  requestedMinor: number,
): Priced {
  return grossUp(requestedMinor, {
    cardFeeBasisPoints: cardFeeBasisPoints(property, card.brand),
    transactionFeeMinor: property.transactionFeeMinor,
  });
}

/** Whether a guest may pay this now; null when so (decisions: section 7). */
export function refuseGuestPayment(
  state: BookingState | null,
  payment: GuestPayment,
  balance: Balance,
  declines: number,
  nowMs: number,
): Failure | null {
  if (state === null) return bookingNotFound();
  if (state.booking.status === 'cancelled') {
    return failure('invalid_state', 'The booking is cancelled.');
  }
  const card = guestCards(state, nowMs).find(({ token }) => token === payment.cardToken);
  if (!card) return failure('token_not_found', 'The guest has no such card.');
  if (declines >= MOST_DECLINES) return tooManyDeclines();
  if (payment.requestedMinor > balance.payableMinor) {
    return failure('amount_out_of_range', 'More than is due was asked for.');
  }
  const { amountMinor } = guestPrice(state, card, payment.requestedMinor);
  return amountMinor === payment.agreedMinor
    ? null
    : failure('invalid_state', 'The fees have changed since they were shown.');
}

/** How many of a booking's charges were declined lately, or may turn out to be. */
export function declinesOf(
  rows: readonly Pick<TransactionRow, 'status' | 'settledAtMs' | 'createdAtMs'>[],
  nowMs: number,
): number {
  const sinceMs = nowMs - DECLINES_WITHIN_MS;
  return rows.filter(({ status, settledAtMs, createdAtMs }) => {
    if (status === 'Declined') return (settledAtMs ?? 0) > sinceMs;
    return status === 'Processing' && createdAtMs > sinceMs;
  }).length;
}

function tooManyDeclines(): Failure {
  return {
    code: 'rate_limited',
    detail: 'Too many cards were declined. Try again later.',
    retryAfterSeconds: DECLINES_WITHIN_MS / 1_000,
  };
}
