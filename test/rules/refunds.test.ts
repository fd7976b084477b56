import { describe, expect, it } from 'vitest';
import { DAY_MS } from '../../src/core/time.ts';
import type { RefundRecord } from '../../src/gateways/gateway.ts';
import { approval, rejection } from '../../src/gateways/rules/outcome.ts';
import {
  allocate,
  allocateSparingBonds,
  beyondDailyLimit,
  type DailyLimit,
  isSameRefund,
  newRefund,
  nextWatchMs,
  outcomeOfRecord,
  refundChange,
} from '../../src/money/refunds/rules.ts';
import { refundRow, transactionRow } from './rows.ts';

const NOW_MS = Date.parse('2026-10-01T12:00:00+08:00');

describe('a new refund', () => {
  const given = {
    id: 43,
    reference: 'ef'.repeat(16),
    commandReference: 'ab'.repeat(16),
    amountMinor: 500,
    actor: 'kim@hotel.com',
    propertyVersion: 3,
    createdAtMs: NOW_MS,
  };

  it('is of its charge, and waits for its outcome without being due', () => {
    const charge = transactionRow({ currency: 'KWD', bookingReference: 'RES-7', propertyId: 'p' });
    expect(newRefund(charge, given)).toStrictEqual({
      ...given,
      transactionId: 41,
      propertyId: 'p',
      bookingReference: 'RES-7',
      currency: 'KWD',
      status: 'Processing',
      description: null,
      waived: false,
      gatewayReference: null,
      origin: 'service',
      statusChecks: 0,
      rejections: 0,
      sentAtMs: null,
      absentAtMs: null,
      dueAtMs: null,
      idempotencyKey: null,
      version: 1,
      completedAtMs: null,
      learntAtMs: null,
      correctedAtMs: null,
    });
  });

  it('is as it was given where that is another', () => {
    const learnt = { status: 'Refunded', waived: true, origin: 'gateway', version: 2 } as const;
    expect(newRefund(transactionRow(), { ...given, ...learnt })).toMatchObject(learnt);
  });
});

describe('a refund that was approved', () => {
  it('happened when the acquirer says, and was learnt now', () => {
    const change = refundChange(approval('g-1', { atMs: NOW_MS - 5 }), NOW_MS);
    expect(change).toMatchObject({
      completedAtMs: NOW_MS - 5,
      learntAtMs: NOW_MS,
      dueAtMs: null,
    });
  });

  it('is looked at again in a day while it is on its way', () => {
    const change = refundChange(approval('g-1', { pending: true }), NOW_MS);
    expect(change).toMatchObject({ status: 'Refunded', dueAtMs: NOW_MS + DAY_MS });
  });

  it.each([
    ['just now', NOW_MS, NOW_MS + DAY_MS],
    ['at a time that nobody knows', null, NOW_MS + DAY_MS],
    ['almost sixty days ago', NOW_MS - 60 * DAY_MS + 1, NOW_MS + DAY_MS],
    ['sixty days ago', NOW_MS - 60 * DAY_MS, null],
  ])('is watched each day, for sixty days: %s', (_when, completedAtMs, next) => {
    expect(nextWatchMs(refundRow({ completedAtMs }), NOW_MS)).toBe(next);
  });
});

describe('the acquirer’s record of a refund', () => {
  const record: RefundRecord = {
    id: 're_1',
    status: 'succeeded',
    idempotencyKey: 'ef'.repeat(16),
    amountMinor: 500,
    atMs: NOW_MS - 5,
    reason: null,
    moved: true,
  };
  const said = { amountMinor: 500, atMs: NOW_MS - 5 };

  it.each([
    ['approves it', {}, approval('re_1', { ...said, pending: false })],
    [
      'approves one that is on its way',
      { status: 'pending' },
      approval('re_1', { ...said, pending: true }),
    ],
    [
      'rejects one that failed, for its reason',
      { status: 'failed', reason: 'expired_or_canceled_card' },
      rejection('expired_or_canceled_card'),
    ],
    [
      'rejects one that failed without a reason',
      { status: 'failed' },
      rejection('failed at the gateway'),
    ],
  ] as const)('%s', (_what, changes, outcome) => {
    expect(outcomeOfRecord({ ...record, ...changes })).toStrictEqual(outcome);
  });

  it.each([
    ['its key', { reference: 'key', gatewayReference: null }, true],
    ['the acquirer’s id', { reference: 'other', gatewayReference: 're_1' }, true],
    ['both', { reference: 'key', gatewayReference: 're_1' }, true],
    ['neither', { reference: 'other', gatewayReference: 're_2' }, false],
    ['no id yet, and another key', { reference: 'other', gatewayReference: null }, false],
  ])('is of a refund that has %s: %s', (_what, row, isSame) => {
    expect(isSameRefund(row, { id: 're_1', idempotencyKey: 'key' })).toBe(isSame);
  });

  it('is of the acquirer’s own refund only by its id', () => {
    const foreign = { id: 're_1', idempotencyKey: null };
    expect(isSameRefund({ reference: 'key', gatewayReference: 're_1' }, foreign)).toBe(true);
    expect(isSameRefund({ reference: 'key', gatewayReference: null }, foreign)).toBe(false);
  });
});

