import { SignJWT } from 'jose';
import { beforeAll, describe, expect, it } from 'vitest';
import { HOUR_MS } from '../../src/core/time.ts';
import { Keyring } from '../../src/platform/crypto/keyring.ts';
import { signAccessToken } from '../../src/records/clients/accessTokens.ts';
import { isScope, type Scope, scopes } from '../../src/records/clients/rules/scopes.ts';
import {
  type Answer,
  call,
  callAsAdmin,
  engineToken,
  http,
  makeBooking,
  makeProperty,
  parsed,
  testEnv,
  tokenOf,
} from '../support/api.ts';
import { makeExisting } from '../support/existing.ts';
import { giveRooms } from '../support/rooms.ts';
import { type Existing, queries, samples } from '../support/samples.ts';

interface Operation {
  readonly path: string;
  readonly method: string;
  /** Each of these allows it; none for what needs no token. */
  readonly allowedBy: readonly Scope[];
  /** Open to export users, and to nobody else: see exportFiles.test.ts. */
  readonly byPassword: boolean;
}

/** Operations without an access token: anything else that appears in the document must be protected. */
const PUBLIC = ['/auth/v1/token', '/export/schema', '/gateway/v1/stripe', '/health'];

const document = (await (await http('/openapi.json')).json()) as {
  paths: Record<string, Record<string, { security?: Record<string, string[]>[] }>>;
};

const operations: Operation[] = Object.entries(document.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, { security }]) => {
    const allowedBy = (security ?? []).flatMap(({ oauth2 = [] }) => oauth2.filter(isScope));
    const byPassword = security?.[0]?.['basic'] !== undefined;
    return { path, method, allowedBy, byPassword };
  }),
);
const guarded = operations.filter(({ allowedBy }) => allowedBy.length > 0);

let existing: Existing;
let otherToken: string;
let separateToken: string;

beforeAll(async () => {
  existing = await makeExisting();
  await giveRooms();
  otherToken = await makeProperty('other');
  separateToken = await makeProperty('separate');
});

/** Asks an operation, by `GET` with its members in the query where it takes no body. */
async function ask(
  path: string,
  authorization: string | null,
  body: Readonly<Record<string, unknown>>,
): Promise<Answer> {
  const headers = {
    'Content-Type': 'application/json',
    ...(authorization !== null && { Authorization: authorization }),
  };
  if (guarded.some((one) => one.path === path && one.method === 'get')) {
    const query = new URLSearchParams(body as Record<string, string>).toString();
    return parsed(await http(`${path}?${query}`, { headers }));
  }
  return parsed(await http(path, { method: 'POST', headers, body: JSON.stringify(body) }));
}

describe('every operation of the document', () => {
  it('is public by intention or names a scope', () => {
    const unguarded = operations
      .filter(({ allowedBy, byPassword }) => allowedBy.length === 0 && !byPassword)
      .map(({ path }) => path);
    expect(unguarded.toSorted()).toEqual(PUBLIC.toSorted());
    expect(guarded.length).toBeGreaterThan(8);
  });

  it('has a sample here if it is guarded, and nothing else has', () => {
    expect([...Object.keys(samples), ...Object.keys(queries)].toSorted()).toEqual(
      guarded.map(({ path }) => path).toSorted(),
    );
  });
});

