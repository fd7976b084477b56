import type { Config, StripeConfig } from '../platform/config.ts';
import type { Env } from '../platform/env.ts';
import type { CardElement } from './cardElement.ts';
import type { Gateway } from './gateway.ts';
import type { PayoutSource } from './payouts.ts';
import { SandboxGateway } from './sandbox/gateway.ts';
import { StripeCardElement } from './stripe/cardElement.ts';
import { stripeClient } from './stripe/client.ts';
import { StripeGateway } from './stripe/gateway.ts';
import { StripePayouts } from './stripe/payouts.ts';

/** The gateway that the configuration selects. */
export function selectGateway(config: Config, env: Env): Gateway {
  switch (config.gateway) {
    case 'sandbox':
      return new SandboxGateway(env);
    case 'stripe':
      if (config.stripe === null) throw new Error('Stripe is not configured');
      return new StripeGateway(stripeClient(config.stripe));
  }
}

/** Stripe's payouts. */
export function selectPayouts(stripe: StripeConfig): PayoutSource {
  return new StripePayouts(stripeClient(stripe));
}

/** The acquirer's card form; null where guests use this service's own form. */
export function selectCardElement({ stripe }: Config): CardElement | null {
  if (!stripe?.publishableKey) return null;
  return new StripeCardElement(stripeClient(stripe), stripe.publishableKey);
}
