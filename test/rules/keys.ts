import { Keyring } from '../../src/platform/crypto/keyring.ts';

/** One `KEYRING` entry: 32 equal bytes under an id. */
export function keyEntry(id: string, byte: number): string {
  return `${id}:${btoa(String.fromCharCode(byte).repeat(32))}`;
}

/** A keyring of entries, newest first. */
export function keyringOf(...entries: string[]): Promise<Keyring> {
  return Keyring.parse(entries.join(','));
}

export const BASE64URL = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';

/** A text with the character at one place replaced. */
export function withCharacter(text: string, at: number, character: string): string {
  return `${text.slice(0, at)}${character}${text.slice(at + 1)}`;
}
