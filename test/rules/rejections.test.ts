/** When a schedule that the acquirer rejected for a reason of its own is tried again, and amounts in steps. */
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { CertainOutcome } from '../../src/gateways/gateway.ts';
import { temporaryRejection } from '../../src/gateways/rules/outcome.ts';
import { underWay } from '../../src/money/payments/rules/cases.ts';
import { afterRejectionMs } from '../../src/money/payments/rules/retries.ts';
import {
  outcomeChange as changeOfOperation,
  type TransactionChange,
} from '../../src/money/payments/states.ts';
import { grossUp, price } from '../../src/money/pricing/fees.ts';
import type { BookingState } from '../../src/records/bookings/rules.ts';
import { NO_FEES } from '../../src/records/properties/rules/feeTerms.ts';
import type { TransactionRow } from '../../src/schema/moneyTables.ts';
import { bookedRow, propertyRow, SETTLED, transactionRow } from './rows.ts';

/** What an outcome changes of a row in `Processing`. */
function outcomeChange(
  state: BookingState,
  row: TransactionRow,
  outcome: CertainOutcome,
  nowMs: number,
): TransactionChange {
  return changeOfOperation(state, underWay(row), outcome, nowMs);
}

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const AT_MS = Date.UTC(2026, 9, 1, 12);

/** A schedule whose first attempt is under way, after some rejections. */
function attempted(rejections: number, changes: Partial<TransactionRow> = {}): TransactionRow {
  return transactionRow({
    kind: 'schedule',
    scheduledAtMs: AT_MS,
    firstAttemptAtMs: AT_MS,
    attempts: 1,
    rejections,
    ...changes,
  });
}

const state = { property: propertyRow(), booking: bookedRow(), cards: [] };

describe('a schedule that the acquirer rejects for a reason of its own', () => {
  test.each([
    [0, 1],
    [1, 5],
    [2, 15],
    [3, 60],
    [4, 60],
    [40, 60],
  ])('is tried again, after %i rejections before, in %i minutes', (rejections, minutes) => {
    expect(afterRejectionMs(attempted(rejections), null, AT_MS)).toBe(AT_MS + minutes * MINUTE_MS);
  });

  test('never comes back before the acquirer wants, nor later than its turn or that', () => {
    const reference = fc.stringMatching(/^[0-9a-f]{32}$/);
    fc.assert(
      fc.property(
        fc.nat(60),
        fc.integer({ min: 1, max: 2 * HOUR_MS }),
        reference,
        (rejections, retryAfterMs, own) => {
          const againMs =
            afterRejectionMs(attempted(rejections, { reference: own }), retryAfterMs, AT_MS) ?? 0;
          const listedMs = (afterRejectionMs(attempted(rejections), null, AT_MS) ?? 0) - AT_MS;
          expect(againMs - AT_MS).toBeGreaterThanOrEqual(retryAfterMs);
          expect(againMs - AT_MS).toBeLessThanOrEqual(Math.max(listedMs, retryAfterMs));
        },
      ),
    );
  });

  test('spreads with others that were rejected with it', () => {
    const references = Array.from({ length: 200 }, (_, index) =>
      ((index * 2_654_435_761) >>> 0).toString(16).padStart(8, '0').repeat(4),
    );
    const waits = references.map(
      (reference) => (afterRejectionMs(attempted(1, { reference }), 1_000, AT_MS) ?? 0) - AT_MS,
    );
    expect(Math.max(...waits) - Math.min(...waits)).toBeGreaterThan(6_000);
  });

  test('is given up 72 hours after its time', () => {
    const lastMs = AT_MS + 72 * HOUR_MS - MINUTE_MS;
    expect(afterRejectionMs(attempted(0), null, lastMs)).toBe(AT_MS + 72 * HOUR_MS);
    expect(afterRejectionMs(attempted(0), null, lastMs + 1)).toBeNull();
  });

  test('uses up no attempt, and says how often it was rejected', () => {
    const first = outcomeChange(state, attempted(2), temporaryRejection('rate_limit'), AT_MS);
    expect(first).toStrictEqual({
      ...SETTLED,
      status: 'Pending',
      dueAtMs: AT_MS + 15 * MINUTE_MS,
      attempts: 0,
      rejections: 3,
      firstAttemptAtMs: null,
    });
    const second = attempted(0, { attempts: 2 });
    const change = outcomeChange(state, second, temporaryRejection('rate_limit'), AT_MS + HOUR_MS);
    expect(change).toMatchObject({ status: 'Pending', attempts: 1 });
    expect(change).not.toHaveProperty('firstAttemptAtMs');
  });

  test('is not what an immediate charge is: that one fails', () => {
    const change = outcomeChange(state, transactionRow(), temporaryRejection('rate_limit'), AT_MS);
    expect(change.status).toBe('Failed');
  });
});

describe('an acquirer that takes multiples of a step', () => {
  const terms = fc.record({
    cardFeeBasisPoints: fc.integer({ min: 1, max: 5_000 }),
    method: fc.constant('grossUp'),
    maximumMinor: fc.constant(null),
    transactionFeeMinor: fc.nat(500),
  });
  const amounts = fc.integer({ min: 1, max: 99_999_999 });
  const steps = fc.constantFrom(1, 10, 100);

  test('gets the next multiple, and the card fee takes the difference', () => {
    fc.assert(
      fc.property(amounts, terms, steps, (asked, its, stepMinor) => {
        const priced = price(asked, its, stepMinor);
        if (!priced.ok) throw new Error('no price');
        const { amountMinor, cardFeeMinor, requestedMinor, transactionFeeMinor } = priced.value;
        const plain = grossUp(asked, its);
        expect(amountMinor % stepMinor).toBe(0);
        expect(amountMinor - plain.amountMinor).toBeGreaterThanOrEqual(0);
        expect(amountMinor - plain.amountMinor).toBeLessThan(stepMinor);
        expect([requestedMinor, transactionFeeMinor]).toEqual([asked, its.transactionFeeMinor]);
        expect(requestedMinor + transactionFeeMinor + cardFeeMinor).toBe(amountMinor);
      }),
    );
  });

  test('takes no amount between its steps where no card fee can carry the difference', () => {
    expect(price(1_230, NO_FEES, 10)).toMatchObject({ ok: true, value: { amountMinor: 1_230 } });
    expect(price(1_234, NO_FEES, 10)).toMatchObject({
      ok: false,
      error: {
        code: 'amount_precision',
        fields: [{ field: 'amount', message: 'is finer than the gateway takes in this currency' }],
      },
    });
  });
});
