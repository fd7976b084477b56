import { type CompactJWSHeaderParameters, jwtVerify, SignJWT } from 'jose';
import { equalInConstantTime } from '../../core/constantTime.ts';
import { getOrInsertComputed } from '../../core/getOrInsertComputed.ts';
import { LruCache } from '../../core/lruCache.ts';
import { SECOND_MS } from '../../core/time.ts';
import type { Keyring } from '../../platform/crypto/keyring.ts';
import { LIVES } from '../keyring/lives.ts';
import { isScope, type Scope } from './rules/scopes.ts';

export const ACCESS_TOKEN_SECONDS = LIVES.access_token / SECOND_MS;

const ISSUER = 'booking-payments';

/** The claims of an access token: client, property (null for an administrator) and scopes. */
export interface AccessClaims {
  readonly clientId: string;
  readonly propertyId: string | null;
  readonly scopes: readonly Scope[];
}

/** Signs an access token: an HS256 JWT that names its signing key. */
export async function signAccessToken(
  keyring: Keyring,
  claims: AccessClaims,
  nowMs: number,
): Promise<string> {
  const { keyId, key } = await keyring.current('access-token');
  const nowSeconds = Math.floor(nowMs / 1000);
  return new SignJWT({ pid: claims.propertyId, scope: claims.scopes.join(' ') })
    .setProtectedHeader({ alg: 'HS256', kid: keyId })
    .setIssuer(ISSUER)
    .setSubject(claims.clientId)
    .setIssuedAt(nowSeconds)
    .setExpirationTime(nowSeconds + ACCESS_TOKEN_SECONDS)
    .sign(key);
}

/** How many verified tokens to cache. A client uses each for up to an hour. */
const MOST_TOKENS = 1_000;

interface Verified {
  readonly signature: string;
  readonly expiresAtMs: number;
  readonly claims: AccessClaims;
}

/** By the signed part of the token. Only the signature is secret, and is compared in constant time. */
const verified = new WeakMap<Keyring, LruCache<Verified>>();

/** The claims of a valid access token; null for a forged, changed or expired one. No I/O. */
export async function verifyAccessToken(
  keyring: Keyring,
  token: string,
  nowMs: number,
): Promise<AccessClaims | null> {
  const signedLength = token.lastIndexOf('.');
  const signed = token.slice(0, signedLength);
  const signature = token.slice(signedLength + 1);
  const tokens = getOrInsertComputed(verified, keyring, () => new LruCache<Verified>(MOST_TOKENS));
  const known = tokens.get(signed);
  if (known && equalInConstantTime(known.signature, signature)) {
    return nowMs < known.expiresAtMs ? known.claims : null;
  }
  const fresh = await verify(keyring, token, nowMs);
  if (fresh === null) return null;
  tokens.set(signed, { ...fresh, signature });
  return fresh.claims;
}

async function verify(
  keyring: Keyring,
  token: string,
  nowMs: number,
): Promise<Pick<Verified, 'claims' | 'expiresAtMs'> | null> {
  const keyOf = async ({ kid = '' }: CompactJWSHeaderParameters): Promise<CryptoKey> => {
    const key = await keyring.byId('access-token', kid);
    if (key === null) throw new Error('no such key');
    return key;
  };
  try {
    const { payload } = await jwtVerify(token, keyOf, {
      algorithms: ['HS256'],
      issuer: ISSUER,
      requiredClaims: ['sub', 'exp'],
      currentDate: new Date(nowMs),
    });
    const { exp, sub, pid, scope } = payload;
    const claims: AccessClaims = {
      clientId: sub as string,
      propertyId: typeof pid === 'string' ? pid : null,
      scopes: typeof scope === 'string' ? scope.split(' ').filter(isScope) : [],
    };
    return { claims, expiresAtMs: (exp as number) * 1000 };
  } catch {
    return null;
  }
}
