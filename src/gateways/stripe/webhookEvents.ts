import { Stripe } from 'stripe';
import { z } from 'zod';
import type { StripeConfig } from '../../platform/config.ts';
import { acquirerId } from '../acquirerId.ts';
import type { Origin } from '../gateway.ts';
import { stripeClient } from './client.ts';
import { originOf } from './origin.ts';

/**
 * What a Stripe webhook is about. The service uses only the ids and reads the current state from Stripe, because events
 * may arrive twice, late and in any order. `account` is the connected account of the event; null for the platform's
 * own.
 */
export type WebhookEvent =
  | { readonly kind: 'payment'; readonly about: Origin; readonly account: string | null }
  | { readonly kind: 'refund'; readonly about: Origin; readonly account: string | null }
  | { readonly kind: 'dispute'; readonly id: string; readonly account: string | null }
  | { readonly kind: 'payout'; readonly id: string; readonly account: string | null }
  /** An event that this service does not use. */
  | { readonly kind: 'other' };

/** The members of an event that this service reads. An event in another form counts as `other`. */
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

/** Verifies and reads a webhook; null if no endpoint secret signed it or the signature is over five minutes old. */
export async function readEvent(
  config: StripeConfig,
  body: string,
  signature: string,
): Promise<WebhookEvent | null> {
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
      return eventOf(event);
    } catch (error) {
      // The signature is valid but the body is not an event: a bug, or a change at Stripe.
      if (!(error instanceof Stripe.errors.StripeSignatureVerificationError)) throw error;
    }
  }
  return null;
}

const OTHER: WebhookEvent = { kind: 'other' };

function eventOf(event: Stripe.Event): WebhookEvent {
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
