import { Stripe } from 'stripe';
import type { Origin } from '../gateway.ts';
import { type StripeConfig, stripeClient } from './client.ts';
import { originOf } from './origin.ts';

/**
 * What a webhook of Stripe's is about. It only says where to look: what is so is asked of Stripe itself, so that events
 * may come twice, late and in any order. `account` is the connected account that it happened on; null for the
 * platform's own.
 */
export type Notice =
  | { readonly kind: 'payment'; readonly about: Origin; readonly account: string | null }
  | { readonly kind: 'refund'; readonly about: Origin; readonly account: string | null }
  | { readonly kind: 'dispute'; readonly id: string; readonly account: string | null }
  | { readonly kind: 'payout'; readonly id: string; readonly account: string | null }
  /** Nothing that this service has to do with. */
  | { readonly kind: 'other' };

/** Reads a webhook; null when no endpoint's secret has signed it, or it was signed more than five minutes ago. */
export async function readNotice(
  config: StripeConfig,
  body: string,
  signature: string,
): Promise<Notice | null> {
  const { webhooks } = stripeClient(config);
  for (const secret of config.webhookSecrets) {
    try {
      const event = await webhooks.constructEventAsync(
        body,
        signature,
        secret,
        undefined,
        Stripe.createSubtleCryptoProvider(),
      );
      return noticeOf(event);
    } catch (error) {
      // Signed, and yet not an event: Stripe's own form of one has changed.
      if (!(error instanceof Stripe.errors.StripeSignatureVerificationError)) throw error;
    }
  }
  return null;
}

function noticeOf(event: Stripe.Event): Notice {
  const account = event.account ?? null;
  const { object } = event.data;
  const [subject = ''] = event.type.split('.');
  switch (subject === 'charge' ? event.type.split('.').slice(0, 2).join('.') : subject) {
    case 'payment_intent':
      return known('payment', object as Stripe.PaymentIntent, account);
    case 'refund':
    case 'charge.refund':
      return known('refund', object as Stripe.Refund, account);
    case 'charge.dispute':
      return { kind: 'dispute', id: (object as Stripe.Dispute).id, account };
    case 'payout':
      return { kind: 'payout', id: (object as Stripe.Payout).id, account };
    default:
      return { kind: 'other' };
  }
}

function known(
  kind: 'payment' | 'refund',
  { metadata }: { readonly metadata: Stripe.Metadata | null },
  account: string | null,
): Notice {
  const about = originOf(metadata);
  return about === null ? { kind: 'other' } : { kind, about, account };
}
