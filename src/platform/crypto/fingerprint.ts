import { base64url } from 'jose';
import { equalInConstantTime } from '../../core/constantTime.ts';
import type { JsonObject } from '../../core/failure.ts';
import type { Keyring } from './keyring.ts';

/**
 * A keyed fingerprint of a validated request. It detects another request under the same idempotency key. It is an
 * HMAC, so that nobody without the key can test guesses against the stored value.
 */
export async function fingerprint(keyring: Keyring, request: JsonObject): Promise<string> {
  const { keyId, key } = await keyring.current('request-fingerprint');
  return `${keyId}.${await mac(key, request)}`;
}

/** Whether a stored fingerprint belongs to this request, also after a rotation of keys. */
export async function sameFingerprint(
  keyring: Keyring,
  stored: string,
  request: JsonObject,
): Promise<boolean> {
  const keyId = stored.slice(0, stored.indexOf('.'));
  const key = await keyring.byId('request-fingerprint', keyId);
  return key !== null && equalInConstantTime(stored, `${keyId}.${await mac(key, request)}`);
}

async function mac(key: CryptoKey, request: JsonObject): Promise<string> {
  const text = new TextEncoder().encode(canonicalJson(request));
  return base64url.encode(new Uint8Array(await crypto.subtle.sign('HMAC', key, text)));
}

/** JSON with sorted keys: the order of keys in a request does not matter. */
function canonicalJson(value: unknown): string {
  return JSON.stringify(value, (_key, part: unknown) =>
    part !== null && typeof part === 'object' && !Array.isArray(part)
      ? Object.fromEntries(Object.entries(part).toSorted(([a], [b]) => (a < b ? -1 : 1)))
      : part,
  );
}
