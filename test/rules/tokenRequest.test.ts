import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { grantScopes, readTokenRequest } from '../../src/records/clients/tokenRequest.ts';

const GRANT = { grant_type: 'client_credentials' };
const BODY = { ...GRANT, client_id: 'demo-engine', client_secret: 'demo-secret' };
const READ = { clientId: 'demo-engine', clientSecret: 'demo-secret', scopes: null };

function read(authorization: string | undefined, parameters: Record<string, string>) {
  return readTokenRequest(authorization, new Map(Object.entries(parameters)));
}

function basic(credentials: string): string {
  return `Basic ${btoa(credentials)}`;
}

/** Encodes as application/x-www-form-urlencoded does. */
function formEncoded(text: string): string {
  return new URLSearchParams({ v: text }).toString().slice(2);
}

describe('a client credentials request', () => {
  test.each<[string, string | undefined, Record<string, string>]>([
    ['in the body', undefined, BODY],
    ['by HTTP Basic', basic('demo-engine:demo-secret'), GRANT],
    ['by Basic in lower case', basic('demo-engine:demo-secret').replace('Basic', 'basic'), GRANT],
    ['by Basic with blanks', `Basic   ${btoa('demo-engine:demo-secret')}  `, GRANT],
    [
      'by Basic, naming the client in the body too',
      basic('demo-engine:demo-secret'),
      { ...GRANT, client_id: 'demo-engine' },
    ],
    [
      'by Basic, with a secret without a value in the body',
      basic('demo-engine:demo-secret'),
      { ...GRANT, client_secret: '' },
    ],
    ['in the body, with a parameter that nobody knows', undefined, { ...BODY, audience: 'x' }],
  ])('presents its credentials %s', (_name, authorization, parameters) => {
    expect(read(authorization, parameters)).toEqual({ ok: true, value: READ });
  });

  test('carries any id and secret through the form encoding of RFC 6749 section 2.3.1', () => {
    const text = fc.string({ unit: 'binary', maxLength: 40 });
    fc.assert(
      fc.property(text, text, (clientId, clientSecret) => {
        const sent = basic(`${formEncoded(clientId)}:${formEncoded(clientSecret)}`);
        expect(read(sent, GRANT)).toEqual({
          ok: true,
          value: { clientId, clientSecret, scopes: null },
        });
      }),
    );
  });

  test('reads a plus as a blank and an escaped plus as a plus', () => {
    expect(read(basic('my+client:a%2Bb'), GRANT)).toMatchObject({
      value: { clientId: 'my client', clientSecret: 'a+b' },
    });
  });

  test('splits the id from the secret at the first colon', () => {
    const sent = read(basic('id:se:cr:et'), GRANT);
    expect(sent).toMatchObject({ value: { clientId: 'id', clientSecret: 'se:cr:et' } });
  });

  test.each([
    ['cards', ['cards']],
    ['cards payments', ['cards', 'payments']],
    [' cards   payments ', ['cards', 'payments']],
    ['', null],
    ['   ', null],
  ])('with the scope parameter %j asks for %j', (scope, scopes) => {
    expect(read(undefined, { ...BODY, scope })).toMatchObject({ value: { scopes } });
  });
});

describe('the refusals of RFC 6749 section 5.2', () => {
  test.each<[string, string | undefined, Record<string, string>]>([
    ['there is no grant_type', undefined, { client_id: 'a', client_secret: 'b' }],
    ['grant_type has no value', undefined, { ...BODY, grant_type: '' }],
    ['there is nothing at all', undefined, {}],
    ['credentials come in two ways', basic('demo-engine:demo-secret'), BODY],
    ['credentials come in two ways, one of them broken', 'Basic !!', BODY],
  ])('invalid_request: %s', (_name, authorization, parameters) => {
    expect(read(authorization, parameters)).toMatchObject({ error: { error: 'invalid_request' } });
  });

  test.each(['password', 'authorization_code', 'refresh_token', 'CLIENT_CREDENTIALS', 'client'])(
    'unsupported_grant_type: %s',
    (grant) => {
      expect(read(undefined, { ...BODY, grant_type: grant })).toMatchObject({
        error: { error: 'unsupported_grant_type' },
      });
    },
  );

  test.each<[string, string | undefined, Record<string, string>]>([
    ['no credentials', undefined, GRANT],
    ['a secret without an id', undefined, { ...GRANT, client_secret: 'b' }],
    ['an id without a secret', undefined, { ...GRANT, client_id: 'a' }],
    [
      'an id and a secret without a value',
      undefined,
      { ...GRANT, client_id: 'a', client_secret: '' },
    ],
    ['another scheme', 'Bearer abc', GRANT],
    ['an empty header', '', GRANT],
    ['a scheme without credentials', 'Basic', GRANT],
    ['what is no base64', 'Basic a*b', GRANT],
    ['base64 of a wrong length', 'Basic abcde', GRANT],
    ['base64 with too much padding', 'Basic YTpi====', GRANT],
    ['no colon', basic('demo-engine'), GRANT],
    ['a broken percent escape', basic('demo-engine:%zz'), GRANT],
    ['an escape that is no UTF-8', basic('demo-engine:%ff'), GRANT],
    ['two schemes at once', `${basic('a:b')}, ${basic('a:b')}`, GRANT],
  ])('invalid_client: %s', (_name, authorization, parameters) => {
    expect(read(authorization, parameters)).toMatchObject({ error: { error: 'invalid_client' } });
  });

  test('invalid_scope: a scope that the client does not have, among those that it has', () => {
    for (const asked of [['admin'], ['cards', 'admin'], ['Cards'], ['cards\tpayments']]) {
      expect(grantScopes(['cards', 'payments'], asked)).toMatchObject({
        error: { error: 'invalid_scope' },
      });
    }
  });

  test('no description repeats what was sent', () => {
    const sent = 'sixteen-characters';
    const refusals = [
      read(undefined, { ...BODY, grant_type: sent }),
      read(basic(sent), GRANT),
      read(`Basic ${sent}`, { ...GRANT, client_secret: sent }),
      grantScopes(['cards'], [sent]),
    ];
    for (const refusal of refusals) {
      expect(refusal.ok).toBe(false);
      expect(JSON.stringify(refusal)).not.toContain(sent);
    }
  });
});

describe('the scopes of a token', () => {
  const all = ['bookings', 'payments', 'cards', 'admin'];

  test('are all of the client’s when it asks for none', () => {
    expect(grantScopes(all, null)).toEqual({ ok: true, value: all });
  });

  test('are exactly those asked for, each once', () => {
    expect(grantScopes(all, ['cards', 'payments', 'cards'])).toEqual({
      ok: true,
      value: ['cards', 'payments'],
    });
  });

  test('never exceed what the client has and what exists', () => {
    const names = fc.subarray([...all, 'inventory', 'root']);
    fc.assert(
      fc.property(names, fc.option(names), (granted, asked) => {
        const given = grantScopes(granted, asked);
        const allowed = (asked ?? []).every((scope) => granted.includes(scope));
        expect(given.ok).toBe(allowed);
        for (const scope of given.ok ? given.value : []) {
          expect(granted).toContain(scope);
          expect(scope).not.toBe('root');
        }
      }),
    );
  });
});
