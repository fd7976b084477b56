import { describe, expect, test } from 'vitest';
import type { Result } from '../../src/core/result.ts';
import { type Config, readConfig, requireConfig } from '../../src/platform/config.ts';
import type { Env } from '../../src/platform/env.ts';
import { keyEntry } from './keys.ts';

const GOOD_KEY = keyEntry('prod-1', 9);
const LOCAL_BYTES = 'bG9jYWwtZGV2ZWxvcG1lbnQta2V5LW5vdC1hLXNlY3I=';
const DEV_VARS_KEY = `local-1:${LOCAL_BYTES}`;

const ADDRESS = { PUBLIC_BASE_URL: 'https://pay.hotel.com' };

/** A new environment each time, since each is checked once. It has an address unless it is told another one. */
function env(variables: Partial<Env>): Env {
  return { ...ADDRESS, ...variables } as Env;
}

describe('a deployment', () => {
  test('works when it has a gateway and a keyring of its own', async () => {
    const config = await readConfig(env({ GATEWAY: 'sandbox', KEYRING: GOOD_KEY }));
    expect(config).toMatchObject({
      ok: true,
      value: { local: false, gateway: { name: 'sandbox' } },
    });
    const keyring = config.ok ? config.value.keyring : null;
    expect((await keyring?.current('access-token'))?.keyId).toBe('prod-1');
  });

  test.each(['https://pay.hotel.com', 'https://pay.hotel.com/'])(
    'names the address of its links: %j',
    async (PUBLIC_BASE_URL) => {
      const config = { GATEWAY: 'sandbox', KEYRING: GOOD_KEY, PUBLIC_BASE_URL };
      expect(await readConfig(env(config))).toMatchObject({ ok: true });
    },
  );

  test.each<[string, Partial<Env>, RegExp]>([
    ['nothing', {}, /GATEWAY/],
    ['no GATEWAY', { KEYRING: GOOD_KEY }, /GATEWAY/],
    ['an empty GATEWAY', { GATEWAY: '', KEYRING: GOOD_KEY }, /GATEWAY/],
    ['a GATEWAY that does not exist', { GATEWAY: 'Sandbox', KEYRING: GOOD_KEY }, /GATEWAY/],
    ...[
      'pay.hotel.com',
      'http://pay.hotel.com',
      'https://pay.hotel.com/guests',
      'javascript:1',
    ].map((PUBLIC_BASE_URL): [string, Partial<Env>, RegExp] => [
      `links to ${PUBLIC_BASE_URL}`,
      { GATEWAY: 'sandbox', KEYRING: GOOD_KEY, PUBLIC_BASE_URL },
      /PUBLIC_BASE_URL must be an https address/,
    ]),
    [
      'no address of its links',
      { GATEWAY: 'sandbox', KEYRING: GOOD_KEY, PUBLIC_BASE_URL: '' },
      /Set PUBLIC_BASE_URL/,
    ],
    ...(
      [
        [{ ACCESS_ONLY: 'true' }, /ACCESS_ONLY needs/],
        [{ ACCESS_ONLY: 'yes' }, /ACCESS_ONLY must be/],
        [{ ACCESS_TEAM: 'https://hotel.cloudflareaccess.com' }, /Set both/],
      ] as const
    ).map(([access, reason]): [string, Partial<Env>, RegExp] => [
      JSON.stringify(access),
      { GATEWAY: 'sandbox', KEYRING: GOOD_KEY, ...access },
      reason,
    ]),
    ['no KEYRING', { GATEWAY: 'sandbox' }, /KEYRING is not set/],
    ['an empty KEYRING', { GATEWAY: 'sandbox', KEYRING: '' }, /KEYRING is not set/],
    ['a malformed KEYRING', { GATEWAY: 'sandbox', KEYRING: 'secret' }, /KEYRING must hold/],
    [
      'an id twice',
      { GATEWAY: 'sandbox', KEYRING: `${GOOD_KEY},${GOOD_KEY}` },
      /KEYRING must hold/,
    ],
    ['the key of .dev.vars', { GATEWAY: 'sandbox', KEYRING: DEV_VARS_KEY }, /local start/],
    [
      'that key under another id',
      { GATEWAY: 'sandbox', KEYRING: `prod-1:${LOCAL_BYTES}` },
      /local start/,
    ],
    [
      'that key behind a good one',
      { GATEWAY: 'sandbox', KEYRING: `${GOOD_KEY},${DEV_VARS_KEY}` },
      /local start/,
    ],
    [
      'another key with a local id',
      { GATEWAY: 'sandbox', KEYRING: keyEntry('local-2', 9) },
      /local start/,
    ],
  ])('with %s is refused', async (_name, variables, reason) => {
    const config = await readConfig(env(variables));
    expect(config).toMatchObject({ ok: false, error: expect.stringMatching(reason) });
    await expect(requireConfig(env(variables))).rejects.toThrow(reason);
  });

  test.each(['false', 'TRUE', '1', 'yes', ''])(
    'is not made a local start by LOCAL_MODE %j',
    async (LOCAL_MODE) => {
      const config = await readConfig(
        env({ LOCAL_MODE, GATEWAY: 'sandbox', KEYRING: DEV_VARS_KEY }),
      );
      expect(config).toMatchObject({ ok: false, error: expect.stringMatching(/local start/) });
    },
  );

  test('never shows a key in its refusal', async () => {
    for (const KEYRING of [`x:${'y'.repeat(40)}`, DEV_VARS_KEY]) {
      const config = await readConfig(env({ GATEWAY: 'sandbox', KEYRING }));
      expect(config.ok).toBe(false);
      expect(JSON.stringify(config)).not.toContain(KEYRING.split(':')[1]);
    }
  });
});

