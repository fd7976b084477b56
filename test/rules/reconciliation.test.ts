import { describe, expect, it } from 'vitest';
import { DAY_MS, HOUR_MS } from '../../src/core/time.ts';
import type { PaymentRecord, RefundRecord } from '../../src/gateways/gateway.ts';
import type { GatewayMovement } from '../../src/gateways/movements.ts';
import {
  confirm,
  differenceOf,
  holdMissingThere,
  isUnderWay,
  type MovementRow,
  type OurCharge,
  subjectOf,
  takenOf,
  unknownOrigin,
  unknownPayment,
} from '../../src/reconciliation/rules/differences.ts';
import {
  beginningByClock,
  beginningOf,
  comparesByClockAtMs,
  holdsFromMs,
  isLate,
  plannedRuns,
  readTo,
  recentSinceMs,
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

function refundOf(changes: Partial<RefundRecord> = {}): RefundRecord {
  return {
    id: 're_1',
    status: 'pending',
    idempotencyKey: null,
    amountMinor: 2_500,
    atMs: AT_MS,
    reason: null,
    moved: true,
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

  it('is told what to send instead', () => {
    const code = 'invalid_value';
    const tooLong = { code, message: 'Use times that are at most 31 days apart.' };
    expect(spanIssues({ fromMs: 0, toMs: 0 })).toEqual([
      { field: 'to', code, message: 'Use a time after `from`.' },
    ]);
    expect(spanIssues({ fromMs: 0, toMs: 32 * DAY_MS })).toEqual([
      { field: 'from', ...tooLong },
      { field: 'to', ...tooLong },
    ]);
  });
});

describe('comparing by a moved clock', () => {
  const nowMs = Date.UTC(2027, 1, 14, 2, 20);

  it.each([
    ['where it ended', nowMs - 11 * DAY_MS, nowMs - 11 * DAY_MS],
    ['as far back as a nightly run, at least', nowMs - HOUR_MS, nowMs - 10 * DAY_MS],
    ['as far back as a nightly run, the first time', null, nowMs - 10 * DAY_MS],
  ])('begins %s', (_, endedLastMs, fromMs) => {
    expect(beginningByClock(endedLastMs, nowMs)).toBe(fromMs);
  });

  it.each([
    [54, 3],
    [55, 3],
    [56, 4],
  ])('at minute %i is next at %i:00', (minute, hour) => {
    const atMs = Date.UTC(2027, 1, 14, 2, minute);
    expect(comparesByClockAtMs(atMs)).toBe(Date.UTC(2027, 1, 14, hour));
  });

  it('leaves the movements of the last five minutes', () => {
    expect(recentSinceMs(nowMs)).toBe(nowMs - 300_000);
    expect(plannedRuns(nowMs).map(({ toMs }) => toMs)).toEqual([nowMs - 300_000, nowMs - 300_000]);
  });
});

describe('how far a run has read', () => {
  it.each([
    [null, []],
    ['["RES-1",7]', ['RES-1', 7]],
  ])('by %j is %j', (cursor, key) => {
    expect(readTo({ cursor })).toEqual(key);
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
    ['the first movement is 3 h old', { ...idle, firstMovementAtMs: nowMs - 3 * HOUR_MS }, false],
    ['it is a moment older', { ...idle, firstMovementAtMs: nowMs - 3 * HOUR_MS - 1 }, true],
  ])('where %s: late is %j', (_, comparing, late) => {
    expect(isLate(comparing)).toBe(late);
  });
});

/** A side as an exception shows it. */
const side = (status: string, amountMinor: number, id: string) => {
  return { status, amountMinor, currency: 'AUD', id, atMs: AT_MS };
};

describe('a movement of a payment that is not here', () => {
  const own = movementOf({ payment: 'ch_1' });

  it('is one exception of its payment, with what the acquirer has', () => {
    expect(unknownPayment(own)).toEqual({
      kind: 'unknown_payment',
      subject: 'ch_1',
      ours: null,
      theirs: side('taken', 10_000, 'pi_1'),
      detail: 'This service did not make this payment.',
    });
    expect(unknownPayment(movementOf({ payment: null })).subject).toBe('pi_1');
  });

  it.each([
    ['refund', 're_1', 'refunded'],
    ['refund_failure', 're_1 refund_failure', 'refund failed'],
    ['dispute', 're_1', 'withdrawn'],
    ['dispute_reversal', 're_1 dispute_reversal', 'returned'],
  ] as const)('as a %s is an exception of its own: %s is %s', (kind, subject, status) => {
    const movement = movementOf({ kind, subject: 're_1' });
    const theirs = side(status, 10_000, 're_1');
    expect(unknownPayment(movement)).toMatchObject({ subject, theirs });
    expect(unknownOrigin(movement)).toMatchObject({ subject, theirs });
  });

  it('although the acquirer names it as one of this service, is missing here', () => {
    expect(unknownOrigin(own)).toEqual({
      kind: 'missing_here',
      subject: 'pi_1',
      ours: null,
      theirs: side('taken', 10_000, 'pi_1'),
      detail: 'The acquirer names a payment of this service that is not here.',
    });
  });
});

describe('a hold that the acquirer does not have', () => {
  const charge = chargeOf([], { status: 'Authorized' });

  it.each([
    ['by its reference there', 'pi_1', 'pi_1'],
    ['by its id here where the acquirer gave it none', null, 'charge 2'],
  ])('is named %s', (_, gatewayReference, subject) => {
    const transaction = { ...charge.transaction, gatewayReference };
    expect(holdMissingThere({ ...charge, transaction })).toEqual({
      kind: 'missing_there',
      subject,
      ours: side('Authorized', 10_000, '2'),
      theirs: null,
      detail: 'The acquirer has no such hold.',
    });
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

  it.each<[string, Partial<GatewayMovement>, OurCharge, object]>([
    [
      'was not accepted here',
      {},
      chargeOf([], { status: 'Declined' }),
      {
        kind: 'state_differs',
        ours: side('Declined', 10_000, '2'),
        detail: 'The acquirer took it; here it is not Accepted.',
      },
    ],
    [
      'is a second payment',
      { subject: 'pi_2' },
      chargeOf([rowOf()]),
      {
        kind: 'missing_here',
        ours: side('Accepted', 10_000, '2'),
        detail: 'The acquirer took a second payment for the same transaction.',
      },
    ],
    [
      'is of a payment without a reference here',
      {},
      chargeOf([rowOf({ gatewayReference: null, amountMinor: 9_000 })]),
      {
        kind: 'amount_differs',
        ours: side('Accepted', 9_000, '2'),
        detail: 'The amounts differ.',
      },
    ],
    [
      'belongs elsewhere',
      {},
      chargeOf([rowOf()]),
      {
        kind: 'state_differs',
        ours: side('Accepted', 10_000, '2'),
        detail: 'Here it belongs to another booking or payment.',
      },
    ],
    [
      'is a refund that is not here',
      { kind: 'refund', subject: 're_9' },
      chargeOf([rowOf()], { refund: {} }),
      { kind: 'missing_here', ours: null, detail: 'This refund is not here.' },
    ],
    [
      'is a failure of a refund that arrived here',
      { kind: 'refund_failure', subject: 're_1', amountMinor: 2_500 },
      chargeOf([rowOf()], { refund: {} }),
      {
        kind: 'state_differs',
        ours: side('Refunded', -2_500, '3'),
        detail: 'Here the refund is Refunded.',
      },
    ],
    [
      'is a dispute that is not here',
      { kind: 'dispute', subject: 'dp_9' },
      chargeOf([rowOf(), disputeRow]),
      { kind: 'missing_here', ours: null, detail: 'This dispute is not here.' },
    ],
    [
      'is of a dispute, whose last row here it is compared with',
      { kind: 'dispute_reversal', subject: 'dp_1', amountMinor: 9_000 },
      chargeOf([
        rowOf(),
        disputeRow,
        { ...disputeRow, kind: 'chargeback_reversal', amountMinor: 9_000 },
      ]),
      {
        kind: 'state_differs',
        ours: side('chargeback_reversal', 9_000, '2'),
        detail: "The dispute's funds are in a different state here.",
      },
    ],
  ])('%s', (_, movement, charge, expected) => {
    expect(differing(movement, charge)).toMatchObject(expected);
  });

  it('shows when a payment without an outcome was made', () => {
    const charge = chargeOf([], { status: 'Processing' });
    const transaction = { ...charge.transaction, completedAtMs: null, createdAtMs: 5 };
    expect(differing({}, { ...charge, transaction }).ours?.atMs).toBe(5);
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
    expect(isUnderWay(refund, undefined)).toBe(false);
    const named = { ...processing, gatewayReference: 're_1' };
    expect(isUnderWay(refund, chargeOf([rowOf()], { refund: named }))).toBe(true);
    const other = { ...processing, gatewayReference: 're_2' };
    expect(isUnderWay(refund, chargeOf([rowOf()], { refund: other }))).toBe(false);
    const failed = { status: 'Failed', gatewayReference: null } as const;
    expect(isUnderWay(refund, chargeOf([rowOf()], { refund: failed }))).toBe(false);
    const dispute = movementOf({ kind: 'dispute', subject: 'dp_1' });
    expect(isUnderWay(dispute, chargeOf([rowOf()], { refund: processing }))).toBe(false);
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
    const failed = refundOf({ status: 'failed', reason: 'closed' });
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
    expect(differencesOf([refundRow], null)).toEqual(['missing_there']);
  });

  it('are compared refund by refund, and dispute by dispute', () => {
    const other = { ...refundRow, refundId: 4, gatewayReference: 're_2' };
    const rows = [rowOf({ kind: 'capture' }), refundRow, other, disputeRow];
    const refunds = [refundOf({ status: 'succeeded' }), refundOf({ id: 're_2', status: 'failed' })];
    const { confirmed, differences } = confirm(chargeOf(rows), {
      payment: paymentOf({ refunds }),
      disputes: noDisputes,
    });
    expect(confirmed).toEqual(rows.slice(0, 2));
    expect(differences.map(({ subject }) => subject)).toEqual(['re_2', 'dp_1']);
  });

  it('without a reference there are named by their charge', () => {
    const rows = [rowOf({ gatewayReference: null })];
    const { differences } = confirm(chargeOf(rows), { payment: null, disputes: noDisputes });
    expect(differences).toMatchObject([
      { subject: 'charge 2', detail: 'The acquirer has no such payment.' },
    ]);
  });

  it('are no charge of another transaction', () => {
    const about = { propertyId: 'demo', bookingReference: 'RES-1', reference: 'other' };
    const { differences } = confirm(chargeOf([rowOf()]), {
      payment: paymentOf({ about }),
      disputes: noDisputes,
    });
    expect(differences).toEqual([
      {
        kind: 'missing_there',
        subject: 'pi_1',
        ours: side('charge', 10_000, '2'),
        theirs: null,
        detail: 'The acquirer took this payment for another transaction.',
      },
    ]);
    const charge = chargeOf([rowOf()]);
    const own = { ...charge, transaction: { ...charge.transaction, reference: 'other' } };
    const payment = paymentOf({ about });
    expect(confirm(own, { payment, disputes: noDisputes }).confirmed).toHaveLength(1);
  });

  const refunded = {
    subject: 're_1',
    ours: side('refund', -2_500, '3'),
  };

  it.each<[string, Partial<PaymentRecord>, readonly object[]]>([
    ['agree', {}, []],
    [
      'differ in the state of the payment',
      { status: 'failed' },
      [
        {
          kind: 'state_differs',
          subject: 'pi_1',
          ours: side('Accepted', 10_000, '2'),
          theirs: side('failed', 10_000, 'pi_1'),
          detail: 'At the acquirer the payment is failed.',
        },
      ],
    ],
    [
      'differ in the amount of a refund',
      { refunds: [refundOf({ amountMinor: 2_000 })] },
      [
        {
          ...refunded,
          kind: 'amount_differs',
          theirs: side('pending', -2_000, 're_1'),
          detail: 'The amounts differ.',
        },
      ],
    ],
    [
      'differ in the state of a refund',
      { refunds: [refundOf({ status: 'failed' })] },
      [
        {
          ...refunded,
          kind: 'state_differs',
          theirs: side('failed', -2_500, 're_1'),
          detail: 'At the acquirer the refund is failed.',
        },
      ],
    ],
    [
      'differ in a refund that is not there',
      { refunds: [] },
      [
        {
          ...refunded,
          kind: 'missing_there',
          theirs: null,
          detail: 'The acquirer has no such refund.',
        },
      ],
    ],
  ])('%s, and show what both have', (_, theirs, differences) => {
    const rows = [rowOf({ gatewayReference: null }), refundRow];
    const payment = paymentOf({ refunds: [refundOf()], ...theirs });
    const found = confirm(chargeOf(rows), { payment, disputes: noDisputes });
    expect(found.differences).toEqual(differences);
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
    const { confirmed, differences } = confirm(chargeOf(rows), { payment: paymentOf(), disputes });
    expect(confirmed).toEqual([rowOf()]);
    expect(differences).toEqual([
      {
        kind: 'amount_differs',
        subject: 'dp_1',
        ours: side('chargeback', -10_000, '2'),
        theirs: side('won', 0, 'dp_1'),
        detail: 'What the dispute withdrew and gave back differs.',
      },
    ]);
    const back = { ...disputeRow, kind: 'chargeback_reversal', amountMinor: 10_000 } as const;
    const both = confirm(chargeOf([...rows, back]), { payment: paymentOf(), disputes });
    expect(both.differences).toEqual([]);
    const inNzd = rows.map((row) => ({ ...row, currency: 'NZD' }));
    const other = confirm(chargeOf([...inNzd, { ...back, currency: 'NZD' }]), {
      payment: paymentOf({ currency: 'NZD' }),
      disputes,
    });
    expect(other.differences.map(({ kind }) => kind)).toEqual(['amount_differs']);
  });
});
