import type { Failure } from '../../core/failure.ts';
import { ok, type Result } from '../../core/result.ts';
import type { TransactionRow } from '../../platform/db/moneyTables.ts';
import { type AmountRequest, amountFor, type DecidedAmount } from './overcharge.ts';
import {
  type AllowedPayment,
  allowPayment,
  type BookingToCharge,
  type CardToCharge,
  type PaymentRequest,
} from './rules.ts';

/** What a payment is decided on, beside its request and its booking. */
export interface DecisionFacts<Card> {
  /** The card that the request names; null if it does not exist. */
  readonly named: Card | null;
  /** What is due less what is uncertain, in minor units; null if it is not known or does not count. */
  readonly dueMinor: number | null;
  readonly nowMs: number;
  /** The acquirer takes multiples of this. */
  readonly stepMinor: number;
}

/** A payment that can be made: the card, the price, and how its amount came about. */
export interface DecidedPayment<Card> extends AllowedPayment<Card> {
  readonly amount: DecidedAmount;
}

/** Decides a payment: what create, schedule and the pre-authorization do, and what a quote says that they would do. */
export function decidePayment<Card extends CardToCharge>(
  state: BookingToCharge<Card>,
  request: PaymentRequest & AmountRequest & Pick<TransactionRow, 'kind'>,
  { named, dueMinor, nowMs, stepMinor }: DecisionFacts<Card>,
): Result<DecidedPayment<Card>, Failure> {
  const decided = amountFor(state.property, request, dueMinor, stepMinor);
  const amount = decided.ok ? decided.value : { ...request, askedMinor: null, warnings: [] };
  const { requestedMinor } = amount;
  const priced = { ...request, requestedMinor };
  const allowed = allowPayment(state, request.kind, priced, named, nowMs, stepMinor);
  // What is wrong with the booking or its card is told before what is wrong with the amount.
  if (!allowed.ok) return allowed;
  return decided.ok ? ok({ ...allowed.value, amount: decided.value }) : decided;
}
