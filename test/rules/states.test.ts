import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { CertainOutcome } from '../../src/gateways/gateway.ts';
import { approval, rejection } from '../../src/gateways/rules/outcome.ts';
import { underWay } from '../../src/money/payments/rules/cases.ts';
import { priceCapture } from '../../src/money/payments/rules/decideCapture.ts';
import { cancellation, fire, mayHaveBeenCharged } from '../../src/money/payments/rules/firing.ts';
import { cardToTryNext, otherCardOf } from '../../src/money/payments/rules.ts';
import {
  outcomeChange as changeOfOperation,
  type TransactionChange,
} from '../../src/money/payments/states.ts';
import { grossUp } from '../../src/money/pricing/fees.ts';
import type { BookingState } from '../../src/records/bookings/rules.ts';
import type { PendingOperation, TransactionRow } from '../../src/schema/moneyTables.ts';
import { bookedRow, brokenRules, cardRow, propertyRow, SETTLED, transactionRow } from './rows.ts';

/** What an outcome changes of a row in `Processing`. */
function outcomeChange(
  state: BookingState,
  row: TransactionRow,
  outcome: CertainOutcome,
  nowMs: number,
): TransactionChange {
  return changeOfOperation(state, underWay(row), outcome, nowMs);
}

const HOUR_MS = 3_600_000;
const FIRST_MS = Date.UTC(2026, 9, 1, 12);
const NOW_MS = FIRST_MS + 1_234;
const EXPIRES_MS = FIRST_MS + 5 * 24 * HOUR_MS;

const visa = cardRow('visa-card');
const amex = cardRow('amex-card', { brand: 'amex' });
const old = cardRow('old-card', { expiryMonth: 9, expiryYear: 2026 });

/** A booking that uses the Visa, cancelled or not, at a property that keeps schedules then or not. */
function booked(status: 'booked' | 'cancelled' = 'booked', keeps = false): BookingState {
  return {
    property: propertyRow({ keepSchedulesOnCancellation: keeps }),
    booking: bookedRow({
      status,
      cardToken: 'visa-card',
      pendingCancelledVersion: status === 'cancelled' && !keeps ? 2 : null,
    }),
    cards: [amex, visa],
  };
}

/** The columns that count the attempts. */
function countOf(attempts: number) {
  return { attempts, gatewayKey: `${transactionRow().reference}-${attempts}` };
}

/** A schedule whose attempt is pending. */
function attempted(attempts: number, changes: Partial<TransactionRow> = {}): TransactionRow {
  return transactionRow({
    kind: 'schedule',
    scheduledTime: '2026-10-01T12:00:00Z',
    scheduledAtMs: FIRST_MS,
    firstAttemptAtMs: FIRST_MS,
    ...countOf(attempts),
    idempotencyKey: null,
    ...changes,
  });
}

/** A hold of 154.64 (150.00 at 3 %) with a pending operation. */
function holding(
  pendingOperation: PendingOperation,
  changes: Partial<TransactionRow> = {},
): TransactionRow {
  return transactionRow({
    kind: 'authorization',
    pendingOperation,
    cardFeeMinor: 464,
    amountMinor: 15_464,
    feeBasisPoints: 300,
    gatewayReference: pendingOperation === 'authorize' ? null : 'g-hold',
    expiryTime: '2026-10-06T12:00:00Z',
    expiresAtMs: EXPIRES_MS,
    ...changes,
  });
}

/** A hold that expired this long ago. */
function endedBefore(milliseconds: number): Partial<TransactionRow> {
  return { expiresAtMs: NOW_MS - milliseconds };
}

/** Half of the hold is being charged: 75.00 at 3 % is 77.32. */
const captured = { captureRequestedMinor: 7_500, captureAmountMinor: 7_732 };

const outcomes = {
  approved: approval('g-new'),
  'softly declined': { kind: 'declined', declineCode: 'insufficient_funds', retryable: true },
  'hard declined': { kind: 'declined', declineCode: 'lost_card', retryable: false },
  rejected: rejection('not valid'),
} as const satisfies Record<string, CertainOutcome>;
type OutcomeName = keyof typeof outcomes;

