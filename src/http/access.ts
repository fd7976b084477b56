import type { MiddlewareHandler } from 'hono';
import { type Failure, failure } from '../core/failure.ts';
import { exponentOf } from '../core/money.ts';
import { clockOf } from '../core/propertyClock.ts';
import { verifyAccessToken } from '../records/clients/accessTokens.ts';
import { clientStanding } from '../records/clients/clientCache.ts';
import { allows, type Scope, scopesThatAllow } from '../records/clients/rules/scopes.ts';
import { inGoodStanding } from '../records/clients/rules.ts';
import type { PropertyRow } from '../schema/propertyTables.ts';
import type { AppContext, AppEnv, Caller, CallerProperty } from './context.ts';
import { problemResponse } from './problem.ts';
import { enforceRate } from './rate.ts';

/** Middleware: requires a valid access token with one of the scopes (interface: Access tokens). */
export function requireScope(...scopes: readonly Scope[]): MiddlewareHandler<AppEnv> {
  return async (c, next) => {
    const caller = await tokenCaller(c);
    if (caller === null) return problemResponse(c, unauthorized(c));
    const limited = await enforceRate(c, caller.clientId);
    if (limited) return limited;
    if (!scopes.some((scope) => allows(caller.scopes, scope))) {
      return problemResponse(c, insufficientScope(scopes.flatMap(scopesThatAllow)));
    }
    c.set('caller', caller);
    return next();
  };
}

/** The caller that the access token names; null without a valid token. */
export async function tokenCaller(c: AppContext): Promise<Caller | null> {
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
  // The metrics count the request for this property, even if it fails.
  if (standing.property) enterProperty(c, standing.property.id);
  return {
    clientId: claims.clientId,
    scopes: claims.scopes.filter((scope) => allows(standing.client.scopes, scope)),
    property: standing.property && callerProperty(standing.property),
  };
}

/** From here on the request is about a property, and works with the database where that lives. */
export function enterProperty(c: AppContext, propertyId: string): void {
  c.set('property', propertyId);
  workAt(c, propertyId);
}

/** From here on the request works with the database where a property lives. */
export function workAt(c: AppContext, propertyId: string): void {
  c.set('database', c.get('database').of(propertyId));
}

/** The parts of a property that requests need. */
export function callerProperty(property: PropertyRow): CallerProperty {
  const { id, currency, timeZone, merchantAccount: gatewayAccount } = property;
  const exponent = exponentOf(currency) ?? 2;
  return { id, currency, exponent, timeZone, gatewayAccount, ...clockOf(property) };
}

/** The request has no valid credentials. */
export function unauthorized(
  c: AppContext,
  detail = 'Send a valid access token. Get one from POST /auth/v1/token.',
): Failure {
  const presented = c.req.header('Authorization') !== undefined;
  const authenticate = presented ? 'Bearer error="invalid_token"' : 'Bearer';
  return { code: 'unauthorized', detail, authenticate };
}

/** The credentials are valid, but have none of the scopes that allow this. */
export function insufficientScope(needed: readonly Scope[]): Failure {
  return {
    code: 'insufficient_scope',
    detail: `This needs the scope ${needed.join(' or ')}.`,
    authenticate: `Bearer error="insufficient_scope", scope="${needed.join(' ')}"`,
  };
}

/** An administrator's client called an operation that needs a property's own client. */
export function noProperty(): Failure {
  return failure(
    'insufficient_scope',
    'Use a client of the property: this client has no property.',
  );
}
