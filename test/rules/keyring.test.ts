import * as fc from 'fast-check';
import { base64url } from 'jose';
import { describe, expect, test } from 'vitest';
import { holdsLocalKey, Keyring } from '../../src/platform/crypto/keyring.ts';
import { seal, unseal } from '../../src/platform/crypto/seal.ts';
import { BASE64URL, keyEntry, keyringOf, withCharacter } from './keys.ts';

const OLD = keyEntry('old', 1);
const NEW = keyEntry('new', 2);

describe('a KEYRING value', () => {
  test.each([
    ['nothing', ''],
    ['blanks', '  '],
    ['an id alone', 'k1'],
    ['an id without a key', 'k1:'],
    ['a key without an id', keyEntry('', 1)],
    ['31 bytes', `k1:${btoa('x'.repeat(31))}`],
    ['33 bytes', `k1:${btoa('x'.repeat(33))}`],
    ['16 bytes', `k1:${btoa('x'.repeat(16))}`],
    ['base64url', `k1:${'_'.repeat(43)}=`],
    ['no padding', keyEntry('k1', 1).replace(/=$/, '')],
    ['an id with a dot', keyEntry('k.1', 1)],
    ['an id that is too long', keyEntry('k'.repeat(33), 1)],
    ['a comma at the end', `${OLD},`],
    ['one good and one bad key', `${OLD},k2:short`],
    ['the same id twice', `${keyEntry('k1', 1)},${keyEntry('k1', 2)}`],
  ])('of %s is refused', async (_name, text) => {
    await expect(Keyring.parse(text)).rejects.toThrow(/^KEYRING/);
    expect(() => holdsLocalKey(text)).toThrow(/^KEYRING/);
  });

  test('never shows a key in its refusal', async () => {
    const secret = btoa('x'.repeat(31));
    await expect(Keyring.parse(`k1:${secret}`)).rejects.not.toThrow(secret);
  });

  test('may have blanks around its keys', async () => {
    const keyring = await Keyring.parse(` ${NEW} , ${OLD}\n`);
    expect((await keyring.current('guest-link')).keyId).toBe('new');
    expect(await keyring.byId('guest-link', 'old')).not.toBeNull();
  });

  test('signs with its first key, knows the others by id, and no more', async () => {
    const keyring = await keyringOf(NEW, OLD);
    const { keyId, key } = await keyring.current('access-token');
    expect(keyId).toBe('new');
    expect(await keyring.byId('access-token', 'new')).toBe(key);
    expect(await keyring.byId('access-token', 'old')).not.toBe(key);
    expect(await keyring.byId('access-token', 'older')).toBeNull();
  });

  test('gives each purpose a key of its own', async () => {
    const keyring = await keyringOf(NEW);
    const signature = async (purpose: 'access-token' | 'request-fingerprint') => {
      const { key } = await keyring.current(purpose);
      return base64url.encode(
        new Uint8Array(await crypto.subtle.sign('HMAC', key, new Uint8Array(4))),
      );
    };
    expect(await signature('access-token')).not.toBe(await signature('request-fingerprint'));
  });

  test('gives keys that cannot be read out', async () => {
    const { key } = await (await keyringOf(NEW)).current('pms-credentials');
    await expect(crypto.subtle.exportKey('raw', key)).rejects.toThrow();
  });
});

describe('a key of the local start', () => {
  const LOCAL_BYTES = btoa('local-development-key-not-a-secr');

  test.each([
    ['by its id', keyEntry('local-9', 7)],
    ['by its bytes', `prod:${LOCAL_BYTES}`],
    ['behind a good key', `${NEW},local-1:${LOCAL_BYTES}`],
    ['between blanks', `${NEW}, prod:${LOCAL_BYTES} `],
  ])('is known %s', (_name, text) => {
    expect(holdsLocalKey(text)).toBe(true);
  });

  test('is not seen in other keys', () => {
    expect(holdsLocalKey(`${NEW},${OLD}`)).toBe(false);
  });
});

