import * as fc from 'fast-check';
import { afterEach, expect, test, vi } from 'vitest';
import * as constantTime from '../../src/core/constantTime.ts';
import { fingerprint, sameFingerprint } from '../../src/platform/crypto/fingerprint.ts';
import { signAccessToken, verifyAccessToken } from '../../src/records/clients/accessTokens.ts';
import { keyEntry, keyringOf } from './keys.ts';

const { equalInConstantTime } = constantTime;

afterEach(() => {
  vi.restoreAllMocks();
});

const text = fc.string({ unit: 'binary', maxLength: 60 });

test('texts are the same in constant time exactly when they are the same', () => {
  fc.assert(
    fc.property(text, text, (one, other) => {
      expect(equalInConstantTime(one, other)).toBe(one === other);
      expect(equalInConstantTime(one, one)).toBe(true);
      expect(equalInConstantTime(one, `${one}x`)).toBe(false);
    }),
  );
});

test('one character that differs is enough, wherever it stands', () => {
  const digest = '0123456789abcdef'.repeat(4);
  for (let at = 0; at < digest.length; at += 1) {
    expect(equalInConstantTime(digest, `${digest.slice(0, at)}g${digest.slice(at + 1)}`)).toBe(
      false,
    );
  }
});

test('a fingerprint, and a token that is known, are compared in no other way', async () => {
  const keyring = await keyringOf(keyEntry('k1', 1));
  const stored = await fingerprint(keyring, { amount: 1 });
  const claims = { clientId: 'c', propertyId: 'demo', scopes: [] };
  const token = await signAccessToken(keyring, claims, 0);
  await verifyAccessToken(keyring, token, 0);
  const compare = vi.spyOn(constantTime, 'equalInConstantTime').mockReturnValue(false);
  expect(await sameFingerprint(keyring, stored, { amount: 1 })).toBe(false);
  await verifyAccessToken(keyring, token, 0);
  expect(compare.mock.calls).toEqual([
    [stored, stored],
    [token.split('.')[2], token.split('.')[2]],
  ]);
});
