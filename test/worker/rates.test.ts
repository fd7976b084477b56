/** Who asks too often is refused wherever it matters, and nobody else is. */
import { beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import { createApp } from '../../src/app.ts';
import { adminToken, engineToken, makeProperty, testEnv } from '../support/api.ts';
import { makeExisting } from '../support/existing.ts';
import { allRoutes, documentedOperations, guards, sampleOf } from '../support/routes.ts';
import { type Existing, samples } from '../support/samples.ts';

const HERE = '203.0.113.1';
const THERE = '203.0.113.2';

/** The seeded property's PMS, and that of another property. */
const PMS = { Username: 'pms-user', Password: 'pms-pass' };
const OTHER_PMS = { Username: 'other-user', Password: 'other-pass' };

const app = createApp();
const operations = await documentedOperations();

let existing: Existing;
let tokens: Readonly<Record<'engine' | 'admin' | 'other', string>>;
let otherClient = '';

beforeAll(async () => {
  existing = await makeExisting();
  const pms = {
    url: 'http://127.0.0.1:8791/pms',
    username: OTHER_PMS.Username,
    password: OTHER_PMS.Password,
  };
  const other = await makeProperty('other', { pms });
  tokens = { engine: await engineToken(), admin: await adminToken(), other };
  otherClient = JSON.parse(atob(other.split('.')[1] ?? '')).sub as string;
});

interface Asking {
  readonly address?: string;
  readonly headers?: Record<string, string>;
  readonly body?: string;
}

/** Sends a request while the limiter refuses these keys, or every one; returns the keys that the limiter counted as well. */
async function ask(route: string, refused: readonly string[] | 'all', asking: Asking = {}) {
  const { address = HERE, headers, body } = asking;
  const keys: string[] = [];
  const limit = async ({ key }: { key: string }) => {
    keys.push(key);
    return { success: refused !== 'all' && !refused.includes(key) };
  };
  const { method, path } = sampleOf(route);
  const request = new Request(`http://localhost${path}`, {
    method,
    redirect: 'manual',
    headers: { 'CF-Connecting-IP': address, 'Sec-Fetch-Site': 'same-origin', ...headers },
    ...(body !== undefined && { body }),
  });
  const answer = await app.fetch(request, { ...testEnv, CLIENT_RATE_LIMIT: { limit } });
  return { answer, keys, text: await answer.text() };
}

const asJson = (token?: string) => ({
  'Content-Type': 'application/json',
  ...(token !== undefined && { Authorization: `Bearer ${token}` }),
});

/** What a route is asked with: what it needs, so that nothing but the limit refuses it. */
function askingOf(route: string): Asking {
  const scope = operations.get(route);
  if (scope === undefined) return {};
  const body = samples[route.split(' ')[1] ?? '']?.body(existing) ?? {};
  const token = scope === 'admin' ? tokens.admin : tokens.engine;
  const headers = asJson(token);
  return route.startsWith('GET') ? { headers } : { headers, body: JSON.stringify(body) };
}

/** Nothing is done for whoever calls these: they read no store, or one row of each queue. */
const UNLIMITED = [
  'GET /export/schema',
  'GET /health',
  'GET /',
  'GET /openapi.json',
  'GET /docs',
  'GET /docs/operations/*',
  'GET /docs/messages/:name',
  'GET /docs/guides/:name',
  'GET /docs/:file',
  'GET /guest/theme/:colour',
  'GET /guest/:file',
  'GET /ops/ops.css',
  'GET /ops/ops.js',
  'GET /console/console.js',
  'GET /console/console.css',
  // On a developer's own machine only.
  'GET /dev/kit',
  'GET /dev/mailbox',
  'GET /dev/mailbox/:id',
  // Stripe tells of everything at once, and nothing is done before its signature is seen.
  'POST /gateway/v1/stripe',
];

/** Under which key a route counts whoever has a valid token, or else calls from this address; none when it does not. */
function keysOf(route: string): string[] {
  const scope = operations.get(route);
  if (scope !== undefined) return [scope === 'admin' ? 'admin' : 'demo-engine'];
  if (UNLIMITED.includes(route)) return [];
  const [, family = ''] = /^[A-Z]+ \/(\w+)/.exec(route) ?? [];
  return [`${family === 'auth' ? 'token' : family}:${HERE}`];
}

describe('every route', () => {
  const routes = allRoutes().filter((route) => !guards.includes(route));

  it.each(routes)('%s counts who calls, and refuses whoever calls too often', async (route) => {
    const { answer, keys, text } = await ask(route, 'all', askingOf(route));
    expect(keys).toEqual(keysOf(route));
    if (keys.length === 0) return expect(answer.status).not.toBe(429);
    expect(answer.status).toBe(429);
    expect(answer.headers.get('Retry-After')).toBe('10');
    expect(answer.headers.get('RateLimit-Policy')).toBe('"client";q=100000;w=10');
    const isPage = /^[A-Z]+ \/(?:guest|ops|bank|console)(?:\/|$)/.test(route);
    expect(answer.headers.get('Content-Type')).toBe(
      isPage ? 'text/html; charset=utf-8' : 'application/problem+json',
    );
    expect(text).toMatch(isPage ? /try again|10 seconds/ : /"code":"rate_limited"/);
    // Nothing was done, or read, for it.
    expect(answer.headers.get('Server-Timing')).toMatch(
      /d1;desc="0".*gateway;desc="0".*object;desc="0"/,
    );
  });
});

/** Two who call the same, as whom they are counted, and that the limit of one is not the other's. */
interface Pair {
  readonly route: string;
  readonly one: () => Asking;
  readonly other: () => Asking;
  readonly keys: () => readonly [readonly string[], readonly string[]];
  /** What the other gets. */
  readonly status: number;
}

const PING = { MessageType: 'Ping', MessageID: 'rates' };
const ping = (Authentication: object | undefined, address = HERE): Asking => ({
  address,
  headers: asJson(),
  body: JSON.stringify({ ...PING, Authentication }),
});
const details = (token: string) => ({ headers: asJson(token), body: '{"reference":"NOWHERE"}' });
const from = (asking: Asking) => ({
  one: () => ({ ...asking, address: HERE }),
  other: () => ({ ...asking, address: THERE }),
});
const byAddress = (name: string) => () => [[`${name}:${HERE}`], [`${name}:${THERE}`]] as const;

const pairs: Readonly<Record<string, Pair>> = {
  'clients by their tokens, at one address': {
    route: 'POST /booking/v1/get-details',
    one: () => details(tokens.engine),
    other: () => details(tokens.other),
    keys: () => [['demo-engine'], [otherClient]],
    status: 404,
  },
  'clients whose messages carry a token': {
    route: 'POST /ping/v1',
    one: () => ({ headers: asJson(tokens.engine), body: JSON.stringify(PING) }),
    other: () => ({ headers: asJson(tokens.other), body: JSON.stringify(PING) }),
    keys: () => [['demo-engine'], [otherClient]],
    status: 200,
  },
  'PMSs by the address they send from, before their messages are read': {
    route: 'POST /ping/v1',
    one: () => ping(PMS),
    other: () => ping(PMS, THERE),
    keys: () => [[`envelope:${HERE}`], [`envelope:${THERE}`, 'pms:demo']],
    status: 200,
  },
  'whoever sends messages with a token that is none, by address': {
    route: 'POST /ping/v1',
    one: () => ({ headers: asJson('none'), body: JSON.stringify(PING) }),
    other: () => ({ address: THERE, headers: asJson('none'), body: JSON.stringify(PING) }),
    keys: byAddress('envelope'),
    status: 401,
  },
  'who asks for tokens, by address': {
    route: 'POST /auth/v1/token',
    ...from({
      headers: {
        Authorization: `Basic ${btoa('demo-engine:demo-secret')}`,
        'Content-Type': 'application/x-www-form-urlencoded',
      },
      body: 'grant_type=client_credentials',
    }),
    keys: byAddress('token'),
    status: 200,
  },
  'who fetches exports, by address': {
    route: 'GET /export',
    ...from({ headers: { Authorization: `Basic ${btoa('analyst:analyst-secret')}` } }),
    keys: byAddress('export'),
    status: 400,
  },
  'guests, by address': {
    route: 'GET /guest/v1/payments',
    ...from({}),
    keys: byAddress('guest'),
    status: 404,
  },
  'who opens the operations page, by address': {
    route: 'GET /ops',
    ...from({}),
    keys: byAddress('ops'),
    status: 200,
  },
  'who signs in there, by address': {
    route: 'POST /ops/sign-in',
    ...from({
      headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
      body: 'clientId=admin&clientSecret=wrong',
    }),
    keys: byAddress('ops'),
    status: 401,
  },
};

describe('a limiter that fails', () => {
  const failing = { limit: () => Promise.reject(new Error('no limiter')) };

  it.each([
    ['of clients', { CLIENT_RATE_LIMIT: failing }],
    ['of guesses', { GUESS_RATE_LIMIT: failing }],
  ])('%s refuses nobody, and the log says so', async (_name, limiters) => {
    const logged = vi.spyOn(console, 'error').mockReturnValue();
    onTestFinished(() => logged.mockRestore());
    const { headers, body } = ping({ Username: 'demo-user', Password: 'wrong' });
    const address = { 'CF-Connecting-IP': '203.0.113.77' };
    const request = new Request('http://localhost/ping/v1', {
      method: 'POST',
      headers: { ...headers, ...address },
      ...(body !== undefined && { body }),
    });
    const answer = await app.fetch(request, { ...testEnv, ...limiters });
    expect(answer.status).toBe(401);
    expect(logged.mock.calls).toEqual([[expect.stringContaining('limiter_failed')]]);
  });
});

describe('one who asks too often leaves another alone:', () => {
  it.each(Object.entries(pairs))('%s', async (_name, { route, one, other, keys, status }) => {
    const [ofOne, ofOther] = keys();
    const refused = await ask(route, ofOne, one());
    expect([refused.answer.status, refused.keys]).toEqual([429, ofOne]);
    const answered = await ask(route, ofOne, other());
    expect([answered.answer.status, answered.keys]).toEqual([status, ofOther]);
  });

  it('PMSs by their property, wherever they send from', async () => {
    const demo = await ask('POST /ping/v1', ['pms:demo'], ping(PMS));
    expect([demo.answer.status, demo.keys]).toEqual([429, [`envelope:${HERE}`, 'pms:demo']]);
    expect(demo.answer.headers.get('Retry-After')).toBe('10');
    expect(JSON.parse(demo.text)).toMatchObject({
      success: false,
      code: 'rate_limited',
      MessageID: 'rates',
      Status: 'Error',
    });
    const other = await ask('POST /ping/v1', ['pms:demo'], ping(OTHER_PMS));
    expect([other.answer.status, other.keys]).toEqual([200, [`envelope:${HERE}`, 'pms:other']]);
  });
});
