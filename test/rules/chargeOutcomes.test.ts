import { describe, expect, it } from 'vitest';
import type { CertainOutcome } from '../../src/gateways/gateway.ts';
import { approval, rejection, temporaryRejection } from '../../src/gateways/rules/outcome.ts';
import { underWay } from '../../src/money/payments/rules/cases.ts';
import { outcomeChange } from '../../src/money/payments/states.ts';
import type { BookingState } from '../../src/records/bookings/rules.ts';
import type { CardRow } from '../../src/schema/cardTables.ts';
import type { TransactionRow } from '../../src/schema/moneyTables.ts';
import { bookedRow, cardRow, propertyRow, SETTLED, transactionRow } from './rows.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const NOW_MS = Date.UTC(2026, 9, 1, 12);

const SOFT: CertainOutcome = {
  kind: 'declined',
  declineCode: 'insufficient_funds',
  retryable: true,
};
const HARD: CertainOutcome = { kind: 'declined', declineCode: 'lost_card', retryable: false };
const ENDED = { ...SETTLED, completedAtMs: NOW_MS, learntAtMs: NOW_MS } as const;

function stateWith(...cards: readonly CardRow[]): BookingState {
  return { property: propertyRow(), booking: bookedRow({ cardToken: 'visa' }), cards };
}

/** A card of an agency that became active so long ago. */
function virtualCard(token: string, activeForMs: number): CardRow {
  return cardRow(token, {
    virtual: {
      activeFromMs: NOW_MS - activeForMs,
      activeUntilMs: null,
      limitMinor: null,
      channel: null,
      autoCharge: false,
    },
  });
}

function schedule(changes: Partial<TransactionRow> = {}): TransactionRow {
  return transactionRow({
    kind: 'schedule',
    cardToken: 'visa',
    scheduledTime: '2026-10-01T12:00:00Z',
    scheduledAtMs: NOW_MS,
    firstAttemptAtMs: NOW_MS,
    attempts: 1,
    idempotencyKey: null,
    ...changes,
  });
}

const change = (row: TransactionRow, outcome: CertainOutcome, state = stateWith(cardRow('visa'))) =>
  outcomeChange(state, underWay(row), outcome, NOW_MS);

describe('a schedule that nobody wants any more', () => {
  const unwanted = schedule({ unwantedSinceMs: NOW_MS - 1 });

  it.each<[string, CertainOutcome]>([
    ['softly declined', SOFT],
    ['declined', HARD],
    ['rejected', rejection('not valid')],
    ['rejected for a while', temporaryRejection('busy')],
  ])('ends as cancelled where it was %s', (_, outcome) => {
    expect(change(unwanted, outcome)).toEqual({ ...ENDED, status: 'Cancelled' });
  });

  it('was taken where it was approved', () => {
    expect(change(unwanted, approval('pi_1'))).toMatchObject({ status: 'Accepted' });
  });

  it('is declined where it is a charge that was made at once', () => {
    const charge = transactionRow({ cardToken: 'visa', unwantedSinceMs: NOW_MS - 1 });
    expect(change(charge, HARD)).toMatchObject({ status: 'Declined' });
  });
});

describe('a soft decline of a virtual card that has just become active', () => {
  const fresh = stateWith(cardRow('other'), virtualCard('visa', HOUR_MS));
  const again = {
    status: 'Pending',
    dueAtMs: NOW_MS + HOUR_MS,
    attempts: 0,
    firstAttemptAtMs: null,
    declineCode: 'insufficient_funds',
    declineRetryable: true,
  };

  it('does not count: it is tried again an hour later', () => {
    expect(change(schedule(), SOFT, fresh)).toEqual({ ...SETTLED, ...again });
  });

  it('keeps the time of the first attempt that counts', () => {
    const third = change(schedule({ attempts: 3 }), SOFT, fresh);
    expect(third).toMatchObject({ attempts: 2, dueAtMs: NOW_MS + HOUR_MS });
    expect(third).not.toHaveProperty('firstAttemptAtMs');
  });

  it.each<[string, TransactionRow, CertainOutcome, BookingState]>([
    ['a day later', schedule(), SOFT, stateWith(virtualCard('visa', DAY_MS))],
    ['of another card', schedule(), SOFT, stateWith(cardRow('visa'), virtualCard('other', 1))],
    ['where the decline is final', schedule(), HARD, fresh],
    ['where the card is gone', schedule(), SOFT, stateWith()],
  ])('counts %s', (_, row, outcome, state) => {
    expect(change(row, outcome, state)).not.toHaveProperty('attempts');
  });

  it('ends a charge that was made at once', () => {
    const charge = transactionRow({ cardToken: 'visa' });
    expect(change(charge, SOFT, fresh)).toMatchObject({ status: 'Declined' });
  });
});