const soft = { declineCode: 'insufficient_funds', declineRetryable: true } as const;
const hard = { declineCode: 'lost_card', declineRetryable: false } as const;
const final = { ...SETTLED, completedAtMs: NOW_MS, learntAtMs: NOW_MS } as const;
const accepted = { ...final, status: 'Accepted', gatewayReference: 'g-new' } as const;
const failed = { ...final, status: 'Failed' } as const;
const heldAgain = { ...SETTLED, status: 'Authorized', dueAtMs: EXPIRES_MS } as const;

/** A transaction with a pending operation, and exactly the columns that each outcome changes. */
interface WithOutcomes {
  readonly row: TransactionRow;
  readonly changes: Record<OutcomeName, TransactionChange>;
}

function chargeEnds(row: TransactionRow): WithOutcomes {
  return {
    row,
    changes: {
      approved: accepted,
      'softly declined': { ...final, status: 'Declined', ...soft },
      'hard declined': { ...final, status: 'Declined', ...hard },
      rejected: failed,
    },
  };
}

function chargeComesBack(row: TransactionRow, dueAtMs: number): WithOutcomes {
  const again = { ...SETTLED, status: 'Pending', dueAtMs, ...soft } as const;
  return { row, changes: { ...chargeEnds(row).changes, 'softly declined': again } };
}

function holdStays(
  row: TransactionRow,
  approved: TransactionChange,
  otherwise: TransactionChange,
): WithOutcomes {
  const rest = {
    'softly declined': otherwise,
    'hard declined': otherwise,
    rejected: otherwise,
  };
  return { row, changes: { approved, ...rest } };
}

const askedAgain = { ...SETTLED, status: 'Authorized', dueAtMs: NOW_MS + HOUR_MS } as const;
const expired = { ...final, status: 'Expired' } as const;

const table: Record<string, WithOutcomes> = {
  // A charge is never retried, whatever first attempt its row has.
  'a charge': chargeEnds(transactionRow({ firstAttemptAtMs: FIRST_MS })),
  'a schedule’s first attempt': chargeComesBack(attempted(1), FIRST_MS + HOUR_MS),
  'a schedule’s second attempt': chargeComesBack(attempted(2), FIRST_MS + 24 * HOUR_MS),
  'a schedule’s third attempt': chargeComesBack(attempted(3), FIRST_MS + 72 * HOUR_MS),
  'a schedule’s fourth attempt': chargeEnds(attempted(4)),
  'an authorization': {
    row: holding('authorize'),
    changes: {
      ...chargeEnds(holding('authorize')).changes,
      approved: {
        ...SETTLED,
        status: 'Authorized',
        gatewayReference: 'g-new',
        expiresAtMs: EXPIRES_MS,
        dueAtMs: EXPIRES_MS,
      },
    },
  },
  'a capture of a part': holdStays(
    holding('capture', captured),
    {
      ...accepted,
      requestedMinor: 7_500,
      amountMinor: 7_732,
      transactionFeeMinor: 0,
      cardFeeMinor: 232,
    },
    heldAgain,
  ),
  'a release': holdStays(holding('release'), { ...final, status: 'Released' }, heldAgain),
  'an expiry': holdStays(holding('expire', endedBefore(0)), expired, askedAgain),
  'the last expiry but one': holdStays(
    holding('expire', endedBefore(4 * HOUR_MS - 1)),
    expired,
    askedAgain,
  ),
  'the last expiry': holdStays(holding('expire', endedBefore(4 * HOUR_MS)), expired, expired),
};

const cases = Object.entries(table).flatMap(([subject, { row, changes }]) =>
  Object.entries(outcomes).map(([name, outcome]) => ({
    subject,
    name,
    row,
    outcome,
    change: changes[name as OutcomeName],
  })),
);

describe('the card that a schedule was made on', () => {
  const waiting = (changes: Partial<TransactionRow>) =>
    attempted(1, { status: 'Pending', cardNamed: false, ...changes });

  test('stays known when another card is tried, again and again', () => {
    const made = waiting({ cardToken: 'old-card', otherCard: null });
    const otherCard = otherCardOf(made, visa);
    expect(otherCard).toBe('old-card');
    const refused = waiting({ cardToken: 'visa-card', otherCard });
    expect(otherCardOf(refused, amex)).toBe('old-card');
    expect(otherCardOf(refused, old)).toBeNull();
  });

  test('is tried next only if it may be charged', () => {
    const state = { ...booked(), cards: [amex, visa, old] };
    const tried = (otherCard: string | null) => waiting({ cardToken: 'visa-card', otherCard });
    expect(cardToTryNext(state, tried('amex-card'), NOW_MS)).toBe('amex-card');
    expect(cardToTryNext(state, tried('old-card'), NOW_MS)).toBeNull();
    expect(cardToTryNext(state, tried('visa-card'), NOW_MS)).toBeNull();
    expect(cardToTryNext(state, tried(null), NOW_MS)).toBeNull();
  });
});

