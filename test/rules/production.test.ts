import { describe, expect, it } from 'vitest';
import { missingSettings } from '../../scripts/production.ts';

const made = { database_id: 'a3b1c2d4-0000-4000-8000-000000000000' };
const placeholder = { database_id: '00000000-0000-0000-0000-000000000000' };

describe('a deployment', () => {
  it.each([
    ['without a database', [], { GATEWAY: 'stripe' }, [], [/database/]],
    ['with the placeholder of one', [placeholder], { GATEWAY: 'stripe' }, [], [/database/]],
    ['without a gateway', [made], {}, [], [/GATEWAY/]],
    ['with one that there is not', [made], { GATEWAY: 'paypal' }, [], [/GATEWAY/]],
    ['with nothing', [], {}, [], [/database/, /GATEWAY/]],
    ['with both', [made], { GATEWAY: 'stripe' }, [], []],
    ['with the gateway on the command line', [made], {}, ['--var', 'GATEWAY:sandbox'], []],
    [
      'without an address',
      [made],
      { GATEWAY: 'stripe', PUBLIC_BASE_URL: '' },
      [],
      [/PUBLIC_BASE_URL/],
    ],
    [
      'with the address on the command line',
      [made],
      { GATEWAY: 'stripe', PUBLIC_BASE_URL: '' },
      ['--var', 'PUBLIC_BASE_URL:https://pay.hotel.com'],
      [],
    ],
    ['with another one there', [made], { GATEWAY: 'stripe' }, ['--var', 'GATEWAY:no'], [/GATEWAY/]],
  ] as const)('%s is told what is missing', (_what, d1_databases, vars, args, expected) => {
    const routes = [{ pattern: 'pay.hotel.com', custom_domain: true }];
    const all = { PUBLIC_BASE_URL: 'https://pay.hotel.com', ...vars };
    const missing = missingSettings({ d1_databases, routes, vars: all }, args);
    expect(missing).toHaveLength(expected.length);
    for (const [index, words] of expected.entries()) expect(missing[index]).toMatch(words);
  });

  it.each([
    ['without a domain', { routes: undefined, workers_dev: false }, 1],
    ['with none but a list of them', { routes: [], workers_dev: undefined }, 1],
    ['with a domain', { routes: [{ pattern: 'pay.hotel.com' }], workers_dev: false }, 0],
    ["with Cloudflare's", { routes: undefined, workers_dev: true }, 0],
  ])('%s can be reached or is told so', (_what, reached, expected) => {
    const vars = { GATEWAY: 'stripe', PUBLIC_BASE_URL: 'https://pay.hotel.com' };
    const production = { d1_databases: [made], vars, ...reached };
    expect(missingSettings(production, [])).toHaveLength(expected);
  });
});
