import { describe, expect, it } from 'vitest';
import { disputeFailure, newMovements } from '../../src/money/disputes/rules.ts';
import { refundable } from '../../src/money/refunds/charges.ts';
import type { DisputeRow } from '../../src/schema/disputeTables.ts';
import { disputeRow, transactionRow } from './rows.ts';

const dispute = (
  transactionId: number,
  status: DisputeRow['status'],
  fundsWithdrawn = status !== 'won',
): DisputeRow =>
  disputeRow({ id: `dp_${transactionId}_${status}`, transactionId, status, fundsWithdrawn });

describe('a disputed charge', () => {
  it.each([
    ['no dispute', [], null],
    ['a dispute of another charge', [dispute(4, 'lost')], null],
    ['a dispute that was won', [dispute(2, 'won')], null],
    ['an open dispute', [dispute(2, 'needs_response')], /is disputed/],
    ['a dispute under review', [dispute(2, 'under_review')], /is disputed/],
    ['an inquiry', [dispute(2, 'needs_response', false)], null],
    ['an inquiry under review', [dispute(2, 'under_review', false)], null],
    ['a dispute that was won in part', [dispute(2, 'won', true)], /is disputed/],
    ['a lost dispute', [dispute(2, 'lost')], /lost to a dispute/],
    ['a lost dispute that withdrew nothing', [dispute(2, 'lost', false)], /lost to a dispute/],
    ['one won and one open', [dispute(2, 'won'), dispute(2, 'under_review')], /is disputed/],
    ['one lost and one open', [dispute(2, 'lost'), dispute(2, 'under_review')], /lost/],
  ] as const)('with %s', (_case, disputes, detail) => {
    const failure = disputeFailure(2, disputes);
    if (detail === null) expect(failure).toBeNull();
    else
      expect(failure).toMatchObject({
        code: 'invalid_state',
        detail: expect.stringMatching(detail),
      });
  });

  const rows = [2, 4, 6].map((id) =>
    transactionRow({ id, status: 'Accepted', gatewayReference: `ch_${id}` }),
  );
  const unknown = transactionRow({ id: 8, status: 'Accepted', gatewayReference: null });
  const declined = transactionRow({ id: 10, status: 'Declined', gatewayReference: 'ch_10' });
  const charges = {
    rows: [...rows, unknown, declined],
    disputes: [dispute(2, 'under_review'), dispute(4, 'won')],
  };

  it('is left out of a refund that names no charge', () => {
    const allowed = refundable(charges, null);
    expect(allowed.ok && allowed.value.map(({ id }) => id)).toEqual([4, 6]);
  });

  it.each([
    [2, 'invalid_state', /is disputed/],
    [8, 'invalid_state', /does not know/],
    [10, 'invalid_state', /Declined/],
    [12, 'transaction_not_found', /./],
  ])('%i is refused when it is named', (id, code, detail) => {
    const refused = refundable(charges, id);
    expect(refused).toMatchObject({
      ok: false,
      error: { code, detail: expect.stringMatching(detail) },
    });
  });

  it('may be named when its dispute was won', () => {
    expect(refundable(charges, 4)).toMatchObject({ ok: true, value: [{ id: 4 }] });
  });
});

describe('the movements of a dispute that are new', () => {
  const moved = (...amounts: number[]) =>
    amounts.map((amountMinor, at) => ({ amountMinor, atMs: at }));

  it.each([
    ['nothing is known', [-100, 100], [], [-100, 100]],
    ['all is known', [-100, 100], [-100, 100], []],
    ['it came back', [-100, 100], [-100], [100]],
    ['a part came back', [-100, 40], [-100], [40]],
    ['it left in parts', [-60, -40], [-60], [-40]],
    ['it left once more', [-100, 100, -100], [-100, 100], [-100]],
    ['a part of a movement is known', [-100], [-30], [-70]],
    ['the journal has more', [-100], [-50, 50, -100], []],
    ['an inquiry moved nothing', [], [], []],
  ])('when %s', (_case, theirs, ours, expected) => {
    const found = newMovements(moved(...theirs), moved(...ours));
    expect(found.map(({ amountMinor }) => amountMinor)).toEqual(expected);
    const after = [...ours, ...expected].filter((one) => one !== 0);
    expect(newMovements(moved(...theirs), moved(...after))).toEqual([]);
  });

  it('are those that left, where only what came back is known', () => {
    const left = { amountMinor: -100, atMs: 1 };
    const back = { amountMinor: 100, atMs: 2 };
    expect(newMovements([left, back], [{ amountMinor: 100 }])).toEqual([left]);
    expect(newMovements([left, back], [{ amountMinor: -100 }])).toEqual([back]);
    expect(newMovements([left, back], [{ amountMinor: -100 }, { amountMinor: 100 }])).toEqual([]);
  });
});
