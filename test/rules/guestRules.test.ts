import { describe, expect, it } from 'vitest';
import { MINUTE_MS } from '../../src/core/time.ts';
import type { Balance } from '../../src/money/balance/rules/balance.ts';
import type { PaidInstead } from '../../src/money/guest/rules.ts';
import {
  checkGuestPayment,
  countDeclines,
  guestCards,
  isRefused,
  wasRefused,
} from '../../src/money/guest/rules.ts';
import type { BookingState } from '../../src/records/bookings/rules.ts';
import type { LoweredSchedule } from '../../src/schema/moneyTables.ts';
import { bookedRow, cardRow, propertyRow, transactionRow } from './rows.ts';

const nowMs = Date.UTC(2026, 10, 1);

const NO_FEE = { transactionFeeMinor: 0, cardFeeMinor: 0 };

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
  totalCostMinor: 10_000,
  waivedMinor: 0,
  bondsMinor: 0,
  heldMinor: 0,
  plannedMinor: 0,
};

/** What a payment is instead of: schedules that it cancels, and one that it lowers. */
function instead(
  cancelled: readonly number[],
  lowered: LoweredSchedule | null = null,
): PaidInstead {
  return {
    cancelled: cancelled.map((id) => transactionRow({ id })),
    lowered: lowered && { row: transactionRow({ id: lowered.id }), to: lowered },
  };
}

const shown = {
  requestedMinor: 1,
  cardToken: mine.token,
  purpose: 'Balance',
  asked: [] as readonly number[],
  replaces: [] as readonly number[],
  lowers: null,
} as const;

function codeOf(state: BookingState | null, requestedMinor = 8_000, declines = 0): string | null {
  const payment = { ...shown, requestedMinor, replaces: [1, 2] };
  const circumstances = { declines, nowMs, instead: instead([2, 1]) };
  return checkGuestPayment(state, payment, balance, circumstances)?.code ?? null;
}

describe('a guest’s payment', () => {
  it('may be the payable amount or less', () => {
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
  ] as const)('is refused when %s', (_case, state, code) => {
    expect(codeOf(state)).toBe(code);
  });

  it('is refused above what is payable, and after five declines', () => {
    expect(codeOf(stateOf(), 8_001)).toBe('amount_out_of_range');
    expect([4, 5, 6].map((declines) => codeOf(stateOf(), 8_000, declines))).toEqual([
      null,
      'rate_limited',
      'rate_limited',
    ]);
  });

  it('changes the schedules that its page showed, as it showed, and no others', () => {
    const lowers = { ...NO_FEE, id: 4, requestedMinor: 70, amountMinor: 70 };
    const payment = { ...shown, replaces: [3], lowers };
    const free = stateOf({ property: propertyRow({}) });
    const judgedWith = (...now: Parameters<typeof instead>) => {
      const circumstances = { declines: 0, nowMs, instead: instead(...now) };
      return checkGuestPayment(free, payment, balance, circumstances)?.code;
    };
    expect(judgedWith([3], lowers)).toBe(undefined);
    const other = [
      judgedWith([], lowers),
      judgedWith([3, 4], lowers),
      judgedWith([3]),
      judgedWith([3], { ...lowers, requestedMinor: 69 }),
      judgedWith([3], { ...lowers, id: 5 }),
    ];
    expect(new Set(other)).toEqual(new Set(['invalid_state']));
  });

  it('is a deposit only as the page offers it', () => {
    const booking = bookedRow({ cardToken: mine.token, firstNightCostMinor: 5_000 });
    const free = stateOf({ property: propertyRow({}), booking });
    const judged = (requestedMinor: number) => {
      const payment = { ...shown, requestedMinor };
      const circumstances = { declines: 0, nowMs, instead: instead([]) };
      return checkGuestPayment(free, { ...payment, purpose: 'Deposit' }, balance, circumstances);
    };
    expect(judged(3_000)).toBe(null);
    expect(judged(2_999)?.code).toBe('invalid_state');
    expect(judged(2_999)?.detail).toBe('The deposit has changed since the page showed it.');
  });

  it('is a deposit less what the guest disputes of what they paid', () => {
    const booking = bookedRow({ cardToken: mine.token, firstNightCostMinor: 5_000 });
    const disputed = {
      ...balance,
      disputedMinor: 1_000,
      payableMinor: 7_000,
      proposedMinor: 7_000,
    };
    const judged = (requestedMinor: number) => {
      const payment = { ...shown, requestedMinor, purpose: 'Deposit' } as const;
      const circumstances = { declines: 0, nowMs, instead: instead([]) };
      return checkGuestPayment(stateOf({ booking }), payment, disputed, circumstances)?.code;
    };
    expect([judged(2_000), judged(4_000)]).toEqual([undefined, 'invalid_state']);
  });

  it('says on the page why it is refused', () => {
    const detailOf = (state: BookingState, requestedMinor: number, now: PaidInstead) => {
      const circumstances = { declines: 0, nowMs, instead: now };
      return checkGuestPayment(state, { ...shown, requestedMinor }, balance, circumstances)?.detail;
    };
    const details = [
      detailOf(stateOf({ cards: [] }), 1, instead([])),
      detailOf(stateOf(), 8_001, instead([])),
      detailOf(stateOf(), 1, instead([3])),
    ];
    expect(details).toEqual([
      'The guest has no card with this token.',
      'The amount is more than is due.',
      'The scheduled charges have changed since the page showed them.',
    ]);
  });

  it('may be tried again ten minutes after five declines', () => {
    const refused = checkGuestPayment(stateOf(), shown, balance, {
      declines: 5,
      nowMs,
      instead: instead([]),
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

describe('a card that was refused', () => {
  const token = mine.token;
  const declined = { cardToken: token, status: 'Declined', declineCode: 'lost_card' } as const;
  const accepted = { cardToken: token, status: 'Accepted', declineCode: null } as const;
  const unconfirmed = { ...declined, declineCode: 'authentication_required' } as const;

  it('is one whose bank declined, not one whose guest only had to confirm', () => {
    expect(isRefused(declined)).toBe(true);
    expect(isRefused(unconfirmed)).toBe(false);
    expect(isRefused({ ...declined, status: 'Failed' })).toBe(false);
    expect(isRefused(accepted)).toBe(false);
  });

  it.each([
    ['its last payment was declined', [accepted, declined], true],
    ['a later one was accepted', [declined, accepted], false],
    ['a later one waited for its guest', [declined, unconfirmed], false],
    [
      'a later one has no outcome',
      [declined, { ...declined, status: 'Processing' as const }],
      true,
    ],
    ['another card was declined', [{ ...declined, cardToken: older.token }], false],
    [
      'a later one of another card was accepted',
      [declined, { ...accepted, cardToken: older.token }],
      true,
    ],
    ['there was none', [], false],
  ] as const)('is known by the last outcome: %s', (_, rows, was) => {
    expect(wasRefused(rows, { token })).toBe(was);
  });
});
