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

type Chosen = Pick<Config, 'gateway'>;

export function selectGateway({ gateway }: Chosen, env: Env): Gateway {
  switch (gateway.name) {
    case 'sandbox':
      return new SandboxGateway(env);
    case 'stripe':
      return new StripeGateway(stripeClient(gateway), gateway.secretKey.includes('_test_'));
  }
}

/** The acquirer's payouts; null where there are none to mirror. */
export function selectPayouts({ gateway }: Chosen): PayoutSource | null {
  switch (gateway.name) {
    case 'sandbox':
      return null;
    case 'stripe':
      return new StripePayouts(stripeClient(gateway));
  }
}

/** The acquirer's card form; null where guests use this service's own form. */
export function selectCardElement({ gateway }: Chosen): CardElement | null {
  switch (gateway.name) {
    case 'sandbox':
      return null;
    case 'stripe': {
      const { publishableKey: key } = gateway;
      return key === null ? null : new StripeCardElement(stripeClient(gateway), key);
    }
  }
}

/** The settings of Stripe; null where another gateway is in use. */
export function stripeOf({ gateway }: Chosen): StripeConfig | null {
  return gateway.name === 'stripe' ? gateway : null;
}
