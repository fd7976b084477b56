/**
 * Replaces `@peculiar/asn1-schema` and `@peculiar/asn1-ecc` in the bundle, see `trimLibraries.ts`. Without
 * certificates, @simplewebauthn/server reads one thing of ASN.1: the two numbers of a signature.
 */

const SEQUENCE = 0x30;
const INTEGER = 0x02;

/** The longest content whose length takes one byte, enough for the curves up to P-384. */
const LONGEST = 0x7f;

/** A signature by ECDSA: two numbers, each in two's complement, most significant byte first. */
export class ECDSASigValue {
  readonly r: Uint8Array;
  readonly s: Uint8Array;

  constructor(r: Uint8Array, s: Uint8Array) {
    this.r = r;
    this.s = s;
  }
}

export const AsnParser = {
  /** Reads a signature in DER (RFC 3279, section 2.2.3). Throws for anything else. */
  parse(bytes: Uint8Array): ECDSASigValue {
    const { content, rest } = element(bytes, SEQUENCE);
    const r = element(content, INTEGER);
    const s = element(r.rest, INTEGER);
    if (rest.length > 0 || s.rest.length > 0) throw new Error('bytes follow the signature');
    return new ECDSASigValue(r.content, s.content);
  },
};

/** The content of the element that begins the bytes, and what follows it. */
function element(bytes: Uint8Array, tag: number): { content: Uint8Array; rest: Uint8Array } {
  const [found, length = 0] = bytes;
  const end = 2 + length;
  if (found !== tag || length === 0 || length > LONGEST || end > bytes.length) {
    throw new Error('not a signature in DER');
  }
  return { content: bytes.subarray(2, end), rest: bytes.subarray(end) };
}
