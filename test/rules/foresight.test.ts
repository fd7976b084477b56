import { describe, expect, it } from 'vitest';
import { cardEndMs, isForetold, outlivesCard } from '../../src/records/plans/rules/foresight.ts';
import type { PlanPart } from '../../src/schema/planTables.ts';

const part: PlanPart = {
  id: 't1',
  amountMinor: 100,
  coveredMinor: 0,
  broughtMinor: 0,
  termsAtMs: 50,
  dueAtMs: 50,
  status: 'planned',
  chargeId: null,
  chargeStatus: null,
  hasEnded: false,
};

describe('a part of a plan', () => {
  it("outlives its card from the end of the card's last month on", () => {
    expect([49, 50, 51].map((endsAtMs) => outlivesCard(part, endsAtMs))).toEqual([
      true,
      true,
      false,
    ]);
  });

  it.each<[string, Partial<PlanPart>]>([
    ['paid', { status: 'paid' }],
    ['void', { status: 'void' }],
    ['being charged', { chargeId: 7 }],
  ])('that is %s outlives none', (_, changes) => {
    expect(outlivesCard({ ...part, ...changes }, 1)).toBe(false);
  });

  it('outlives none where the plan has no card', () => {
    expect(outlivesCard(part, null)).toBe(false);
    expect(cardEndMs(null, 'UTC')).toBe(null);
  });

  it("has a card that ends with its month, in the property's zone", () => {
    const card = { expiryMonth: 2, expiryYear: 2027 };
    expect(cardEndMs(card, 'Australia/Perth')).toBe(Date.parse('2027-02-28T16:00:00Z'));
  });

  it('is rightly foretold where it outlives its card, for the time that it has', () => {
    const foretold = { ...part, foretold: { recoveryId: 1, dueAtMs: 50 } };
    const moved = { ...part, foretold: { recoveryId: 1, dueAtMs: 40 } };
    expect([part, foretold, moved].map((one) => isForetold(one, 50))).toEqual([false, true, false]);
    expect([part, foretold, moved].map((one) => isForetold(one, 51))).toEqual([true, false, false]);
  });
});