describe('a final decline of a schedule', () => {
  const before = schedule({ otherCard: 'before' });

  it('tries the card that the booking used before, at once', () => {
    const state = stateWith(cardRow('visa'), cardRow('before'));
    expect(change(before, HARD, state)).toEqual({
      ...SETTLED,
      declineCode: 'lost_card',
      declineRetryable: false,
      status: 'Pending',
      dueAtMs: NOW_MS,
      cardToken: 'before',
    });
  });

  it('ends it where there is none', () => {
    expect(change(before, HARD)).toMatchObject({ ...ENDED, status: 'Declined' });
  });
});

describe('a temporary rejection', () => {
  it('makes a schedule wait, and ends a charge', () => {
    const busy = temporaryRejection('busy', 5_000);
    expect(change(schedule(), busy)).toMatchObject({ status: 'Pending', rejections: 1 });
    const charge = transactionRow({ cardToken: 'visa' });
    expect(change(charge, busy)).toEqual({ ...ENDED, status: 'Failed' });
  });
});

describe('an amount that the gateway took', () => {
  it('changes the row only where it is another than was asked', () => {
    const row = transactionRow({ cardToken: 'visa', requestedMinor: 100, amountMinor: 100 });
    const same = change(row, approval('pi_1', { amountMinor: 100 }));
    expect(same).not.toHaveProperty('amountMinor');
    expect(change(row, approval('pi_1'))).not.toHaveProperty('amountMinor');
    expect(change(row, approval('pi_1', { amountMinor: 90 }))).toMatchObject({ amountMinor: 90 });
  });
});

describe('a hold', () => {
  const hold = (changes: Partial<TransactionRow>) =>
    transactionRow({
      kind: 'authorization',
      cardToken: 'visa',
      pendingOperation: 'authorize',
      expiryTime: '2026-10-06T12:00:00Z',
      expiresAtMs: NOW_MS + DAY_MS,
      ...changes,
    });

  it('that nobody wants any more is released where it was not approved', () => {
    const unwanted = hold({ unwantedSinceMs: NOW_MS - 1 });
    const released = { ...ENDED, status: 'Released' };
    expect(change(unwanted, HARD)).toEqual(released);
    expect(change(unwanted, rejection('not valid'))).toEqual(released);
    expect(change(hold({}), HARD)).toMatchObject({ status: 'Declined' });
    expect(change(hold({}), rejection('not valid'))).toEqual({ ...ENDED, status: 'Failed' });
  });

  it.each<[string, CertainOutcome, number, boolean]>([
    ['rejected, less than four hours', rejection('no'), 4 * HOUR_MS - 1, true],
    ['rejected, four hours', rejection('no'), 4 * HOUR_MS, false],
    [
      'rejected for a while, less than three days',
      temporaryRejection('no'),
      72 * HOUR_MS - 1,
      true,
    ],
    ['rejected for a while, three days', temporaryRejection('no'), 72 * HOUR_MS, false],
    ['declined, four hours', HARD, 4 * HOUR_MS, false],
    ['declined, less than four hours', HARD, 4 * HOUR_MS - 1, true],
  ])(
    'that expired is let go once an hour, until it was refused too long: %s',
    (_, outcome, agoMs, goesOn) => {
      const expired = hold({
        pendingOperation: 'expire',
        gatewayReference: 'g',
        expiresAtMs: NOW_MS - agoMs,
      });
      expect(change(expired, outcome)).toEqual(
        goesOn
          ? { ...SETTLED, status: 'Authorized', dueAtMs: NOW_MS + HOUR_MS }
          : { ...ENDED, status: 'Expired' },
      );
    },
  );
});
