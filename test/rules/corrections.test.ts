/** What the acquirer's certain record corrects in ours. */
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { PaymentRecord } from '../../src/gateways/gateway.ts';
import { correction } from '../../src/money/payments/rules/corrections.ts';
import { grossUp, price } from '../../src/money/pricing/fees.ts';
import type { BookingState } from '../../src/records/bookings/rules.ts';
import { priceTaken } from '../../src/records/properties/rules/takenPrice.ts';
import type { TransactionRow } from '../../src/schema/moneyTables.ts';
import {
  bookedRow,
  brokenRules,
  cardRow,
  feeTerms,
  propertyRow,
  SETTLED,
  transactionRow,
} from './rows.ts';

const NOW_MS = Date.UTC(2026, 9, 1, 12);
const THERE_MS = NOW_MS - 7_000;
const EXPIRES_MS = NOW_MS + 86_400_000;

const state: BookingState = {
  property: propertyRow(),
  booking: bookedRow({ cardToken: 'visa-card' }),
  cards: [cardRow('visa-card')],
};

/** The acquirer's record of a payment of 154.64. */
function recordOf(changes: Partial<PaymentRecord> = {}): PaymentRecord {
  return {
    id: 'pay-1',
    gatewayReference: 'capture-1',
    status: 'taken',
    about: null,
    idempotencyKey: null,
    gatewayToken: null,
    currency: 'AUD',
    askedMinor: 15_464,
    takenMinor: 15_464,
    atMs: THERE_MS,
    lapsesAtMs: null,
    refunds: [],
    ...changes,
  };
}

/** A charge of 150.00 at 3 %, settled here in some state. */
function settled(changes: Partial<TransactionRow>): TransactionRow {
  return transactionRow({
    ...SETTLED,
    ...grossUp(15_000, { cardFeeBasisPoints: 300, transactionFeeMinor: 0 }),
    feeBasisPoints: 300,
    ...changes,
  });
}

const hold = {
  kind: 'authorization',
  expiresAtMs: EXPIRES_MS,
  gatewayReference: 'hold-1',
} as const;

describe('money that was taken there', () => {
  test.each([
    ['Failed', {}],
    ['Declined', { declineCode: 'lost_card', declineRetryable: false }],
    ['Pending', { kind: 'schedule', scheduledAtMs: 1, dueAtMs: 2 }],
    ['Cancelled', { kind: 'schedule', scheduledAtMs: 1 }],
    ['Released', hold],
    ['Expired', hold],
    ['Authorized', { ...hold, dueAtMs: EXPIRES_MS }],
  ] as const)('is accepted here, where it was %s', (status, changes) => {
    const change = correction(state, settled({ status, ...changes }), recordOf(), NOW_MS);
    expect(change).toEqual({
      ...SETTLED,
      status: 'Accepted',
      gatewayReference: 'capture-1',
      completedAtMs: THERE_MS,
      learntAtMs: NOW_MS,
      correctedAtMs: NOW_MS,
      declineCode: null,
      declineRetryable: null,
    });
  });

  test('in another amount counts with that amount, and with the fees of a capture of it', () => {
    const change = correction(
      state,
      settled({ status: 'Failed' }),
      recordOf({ takenMinor: 7_732 }),
      NOW_MS,
    );
    expect(change).toMatchObject({ amountMinor: 7_732, requestedMinor: 7_500, cardFeeMinor: 232 });
  });

  test('is corrected in an accepted charge whose amount differs, which keeps its times', () => {
    const row = settled({ status: 'Accepted', gatewayReference: 'g-1' });
    const change = correction(state, row, recordOf({ takenMinor: 7_732 }), NOW_MS);
    expect(change).toEqual({
      requestedMinor: 7_500,
      transactionFeeMinor: 0,
      cardFeeMinor: 232,
      amountMinor: 7_732,
      gatewayReference: 'g-1',
      correctedAtMs: NOW_MS,
    });
  });

  test('gives its reference to a charge that was accepted by hand without one', () => {
    const row = settled({ status: 'Accepted', gatewayReference: null });
    expect(correction(state, row, recordOf(), NOW_MS)).toEqual({
      gatewayReference: 'capture-1',
      correctedAtMs: NOW_MS,
    });
  });

  test('in the amount that was asked keeps its fees, also where they came from a rounded amount', () => {
    const rounded = price(15_003, feeTerms({ cardFeeBasisPoints: 300 }), 10);
    const row = settled({
      ...(rounded.ok && rounded.value),
      status: 'Accepted',
      gatewayReference: null,
    });
    const change = correction(state, row, recordOf({ takenMinor: row.amountMinor }), NOW_MS);
    expect(change).toEqual({ gatewayReference: 'capture-1', correctedAtMs: NOW_MS });
  });

  test('is learnt once: the same record again corrects nothing, whatever was corrected', () => {
    const statuses = fc.constantFrom(
      'Failed',
      'Declined',
      'Authorized',
      'Released',
      'Expired',
      'Accepted',
    );
    fc.assert(
      fc.property(statuses, fc.integer({ min: 1, max: 99_999_999 }), (status, takenMinor) => {
        const completedAtMs = status === 'Authorized' ? null : 5;
        const row = settled({ status, ...hold, completedAtMs });
        const record = recordOf({ takenMinor });
        const change = correction(state, row, record, NOW_MS);
        const after = { ...row, ...change, version: row.version + 1 };
        expect(after.status).toBe('Accepted');
        expect(after.amountMinor).toBe(takenMinor);
        expect(brokenRules(after)).toEqual([]);
        expect(correction(state, after, record, NOW_MS + 1)).toBeNull();
      }),
    );
  });
});

