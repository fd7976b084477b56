import type { Keyring } from '../../platform/crypto/keyring.ts';
import { seal, unseal } from '../../platform/crypto/seal.ts';
import type { WebhookEndpointRow } from '../../schema/eventTables.ts';

const SECRET_BYTES = 32;

/** What a secret begins with, before its bytes in base64. */
const PREFIX = 'whsec_';

/** A new signing secret of Standard Webhooks: `whsec_` and 32 random bytes in base64. */
export function newSigningSecret(): string {
  return PREFIX + crypto.getRandomValues(new Uint8Array(SECRET_BYTES)).toBase64();
}

export function sealSecret(keyring: Keyring, endpointId: string, secret: string): Promise<string> {
  return seal(keyring, 'webhook-secret', endpointId, secret);
}

/**
 * The secrets that sign deliveries at `realMs`: the endpoint's own, and for a day the one before it. Empty if the own one
 * can no longer be decrypted.
 */
export async function signingSecrets(
  keyring: Keyring,
  endpoint: Pick<
    WebhookEndpointRow,
    'id' | 'secretSealed' | 'previousSecretSealed' | 'previousUntilMs'
  >,
  realMs: number,
): Promise<string[]> {
  const { id, previousSecretSealed: previous, previousUntilMs, secretSealed } = endpoint;
  const isStillUsed = previous !== null && previousUntilMs !== null && realMs < previousUntilMs;
  const sealed = [secretSealed, ...(isStillUsed ? [previous] : [])];
  const secrets = await Promise.all(
    sealed.map((one) => unseal(keyring, 'webhook-secret', id, one)),
  );
  return secrets[0] === null ? [] : secrets.filter((secret) => secret !== null);
}

/** What is signed: Standard Webhooks covers the id, the time and the body. */
export interface Signed {
  readonly id: string;
  /** Real time, in milliseconds. */
  readonly atMs: number;
  readonly body: string;
}

/** The headers of a delivery by Standard Webhooks: one signature for each secret. */
export async function signatureHeaders(secrets: readonly string[], { id, atMs, body }: Signed) {
  const seconds = String(Math.floor(atMs / 1_000));
  const text = new TextEncoder().encode(`${id}.${seconds}.${body}`);
  const signatures = await Promise.all(secrets.map((secret) => signature(secret, text)));
  return {
    'webhook-id': id,
    'webhook-timestamp': seconds,
    'webhook-signature': signatures.join(' '),
  };
}

async function signature(secret: string, text: Uint8Array): Promise<string> {
  const bytes = Uint8Array.fromBase64(secret.slice(PREFIX.length));
  const algorithm = { name: 'HMAC', hash: 'SHA-256' };
  const key = await crypto.subtle.importKey('raw', bytes, algorithm, false, ['sign']);
  return `v1,${new Uint8Array(await crypto.subtle.sign('HMAC', key, text)).toBase64()}`;
}
