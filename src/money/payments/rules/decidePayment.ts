import type { Failure } from '../../../core/failure.ts';
import { ok, type Result } from '../../../core/result.ts';
import type { Standing } from '../../../records/history/sums.ts';
import type { TransactionRow } from '../../../schema/moneyTables.ts';
import {
  type AllowedPayment,
  allowPayment,
  type BookingToCharge,
  type CardToCharge,
  type PaymentRequest,
} from '../rules.ts';
import {
  type AmountRequest,
  amountFor,
  type DecidedAmount,
  scheduledWarnings,
} from './overcharge.ts';

/** What a payment is decided on, beside its request and its booking. */
export interface DecisionFacts<Card> {
  /** The card that the request names; null if it does not exist. */
  readonly named: Card | null;
  /** The sums of the booking's payments; null if nothing depends on them. */
  readonly standing: Standing | null;
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
  { named, standing, nowMs, stepMinor }: DecisionFacts<Card>,
): Result<DecidedPayment<Card>, Failure> {
  const { property, booking } = state;
  const decided = amountFor(property, booking, request, standing, stepMinor);
  const amount = decided.ok ? decided.value : { ...request, askedMinor: null, warnings: [] };
  const { requestedMinor } = amount;
  const priced = { ...request, requestedMinor };
  const allowed = allowPayment(state, request.kind, priced, named, nowMs, stepMinor);
  // What is wrong with the booking or its card is told before what is wrong with the amount.
  if (!allowed.ok) return allowed;
  if (!decided.ok) return decided;
  const warnings = [...amount.warnings, ...scheduledWarnings(property, booking, priced, standing)];
  return ok({ ...allowed.value, amount: { ...decided.value, warnings } });
}
