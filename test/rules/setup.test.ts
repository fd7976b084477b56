import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { root } from '../../scripts/environment.ts';
import { likelyPlace } from '../../scripts/setup/place.ts';
import { reachedAt } from '../../scripts/setup/production.ts';
import { askAddress, askHotel, askStripe, codeOf } from '../../scripts/setup/questions.ts';
import { hasAdministrator, hasSeenClient } from '../../scripts/setup/records.ts';
import { webhookEvents } from '../../scripts/setup/stripe.ts';
import { withSetting } from '../../scripts/setup/wranglerToml.ts';
import { stripeSettings } from '../../scripts/stripeSettings.ts';

const toml = `name = "x"

[env.production]
name = "x"
workers_dev = false

[[env.production.d1_databases]]
binding = "DB"
# The id.
database_id = "0"

[env.production.vars]
LIMIT = "1"
# MAIL_FROM = "stay@hotel.com"
`;

describe('a setting in wrangler.toml', () => {
  it.each([
    [
      '[[env.production.d1_databases]]',
      'database_id',
      '7',
      'database_id = "0"',
      'database_id = "7"',
    ],
    ['[env.production]', 'workers_dev', true, 'workers_dev = false', 'workers_dev = true'],
    [
      '[env.production.vars]',
      'GATEWAY',
      'stripe',
      'LIMIT = "1"',
      'LIMIT = "1"\nGATEWAY = "stripe"',
    ],
  ] as const)('%s %s is set in its own table only', (table, key, value, before, after) => {
    const set = withSetting(toml, table, key, value);
    expect(set).toBe(toml.replace(before, after));
    expect(withSetting(set, table, key, value)).toBe(set);
  });

  it('gets a table where there is none', () => {
    const once = withSetting(toml, '[[env.production.routes]]', 'pattern', 'pay.hotel.com');
    const twice = withSetting(once, '[[env.production.routes]]', 'custom_domain', true);
    const routes = '[[env.production.routes]]\npattern = "pay.hotel.com"\ncustom_domain = true\n';
    expect(twice).toBe(`${toml}\n${routes}`);
  });

  it('names the Worker by the first label under workers.dev', () => {
    expect(reachedAt('pay.hotel.workers.dev')).toContainEqual({
      table: '[env.production]',
      key: 'name',
      value: 'pay',
    });
    expect(reachedAt('pay.hotel.com').map(({ key }) => key)).not.toContain('name');
  });
});

describe('an answer', () => {
  it.each([
    ['pay.hotel.com', 'pay.hotel.com'],
    [' https://Pay.Hotel.com/ ', 'pay.hotel.com'],
  ])('%j is the host %s', async (address, host) => {
    expect(await askAddress({ address })).toBe(host);
  });

  it.each(['', 'hotel', 'pay.hotel.com/path', 'pay_hotel.com', '-.com'])(
    '%j is no host',
    async (address) => {
      await expect(askAddress({ address })).rejects.toThrow('no host name');
    },
  );

  it.each([
    ['Hôtel du Lac', 'hotel-du-lac'],
    ['  The "Royal" & Co. ', 'the-royal-co'],
    ['旅館', ''],
  ])('%s has the code %s', (name, code) => {
    expect(codeOf(name)).toBe(code);
  });

  it('needs a currency and a time zone that there are', async () => {
    const hotel = { hotel: 'Lac', currency: 'chf', timeZone: 'Europe/Zurich' };
    expect(await askHotel(hotel)).toMatchObject({ code: 'lac', currency: 'CHF' });
    await expect(askHotel({ ...hotel, currency: 'XYZ' })).rejects.toThrow('ISO 4217');
    await expect(askHotel({ ...hotel, timeZone: 'Mars/One' })).rejects.toThrow('IANA');
  });

  it('has keys of one mode', async () => {
    const keys = { stripeSecretKey: 'sk_live_1', stripePublishableKey: 'pk_live_1' };
    expect(await askStripe(keys)).toEqual({ secretKey: 'sk_live_1', publishableKey: 'pk_live_1' });
    expect(await askStripe({ ...keys, gateway: 'sandbox' })).toBeNull();
    const mixed = { ...keys, stripePublishableKey: 'pk_test_1' };
    await expect(askStripe(mixed)).rejects.toThrow('pk_live_');
    await expect(askStripe({ stripeSecretKey: 'whsec_1' })).rejects.toThrow('sk_live_');
  });

  it.each([
    ['Australia/Perth', 'AUD'],
    ['Europe/Zurich', 'CHF'],
    ['America/New_York', 'USD'],
    ['Europe/Berlin', 'EUR'],
  ])('of a computer in %s is likely %s', (timeZone, currency) => {
    expect(likelyPlace(timeZone)).toEqual({ currency, timeZone });
  });

  it('is unknown where the clock names no country', () => {
    expect(likelyPlace('UTC')).toBeNull();
  });
});

describe('what a run that was cut off left', () => {
  const administrator = (id: string, createdAtMs: number) => ({ id, property: null, createdAtMs });
  const engine = { id: 'engine', property: 'lac', createdAtMs: 20 };

  it('tells whose secret perhaps nobody saw', () => {
    const seen = (...clients: { id: string; property: string | null; createdAtMs: number }[]) =>
      hasSeenClient({ properties: ['lac'], clients }, 'lac');
    expect(seen()).toBe(false);
    expect(seen(engine)).toBe(true);
    expect(seen(engine, administrator('setup-1', 10))).toBe(false);
    expect(seen(engine, administrator('setup-1', 30))).toBe(true);
    expect(seen(engine, administrator('admin-1', 10))).toBe(true);
  });

  it('is no administrator', () => {
    const has = (id: string) =>
      hasAdministrator({ properties: [], clients: [administrator(id, 1), engine] });
    expect([has('setup-1'), has('admin-1')]).toEqual([false, true]);
  });
});

describe("Stripe's settings", () => {
  it('are those events that the documentation lists', () => {
    const page = readFileSync(path.join(root, 'docs/stripe.md'), 'utf8');
    const list = /Let Stripe send these events[\s\S]*?Snapshot events/.exec(page)?.[0] ?? '';
    const named = [...list.matchAll(/`([a-z_]+(?:\.[a-z_]+)+)`/g)].map(([, name]) => name);
    expect([...webhookEvents]).toEqual(named);
  });

  it('come from the environment only if it names the gateway', () => {
    const keys = { STRIPE_SECRET_KEY: 'sk_test_1', STRIPE_WEBHOOK_SECRET: 'whsec_1' };
    expect(stripeSettings(keys, {})).toEqual({});
    expect(stripeSettings({ ...keys, GATEWAY: 'stripe', PATH: '/' }, {})).toEqual({
      ...keys,
      GATEWAY: 'stripe',
    });
    expect(stripeSettings({ GATEWAY: 'stripe' }, keys)).toEqual({ GATEWAY: 'stripe' });
    expect(stripeSettings({ ...keys, GATEWAY: 'sandbox' }, {})).toEqual({ GATEWAY: 'sandbox' });
    expect(() => stripeSettings({ GATEWAY: 'stripe' }, {})).toThrow('STRIPE_SECRET_KEY');
    expect(() => stripeSettings({ GATEWAY: 'paypal' }, {})).toThrow('sandbox or stripe');
  });
});
