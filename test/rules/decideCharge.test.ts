import { describe, expect, it } from 'vitest';
import { failure } from '../../src/core/failure.ts';
import { DAY_MS } from '../../src/core/time.ts';
import type { SealedQuote } from '../../src/money/payments/quoteToken.ts';
import {
  type ChargeFacts,
  type ChargeRequest,
  decideCharge,
} from '../../src/money/payments/rules/decideCharge.ts';
import { guardsOf } from '../../src/money/payments/rules/overcharge.ts';
import { NO_PAYMENTS } from '../support/noPayments.ts';
import { bookedRow, cardRow, propertyRow } from './rows.ts';

const NOW_MS = Date.UTC(2026, 9, 1);
const LATER_MS = NOW_MS + 10 * DAY_MS;

const visa = cardRow('visa-card');
const amex = cardRow('amex-card', { brand: 'amex' });
const property = propertyRow({ cardFeeBasisPoints: 300, transactionFeeMinor: 33, version: 4 });
const booking = bookedRow({ cardToken: 'visa-card', version: 3 });
const state = { property, booking, cards: [amex, visa] };

const request: ChargeRequest = {
  kind: 'charge',
  purpose: 'Manual',
  requestedMinor: 15_000,
  currency: 'AUD',
  virtualCard: false,
  description: null,
  cardToken: null,
  limitToDue: false,
  time: null,
  agreedMinor: null,
};
const scheduled = { kind: 'schedule', time: { atMs: LATER_MS } } as const;

const facts: ChargeFacts = {
  state,
  requestedCard: null,
  totals: NO_PAYMENTS,
  quoted: null,
  duplicate: null,
  nowMs: NOW_MS,
  stepMinor: 1,
};

/** (150.00 + 0.33) / 0.97 = 154.98 */
const quote: SealedQuote = {
  id: 'ef'.repeat(16),
  bookingReference: 'RES-1',
  kind: 'charge',
  purpose: 'Manual',
  requestedMinor: 15_000,
  virtualCard: false,
  named: null,
  card: { token: 'visa-card', brand: 'visa', funding: 'unknown', issuerCountry: null },
  cardFeeMinor: 465,
  transactionFeeMinor: 33,
  bookingStatus: 'booked',
  totalCostMinor: state.booking.totalCostMinor,
  guards: guardsOf(state.property),
  paidMinor: 0,
  uncertainMinor: 0,
  untilMs: NOW_MS + 1,
};

/** What a payment comes to with fees, or the code of its refusal. */
function decided(asked: Partial<ChargeRequest> = {}, read: Partial<ChargeFacts> = {}) {
  const result = decideCharge({ ...request, ...asked }, { ...facts, ...read });
  return result.ok ? result.value.priced.amountMinor : result.error.code;
}

/** The same of a payment that names a quote. */
function quoted(
  changes: Partial<SealedQuote> = {},
  asked: Partial<ChargeRequest> = {},
  read: Partial<ChargeFacts> = {},
) {
  return decided(asked, { quoted: { quote: { ...quote, ...changes }, isUsed: false }, ...read });
}

function detailOf(asked: Partial<ChargeRequest>, read: Partial<ChargeFacts> = {}) {
  const result = decideCharge({ ...request, ...asked }, { ...facts, ...read });
  return result.ok ? null : result.error.detail;
}

