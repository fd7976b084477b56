import { err, ok, type Result } from '../../core/result.ts';
import { allows, isScope, type Scope } from './rules/scopes.ts';

export const tokenErrors = [
  'invalid_request',
  'invalid_client',
  'unsupported_grant_type',
  'invalid_scope',
] as const;

/** The error of a refused token request (RFC 6749 section 5.2). */
export interface TokenError {
  readonly error: (typeof tokenErrors)[number];
  readonly description: string;
}

export interface TokenRequest {
  readonly clientId: string;
  readonly clientSecret: string;
  /** The requested scopes; null for all scopes of the client. */
  readonly scopes: readonly string[] | null;
}

/** Reads a client credentials request (RFC 6749 section 4.4), by HTTP Basic or with the secret as a parameter. */
export function readTokenRequest(
  authorization: string | undefined,
  parameters: ReadonlyMap<string, string>,
): Result<TokenRequest, TokenError> {
  const grantType = given(parameters, 'grant_type');
  if (grantType === undefined) return invalidRequest('grant_type is missing.');
  if (grantType !== 'client_credentials') {
    return err({
      error: 'unsupported_grant_type',
      description: 'Only client_credentials is supported.',
    });
  }
  const credentials = readCredentials(authorization, parameters);
  if (!credentials.ok) return credentials;
  const scope = parameters.get('scope')?.trim();
  return ok({ ...credentials.value, scopes: scope ? scope.split(/ +/) : null });
}

/** The scopes of a token: the requested ones, or all of the client's. Fails if the client lacks a requested one. */
export function grantScopes(
  granted: readonly string[],
  requested: readonly string[] | null,
): Result<Scope[], TokenError> {
  const missing = (requested ?? []).some((scope) => !allows(granted, scope));
  if (missing) {
    return err({
      error: 'invalid_scope',
      description: 'The client does not have every requested scope.',
    });
  }
  return ok([...new Set(requested ?? granted)].filter(isScope));
}

/** The failure of client authentication. It does not reveal the reason. */
export function invalidClient(): TokenError {
  return { error: 'invalid_client', description: 'The client id or secret is not valid.' };
}

function readCredentials(
  authorization: string | undefined,
  parameters: ReadonlyMap<string, string>,
): Result<Pick<TokenRequest, 'clientId' | 'clientSecret'>, TokenError> {
  const clientId = given(parameters, 'client_id');
  const clientSecret = given(parameters, 'client_secret');
  if (authorization === undefined) {
    return clientId === undefined || clientSecret === undefined
      ? err(invalidClient())
      : ok({ clientId, clientSecret });
  }
  if (clientSecret !== undefined)
    return invalidRequest('Send the credentials in one way only: by HTTP Basic or as parameters.');
  const basic = readBasic(authorization);
  return basic === null ? err(invalidClient()) : ok(basic);
}

/** A parameter's value. An empty one counts as missing (RFC 6749 section 3.2). */
function given(parameters: ReadonlyMap<string, string>, name: string): string | undefined {
  return parameters.get(name) || undefined;
}

/** Reads HTTP Basic with form-encoded parts (RFC 6749 section 2.3.1). */
function readBasic(authorization: string): Pick<TokenRequest, 'clientId' | 'clientSecret'> | null {
  const encoded = /^Basic +([A-Za-z0-9+/]+=*) *$/i.exec(authorization)?.[1];
  if (encoded === undefined) return null;
  try {
    const parts = /^([^:]*):(.*)$/s.exec(atob(encoded));
    if (!parts) return null;
    return { clientId: formDecoded(parts[1] ?? ''), clientSecret: formDecoded(parts[2] ?? '') };
  } catch {
    return null;
  }
}

function formDecoded(text: string): string {
  return decodeURIComponent(text.replaceAll('+', ' '));
}

function invalidRequest(description: string) {
  return err<TokenError>({ error: 'invalid_request', description });
}
