import type { MiddlewareHandler } from 'hono';
import { verifyAccessToken } from '../clients/accessTokens.ts';
import { clientStanding } from '../clients/directory.ts';
import type { Scope } from '../clients/scopes.ts';
import type { ClientRecord } from '../clients/store.ts';
import { failure } from '../core/failure.ts';
import { exponentOf } from '../core/money.ts';
import type { AppContext, AppEnv, Caller, CallerProperty } from './context.ts';
import { problemResponse } from './problem.ts';
import { withinRate } from './rate.ts';

/** Lets a request through only with a valid access token that has the scope (decisions: section 2). */
export function requireScope(scope: Scope): MiddlewareHandler<AppEnv> {
  return async (c, next) => {
    const caller = await authenticate(c);
    if (caller === null) return unauthorized(c);
    const limited = await withinRate(c, caller.clientId);
    if (limited) return limited;
    if (!caller.scopes.includes(scope)) return insufficientScope(c, scope);
    c.set('caller', caller);
    return next();
  };
}

async function authenticate(c: AppContext): Promise<Caller | null> {
  const token = /^Bearer +([A-Za-z0-9._~+/-]+=*) *$/i.exec(
    c.req.header('Authorization') ?? '',
  )?.[1];
  if (token === undefined) return null;
  const nowMs = Date.now();
  const { keyring, local } = c.get('config');
  const claims = await verifyAccessToken(keyring, token, nowMs);
  if (claims === null) return null;
  const standing = await clientStanding(c.get('database'), claims.clientId, nowMs);
  if (standing === null || !inGoodStanding(standing, local)) return null;
  return {
    clientId: claims.clientId,
    scopes: claims.scopes.filter((scope) => standing.client.scopes.includes(scope)),
    property: callerProperty(standing),
  };
}

/** Whether a client may act at all: not revoked, and not one of the local start's in a deployment. */
export function inGoodStanding({ client }: ClientRecord, local: boolean): boolean {
  return client.revokedAtMs === null && (local || !client.seeded);
}

function callerProperty({ property }: ClientRecord): CallerProperty | null {
  if (property === null) return null;
  const { id, currency, timeZone } = property;
  return { id, currency, exponent: exponentOf(currency) ?? 2, timeZone };
}

function unauthorized(c: AppContext): Response {
  const presented = c.req.header('Authorization') !== undefined;
  return problemResponse(
    c,
    failure('unauthorized', 'A valid access token is needed: see POST /auth/v1/token.'),
    {
      requestId: c.get('requestId'),
      headers: { 'WWW-Authenticate': presented ? 'Bearer error="invalid_token"' : 'Bearer' },
    },
  );
}

function insufficientScope(c: AppContext, scope: Scope): Response {
  return problemResponse(c, failure('insufficient_scope', `The scope ${scope} is needed.`), {
    requestId: c.get('requestId'),
    headers: { 'WWW-Authenticate': `Bearer error="insufficient_scope", scope="${scope}"` },
  });
}