describe.each(guarded)('$path', ({ path, allowedBy }) => {
  const sample = samples[path] ?? queries[path];
  const body = () => sample?.body(existing) ?? {};

  const refusedTokens: [string, () => Promise<string | null>][] = [
    ['no token', async () => null],
    ['another scheme', async () => `Basic ${btoa('demo-engine:demo-secret')}`],
    ['a token that is none', async () => 'Bearer not-a-token'],
    [
      'a token with a changed signature',
      async () => `Bearer ${(await engineToken()).slice(0, -4)}AAAA`,
    ],
    ['an expired token', expiredToken],
    ['a token signed with another key', foreignKeyToken],
    ['an unsigned token', unsignedToken],
  ];

  it.each(refusedTokens)('answers 401 to %s', async (_name, authorization) => {
    const answer = await ask(path, await authorization(), body());
    expect(answer.status).toBe(401);
    expect(answer.json).toMatchObject({ success: false, code: 'unauthorized', status: 401 });
    expect(answer.headers.get('WWW-Authenticate')).toMatch(/^Bearer/);
  });

  it('answers 403 to a token without its scope', async () => {
    const others = scopes.filter((one) => !allowedBy.includes(one) && one !== 'admin').join(' ');
    const token = await tokenOf('demo-engine', 'demo-secret', others);
    const answer = await ask(path, `Bearer ${token}`, body());
    expect(answer.status).toBe(403);
    expect(answer.json.code).toBe('insufficient_scope');
  });

  if (sample?.foreign === 'not-found') {
    it('answers another property as if there were nothing', async () => {
      const foreign = await ask(path, `Bearer ${otherToken}`, body());
      const nowhere = 'applicationNumber' in body() ? 'applicationNumber' : 'reference';
      const missing = await ask(path, `Bearer ${otherToken}`, { ...body(), [nowhere]: 'NOWHERE' });
      expect(foreign.status).toBe(404);
      expect({ ...foreign.json, requestId: '' }).toEqual({ ...missing.json, requestId: '' });
    });
  }

  if (sample?.foreign === 'unknown-code') {
    it('tells another property that it has no such code, and the own one nothing of it', async () => {
      const foreign = await ask(path, `Bearer ${otherToken}`, body());
      expect([foreign.status, foreign.json.detail]).toEqual([
        422,
        expect.stringMatching(/^Unknown .*: DLX\.$/),
      ]);
      const own = await ask(path, `Bearer ${await engineToken()}`, body());
      expect([own.status, own.json.success]).toEqual([200, true]);
    });
  }

  if (sample?.foreign === 'separate') {
    it('leaves what belongs to another property as it is', async () => {
      const before = await call('/booking/v1/get-details', { reference: existing.reference });
      const answer = await ask(path, `Bearer ${separateToken}`, body());
      expect(answer.status).toBe(200);
      const after = await call('/booking/v1/get-details', { reference: existing.reference });
      expect({ ...after.json.booking, url: '' }).toEqual({ ...before.json.booking, url: '' });
    });
  }
});

describe('a card token', () => {
  it('of another property is not found', async () => {
    await makeBooking('ACCESS-2', undefined, { token: otherToken });
    const answer = await call(
      '/payment/v1/create',
      { reference: 'ACCESS-2', amount: 5, token: existing.cardToken },
      { token: otherToken },
    );
    expect(answer.status).toBe(404);
    expect(answer.json.code).toBe('token_not_found');
  });
});

describe('a revoked client', () => {
  it('gets no new token, and its token stops working', async () => {
    const made = await callAsAdmin('/admin/v1/client/create', {
      property: 'demo',
      scopes: ['bookings'],
    });
    const { clientId, clientSecret } = made.json;
    const token = await tokenOf(clientId, clientSecret);
    const before = await call(
      '/booking/v1/get-details',
      { reference: existing.reference },
      { token },
    );
    expect(before.status).toBe(200);
    await callAsAdmin('/admin/v1/client/revoke', { clientId });
    const after = await call(
      '/booking/v1/get-details',
      { reference: existing.reference },
      { token },
    );
    expect(after.status).toBe(401);
    const again = await http('/auth/v1/token', {
      method: 'POST',
      headers: { Authorization: `Basic ${btoa(`${clientId}:${clientSecret}`)}` },
      body: new URLSearchParams({ grant_type: 'client_credentials' }),
    });
    expect(again.status).toBe(401);
  });
});

async function keyring(): Promise<Keyring> {
  return Keyring.parse(testEnv.KEYRING ?? '');
}

async function expiredToken(): Promise<string> {
  const claims = { clientId: 'demo-engine', propertyId: 'demo', scopes: [...scopes] };
  return `Bearer ${await signAccessToken(await keyring(), claims, Date.now() - 2 * HOUR_MS)}`;
}

async function foreignKeyToken(): Promise<string> {
  const other = await Keyring.parse(`local-1:${btoa('x'.repeat(32))}`);
  const claims = { clientId: 'demo-engine', propertyId: 'demo', scopes: [...scopes] };
  return `Bearer ${await signAccessToken(other, claims, Date.now())}`;
}

async function unsignedToken(): Promise<string> {
  const header = btoa(JSON.stringify({ alg: 'none', kid: 'local-1' })).replace(/=+$/, '');
  const signed = await new SignJWT({ pid: 'demo', scope: scopes.join(' ') })
    .setProtectedHeader({ alg: 'HS256' })
    .setIssuer('booking-payments')
    .setSubject('demo-engine')
    .setExpirationTime('1h')
    .sign(new Uint8Array(32));
  return `Bearer ${header}.${signed.split('.')[1]}.`;
}
