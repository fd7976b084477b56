import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { hex, lowestIdAt, MoneyIds } from '../../src/core/ids.ts';

const kinds = fc.constantFrom('charge' as const, 'refund' as const);
/** Ids count from the beginning of 2024, whose first millisecond gives no slot 0. */
const instants = fc.integer({ min: Date.UTC(2024, 0, 1) + 1, max: Date.UTC(2090, 0, 1) });
const slots = fc.nat(2_047);

describe('ids of charges and refunds', () => {
  test('a charge’s id is even and a refund’s odd, so that they never meet', () => {
    fc.assert(
      fc.property(instants, slots, kinds, (nowMs, slot, kind) => {
        const id = new MoneyIds(() => slot).next(kind, nowMs);
        expect(id % 2).toBe(kind === 'refund' ? 1 : 0);
      }),
    );
  });

  test('ids only grow and stay safe integers, however the clock runs and whatever is drawn', () => {
    const call = fc.tuple(kinds, instants, slots);
    fc.assert(
      fc.property(fc.array(call, { minLength: 2, maxLength: 100 }), (calls) => {
        let slot = 0;
        let last = 0;
        const ids = new MoneyIds(() => slot);
        for (const [kind, nowMs, drawn] of calls) {
          slot = drawn;
          const id = ids.next(kind, nowMs);
          expect(id).toBeGreaterThan(last);
          expect(Number.isSafeInteger(id)).toBe(true);
          last = id;
        }
      }),
    );
  });

  test('one millisecond that is asked more often than it has slots still gives every id once', () => {
    const ids = new MoneyIds(() => 2_047);
    const made = Array.from({ length: 5_000 }, () => ids.next('charge', Date.UTC(2026, 0, 1)));
    expect(new Set(made).size).toBe(5_000);
  });

  test('a clock before the epoch of the ids still gives positive, growing ones', () => {
    const ids = new MoneyIds(() => 0);
    const first = ids.next('charge', Date.UTC(2020, 0, 1));
    expect(first).toBeGreaterThan(0);
    expect(ids.next('refund', Date.UTC(2019, 0, 1))).toBeGreaterThan(first);
  });

  test('one millisecond has 2048 slots, each with an id of its own', () => {
    const made = Array.from({ length: 2_048 }, (_, slot) =>
      new MoneyIds(() => slot).next('charge', Date.UTC(2026, 0, 1)),
    );
    expect(new Set(made).size).toBe(2_048);
  });

  test('two makers in the same millisecond differ by what they draw', () => {
    fc.assert(
      fc.property(instants, slots, slots, kinds, kinds, (nowMs, one, other, kind, second) => {
        fc.pre(one !== other);
        const id = new MoneyIds(() => one).next(kind, nowMs);
        expect(new MoneyIds(() => other).next(second, nowMs)).not.toBe(id);
      }),
    );
  });

  test('an id made a millisecond later by anybody is greater', () => {
    fc.assert(
      fc.property(instants, slots, slots, kinds, kinds, (nowMs, one, other, kind, second) => {
        const id = new MoneyIds(() => one).next(kind, nowMs);
        expect(new MoneyIds(() => other).next(second, nowMs + 1)).toBeGreaterThan(id);
      }),
    );
  });

  test('the lowest id at an instant parts what was made before from what was made since', () => {
    fc.assert(
      fc.property(instants, slots, kinds, (nowMs, slot, kind) => {
        const id = new MoneyIds(() => slot).next(kind, nowMs);
        expect(lowestIdAt(nowMs)).toBeLessThanOrEqual(id);
        expect(lowestIdAt(nowMs + 1)).toBeGreaterThan(id);
      }),
    );
  });

  test('before the epoch of the ids, the lowest one is 0', () => {
    expect(lowestIdAt(Date.UTC(2020, 0, 1))).toBe(0);
  });
});

describe('hex', () => {
  test('every byte is two lower-case digits that read back as it', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 32 }), (bytes) => {
        const text = hex(bytes);
        expect(text).toMatch(/^[0-9a-f]*$/);
        expect(text.length).toBe(bytes.length * 2);
        const read = (text.match(/../g) ?? []).map((pair) => Number.parseInt(pair, 16));
        expect(read).toEqual([...bytes]);
      }),
    );
  });

  test('a small byte keeps its leading zero', () => {
    expect(hex(Uint8Array.of(0, 10, 255))).toBe('000aff');
  });
});
