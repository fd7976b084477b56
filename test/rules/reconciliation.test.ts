import { describe, expect, it } from 'vitest';
import { DAY_MS, HOUR_MS } from '../../src/core/time.ts';
import type { PaymentRecord } from '../../src/gateways/gateway.ts';
import type { GatewayMovement } from '../../src/gateways/movements.ts';
import {
  confirm,
  differenceOf,
  isUnderWay,
  type MovementRow,
  type OurCharge,
  subjectOf,
  takenOf,
  unknownPayment,
} from '../../src/reconciliation/rules/differences.ts';
import {
  beginningOf,
  holdsFromMs,
  isLate,
  plannedRuns,
  spanIssues,
} from '../../src/reconciliation/rules/runs.ts';
import type { RefundRow, TransactionRow } from '../../src/schema/moneyTables.ts';

const AT_MS = Date.UTC(2027, 1, 14, 3);

function rowOf(changes: Partial<MovementRow> = {}): MovementRow {
  return {
    transactionId: 2,
    sequence: 1,
    propertyId: 'demo',
    bookingReference: 'RES-1',
    refundId: null,
    disputeId: null,
    kind: 'charge',
    currency: 'AUD',
    amountMinor: 10_000,
    gatewayReference: 'pi_1',
    occurredAtMs: AT_MS,
    ...changes,
  };
}

const refundRow = rowOf({
  sequence: 2,
  kind: 'refund',
  refundId: 3,
  amountMinor: -2_500,
  gatewayReference: 're_1',
});

const disputeRow = rowOf({
  sequence: 2,
  kind: 'chargeback',
  disputeId: 'dp_1',
  amountMinor: -10_000,
  gatewayReference: 'dp_1',
});

function chargeOf(
  rows: readonly MovementRow[],
  { refund, status = 'Accepted' }: { refund?: Partial<RefundRow>; status?: string } = {},
): OurCharge {
  const transaction = {
    id: 2,
    status,
    currency: 'AUD',
    amountMinor: 10_000,
    gatewayReference: 'pi_1',
    completedAtMs: AT_MS,
    createdAtMs: AT_MS,
  } as TransactionRow;
  const refunds = refund
    ? [
        {
          id: 3,
          status: 'Refunded',
          amountMinor: 2_500,
          currency: 'AUD',
          gatewayReference: 're_1',
          completedAtMs: AT_MS,
          createdAtMs: AT_MS,
          ...refund,
        } as RefundRow,
      ]
    : [];
  return { transaction, rows, refunds, gatewayToken: 'vault_1' };
}

function movementOf(changes: Partial<GatewayMovement> = {}): GatewayMovement {
  return {
    id: 'txn_1',
    kind: 'charge',
    payment: 'pi_1',
    subject: 'pi_1',
    about: { propertyId: 'demo', bookingReference: 'RES-1', reference: 'own' },
    amountMinor: 10_000,
    currency: 'AUD',
    atMs: AT_MS,
    ...changes,
  };
}

function paymentOf(changes: Partial<PaymentRecord> = {}): PaymentRecord {
  return {
    id: 'pi_1',
    gatewayReference: 'pi_1',
    status: 'taken',
    about: null,
    idempotencyKey: null,
    gatewayToken: null,
    currency: 'AUD',
    askedMinor: 10_000,
    takenMinor: 10_000,
    atMs: AT_MS,
    lapsesAtMs: null,
    refunds: [],
    ...changes,
  };
}

describe('planned runs', () => {
  it('are due since the hour began, and since 02:00 UTC', () => {
    const [hourly, nightly] = plannedRuns(Date.UTC(2027, 1, 14, 2, 20));
    expect(hourly.dueSinceMs).toBe(Date.UTC(2027, 1, 14, 2));
    expect(nightly.dueSinceMs).toBe(Date.UTC(2027, 1, 14, 2));
    expect(plannedRuns(Date.UTC(2027, 1, 14, 1, 59))[1].dueSinceMs).toBe(Date.UTC(2027, 1, 13, 2));
  });

  it('look back 48 hours and ten days', () => {
    const nowMs = Date.UTC(2027, 1, 14, 2, 20);
    const [hourly, nightly] = plannedRuns(nowMs);
    expect([nowMs - hourly.fromMs, nowMs - nightly.fromMs]).toEqual([48 * HOUR_MS, 10 * DAY_MS]);
    expect(hourly.toMs).toBeLessThan(nowMs);
  });
});

