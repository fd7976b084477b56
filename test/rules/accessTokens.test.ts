import * as fc from 'fast-check';
import { base64url, SignJWT } from 'jose';
import { describe, expect, test } from 'vitest';
import type { KeyPurpose, Keyring } from '../../src/platform/crypto/keyring.ts';
import {
  ACCESS_TOKEN_SECONDS,
  type AccessClaims,
  signAccessToken,
  verifyAccessToken,
} from '../../src/records/clients/accessTokens.ts';
import { scopes } from '../../src/records/clients/rules/scopes.ts';
import { BASE64URL, keyEntry, keyringOf, withCharacter } from './keys.ts';

const NOW_MS = Date.UTC(2026, 10, 20, 12, 0, 0, 750);
const claims: AccessClaims = {
  clientId: 'demo-engine',
  propertyId: 'demo',
  scopes: ['bookings', 'payments'],
};

interface Forgery {
  readonly purpose?: 'access-token' | 'request-fingerprint';
  readonly keyId?: string;
  readonly issuer?: string;
  readonly subject?: string | null;
  readonly expires?: number | null;
  readonly payload?: Record<string, unknown>;
}

/** A token signed with a real key, wrong in whatever way is asked for, and good in no other. */
async function forge(keyring: Keyring, forgery: Forgery): Promise<string> {
  const purpose: KeyPurpose = forgery.purpose ?? 'access-token';
  const { keyId, key } = await keyring.current(purpose);
  const { subject = 'demo-engine', expires = NOW_MS / 1000 + 60 } = forgery;
  const token = new SignJWT(forgery.payload ?? { pid: 'demo', scope: 'bookings' })
    .setProtectedHeader({ alg: 'HS256', kid: forgery.keyId ?? keyId })
    .setIssuer(forgery.issuer ?? 'booking-payments');
  if (subject !== null) token.setSubject(subject);
  if (expires !== null) token.setExpirationTime(Math.floor(expires));
  return token.sign(key);
}

/** What the last character says: 256 bits of signature fill 42 characters and four bits of the 43rd. */
function signatureBits(character: string): number {
  return BASE64URL.indexOf(character) >> 2;
}

