import { describe, expect, it } from 'vitest';
import { MINUTE_MS } from '../../src/core/time.ts';
import type { Balance } from '../../src/money/balance/balance.ts';
import {
  checkGuestPayment,
  countDeclines,
  guestCards,
  guestPrice,
} from '../../src/money/guest/rules.ts';
import type { BookingState } from '../../src/records/bookings/rules.ts';
import { bookedRow, cardRow, propertyRow } from './rows.ts';

const nowMs = Date.UTC(2026, 10, 1);

const mine = cardRow('aa'.repeat(16), { enteredBy: 'guest', expiryYear: 2030 });
const older = cardRow('bb'.repeat(16), { enteredBy: 'guest', expiryYear: 2030 });

function stateOf(changes: Partial<BookingState> = {}): BookingState {
  return {
    property: propertyRow({ cardFeeBasisPoints: 300 }),
    booking: bookedRow({ cardToken: mine.token }),
    cards: [mine],
    ...changes,
  };
}

const balance: Balance = {
  paidMinor: 0,
  dueMinor: 10_000,
  overpaidMinor: 0,
  uncertainMinor: 2_000,
  payableMinor: 8_000,
  disputedMinor: 0,
  scheduledMinor: 0,
  proposedMinor: 8_000,
  refundedMinor: 0,
};

function priceOf(requestedMinor: number): number {
  const priced = guestPrice(stateOf(), mine, requestedMinor, { atMs: nowMs, stepMinor: 1 });
  return priced.ok ? priced.value.amountMinor : 0;
}

function codeOf(
  state: BookingState | null,
  requestedMinor = 8_000,
  agreedMinor = priceOf(requestedMinor),
  declines = 0,
): string | null {
  const payment = { requestedMinor, agreedMinor, cardToken: mine.token, replaces: [1, 2] };
  const circumstances = { declines, nowMs, stepMinor: 1, tooMuch: [2, 1] };
  return checkGuestPayment(state, payment, balance, circumstances)?.code ?? null;
}

describe('a guest’s payment', () => {
  it('may be the payable amount or less, at the price that was shown', () => {
    expect([codeOf(stateOf()), codeOf(stateOf(), 1)]).toEqual([null, null]);
  });

  it.each([
    ['there is no booking', null, 'booking_not_found'],
    [
      'the booking is cancelled',
      stateOf({ booking: bookedRow({ status: 'cancelled' }) }),
      'invalid_state',
    ],
    ['the card is gone', stateOf({ cards: [older] }), 'token_not_found'],
    [
      'an agency entered the card',
      stateOf({ cards: [{ ...mine, enteredBy: 'api' }] }),
      'token_not_found',
    ],
    [
      'the PMS entered the card',
      stateOf({ cards: [{ ...mine, enteredBy: 'pms' }] }),
      'token_not_found',
    ],
    [
      'the card has expired',
      stateOf({ cards: [{ ...mine, expiryMonth: 9, expiryYear: 2026 }] }),
      'token_not_found',
    ],
    [
      'the fee has changed',
      stateOf({ property: propertyRow({ cardFeeBasisPoints: 290 }) }),
      'invalid_state',
    ],
  ] as const)('is refused when %s', (_case, state, code) => {
    expect(codeOf(state)).toBe(code);
  });

  it('is refused above what is payable, for another price, and after five declines', () => {
    expect(codeOf(stateOf(), 8_001)).toBe('amount_out_of_range');
    expect(codeOf(stateOf(), 8_000, 8_000)).toBe('invalid_state');
    const price = priceOf(8_000);
    expect([4, 5, 6].map((declines) => codeOf(stateOf(), 8_000, price, declines))).toEqual([
      null,
      'rate_limited',
      'rate_limited',
    ]);
  });

  it('ends the schedules that its page showed, and no others', () => {
    const payment = { requestedMinor: 1, agreedMinor: 1, cardToken: mine.token, replaces: [3] };
    const free = stateOf({ property: propertyRow({}) });
    const judgedWith = (tooMuch: number[]) =>
      checkGuestPayment(free, payment, balance, { declines: 0, nowMs, stepMinor: 1, tooMuch })
        ?.code;
    expect([judgedWith([3]), judgedWith([]), judgedWith([3, 4])]).toEqual([
      undefined,
      'invalid_state',
      'invalid_state',
    ]);
  });

  it('may be tried again ten minutes after five declines', () => {
    const payment = { requestedMinor: 1, agreedMinor: 1, cardToken: mine.token, replaces: [] };
    const refused = checkGuestPayment(stateOf(), payment, balance, {
      declines: 5,
      nowMs,
      stepMinor: 1,
      tooMuch: [],
    });
    expect(refused?.retryAfterSeconds).toBe(600);
  });
});

describe('a guest’s cards', () => {
  it('begin with the one in use', () => {
    const state = stateOf({ cards: [older, mine] });
    expect(guestCards(state, nowMs)).toEqual([mine, older]);
  });
});

describe('declines', () => {
  it('count for ten minutes', () => {
    const at = (minutes: number) => ({
      status: 'Declined' as const,
      completedAtMs: nowMs - minutes * MINUTE_MS,
      createdAtMs: 0,
    });
    const failed = { status: 'Failed' as const, completedAtMs: nowMs, createdAtMs: nowMs };
    expect(countDeclines([at(0), at(9), failed], nowMs)).toBe(2);
    expect(countDeclines([at(10), at(11), at(12), failed], nowMs)).toBe(0);
  });

  it('include charges in progress, which may still be declined', () => {
    const asked = (minutes: number) => ({
      status: 'Processing' as const,
      completedAtMs: null,
      createdAtMs: nowMs - minutes * MINUTE_MS,
    });
    expect(countDeclines([asked(0), asked(9)], nowMs)).toBe(2);
    expect(countDeclines([asked(10), asked(11), asked(12)], nowMs)).toBe(0);
  });
});
