import { base64url } from 'jose';
import type { KeyPurpose, Keyring } from './keyring.ts';

const NONCE_BYTES = 12;

const encoder = new TextEncoder();

/**
 * Encrypts and authenticates a text: `keyId.base64url(nonce + ciphertext)`. The seal covers `context` without storing
 * it: {@link unseal} with another context fails.
 */
export async function seal(
  keyring: Keyring,
  purpose: KeyPurpose,
  context: string,
  text: string,
): Promise<string> {
  const { keyId, key } = await keyring.current(purpose);
  const nonce = crypto.getRandomValues(new Uint8Array(NONCE_BYTES));
  const box = await crypto.subtle.encrypt(
    { name: 'AES-GCM', iv: nonce, additionalData: encoder.encode(context) },
    key,
    encoder.encode(text),
  );
  const whole = new Uint8Array(NONCE_BYTES + box.byteLength);
  whole.set(nonce);
  whole.set(new Uint8Array(box), NONCE_BYTES);
  return `${keyId}.${base64url.encode(whole)}`;
}

/** Decrypts a sealed text; null when it was changed, sealed for another context, or its key has left the keyring. */
export async function unseal(
  keyring: Keyring,
  purpose: KeyPurpose,
  context: string,
  sealed: string,
): Promise<string | null> {
  const parts = /^([A-Za-z0-9_-]{1,32})\.([A-Za-z0-9_-]{38,8192})$/.exec(sealed);
  const key = parts && (await keyring.byId(purpose, parts[1] as string));
  if (!parts || !key) return null;
  try {
    const bytes = base64url.decode(parts[2] as string);
    // The last character can have unused bits: accept only the canonical form.
    if (base64url.encode(bytes) !== parts[2]) return null;
    const text = await crypto.subtle.decrypt(
      {
        name: 'AES-GCM',
        iv: bytes.slice(0, NONCE_BYTES),
        additionalData: encoder.encode(context),
      },
      key,
      bytes.slice(NONCE_BYTES),
    );
    return new TextDecoder('utf-8', { fatal: false, ignoreBOM: true }).decode(text);
  } catch {
    return null;
  }
}