describe('a certain outcome', () => {
  test.each(cases)('of $subject that was $name changes these columns', (given) => {
    const { row, outcome, change } = given;
    expect(outcomeChange(booked(), row, outcome, NOW_MS)).toStrictEqual(change);
  });

  test.each(cases)('of $subject that was $name leaves a row that breaks no rule', (given) => {
    const { row, outcome } = given;
    expect(brokenRules(row)).toEqual([]);
    const after = { ...row, ...outcomeChange(booked(), row, outcome, NOW_MS) };
    expect(brokenRules(after)).toEqual([]);
  });

  test('is a bug when no operation is pending', () => {
    const idle = transactionRow({ status: 'Accepted', pendingOperation: null });
    expect(() => outcomeChange(booked(), idle, outcomes.approved, NOW_MS)).toThrow(
      'no operation is under way',
    );
  });

  test('is a bug when a hold has no end', () => {
    expect(() => underWay(holding('authorize', { expiresAtMs: null }))).toThrow('has no end');
  });

  test('is a bug when its kind, or that of the pending operation, is unknown', () => {
    const refund = {
      ...holding('release'),
      pendingOperation: 'refund',
    } as unknown as TransactionRow;
    expect(() => outcomeChange(booked(), refund, outcomes.approved, NOW_MS)).toThrow(
      'closed union',
    );
    const maybe = { kind: 'maybe' } as unknown as CertainOutcome;
    expect(() => outcomeChange(booked(), transactionRow(), maybe, NOW_MS)).toThrow('closed union');
  });
});

describe('a softly declined schedule', () => {
  const instants = fc.nat(4e12);

  test.each([
    [1, 1],
    [2, 24],
    [3, 72],
  ])(
    'is tried again, after attempt %i, %i h after the first, however long an answer took',
    (attempts, hours) => {
      fc.assert(
        fc.property(instants, fc.nat(400 * HOUR_MS), (firstAttemptAtMs, tookMs) => {
          const row = attempted(attempts, { firstAttemptAtMs });
          const nowMs = firstAttemptAtMs + tookMs;
          expect(outcomeChange(booked(), row, outcomes['softly declined'], nowMs)).toMatchObject({
            status: 'Pending',
            dueAtMs: firstAttemptAtMs + hours * HOUR_MS,
          });
        }),
      );
    },
  );

  test('ends Declined after the fourth attempt, and after any that comes later', () => {
    fc.assert(
      fc.property(fc.integer({ min: 4, max: 1_000 }), (attempts) => {
        const change = outcomeChange(
          booked(),
          attempted(attempts),
          outcomes['softly declined'],
          NOW_MS,
        );
        expect(change).toMatchObject({ status: 'Declined', dueAtMs: null });
      }),
    );
  });
});

describe('an authorization that was approved', () => {
  test('ends when the gateway ends it, if that is before the requested time', () => {
    fc.assert(
      fc.property(fc.nat(4e12), fc.integer({ min: -9e8, max: 9e8 }), (expiresAtMs, laterMs) => {
        const row = holding('authorize', { expiresAtMs });
        const outcome = { ...outcomes.approved, lapsesAtMs: expiresAtMs + laterMs };
        const endMs = laterMs < 0 ? expiresAtMs + laterMs : expiresAtMs;
        expect(outcomeChange(booked(), row, outcome, NOW_MS)).toMatchObject({
          status: 'Authorized',
          expiresAtMs: endMs,
          dueAtMs: endMs,
        });
      }),
    );
  });

  test.each([
    ['booked', false, EXPIRES_MS],
    ['booked', true, EXPIRES_MS],
    ['cancelled', true, EXPIRES_MS],
    ['cancelled', false, NOW_MS],
  ] as const)(
    'on a booking that is %s (schedules kept: %s) is due at %i',
    (status, keeps, dueAtMs) => {
      const change = outcomeChange(
        booked(status, keeps),
        holding('authorize'),
        outcomes.approved,
        NOW_MS,
      );
      expect(change).toMatchObject({ status: 'Authorized', expiresAtMs: EXPIRES_MS, dueAtMs });
    },
  );
});

