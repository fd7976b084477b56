import { Stripe } from 'stripe';
import { GATEWAY_DEADLINE_MS } from '../deadline.ts';

/** What the service knows of its account at Stripe. */
export interface StripeConfig {
  readonly secretKey: string;
  /** Those of its webhook endpoints: one for its own account, one for connected accounts, and any that is about to go. */
  readonly webhookSecrets: readonly string[];
  /** Where Stripe's API is; another address speaks the same in tests. */
  readonly apiBase: URL;
  /** What Stripe's own form is opened with on guests' pages; null where cards are typed into ours. */
  readonly publishableKey: string | null;
}

/** How much earlier than the gateway's own deadline a request is given up, so that its end is known. */
const HEADROOM_MS = 500;

/** The official client, on `fetch`. It never tries again by itself: what was sent, and how often, is this service's to know. */
export function stripeClient({ secretKey, apiBase }: StripeConfig): Stripe {
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
