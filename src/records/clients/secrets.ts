import { base64url } from 'jose';
import { hex } from '../../core/ids.ts';

/** A new client secret: 256 random bits. */
export function newSecret(): string {
  return base64url.encode(crypto.getRandomValues(new Uint8Array(32)));
}

/** The stored digest of a secret. Secrets are long and random, so one round of SHA-256 is enough. */
export async function digestSecret(secret: string): Promise<string> {
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(secret));
  return hex(new Uint8Array(digest));
}

/** Whether a secret has the stored digest, compared in constant time. */
export async function secretMatches(secret: string, storedDigest: string): Promise<boolean> {
  const presented = new TextEncoder().encode(await digestSecret(secret));
  const stored = new TextEncoder().encode(storedDigest);
  return (
    presented.byteLength === stored.byteLength && crypto.subtle.timingSafeEqual(presented, stored)
  );
}
