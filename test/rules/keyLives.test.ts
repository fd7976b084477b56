import { describe, expect, it } from 'vitest';
import { keyOf, keysToNote } from '../../src/records/keyring/rules.ts';

const NOW_MS = 1_000;
const noted = (id: string, replacedAtMs: number | null, stranded = 0) => ({
  id,
  replacedAtMs,
  stranded,
});

describe('the keys that are to be noted', () => {
  it.each([
    ['a new first key', [], ['b'], [], [noted('b', null)]],
    [
      'a key that was replaced now',
      [noted('a', null)],
      ['b', 'a'],
      [],
      [noted('b', null), noted('a', NOW_MS)],
    ],
    ['no key that is as it was', [noted('b', null), noted('a', 5)], ['b', 'a'], [], []],
    ['a key that is the first one again', [noted('a', 5)], ['a'], [], [noted('a', null)]],
    [
      'a key that was taken away',
      [noted('b', null), noted('a', null)],
      ['b'],
      [],
      [noted('a', NOW_MS)],
    ],
    ['what nobody can decrypt', [noted('b', null)], ['b'], [['a', 3]], [noted('a', NOW_MS, 3)]],
    [
      'what was decrypted since',
      [noted('b', null), noted('a', 5, 3)],
      ['b'],
      [],
      [noted('a', 5, 0)],
    ],
    ['what grew', [noted('b', null), noted('a', 5, 3)], ['b'], [['a', 4]], [noted('a', 5, 4)]],
  ] as const)('are %s', (_, before, keyIds, stranded, toNote) => {
    expect(keysToNote(before, keyIds, new Map(stranded), NOW_MS)).toEqual(toNote);
  });

  it('name what a text was sealed with', () => {
    expect(keyOf('2027a.sealed.text')).toBe('2027a');
  });
});