describe('a release that was not made', () => {
  test('of a cancelled booking is retried at the end of the hold at the latest', () => {
    const row = holding('release', { expiresAtMs: NOW_MS + 1_000 });
    const change = outcomeChange(booked('cancelled', false), row, outcomes.rejected, NOW_MS);
    expect(change).toMatchObject({ status: 'Authorized', dueAtMs: NOW_MS + 1_000 });
  });

  test.each([
    ['booked', false, EXPIRES_MS],
    ['cancelled', true, EXPIRES_MS],
    ['cancelled', false, NOW_MS + HOUR_MS],
  ] as const)(
    'of a booking that is %s (kept: %s) leaves the hold due at %i',
    (status, keep, dueAtMs) => {
      const change = outcomeChange(
        booked(status, keep),
        holding('release'),
        outcomes.rejected,
        NOW_MS,
      );
      expect(change).toMatchObject({ status: 'Authorized', dueAtMs });
    },
  );
});

describe('a capture that was not made', () => {
  test.each([
    ['booked', false, EXPIRES_MS],
    ['cancelled', true, EXPIRES_MS],
    ['cancelled', false, NOW_MS],
  ] as const)(
    'of a booking that is %s (kept: %s) leaves the hold due at %i',
    (status, keep, dueAtMs) => {
      const state = booked(status, keep);
      const row = holding('capture', captured);
      for (const outcome of [outcomes.rejected, outcomes['hard declined']]) {
        const change = outcomeChange(state, row, outcome, NOW_MS);
        expect(change).toMatchObject({ status: 'Authorized', dueAtMs });
      }
    },
  );
});

describe('a capture that was approved', () => {
  test('charges its price: the requested amount and the fees', () => {
    const holds = fc.record({
      rate: fc.nat(5_000),
      fixed: fc.nat(10_000),
      requested: fc.integer({ min: 1, max: 99_999_999_999 }),
      share: fc.double({ min: 0, max: 1, noNaN: true }),
    });
    fc.assert(
      fc.property(holds, ({ rate, fixed, requested, share }) => {
        const terms = { cardFeeBasisPoints: rate, transactionFeeMinor: fixed };
        const held = holding('capture', { ...grossUp(requested, terms), feeBasisPoints: rate });
        const part = Math.max(1, Math.round(requested * share));
        const priced = priceCapture(propertyRow(), visa, { ...held, status: 'Authorized' }, part, {
          atMs: NOW_MS,
          stepMinor: 1,
        });
        if (!priced.ok) throw new Error(priced.error.code);
        const { requestedMinor: captureRequestedMinor, amountMinor: captureAmountMinor } =
          priced.value;
        const row = { ...held, captureRequestedMinor, captureAmountMinor };
        const after = { ...row, ...outcomeChange(booked(), row, outcomes.approved, NOW_MS) };
        expect(after).toMatchObject({ ...priced.value, status: 'Accepted' });
        expect(brokenRules(after)).toEqual([]);
      }),
    );
  });

  test('charges the whole hold when the row has no other amount', () => {
    const change = outcomeChange(booked(), holding('capture'), outcomes.approved, NOW_MS);
    expect(change).toMatchObject({
      requestedMinor: 15_000,
      amountMinor: 15_464,
      cardFeeMinor: 464,
    });
  });

  test.each([
    ['so small that no fee is left', 1, { cardFeeMinor: 464, feeBasisPoints: 300 }],
    ['without the fees that a law took away', 7_500, { cardFeeMinor: 0, feeBasisPoints: 0 }],
  ])('has the fees of what the gateway took instead: a part %s', (_, part, fees) => {
    const row = holding('capture', { captureRequestedMinor: part, captureAmountMinor: part });
    const outcome = { ...outcomes.approved, amountMinor: 15_464 };
    const change = outcomeChange(booked(), row, outcome, NOW_MS);
    expect({ ...row, ...change }).toMatchObject({ amountMinor: 15_464, ...fees });
  });

  test('keeps the reference of the hold when the gateway gives no other, so that it can be refunded', () => {
    const outcome = { ...outcomes.approved, gatewayReference: null };
    const change = outcomeChange(booked(), holding('capture', captured), outcome, NOW_MS);
    expect(change.gatewayReference).toBe('g-hold');
  });
});

