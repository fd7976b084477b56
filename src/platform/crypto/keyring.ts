import { getOrInsertComputed } from '../../core/getOrInsertComputed.ts';

/** The purpose of a derived key. Each purpose has its own keys, so that one cannot be used for another. */
export type KeyPurpose =
  | 'access-token'
  | 'request-fingerprint'
  | 'pms-credentials'
  | 'guest-link'
  | 'secret-answer'
  | 'ops-session'
  | 'console-session'
  | 'sign-in-link'
  | 'passkey'
  | 'quote'
  | 'webhook-secret';

/** A derived key, with the id of its secret. */
export interface PurposeKey {
  readonly keyId: string;
  readonly key: CryptoKey;
}

interface Secret {
  readonly keyId: string;
  readonly material: CryptoKey;
}

const HMAC = { name: 'HMAC', hash: 'SHA-256', length: 256 };
const AES = { name: 'AES-GCM', length: 256 };

/** The prefix of the ids and secrets of local keys. A deployment refuses them. */
const LOCAL_PREFIX = 'local-';

/**
 * The deployment's secrets, newest first: `id:base64,id:base64`, each 32 bytes. The first one signs and seals; the
 * others only verify and unseal data from before a rotation.
 */
export class Keyring {
  readonly #secrets: readonly Secret[];
  readonly #derived = new Map<string, Promise<CryptoKey>>();

  private constructor(secrets: readonly Secret[]) {
    this.#secrets = secrets;
  }

  /** Reads a `KEYRING` value. Throws when it holds no key, a malformed one, or an id twice. */
  static async parse(text: string): Promise<Keyring> {
    const entries = keyEntries(text);
    const secrets = entries.map(async ({ keyId, bytes }) => ({
      keyId,
      material: await crypto.subtle.importKey('raw', bytes, 'HKDF', false, ['deriveKey']),
    }));
    return new Keyring(await Promise.all(secrets));
  }

  /** The ids of its keys, the newest first. */
  get keyIds(): string[] {
    return this.#secrets.map(({ keyId }) => keyId);
  }

  /** The key to sign or seal with. */
  async current(purpose: KeyPurpose): Promise<PurposeKey> {
    const newest = this.#secrets[0] as Secret;
    return { keyId: newest.keyId, key: await this.#derive(newest, purpose) };
  }

  /** The key that signed or sealed earlier data; null when the keyring no longer has it. */
  async byId(purpose: KeyPurpose, keyId: string): Promise<CryptoKey | null> {
    const secret = this.#secrets.find((candidate) => candidate.keyId === keyId);
    return secret ? this.#derive(secret, purpose) : null;
  }

  #derive({ keyId, material }: Secret, purpose: KeyPurpose): Promise<CryptoKey> {
    const signs = purpose === 'access-token' || purpose === 'request-fingerprint';
    const info = new TextEncoder().encode(purpose);
    return getOrInsertComputed(this.#derived, `${keyId}/${purpose}`, () =>
      crypto.subtle.deriveKey(
        { name: 'HKDF', hash: 'SHA-256', salt: new Uint8Array(32), info },
        material,
        signs ? HMAC : AES,
        false,
        signs ? ['sign', 'verify'] : ['encrypt', 'decrypt'],
      ),
    );
  }
}

/** Whether a `KEYRING` value contains a local key, under any id. Throws on a malformed value. */
export function holdsLocalKey(text: string): boolean {
  return keyEntries(text).some(
    ({ keyId, bytes }) =>
      keyId.startsWith(LOCAL_PREFIX) || new TextDecoder().decode(bytes).startsWith(LOCAL_PREFIX),
  );
}

function keyEntries(text: string): { keyId: string; bytes: Uint8Array<ArrayBuffer> }[] {
  const entries = text.split(',').map((entry) => {
    const parts = /^\s*([A-Za-z0-9_-]{1,32}):([A-Za-z0-9+/]{43}=)\s*$/.exec(entry);
    if (!parts) throw new Error('KEYRING: each key must be written id:base64 of 32 bytes');
    return { keyId: parts[1] as string, bytes: fromBase64(parts[2] as string) };
  });
  if (new Set(entries.map((entry) => entry.keyId)).size !== entries.length) {
    throw new Error('KEYRING: two keys have the same id');
  }
  return entries;
}

function fromBase64(text: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
}
