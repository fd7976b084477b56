import { describe, expect, it } from 'vitest';
import { type BankLine, likeliest, likenessOf } from '../../src/desk/reports/bankLine.ts';
import type { DisbursementRow } from '../../src/schema/disbursementTables.ts';
import { likelyCopy } from '../../src/sites/console/reports/bankLinePage.tsx';

function payout(changes: Partial<DisbursementRow> = {}): DisbursementRow {
  return {
    propertyId: 'demo',
    id: 'po_1',
    gateway: 'stripe',
    status: 'paid_out',
    currency: 'AUD',
    grossMinor: 103_000,
    feeMinor: 3_000,
    netMinor: 100_000,
    postedNetMinor: 0,
    postedFeeMinor: 0,
    itemCount: 0,
    description: 'Payout',
    effectiveAtMs: 0,
    arrivalDate: '2026-11-27',
    dueAtMs: null,
    paysAtMs: null,
    ...changes,
  };
}

const line: BankLine = { amountMinor: 100_000, currency: 'AUD', day: '2026-11-26', days: 3 };

describe('a bank line', () => {
  it.each([
    [{}, 'match', 'expected 1 day later'],
    [{ arrivalDate: '2026-11-23' }, 'match', 'expected 3 days earlier'],
    [{ arrivalDate: '2026-11-26', status: 'in_transit' }, 'match', 'on that day. On its way.'],
    [{ arrivalDate: '2026-11-22' }, 'otherDay', 'but the money is expected 4 days earlier'],
    [{ arrivalDate: '2026-12-10' }, 'otherDay', '14 days later'],
    [{ status: 'failed' }, 'failed', 'this payout failed'],
    [{ grossMinor: 100_000, netMinor: 97_000 }, 'gross', 'AUD\u00a0970.00 reaches the bank'],
    [{ netMinor: -100_000 }, 'opposite', 'the other way'],
    [{ currency: 'EUR' }, 'otherCurrency', 'in EUR'],
    [{ netMinor: 99_950 }, 'nearly', 'AUD\u00a00.50 less'],
    [{ netMinor: 102_000 }, 'nearly', 'AUD\u00a020.00 more'],
    [{ netMinor: 102_001 }, null, ''],
    [{ netMinor: 99_950, arrivalDate: '2026-12-10' }, null, ''],
    [{ currency: 'JPY', netMinor: 1_000, arrivalDate: '2026-12-10' }, null, ''],
    [{ currency: 'JPY', netMinor: 1_000 }, 'otherCurrency', 'in JPY'],
  ] as const)('and a payout with %j: %s', (changes, likeness, words) => {
    const row = payout(changes);
    expect(likenessOf(line, row)).toBe(likeness);
    const [likely] = likeliest(line, [row]);
    expect(likely === undefined ? '' : likelyCopy(line, likely)).toContain(words);
  });

  it('has what is most alike first', () => {
    const rows = [
      payout({ id: 'nearly', netMinor: 99_999 }),
      payout({ id: 'later', arrivalDate: '2026-11-29' }),
      payout({ id: 'other day', arrivalDate: '2026-12-20' }),
      payout({ id: 'next day' }),
    ];
    expect(likeliest(line, rows).map(({ row }) => row.id)).toEqual([
      'next day',
      'later',
      'other day',
      'nearly',
    ]);
  });
});
