import type { Stripe } from 'stripe';
import { SECOND_MS } from '../../core/time.ts';
import type { DisputeReport } from '../gateway.ts';
import { fromStripeAmount } from './amounts.ts';
import { originOf } from './origin.ts';
import { isMissing, outcomeOfError, reasonOf } from './outcomes.ts';

/** Converts a dispute of Stripe; `absent` if it is about a payment that this service did not make. */
export function reportOf(dispute: Stripe.Dispute): DisputeReport {
  const { amount, created, currency, id, payment_intent: payment, reason, status } = dispute;
  const about = typeof payment === 'object' ? originOf(payment?.metadata) : null;
  const amountMinor = fromStripeAmount(amount, currency.toUpperCase());
  if (about === null || amountMinor === null) return { kind: 'absent' };
  const openedAtMs = created * SECOND_MS;
  return { kind: 'dispute', about, dispute: { id, status, reason, amountMinor, openedAtMs } };
}

/** Converts the error of a request for a dispute: `absent` if Stripe has no such dispute, else `unknown`. */
export function disputeOfError(error: unknown): DisputeReport {
  return isMissing(error)
    ? { kind: 'absent' }
    : { kind: 'unknown', reason: reasonOf(outcomeOfError(error)) };
}
