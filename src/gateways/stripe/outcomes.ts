import type { Stripe } from 'stripe';
import { SECOND_MS } from '../../core/time.ts';
import type { Outcome, PaymentOutcome } from '../gateway.ts';
import { approval, rejection, unknown } from '../rules/outcome.ts';
import { fromStripeAmount } from './amounts.ts';
import { stripeDecline } from './declines.ts';

/** What a request about a payment expands, so that its outcome has its time and when its hold lapses. */
export const PAYMENT_PARTS = ['latest_charge.balance_transaction'];

export function outcomeOfCharge(intent: Stripe.PaymentIntent): PaymentOutcome {
  if (intent.status !== 'succeeded') return unfinished(intent);
  return approval(intent.id, {
    amountMinor: fromStripeAmount(intent.amount_received, intent.currency),
    atMs: takenAtMs(intent),
  });
}

/**
 * The outcome of a hold, from its payment; with the time at which the hold lapses, if Stripe says it. One that was captured
 * or canceled since was held: what became of it then is not this outcome.
 */
export function outcomeOfAuthorization(intent: Stripe.PaymentIntent): PaymentOutcome {
  const { amount, amount_capturable: held, currency, id, status } = intent;
  const isHeld = status === 'requires_capture';
  if (!isHeld && !wasHeld(intent)) return unfinished(intent);
  return approval(id, {
    lapsesAtMs: lapsesAtMs(intent),
    amountMinor: fromStripeAmount(isHeld ? held : amount, currency),
    atMs: heldAtMs(intent),
  });
}

function wasHeld(intent: Stripe.PaymentIntent): boolean {
  const { status } = intent;
  if (status === 'succeeded') return true;
  return status === 'canceled' && chargeOf(intent)?.status === 'succeeded';
}

/** The outcome of a release, from the payment of the hold. What was captured can certainly not be released any more. */
export function outcomeOfRelease(intent: Stripe.PaymentIntent): Outcome {
  const { amount, canceled_at: at, currency, id, status } = intent;
  if (status === 'succeeded') return rejection('the hold was captured');
  if (status !== 'canceled') return unknown(`the payment is ${status}`);
  return approval(id, {
    amountMinor: fromStripeAmount(amount, currency),
    atMs: at ? at * SECOND_MS : null,
  });
}

/** The outcome of a refund. A pending refund is approved: Stripe has accepted it and will send the money back. */
export function outcomeOfRefund(refund: Stripe.Refund): Outcome {
  const { amount, created, currency, failure_reason: why, id, status } = refund;
  switch (status) {
    case 'succeeded':
    case 'pending':
    case 'requires_action':
      return approval(id, {
        amountMinor: fromStripeAmount(amount, currency),
        atMs: created * SECOND_MS,
        pending: status !== 'succeeded',
      });
    case 'failed':
    case 'canceled':
      return rejection(why ?? status);
    default:
      return unknown('the refund has no known status');
  }
}

/** When a payment was taken: a capture later than its charge has its own balance transaction. */
export function takenAtMs(intent: Stripe.PaymentIntent): number | null {
  const charge = chargeOf(intent);
  const moved = charge?.balance_transaction;
  if (moved && typeof moved === 'object') return moved.created * SECOND_MS;
  return charge !== null && intent.capture_method !== 'manual' ? charge.created * SECOND_MS : null;
}

/** When a payment's charge was made: the time of a hold or of a decline. */
export function heldAtMs(intent: Stripe.PaymentIntent): number {
  return (chargeOf(intent)?.created ?? intent.created) * SECOND_MS;
}

/** When a payment's hold lapses; null if Stripe does not say. */
export function lapsesAtMs(intent: Stripe.PaymentIntent): number | null {
  const lapses = chargeOf(intent)?.payment_method_details?.card?.capture_before;
  return lapses ? lapses * SECOND_MS : null;
}

/** The charge of a payment, where the request expanded it. */
export function chargeOf({ latest_charge: charge }: Stripe.PaymentIntent): Stripe.Charge | null {
  return typeof charge === 'object' ? charge : null;
}

function unfinished(intent: Stripe.PaymentIntent): PaymentOutcome {
  const { cancellation_reason: canceled, id, last_payment_error: failed, status } = intent;
  if (isOpen(intent)) return { kind: 'open', gatewayReference: id, url: bankUrlOf(intent) };
  if (status === 'canceled') {
    return canceled === ABANDONED ? notAuthenticated() : rejection('canceled');
  }
  if (status === 'requires_payment_method' && failed) {
    // The guest refused at the bank, or the bank did not recognise them.
    return failed.code === 'payment_intent_authentication_failure'
      ? notAuthenticated()
      : stripeDecline(failed);
  }
  return unknown(`the payment is ${status}`);
}

/** Why this service cancels a payment that its cardholder did not confirm. */
export const ABANDONED = 'abandoned';

/** Whether a payment waits for its cardholder, or to be confirmed at all: it took nothing, and it still can. */
export function isOpen({ status }: Stripe.PaymentIntent): boolean {
  return status === 'requires_action' || status === 'requires_confirmation';
}

/** Nothing was taken, because the cardholder did not confirm that it is them. */
function notAuthenticated(): Outcome {
  return stripeDecline({ code: 'authentication_required' });
}

/**
 * Where Stripe sends the cardholder to their bank; null if that needs Stripe's script. It is a link on our page, so it is
 * an address on the web and nothing else. Only a stand-in for Stripe has one without TLS.
 */
export function bankUrlOf({
  next_action: next,
}: Pick<Stripe.PaymentIntent | Stripe.SetupIntent, 'next_action'>): string | null {
  const url = next?.redirect_to_url?.url ?? '';
  return /^https?:\/\//.test(url) ? url : null;
}