describe('what a cashier may give back in a day', () => {
  const MIDNIGHT_MS = Date.parse('2026-10-01T00:00:00+08:00');
  const limit: DailyLimit = {
    limitMinor: 10_000,
    actor: 'kim@hotel.com',
    timeZone: 'Australia/Perth',
    nowMs: NOW_MS,
  };
  const earlier = (changes: Partial<ReturnType<typeof refundRow>> = {}) =>
    refundRow({ actor: limit.actor, amountMinor: 4_000, createdAtMs: NOW_MS - 1, ...changes });
  const refused = (amountMinor: number, refunds: readonly ReturnType<typeof refundRow>[]) =>
    beyondDailyLimit({ amountMinor, currency: 'AUD' }, refunds, limit);

  it.each<[string, ReturnType<typeof refundRow>[], number]>([
    ['is all of the limit at first', [], 10_000],
    ['is less by what they gave back', [earlier()], 6_000],
    ['is less by each of them', [earlier(), earlier({ amountMinor: 1 })], 5_999],
    ['is less by what may still be given back', [earlier({ status: 'Processing' })], 6_000],
    ['is not less by what failed', [earlier({ status: 'Failed' })], 10_000],
    ['is not less by what others gave back', [earlier({ actor: 'lee@hotel.com' })], 10_000],
    ['counts from midnight at the property', [earlier({ createdAtMs: MIDNIGHT_MS })], 6_000],
    ['begins anew at midnight', [earlier({ createdAtMs: MIDNIGHT_MS - 1 })], 10_000],
    ['is nothing once the limit is reached', [earlier({ amountMinor: 10_000 })], 0],
    ['is nothing where the limit was lowered since', [earlier({ amountMinor: 12_000 })], 0],
  ])('%s', (_what, refunds, leftMinor) => {
    expect(refused(leftMinor, refunds)).toBeNull();
    expect(refused(leftMinor + 1, refunds)?.code).toBe('not_permitted');
  });

  it('is said, with what is left of it', () => {
    const lowered = earlier({ amountMinor: 12_000 });
    expect(refused(6_001, [earlier()])?.detail).toBe(
      'Your role refunds up to the limit of the property, AUD\u00A0100.00 of one booking in a day. AUD\u00A060.00 of that is left today. Ask a manager: that role refunds any amount.',
    );
    expect(refused(1, [lowered])?.detail).toContain('AUD\u00A00.00 of that is left today');
  });
});

describe('a refund that names no charge', () => {
  const charge = (id: number, refundableMinor: number, isSpared: boolean, isRejecting: boolean) => {
    return { id, refundableMinor, isSpared, isRejecting };
  };

  it('takes nothing of a Bond that the gateway rejects', () => {
    const charges = [charge(1, 300, true, true), charge(2, 50, true, false)];
    expect(allocateSparingBonds(100, charges, false)).toEqual({
      ok: true,
      value: [{ chargeId: 2, amountMinor: 50 }],
    });
    expect(allocateSparingBonds(100, charges, true)).toMatchObject({
      ok: false,
      error: { code: 'refund_exceeds_charge' },
    });
  });

  it('is not lowered by a charge of which too much was refunded', () => {
    const charges = [
      { id: 1, refundableMinor: 10 },
      { id: 2, refundableMinor: -5 },
    ];
    expect(allocate(8, charges)).toEqual([{ chargeId: 1, amountMinor: 8 }]);
  });

  it('says that nothing was refunded where there is too little', () => {
    expect(allocateSparingBonds(1, [], true)).toMatchObject({
      error: { detail: 'The amount is more than can be refunded. Nothing was refunded.' },
    });
  });
});