describe('a local start', () => {
  test('works with the key of .dev.vars, on the sandbox unless told otherwise', async () => {
    const config = await requireConfig(env({ LOCAL_MODE: 'true', KEYRING: DEV_VARS_KEY }));
    expect(config).toMatchObject({ local: true, gateway: { name: 'sandbox' } });
  });

  test('needs no address: its links begin where it is asked', async () => {
    const local = { LOCAL_MODE: 'true', KEYRING: DEV_VARS_KEY, PUBLIC_BASE_URL: '' };
    expect(await readConfig(env(local))).toMatchObject({ ok: true });
  });

  test.each<[string, Partial<Env>, RegExp]>([
    ['without KEYRING', {}, /KEYRING is not set/],
    ['with a malformed KEYRING', { KEYRING: 'local-1:short' }, /KEYRING must hold/],
    ['with a GATEWAY that does not exist', { KEYRING: DEV_VARS_KEY, GATEWAY: 'x' }, /GATEWAY/],
  ])('%s is refused', async (_name, variables, reason) => {
    const config = await readConfig(env({ LOCAL_MODE: 'true', ...variables }));
    expect(config).toMatchObject({ ok: false, error: expect.stringMatching(reason) });
  });
});

function apiBaseOf(config: Result<Config, string>): URL | null {
  return config.ok && config.value.gateway.name === 'stripe' ? config.value.gateway.apiBase : null;
}

describe('Stripe', () => {
  const stripe = {
    GATEWAY: 'stripe',
    KEYRING: GOOD_KEY,
    STRIPE_SECRET_KEY: 'sk_live_1',
    STRIPE_WEBHOOK_SECRET: 'whsec_1',
  };

  test('is asked at its own address unless another one is named', async () => {
    const config = await readConfig(env(stripe));
    expect(apiBaseOf(config)?.href).toBe('https://api.stripe.com/');
    const other = await readConfig(env({ ...stripe, STRIPE_API_BASE: 'https://proxy.hotel.com' }));
    expect(apiBaseOf(other)?.host).toBe('proxy.hotel.com');
    const local = { ...stripe, LOCAL_MODE: 'true', STRIPE_API_BASE: 'http://127.0.0.1:12111' };
    const nearby = await readConfig(env(local));
    expect(apiBaseOf(nearby)?.port).toBe('12111');
  });

  test.each<[string, Partial<Env>, RegExp]>([
    ['no secret key', { STRIPE_SECRET_KEY: '' }, /STRIPE_SECRET_KEY/],
    ['no webhook secret', { STRIPE_WEBHOOK_SECRET: '' }, /STRIPE_WEBHOOK_SECRET/],
    ['an address that is none', { STRIPE_API_BASE: 'stripe' }, /STRIPE_API_BASE/],
    ['a plain address', { STRIPE_API_BASE: 'http://127.0.0.1:1' }, /STRIPE_API_BASE/],
    [
      'a plain address elsewhere, in local mode',
      { STRIPE_API_BASE: 'http://stripe.test', LOCAL_MODE: 'true' },
      /STRIPE_API_BASE/,
    ],
  ])('does not work with %s', async (_case, variables, error) => {
    const config = await readConfig(env({ ...stripe, ...variables }));
    expect(config.ok ? '' : config.error).toMatch(error);
  });
});
