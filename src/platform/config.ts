import { getOrInsertComputed } from '../core/getOrInsertComputed.ts';
import { err, ok, type Result } from '../core/result.ts';
import { holdsLocalKey, Keyring } from './crypto/keyring.ts';
import type { Env } from './env.ts';
import { isRegion } from './objects.ts';

/** The acquirer that this deployment uses, with its settings. */
export type GatewayConfig = { readonly name: 'sandbox' } | StripeConfig;

/** The acquirers that this service has an adapter for. */
export type GatewayName = GatewayConfig['name'];

/** The service's Stripe account. */
export interface StripeConfig {
  readonly name: 'stripe';
  readonly secretKey: string;
  /** One for each webhook endpoint: own account, connected accounts, and old secrets during a rotation. */
  readonly webhookSecrets: readonly string[];
  /** Stripe's API, or a substitute in tests. */
  readonly apiBase: URL;
  /** The key for Stripe's card form on guest pages; null where guests type cards into this service's own form. */
  readonly publishableKey: string | null;
}

/** Cloudflare Access, where it stands before the console (interface: Staff). */
export interface AccessConfig {
  /** The team's address, such as `https://hotel.cloudflareaccess.com`: its keys are below it, and tokens name it. */
  readonly team: URL;
  /** The application's audience tag. */
  readonly audience: string;
  /** Whether nobody signs in by mail: what Access asks for besides, such as a second factor, has no way around it. */
  readonly isOnlyWay: boolean;
}

/** The checked configuration of a deployment. */
export interface Config {
  /** True for `npm start` on a developer's machine: allows seeded clients, local keys and loopback PMS URLs. */
  readonly local: boolean;
  readonly gateway: GatewayConfig;
  readonly keyring: Keyring;
  /** How many days export files are kept. */
  readonly exportKeepDays: number;
  /** Null where people of the staff sign in by mail alone. */
  readonly access: AccessConfig | null;
}

/** A year's files and some more (exports: Three files a day). */
const DEFAULT_KEEP_DAYS = '400';

const checked = new WeakMap<Env, Promise<Result<Config, string>>>();

/**
 * The configuration, or a sentence that names the first fault. Outside local mode an unset secret or address, or a
 * local key, makes every route answer `not_configured`.
 */
export function readConfig(env: Env): Promise<Result<Config, string>> {
  return getOrInsertComputed(checked, env, () => check(env));
}

/** Like {@link readConfig}, for objects and cron. Throws when the configuration has a fault. */
export async function requireConfig(env: Env): Promise<Config> {
  const config = await readConfig(env);
  if (!config.ok) throw new Error(config.error);
  return config.value;
}

async function check(env: Env): Promise<Result<Config, string>> {
  const local = env.LOCAL_MODE === 'true';
  const gateway = readGateway(env, local);
  if (!gateway.ok) return gateway;
  const keepDays = env.EXPORT_KEEP_DAYS ?? DEFAULT_KEEP_DAYS;
  if (!/^[1-9]\d{0,4}$/.test(keepDays)) return err('Set EXPORT_KEEP_DAYS to a number of days.');
  const exportKeepDays = Number(keepDays);
  if (!isRegion(env.OBJECTS_NEAR)) return err('OBJECTS_NEAR must be a region, such as weur.');
  const wrongAddress = whyNoAddress(env, local);
  if (wrongAddress) return err(wrongAddress);
  const access = readAccess(env, local);
  if (!access.ok) return access;
  if (!env.KEYRING) return err('The secret KEYRING is not set.');
  try {
    if (!local && holdsLocalKey(env.KEYRING)) {
      return err('KEYRING contains a key of the local start, which is public. Create a new one.');
    }
    const keyring = await Keyring.parse(env.KEYRING);
    return ok({
      local,
      gateway: gateway.value,
      keyring,
      exportKeepDays,
      access: access.value,
    });
  } catch {
    return err('KEYRING must hold one or more keys written id:base64 of 32 bytes.');
  }
}

/** What is wrong with the address of links; null if nothing is. */
function whyNoAddress({ PUBLIC_BASE_URL: base }: Env, local: boolean): string | null {
  // Links that sign people in begin with it: were it the request's host, the caller would choose it.
  if (!base) return local ? null : 'Set PUBLIC_BASE_URL to the https address of the service.';
  return isPublicAddress(base, local)
    ? null
    : 'PUBLIC_BASE_URL must be an https address without a path.';
}

/** Whether links may begin with this. */
function isPublicAddress(base: string, local: boolean): boolean {
  if (!URL.canParse(base)) return false;
  const { origin, protocol } = new URL(base);
  return base.replace(/\/+$/, '') === origin && (protocol === 'https:' || local);
}

function readAccess(env: Env, local: boolean): Result<AccessConfig | null, string> {
  const { ACCESS_AUDIENCE: audience, ACCESS_ONLY: only, ACCESS_TEAM: team } = env;
  if (only && only !== 'true') return err('ACCESS_ONLY must be "true", or left out.');
  if (only && !team) return err('ACCESS_ONLY needs ACCESS_TEAM and ACCESS_AUDIENCE.');
  if (!team && !audience) return ok(null);
  if (!team || !audience) return err('Set both ACCESS_TEAM and ACCESS_AUDIENCE, or neither.');
  if (!isPublicAddress(team, local)) {
    return err('ACCESS_TEAM must be an https address without a path.');
  }
  return ok({ team: new URL(team), audience, isOnlyWay: only === 'true' });
}

/** How the settings of each acquirer are read and checked. */
const readers: {
  readonly [Name in GatewayName]: (env: Env, local: boolean) => Result<GatewayConfig, string>;
} = {
  sandbox: () => ok({ name: 'sandbox' }),
  stripe: readStripe,
};

export const GATEWAYS = Object.keys(readers) as GatewayName[];

function readGateway(env: Env, local: boolean): Result<GatewayConfig, string> {
  const named = env.GATEWAY ?? (local ? 'sandbox' : '');
  const name = GATEWAYS.find((one) => one === named);
  return name ? readers[name](env, local) : err(`Set GATEWAY to ${GATEWAYS.join(' or ')}.`);
}

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
  return ok({ name: 'stripe', secretKey, webhookSecrets, apiBase, publishableKey });
}
