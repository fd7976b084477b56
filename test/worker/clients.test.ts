/** Clients and export users as administrators see and change them, and what reading scopes reach. */
import { beforeAll, describe, expect, it } from 'vitest';
import { seed } from '../../scripts/seed.ts';
import { HOUR_MS, MINUTE_MS } from '../../src/core/time.ts';
import { forgetClient } from '../../src/records/clients/clientCache.ts';
import {
  atTime,
  call,
  callAsAdmin,
  engineToken,
  http,
  makeProperty,
  testEnv,
  tokenOf,
} from '../support/api.ts';
import { makeExisting } from '../support/existing.ts';
import { type Existing, samples } from '../support/samples.ts';

/** Makes a client; its id and a token. */
async function makeClient(scopes: readonly string[], name?: string) {
  const { json } = await callAsAdmin('/admin/v1/client/create', { property: 'demo', scopes, name });
  const { clientId, clientSecret } = json;
  return { clientId, clientSecret, token: () => tokenOf(clientId, clientSecret) };
}

async function listed(clientId: string) {
  const { json } = await callAsAdmin('/admin/v1/client/list', { property: 'demo', limit: 200 });
  return json.clients.find((client) => client.clientId === clientId);
}

const UTC = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/;

describe('POST /admin/v1/client/list', () => {
  it('says who has which scopes, since when, and never a secret', async () => {
    const { clientId } = await makeClient(['bookings', 'payments:read'], 'Reports');
    expect(await listed(clientId)).toEqual({
      clientId,
      name: 'Reports',
      property: 'demo',
      scopes: ['bookings', 'payments:read'],
      createdAt: expect.stringMatching(UTC),
      lastUsedAt: null,
      revokedAt: null,
    });
    await callAsAdmin('/admin/v1/client/revoke', { clientId });
    expect(await listed(clientId)).toMatchObject({ revokedAt: expect.stringMatching(UTC) });
  });

  it('lists those of every property and of none, page by page', async () => {
    await makeProperty('paged');
    const all = (await callAsAdmin('/admin/v1/client/list', {})).json.clients;
    expect(all.map((client) => client.property)).toEqual(
      expect.arrayContaining(['demo', 'paged', null]),
    );
    const ids: string[] = [];
    let cursor: string | undefined;
    do {
      const { json } = await callAsAdmin('/admin/v1/client/list', { limit: 1, cursor });
      ids.push(...json.clients.map((client) => client.clientId));
      cursor = json['nextCursor'] ?? undefined;
    } while (cursor !== undefined);
    expect(ids).toEqual(all.map((client) => client.clientId));
  });

  it('notes the last use by the hour, when a token is issued and when it is used', async () => {
    const client = await makeClient(['bookings']);
    const startMs = Date.now();
    const use = (minutes: number) =>
      atTime(startMs + minutes * MINUTE_MS, async () => {
        await call('/booking/v1/list', {}, { token: await client.token() });
      });
    const lastUse = async () => Date.parse((await listed(client.clientId))?.lastUsedAt ?? '');
    await use(0);
    const first = await lastUse();
    expect(Math.abs(first - startMs)).toBeLessThan(2_000);
    await use(50);
    expect(await lastUse()).toBe(first);
    await use(61);
    expect((await lastUse()) - first).toBeGreaterThanOrEqual(HOUR_MS);
    const token = await client.token();
    const laterMs = startMs + 40 * HOUR_MS;
    await testEnv.DB.prepare('UPDATE clients SET last_used_at_ms = 1 WHERE id = ?')
      .bind(client.clientId)
      .run();
    forgetClient(client.clientId);
    await call('/booking/v1/list', {}, { token });
    expect(await lastUse()).toBeGreaterThan(startMs - 2_000);
    expect(await lastUse()).toBeLessThan(laterMs);
  });
});

