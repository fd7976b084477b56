import { Stripe } from 'stripe';
import type { StripeConfig } from '../../platform/config.ts';
import { GATEWAY_DEADLINE_MS } from '../deadline.ts';

/** The client aborts this much before the gateway's deadline, so that the gateway still sees the request end. */
const HEADROOM_MS = 500;

/** Stripe's official client, on `fetch`. It never retries: this service decides when to send a request again. */
export function stripeClient(config: Pick<StripeConfig, 'secretKey' | 'apiBase'>): Stripe {
  const { secretKey, apiBase } = config;
  const { hostname, port, protocol } = apiBase;
  return new Stripe(secretKey, {
    httpClient: Stripe.createFetchHttpClient(),
    host: hostname,
    ...(port !== '' && { port }),
    protocol: protocol === 'http:' ? 'http' : 'https',
    maxNetworkRetries: 0,
    timeout: GATEWAY_DEADLINE_MS - HEADROOM_MS,
    telemetry: false,
  });
}
