import { Stripe } from 'stripe';
import { z } from 'zod';
import { acquirerId } from '../acquirerId.ts';
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

/** What is read of an event, whose form is Stripe's to change; what is not as expected is about nothing of ours. */
const eventForm = z.object({
  type: z.string(),
  account: acquirerId.nullish(),
  data: z.object({
    object: z.object({
      id: acquirerId.optional().catch(undefined),
      metadata: z.record(z.string(), z.string()).nullish().catch(null),
    }),
  }),
});

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

const OTHER: Notice = { kind: 'other' };

function noticeOf(event: Stripe.Event): Notice {
  const read = eventForm.safeParse(event);
  if (!read.success) return OTHER;
  const { type, account = null, data } = read.data;
  const { id, metadata } = data.object;
  const about = originOf(metadata);
  const [subject = '', of] = type.split('.');
  switch (subject === 'charge' ? `charge.${of}` : subject) {
    case 'payment_intent':
      return about ? { kind: 'payment', about, account } : OTHER;
    case 'refund':
    case 'charge.refund':
      return about ? { kind: 'refund', about, account } : OTHER;
    case 'charge.dispute':
      return id ? { kind: 'dispute', id, account } : OTHER;
    case 'payout':
      return id ? { kind: 'payout', id, account } : OTHER;
    default:
      return OTHER;
  }
}
