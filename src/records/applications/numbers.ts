/** Digits and letters that are easy to tell apart (Crockford's base 32). */
const ALPHABET = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';

const LENGTH = 10;

/** A new application number, such as `APP-7K3M0QZ94T`: 50 random bits. A unique index refuses a duplicate. */
export function newApplicationNumber(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(LENGTH));
  return `APP-${Array.from(bytes, (byte) => ALPHABET[byte % ALPHABET.length]).join('')}`;
}
