import { type Failure, failure } from '../../core/failure.ts';
import { MINUTE_MS } from '../../core/time.ts';
import {
  type BookingState,
  bookingCancelled,
  bookingNotFound,
} from '../../records/bookings/rules.ts';
import { isOfFormerAccount } from '../../records/cards/rules.ts';
import type { CardRow } from '../../schema/cardTables.ts';
import type { LoweredSchedule, TransactionRow } from '../../schema/moneyTables.ts';
import type { Balance } from '../balance/rules/balance.ts';
import { cardExpired } from '../payments/rules.ts';
import { priceOfLess } from '../pricing/repricing.ts';
import type { AskedFor } from '../recovery/guestView.ts';

/** After this many declined charges of a booking within this time, its guest may not try another card. */
const MOST_DECLINES = 5;
const DECLINES_WITHIN_MS = 10 * MINUTE_MS;

/** What guests pay: the deposit that the page offers, or another part of what is due. */
export type GuestPurpose = 'Deposit' | 'Balance';

export interface GuestPayment extends AmountToPay {
  readonly cardToken: string;
  readonly purpose: GuestPurpose;
  /** The schedules that the page showed as paid by this payment, so that they end when it is accepted. */
  readonly replaces: readonly number[];
  /** The schedule that it showed as paid in part, so that it takes less then. */
  readonly lowers: LoweredSchedule | null;
}

/**
 * The cards that a guest may pay with, the card in use first: a guest entered them, the property's account keeps them, and
 * they have not expired.
 */
export function guestCards(
  { property, booking, cards }: BookingState,
  nowMs: number,
): readonly CardRow[] {
  const own = cards.filter(
    (card) =>
      card.enteredBy === 'guest' &&
      !isOfFormerAccount(property, card) &&
      !cardExpired(card, property.timeZone, nowMs),
  );
  const first = own.filter(({ token }) => token === booking.cardToken);
  return [...first, ...own.filter((card) => !first.includes(card))];
}

/**
 * Whether a card's bank refused it: a card that only waited for its guest's confirmation may be tried again as it is.
 */
export function isRefused(payment: Pick<TransactionRow, 'declineCode' | 'status'>): boolean {
  const { declineCode, status } = payment;
  return status === 'Declined' && declineCode !== 'authentication_required';
}

/** Whether a card's bank refused the last payment that had an outcome. */
export function wasRefused(
  rows: readonly Pick<TransactionRow, 'cardToken' | 'declineCode' | 'status'>[],
  { token }: Pick<CardRow, 'token'>,
): boolean {
  const last = rows.findLast(
    ({ cardToken, status }) =>
      cardToken === token && (status === 'Accepted' || status === 'Declined'),
  );
  return last !== undefined && isRefused(last);
}

/** What a guest's payment is checked against, beside the booking. */
interface GuestCircumstances {
  /** How many of the booking's recent charges were declined. */
  readonly declines: number;
  readonly nowMs: number;
  /** The schedules that the payment is instead of by now. */
  readonly instead: PaidInstead;
}

/** Checks whether a guest may pay this now, whatever its price; null if so (interface: Paying). */
export function checkGuestPayment(
  state: BookingState | null,
  payment: GuestPayment,
  balance: Balance,
  { declines, nowMs, instead }: GuestCircumstances,
): Failure | null {
  if (state === null) return bookingNotFound();
  if (state.booking.status === 'cancelled') return bookingCancelled();
  const isOwn = guestCards(state, nowMs).some(({ token }) => token === payment.cardToken);
  if (!isOwn) return failure('token_not_found', 'The guest has no card with this token.');
  if (declines >= MOST_DECLINES) return TOO_MANY_DECLINES;
  if (payment.requestedMinor > balance.payableMinor) {
    return failure('amount_out_of_range', 'The amount is more than is due.');
  }
  if (
    payment.purpose === 'Deposit' &&
    payment.requestedMinor !== depositOffered(balance, state.booking.firstNightCostMinor)
  ) {
    return failure('invalid_state', 'The deposit has changed since the page showed it.');
  }
  return isAsShown(instead, payment)
    ? null
    : failure('invalid_state', 'The scheduled charges have changed since the page showed them.');
}

/** Whether a payment is instead of what its page showed. */
export function isAsShown(
  { cancelled, lowered }: PaidInstead,
  shown: {
    readonly replaces: readonly number[];
    readonly lowers: Pick<LoweredSchedule, 'id' | 'requestedMinor'> | null;
  },
): boolean {
  return (
    cancelled.length === shown.replaces.length &&
    cancelled.every(({ id }) => shown.replaces.includes(id)) &&
    lowered?.to.id === shown.lowers?.id &&
    lowered?.to.requestedMinor === shown.lowers?.requestedMinor
  );
}

/** Counts a booking's recent declines, with recent charges that may still be declined. */
export function countDeclines(
  rows: readonly Pick<TransactionRow, 'status' | 'completedAtMs' | 'createdAtMs'>[],
  nowMs: number,
): number {
  const sinceMs = nowMs - DECLINES_WITHIN_MS;
  return rows.filter(({ status, completedAtMs, createdAtMs }) => {
    if (status === 'Declined') return (completedAtMs ?? 0) > sinceMs;
    return status === 'Processing' && createdAtMs > sinceMs;
  }).length;
}