describe('an access token', () => {
  test('says to the verifier what the issuer said, for any client, property and scopes', async () => {
    const keyring = await keyringOf(keyEntry('k1', 1));
    const said = fc.record({
      clientId: fc.string({ minLength: 1, maxLength: 64 }),
      propertyId: fc.option(fc.string({ maxLength: 64 })),
      scopes: fc.subarray([...scopes]),
    });
    await fc.assert(
      fc.asyncProperty(said, fc.nat(4e12), async (what, nowMs) => {
        const token = await signAccessToken(keyring, what, nowMs);
        expect(await verifyAccessToken(keyring, token, nowMs)).toEqual(what);
      }),
    );
  });

  test('lasts for an hour of the clock that is passed in, and not a moment longer', async () => {
    const keyring = await keyringOf(keyEntry('k1', 1));
    const token = await signAccessToken(keyring, claims, NOW_MS);
    const endsMs = Math.floor(NOW_MS / 1000) * 1000 + ACCESS_TOKEN_SECONDS * 1000;
    expect(ACCESS_TOKEN_SECONDS).toBe(3600);
    expect(await verifyAccessToken(keyring, token, endsMs - 1)).toEqual(claims);
    expect(await verifyAccessToken(keyring, token, endsMs)).toBeNull();
    expect(await verifyAccessToken(keyring, token, endsMs + 86_400_000)).toBeNull();
  });

  test('outlives a rotation of keys, but not the removal of its key', async () => {
    const token = await signAccessToken(await keyringOf(keyEntry('old', 1)), claims, NOW_MS);
    const rotated = await keyringOf(keyEntry('new', 2), keyEntry('old', 1));
    expect(await verifyAccessToken(rotated, token, NOW_MS)).toEqual(claims);
    const removed = await keyringOf(keyEntry('new', 2));
    expect(await verifyAccessToken(removed, token, NOW_MS)).toBeNull();
  });

  test('of another deployment is refused, even under the same key id', async () => {
    const token = await signAccessToken(await keyringOf(keyEntry('k1', 1)), claims, NOW_MS);
    const other = await keyringOf(keyEntry('k1', 2));
    expect(await verifyAccessToken(other, token, NOW_MS)).toBeNull();
  });

  test.each(['before it was ever seen', 'after it was accepted'])(
    'with any character changed is refused, save where the last stands for the same bits, %s',
    async (when) => {
      const keyring = await keyringOf(keyEntry('k1', 1), keyEntry('k2', 2));
      const token = await signAccessToken(keyring, claims, NOW_MS);
      if (when === 'after it was accepted') await verifyAccessToken(keyring, token, NOW_MS);
      const last = token.length - 1;
      for (let at = 0; at < last; at += 1) {
        const others = Array.from(`${BASE64URL}.=`).filter((other) => other !== token[at]);
        const changed = withCharacter(token, at, others[(at * 7) % others.length] ?? '!');
        expect(await verifyAccessToken(keyring, changed, NOW_MS), changed).toBeNull();
      }
      for (const other of BASE64URL) {
        const read = await verifyAccessToken(keyring, withCharacter(token, last, other), NOW_MS);
        expect(read).toEqual(
          signatureBits(other) === signatureBits(token[last] ?? '') ? claims : null,
        );
      }
    },
  );

  test('that claims more under an old signature is refused', async () => {
    const keyring = await keyringOf(keyEntry('k1', 1));
    const [header, , signature] = (await signAccessToken(keyring, claims, NOW_MS)).split('.');
    const admin = await forge(keyring, { payload: { pid: null, scope: 'admin' } });
    const spliced = `${header}.${admin.split('.')[1]}.${signature}`;
    expect(await verifyAccessToken(keyring, spliced, NOW_MS)).toBeNull();
    expect(await verifyAccessToken(keyring, admin, NOW_MS)).not.toBeNull();
    expect(await verifyAccessToken(keyring, spliced, NOW_MS)).toBeNull();
  });

  test.each(['none', 'None', 'HS512', 'RS256'])('of algorithm %s is refused', async (alg) => {
    const keyring = await keyringOf(keyEntry('k1', 1));
    const token = await signAccessToken(keyring, claims, NOW_MS);
    const [, payload, signature] = token.split('.');
    const header = base64url.encode(JSON.stringify({ alg, kid: 'k1' }));
    expect(await verifyAccessToken(keyring, `${header}.${payload}.`, NOW_MS)).toBeNull();
    expect(
      await verifyAccessToken(keyring, `${header}.${payload}.${signature}`, NOW_MS),
    ).toBeNull();
  });

  test('made as ours are is accepted, so that the refusals below are for what they name', async () => {
    const keyring = await keyringOf(keyEntry('k1', 1));
    const read = await verifyAccessToken(keyring, await forge(keyring, {}), NOW_MS);
    expect(read).toEqual({ clientId: 'demo-engine', propertyId: 'demo', scopes: ['bookings'] });
  });

  test.each<[string, Forgery]>([
    ['a key for another purpose', { purpose: 'request-fingerprint' }],
    ['an unknown key id', { keyId: 'k9' }],
    ['the id of another key that we keep', { keyId: 'k2' }],
    ['another issuer', { issuer: 'somebody-else' }],
    ['no client', { subject: null }],
    ['no expiry', { expires: null }],
    ['an expiry that has passed', { expires: NOW_MS / 1000 - 1 }],
  ])('signed with %s is refused', async (_name, forgery) => {
    const keyring = await keyringOf(keyEntry('k1', 1), keyEntry('k2', 2));
    expect(await verifyAccessToken(keyring, await forge(keyring, forgery), NOW_MS)).toBeNull();
  });

  test('grants no scope that does not exist', async () => {
    const keyring = await keyringOf(keyEntry('k1', 1));
    const token = await forge(keyring, { payload: { pid: 'demo', scope: 'cards root Admin' } });
    expect((await verifyAccessToken(keyring, token, NOW_MS))?.scopes).toEqual(['cards']);
  });

  test('is nothing else: any other text is refused without an exception', async () => {
    const keyring = await keyringOf(keyEntry('k1', 1));
    const text = fc.oneof(fc.string(), fc.tuple(fc.base64String(), fc.base64String()).map(String));
    await fc.assert(
      fc.asyncProperty(text, async (token) => {
        expect(await verifyAccessToken(keyring, token, NOW_MS)).toBeNull();
      }),
    );
  });
});
