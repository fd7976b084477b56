import type { Stripe } from 'stripe';

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
