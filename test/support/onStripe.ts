/** The service with Stripe as its gateway, and a stand-in for Stripe at `fetch`. */
import { vi } from 'vitest';
import { err, ok } from '../../src/core/result.ts';
import type { StripeConfig } from '../../src/platform/config.ts';
import * as configuration from '../../src/platform/config.ts';
import { FakeStripe } from './stripe.ts';

/** What the service knows of its account. */
export const stripeConfig: StripeConfig = {
  secretKey: 'sk_test_1',
  webhookSecrets: ['whsec_1', 'whsec_2'],
  apiBase: new URL('https://api.stripe.com'),
  publishableKey: 'pk_test_1',
};

/** Selects Stripe until mocks are restored; without `publishableKey`, guests type cards into our own form. */
export function selectStripe(changes: Partial<StripeConfig> = {}): FakeStripe {
  const stripe = new FakeStripe();
  const actual = configuration.readConfig;
  const readConfig: typeof actual = async (env) => {
    const config = await actual(env);
    if (!config.ok) return err(config.error);
    return ok({ ...config.value, gateway: 'stripe', stripe: { ...stripeConfig, ...changes } });
  };
  vi.spyOn(configuration, 'readConfig').mockImplementation(readConfig);
  vi.spyOn(configuration, 'requireConfig').mockImplementation(async (env) => {
    const config = await readConfig(env);
    if (!config.ok) throw new Error(config.error);
    return config.value;
  });
  vi.spyOn(globalThis, 'fetch').mockImplementation(stripe.fetch);
  return stripe;
}
