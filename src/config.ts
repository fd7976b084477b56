import { madeOnce } from './core/made.ts';
import { err, ok, type Result } from './core/result.ts';
import { holdsLocalKey, Keyring } from './crypto/keyring.ts';
import type { Env } from './env.ts';
import type { GatewayName } from './gateways/gateway.ts';
import type { StripeConfig } from './gateways/stripe/client.ts';

/** What a deployment is set up to do, checked once. */
export interface Config {
  /** A developer's own machine: seeded clients and local keys are allowed, and loopback PMS addresses. */
  readonly local: boolean;
  readonly gateway: GatewayName;
  /** Set where the gateway is Stripe. */
  readonly stripe: StripeConfig | null;
  readonly keyring: Keyring;
  /** How many days export files are kept. */
  readonly exportKeepDays: number;
}

/** A year's files and some more (decisions: section 10). */
const DEFAULT_KEEP_DAYS = '400';

const checked = new WeakMap<Env, Promise<Result<Config, string>>>();

/**
 * The configuration of this deployment, or the sentence that says what is missing. Outside local mode
 * nothing has a default: an unset secret, or a local one, stops every route.
 */
export function readConfig(env: Env): Promise<Result<Config, string>> {
  return madeOnce(checked, env, () => check(env));
}

/** Like {@link readConfig}, for objects and cron: a deployment that is not set up does no work at all. */
export async function requireConfig(env: Env): Promise<Config> {
  const config = await readConfig(env);
  if (!config.ok) throw new Error(config.error);
  return config.value;
}

async function check(env: Env): Promise<Result<Config, string>> {
  const local = env.LOCAL_MODE === 'true';
  const gateway = env.GATEWAY ?? (local ? 'sandbox' : '');
  if (gateway !== 'sandbox' && gateway !== 'stripe') {
    return err('GATEWAY must be set to sandbox or stripe.');
  }
  const stripe = gateway === 'stripe' ? readStripe(env, local) : ok(null);
  if (!stripe.ok) return stripe;
  const keepDays = env.EXPORT_KEEP_DAYS ?? DEFAULT_KEEP_DAYS;
  if (!/^[1-9]\d{0,4}$/.test(keepDays)) return err('EXPORT_KEEP_DAYS must be a number of days.');
  const exportKeepDays = Number(keepDays);
  if (!env.KEYRING) return err('The secret KEYRING is not set.');
  try {
    if (!local && holdsLocalKey(env.KEYRING)) {
      return err('KEYRING holds a key of the local start.');
    }
    const keyring = await Keyring.parse(env.KEYRING);
    return ok({ local, gateway, stripe: stripe.value, keyring, exportKeepDays });
  } catch {
    return err('KEYRING must hold one or more keys written id:base64 of 32 bytes.');
  }
}

/** Stripe's own API. */
const STRIPE_API = 'https://api.stripe.com';

function readStripe(env: Env, local: boolean): Result<StripeConfig, string> {
  const { STRIPE_SECRET_KEY: secretKey, STRIPE_WEBHOOK_SECRET: secrets = '' } = env;
  const webhookSecrets = secrets.split(',').filter((secret) => secret !== '');
  if (!secretKey) return err('The secret STRIPE_SECRET_KEY is not set.');
  if (webhookSecrets.length === 0) return err('The secret STRIPE_WEBHOOK_SECRET is not set.');
  const base = env.STRIPE_API_BASE ?? STRIPE_API;
  const apiBase = URL.canParse(base) ? new URL(base) : null;
  const loopback = local && ['127.0.0.1', 'localhost'].includes(apiBase?.hostname ?? '');
  if (apiBase === null || (apiBase.protocol !== 'https:' && !loopback)) {
    return err('STRIPE_API_BASE must be an https address.');
  }
  const publishableKey = env.STRIPE_PUBLISHABLE_KEY || null;
  return ok({ secretKey, webhookSecrets, apiBase, publishableKey });
}
