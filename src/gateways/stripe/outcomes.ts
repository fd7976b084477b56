import { Stripe } from 'stripe';
import { SECOND_MS } from '../../core/time.ts';
import type { Outcome } from '../gateway.ts';
import { approval, rejection } from '../outcome.ts';
import { stripeDecline } from './declines.ts';

/** Stripe's error codes for an operation that is still running. */
const UNDER_WAY = new Set(['idempotency_key_in_use', 'lock_timeout']);

/** The outcome of a request that threw: `declined`, `rejected` or `unknown`. */
export function outcomeOfError(error: unknown): Outcome {
  if (error instanceof Stripe.errors.StripeCardError) {
    return stripeDecline(error.decline_code || error.code);
  }
  if (error instanceof Stripe.errors.StripeIdempotencyError)
    return unknown('the idempotency key is in use');
  if (!(error instanceof Stripe.errors.StripeError)) return unknown('the call to Stripe failed');
  const { statusCode, code } = error;
  const rejected =
    statusCode !== undefined &&
    statusCode >= 400 &&
    statusCode < 500 &&
    statusCode !== 409 &&
    !UNDER_WAY.has(code ?? '');
  return rejected
    ? rejection(code ?? error.type)
    : unknown(`${error.type} ${statusCode ?? ''}`.trim());
}

/** Whether Stripe certainly has no such object. Other errors, such as a rate limit, leave that open. */
export function isMissing(error: unknown): boolean {
  return error instanceof Stripe.errors.StripeError && error.statusCode === 404;
}

/** Why Stripe did not store a card, from the error of the request: the decline code or the reason. */
export function rejectionReason(error: unknown): string {
  const outcome = outcomeOfError(error);
  return outcome.kind === 'declined' ? outcome.declineCode : reasonOf(outcome);
}

/** The reason of an outcome, or its kind if it has none. */
export function reasonOf(outcome: Outcome): string {
  return 'reason' in outcome ? outcome.reason : outcome.kind;
}

/** The outcome of a charge, from its payment. */
export function outcomeOfCharge(intent: Stripe.PaymentIntent): Outcome {
  return intent.status === 'succeeded' ? approved(intent.id, null) : unfinished(intent);
}

/** The outcome of a hold, from its payment; with the time at which the hold lapses, if Stripe says it. */
export function outcomeOfAuthorization(intent: Stripe.PaymentIntent): Outcome {
  if (intent.status !== 'requires_capture') return unfinished(intent);
  const charge = typeof intent.latest_charge === 'object' ? intent.latest_charge : null;
  const lapses = charge?.payment_method_details?.card?.capture_before;
  return approved(intent.id, lapses ? lapses * SECOND_MS : null);
}

/** The outcome of a release, from the payment of the hold. */
export function outcomeOfRelease(intent: Stripe.PaymentIntent): Outcome {
  return intent.status === 'canceled'
    ? approved(intent.id, null)
    : unknown(`the payment is ${intent.status}`);
}

/** The outcome of a refund. A pending refund is approved: Stripe has accepted it and will send the money back. */
export function outcomeOfRefund(refund: Stripe.Refund): Outcome {
  switch (refund.status) {
    case 'succeeded':
    case 'pending':
    case 'requires_action':
      return approved(refund.id, null);
    case 'failed':
    case 'canceled':
      return rejection(refund.failure_reason ?? refund.status);
    default:
      return unknown('the refund has no known status');
  }
}

function unfinished(intent: Stripe.PaymentIntent): Outcome {
  const { last_payment_error: failed, status } = intent;
  if (status === 'canceled') return rejection('canceled');
  // The cardholder is away and cannot authenticate. The guest has to pay on the payment page.
  if (status === 'requires_action') return stripeDecline('authentication_required');
  if (status === 'requires_payment_method' && failed) {
    return stripeDecline(failed.decline_code ?? failed.code);
  }
  return unknown(`the payment is ${status}`);
}

function approved(gatewayReference: string, lapsesAtMs: number | null): Outcome {
  return approval(gatewayReference, { lapsesAtMs });
}

function unknown(reason: string): Outcome & { kind: 'unknown' } {
  return { kind: 'unknown', reason };
}