describe('a run', () => {
  const nowMs = Date.UTC(2027, 1, 14, 2, 20);
  const [hourly, nightly] = plannedRuns(nowMs);
  const hoursAgo = (hours: number) => nowMs - hours * HOUR_MS;
  const none = { toMs: null, leftFromMs: null, lateFromMs: null };
  const last = { ...none, toMs: hoursAgo(1) };

  it.each([
    ['of its whole window, as the first one', hourly, none, hoursAgo(48)],
    ['with what the last one may have been shown too late', hourly, last, hoursAgo(3)],
    ['with what the last one left', hourly, { ...last, leftFromMs: hoursAgo(20) }, hoursAgo(20)],
    ['within its window', hourly, { ...last, leftFromMs: hoursAgo(60) }, hoursAgo(48)],
    ['with what was recorded late', hourly, { ...last, lateFromMs: hoursAgo(9) }, hoursAgo(9)],
    [
      'before the last one’s end after an outage',
      hourly,
      { ...none, toMs: hoursAgo(70) },
      hoursAgo(72),
    ],
    ['of its whole window, at night', nightly, last, hoursAgo(240)],
    ['where the last night’s one ended', nightly, { ...none, toMs: hoursAgo(300) }, hoursAgo(300)],
  ])('begins %s', (_, planned, before, fromMs) => {
    expect(beginningOf(planned, before)).toBe(fromMs);
  });

  it.each([
    ['asked', hoursAgo(1)],
    ['hourly', hoursAgo(48)],
    ['nightly', 0],
    ['clock', 0],
  ] as const)('for the reason %s asks for the holds since then', (cause, fromMs) => {
    expect(holdsFromMs({ cause, fromMs: hoursAgo(1), toMs: nowMs })).toBe(fromMs);
  });
});

describe('a span that is asked for', () => {
  it.each([
    [1, []],
    [31 * DAY_MS, []],
    [31 * DAY_MS + 1, ['from', 'to']],
    [0, ['to']],
    [-1, ['to']],
  ])('of %i ms has these faulty fields: %j', (length, fields) => {
    const issues = spanIssues({ fromMs: AT_MS, toMs: AT_MS + length });
    expect(issues.map(({ field }) => field)).toEqual(fields);
  });
});

describe('comparing', () => {
  const nowMs = AT_MS;
  const idle = { hasLateRun: false, comparedAtMs: null, firstMovementAtMs: null, nowMs };

  it.each([
    ['there is nothing to compare', idle, false],
    ['the first movement is young', { ...idle, firstMovementAtMs: nowMs - HOUR_MS }, false],
    ['movements wait', { ...idle, firstMovementAtMs: nowMs - 4 * HOUR_MS }, true],
    ['all was compared', { ...idle, firstMovementAtMs: 1, comparedAtMs: nowMs - HOUR_MS }, false],
    ['a run does not end', { ...idle, comparedAtMs: nowMs, hasLateRun: true }, true],
  ])('where %s: late is %j', (_, comparing, late) => {
    expect(isLate(comparing)).toBe(late);
  });
});

describe('a movement that differs', () => {
  const differing = (movement: Partial<GatewayMovement>, charge: OurCharge) =>
    differenceOf(movementOf(movement), charge);

  it('was taken there, and not here', () => {
    const declined = chargeOf([], { status: 'Declined' });
    expect(differing({}, declined)).toMatchObject({
      kind: 'state_differs',
      subject: 'pi_1',
      ours: { status: 'Declined', amountMinor: 10_000, id: '2' },
      theirs: { status: 'taken', amountMinor: 10_000, id: 'pi_1' },
    });
  });

  it('has another amount or another currency', () => {
    const charge = chargeOf([rowOf()]);
    expect(differing({ amountMinor: 9_999 }, charge).kind).toBe('amount_differs');
    expect(differing({ currency: 'NZD' }, charge).kind).toBe('amount_differs');
  });

  it('is a second payment of the same transaction', () => {
    expect(differing({ subject: 'pi_2', payment: 'pi_2' }, chargeOf([rowOf()]))).toMatchObject({
      kind: 'missing_here',
      subject: 'pi_2',
    });
  });

  it('is a refund that is not here, has another amount, or failed here', () => {
    const refund = { kind: 'refund', subject: 're_1', amountMinor: -2_500 } as const;
    expect(differing(refund, chargeOf([rowOf()]))).toMatchObject({
      kind: 'missing_here',
      ours: null,
    });
    const other = chargeOf([rowOf()], { refund: { amountMinor: 2_000 } });
    expect(differing(refund, other).kind).toBe('amount_differs');
    const failed = chargeOf([rowOf()], { refund: { status: 'Failed' } });
    expect(differing(refund, failed)).toMatchObject({
      kind: 'state_differs',
      ours: { status: 'Failed', amountMinor: -2_500, id: '3' },
    });
  });

  it('is a dispute that is not here, has another amount, or has its funds elsewhere', () => {
    const dispute = { kind: 'dispute', subject: 'dp_1', amountMinor: -10_000 } as const;
    expect(differing(dispute, chargeOf([rowOf()]))).toMatchObject({ kind: 'missing_here' });
    const smaller = chargeOf([rowOf(), { ...disputeRow, amountMinor: -500 }]);
    expect(differing(dispute, smaller).kind).toBe('amount_differs');
    const known = chargeOf([rowOf(), disputeRow]);
    const back = { ...dispute, kind: 'dispute_reversal', amountMinor: 10_000 } as const;
    expect(differing(back, known)).toMatchObject({ kind: 'state_differs' });
  });

  it('has a subject of its own, so that a refund and its failure are two', () => {
    const subjects = (['refund', 'refund_failure', 'dispute', 'dispute_reversal'] as const).map(
      (kind) => subjectOf({ kind, subject: 'it' }),
    );
    expect(new Set(subjects).size).toBe(3);
    expect(unknownPayment(movementOf({ kind: 'refund', subject: 're_9' })).subject).toBe('re_9');
  });

  it('waits while our own outcome is not known', () => {
    const refund = movementOf({ kind: 'refund', subject: 're_1', amountMinor: -2_500 });
    const processing = { status: 'Processing', gatewayReference: null } as const;
    expect(isUnderWay(movementOf(), chargeOf([], { status: 'Processing' }))).toBe(true);
    expect(isUnderWay(movementOf(), chargeOf([], { status: 'Failed' }))).toBe(false);
    expect(isUnderWay(refund, chargeOf([rowOf()], { refund: processing }))).toBe(true);
    expect(isUnderWay(refund, chargeOf([rowOf()], { refund: {} }))).toBe(false);
    expect(isUnderWay(movementOf(), undefined)).toBe(false);
  });
});

