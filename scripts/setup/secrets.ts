/** The secrets that the Worker lacks. What it has is never made again. */
import { randomBytes } from 'node:crypto';
import { holdsLocalKey, Keyring } from '../../src/platform/crypto/keyring.ts';
import type { Answers } from './answers.ts';
import { SetupStop } from './stop.ts';
import { newWebhookSecret, webhookUrl } from './stripe.ts';

/** Where the values come from. */
export interface SecretSources {
  /** A `KEYRING` that the operator keeps; undefined to make one. */
  readonly keyring: string | undefined;
  /** Stripe's API, or a substitute in tests. */
  readonly stripeApi: URL;
}

/** The missing secrets by name. */
export async function missingSecrets(
  answers: Answers,
  sources: SecretSources,
): Promise<Record<string, string>> {
  const { publicAddress, stripe } = answers;
  const lacks = (name: string) => answers.secrets?.has(name) !== true;
  const missing: Record<string, string> = {};
  if (lacks('KEYRING')) missing['KEYRING'] = await keyringFor(answers, sources.keyring);
  if (answers.gateway !== 'stripe' || stripe === null) return missing;
  if (lacks('STRIPE_SECRET_KEY')) missing['STRIPE_SECRET_KEY'] = stripe.secretKey;
  if (lacks('STRIPE_WEBHOOK_SECRET')) {
    const account = { secretKey: stripe.secretKey, apiBase: sources.stripeApi };
    missing['STRIPE_WEBHOOK_SECRET'] = await newWebhookSecret(account, webhookUrl(publicAddress));
  }
  return missing;
}

/** The operator's own `KEYRING`, or a new one. A database with records needs the one that they were made with. */
async function keyringFor({ records }: Answers, own: string | undefined): Promise<string> {
  if (own !== undefined) return checkedKeyring(own);
  if (records.properties.length + records.clients.length > 0) {
    throw new SetupStop(`The database has records, but the Worker has no KEYRING. Give the one that they were made
with, from your password store: KEYRING=… npm run setup`);
  }
  return `k1:${randomBytes(32).toString('base64')}`;
}

async function checkedKeyring(text: string): Promise<string> {
  const isUsable = await Keyring.parse(text).then(
    () => !holdsLocalKey(text),
    () => false,
  );
  if (!isUsable) {
    throw new SetupStop('KEYRING must be id:base64 of 32 bytes, and not the local start’s key.');
  }
  return text;
}