describe('POST /admin/v1/client/put', () => {
  it('changes scopes and name, keeps what is left out, and counts at once', async () => {
    const client = await makeClient(['bookings'], 'Engine');
    const { clientId } = client;
    const token = await client.token();
    const charge = { reference: 'NOWHERE', amount: 1 };
    expect((await call('/payment/v1/create', charge, { token })).status).toBe(403);
    const scopes = ['payments', 'events', 'payments'];
    const put = await callAsAdmin('/admin/v1/client/put', { clientId, scopes });
    expect(put.json).toEqual({ success: true, client: await listed(clientId) });
    expect(put.json.client).toMatchObject({ name: 'Engine', scopes: ['payments', 'events'] });
    // A scope taken away is gone from tokens too; one that is added needs a new token.
    expect((await call('/booking/v1/list', {}, { token })).status).toBe(403);
    const again = await http('/auth/v1/token', {
      method: 'POST',
      headers: { Authorization: `Basic ${btoa(`${clientId}:${client.clientSecret}`)}` },
      body: new URLSearchParams({ grant_type: 'client_credentials' }),
    });
    const { access_token: fresh } = (await again.json()) as { access_token: string };
    expect((await call('/payment/v1/create', charge, { token: fresh })).status).toBe(404);
    const named = await callAsAdmin('/admin/v1/client/put', { clientId, name: null });
    expect(named.json.client).toMatchObject({ name: null, scopes: ['payments', 'events'] });
  });

  it.each([
    ['an unknown client', { clientId: 'nobody', name: 'X' }, 404, 'client_not_found'],
    ["an administrator's scopes", { clientId: 'admin', scopes: ['events'] }, 409, 'invalid_state'],
    ['the scope of administrators', { scopes: ['admin'] }, 422, 'validation_failed'],
    ['no scope', { scopes: [] }, 422, 'validation_failed'],
  ])('refuses %s', async (_name, change, status, code) => {
    const answer = await callAsAdmin('/admin/v1/client/put', {
      clientId: 'demo-engine',
      ...change,
    });
    expect([answer.status, answer.json.code]).toEqual([status, code]);
  });
});

it('changes of clients and export users are in the audit trail, with who made them', async () => {
  await makeProperty('audited', { portfolio: 'audited' });
  const body = { property: 'audited', scopes: ['bookings'] };
  const { clientId } = (await callAsAdmin('/admin/v1/client/create', body)).json;
  await callAsAdmin('/admin/v1/client/put', { clientId, scopes: ['payments:read'], name: 'Books' });
  await callAsAdmin('/admin/v1/client/revoke', { clientId });
  const user = { username: 'audited', portfolio: 'audited' };
  await callAsAdmin('/admin/v1/export-user/create', user);
  await callAsAdmin('/admin/v1/export-user/revoke', { username: 'audited' });
  const { json } = await callAsAdmin('/admin/v1/audit/list', { property: 'audited', limit: 200 });
  const of = (subject: string) =>
    json.entries
      .filter((entry) => entry.subject === subject)
      .map(({ actor, detail, from, to }) => [actor, detail, from, to]);
  expect(of(`client ${clientId}`)).toEqual([
    ['admin', 'scopes', null, '["bookings"]'],
    ['admin', 'scopes', '["bookings"]', '["payments:read"]'],
    ['admin', 'name', null, 'Books'],
    ['admin', 'revokedAt', null, expect.stringMatching(UTC)],
  ]);
  expect(of('export-user audited').map(([, detail]) => detail)).toEqual(['portfolio', 'revokedAt']);
});

/** The operations that each reading scope reaches, with what they answer here. All others need more. */
const READING: Record<string, string[]> = {
  'bookings:read': [
    '200 /booking/v1/get-details',
    '200 /booking/v1/list',
    '200 /booking/v1/cancellation/quote',
    '404 /booking/v1/cancellation/get',
  ],
  'payments:read': [
    '200 /payment/v1/transaction',
    '200 /payment/v1/list',
    '200 /payment/v1/get-transaction',
    '200 /payment/v1/balance',
    '200 /payment/v1/quote',
    '200 /dispute/v1/list',
    '200 /dispute/v1/evidence',
    '200 /bank-statement/v1/list',
    '404 /payment-plan/v1/get',
  ],
  'cards:read': ['200 /card/v1/health', '200 /card/v1/virtual/list'],
  'disbursements:read': ['200 /disbursement/v1/get-all', '200 /disbursement/v1/get-details'],
};

