import { type BookingState, cardInUse } from '../bookings/rules.ts';
import { type Failure, failure } from '../core/failure.ts';
import { err, ok, type Result } from '../core/result.ts';
import { monthHasEnded } from '../core/time.ts';
import type { CardRow } from '../db/cardTables.ts';
import type { TransactionRow } from '../db/moneyTables.ts';
import { cardFeeBasisPoints } from '../properties/rules.ts';
import { type FeeTerms, grossUp, NO_FEES, type Priced } from './fees.ts';

/** What a charge is for (interface: 4.1, `transactionType`). */
export type Purpose = TransactionRow['purpose'];

/** What every payment request says (interface: 4.1); the amount without fees. */
export interface PaymentRequest {
  readonly requestedMinor: number;
  readonly currency: string;
  readonly virtualCard: boolean;
  readonly description: string | null;
  readonly purpose: Purpose;
  /** A card named by the caller; null for the one that the booking uses. */
  readonly cardToken: string | null;
}

/** A payment that may be made: on which card, and what it costs. */
export interface AllowedPayment {
  readonly card: CardRow;
  readonly priced: Priced;
  readonly terms: FeeTerms;
}

/**
 * Whether a booking may be charged, and what. A cancelled booking may be charged at once (cancellation fees,
 * no-shows), but nothing new is scheduled or held on one. `named` is the card that the request names, once
 * looked up.
 */
export function allowPayment(
  state: BookingState,
  kind: TransactionRow['kind'],
  request: PaymentRequest,
  named: CardRow | null,
  nowMs: number,
): Result<AllowedPayment, Failure> {
  if (kind !== 'charge' && state.booking.status === 'cancelled') {
    return err(failure('invalid_state', 'The booking is cancelled.'));
  }
  const card = request.cardToken === null ? cardInUse(state) : named;
  if (card === null) return err(request.cardToken === null ? noCard() : tokenNotFound());
  if (cardExpired(card, state.property.timeZone, nowMs)) {
    return err(failure('card_expired', 'The card has expired.'));
  }
  const terms = request.virtualCard
    ? NO_FEES
    : {
        cardFeeBasisPoints: cardFeeBasisPoints(state.property, card.brand),
        transactionFeeMinor: state.property.transactionFeeMinor,
      };
  return ok({ card, terms, priced: grossUp(request.requestedMinor, terms) });
}

/** A card is good through the last day of its month, in the property's zone. */
export function cardExpired(
  card: Pick<CardRow, 'expiryMonth' | 'expiryYear'>,
  timeZone: string,
  atMs: number,
): boolean {
  return monthHasEnded(card.expiryYear, card.expiryMonth, timeZone, atMs);
}

/**
 * What capturing a hold takes: the fee is computed on what is charged, under the terms that the hold was priced
 * with, so that no capture can exceed it.
 */
export function priceCapture(
  hold: TransactionRow,
  askedMinor: number | null,
  nowMs: number,
): Result<Priced, Failure> {
  if (hold.kind !== 'authorization') {
    return err(failure('invalid_state', 'This transaction is no pre-authorization.'));
  }
  const lapsed = hold.expiresAtMs !== null && nowMs >= hold.expiresAtMs;
  if (hold.status === 'Expired' || (hold.status === 'Authorized' && lapsed)) {
    return err(failure('preauth_expired', 'The pre-authorization has expired.'));
  }
  if (hold.status !== 'Authorized') return err(wrongState('pre-authorization', hold));
  const requestedMinor = askedMinor ?? hold.requestedMinor;
  if (requestedMinor > hold.requestedMinor) {
    return err(
      failure('capture_exceeds_authorization', 'More than was authorized cannot be charged.'),
    );
  }
  return ok(
    grossUp(requestedMinor, {
      cardFeeBasisPoints: hold.feeBasisPoints,
      transactionFeeMinor: hold.transactionFeeMinor,
    }),
  );
}

/** Something else would be needed for this: says which state the transaction is in. */
export function wrongState(what: string, { status }: Pick<TransactionRow, 'status'>): Failure {
  return failure('invalid_state', `The ${what} is ${status}.`);
}

function noCard(): Failure {
  return failure('no_card', 'The booking has no card, and the request names none.');
}

function tokenNotFound(): Failure {
  return failure('token_not_found', 'There is no card with this token.');
}

/** No transaction of this booking by that id. */
export function transactionNotFound(): Failure {
  return failure('transaction_not_found', 'The booking has no transaction with this id.');
}