describe('a quoted payment', () => {
  it('is charged as it was quoted', () => {
    expect(quoted()).toBe(15_498);
  });

  it.each<[string, Partial<SealedQuote>]>([
    ['booking', { bookingReference: 'RES-2' }],
    ['kind', { kind: 'authorization' }],
    ['type', { purpose: 'Deposit' }],
    ['amount', { requestedMinor: 14_999 }],
    ['kind of card', { virtualCard: true }],
  ])('is refused for a quote of another %s, though both are still current', (_what, changes) => {
    expect(quoted(changes)).toBe('quote_invalid');
  });

  it('is refused for an id that is no quote', () => {
    const read = { quoted: { quote: null, isUsed: false } };
    expect(decided({}, read)).toBe('quote_invalid');
    expect(detailOf({}, read)).toBe('The quote is of another payment. Nothing was charged.');
  });

  it.each<[string, Partial<SealedQuote>]>([
    ['has just ended', { untilMs: NOW_MS }],
    ['is of a booking that was cancelled then', { bookingStatus: 'cancelled' }],
    ['is of what was refused otherwise', { guards: 'refuse 5' }],
    ['is of another total', { totalCostMinor: state.booking.totalCostMinor + 1 }],
    ['was made before a payment', { paidMinor: 1 }],
    ['was made while a payment was under way', { uncertainMinor: 1 }],
    ['has another card fee', { cardFeeMinor: 464 }],
    ['has another transaction fee', { transactionFeeMinor: 32 }],
  ])('is stale if its quote %s', (_what, changes) => {
    expect(quoted(changes)).toBe('quote_stale');
  });

  it('is stale once its quote was used', () => {
    const read = { quoted: { quote, isUsed: true } };
    expect(decided({}, read)).toBe('quote_stale');
    expect(detailOf({}, read)).toBe(
      'The quote no longer holds. Nothing was charged; ask for another quote.',
    );
  });

  it('is stale where nobody read what was paid', () => {
    expect(quoted({}, {}, { totals: null })).toBe('quote_stale');
  });

  it('is stale where only a part of the amount is still due', () => {
    const free = { ...state, property: propertyRow({ version: 4 }) };
    const read = { state: { ...free, booking: { ...booking, totalCostMinor: 14_999 } } };
    const changes = { cardFeeMinor: 0, transactionFeeMinor: 0, totalCostMinor: 14_999 };
    expect(quoted(changes, { limitToDue: true }, read)).toBe('quote_stale');
    expect(quoted(changes, { limitToDue: false }, read)).toBe(15_000);
  });

  it('that the booking refuses is refused with the booking’s reason', () => {
    const ended = { ...state, booking: { ...booking, status: 'cancelled' } } as const;
    const hold = { kind: 'authorization' } as const;
    const of = { ...hold, bookingStatus: 'cancelled' } as const;
    expect(quoted(of, hold, { state: ended })).toBe('invalid_state');
  });

  describe('on a card', () => {
    const onAmex = { ...state, booking: { ...booking, cardToken: 'amex-card' } };
    const onLike = {
      property,
      booking: { ...booking, cardToken: 'like' },
      cards: [cardRow('like')],
    };
    const without = { ...state, booking: { ...booking, cardToken: null } };
    const byName = { cardToken: 'visa-card' };

    it.each<[string, () => ReturnType<typeof quoted>, ReturnType<typeof quoted>]>([
      [
        'that both the quote and the payment name',
        () => quoted({ named: 'visa-card' }, byName, { requestedCard: visa }),
        15_498,
      ],
      [
        'that only the payment names',
        () => quoted({}, byName, { requestedCard: visa, state: onAmex }),
        15_498,
      ],
      ['that only the quote named', () => quoted({ named: 'visa-card' }), 15_498],
      [
        'other than the one that only the quote named',
        () => quoted({ named: 'visa-card' }, {}, { state: onAmex }),
        'quote_invalid',
      ],
      [
        'other than the quoted one, by its name',
        () => quoted({}, { cardToken: 'amex-card' }, { requestedCard: amex }),
        'quote_invalid',
      ],
      ['that nobody knows', () => quoted({}, { cardToken: 'nobody’s' }), 'quote_invalid'],
      ['that the booking uses only now', () => quoted({}, {}, { state: onAmex }), 'quote_stale'],
      [
        'that the booking uses only now, though it is like the quoted one',
        () => quoted({}, {}, { state: onLike }),
        'quote_stale',
      ],
      ['that the booking lost', () => quoted({}, {}, { state: without }), 'quote_stale'],
      ['where there was none', () => quoted({ card: null }), 'quote_stale'],
      [
        'where there was none, by its name',
        () => quoted({ card: null }, byName, { requestedCard: visa }),
        'quote_invalid',
      ],
      [
        'where the quote named one that was not there',
        () => quoted({ card: null, named: 'visa-card' }),
        'quote_invalid',
      ],
    ])('%s', (_what, found, expected) => {
      expect(found()).toBe(expected);
    });
  });

  describe('on a card that was only described', () => {
    const eftpos = cardRow('eftpos-card', {
      brand: 'eftpos_au',
      funding: 'debit',
      issuerCountry: 'AU',
    });
    const described = { token: null, brand: 'eftpos', funding: 'debit', issuerCountry: 'AU' };
    const read = { state: { ...state, booking: { ...booking, cardToken: 'eftpos-card' } } };
    const withEftpos = { state: { ...read.state, cards: [eftpos] } };

    it('is charged on a card like it, of the booking or named', () => {
      expect(quoted({ card: described }, {}, withEftpos)).toBe(15_498);
      const named = { cardToken: 'eftpos-card' };
      expect(quoted({ card: described }, named, { requestedCard: eftpos })).toBe(15_498);
    });

    it.each([
      ['brand', { brand: 'visa' }],
      ['funding', { funding: 'credit' }],
      ['country', { issuerCountry: 'NZ' }],
    ])('is refused on a card of another %s', (_what, changes) => {
      expect(quoted({ card: { ...described, ...changes } }, {}, withEftpos)).toBe('quote_invalid');
    });

    it('is refused where the booking has no card', () => {
      expect(quoted({ card: described }, {}, read)).toBe('quote_invalid');
    });
  });

  describe('that is scheduled', () => {
    // From that day on the rule makes it free; until then it costs what the property says.
    const free = {
      basisPoints: 0,
      method: 'add' as const,
      transactionFeeMinor: 0,
      from: new Date(LATER_MS).toISOString(),
    };
    const cheaper = { state: { ...state, property: { ...property, feeRules: [free] } } };
    const fees = { cardFeeMinor: 0, transactionFeeMinor: 0 };

    it('holds with the lower price of its day', () => {
      expect(quoted({ kind: 'schedule', ...fees }, scheduled, cheaper)).toBe(15_498);
      expect(quoted({ kind: 'schedule' }, scheduled, cheaper)).toBe('quote_stale');
    });

    it('is stale if the price of its day has changed', () => {
      expect(quoted({ kind: 'schedule', ...fees }, scheduled)).toBe('quote_stale');
      expect(quoted({ kind: 'schedule' }, scheduled)).toBe(15_498);
    });

    it('costs what it costs now if it is a hold, whenever that ends', () => {
      const hold = { kind: 'authorization', time: { atMs: LATER_MS } } as const;
      expect(quoted({ kind: 'authorization' }, hold, cheaper)).toBe(15_498);
    });
  });
});

