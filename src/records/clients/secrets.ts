import { base64url } from 'jose';
import { digestOf } from '../../core/digest.ts';

/** A new client secret: 256 random bits. */
export function newSecret(): string {
  return base64url.encode(crypto.getRandomValues(new Uint8Array(32)));
}

/** The stored digest of a secret. Secrets are long and random, so one round of SHA-256 is enough. */
export function digestSecret(secret: string): Promise<string> {
  return digestOf(secret);
}

/** Whether a secret has the stored digest, compared in constant time. */
export async function secretMatches(secret: string, storedDigest: string): Promise<boolean> {
  const presented = new TextEncoder().encode(await digestSecret(secret));
  const stored = new TextEncoder().encode(storedDigest);
  return (
    presented.byteLength === stored.byteLength && crypto.subtle.timingSafeEqual(presented, stored)
  );
}
