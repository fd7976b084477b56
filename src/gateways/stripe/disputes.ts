import type { Stripe } from 'stripe';
import { SECOND_MS } from '../../core/time.ts';
import type { DisputeStatus } from '../../platform/db/disputeTables.ts';
import type { DisputeReport } from '../gateway.ts';
import { fromStripeAmount } from './amounts.ts';
import { originOf } from './origin.ts';
import { isMissing, outcomeOfError, reasonOf } from './outcomes.ts';

/** Converts a dispute of Stripe; `absent` if it is about a payment that this service did not make. */
export function reportOf(dispute: Stripe.Dispute): DisputeReport {
  const { amount, created, id, payment_intent: payment, reason } = dispute;
  const currency = dispute.currency.toUpperCase();
  const about = typeof payment === 'object' ? originOf(payment?.metadata) : null;
  const amountMinor = fromStripeAmount(amount, currency);
  if (about === null || amountMinor === null) return { kind: 'absent' };
  const openedAtMs = created * SECOND_MS;
  return {
    kind: 'dispute',
    about,
    dispute: {
      id,
      status: statusOf(dispute.status),
      reason,
      currency,
      amountMinor,
      feeMinor: 0,
      fundsWithdrawn: dispute.status === 'lost',
      openedAtMs,
      respondByMs: null,
      closedAtMs: null,
    },
  };
}

/** An inquiry (`warning_…`) is a dispute before the bank withdraws anything. */
function statusOf(status: Stripe.Dispute['status']): DisputeStatus {
  switch (status) {
    case 'needs_response':
    case 'warning_needs_response':
      return 'needs_response';
    case 'lost':
      return 'lost';
    case 'won':
    case 'warning_closed':
    case 'prevented':
      return 'won';
    default:
      return 'under_review';
  }
}

/** Converts the error of a request for a dispute: `absent` if Stripe has no such dispute, else `unknown`. */
export function disputeOfError(error: unknown): DisputeReport {
  return isMissing(error)
    ? { kind: 'absent' }
    : { kind: 'unknown', reason: reasonOf(outcomeOfError(error)) };
}
