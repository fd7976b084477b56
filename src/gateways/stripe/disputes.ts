import type { Stripe } from 'stripe';
import { SECOND_MS } from '../../core/time.ts';
import type { DisputeReport } from '../gateway.ts';
import { fromStripeAmount } from './amounts.ts';
import { originOf } from './origin.ts';
import { isMissing, outcomeOfError, reasonOf } from './outcomes.ts';

/** A dispute in this service's words; absent when it is about a payment that this service did not make. */
export function reportOf(dispute: Stripe.Dispute): DisputeReport {
  const { amount, created, currency, id, payment_intent: payment, reason, status } = dispute;
  const about = typeof payment === 'object' ? originOf(payment?.metadata) : null;
  const amountMinor = fromStripeAmount(amount, currency.toUpperCase());
  if (about === null || amountMinor === null) return { kind: 'absent' };
  const openedAtMs = created * SECOND_MS;
  return { kind: 'dispute', about, dispute: { id, status, reason, amountMinor, openedAtMs } };
}

/** What is known of a dispute when asking for it threw: that there is none, or nothing. */
export function disputeOfError(error: unknown): DisputeReport {
  return isMissing(error)
    ? { kind: 'absent' }
    : { kind: 'unknown', reason: reasonOf(outcomeOfError(error)) };
}
