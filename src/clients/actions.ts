import type { Config } from '../config.ts';
import { type Failure, failure } from '../core/failure.ts';
import { err, ok, type Result } from '../core/result.ts';
import type { Database } from '../db/database.ts';
import { selectProperty } from '../properties/store.ts';
import { ACCESS_TOKEN_SECONDS, signAccessToken } from './accessTokens.ts';
import { forgetClient } from './directory.ts';
import { inGoodStanding } from './rules.ts';
import type { Scope } from './scopes.ts';
import { digestSecret, newSecret, secretMatches } from './secrets.ts';
import { type ClientRecord, findClient, insertClient, revokeClient } from './store.ts';
import { grantScopes, invalidClient, type TokenError, type TokenRequest } from './tokenRequest.ts';

/** A token answer as RFC 6749 section 5.1 has it, with `success`. */
export interface IssuedToken {
  readonly success: true;
  readonly access_token: string;
  readonly token_type: 'Bearer';
  readonly expires_in: number;
  readonly scope: string;
}

/** Compared against when there is no such client, so that both cases take the same work. */
const NO_DIGEST = '0'.repeat(64);

/** Who could not prove to be a client: its id, or null where there is no client of the id that was presented. */
export interface Unproven {
  readonly clientId: string | null;
}

/**
 * The client whose secret is presented; none for a wrong secret, and for one that is unknown, revoked, or seeded where
 * it must not be. One round trip.
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

/** Issues an access token to a client that proves itself (decisions: section 2). One round trip. */
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
    success: true,
    access_token: await signAccessToken(config.keyring, claims, nowMs),
    token_type: 'Bearer',
    expires_in: ACCESS_TOKEN_SECONDS,
    scope: granted.value.join(' '),
  });
}

/** Makes a client for a property. The secret is told this once; only its digest is kept. */
export async function createClient(
  database: Database,
  propertyId: string,
  scopes: readonly Scope[],
  nowMs: number,
): Promise<Result<{ clientId: string; clientSecret: string }, Failure>> {
  const { queries } = database;
  const [[property]] = await database.batch('d1.property.find', [
    selectProperty(queries, propertyId),
  ]);
  if (!property) return err(failure('property_not_found', 'There is no such property.'));
  const clientId = crypto.randomUUID();
  const clientSecret = newSecret();
  const row = {
    id: clientId,
    propertyId,
    scopes: [...new Set(scopes)],
    secretDigest: await digestSecret(clientSecret),
    seeded: false,
    createdAtMs: nowMs,
    revokedAtMs: null,
  };
  await database.batch('d1.client.save', [insertClient(queries, row)]);
  return ok({ clientId, clientSecret });
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