/** A schedule that is due now. */
function due(changes: Partial<TransactionRow> = {}): TransactionRow {
  return transactionRow({
    ...SETTLED,
    kind: 'schedule',
    status: 'Pending',
    scheduledTime: '2026-10-01T12:00:00Z',
    scheduledAtMs: FIRST_MS,
    gatewayKey: null,
    attempts: 0,
    askedAtMs: null,
    dueAtMs: FIRST_MS,
    ...changes,
  });
}

const named = due({ cardToken: 'amex-card', cardNamed: true });
const noCard = { ...booked(), booking: bookedRow({ cardToken: null }) };
const ends = { kind: 'end', why: expect.stringMatching(/\w/) } as const;
const firingEnds = {
  cancelled: { ...ends, change: { ...final, status: 'Cancelled' } },
  failed: { ...ends, change: failed },
} as const;

describe('a schedule that is due', () => {
  test('charges the card that the booking uses now, whichever it was scheduled on', () => {
    const row = due({ cardToken: 'amex-card' });
    expect(fire(booked(), row, amex, NOW_MS)).toStrictEqual({ kind: 'charge', card: visa });
  });

  test('charges the card that was named, whichever the booking uses now', () => {
    expect(fire(booked(), named, amex, NOW_MS)).toStrictEqual({ kind: 'charge', card: amex });
  });

  test('fails when the booking uses no card any more, though another is attached', () => {
    expect(fire(noCard, due(), visa, NOW_MS)).toStrictEqual(firingEnds.failed);
  });

  test('fails when the card that was named is gone, though the booking uses another', () => {
    expect(fire(booked(), named, null, NOW_MS)).toStrictEqual(firingEnds.failed);
  });

  test('fails when the guest of another booking has removed the card that was named', () => {
    const removed = { ...amex, removedAtMs: 1 };
    expect(fire(booked(), named, removed, NOW_MS)).toStrictEqual(firingEnds.failed);
  });

  test('charges a named card of a booking that uses none', () => {
    expect(fire(noCard, named, amex, NOW_MS)).toStrictEqual({ kind: 'charge', card: amex });
  });

  test('asks the acquirer although the card has expired by its date: issuers renew cards in place', () => {
    const row = due({ cardToken: 'old-card', cardNamed: true });
    expect(fire(booked(), row, old, NOW_MS)).toStrictEqual({ kind: 'charge', card: old });
    const booking = bookedRow({ cardToken: 'old-card' });
    const state = { ...booked(), booking, cards: [visa, old] };
    expect(fire(state, due(), visa, NOW_MS)).toStrictEqual({ kind: 'charge', card: old });
  });

  test('ends if it was made before the booking was cancelled, though the booking is booked again', () => {
    const rebooked = (pendingCancelledVersion: number) => ({
      ...booked(),
      booking: bookedRow({ cardToken: 'visa-card', pendingCancelledVersion }),
    });
    const { bookingVersion } = due();
    const ended = fire(rebooked(bookingVersion + 1), due(), null, NOW_MS);
    expect(ended).toStrictEqual(firingEnds.cancelled);
    expect(fire(rebooked(bookingVersion), due(), null, NOW_MS).kind).toBe('charge');
  });

  test('is charged until exactly 72 h after it was due, and fails later', () => {
    fc.assert(
      fc.property(fc.nat(72 * HOUR_MS), fc.nat(9e9), (lateMs, laterMs) => {
        expect(fire(booked(), due(), null, FIRST_MS + lateMs).kind).toBe('charge');
        const late = fire(booked(), due(), null, FIRST_MS + 72 * HOUR_MS + 1 + laterMs);
        expect(late).toMatchObject({ kind: 'end', change: { status: 'Failed' } });
      }),
    );
    expect(fire(booked(), due(), null, FIRST_MS + 72 * HOUR_MS).kind).toBe('charge');
    expect(fire(booked(), due(), null, FIRST_MS + 72 * HOUR_MS + 1).kind).toBe('end');
  });

  test('is just as late after a postponement', () => {
    const row = due({ dueAtMs: FIRST_MS + 200 * HOUR_MS });
    expect(fire(booked(), row, null, FIRST_MS + 201 * HOUR_MS).kind).toBe('end');
  });

  test.each([
    [1, 1],
    [2, 24],
    [3, 72],
  ])('again, after attempt %i, counts from when that was due: %i h on', (attempts, hours) => {
    const dueAtMs = FIRST_MS + hours * HOUR_MS;
    const row = due({ attempts, firstAttemptAtMs: FIRST_MS, scheduledAtMs: 0, dueAtMs });
    expect(fire(booked(), row, null, dueAtMs + 72 * HOUR_MS).kind).toBe('charge');
    expect(fire(booked(), row, null, dueAtMs + 72 * HOUR_MS + 1).kind).toBe('end');
  });

  test('is cancelled with its booking, also when it is overdue or has no card', () => {
    const cancelled = booked('cancelled');
    expect(fire(cancelled, due(), null, NOW_MS)).toStrictEqual(firingEnds.cancelled);
    expect(fire(cancelled, named, null, NOW_MS)).toStrictEqual(firingEnds.cancelled);
    expect(fire(cancelled, due(), null, FIRST_MS + 999 * HOUR_MS)).toMatchObject({
      change: { status: 'Cancelled' },
    });
  });

  test('is charged though its booking was cancelled, where the property keeps schedules', () => {
    const firing = fire(booked('cancelled', true), due(), null, NOW_MS);
    expect(firing).toStrictEqual({ kind: 'charge', card: visa });
  });

  test('that is overdue fails, whatever its card is', () => {
    const row = due({ cardToken: 'old-card', cardNamed: true });
    const firing = fire(booked(), row, old, FIRST_MS + 73 * HOUR_MS);
    expect(firing).toMatchObject({ change: { status: 'Failed' } });
  });
});

