import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { CertainOutcome } from '../../src/gateways/gateway.ts';
import { approval, rejection } from '../../src/gateways/rules/outcome.ts';
import {
  allocate,
  allocateSparingBonds,
  type Candidate,
  EXCEEDS_CHARGE,
  type Refundable,
  refundChange,
} from '../../src/money/refunds/rules.ts';

/** A charge whose refunds the acquirer takes. */
function open(charge: Refundable): Candidate {
  return { ...charge, isSpared: false, isRejecting: false };
}

/** Every choice of some of the charges. */
function subsets([charge, ...others]: readonly Refundable[]): Refundable[][] {
  if (!charge) return [[]];
  return subsets(others).flatMap((chosen) => [chosen, [charge, ...chosen]]);
}

function refundableOf(charges: readonly Refundable[]): number {
  return charges.reduce((sum, { refundableMinor }) => sum + refundableMinor, 0);
}

/** The fewest charges that cover an amount together, found by trying every choice; null if none do. */
function fewest(amountMinor: number, charges: readonly Refundable[]): number | null {
  const sizes = subsets(charges)
    .filter((chosen) => refundableOf(chosen) >= amountMinor)
    .map((chosen) => chosen.length);
  return sizes.length === 0 ? null : Math.min(...sizes);
}

describe('a refund that names no charge', () => {
  const charge = (id: number, refundableMinor: number, changes: Partial<Candidate> = {}) => {
    return { id, refundableMinor, isSpared: false, isRejecting: false, ...changes };
  };
  const bond = { isSpared: true };

  test.each<[string, number, Candidate[], boolean, [number, number][] | string]>([
    ['takes nothing of a Bond', 300, [charge(1, 300), charge(3, 300, bond)], true, [[1, 300]]],
    [
      'takes of a Bond what all else lacks',
      400,
      [charge(1, 300), charge(3, 300, bond)],
      true,
      [
        [1, 300],
        [3, 100],
      ],
    ],
    ['takes a Bond where nothing else is', 100, [charge(3, 300, bond)], true, [[3, 100]]],
    [
      'takes no Bond for what the gateway rejects',
      100,
      [charge(1, 300, { isRejecting: true }), charge(3, 300, bond)],
      false,
      [],
    ],
    [
      'ends where all together have too little',
      700,
      [charge(1, 300), charge(3, 300, bond)],
      true,
      'refund_exceeds_charge',
    ],
  ])('%s', (_what, amountMinor, charges, isWhole, expected) => {
    const parts = allocateSparingBonds(amountMinor, charges, isWhole);
    const found = parts.ok
      ? parts.value.map((part) => [part.chargeId, part.amountMinor])
      : parts.error.code;
    expect(found).toEqual(expected);
  });
});

/** Whether the first charge is to give before the second: more is left of it, or as much and it is newer. */
function goesBefore(first: Refundable, second: Refundable): boolean {
  return (
    first.refundableMinor > second.refundableMinor ||
    (first.refundableMinor === second.refundableMinor && first.id > second.id)
  );
}

function expectSingle(
  chosen: readonly Refundable[],
  amountMinor: number,
  charges: readonly Refundable[],
): void {
  const covering = charges
    .filter(({ refundableMinor }) => refundableMinor >= amountMinor)
    .map(({ id }) => id);
  expect(chosen.map(({ id }) => id)).toEqual([Math.max(...covering)]);
}

function expectLargestFirst(
  chosen: readonly Refundable[],
  parts: readonly { amountMinor: number }[],
  charges: readonly Refundable[],
): void {
  const spared = charges.filter((charge) => !chosen.includes(charge));
  chosen.forEach((charge, index) => {
    const next = chosen[index + 1];
    if (next) expect(goesBefore(charge, next)).toBe(true);
    // All but the last are used up.
    if (next) expect(parts[index]?.amountMinor).toBe(charge.refundableMinor);
    for (const other of spared) expect(goesBefore(charge, other)).toBe(true);
  });
}

/** Compares an allocation with the documented rule (interface: Refunds), and with every other choice of charges. */
function expectAllocation(amountMinor: number, charges: readonly Refundable[]): void {
  const least = fewest(amountMinor, charges);
  const allocated = allocateSparingBonds(amountMinor, charges.map(open), true);
  if (!allocated.ok || least === null) {
    expect(least).toBeNull();
    expect(allocated).toEqual({ ok: false, error: EXCEEDS_CHARGE });
    return;
  }
  const parts = allocated.value;
  const chosen = parts.flatMap(({ chargeId }) => charges.filter(({ id }) => id === chargeId));
  expect(parts).toHaveLength(least);
  expect(new Set(parts.map(({ chargeId }) => chargeId)).size).toBe(least);
  expect(chosen).toHaveLength(least);
  expect(parts.reduce((sum, part) => sum + part.amountMinor, 0)).toBe(amountMinor);
  parts.forEach((part, index) => {
    expect(part.amountMinor).toBeGreaterThan(0);
    expect(part.amountMinor).toBeLessThanOrEqual(chosen[index]?.refundableMinor ?? 0);
  });
  if (least === 1) expectSingle(chosen, amountMinor, charges);
  else expectLargestFirst(chosen, parts, charges);
}

