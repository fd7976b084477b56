import { base64url } from 'jose';
import { hex } from '../core/ids.ts';

/** A new client secret: 256 random bits. */
export function newSecret(): string {
  return base64url.encode(crypto.getRandomValues(new Uint8Array(32)));
}

/** What is stored of a secret. Secrets are random and long, so one round of SHA-256 is enough. */
export async function digestSecret(secret: string): Promise<string> {
  return hex(new Uint8Array(await digest(secret)));
}

/** Whether a secret is the one whose digest is stored, in constant time. */
export async function secretMatches(secret: string, storedDigest: string): Promise<boolean> {
  const presented = new TextEncoder().encode(await digestSecret(secret));
  const stored = new TextEncoder().encode(storedDigest);
  return (
    presented.byteLength === stored.byteLength && crypto.subtle.timingSafeEqual(presented, stored)
  );
}

function digest(text: string): Promise<ArrayBuffer> {
  return crypto.subtle.digest('SHA-256', new TextEncoder().encode(text));
}
