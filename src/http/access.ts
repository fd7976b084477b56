import type { MiddlewareHandler } from 'hono';
import { verifyAccessToken } from '../clients/accessTokens.ts';
import { clientStanding } from '../clients/directory.ts';
import { inGoodStanding } from '../clients/rules.ts';
import type { Scope } from '../clients/scopes.ts';
import { type Failure, failure } from '../core/failure.ts';
import { exponentOf } from '../core/money.ts';
import type { PropertyRow } from '../db/propertyTables.ts';
import type { AppContext, AppEnv, Caller, CallerProperty } from './context.ts';
import { problemResponse } from './problem.ts';
import { withinRate } from './rate.ts';

/** Why a caller is not let through, with the headers that say so. */
export interface Refusal {
  readonly failure: Failure;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Lets a request through only with a valid access token that has the scope (decisions: section 2). */
export function requireScope(scope: Scope): MiddlewareHandler<AppEnv> {
  return async (c, next) => {
    const caller = await tokenCaller(c);
    if (caller === null) return refuse(c, unauthorized(c));
    const limited = await withinRate(c, caller.clientId);
    if (limited) return limited;
    if (!caller.scopes.includes(scope)) return refuse(c, insufficientScope([scope]));
    c.set('caller', caller);
    return next();
  };
}

/** Who the access token says is calling; null without one that is valid. */
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
  // Whatever becomes of the request: it is counted as one of this property.
  if (standing.property) c.set('property', standing.property.id);
  return {
    clientId: claims.clientId,
    scopes: claims.scopes.filter((scope) => standing.client.scopes.includes(scope)),
    property: standing.property && callerProperty(standing.property),
  };
}

/** What requests need to know of the property that they are made for. */
export function callerProperty(property: PropertyRow): CallerProperty {
  const { id, currency, timeZone, stripeAccount: gatewayAccount } = property;
  return { id, currency, exponent: exponentOf(currency) ?? 2, timeZone, gatewayAccount };
}

/** No valid credentials were presented (401). */
export function unauthorized(
  c: AppContext,
  detail = 'A valid access token is needed: see POST /auth/v1/token.',
): Refusal {
  const presented = c.req.header('Authorization') !== undefined;
  return {
    failure: failure('unauthorized', detail),
    headers: { 'WWW-Authenticate': presented ? 'Bearer error="invalid_token"' : 'Bearer' },
  };
}

/** The credentials are valid, but do not allow this (403): one of these scopes would. */
export function insufficientScope(needed: readonly Scope[]): Refusal {
  return {
    failure: failure('insufficient_scope', `The scope ${needed.join(' or ')} is needed.`),
    headers: {
      'WWW-Authenticate': `Bearer error="insufficient_scope", scope="${needed.join(' ')}"`,
    },
  };
}

/** An administrator asks for what only a property's own client can have (403). */
export function noProperty(): Failure {
  return failure('insufficient_scope', 'This client belongs to no property.');
}

function refuse(c: AppContext, { failure, ...rest }: Refusal): Response {
  return problemResponse(c, failure, { requestId: c.get('requestId'), ...rest });
}
