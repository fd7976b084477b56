import { type Failure, failure } from '../../core/failure.ts';
import { err, ok, type Result } from '../../core/result.ts';
import type { Config } from '../../platform/config.ts';
import type { Database } from '../../platform/db/database.ts';
import { ACCESS_TOKEN_SECONDS, signAccessToken } from './accessTokens.ts';
import { forgetClient } from './clientCache.ts';
import { inGoodStanding } from './rules.ts';
import { secretMatches } from './secrets.ts';
import { type ClientRecord, findClient, revokeClient } from './store.ts';
import { grantScopes, invalidClient, type TokenError, type TokenRequest } from './tokenRequest.ts';

/** An access token response (RFC 6749 section 5.1). */
export interface IssuedToken {
  readonly access_token: string;
  readonly token_type: 'Bearer';
  readonly expires_in: number;
  readonly scope: string;
}

/** Compared for an unknown client, so that both cases take the same time. */
const NO_DIGEST = '0'.repeat(64);

/** A failed authentication: the client's id, or null for an unknown client. */
export interface Unproven {
  readonly clientId: string | null;
}

/**
 * Authenticates a client by its secret. Fails for a wrong secret, an unknown or revoked client, and a seeded client
 * outside local mode. One round trip.
 */
export async function provenClient(
  database: Database,
  { local }: Pick<Config, 'local'>,
  { clientId, clientSecret }: Pick<TokenRequest, 'clientId' | 'clientSecret'>,
): Promise<Result<ClientRecord, Unproven>> {
  const record = await findClient(database, clientId);
  const proven = await secretMatches(clientSecret, record?.client.secretDigest ?? NO_DIGEST);
  return record && proven && inGoodStanding(record, local)
    ? ok(record)
    : err({ clientId: record?.client.id ?? null });
}

/** Issues an access token to an authenticated client (interface: Access tokens). One round trip. */
export async function issueToken(
  database: Database,
  config: Config,
  request: TokenRequest,
  nowMs: number,
): Promise<Result<IssuedToken, TokenError>> {
  const proven = await provenClient(database, config, request);
  if (!proven.ok) return err(invalidClient());
  const { client } = proven.value;
  const granted = grantScopes(client.scopes, request.scopes);
  if (!granted.ok) return granted;
  const claims = {
    clientId: client.id,
    propertyId: client.propertyId,
    scopes: granted.value,
  };
  return ok({
    access_token: await signAccessToken(config.keyring, claims, nowMs),
    token_type: 'Bearer',
    expires_in: ACCESS_TOKEN_SECONDS,
    scope: granted.value.join(' '),
  });
}

/** Revokes a client: it gets no new token, and its tokens stop working within 5 minutes. */
export async function revoke(
  database: Database,
  clientId: string,
  nowMs: number,
): Promise<Result<null, Failure>> {
  const [revoked] = await database.batch('d1.client.save', [
    revokeClient(database.queries, clientId, nowMs),
  ]);
  forgetClient(clientId);
  return revoked.length === 1
    ? ok(null)
    : err(failure('client_not_found', 'There is no such client.'));
}
