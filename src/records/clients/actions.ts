import { eq } from 'drizzle-orm';
import { failure } from '../../core/failure.ts';
import { andThen, err, ok, type Result, refuse } from '../../core/result.ts';
import type { Config } from '../../platform/config.ts';
import type { Database, Statement } from '../../platform/db/database.ts';
import { type Page, type Part, pagesOf, shownPage } from '../../platform/db/page.ts';
import { logError } from '../../platform/log.ts';
import { type ClientRow, clients } from '../../schema/accessTables.ts';
import { appendChange, type ChangedBy, placeOfChange } from '../audit/changes.ts';
import { readProperty } from '../properties/read.ts';
import { ACCESS_TOKEN_SECONDS, signAccessToken } from './accessTokens.ts';
import { forgetClient } from './clientCache.ts';
import type { Scope } from './rules/scopes.ts';
import { inGoodStanding, isUseToNote } from './rules.ts';
import { secretMatches } from './secrets.ts';
import {
  type ClientChange,
  type ClientRecord,
  findClient,
  noteUse,
  updateClient,
} from './store.ts';
import { grantScopes, invalidClient, type TokenError, type TokenRequest } from './tokenRequest.ts';
import { type ClientView, clientView } from './views.ts';

/** An access token response (RFC 6749 section 5.1). */
export interface IssuedToken {
  readonly access_token: string;
  readonly token_type: 'Bearer';
  readonly expires_in: number;
  readonly scope: string;
}

/** A change of a client. What is left out stays; a name of null takes it away. */
interface ClientPut {
  readonly clientId: string;
  readonly scopes?: readonly Scope[] | undefined;
  readonly name?: string | null | undefined;
}

/** Compared for an unknown client, so that both cases take the same time. */
const NO_DIGEST = '0'.repeat(64);

/**
 * Authenticates a client by its secret. Fails for a wrong secret, an unknown or revoked client, and a seeded client
 * outside local mode, with the id of a known client. One round trip.
 */
export async function provenClient(
  database: Database,
  { local }: Pick<Config, 'local'>,
  { clientId, clientSecret }: Pick<TokenRequest, 'clientId' | 'clientSecret'>,
): Promise<Result<ClientRecord, { readonly clientId: string | null }>> {
  const record = await findClient(database, clientId);
  const proven = await secretMatches(clientSecret, record?.client.secretDigest ?? NO_DIGEST);
  return record && proven && inGoodStanding(record, local)
    ? ok(record)
    : err({ clientId: record?.client.id ?? null });
}

/** Issues an access token to an authenticated client (interface: Access tokens). One round trip, and one more each hour. */
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
  if (isUseToNote(client, nowMs)) {
    await noted(database, noteUse(client.id, nowMs));
  }
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

const pages = pagesOf(clients, 'descending', ['createdAtMs', 'id']);

/** Lists clients, newest first (interface: List clients). One round trip, and one for the property that is named. */
export async function listClients(
  database: Database,
  { property }: { readonly property?: string | undefined },
  part: Part,
): Promise<Result<Page<ClientView>>> {
  const named = property === undefined ? ok(null) : await readProperty(database, property);
  if (!named.ok) return named;
  const which = property === undefined ? undefined : eq(clients.propertyId, property);
  const page = await pages.read(database.directory, 'd1.client.find', which, part);
  return ok(shownPage(page, clientView));
}

/** Changes a client's scopes or name (interface: Change a client). An administrator's scope is `admin` for good. */
export async function putClient(
  database: Database,
  { clientId, name, scopes }: ClientPut,
  by: ChangedBy,
): Promise<Result<ClientView>> {
  const changed = await changeClient(database, clientId, by, ({ property }) => {
    if (property === null && scopes !== undefined) {
      const detail = "The client is an administrator's: its scope is admin.";
      return refuse('invalid_state', detail);
    }
    return ok({
      ...(name !== undefined && { name }),
      ...(scopes !== undefined && { scopes: [...new Set(scopes)] }),
    });
  });
  return andThen(changed, (row) => ok(clientView(row)));
}

/** Revokes a client: it gets no new token, and its tokens stop working within 5 minutes. */
export async function revoke(
  database: Database,
  clientId: string,
  by: ChangedBy,
): Promise<Result<null>> {
  const changed = await changeClient(database, clientId, by, ({ client }) =>
    ok({ revokedAtMs: client.revokedAtMs ?? by.nowMs }),
  );
  return andThen(changed, () => ok(null));
}

/** Changes a client as decided on how it is, with what the audit trail says of it. */
async function changeClient(
  database: Database,
  clientId: string,
  by: ChangedBy,
  decide: (known: ClientRecord) => Result<ClientChange>,
): Promise<Result<ClientRow>> {
  const known = await findClient(database, clientId);
  if (known === null) return err(CLIENT_NOT_FOUND);
  const change = decide(known);
  if (!change.ok) return change;
  const { client } = known;
  const [[changed]] = await database.directory.batch('d1.client.save', [
    updateClient(clientId, change.value),
    ...appendChange(by, {
      places: [placeOfChange({ propertyId: client.propertyId, portfolio: null })],
      subject: `client ${client.id}`,
      before: settingsOf(client),
      after: settingsOf({ ...client, ...change.value }),
    }),
  ]);
  forgetClient(clientId);
  return changed ? ok(changed) : err(CLIENT_NOT_FOUND);
}

function settingsOf(row: ClientRow) {
  const { name, revokedAt, scopes } = clientView(row);
  return { name, revokedAt, scopes };
}

const CLIENT_NOT_FOUND = failure('client_not_found', 'There is no such client.');

/** Notes a use of credentials. The request goes on where that fails. */
export async function noted(database: Database, note: Statement): Promise<void> {
  try {
    await database.directory.batch('d1.client.use', [note]);
  } catch (error) {
    logError('use_not_noted', error);
  }
}