const TOO_MANY_DECLINES: Failure = {
  code: 'rate_limited',
  detail: 'Too many cards were declined. Try again later.',
  retryAfterSeconds: DECLINES_WITHIN_MS / 1_000,
};

/** An amount that the page offers, in minor units without fees (interface: What the page proposes). */
export interface PaymentChoice {
  /**
   * `asked`: the amount that the guest was asked to pay because a card fails; `rest`: all that is due and not scheduled; `all`: that and
   * what is scheduled.
   */
  readonly name: 'asked' | 'rest' | 'deposit' | 'all';
  readonly amountMinor: number;
}

/** The amounts that the page offers; it proposes the first. Of what is scheduled, it proposes only what is asked for. */
export function paymentChoices(
  balance: Balance,
  firstNightCostMinor: number,
  asked: AskedFor,
): PaymentChoice[] {
  const { payableMinor, proposedMinor } = balance;
  const askedMinor = Math.min(asked.amountMinor, payableMinor);
  // An amount that was declined and asked for is due already, and not scheduled.
  const isRest = askedMinor === proposedMinor && asked.schedules.length === 0;
  const depositMinor = depositOffered(balance, firstNightCostMinor);
  const choices: PaymentChoice[] = [
    { name: 'asked', amountMinor: askedMinor },
    { name: 'rest', amountMinor: isRest ? 0 : proposedMinor },
    { name: 'deposit', amountMinor: depositMinor ?? 0 },
    {
      name: 'all',
      amountMinor: payableMinor > Math.max(proposedMinor, askedMinor) ? payableMinor : 0,
    },
  ];
  return choices.filter(({ amountMinor }) => amountMinor > 0);
}

/** The deposit that the page offers, in minor units without fees; null if it offers none. */
function depositOffered(balance: Balance, firstNightCostMinor: number): number | null {
  const { disputedMinor, paidMinor, proposedMinor, scheduledMinor, uncertainMinor } = balance;
  const towardsMinor = paidMinor + uncertainMinor + disputedMinor + scheduledMinor;
  const depositMinor = firstNightCostMinor - towardsMinor;
  return depositMinor > 0 && depositMinor < proposedMinor ? depositMinor : null;
}

export interface AmountToPay {
  /** Minor units without fees. */
  readonly requestedMinor: number;
  /** The ids of the pending schedules that the guest is asked about and pays by it. */
  readonly asked: readonly number[];
}

/** What a guest's payment changes of what is scheduled: what it is wholly instead of, and what then takes less. */
export interface PaidInstead {
  readonly cancelled: readonly TransactionRow[];
  readonly lowered: { readonly row: TransactionRow; readonly to: LoweredSchedule } | null;
}

/**
 * What a payment is instead of: the schedules that its guest is asked about and pays by it, and what it makes too much of
 * the others, the latest first, so that no more stays scheduled than is then payable (interface: Paying). Amounts are
 * minor units without fees; the acquirer takes multiples of `stepMinor`.
 */
export function paidInstead(
  rows: readonly TransactionRow[],
  { payableMinor, scheduledMinor }: Pick<Balance, 'payableMinor' | 'scheduledMinor'>,
  { asked, requestedMinor }: AmountToPay,
  stepMinor: number,
): PaidInstead {
  // A plan follows its payments by itself.
  const pending = rows.filter(
    ({ planId, status, purpose }) => status === 'Pending' && purpose !== 'Bond' && planId === null,
  );
  const isAsked = ({ id }: TransactionRow) => asked.includes(id);
  const cancelled = pending.filter(isAsked);
  const othersLatestFirst = pending
    .filter((row) => !isAsked(row))
    .toSorted((a, b) => (b.scheduledAtMs ?? 0) - (a.scheduledAtMs ?? 0) || b.id - a.id);
  const staysMinor = cancelled.reduce((sum, row) => sum - row.requestedMinor, scheduledMinor);
  let tooMuchMinor = staysMinor - Math.max(0, payableMinor - requestedMinor);
  for (const row of othersLatestFirst) {
    if (tooMuchMinor <= 0) break;
    const leftMinor = Math.floor((row.requestedMinor - tooMuchMinor) / stepMinor) * stepMinor;
    if (leftMinor > 0) {
      const to = { id: row.id, ...priceOfLess(row, leftMinor, stepMinor) };
      return { cancelled, lowered: { row, to } };
    }
    cancelled.push(row);
    tooMuchMinor -= row.requestedMinor;
  }
  return { cancelled, lowered: null };
}

/** What stays scheduled after that, in minor units without fees. */
export function staysScheduledMinor(
  { scheduledMinor }: Pick<Balance, 'scheduledMinor'>,
  { cancelled, lowered }: PaidInstead,
): number {
  const lessMinor = lowered === null ? 0 : lowered.row.requestedMinor - lowered.to.requestedMinor;
  return cancelled.reduce((sum, row) => sum - row.requestedMinor, scheduledMinor - lessMinor);
}
