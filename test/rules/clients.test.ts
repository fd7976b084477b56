import { describe, expect, it } from 'vitest';
import { allows, type Scope, scopesThatAllow } from '../../src/records/clients/rules/scopes.ts';
import { inGoodStanding, isAdministrator, isUseToNote } from '../../src/records/clients/rules.ts';

describe('a client may act', () => {
  it.each([
    ['of a deployment', { revokedAtMs: null, seeded: false }, { there: true, locally: true }],
    [
      'seeded by a local start',
      { revokedAtMs: null, seeded: true },
      { there: false, locally: true },
    ],
    ['revoked', { revokedAtMs: 1, seeded: false }, { there: false, locally: false }],
    ['seeded and revoked', { revokedAtMs: 1, seeded: true }, { there: false, locally: false }],
  ])('%s', (_which, client, { there, locally }) => {
    expect([inGoodStanding({ client }, false), inGoodStanding({ client }, true)]).toEqual([
      there,
      locally,
    ]);
  });
});

describe('a scope', () => {
  it.each<[string[], string, boolean]>([
    [['bookings'], 'bookings', true],
    [['bookings'], 'bookings:read', true],
    [['bookings:read'], 'bookings:read', true],
    [['bookings:read'], 'bookings', false],
    [['payments', 'cards'], 'bookings:read', false],
    [['admin'], 'bookings', false],
    [[], 'events', false],
  ])('%j allows %s: %s', (granted, needed, expected) => {
    expect(allows(granted, needed)).toBe(expected);
  });

  it.each<[Scope, Scope[]]>([
    ['payments:read', ['payments', 'payments:read']],
    ['payments', ['payments']],
    ['admin', ['admin']],
  ])('%s is allowed by %j', (needed, expected) => {
    expect(scopesThatAllow(needed)).toEqual(expected);
  });

  it('of an administrator is admin alone', () => {
    const all = [['admin'], ['bookings', 'admin'], ['bookings'], []];
    const are = all.map((scopes) => isAdministrator({ client: { scopes } }));
    expect(are).toEqual([true, true, false, false]);
  });
});

describe('the use of a client', () => {
  const now = Date.parse('2027-01-10T09:00:00Z');

  it.each([
    ['first', null, true],
    ['noted just now', now, false],
    ['noted an hour ago', now - 3_600_000, false],
    ['noted longer ago', now - 3_600_001, true],
  ])('is noted at most once an hour: %s', (_which, lastUsedAtMs, expected) => {
    expect(isUseToNote({ lastUsedAtMs }, now)).toBe(expected);
  });
});