describe('a refund that names no charge', () => {
  test('is divided as decided for every set of up to three charges with up to four units each', () => {
    const left = [0, 1, 2, 3, 4];
    for (const a of left)
      for (const b of left)
        for (const c of left)
          for (let amountMinor = 1; amountMinor <= a + b + c + 1; amountMinor++) {
            // The ids run against the order of the list, so that neither can replace the other.
            expectAllocation(amountMinor, [
              { id: 2, refundableMinor: a },
              { id: 3, refundableMinor: b },
              { id: 1, refundableMinor: c },
            ]);
          }
  });

  test('is divided as decided over up to six charges', () => {
    const charges = fc.uniqueArray(fc.record({ id: fc.nat(99), refundableMinor: fc.nat(9) }), {
      maxLength: 6,
      selector: ({ id }) => id,
    });
    fc.assert(
      fc.property(charges, fc.integer({ min: 1, max: 40 }), (given, amountMinor) => {
        expectAllocation(amountMinor, given);
      }),
      { numRuns: 1_000 },
    );
  });

  test('is divided the same way for any order of the charges, and does not change the list', () => {
    const charges = fc
      .uniqueArray(fc.record({ id: fc.nat(99), refundableMinor: fc.nat(5) }), {
        minLength: 2,
        maxLength: 6,
        selector: ({ id }) => id,
      })
      .chain((listed) =>
        fc.tuple(
          fc.constant(listed),
          fc.shuffledSubarray(listed, { minLength: listed.length }),
          fc.integer({ min: 1, max: 30 }),
        ),
      );
    fc.assert(
      fc.property(charges, ([listed, shuffled, amountMinor]) => {
        const before = structuredClone(listed);
        expect(allocate(amountMinor, listed)).toEqual(allocate(amountMinor, shuffled));
        expect(listed).toEqual(before);
      }),
    );
  });

  test.each([
    {
      name: 'the newest of those that cover it all, though an older one would be used up exactly',
      amount: 100,
      left: [100, 500, 100, 90],
      parts: [[3, 100]],
    },
    {
      name: 'the largest, then the newer of two equals, then what is left of the third',
      amount: 260,
      left: [50, 100, 110, 100],
      parts: [
        [3, 110],
        [4, 100],
        [2, 50],
      ],
    },
    {
      name: 'everything there is',
      amount: 30,
      left: [10, 0, 20],
      parts: [
        [3, 20],
        [1, 10],
      ],
    },
  ])('takes $name', ({ amount, left, parts }) => {
    const charges = left.map((refundableMinor, index) => ({ id: index + 1, refundableMinor }));
    expect(allocate(amount, charges)).toEqual(
      parts.map(([chargeId, amountMinor]) => ({ chargeId, amountMinor })),
    );
  });

  test.each([[[]], [[0, 0]], [[10, 20, 0]]])(
    'of 31 units is refused when the charges have %j left',
    (left) => {
      const charges = left.map((refundableMinor, id) => ({ id, refundableMinor }));
      expect(allocateSparingBonds(31, charges.map(open), true)).toMatchObject({
        ok: false,
        error: { code: 'refund_exceeds_charge' },
      });
    },
  );

  test('of nothing uses no charge when nothing is left', () => {
    expect(allocate(0, [{ id: 1, refundableMinor: 0 }])).toEqual([]);
  });
});

describe('a refund with a certain outcome', () => {
  const completed = {
    dueAtMs: null,
    completedAtMs: 9_000,
    learntAtMs: 9_000,
    sentAtMs: null,
    absentAtMs: null,
  };
  const outcomes: { [Kind in CertainOutcome['kind']]: [CertainOutcome, object] } = {
    approved: [approval('g-1'), { ...completed, status: 'Refunded', gatewayReference: 'g-1' }],
    declined: [
      { kind: 'declined', declineCode: 'lost_card', retryable: true },
      { ...completed, status: 'Failed' },
    ],
    rejected: [rejection('not valid'), { ...completed, status: 'Failed' }],
  };

  test.each(Object.entries(outcomes))('that was %s is no longer due', (_, [outcome, change]) => {
    expect(refundChange(outcome, 9_000)).toStrictEqual(change);
  });
});
