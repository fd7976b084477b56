import { Stripe } from 'stripe';
import { z } from 'zod';
import { parseJson } from '../../core/json.ts';
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

type Named = z.infer<typeof eventForm>;
type About = Exclude<WebhookEvent['kind'], 'other'>;

/** The kinds of events by the beginning of their types, the first that fits, and how each names what it is about. */
const KINDS: readonly (readonly [
  begins: string,
  About,
  (event: Named) => string | null | undefined,
])[] = [
  ['payment_intent.', 'payment', ({ data }) => data.object.id],
  ['charge.dispute.', 'dispute', ({ data }) => data.object.id],
  ['charge.', 'payment', ({ data }) => data.object.payment_intent],
  ['refund.', 'payment', ({ data }) => data.object.payment_intent],
  ['payout.', 'payout', ({ data }) => data.object.id],
  // A network told Stripe of a renewed card, or a person changed it at Stripe.
  ['payment_method.automatically_updated', 'card', cardOf],
  ['payment_method.updated', 'card', cardOf],
  ['setup_intent.succeeded', 'card-setup', ({ data }) => data.object.id],
];

function cardOf({ account = null, data: { object } }: Named): string | null {
  const { customer, id } = object;
  return id && customer ? tokenOf(account, customer, id) : null;
}

function eventOf(body: string): WebhookEvent {
  const read = eventForm.safeParse(parseJson(body));
  if (!read.success) return { kind: 'other' };
  const { account = null, type } = read.data;
  const [, kind, named] = KINDS.find(([begins]) => type.startsWith(begins)) ?? [];
  const id = named?.(read.data);
  return kind && id ? { kind, id, account } : { kind: 'other' };
}