/** Active from a day before to a day after the later time, with 100.00 on it. */
const virtual = cardRow('visa-card', {
  virtual: {
    activeFromMs: LATER_MS - DAY_MS,
    activeUntilMs: LATER_MS + DAY_MS,
    limitMinor: 15_000,
    channel: 'Agency',
    autoCharge: false,
  },
  expiryYear: 2030,
});

describe('a payment on a virtual card', () => {
  const read = { state: { ...state, cards: [virtual] } };
  const active = { ...read, nowMs: LATER_MS };

  it('bears no fees, whether or not the request says what card it is', () => {
    expect(decided({}, active)).toBe(15_000);
    expect(decided({ virtualCard: true }, active)).toBe(15_000);
  });

  it.each([
    ['a charge, before the card is active', () => decided({}, read), 'virtual_card_not_active'],
    [
      'a hold, which takes its money now, whenever it ends',
      () => decided({ kind: 'authorization', time: { atMs: LATER_MS } }, read),
      'virtual_card_not_active',
    ],
    ['a schedule for when the card is active', () => decided(scheduled, read), 15_000],
    [
      'a schedule for a day on which the card has ended',
      () => decided({ kind: 'schedule', time: { atMs: LATER_MS + 2 * DAY_MS } }, active),
      'virtual_card_ended',
    ],
    [
      'a schedule without a time, before the card is active',
      () => decided({ kind: 'schedule' }, read),
      'virtual_card_not_active',
    ],
  ])('is judged at its own time: %s', (_what, found, expected) => {
    expect(found()).toBe(expected);
  });

  it.each([
    ['a charge', () => decided({ requestedMinor: 15_001 }, active), 'exceeds_virtual_card'],
    [
      'a charge of what is due, at most',
      () => decided({ requestedMinor: 15_001, limitToDue: true }, active),
      'exceeds_virtual_card',
    ],
    [
      'a schedule',
      () => decided({ ...scheduled, requestedMinor: 15_001 }, active),
      'exceeds_virtual_card',
    ],
    [
      'a schedule of what is due, at most, which is limited later',
      () => decided({ ...scheduled, requestedMinor: 15_001, limitToDue: true }, active),
      15_001,
    ],
  ])('of more than remains on it: %s', (_what, found, expected) => {
    expect(found()).toBe(expected);
  });

  it('holds with a quote without fees', () => {
    const fees = { cardFeeMinor: 0, transactionFeeMinor: 0, untilMs: LATER_MS + 1 };
    expect(quoted({ ...fees, kind: 'schedule' }, scheduled, active)).toBe(15_000);
    expect(quoted(fees, {}, active)).toBe(15_000);
  });
});

