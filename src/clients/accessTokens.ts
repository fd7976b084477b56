import { decodeProtectedHeader, jwtVerify, SignJWT } from 'jose';
import type { Keyring } from '../crypto/keyring.ts';
import { isScope, type Scope } from './scopes.ts';

/** How long an access token is good for. */
export const ACCESS_TOKEN_SECONDS = 3600;

const ISSUER = 'booking-payments';

/** What an access token says: who, for which property (null for an administrator), and what for. */
export interface AccessClaims {
  readonly clientId: string;
  readonly propertyId: string | null;
  readonly scopes: readonly Scope[];
}

/** Signs an access token: an HS256 JWT that names the key which signed it. */
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

/** What a valid access token says; null for a forged, changed or expired one. No I/O. */
export async function verifyAccessToken(
  keyring: Keyring,
  token: string,
  nowMs: number,
): Promise<AccessClaims | null> {
  try {
    const { kid } = decodeProtectedHeader(token);
    const key = kid === undefined ? null : await keyring.byId('access-token', kid);
    if (key === null) return null;
    const { payload } = await jwtVerify(token, key, {
      algorithms: ['HS256'],
      issuer: ISSUER,
      requiredClaims: ['sub', 'exp'],
      currentDate: new Date(nowMs),
    });
    const { sub, pid, scope } = payload;
    return {
      clientId: sub as string,
      propertyId: typeof pid === 'string' ? pid : null,
      scopes: typeof scope === 'string' ? scope.split(' ').filter(isScope) : [],
    };
  } catch {
    return null;
  }
}