describe('a hold', () => {
  test.each([
    { status: 'Authorized', pendingOperation: null },
    { status: 'Processing', pendingOperation: 'capture' },
    { status: 'Processing', pendingOperation: 'release' },
    { status: 'Processing', pendingOperation: 'expire' },
  ] as const)('that was let go there is released here: $status $pendingOperation', (changes) => {
    const row = settled({ ...hold, ...changes });
    const change = correction(state, row, recordOf({ status: 'released' }), NOW_MS);
    expect(change).toMatchObject({
      status: 'Released',
      completedAtMs: THERE_MS,
      correctedAtMs: NOW_MS,
      pendingOperation: null,
    });
  });

  test.each(['Failed', 'Declined', 'Released'] as const)(
    'that is held there is authorized here, where it had %s, until it ends',
    (status) => {
      const row = settled({ ...hold, status, gatewayReference: null });
      const record = recordOf({ status: 'held', takenMinor: 0, lapsesAtMs: EXPIRES_MS - 1 });
      expect(correction(state, row, record, NOW_MS)).toMatchObject({
        status: 'Authorized',
        gatewayReference: 'capture-1',
        expiresAtMs: EXPIRES_MS - 1,
        dueAtMs: EXPIRES_MS - 1,
        completedAtMs: null,
      });
      const booking = bookedRow({ status: 'cancelled', pendingCancelledVersion: 2 });
      const cancelled = { ...state, booking };
      expect(correction(cancelled, row, record, NOW_MS)).toMatchObject({ dueAtMs: NOW_MS });
    },
  );

  test('that is held there and here, or that nobody knows the outcome of, stays as it is', () => {
    const row = settled({ ...hold, status: 'Authorized' });
    for (const status of ['held', 'pending', 'failed'] as const) {
      expect(correction(state, row, recordOf({ status, takenMinor: 0 }), NOW_MS)).toBeNull();
    }
    const accepted = settled({ status: 'Accepted' });
    for (const status of ['released', 'held', 'failed'] as const) {
      expect(correction(state, accepted, recordOf({ status }), NOW_MS)).toBeNull();
    }
  });
});

describe('the price of an amount that was taken', () => {
  const terms = fc.record({
    cardFeeBasisPoints: fc.integer({ min: 0, max: 5_000 }),
    method: fc.constantFrom('grossUp', 'add'),
    maximumMinor: fc.option(fc.nat(2_000)),
    transactionFeeMinor: fc.nat(500),
  });

  test('is the price that it was asked with, for every amount that was asked', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 99_999_999 }), terms, (asked, its) => {
        const priced = price(asked, its, 1);
        if (!priced.ok) throw new Error('no price');
        expect(priceTaken(priced.value.amountMinor, its)).toEqual(priced.value);
      }),
    );
  });

  test('adds up, and asks for something, for any amount', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 99_999_999 }), terms, (taken, its) => {
        const { amountMinor, cardFeeMinor, requestedMinor, transactionFeeMinor } = priceTaken(
          taken,
          its,
        );
        expect(amountMinor).toBe(taken);
        expect(requestedMinor + cardFeeMinor + transactionFeeMinor).toBe(taken);
        expect(requestedMinor).toBeGreaterThan(0);
        expect(cardFeeMinor).toBeGreaterThanOrEqual(0);
      }),
    );
  });
});

describe('a payment that is held there', () => {
  const held = recordOf({ status: 'held', gatewayReference: 'hold-1' });
  const known = { ...hold, gatewayReference: 'hold-1' } as const;
  const unknown = { ...hold, gatewayReference: null } as const;

  test.each([
    ['a hold that failed', settled({ ...unknown, status: 'Failed' }), true],
    ['a hold that was declined', settled({ ...unknown, status: 'Declined' }), true],
    [
      'one that was called off before anybody knew of it',
      settled({ ...unknown, status: 'Released' }),
      true,
    ],
    ['one that was let go', settled({ ...known, status: 'Released' }), false],
    ['one that ended', settled({ ...unknown, status: 'Expired' }), false],
    ['one that is under way', transactionRow({ ...unknown, pendingOperation: 'authorize' }), false],
    ['a charge that failed', settled({ kind: 'charge', status: 'Failed' }), false],
  ])('is held here too, if it counted as never made: %s', (_what, row, isCorrected) => {
    const status = correction(state, row, held, NOW_MS)?.status;
    expect(status).toBe(isCorrected ? 'Authorized' : undefined);
  });
});
