import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { pauseAfterRefusals } from '../../src/booking/rules/refused.ts';

const share = fc.double({ min: 0, max: 1, noNaN: true });

it('waits two to thirty seconds however often D1 had too much waiting', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 1_000 }), share, (refusals, part) => {
      const pauseMs = pauseAfterRefusals(refusals, part);
      expect(pauseMs).toBeGreaterThanOrEqual(2_000);
      expect(pauseMs).toBeLessThanOrEqual(30_000);
    }),
  );
});

it('waits longer each time, and spreads over all of that', () => {
  expect([1, 2, 3, 4, 5].map((refusals) => pauseAfterRefusals(refusals, 1))).toEqual([
    4_000, 8_000, 16_000, 30_000, 30_000,
  ]);
  expect([0, 0.5, 1].map((part) => pauseAfterRefusals(3, part))).toEqual([2_000, 9_000, 16_000]);
});
