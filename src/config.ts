import { err, ok, type Result } from './core/result.ts';
import { holdsLocalKey, Keyring } from './crypto/keyring.ts';
import type { Env } from './env.ts';

/** What a deployment is set up to do, checked once. */
export interface Config {
  /** A developer's own machine: seeded clients and local keys are allowed, and loopback PMS addresses. */
  readonly local: boolean;
  readonly gateway: 'sandbox';
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
  const known = checked.get(env);
  if (known) return known;
  const fresh = check(env);
  checked.set(env, fresh);
  return fresh;
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
  if (gateway !== 'sandbox') return err('GATEWAY must be set to sandbox.');
  const keepDays = env.EXPORT_KEEP_DAYS ?? DEFAULT_KEEP_DAYS;
  if (!/^[1-9]\d{0,4}$/.test(keepDays)) return err('EXPORT_KEEP_DAYS must be a number of days.');
  const exportKeepDays = Number(keepDays);
  if (!env.KEYRING) return err('The secret KEYRING is not set.');
  try {
    if (!local && holdsLocalKey(env.KEYRING)) {
      return err('KEYRING holds a key of the local start.');
    }
    return ok({ local, gateway, keyring: await Keyring.parse(env.KEYRING), exportKeepDays });
  } catch {
    return err('KEYRING must hold one or more keys written id:base64 of 32 bytes.');
  }
}
