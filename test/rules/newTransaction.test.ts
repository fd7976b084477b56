import { describe, expect, test } from 'vitest';
import { decideCharge } from '../../src/money/payments/rules/decideCharge.ts';
import {
  newTransaction,
  type TransactionCommand,
} from '../../src/money/payments/rules/newTransaction.ts';
import type { GatewayName } from '../../src/platform/config.ts';
import type { BookingState } from '../../src/records/bookings/rules.ts';
import { bookedRow, brokenRules, cardRow, propertyRow } from './rows.ts';

const NOW_MS = Date.UTC(2026, 9, 1);
const LATER = { text: '2026-10-05T09:00:00+08:00', atMs: Date.UTC(2026, 9, 5, 1) };
const REFERENCE = 'ef'.repeat(16);

const state: BookingState = {
  property: propertyRow({ cardFeeBasisPoints: 300, transactionFeeMinor: 33, version: 5 }),
  booking: bookedRow({ cardToken: 'visa-card', version: 7 }),
  cards: [cardRow('visa-card')],
};

const circumstances = {
  state,
  gateway: 'sandbox',
  id: 9,
  nowMs: NOW_MS,
  idempotencyKey: 'caller-key',
  quoteId: null,
} as const;

function commandOf(
  kind: TransactionCommand['kind'],
  changes: Partial<TransactionCommand> = {},
): TransactionCommand {
  return {
    kind,
    requestedMinor: 15_000,
    currency: 'AUD',
    virtualCard: false,
    description: 'Balance of the stay',
    purpose: 'Balance',
    cardToken: null,
    transactionReference: REFERENCE,
    time: kind === 'charge' ? null : LATER,
    limitToDue: false,
    replaces: [],
    lowers: null,
    initiator: 'property',
    returnBase: null,
    replacesCharge: null,
    ...changes,
  };
}

function decidedOf(command: TransactionCommand, booked: BookingState) {
  const requestedCard = booked.cards[0] ?? null;
  const unread = { totals: null, quoted: null, duplicate: null };
  const facts = { ...unread, state: booked, requestedCard, nowMs: NOW_MS, stepMinor: 1 };
  const decided = decideCharge({ ...command, agreedMinor: null }, facts);
  if (!decided.ok) throw new Error(decided.error.code);
  return decided.value;
}

function made(
  kind: TransactionCommand['kind'],
  changes: Partial<TransactionCommand> = {},
  gateway: GatewayName = 'sandbox',
  booked: BookingState = state,
) {
  const command = commandOf(kind, changes);
  const decided = decidedOf(command, booked);
  return newTransaction(command, { ...circumstances, state: booked, decided, gateway });
}

/** What every new transaction of this booking has, whatever its kind. */
const face = {
  id: 9,
  propertyId: 'demo',
  bookingReference: 'RES-1',
  reference: REFERENCE,
  purpose: 'Balance',
  currency: 'AUD',
  requestedMinor: 15_000,
  transactionFeeMinor: 33,
  cardFeeMinor: 465,
  amountMinor: 15_498,
  refundReservedMinor: 0,
  virtualCard: false,
  feeBasisPoints: 300,
  feeMethod: 'grossUp',
  feeMaximumMinor: null,
  askedMinor: null,
  limitToDue: false,
  warnings: [],
  replaces: [],
  lowers: null,
  replacedBy: null,
  replacesCharge: null,
  quoteId: null,
  planId: null,
  partId: null,
  description: 'Balance of the stay',
  initiator: 'property',
  returnUrl: null,
  bankAskedAtMs: null,
  cardToken: 'visa-card',
  cardNamed: false,
  otherCard: null,
  scheduledTime: null,
  scheduledAtMs: null,
  expiryTime: null,
  expiresAtMs: null,
  firstAttemptAtMs: null,
  putOffUntilMs: null,
  captureRequestedMinor: null,
  captureAmountMinor: null,
  gateway: 'sandbox',
  gatewayReference: null,
  statusChecks: 0,
  declineCode: null,
  declineRetryable: null,
  rejections: 0,
  sentAtMs: null,
  absentAtMs: null,
  unwantedSinceMs: null,
  bookingVersion: 7,
  propertyVersion: 5,
  version: 1,
  createdAtMs: NOW_MS,
  completedAtMs: null,
  learntAtMs: null,
  correctedAtMs: null,
  changedAtMs: null,
};