describe('a schedule that fires', () => {
  const TWO_MINUTES_MS = 120_000;

  test('for the first time was not charged before, as long as it is late by two minutes at most', () => {
    fc.assert(
      fc.property(fc.nat(TWO_MINUTES_MS), fc.nat(9e9), (lateMs, laterMs) => {
        expect(mayHaveBeenCharged(due(), FIRST_MS + lateMs)).toBe(false);
        expect(mayHaveBeenCharged(due(), FIRST_MS + TWO_MINUTES_MS + 1 + laterMs)).toBe(true);
      }),
    );
    expect(mayHaveBeenCharged(due(), FIRST_MS + TWO_MINUTES_MS)).toBe(false);
    expect(mayHaveBeenCharged(due(), FIRST_MS + TWO_MINUTES_MS + 1)).toBe(true);
  });

  test('may have been charged when it is late, though it was put off until now', () => {
    const nowMs = FIRST_MS + HOUR_MS;
    expect(mayHaveBeenCharged(due({ dueAtMs: nowMs }), nowMs)).toBe(true);
  });

  test.each([
    [1, 1],
    [2, 24],
    [3, 72],
  ])('again, after attempt %i, may have been charged, though it is in time', (attempts, hours) => {
    const nowMs = FIRST_MS + hours * HOUR_MS;
    const row = due({ attempts, firstAttemptAtMs: FIRST_MS, dueAtMs: nowMs });
    expect(mayHaveBeenCharged(row, nowMs)).toBe(true);
  });
});

describe('a cancellation', () => {
  test('leaves nothing due and says why', () => {
    expect(cancellation(NOW_MS, 'cancelled by request')).toStrictEqual({
      kind: 'end',
      change: { ...final, status: 'Cancelled' },
      why: 'cancelled by request',
    });
  });
});

/**
 * The state diagram of transactions (interface: The transaction object), with the pending operation after `Processing`.
 * The diagram names only the ends of a hold (`Released`, `Expired`); the service asks the gateway first. The ends of a
 * schedule without an attempt (no card, an expired one, overdue) lead straight from `Pending`.
 */
const diagram: Record<TransactionRow['kind'], Record<string, readonly string[]>> = {
  charge: {
    'Processing charge': ['Accepted', 'Declined', 'Failed'],
  },
  schedule: {
    Pending: ['Processing charge', 'Cancelled', 'Declined', 'Failed'],
    'Processing charge': ['Accepted', 'Declined', 'Failed', 'Pending', 'Cancelled'],
  },
  authorization: {
    'Processing authorize': ['Authorized', 'Declined', 'Failed', 'Released'],
    Authorized: ['Processing capture', 'Processing release', 'Processing expire'],
    'Processing capture': ['Accepted', 'Authorized'],
    'Processing release': ['Released', 'Authorized'],
    'Processing expire': ['Expired', 'Authorized'],
  },
};

function stateOf(row: TransactionRow): string {
  return row.pendingOperation === null ? row.status : `${row.status} ${row.pendingOperation}`;
}

