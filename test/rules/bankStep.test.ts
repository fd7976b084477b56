import { describe, expect, it } from 'vitest';
import { MINUTE_MS } from '../../src/core/time.ts';
import { correction } from '../../src/money/payments/rules/corrections.ts';
import { bankStepUntilMs, isAtBank } from '../../src/money/payments/rules.ts';
import {
  type AcquirerOperation,
  bankUrlOf,
  endOpen,
  shownAtBank,
} from '../../src/sandbox/acquirer/operations.ts';
import { NOT_AUTHENTICATED, SUCCEEDED } from '../../src/sandbox/acquirer/rules/judge.ts';
import { holdLifeOf } from '../../src/sandbox/acquirer/rules/testCards.ts';
import { bookedRow, propertyRow, transactionRow } from './rows.ts';

const NOW_MS = Date.UTC(2026, 9, 1);
const state = { property: propertyRow(), booking: bookedRow(), cards: [] };

describe('the time that a guest has at their bank', () => {
  it('is half an hour from when the bank first asked', () => {
    const guest = {
      initiator: 'guest',
      bankAskedAtMs: null,
      unwantedSinceMs: null,
      bookingVersion: 1,
    } as const;
    expect(bankStepUntilMs(state, guest, NOW_MS)).toBe(NOW_MS + 30 * MINUTE_MS);
    const asked = { ...guest, bankAskedAtMs: NOW_MS - 29 * MINUTE_MS };
    expect(bankStepUntilMs(state, asked, NOW_MS)).toBe(NOW_MS + MINUTE_MS);
  });

  it.each(['property', 'phone'] as const)('is over where none is there: %s', (initiator) => {
    const asked = { initiator, bankAskedAtMs: null, unwantedSinceMs: null, bookingVersion: 1 };
    expect(bankStepUntilMs(state, asked, NOW_MS)).toBe(NOW_MS);
  });

  it('is over once the booking is cancelled, booked again since or not', () => {
    const cancelled = { booking: bookedRow({ status: 'cancelled' }) };
    const guest = {
      initiator: 'guest',
      bankAskedAtMs: NOW_MS,
      unwantedSinceMs: null,
      bookingVersion: 1,
    } as const;
    expect(bankStepUntilMs(cancelled, guest, NOW_MS)).toBe(NOW_MS);
    expect(bankStepUntilMs(state, { ...guest, unwantedSinceMs: NOW_MS }, NOW_MS)).toBe(NOW_MS);
  });

  it.each([
    ['Processing', NOW_MS, true],
    ['Processing', null, false],
    ['Declined', NOW_MS, false],
    ['Accepted', NOW_MS, false],
  ] as const)('runs while the payment is %s, asked at %s: %s', (status, bankAskedAtMs, runs) => {
    expect(isAtBank({ status, bankAskedAtMs })).toBe(runs);
  });
});

describe('a payment that is open at the acquirer', () => {
  const record = {
    id: 'pi_1',
    gatewayReference: 'pi_1',
    status: 'open',
    about: null,
    idempotencyKey: null,
    gatewayToken: null,
    currency: 'AUD',
    askedMinor: 15_000,
    takenMinor: 0,
    atMs: NOW_MS,
    lapsesAtMs: null,
    refunds: [],
  } as const;

  it.each(['Processing', 'Declined', 'Failed', 'Accepted'] as const)(
    'corrects nothing that is %s',
    (status) => {
      const pendingOperation = status === 'Processing' ? ('charge' as const) : null;
      const row = transactionRow({ status, pendingOperation, gatewayReference: 'pi_1' });
      expect(correction(state, row, record, NOW_MS)).toBeNull();
    },
  );
});

describe("the sandbox's bank", () => {
  const open: AcquirerOperation = {
    kind: 'charge',
    status: 'pending',
    code: null,
    retryable: false,
    idempotencyKey: 'key-1',
    propertyId: 'demo',
    bookingReference: 'RES-1',
    reference: 'reference-1',
    amountMinor: 15_000,
    currency: 'AUD',
    subject: 'vault_1',
    payment: 'sandbox_1',
    vaultToken: 'vault_1',
    gatewayReference: 'sandbox_1',
    movedMinor: 0,
    atMs: NOW_MS,
    bankStep: { id: 'ab12', returnUrl: 'http://127.0.0.1:8787/guest/v1/payments/1/receipt/2?a=b' },
  };

  it('is on the deployment that the cardholder came from', () => {
    expect(bankUrlOf(open)).toBe('http://127.0.0.1:8787/bank/v1/ab12');
    const { bankStep: _step, ...plain } = open;
    expect([bankUrlOf(plain), shownAtBank(plain)]).toEqual([null, null]);
  });

  it('moves the money when the cardholder allows it, and none when they refuse', () => {
    const allowed = endOpen(open, SUCCEEDED, NOW_MS + 1);
    expect(allowed).toMatchObject({ status: 'succeeded', movedMinor: 15_000, atMs: NOW_MS + 1 });
    const refused = endOpen(open, NOT_AUTHENTICATED, NOW_MS + 1);
    expect(refused).toMatchObject({ status: 'declined', movedMinor: 0 });
    expect(refused).toMatchObject({ code: 'authentication_required', retryable: false });
  });

  it.each(['succeeded', 'declined', 'failed'] as const)('ends nothing twice: %s', (status) => {
    expect(endOpen({ ...open, status }, SUCCEEDED, NOW_MS)).toBeNull();
  });

  it.each([
    ['pending', 'open'],
    ['succeeded', 'allowed'],
    ['declined', 'ended'],
  ] as const)('shows what is %s as %s', (status, shown) => {
    expect(shownAtBank({ ...open, status })?.status).toBe(shown);
  });

  it.each([
    ['credit', 30],
    ['debit', 7],
    ['prepaid', 7],
    ['unknown', 7],
  ] as const)('gives a hold on a %s card %i days', (funding, days) => {
    expect(holdLifeOf({ funding, issuerCountry: null })).toBe(days * 24 * 60 * MINUTE_MS);
  });
});
