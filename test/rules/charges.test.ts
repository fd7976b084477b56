import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { BookingState } from '../../src/bookings/rules.ts';
import {
  allowCharge,
  type ChargeRequest,
  cardExpired,
  nextInquiryAtMs,
  settledCharge,
} from '../../src/payments/rules.ts';
import { bookedRow, cardRow, propertyRow } from './rows.ts';

const NOW_MS = Date.UTC(2026, 9, 1);

const request: ChargeRequest = {
  requestedMinor: 15_000,
  currency: 'AUD',
  virtualCard: false,
  description: null,
  purpose: 'Manual',
  cardToken: null,
};

const visa = cardRow('visa-card');
const amex = cardRow('amex-card', { brand: 'amex' });

/** A booking that uses the Visa, at a property with fees. */
const state: BookingState = {
  property: propertyRow({
    cardFeeBasisPoints: 300,
    cardFeeByBrand: { amex: 500 },
    transactionFeeMinor: 33,
  }),
  booking: bookedRow({ cardToken: 'visa-card' }),
  cards: [amex, visa],
};

describe('whether a booking may be charged', () => {
  test('its own card is charged with the property’s fees', () => {
    const allowed = allowCharge(state, request, null, NOW_MS);
    // (150.00 + 0.33) / 0.97 = 154.979…
    expect(allowed).toEqual({
      ok: true,
      value: {
        card: visa,
        priced: {
          requestedMinor: 15_000,
          transactionFeeMinor: 33,
          cardFeeMinor: 465,
          amountMinor: 15_498,
        },
      },
    });
  });

  test('a card that the request names is charged instead, at the rate of its brand', () => {
    const named = allowCharge(state, { ...request, cardToken: 'amex-card' }, amex, NOW_MS);
    // 150.33 / 0.95 = 158.242…
    expect(named).toMatchObject({ value: { card: amex, priced: { amountMinor: 15_824 } } });
  });

  test('a virtual card is charged exactly what was asked', () => {
    const allowed = allowCharge(state, { ...request, virtualCard: true }, null, NOW_MS);
    expect(allowed).toMatchObject({
      value: { priced: { amountMinor: 15_000, cardFeeMinor: 0, transactionFeeMinor: 0 } },
    });
  });

  test('a cancelled booking may be, for its cancellation fee', () => {
    const booking = bookedRow({ status: 'cancelled', cardToken: 'visa-card' });
    expect(allowCharge({ ...state, booking }, request, null, NOW_MS).ok).toBe(true);
  });

  test('a booking without a card in use may not, even where other cards are attached', () => {
    const booking = bookedRow({ cardToken: null });
    const refused = allowCharge({ ...state, booking }, request, null, NOW_MS);
    expect(refused).toMatchObject({ ok: false, error: { code: 'no_card' } });
  });

  test('a card that is named but not known is not replaced by the booking’s own', () => {
    const refused = allowCharge(state, { ...request, cardToken: 'nobody’s' }, null, NOW_MS);
    expect(refused).toMatchObject({ ok: false, error: { code: 'token_not_found' } });
  });

  test('a card is charged until its month ends in the property’s zone, and then no more', () => {
    const endMs = Date.parse('2026-12-01T00:00:00+08:00');
    expect(allowCharge(state, request, null, endMs - 1).ok).toBe(true);
    expect(allowCharge(state, request, null, endMs)).toMatchObject({
      error: { code: 'card_expired' },
    });
  });
});

describe('a card’s expiry', () => {
  test.each([
    ['Pacific/Kiritimati', '2026-11-30T10:00:00Z'],
    ['Australia/Perth', '2026-11-30T16:00:00Z'],
    ['UTC', '2026-12-01T00:00:00Z'],
    ['Etc/GMT+12', '2026-12-01T12:00:00Z'],
  ])('in %s comes at %s', (zone, utc) => {
    expect(cardExpired(visa, zone, Date.parse(utc) - 1)).toBe(false);
    expect(cardExpired(visa, zone, Date.parse(utc))).toBe(true);
  });
});

describe('a settled charge', () => {
  test('that was approved is Accepted and keeps the gateway’s reference', () => {
    const approved = { kind: 'approved', gatewayReference: 'g1', lapsesAtMs: null } as const;
    expect(settledCharge(approved, NOW_MS)).toEqual({
      status: 'Accepted',
      gatewayReference: 'g1',
      dueAtMs: null,
      settledAtMs: NOW_MS,
    });
  });

  test.each([true, false])('that was declined keeps why (retryable: %s)', (retryable) => {
    const declined = { kind: 'declined', declineCode: 'lost_card', retryable } as const;
    expect(settledCharge(declined, NOW_MS)).toEqual({
      status: 'Declined',
      declineCode: 'lost_card',
      declineRetryable: retryable,
      dueAtMs: null,
      settledAtMs: NOW_MS,
    });
  });

  test('that was certainly not executed is Failed', () => {
    expect(settledCharge({ kind: 'refused', reason: 'not valid' }, NOW_MS)).toEqual({
      status: 'Failed',
      dueAtMs: null,
      settledAtMs: NOW_MS,
    });
  });
});

describe('the inquiries about an unknown outcome', () => {
  test('come ever more rarely, but at least once a day, for as long as it takes', () => {
    fc.assert(
      fc.property(fc.nat(1_000), fc.nat(4e12), (inquiries, nowMs) => {
        const wait = nextInquiryAtMs(inquiries, nowMs) - nowMs;
        expect(wait).toBeGreaterThan(0);
        expect(wait).toBeLessThanOrEqual(86_400_000);
        expect(nextInquiryAtMs(inquiries + 1, nowMs) - nowMs).toBeGreaterThanOrEqual(wait);
      }),
    );
  });

  test('begin within seconds and end up daily', () => {
    expect(nextInquiryAtMs(0, 0)).toBeLessThanOrEqual(10_000);
    expect(nextInquiryAtMs(100, 0)).toBe(86_400_000);
  });
});
