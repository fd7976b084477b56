import { createRemoteJWKSet, type JWTVerifyGetKey, jwtVerify } from 'jose';
import { getOrInsertComputed } from '../../core/getOrInsertComputed.ts';
import type { AccessConfig } from '../../platform/config.ts';

/** The team's keys, which jose fetches when it needs them and keeps for a while. */
const keysOf = new Map<string, JWTVerifyGetKey>();

/**
 * The e-mail address that Cloudflare Access vouches for, in lower case; null for a token that is forged, expired, of
 * another team or for another application (interface: Staff).
 */
export async function accessEmail(
  { audience, team }: AccessConfig,
  token: string,
): Promise<string | null> {
  const keys = getOrInsertComputed(keysOf, team.origin, () =>
    createRemoteJWKSet(new URL('/cdn-cgi/access/certs', team)),
  );
  try {
    const { payload } = await jwtVerify(token, keys, {
      algorithms: ['RS256'],
      issuer: team.origin,
      audience,
      requiredClaims: ['email', 'exp'],
    });
    return typeof payload['email'] === 'string' ? payload['email'].toLowerCase() : null;
  } catch {
    return null;
  }
}