describe('our rows at the acquirer', () => {
  const noDisputes = new Map();
  const differencesOf = (rows: readonly MovementRow[], payment: PaymentRecord | null) =>
    confirm(chargeOf(rows), { payment, disputes: noDisputes }).differences.map(({ kind }) => kind);

  it('are confirmed by what they come to, corrections and failed refunds included', () => {
    const correction = rowOf({ sequence: 2, kind: 'correction', amountMinor: -4_000 });
    const refund = { ...refundRow, sequence: 3 };
    const reversal = { ...refundRow, sequence: 4, kind: 'reversal' as const, amountMinor: 2_500 };
    const rows = [rowOf(), correction, refund, reversal];
    expect(takenOf(rows)).toBe(6_000);
    const failed = {
      id: 're_1',
      status: 'failed' as const,
      idempotencyKey: null,
      amountMinor: 2_500,
      atMs: AT_MS,
      reason: 'closed',
      moved: true,
    };
    const payment = paymentOf({ takenMinor: 6_000, refunds: [failed] });
    const { confirmed, differences } = confirm(chargeOf(rows), { payment, disputes: noDisputes });
    expect([confirmed.length, differences]).toEqual([4, []]);
  });

  it('differ where the acquirer has no such payment, another state or another amount', () => {
    expect(differencesOf([rowOf()], null)).toEqual(['missing_there']);
    expect(differencesOf([rowOf()], paymentOf({ status: 'failed' }))).toEqual(['state_differs']);
    expect(differencesOf([rowOf()], paymentOf({ takenMinor: 1 }))).toEqual(['amount_differs']);
    expect(differencesOf([rowOf()], paymentOf({ currency: 'NZD' }))).toEqual(['amount_differs']);
  });

  it('differ in a refund without the charge that it is of', () => {
    expect(differencesOf([rowOf(), refundRow], paymentOf())).toEqual(['missing_there']);
  });

  it('differ in a dispute that the acquirer does not have, or whose funds are elsewhere', () => {
    const rows = [rowOf(), disputeRow];
    expect(differencesOf(rows, paymentOf())).toEqual(['missing_there']);
    const dispute = {
      id: 'dp_1',
      status: 'won' as const,
      reason: 'general',
      currency: 'AUD',
      amountMinor: 10_000,
      feeMinor: 0,
      movements: [
        { amountMinor: -10_000, atMs: AT_MS },
        { amountMinor: 10_000, atMs: AT_MS },
      ],
      openedAtMs: AT_MS,
      respondByMs: null,
      closedAtMs: AT_MS,
    };
    const about = { propertyId: 'demo', bookingReference: 'RES-1', reference: 'own' };
    const disputes = new Map([
      ['dp_1', { kind: 'dispute' as const, dispute, about, payment: 'pay-1' }],
    ]);
    const { differences } = confirm(chargeOf(rows), { payment: paymentOf(), disputes });
    expect(differences.map(({ kind }) => kind)).toEqual(['amount_differs']);
  });
});
