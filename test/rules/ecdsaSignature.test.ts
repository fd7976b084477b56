import { createSign, generateKeyPairSync } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { AsnParser } from '../../scripts/ecdsaSignature.ts';

const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });

/** A signature in DER. */
function signed(text: string): Buffer {
  return createSign('sha256').update(text).sign({ key: privateKey, dsaEncoding: 'der' });
}

/** The number of bytes in two's complement, without the zero before a first bit that is set. */
const plain = (bytes: Uint8Array) => Buffer.from(bytes[0] === 0 ? bytes.subarray(1) : bytes);

/** Writes the two numbers as DER, as short as it may be. */
function der(r: Uint8Array, s: Uint8Array): Buffer {
  const content = [r, s].flatMap((bytes) => {
    const first = bytes[0] ?? 0;
    const number = first > 0x7f ? [0, ...bytes] : [...bytes];
    return [0x02, number.length, ...number];
  });
  return Buffer.from([0x30, content.length, ...content]);
}

describe('a signature of a passkey', () => {
  it('is read as the two numbers that it is written from', () => {
    for (let time = 0; time < 300; time += 1) {
      const signature = signed(`${time}`);
      const { r, s } = AsnParser.parse(signature);
      expect(der(plain(r), plain(s))).toEqual(signature);
    }
  });

  it('is refused when it is cut, longer, or something else', () => {
    const signature = signed('text');
    for (let length = 0; length < signature.length; length += 1) {
      expect(() => AsnParser.parse(signature.subarray(0, length))).toThrow();
    }
    expect(() => AsnParser.parse(Buffer.concat([signature, Buffer.of(0)]))).toThrow('follow');
    const three = Buffer.from([0x30, 9, 2, 1, 1, 2, 1, 1, 2, 1, 1]);
    for (const other of [three, Buffer.from([0x30, 0]), Buffer.from([0x30, 2, 2, 0])]) {
      expect(() => AsnParser.parse(other)).toThrow();
    }
    for (const at of [0, 2, signature.length - 1]) {
      const changed = Buffer.from(signature);
      changed[at] = (changed[at] ?? 0) ^ 0x40;
      if (at === signature.length - 1) expect(AsnParser.parse(changed)).toBeDefined();
      else expect(() => AsnParser.parse(changed)).toThrow();
    }
  });
});
