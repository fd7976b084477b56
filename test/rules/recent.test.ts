import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { Recent } from '../../src/core/recent.ts';

describe('what was looked up last', () => {
  test('is what was remembered last, and never more than so many', () => {
    const names = fc.constantFrom<string[]>('a', 'b', 'c', 'd', 'e');
    const told = fc.array(fc.tuple(names, fc.nat()), { maxLength: 30 });
    fc.assert(
      fc.property(told, fc.integer({ min: 1, max: 4 }), (values, most) => {
        const recent = new Recent<number>(most);
        for (const [name, value] of values) recent.set(name, value);
        const newest = new Map(values);
        const kept = [...new Set(values.map(([name]) => name).toReversed())].slice(0, most);
        for (const name of ['a', 'b', 'c', 'd', 'e']) {
          expect(recent.get(name)).toBe(kept.includes(name) ? newest.get(name) : undefined);
        }
      }),
    );
  });

  test('can be forgotten, by name or by what it is', () => {
    const recent = new Recent<number>(9);
    for (const value of [1, 2, 3, 4]) recent.set(String(value), value);
    recent.forget('1');
    recent.forgetWhere((value) => value % 2 === 0);
    expect(['1', '2', '3', '4'].map((name) => recent.get(name))).toEqual([
      undefined,
      undefined,
      3,
      undefined,
    ]);
  });
});
