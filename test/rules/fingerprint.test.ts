import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { fingerprint, sameFingerprint } from '../../src/platform/crypto/fingerprint.ts';
import { keyEntry, keyringOf, withCharacter } from './keys.ts';

const request = {
  reference: 'RES-1',
  amountMinor: 15_000,
  virtualCard: false,
  description: null,
  agent: { name: 'A', emails: ['a@b.example', 'c@d.example'] },
};

/** The same value with the keys of every object written in the opposite order. */
function reversed(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(reversed);
  if (value === null || typeof value !== 'object') return value;
  const entries = Object.entries(value).map(([key, part]) => [key, reversed(part)] as const);
  return Object.fromEntries(entries.toReversed());
}

describe('the fingerprint of a request', () => {
  test('does not depend on the order of keys, at any depth', async () => {
    const keyring = await keyringOf(keyEntry('k1', 1));
    await fc.assert(
      fc.asyncProperty(fc.dictionary(fc.string(), fc.jsonValue()), async (body) => {
        const stored = await fingerprint(keyring, body);
        expect(await fingerprint(keyring, reversed(body) as typeof body)).toBe(stored);
        expect(await sameFingerprint(keyring, stored, body)).toBe(true);
      }),
    );
  });

  test.each([
    ['another amount', { ...request, amountMinor: 15_001 }],
    ['an amount as a string', { ...request, amountMinor: '15000' }],
    ['another truth', { ...request, virtualCard: true }],
    ['no null', { ...request, description: '' }],
    ['a field less', { reference: 'RES-1', amountMinor: 15_000 }],
    ['a field more', { ...request, token: 'a' }],
    ['a blank more', { ...request, reference: 'RES-1 ' }],
    ['another case', { ...request, reference: 'res-1' }],
    ['another inner value', { ...request, agent: { ...request.agent, name: 'B' } }],
    [
      'another order in a list',
      { ...request, agent: { name: 'A', emails: ['c@d.example', 'a@b.example'] } },
    ],
    [
      'an object for a list',
      { ...request, agent: { name: 'A', emails: { 0: 'a@b.example', 1: 'c@d.example' } } },
    ],
    ['a list less', { ...request, agent: { name: 'A' } }],
    [
      'a prototype in name',
      JSON.parse(JSON.stringify(request).replace('agent', '__proto__')) as object,
    ],
  ])('changes with %s', async (_name, changed) => {
    const keyring = await keyringOf(keyEntry('k1', 1));
    const stored = await fingerprint(keyring, request);
    expect(await sameFingerprint(keyring, stored, { ...changed })).toBe(false);
  });

  test('is the same for two values only if they are the same value', async () => {
    const keyring = await keyringOf(keyEntry('k1', 1));
    const scalar = fc.oneof(fc.string(), fc.integer(), fc.boolean(), fc.constant(null));
    await fc.assert(
      fc.asyncProperty(scalar, scalar, async (one, other) => {
        const stored = await fingerprint(keyring, { value: one });
        expect(await sameFingerprint(keyring, stored, { value: other })).toBe(one === other);
      }),
    );
  });

  test('holds across a rotation of keys, until the key is removed', async () => {
    const stored = await fingerprint(await keyringOf(keyEntry('old', 1)), request);
    const rotated = await keyringOf(keyEntry('new', 2), keyEntry('old', 1));
    expect(await sameFingerprint(rotated, stored, request)).toBe(true);
    expect(await sameFingerprint(rotated, stored, { ...request, amountMinor: 1 })).toBe(false);
    expect(await sameFingerprint(await keyringOf(keyEntry('new', 2)), stored, request)).toBe(false);
  });

  test('cannot be made with another key under the same id', async () => {
    const stored = await fingerprint(await keyringOf(keyEntry('k1', 1)), request);
    expect(await sameFingerprint(await keyringOf(keyEntry('k1', 2)), stored, request)).toBe(false);
  });

  test('shows nothing of the request', async () => {
    const stored = await fingerprint(await keyringOf(keyEntry('k1', 1)), request);
    expect(stored).toMatch(/^k1\.[A-Za-z0-9_-]{43}$/);
  });

  test('is not that of the request once a character of what is stored is changed', async () => {
    const keyring = await keyringOf(keyEntry('k1', 1));
    const stored = await fingerprint(keyring, request);
    for (let at = 0; at < stored.length; at += 1) {
      const changed = withCharacter(stored, at, stored[at] === 'A' ? 'B' : 'A');
      expect(await sameFingerprint(keyring, changed, request), changed).toBe(false);
    }
  });

  test.each(['', '.', 'k1', 'k1.', '.k1'])('is never %j', async (stored) => {
    const keyring = await keyringOf(keyEntry('k1', 1));
    expect(await sameFingerprint(keyring, stored, request)).toBe(false);
  });
});
