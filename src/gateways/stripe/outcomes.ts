import { Stripe } from 'stripe';
import { SECOND_MS } from '../../core/time.ts';
import type { Outcome } from '../gateway.ts';
import { stripeDecline } from './declines.ts';

/** Stripe's words for an operation whose answer is not known yet. */
const UNDER_WAY = new Set(['idempotency_key_in_use', 'lock_timeout']);

/** What a request that threw came to: declined, certainly not executed, or nobody knows. */
export function outcomeOfError(error: unknown): Outcome {
  if (error instanceof Stripe.errors.StripeCardError) {
    return stripeDecline(error.decline_code || error.code);
  }
  if (error instanceof Stripe.errors.StripeIdempotencyError) return unknown('the key is in use');
  if (!(error instanceof Stripe.errors.StripeError)) return unknown('the call failed');
  const { statusCode, code } = error;
  const refused =
    statusCode !== undefined &&
    statusCode >= 400 &&
    statusCode < 500 &&
    statusCode !== 409 &&
    !UNDER_WAY.has(code ?? '');
  return refused
    ? { kind: 'refused', reason: code ?? error.type }
    : unknown(`${error.type} ${statusCode ?? ''}`.trim());
}

/** Whether Stripe certainly has nothing by that name. Any other refusal, such as of too many requests, says nothing. */
export function isMissing(error: unknown): boolean {
  return error instanceof Stripe.errors.StripeError && error.statusCode === 404;
}

/** Why a card was not kept, by what its request threw: the decline's code, or what went wrong. */
export function refusalOf(error: unknown): string {
  const outcome = outcomeOfError(error);
  return outcome.kind === 'declined' ? outcome.declineCode : reasonOf(outcome);
}

/** The reason that an outcome gives. */
export function reasonOf(outcome: Outcome): string {
  return 'reason' in outcome ? outcome.reason : outcome.kind;
}

/** What a payment that was asked to charge came to. */
export function outcomeOfCharge(intent: Stripe.PaymentIntent): Outcome {
  return intent.status === 'succeeded' ? approved(intent.id, null) : unfinished(intent);
}

/** What a payment that was asked to hold an amount came to; with when the hold lapses, if Stripe says so. */
export function outcomeOfAuthorization(intent: Stripe.PaymentIntent): Outcome {
  if (intent.status !== 'requires_capture') return unfinished(intent);
  const charge = typeof intent.latest_charge === 'object' ? intent.latest_charge : null;
  const lapses = charge?.payment_method_details?.card?.capture_before;
  return approved(intent.id, lapses ? lapses * SECOND_MS : null);
}

/** What a hold that was asked to be let go came to. */
export function outcomeOfRelease(intent: Stripe.PaymentIntent): Outcome {
  return intent.status === 'canceled'
    ? approved(intent.id, null)
    : unknown(`it is ${intent.status}`);
}

/** What a refund came to; one that Stripe still works on has been made, as far as the guest's money goes. */
export function outcomeOfRefund(refund: Stripe.Refund): Outcome {
  switch (refund.status) {
    case 'succeeded':
    case 'pending':
    case 'requires_action':
      return approved(refund.id, null);
    case 'failed':
    case 'canceled':
      return { kind: 'refused', reason: refund.failure_reason ?? refund.status };
    default:
      return unknown('a refund without a status');
  }
}

function unfinished(intent: Stripe.PaymentIntent): Outcome {
  const { last_payment_error: failed, status } = intent;
  if (status === 'canceled') return { kind: 'refused', reason: 'canceled' };
  // Nobody is there to confirm it: the guest is sent to the payment page.
  if (status === 'requires_action') return stripeDecline('authentication_required');
  if (status === 'requires_payment_method' && failed) {
    return stripeDecline(failed.decline_code ?? failed.code);
  }
  return unknown(`it is ${status}`);
}

function approved(gatewayReference: string, lapsesAtMs: number | null): Outcome {
  return { kind: 'approved', gatewayReference, lapsesAtMs };
}

function unknown(reason: string): Outcome & { kind: 'unknown' } {
  return { kind: 'unknown', reason };
}
