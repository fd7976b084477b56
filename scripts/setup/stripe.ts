/** Makes the webhook endpoint at Stripe (stripe: Webhooks). */
import { Stripe } from 'stripe';
import { stripeClient } from '../../src/gateways/stripe/client.ts';
import { SetupStop } from './stop.ts';

/** The events that the service acts on (stripe: Webhooks). */
export const webhookEvents = [
  'payment_intent.succeeded',
  'payment_intent.payment_failed',
  'payment_intent.canceled',
  'payment_intent.amount_capturable_updated',
  'charge.refunded',
  'charge.expired',
  'refund.created',
  'refund.updated',
  'refund.failed',
  'charge.dispute.created',
  'charge.dispute.updated',
  'charge.dispute.closed',
  'charge.dispute.funds_withdrawn',
  'charge.dispute.funds_reinstated',
  'payout.created',
  'payout.updated',
  'payout.paid',
  'payout.failed',
  'payout.canceled',
  'payout.reconciliation_completed',
  'payment_method.automatically_updated',
  'payment_method.updated',
  'setup_intent.succeeded',
] as const satisfies Stripe.WebhookEndpointCreateParams.EnabledEvent[];

/** Marks the endpoint as this command's own, so that it may replace one whose secret was lost on the way. */
const OWN = { made_by: 'booking-payments setup' };

/** An account at Stripe. */
export interface StripeAccount {
  readonly secretKey: string;
  /** Stripe's API, or a substitute in tests. */
  readonly apiBase: URL;
}

/** The address that Stripe sends events to. */
export function webhookUrl(publicAddress: string): string {
  return `${publicAddress}/gateway/v1/stripe`;
}

/**
 * Creates the endpoint and returns its signing secret, which Stripe tells only once. An endpoint that an earlier run
 * made and whose secret reached no Worker is replaced. Throws {@link SetupStop} for an endpoint that somebody else made.
 */
export async function newWebhookSecret(account: StripeAccount, url: string): Promise<string> {
  const stripe = stripeClient(account);
  try {
    const existing = await endpointsAt(stripe, url);
    if (existing.some(({ metadata }) => metadata['made_by'] !== OWN.made_by)) {
      throw new SetupStop(`Stripe has a webhook endpoint for ${url} already, and tells its signing secret in the
dashboard only. Put that secret into the Worker and run this command again, or remove the endpoint there.

  npx wrangler secret put STRIPE_WEBHOOK_SECRET --env production`);
    }
    for (const { id } of existing) await stripe.webhookEndpoints.del(id);
    const { secret } = await stripe.webhookEndpoints.create({
      url,
      enabled_events: [...webhookEvents],
      description: 'Bookings and payments',
      metadata: OWN,
    });
    if (!secret) throw new SetupStop('Stripe made the webhook endpoint but told no secret.');
    return secret;
  } catch (error) {
    throw inWords(error);
  }
}

async function endpointsAt(stripe: Stripe, url: string): Promise<Stripe.WebhookEndpoint[]> {
  const all: Stripe.WebhookEndpoint[] = [];
  for await (const endpoint of stripe.webhookEndpoints.list({ limit: 100 })) all.push(endpoint);
  return all.filter((endpoint) => endpoint.url === url);
}

function inWords(error: unknown): unknown {
  if (!(error instanceof Stripe.errors.StripeError)) return error;
  return new SetupStop(`Stripe refused: ${error.message}
The secret key must be allowed to write webhook endpoints.`);
}
