import type { Config, StripeConfig } from '../platform/config.ts';
import type { Env } from '../platform/env.ts';
import type { CardElement } from './cardElement.ts';
import type { Gateway } from './gateway.ts';
import type { PayoutSource } from './payouts.ts';
import { SandboxGateway } from './sandbox.ts';
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
      return new StripeGateway(stripeClient(stripeOf(config)));
  }
}

/** Stripe's payouts. */
export function selectPayouts(stripe: StripeConfig): PayoutSource {
  return new StripePayouts(stripeClient(stripe));
}

/** Whether properties have accounts of their own at the acquirer, or all share one. */
export function accountsAt({ gateway }: Config): 'one' | 'named' {
  switch (gateway) {
    case 'sandbox':
      return 'one';
    case 'stripe':
      return 'named';
  }
}

/** The settings of Stripe, where it is the gateway. */
export function stripeOf({ stripe }: Config): StripeConfig {
  if (stripe === null) throw new Error('Stripe is not configured');
  return stripe;
}

/** The acquirer's card form; null where guests use this service's own form. */
export function selectCardElement({ stripe }: Config): CardElement | null {
  if (!stripe?.publishableKey) return null;
  return new StripeCardElement(stripeClient(stripe), stripe.publishableKey);
}
