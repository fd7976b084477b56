/** Brings together what is known already and what the four questions still have to tell. */
import type { Wrangler } from '../wrangler.ts';
import { findDatabase, secretNames } from './cloudflare.ts';
import {
  type Change,
  reachedAt,
  readSettings,
  type Settings,
  writeSettings,
} from './production.ts';
import {
  askAddress,
  askHotel,
  askStripe,
  type Given,
  type Hotel,
  type StripeKeys,
} from './questions.ts';
import { noRecords, type Records, readRecords } from './records.ts';
import { SetupStop } from './stop.ts';

/** Everything that the steps work with. */
export interface Answers {
  readonly databaseName: string;
  /** Null while the account has no such database. */
  readonly databaseId: string | null;
  readonly bucketName: string;
  /** `https://` and a host. */
  readonly publicAddress: string;
  /** Null when the deployment has a property and no other was named. */
  readonly hotel: Hotel | null;
  readonly gateway: 'sandbox' | 'stripe';
  /** Null for the sandbox, and when the Worker has Stripe's secrets already. */
  readonly stripe: StripeKeys | null;
  readonly records: Records;
  /** The names of the Worker's secrets; null while there is no Worker. */
  readonly secrets: ReadonlySet<string> | null;
  /** Whether wrangler.toml was changed. */
  readonly changed: boolean;
}

/** Asks what is not known yet, and writes it into wrangler.toml. Changes nothing else. */
export async function gatherAnswers(
  wrangler: Wrangler,
  config: string,
  given: Given,
): Promise<Answers> {
  const settings = await readSettings(config);
  let changed = false;
  const write = (changes: readonly Change[]) => {
    changed = writeSettings(config, changes) || changed;
  };

  const publicAddress = await addressOf(settings, given);
  write(addressChanges(settings, publicAddress));
  const databaseId = settings.databaseId ?? (await findDatabase(wrangler, settings.databaseName));
  if (databaseId !== null) write([databaseChange(databaseId)]);
  const records = databaseId === null ? noRecords : await readRecords(wrangler);
  const secrets = await secretNames(wrangler);

  const isNew = given.hotel !== undefined || records.properties.length === 0;
  const hotel = isNew ? await askHotel(given) : null;
  const stripe = await stripeOf(settings, given, secrets);
  const gateway = settings.gateway === 'stripe' || stripe !== null ? 'stripe' : 'sandbox';
  write(gatewayChanges(gateway, stripe));
  const { bucketName, databaseName } = settings;
  return {
    databaseName,
    databaseId,
    bucketName,
    publicAddress,
    hotel,
    gateway,
    stripe,
    records,
    secrets,
    changed,
  };
}

/** The setting that names the database. */
export function databaseChange(id: string): Change {
  return { table: '[[env.production.d1_databases]]', key: 'database_id', value: id };
}

async function addressOf({ publicAddress }: Settings, given: Given): Promise<string> {
  if (publicAddress !== null && given.address === undefined) return publicAddress;
  const address = `https://${await askAddress(given)}`;
  if (publicAddress === null || publicAddress === address) return address;
  throw new SetupStop(`wrangler.toml says PUBLIC_BASE_URL = "${publicAddress}". Change it there.`);
}

function addressChanges({ isReachable, publicAddress }: Settings, address: string): Change[] {
  const all = reachedAt(new URL(address).host);
  if (!isReachable) return all;
  return publicAddress === null ? all.filter(({ key }) => key === 'PUBLIC_BASE_URL') : [];
}

async function stripeOf(
  { gateway }: Settings,
  given: Given,
  secrets: ReadonlySet<string> | null,
): Promise<StripeKeys | null> {
  if (given.gateway !== undefined && gateway !== null && gateway !== given.gateway) {
    throw new SetupStop(`wrangler.toml says GATEWAY = "${gateway}". Change it there.`);
  }
  const hasSecrets =
    secrets?.has('STRIPE_SECRET_KEY') === true && secrets.has('STRIPE_WEBHOOK_SECRET');
  if (gateway === 'sandbox' || (gateway === 'stripe' && hasSecrets)) return null;
  const keys = await askStripe(given);
  if (keys === null && (gateway ?? given.gateway) === 'stripe') {
    throw new SetupStop('Charges go to Stripe, so its secret key is needed.');
  }
  return keys;
}

function gatewayChanges(gateway: string, stripe: StripeKeys | null): Change[] {
  const table = '[env.production.vars]';
  const key = stripe?.publishableKey ?? null;
  return [
    { table, key: 'GATEWAY', value: gateway },
    ...(key === null ? [] : [{ table, key: 'STRIPE_PUBLISHABLE_KEY', value: key } as const]),
  ];
}