const asked = {
  status: 'Processing',
  gatewayKey: `${REFERENCE}-1`,
  attempts: 1,
  askedAtMs: NOW_MS,
  dueAtMs: NOW_MS + 60_000,
  // The caller waits for the outcome.
  idempotencyKey: 'caller-key',
};

describe('a new transaction', () => {
  test('that is a charge is asked for at once, and looked at again a minute later', () => {
    expect(made('charge')).toStrictEqual({
      ...face,
      ...asked,
      kind: 'charge',
      pendingOperation: 'charge',
    });
  });

  test('that is a hold is asked for at once, and ends when the caller says', () => {
    expect(made('authorization')).toStrictEqual({
      ...face,
      ...asked,
      kind: 'authorization',
      pendingOperation: 'authorize',
      expiryTime: LATER.text,
      expiresAtMs: LATER.atMs,
    });
  });

  test('that is a schedule waits for its time, with its fee fixed, nothing asked yet and nobody waiting', () => {
    expect(made('schedule')).toStrictEqual({
      ...face,
      kind: 'schedule',
      status: 'Pending',
      pendingOperation: null,
      scheduledTime: LATER.text,
      scheduledAtMs: LATER.atMs,
      gatewayKey: null,
      attempts: 0,
      askedAtMs: null,
      dueAtMs: LATER.atMs,
      idempotencyKey: null,
    });
  });

  test.each(['charge', 'authorization', 'schedule'] as const)(
    'that is a %s breaks no rule, and remembers a named card and a virtual one',
    (kind) => {
      const row = made(kind, { cardToken: 'visa-card', virtualCard: true });
      expect(brokenRules(row)).toEqual([]);
      expect(row).toMatchObject({
        cardNamed: true,
        virtualCard: true,
        feeBasisPoints: 0,
        amountMinor: 15_000,
      });
    },
  );

  test('is on a virtual card if its card is one, whether or not the request says so', () => {
    const virtual = {
      activeFromMs: 0,
      activeUntilMs: null,
      limitMinor: null,
      channel: null,
      autoCharge: false,
    };
    const booked = { ...state, cards: [cardRow('visa-card', { virtual })] };
    expect(made('charge', {}, 'sandbox', booked).virtualCard).toBe(true);
  });

  test('that takes what is due, at most, is limited later only if it is a schedule', () => {
    const kinds = ['charge', 'authorization', 'schedule'] as const;
    const limited = kinds.map((kind) => made(kind, { limitToDue: true }).limitToDue);
    expect(limited).toEqual([false, false, true]);
  });

  test('of a guest has a page of its own, to which their bank returns them', () => {
    const returnBase = 'https://pay.hotel.com/p/abc/paid';
    expect(made('charge', { returnBase }).returnUrl).toBe(`${returnBase}/9`);
  });

  test('of a plan’s part may have no card yet', () => {
    const part = { planId: 'plan-1', partId: 'part-2' };
    const command = { ...commandOf('schedule'), part };
    const decided = { ...decidedOf(command, state), card: null };
    const row = newTransaction(command, { ...circumstances, decided });
    expect(row).toMatchObject({ ...part, cardToken: null, virtualCard: false });
  });

  test('is in the booking’s currency, and at the gateway that it is made for', () => {
    const yen = { ...state, booking: { ...state.booking, currency: 'JPY' } };
    expect(made('charge', {}, 'stripe', yen)).toMatchObject({ currency: 'JPY', gateway: 'stripe' });
  });
});
