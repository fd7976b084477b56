import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { LruCache } from '../../src/core/lruCache.ts';

const NAMES = ['a', 'b', 'c', 'd', 'e'];

describe('an LRU cache', () => {
  test('keeps the values that were used last, and never more than its capacity', () => {
    // A number is set; without one, the name is read.
    const uses = fc.array(fc.tuple(fc.constantFrom(...NAMES), fc.option(fc.nat())), {
      maxLength: 30,
    });
    fc.assert(
      fc.property(uses, fc.integer({ min: 1, max: 4 }), (made, capacity) => {
        const cache = new LruCache<number>(capacity);
        // The newest use first.
        let expected: (readonly [string, number])[] = [];
        for (const [name, value] of made) {
          const known = expected.find(([other]) => other === name)?.[1];
          if (value === null) expect(cache.get(name)).toBe(known);
          else cache.set(name, value);
          const used = value ?? known;
          if (used === undefined) continue;
          const others = expected.filter(([other]) => other !== name);
          expected = [[name, used] as const, ...others].slice(0, capacity);
        }
        const kept = new Map(expected);
        for (const name of NAMES) expect(cache.get(name)).toBe(kept.get(name));
      }),
    );
  });

  test('keeps a value that was read over one that was not', () => {
    const cache = new LruCache<number>(2);
    cache.set('read', 1);
    cache.set('unread', 2);
    cache.get('read');
    cache.set('new', 3);
    expect([cache.get('read'), cache.get('unread')]).toEqual([1, undefined]);
  });

  test('deletes values by name or by what they are', () => {
    const cache = new LruCache<number>(9);
    for (const value of [1, 2, 3, 4]) cache.set(String(value), value);
    cache.delete('1');
    cache.deleteWhere((value) => value % 2 === 0);
    expect(['1', '2', '3', '4'].map((name) => cache.get(name))).toEqual([
      undefined,
      undefined,
      3,
      undefined,
    ]);
  });
});
