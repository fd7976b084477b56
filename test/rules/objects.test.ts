import { describe, expect, it } from 'vitest';
import { isRegion, objectNamed } from '../../src/platform/objects.ts';

/** A namespace that says how it was asked for an object. */
const namespace = {
  getByName: (...asked: unknown[]) => asked,
} as unknown as DurableObjectNamespace<Rpc.DurableObjectBranded>;

describe('an object', () => {
  it.each([
    ['weur', { locationHint: 'weur' }],
    ['oc', { locationHint: 'oc' }],
    [undefined, {}],
    ['mars', {}],
  ])('is made near the databases, where %s says', (near, options) => {
    const env = near === undefined ? {} : { OBJECTS_NEAR: near };
    expect(objectNamed(env, namespace, 'R-1')).toEqual(['R-1', options]);
  });

  it.each([
    ['apac-ne', true],
    [undefined, true],
    ['', false],
    ['Europe', false],
  ])('may be made near %s: %s', (near, isKnown) => {
    expect(isRegion(near)).toBe(isKnown);
  });
});
