import type { BookingState } from '../bookings/rules.ts';
import { cardInUse } from '../bookings/rules.ts';
import { type Failure, failure } from '../core/failure.ts';
import { assertNever, err, ok, type Result } from '../core/result.ts';
import { DAY_MS, endOfMonthMs, HOUR_MS, MINUTE_MS, SECOND_MS } from '../core/time.ts';
import type { CardRow, TransactionRow } from '../db/schema.ts';
import type { CertainOutcome } from '../gateways/gateway.ts';
import { cardFeeBasisPoints } from '../properties/rules.ts';
import { grossUp, NO_FEES, type Priced } from './fees.ts';

/** What a charge is for (interface: 4.1, `transactionType`). */
export type Purpose = TransactionRow['purpose'];

/** What a caller asks when charging a booking (interface: 4.1); the amount without fees. */
export interface ChargeRequest {
  readonly requestedMinor: number;
  readonly currency: string;
  readonly virtualCard: boolean;
  readonly description: string | null;
  readonly purpose: Purpose;
  /** A card named by the caller; null for the one that the booking uses. */
  readonly cardToken: string | null;
}

/** A charge that may be made: which card, and what it costs. */
export interface AllowedCharge {
  readonly card: CardRow;
  readonly priced: Priced;
}

/**
 * Whether a booking may be charged now, and what. A cancelled booking may: cancellation fees and
 * no-shows are charged after the fact. `named` is the card that the request names, once looked up.
 */
export function allowCharge(
  state: BookingState,
  request: ChargeRequest,
  named: CardRow | null,
  nowMs: number,
): Result<AllowedCharge, Failure> {
  const card = request.cardToken === null ? cardInUse(state) : named;
  if (card === null) {
    return err(request.cardToken === null ? noCard() : tokenNotFound());
  }
  if (cardExpired(card, state.property.timeZone, nowMs)) {
    return err(failure('card_expired', 'The card has expired.'));
  }
  const terms = request.virtualCard
    ? NO_FEES
    : {
        cardFeeBasisPoints: cardFeeBasisPoints(state.property, card.brand),
        transactionFeeMinor: state.property.transactionFeeMinor,
      };
  return ok({ card, priced: grossUp(request.requestedMinor, terms) });
}

/** A card is good through the last day of its month, in the property's zone. */
export function cardExpired(
  card: Pick<CardRow, 'expiryMonth' | 'expiryYear'>,
  timeZone: string,
  atMs: number,
): boolean {
  return atMs >= endOfMonthMs(card.expiryYear, card.expiryMonth, timeZone);
}

/** The columns of a transaction that a certain outcome of its charge changes. */
export function settledCharge(outcome: CertainOutcome, nowMs: number) {
  const settled = { dueAtMs: null, settledAtMs: nowMs };
  switch (outcome.kind) {
    case 'approved':
      return {
        ...settled,
        status: 'Accepted' as const,
        gatewayReference: outcome.gatewayReference,
      };
    case 'declined':
      return {
        ...settled,
        status: 'Declined' as const,
        declineCode: outcome.declineCode,
        declineRetryable: outcome.retryable,
      };
    case 'refused':
      return { ...settled, status: 'Failed' as const };
    default:
      return assertNever(outcome);
  }
}

/** How long after an attempt, and after each inquiry, an unknown outcome is asked for again. */
const INQUIRY_DELAYS_MS = [
  5 * SECOND_MS,
  30 * SECOND_MS,
  2 * MINUTE_MS,
  10 * MINUTE_MS,
  HOUR_MS,
  4 * HOUR_MS,
  12 * HOUR_MS,
] as const;

/** When an outcome still unknown after so many inquiries is asked for next; once a day when the list is used up. */
export function nextInquiryAtMs(inquiries: number, nowMs: number): number {
  return nowMs + (INQUIRY_DELAYS_MS[inquiries] ?? DAY_MS);
}

/** How long the same request may be sent again under its key: an hour less than the shortest key life of a gateway, 24 h. */
export const RESEND_LIFE_MS = 23 * HOUR_MS;

/** When an operation is looked at by the alarm if nothing was heard of it: after the gateway's deadline. */
export const SAFETY_NET_MS = MINUTE_MS;

function noCard(): Failure {
  return failure('no_card', 'The booking has no card, and the request names none.');
}

/** No card of this property by that token. */
export function tokenNotFound(): Failure {
  return failure('token_not_found', 'There is no card with this token.');
}
