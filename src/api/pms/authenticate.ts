import { z } from '@hono/zod-openapi';
import { LruCache } from '../../core/lruCache.ts';
import { err, ok, type Result } from '../../core/result.ts';
import { MINUTE_MS } from '../../core/time.ts';
import {
  callerProperty,
  enterProperty,
  insufficientScope,
  noProperty,
  tokenCaller,
  unauthorized,
} from '../../http/access.ts';
import type { AppContext, Caller, CallerProperty } from '../../http/context.ts';
import { checkGuesses, checkRate, clientNetwork } from '../../http/rate.ts';
import type { Keyring } from '../../platform/crypto/keyring.ts';
import type { Database } from '../../platform/db/database.ts';
import type { PmsCredentials } from '../../pms/rules/envelope.ts';
import type { Scope } from '../../records/clients/rules/scopes.ts';
import { digestSecret } from '../../records/clients/secrets.ts';
import { withPmsPassword } from '../../records/properties/pmsLogin.ts';
import { selectByPmsUser } from '../../records/properties/store.ts';
import type { PropertyRow } from '../../schema/propertyTables.ts';
import { authentication } from './schemas.ts';

/** The sender of a message: a property's client or its PMS. */
export interface Sender {
  readonly property: CallerProperty;
  readonly scopes: readonly Scope[];
}

/** The credentials of a request before its body is read. */
export type HeaderCredentials =
  /** An access token; `caller` is null if the token is invalid. */
  | { readonly by: 'token'; readonly caller: Caller | null }
  /** The header is absent, so the body must hold the credentials. */
  | { readonly by: 'body' };

const NO_CREDENTIALS =
  'Send a valid access token, or the credentials of the property in Authentication in the body.';

/**
 * Reads the credentials in the header, and counts the request. Requests without a valid token count for their network,
 * which limits how many bodies of unknown senders the service reads.
 */
export async function readHeaderCredentials(c: AppContext): Promise<Result<HeaderCredentials>> {
  const byToken = c.req.header('Authorization') !== undefined;
  const caller = byToken ? await tokenCaller(c) : null;
  const limited = await checkRate(c, caller?.clientId ?? `envelope:${clientNetwork(c)}`);
  if (limited) return err(limited);
  return ok(byToken ? { by: 'token', caller } : { by: 'body' });
}

/** The sender that a token authenticates. The token needs at least one of the scopes in `needed`. */
export function senderByToken(
  c: AppContext,
  caller: Caller | null,
  needed: readonly Scope[],
): Result<Sender> {
  if (caller === null) return err(unauthorized(c));
  if (!needed.some((scope) => caller.scopes.includes(scope))) {
    return err(insufficientScope(needed));
  }
  const { property } = caller;
  return property === null ? err(noProperty()) : ok({ property, scopes: caller.scopes });
}

/** The scopes of a property's own PMS. That of payments lets it send its ledger: no message moves money. */
const PMS_SCOPES: readonly Scope[] = ['inventory', 'applications', 'payments'];

const withAuthentication = z.object({ Authentication: authentication });

/** When credentials last proved valid, and whose they were, by their digest. They then skip the limit of guesses. */
const verified = new LruCache<{ readonly atMs: number; readonly propertyId: string }>(1_000);

/** How long credentials skip the limit of guesses after they proved valid. */
const VERIFIED_MS = 10 * MINUTE_MS;

/** The sender that the PMS credentials in the body authenticate. The service limits guesses of these passwords. */
export async function senderByBody(c: AppContext, body: object): Promise<Result<Sender>> {
  const read = withAuthentication.safeParse(body);
  if (!read.success) return err(unauthorized(c, NO_CREDENTIALS));
  const { Username: username, Password: password } = read.data.Authentication;
  const { keyring } = c.get('config');
  const digest = await digestSecret(`${username}\n${password}`);
  const last = verified.get(digest);
  const recent = last !== undefined && Date.now() - last.atMs <= VERIFIED_MS;
  const tooManyGuesses = recent ? null : await checkGuesses(c);
  if (tooManyGuesses) return err(tooManyGuesses);
  const credentials = { username, password };
  const database = c.get('database');
  const found = await propertyWithCredentials(database, keyring, credentials, last?.propertyId);
  if (found === null) return err(unauthorized(c, NO_CREDENTIALS));
  verified.set(digest, { atMs: Date.now(), propertyId: found.id });
  enterProperty(c, found.id);
  const limited = await checkRate(c, `pms:${found.id}`);
  if (limited) return err(limited);
  return ok({ property: callerProperty(found), scopes: PMS_SCOPES });
}

/**
 * Finds the one property whose PMS has these credentials; null if there is none. Any number of properties may share the
 * user name. `knownId` is the property that had them last: then its row alone is read. One round trip, or a second one
 * when the credentials have moved.
 */
async function propertyWithCredentials(
  database: Database,
  keyring: Keyring,
  { username, password }: PmsCredentials,
  knownId?: string,
): Promise<PropertyRow | null> {
  const named = selectByPmsUser(username, knownId);
  const whose = (candidates: PropertyRow[]) => withPmsPassword(keyring, candidates, password);
  const [property, ...others] =
    knownId === undefined
      ? await database.rowsWhereFound('d1.pms.find', named, whose)
      : await whose((await database.of(knownId).batch('d1.pms.find', [named]))[0]);
  if (property !== undefined && others.length === 0) return property;
  return knownId === undefined
    ? null
    : propertyWithCredentials(database, keyring, { username, password });
}
