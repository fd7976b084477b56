import { Stripe } from 'stripe';
import { z } from 'zod';
import type { StripeConfig } from '../../platform/config.ts';
import { acquirerId } from '../acquirerId.ts';
import type { WebhookEvent } from '../webhookEvent.ts';
import { tokenOf } from './cards.ts';
import { stripeClient } from './client.ts';

/** How old a signature may be. */
const OLDEST_SECONDS = 300;

/** An id that an event names; null for anything that cannot be Stripe's. */
const named = acquirerId.nullish().catch(null);

/** The members of an event that this service reads. An event in another form, such as a thin one, counts as `other`. */
const eventForm = z.object({
  type: z.string(),
  account: acquirerId.nullish(),
  data: z.object({ object: z.object({ id: named, payment_intent: named, customer: named }) }),
});

/** Verifies and reads a webhook; null if no endpoint secret signed it or the signature is over five minutes old. */
export async function readEvent(
  config: StripeConfig,
  body: string,
  signature: string,
): Promise<WebhookEvent | null> {
  const signatures = stripeClient(config).webhooks.signature;
  if (signatures === null) throw new Error("Stripe's client verifies no signatures");
  for (const secret of config.webhookSecrets) {
    if (await isSigned(signatures, body, signature, secret)) return eventOf(body);
  }
  return null;
}

async function isSigned(
  signatures: NonNullable<Stripe['webhooks']['signature']>,
  body: string,
  signature: string,
  secret: string,
): Promise<boolean> {
  try {
    const crypto = Stripe.createSubtleCryptoProvider();
    return await signatures.verifyHeaderAsync(body, signature, secret, OLDEST_SECONDS, crypto);
  } catch (error) {
    if (error instanceof Stripe.errors.StripeSignatureVerificationError) return false;
    throw error;
  }
}

/** A network told Stripe of a renewed card, or a person changed it at Stripe. */
const CARD_CHANGES: ReadonlySet<string> = new Set([
  'payment_method.automatically_updated',
  'payment_method.updated',
]);

const OTHER: WebhookEvent = { kind: 'other' };

function eventOf(body: string): WebhookEvent {
  const read = eventForm.safeParse(jsonOf(body));
  if (!read.success) return OTHER;
  const { type, account = null, data } = read.data;
  const { id, payment_intent: payment, customer } = data.object;
  const about = (kind: Exclude<WebhookEvent['kind'], 'other'>, named: string | null | undefined) =>
    named ? { kind, id: named, account } : OTHER;
  switch (subjectOf(type)) {
    case 'payment_intent':
      return about('payment', id);
    case 'charge':
    case 'refund':
      return about('payment', payment);
    case 'dispute':
      return about('dispute', id);
    case 'payout':
      return about('payout', id);
    case 'payment_method': {
      const isChanged = id && customer && CARD_CHANGES.has(type);
      return about('card', isChanged ? tokenOf(account, customer, id) : null);
    }
    case 'setup_intent':
      return about('card-setup', type === 'setup_intent.succeeded' ? id : null);
    default:
      return OTHER;
  }
}

/** What an event of a type is about: `charge.dispute.created` brings a dispute, `charge.refund.updated` a refund. */
function subjectOf(type: string): string {
  const [first = '', second] = type.split('.');
  return first === 'charge' && second === 'dispute' ? second : first;
}

function jsonOf(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    return null;
  }
}
