import { describe, expect, it } from 'vitest';
import worker from '../../src/index.ts';
import { Keyring } from '../../src/platform/crypto/keyring.ts';
import type { Env } from '../../src/platform/env.ts';
import { bookingLink } from '../../src/records/links/linkToken.ts';
import { engineToken, testEnv } from '../support/api.ts';
import { allRoutes, sampleOf } from '../support/routes.ts';

/** A key that no local start knows. */
const REAL_KEY = `k1:${btoa('0123456789abcdef0123456789abcdef')}`;

/** The bindings as a deployment would have them. */
function deployed(
  variables: Partial<Record<'LOCAL_MODE' | 'GATEWAY' | 'KEYRING' | 'PUBLIC_BASE_URL', string>>,
): Env {
  const { LOCAL_MODE: _local, GATEWAY: _gateway, KEYRING: _keyring, ...bindings } = testEnv;
  return { ...bindings, PUBLIC_BASE_URL: 'https://pay.hotel.com', ...variables };
}

async function ask(
  env: Env,
  path: string,
  init: RequestInit = {},
  origin = 'https://pay.hotel.com',
) {
  const context = { waitUntil: () => undefined, passThroughOnException: () => undefined };
  return worker.fetch(
    new Request(`${origin}${path}`, init) as Request<unknown, IncomingRequestCfProperties>,
    env,
    context as unknown as ExecutionContext,
  );
}

const tokenRequest = {
  method: 'POST',
  headers: { Authorization: `Basic ${btoa('demo-engine:demo-secret')}` },
  body: new URLSearchParams({ grant_type: 'client_credentials' }),
};

/** Every route of the app, and an address that has none. */
const everything = [...allRoutes(), 'POST /nowhere'].map(sampleOf);

describe('a deployment', () => {
  it.each([
    ['without a gateway', { KEYRING: REAL_KEY }],
    ['with a gateway that nobody knows', { KEYRING: REAL_KEY, GATEWAY: 'bank' }],
    ['without keys', { GATEWAY: 'sandbox' }],
    [
      'without an address of its links',
      { GATEWAY: 'sandbox', KEYRING: REAL_KEY, PUBLIC_BASE_URL: '' },
    ],
    ['with malformed keys', { GATEWAY: 'sandbox', KEYRING: 'secret' }],
    ['with the key of the local start', { GATEWAY: 'sandbox', KEYRING: testEnv.KEYRING ?? '' }],
    [
      'with the key of the local start under another id',
      { GATEWAY: 'sandbox', KEYRING: `k1:${testEnv.KEYRING?.split(':')[1]}` },
    ],
  ])('%s answers 503 on every route, and does no scheduled work', async (_name, variables) => {
    const env = deployed(variables);
    for (const { method, path } of everything) {
      const response = await ask(env, path, { method });
      expect([method, path, response.status]).toEqual([method, path, 503]);
      expect(await response.json()).toMatchObject({ success: false, code: 'not_configured' });
    }
    await expect(
      Promise.resolve(worker.scheduled({} as ScheduledController, env)),
    ).rejects.toThrow();
  });

  it('refuses the seeded clients, should they ever be in its database, and their tokens', async () => {
    const env = deployed({ GATEWAY: 'sandbox', KEYRING: REAL_KEY });
    expect((await ask(env, '/health')).status).toBe(200);
    expect((await ask(env, '/auth/v1/token', tokenRequest)).status).toBe(401);
    const withLocalToken = await ask(env, '/payment/v1/transaction', {
      method: 'POST',
      headers: {
        Authorization: `Bearer ${await engineToken()}`,
        'Content-Type': 'application/json',
      },
      body: '{"reference":"R"}',
    });
    expect(withLocalToken.status).toBe(401);
  });

  it('has no mailbox, and keeps a guest’s visit in a cookie for encrypted connections only', async () => {
    const env = deployed({ GATEWAY: 'sandbox', KEYRING: REAL_KEY });
    expect((await ask(env, '/dev/mailbox')).status).toBe(404);
    const booking = { propertyId: 'demo', reference: 'R', linkVersion: 1 };
    const keyring = await Keyring.parse(REAL_KEY);
    const link = await bookingLink(keyring, '', booking, Date.now() + 60_000);
    const opened = await ask(env, link, { redirect: 'manual' });
    expect(opened.status).toBe(303);
    expect(opened.headers.get('Set-Cookie')).toMatch(/^__Secure-visit=.*; Secure/);
  });

  it.each([
    ['https://hotel.com', 503],
    ['https://localhost.hotel.com', 503],
    ['https://127.0.0.1.hotel.com', 503],
    ['https://hotel.com/localhost', 503],
    ['https://hotel.com:443/?http://localhost/', 503],
    ['http://localhost', 200],
    ['http://LocalHost:80', 200],
    ['http://127.0.0.1:8787', 200],
    ['https://127.0.0.1', 200],
    ['http://[::1]:8787', 200],
    ['http://[0:0::1]', 200],
  ])(
    'is never in local mode for the world: with the variable set, %s gets %i',
    async (origin, status) => {
      const env = deployed({ LOCAL_MODE: 'true', KEYRING: testEnv.KEYRING ?? '' });
      const answer = await ask(env, '/health', {}, origin);
      expect(answer.status).toBe(status);
    },
  );
});