describe('a payment that is refused', () => {
  const duplicate = failure('possible_duplicate', 'There is one like it.');

  it('is one like an earlier one, unless the card refuses it anyway', () => {
    expect(decided({}, { duplicate })).toBe('possible_duplicate');
    const onVirtual = { state: { ...state, cards: [virtual] }, nowMs: LATER_MS, duplicate };
    expect(decided({ requestedMinor: 15_001 }, onVirtual)).toBe('exceeds_virtual_card');
  });

  it('names a card that went when the guest was erased, which nobody has any more', () => {
    const erased = { state: { ...state, booking: { ...booking, erasedAtMs: 1 } } };
    expect(decided({ cardToken: 'gone' }, erased)).toBe('no_card');
    expect(decided({ cardToken: 'gone' })).toBe('token_not_found');
  });

  it('is on a card that is kept at a former account of the property', () => {
    const moved = { ...state, property: { ...property, merchantAccount: 'acct_new' } };
    expect(decided({}, { state: moved })).toBe('card_of_former_account');
  });

  it.each([
    [
      'has no card',
      () => detailOf({}, { state: { ...state, cards: [] } }),
      'The booking has no card, and the request names none.',
    ],
    [
      'has an expired one',
      () => detailOf({}, { nowMs: Date.UTC(2026, 11, 2) }),
      'The card has expired.',
    ],
    [
      'costs other than was agreed to',
      () => detailOf({ agreedMinor: 1 }),
      'The fees have changed since the page showed them.',
    ],
  ])('says why, where it %s', (_what, found, expected) => {
    expect(found()).toBe(expected);
  });
});

describe('what a payment warns of', () => {
  const owing = { ...state, booking: { ...booking, totalCostMinor: 20_000 } };
  const warningsOf = (asked: Partial<ChargeRequest>, totals: ChargeFacts['totals']) => {
    const result = decideCharge({ ...request, ...asked }, { ...facts, state: owing, totals });
    return result.ok ? result.value.amount.warnings : result.error.code;
  };

  it('is first that it exceeds what is due, then that what stays scheduled does', () => {
    const totals = { ...NO_PAYMENTS, scheduledMinor: 1 };
    const deposit = { purpose: 'Deposit', requestedMinor: 20_001 } as const;
    expect(warningsOf(deposit, totals)).toEqual(['exceeds_due', 'scheduled_exceeds_due']);
    expect(warningsOf({ ...deposit, requestedMinor: 20_000 }, NO_PAYMENTS)).toEqual([]);
  });

  it('goes by what is taken of what was asked for', () => {
    const totals = { ...NO_PAYMENTS, paidMinor: 10_000, scheduledMinor: 1 };
    expect(warningsOf({ limitToDue: true }, totals)).toEqual(['scheduled_exceeds_due']);
    expect(warningsOf({ limitToDue: true }, { ...totals, scheduledMinor: 0 })).toEqual([]);
  });
});
