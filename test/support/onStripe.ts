/** The service with Stripe as its gateway, and a stand-in for Stripe at `fetch`. */
import { Stripe } from 'stripe';
import { vi } from 'vitest';
import { err, ok } from '../../src/core/result.ts';
import type { PayoutSource } from '../../src/gateways/payouts.ts';
import { stripeClient } from '../../src/gateways/stripe/client.ts';
import { StripePayouts } from '../../src/gateways/stripe/payouts.ts';
import type { StripeConfig } from '../../src/platform/config.ts';
import * as configuration from '../../src/platform/config.ts';
import { http } from './api.ts';
import { FakeStripe } from './stripe.ts';

/** What the service knows of its account. */
export const stripeConfig: StripeConfig = {
  name: 'stripe',
  secretKey: 'sk_test_1',
  webhookSecrets: ['whsec_1', 'whsec_2'],
  apiBase: new URL('https://api.stripe.com'),
  publishableKey: 'pk_test_1',
};

/** Stripe's payouts, as the sweep reads them. */
export function stripePayouts(): PayoutSource {
  return new StripePayouts(stripeClient(stripeConfig));
}

/** Selects Stripe until mocks are restored; without `publishableKey`, guests type cards into our own form. */
export function selectStripe(changes: Partial<StripeConfig> = {}): FakeStripe {
  const stripe = new FakeStripe();
  const actual = configuration.readConfig;
  const readConfig: typeof actual = async (env) => {
    const config = await actual(env);
    if (!config.ok) return err(config.error);
    return ok({ ...config.value, gateway: { ...stripeConfig, ...changes } });
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

/** Selects Stripe with connected accounts beside the platform's own, each with a memory of its own. */
export function selectStripeWith<Account extends string>(
  ...accounts: readonly Account[]
): { readonly platform: FakeStripe; readonly of: Readonly<Record<Account, FakeStripe>> } {
  const platform = selectStripe();
  const connected = new Map(accounts.map((account) => [account as string, new FakeStripe()]));
  vi.spyOn(globalThis, 'fetch').mockImplementation((input, init) => {
    const account = new Request(input, init).headers.get('Stripe-Account');
    const stripe = account === null ? platform : connected.get(account);
    if (!stripe) throw new Error(`there is no account ${account}`);
    return stripe.fetch(input, init);
  });
  return { platform, of: Object.fromEntries(connected) as Record<Account, FakeStripe> };
}

/** Sends an event signed as Stripe signs it; the status of the answer, and whether the event was known. */
export async function tellOf(
  type: string,
  object: object,
  account?: string,
): Promise<[number, boolean | undefined]> {
  const event = { id: 'evt_1', object: 'event', type, data: { object } };
  const payload = JSON.stringify(account === undefined ? event : { ...event, account });
  const signature = await new Stripe('sk_test_1').webhooks.generateTestHeaderStringAsync({
    payload,
    secret: stripeConfig.webhookSecrets[0] ?? '',
    cryptoProvider: Stripe.createSubtleCryptoProvider(),
  });
  const headers = { 'Content-Type': 'application/json', 'Stripe-Signature': signature };
  const response = await http('/gateway/v1/stripe', { method: 'POST', headers, body: payload });
  const { known } = (await response.json()) as { known?: boolean };
  return [response.status, known];
}
