import { z } from '@hono/zod-openapi';
import type { Scope } from '../clients/scopes.ts';
import { digestSecret } from '../clients/secrets.ts';
import type { Failure } from '../core/failure.ts';
import { Recent } from '../core/recent.ts';
import { err, ok, type Result } from '../core/result.ts';
import { MINUTE_MS } from '../core/time.ts';
import {
  callerProperty,
  insufficientScope,
  noProperty,
  type Refusal,
  tokenCaller,
  unauthorized,
} from '../http/access.ts';
import type { AppContext, Caller, CallerProperty } from '../http/context.ts';
import { overGuesses, overRate } from '../http/rate.ts';
import { visitorOf } from '../http/visitor.ts';
import { propertyWithCredentials } from './credentials.ts';
import { authentication } from './schemas.ts';

/** Who sends a message: a property's client or its PMS. */
export interface Sender {
  readonly property: CallerProperty;
  readonly scopes: readonly Scope[];
}

/** What a request shows before its body is read. */
export type Presented =
  /** An access token; null for one that is not valid. */
  | { readonly by: 'token'; readonly caller: Caller | null }
  /** Nothing yet: the body has to. */
  | { readonly by: 'body' };

const NO_CREDENTIALS =
  'A valid access token, or the Authentication of the property in the body, is needed.';

const AMBIGUOUS =
  'These credentials belong to several properties: an access token is needed, see POST /auth/v1/token.';

/**
 * What a request presents. Whoever has no valid token is counted by address, so that the body of nobody is read too
 * often.
 */
export async function presented(c: AppContext): Promise<Result<Presented, Failure>> {
  const byToken = c.req.header('Authorization') !== undefined;
  const caller = byToken ? await tokenCaller(c) : null;
  const limited = await overRate(c, caller?.clientId ?? `envelope:${visitorOf(c)}`);
  if (limited) return err(limited);
  return ok(byToken ? { by: 'token', caller } : { by: 'body' });
}

/** The sender that a token stands for, if it has one of the scopes that the types of a mount need. */
export function senderByToken(
  c: AppContext,
  caller: Caller | null,
  needed: readonly Scope[],
): Result<Sender, Refusal> {
  if (caller === null) return err(unauthorized(c));
  if (!needed.some((scope) => caller.scopes.includes(scope))) {
    return err(insufficientScope(needed));
  }
  const { property } = caller;
  return property === null
    ? err({ failure: noProperty() })
    : ok({ property, scopes: caller.scopes });
}

/** What a property's own PMS may send. */
const PMS_SCOPES: readonly Scope[] = ['inventory', 'applications'];

const withAuthentication = z.object({ Authentication: authentication });

/** Credentials that were right not long ago, by digest: whoever sends them again does not guess. */
const proven = new Recent<number>(1_000);

/** How long they count as that. */
const PROVEN_MS = 10 * MINUTE_MS;

/** The sender whose PMS credentials stand in the body. A password that somebody chose can be guessed, so guesses are few. */
export async function senderByBody(c: AppContext, body: object): Promise<Result<Sender, Refusal>> {
  const read = withAuthentication.safeParse(body);
  if (!read.success) return err(unauthorized(c, NO_CREDENTIALS));
  const { Username: username, Password: password } = read.data.Authentication;
  const { keyring } = c.get('config');
  const digest = await digestSecret(`${username}\n${password}`);
  const provenAtMs = proven.get(digest) ?? Number.NEGATIVE_INFINITY;
  const guessing = Date.now() - provenAtMs > PROVEN_MS ? await overGuesses(c) : null;
  if (guessing) return err({ failure: guessing });
  const found = await propertyWithCredentials(c.get('database'), keyring, { username, password });
  if (!found.ok) {
    return err(unauthorized(c, found.error === 'ambiguous' ? AMBIGUOUS : NO_CREDENTIALS));
  }
  proven.set(digest, Date.now());
  c.set('property', found.value.id);
  const limited = await overRate(c, `pms:${found.value.id}`);
  if (limited) return err({ failure: limited });
  return ok({ property: callerProperty(found.value), scopes: PMS_SCOPES });
}