describe('a client that may only read', () => {
  let existing: Existing;
  beforeAll(async () => {
    existing = await makeExisting();
  });

  it.each(Object.entries(READING))(
    'with %s reaches what reads, and nothing else',
    async (scope, reads) => {
      const token = await tokenOf('demo-engine', 'demo-secret', scope);
      const reached = await Promise.all(
        Object.entries(samples).map(async ([path, { body }]) => {
          const { status, json } = await call(path, body(existing), { token });
          return json.code === 'insufficient_scope' ? [] : [`${status} ${path}`];
        }),
      );
      expect(reached.flat().toSorted()).toEqual(reads.toSorted());
    },
  );

  it('gets no link by which the guest pays', async () => {
    const { reference } = existing;
    const token = await tokenOf('demo-engine', 'demo-secret', 'bookings:read');
    const read = await call('/booking/v1/get-details', { reference }, { token });
    const whole = await call('/booking/v1/get-details', { reference });
    expect([read.json.booking.url, whole.json.booking.url]).toEqual([
      '',
      expect.stringContaining('/guest/v1/payments?'),
    ]);
  });

  it('may be another one: the whole scope contains the reading one', async () => {
    const { clientId, clientSecret } = await makeClient(['payments']);
    const token = await tokenOf(clientId, clientSecret, 'payments:read');
    expect((await call('/payment/v1/list', {}, { token })).status).toBe(200);
    const charge = await call('/payment/v1/create', { reference: 'X', amount: 1 }, { token });
    expect([charge.status, charge.headers.get('WWW-Authenticate')]).toEqual([
      403,
      'Bearer error="insufficient_scope", scope="payments"',
    ]);
    const refused = await call('/booking/v1/list', {}, { token });
    expect(refused.json.detail).toBe('This needs the scope bookings or bookings:read.');
  });
});

describe('export users', () => {
  const fetchFile = (username: string, password: string) =>
    http('/export?propertySystem=1', {
      headers: { Authorization: `Basic ${btoa(`${username}:${password}`)}` },
    });

  it('are listed with their last use, and revoked for good', async () => {
    const body = { username: 'lake', portfolio: 'listed' };
    const { json: made } = await callAsAdmin('/admin/v1/export-user/create', body);
    const list = async () =>
      (await callAsAdmin('/admin/v1/export-user/list', { portfolio: 'listed' })).json;
    expect(await list()).toEqual({
      success: true,
      exportUsers: [
        { ...body, createdAt: expect.stringMatching(UTC), lastUsedAt: null, revokedAt: null },
      ],
      nextCursor: null,
    });
    expect((await fetchFile('lake', made['password'])).status).toBe(404);
    expect((await list()).exportUsers[0]?.lastUsedAt).toMatch(UTC);
    const revoke = await callAsAdmin('/admin/v1/export-user/revoke', { username: 'lake' });
    expect(revoke.json).toEqual({ success: true });
    expect((await fetchFile('lake', made['password'])).status).toBe(401);
    expect((await list()).exportUsers[0]?.revokedAt).toMatch(UTC);
    const again = await callAsAdmin('/admin/v1/export-user/create', body);
    expect([again.status, again.json.code]).toEqual([409, 'invalid_state']);
  });

  it('that are not there are 404', async () => {
    const { status, json } = await callAsAdmin('/admin/v1/export-user/revoke', { username: 'no' });
    expect([status, json.code]).toEqual([404, 'user_not_found']);
  });
});

describe('properties', () => {
  it('are read as they were put, and listed by portfolio', async () => {
    const details = {
      property: 'lakeside',
      name: 'Lakeside',
      site: 'lakeside.hotel.com',
      currency: 'AUD',
      timeZone: 'Australia/Perth',
      portfolio: 'lakes',
      pms: { url: 'https://pms.hotel.com/lakeside', username: 'u', password: 'p4ssw0rd!' },
    };
    const { json: put } = await callAsAdmin('/admin/v1/property/put', details);
    const read = await callAsAdmin('/admin/v1/property/get', { property: 'lakeside' });
    expect(read.json).toEqual(put);
    const list = await callAsAdmin('/admin/v1/property/list', { portfolio: 'lakes' });
    expect(list.json).toEqual({ success: true, properties: [put.property], nextCursor: null });
    const nowhere = await callAsAdmin('/admin/v1/property/get', { property: 'nowhere' });
    expect([nowhere.status, nowhere.json.code]).toEqual([404, 'property_not_found']);
  });
});

it('a state of an earlier version gets the scopes that came since, when it is seeded', async () => {
  const update = testEnv.DB.prepare("UPDATE clients SET scopes = ? WHERE id = 'demo-engine'");
  await update.bind(JSON.stringify(['bookings', 'payments'])).run();
  await seed(testEnv.DB, testEnv.KEYRING ?? '', Date.now());
  forgetClient('demo-engine');
  const events = await call('/event/v1/list', {}, { token: await engineToken() });
  expect(events.status).toBe(200);
});