function expectLegal(before: TransactionRow, after: TransactionRow): void {
  expect(diagram[before.kind][stateOf(before)] ?? []).toContain(stateOf(after));
  expect(brokenRules(after)).toEqual([]);
}

const anyOutcome: fc.Arbitrary<CertainOutcome> = fc.oneof(
  fc.record({
    kind: fc.constant('approved' as const),
    gatewayReference: fc.constantFrom('g-new', null),
    lapsesAtMs: fc.option(fc.nat(4e12)),
    amountMinor: fc.constant(null),
    atMs: fc.constant(null),
    pending: fc.constant(false),
  }),
  fc.record({
    kind: fc.constant('declined' as const),
    declineCode: fc.constantFrom('insufficient_funds', 'lost_card'),
    retryable: fc.boolean(),
  }),
  fc.constant(outcomes.rejected),
);

const anyBooking = fc
  .tuple(fc.constantFrom('booked' as const, 'cancelled' as const), fc.boolean())
  .map(([status, keeps]) => booked(status, keeps));

describe('every change of a transaction’s state', () => {
  const underWay = fc.constantFrom(...Object.values(table).map(({ row }) => row));

  test('that an outcome brings is drawn in the state diagram', () => {
    const attempts = fc.integer({ min: 1, max: 7 });
    fc.assert(
      fc.property(
        anyBooking,
        underWay,
        attempts,
        anyOutcome,
        fc.nat(4e12),
        fc.constantFrom(null, NOW_MS),
        (state, pending, count, outcome, nowMs, unwantedSinceMs) => {
          const row = { ...pending, ...countOf(count), unwantedSinceMs };
          expectLegal(row, { ...row, ...outcomeChange(state, row, outcome, nowMs) });
        },
      ),
      { numRuns: 1_000 },
    );
  });

  test('that firing or cancelling a schedule brings is drawn in the state diagram', () => {
    const rows = fc.constantFrom(due(), named, due({ cardToken: 'old-card', cardNamed: true }));
    const cards = fc.constantFrom(null, visa, old);
    const states = fc.oneof(anyBooking, fc.constant(noCard));
    fc.assert(
      fc.property(states, rows, cards, fc.nat(100 * HOUR_MS), (state, row, card, lateMs) => {
        const nowMs = FIRST_MS + lateMs;
        const firing = fire(state, row, card, nowMs);
        if (firing.kind === 'end') expectLegal(row, { ...row, ...firing.change });
        expectLegal(row, { ...row, ...cancellation(nowMs, 'by request').change });
      }),
    );
  });
});

/** The row once its attempt has started. */
function started(row: TransactionRow, nowMs: number): TransactionRow {
  return {
    ...row,
    status: 'Processing',
    pendingOperation: 'charge',
    ...countOf(row.attempts + 1),
    askedAtMs: nowMs,
    dueAtMs: nowMs + 60_000,
    firstAttemptAtMs: row.firstAttemptAtMs ?? nowMs,
  };
}

describe('the life of a schedule', () => {
  test('has at most four attempts, of which at most the last is approved, and then ends', () => {
    const step = fc.record({ outcome: anyOutcome, lateMs: fc.nat(80 * HOUR_MS) });
    const steps = fc.array(step, { minLength: 5, maxLength: 5 });
    fc.assert(
      fc.property(anyBooking, steps, (state, given) => {
        let row = due();
        const kindsSeen: string[] = [];
        for (const { outcome, lateMs } of given) {
          if (row.status !== 'Pending') break;
          const nowMs = (row.dueAtMs ?? Number.NaN) + lateMs;
          const firing = fire(state, row, visa, nowMs);
          if (firing.kind === 'end') {
            row = { ...row, ...firing.change };
            break;
          }
          kindsSeen.push(outcome.kind);
          const asked = started(row, nowMs);
          row = { ...asked, ...outcomeChange(state, asked, outcome, nowMs + 1_000) };
        }
        expect(kindsSeen.length).toBeLessThanOrEqual(4);
        expect(kindsSeen.slice(0, -1)).not.toContain('approved');
        expect(row.status === 'Accepted').toBe(kindsSeen.at(-1) === 'approved');
        expect(row.status).not.toBe('Pending');
        expect(brokenRules(row)).toEqual([]);
      }),
      { numRuns: 500 },
    );
  });
});