describe('sealing', () => {
  test('what was sealed opens as it was, whatever the text and the context', async () => {
    const keyring = await keyringOf(NEW);
    const text = fc.string({ unit: 'binary', maxLength: 300 });
    await fc.assert(
      fc.asyncProperty(text, text, async (context, secret) => {
        const sealed = await seal(keyring, 'guest-link', context, secret);
        expect(sealed).toMatch(/^new\.[A-Za-z0-9_-]+$/);
        expect(await unseal(keyring, 'guest-link', context, sealed)).toBe(secret);
      }),
    );
  });

  test.each(['', '\ufeffbyte order mark', '\u0000', 'パスワード 🔑'])(
    '%j opens as it was',
    async (text) => {
      const keyring = await keyringOf(NEW);
      const sealed = await seal(keyring, 'pms-credentials', 'demo', text);
      expect(await unseal(keyring, 'pms-credentials', 'demo', sealed)).toBe(text);
    },
  );

  test('the same text sealed twice looks different', async () => {
    const keyring = await keyringOf(NEW);
    const once = await seal(keyring, 'guest-link', 'c', 'text');
    expect(await seal(keyring, 'guest-link', 'c', 'text')).not.toBe(once);
  });

  test('a change of any character is noticed', async () => {
    const keyring = await keyringOf(NEW, OLD);
    // Texts of three lengths, so that the last character carries six, four and two bits.
    for (const text of ['abc', 'abcd', 'abcde']) {
      const sealed = await seal(keyring, 'guest-link', 'c', text);
      for (let at = 0; at < sealed.length; at += 1) {
        const others = Array.from(`${BASE64URL}.=+/ `).filter((other) => other !== sealed[at]);
        const tried = at === sealed.length - 1 ? others : [others[(at * 7) % others.length] ?? '!'];
        for (const other of tried) {
          const changed = withCharacter(sealed, at, other);
          expect(await unseal(keyring, 'guest-link', 'c', changed), changed).toBeNull();
        }
      }
    }
  });

  test('a text cut short or made longer does not open', async () => {
    const keyring = await keyringOf(NEW);
    const sealed = await seal(keyring, 'guest-link', 'c', 'text');
    for (let length = 0; length < sealed.length; length += 1) {
      expect(await unseal(keyring, 'guest-link', 'c', sealed.slice(0, length))).toBeNull();
    }
    for (const more of ['A', '=', '\n', '.', ' ']) {
      expect(await unseal(keyring, 'guest-link', 'c', `${sealed}${more}`)).toBeNull();
    }
  });

  test('nothing opens under another context or for another purpose', async () => {
    const keyring = await keyringOf(NEW);
    const sealed = await seal(keyring, 'guest-link', 'booking 1', 'text');
    expect(await unseal(keyring, 'guest-link', 'booking 2', sealed)).toBeNull();
    expect(await unseal(keyring, 'guest-link', '', sealed)).toBeNull();
    expect(await unseal(keyring, 'pms-credentials', 'booking 1', sealed)).toBeNull();
  });

  test('after a rotation the former key still opens, and once removed it does not', async () => {
    const before = await keyringOf(OLD);
    const sealed = await seal(before, 'pms-credentials', 'demo', 'password');
    const rotated = await keyringOf(NEW, OLD);
    expect(await unseal(rotated, 'pms-credentials', 'demo', sealed)).toBe('password');
    expect(await seal(rotated, 'pms-credentials', 'demo', 'password')).toMatch(/^new\./);
    expect(await unseal(await keyringOf(NEW), 'pms-credentials', 'demo', sealed)).toBeNull();
  });

  test('another key under the same id does not open it', async () => {
    const sealed = await seal(await keyringOf(keyEntry('k1', 1)), 'guest-link', 'c', 'text');
    expect(await unseal(await keyringOf(keyEntry('k1', 2)), 'guest-link', 'c', sealed)).toBeNull();
  });

  test('nothing that was not sealed opens, and nothing makes it throw', async () => {
    const keyring = await keyringOf(NEW);
    const forged = fc.oneof(
      fc.string(),
      fc.uint8Array({ maxLength: 60 }).map((bytes) => `new.${base64url.encode(bytes)}`),
    );
    await fc.assert(
      fc.asyncProperty(forged, async (text) => {
        expect(await unseal(keyring, 'guest-link', 'c', text)).toBeNull();
      }),
    );
  });
});
