import { describe, expect, it } from 'vitest';
import { packed, unpacked } from '../../src/core/packed.ts';

const KNOWN = ['RES-1', 374_951_116_803_224, null];
const VALUE = {
  timestamp: '2026-11-25T20:00:00+08:00',
  transaction: {
    id: 374_951_116_803_224,
    bookingReference: 'RES-1',
    status: 'Accepted',
    note: 'ü',
  },
};

describe('packed JSON', () => {
  it.each([VALUE, {}, [], null, 'text', { deep: [{ unknown: 'member' }] }])(
    '%j comes back',
    (it) => {
      expect(unpacked(packed(it, KNOWN), KNOWN)).toEqual(it);
    },
  );

  it('is less than half as long', () => {
    expect(packed(VALUE, KNOWN).length).toBeLessThan(JSON.stringify(VALUE).length / 2);
  });

  it('is read for ever as it was packed first', () => {
    expect(unpacked(new Uint8Array(Buffer.from(FIRST, 'base64')), KNOWN)).toEqual(VALUE);
  });

  it('of an unknown dictionary is refused', () => {
    expect(() => unpacked(Uint8Array.of(2, 3, 0), KNOWN)).toThrow('unknown dictionary');
  });
});

/** What the first version of the dictionary made of {@link VALUE}. */
const FIRST = 'AUNP8kZmuoaGukamIUYGVgYgpG1gYQUu3bAkHjTDsKYOsLVK2N2Xlw8utg7vUaqtBQA=';
