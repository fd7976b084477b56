import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { MAX_AMOUNT_MINOR } from '../../src/core/money.ts';
import { decideCapture, priceCapture } from '../../src/money/payments/rules/decideCapture.ts';
import { decideCharge } from '../../src/money/payments/rules/decideCharge.ts';
import {
  bankStepUntilMs,
  type CardChoice,
  cardExpired,
  cardTokenNow,
  cardToTryNext,
  dueTimeOf,
  hasOwnCard,
  isLost,
  isOnOtherCard,
  needsCard,
  otherCardOf,
  type PaymentRequest,
  TRANSACTION_NOT_FOUND,
  whyNotCancelled,
  whyNotReleased,
  wrongState,
} from '../../src/money/payments/rules.ts';
import { grossUp } from '../../src/money/pricing/fees.ts';
import type { BookingState } from '../../src/records/bookings/rules.ts';
import type { CardRow } from '../../src/schema/cardTables.ts';
import type { TransactionRow } from '../../src/schema/moneyTables.ts';
import { NO_PAYMENTS } from '../support/noPayments.ts';
import { bookedRow, cardRow, feeTerms, propertyRow, SETTLED, transactionRow } from './rows.ts';

const NOW_MS = Date.UTC(2026, 9, 1);

const request: PaymentRequest = {
  requestedMinor: 15_000,
  currency: 'AUD',
  virtualCard: false,
  description: null,
  purpose: 'Manual',
  cardToken: null,
};

const visa = cardRow('visa-card');
const amex = cardRow('amex-card', { brand: 'amex' });
const old = cardRow('old-card', { expiryMonth: 9, expiryYear: 2026 });

const property = propertyRow({
  cardFeeBasisPoints: 300,
  cardFeeByBrand: { amex: 500 },
  transactionFeeMinor: 33,
});

/** A booking that uses the Visa, at a property with fees. */
const state: BookingState = {
  property,
  booking: bookedRow({ cardToken: 'visa-card' }),
  cards: [amex, visa],
};

const kinds = ['charge', 'schedule', 'authorization'] as const;

/** Decides a payment of a booking that owes nothing yet, without a quote. */
function decide(
  booked: BookingState,
  payment: PaymentRequest & Pick<TransactionRow, 'kind'>,
  requestedCard: CardRow | null = null,
  nowMs = NOW_MS,
) {
  const asked = { ...payment, limitToDue: false, time: null, agreedMinor: null };
  const unread = { totals: null, quoted: null, duplicate: null };
  return decideCharge(asked, { ...unread, state: booked, requestedCard, nowMs, stepMinor: 1 });
}

describe.each(kinds)('whether a %s is allowed', (kind) => {
  test('on the booking’s own card, with the property’s fees: it is', () => {
    // (150.00 + 0.33) / 0.97 = 154.979…
    expect(decide(state, { ...request, kind })).toStrictEqual({
      ok: true,
      value: {
        card: visa,
        terms: feeTerms({ cardFeeBasisPoints: 300, transactionFeeMinor: 33 }),
        rule: null,
        law: null,
        warnings: [],
        priced: {
          requestedMinor: 15_000,
          transactionFeeMinor: 33,
          cardFeeMinor: 465,
          amountMinor: 15_498,
        },
        amount: { requestedMinor: 15_000, askedMinor: null, warnings: [] },
      },
    });
  });

  test('on a card that the request names: that one is charged, at the rate of its brand', () => {
    const named = { ...request, cardToken: 'amex-card' };
    // 150.33 / 0.95 = 158.242…
    expect(decide(state, { ...named, kind }, amex)).toMatchObject({
      ok: true,
      value: {
        card: amex,
        terms: { cardFeeBasisPoints: 500, transactionFeeMinor: 33 },
        priced: { amountMinor: 15_824, cardFeeMinor: 791, transactionFeeMinor: 33 },
      },
    });
  });

  test('on a card found for no name in the request: the booking’s own is charged', () => {
    const allowed = decide(state, { ...request, kind }, amex);
    expect(allowed).toMatchObject({ value: { card: visa } });
  });

  test('on a virtual card: it costs exactly what was asked, also where its brand has a rate', () => {
    const virtual = { ...request, virtualCard: true, cardToken: 'amex-card' };
    expect(decide(state, { ...virtual, kind }, amex)).toMatchObject({
      ok: true,
      value: {
        card: amex,
        terms: { cardFeeBasisPoints: 0, transactionFeeMinor: 0 },
        priced: {
          requestedMinor: 15_000,
          transactionFeeMinor: 0,
          cardFeeMinor: 0,
          amountMinor: 15_000,
        },
      },
    });
  });

  test.each([false, true])(
    'on a cancelled booking that keeps schedules (%s): only a charge',
    (keeps) => {
      const cancelled = {
        ...state,
        property: { ...property, keepSchedulesOnCancellation: keeps },
        booking: bookedRow({ status: 'cancelled', cardToken: 'visa-card' }),
      };
      expect(decide(cancelled, { ...request, kind })).toMatchObject(
        kind === 'charge'
          ? { ok: true, value: { card: visa } }
          : { ok: false, error: { code: 'invalid_state', detail: 'The booking is cancelled.' } },
      );
    },
  );

  test('without a card in use: no_card, even where other cards are attached', () => {
    const bare = { ...state, booking: bookedRow({ cardToken: null }) };
    expect(decide(bare, { ...request, kind })).toMatchObject({
      ok: false,
      error: { code: 'no_card' },
    });
  });

  test('on a named card that is not known: token_not_found, and not the booking’s own', () => {
    const named = { ...request, cardToken: 'nobody’s' };
    expect(decide(state, { ...named, kind })).toMatchObject({
      ok: false,
      error: { code: 'token_not_found' },
    });
  });

  test('until the card’s month ends in the property’s zone, and then no more', () => {
    const endMs = Date.parse('2026-12-01T00:00:00+08:00');
    expect(decide(state, { ...request, kind }, null, endMs - 1).ok).toBe(true);
    expect(decide(state, { ...request, kind }, null, endMs)).toMatchObject({
      ok: false,
      error: { code: 'card_expired' },
    });
  });

  test('on a named card that has expired: card_expired, though the booking’s own is good', () => {
    const named = { ...request, cardToken: 'old-card' };
    expect(decide(state, { ...named, kind }, old)).toMatchObject({
      ok: false,
      error: { code: 'card_expired' },
    });
  });
});

describe('a price that the payer agreed to', () => {
  const charge = { ...request, kind: 'charge', limitToDue: false, time: null } as const;
  const unread = { totals: null, quoted: null, duplicate: null };
  const facts = { ...unread, state, requestedCard: null, nowMs: NOW_MS, stepMinor: 1 };

  test.each([
    [15_498, undefined],
    [15_497, 'invalid_state'],
    [0, 'invalid_state'],
  ])('of %s is charged as it is, or not at all', (agreedMinor, code) => {
    const decided = decideCharge({ ...charge, agreedMinor }, facts);
    expect(decided.ok ? undefined : decided.error.code).toBe(code);
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

const EXPIRES_MS = NOW_MS + 86_400_000;

/** A hold for an amount before fees, as it stands once authorized. */
function hold(
  requestedMinor: number,
  cardFeeBasisPoints: number,
  transactionFeeMinor: number,
  changes: Partial<TransactionRow> = {},
): TransactionRow {
  return transactionRow({
    ...SETTLED,
    kind: 'authorization',
    status: 'Authorized',
    ...grossUp(requestedMinor, { cardFeeBasisPoints, transactionFeeMinor }),
    feeBasisPoints: cardFeeBasisPoints,
    expiresAtMs: EXPIRES_MS,
    dueAtMs: EXPIRES_MS,
    ...changes,
  });
}

/** The price of a capture, at a property that knows no law. */
function captured(held: TransactionRow, askedMinor: number | null, atMs: number) {
  return priceCapture(property, visa, held, askedMinor, { atMs, stepMinor: 1 });
}

/** A hold at any rate with any fee, and a part of it. */
const partsOfHolds = fc
  .oneof(fc.integer({ min: 1, max: 50 }), fc.integer({ min: 1, max: MAX_AMOUNT_MINOR }))
  .chain((requested) =>
    fc.record({
      held: fc
        .tuple(fc.integer({ min: 0, max: 5_000 }), fc.oneof(fc.nat(3), fc.nat(1_000_000)))
        .map(([rate, fixed]) => hold(requested, rate, fixed)),
      partMinor: fc.integer({ min: 1, max: requested }),
    }),
  );

describe('charging a pre-authorization', () => {
  test('takes what was asked and the fees on it, at the terms of the hold, and never more than is held', () => {
    fc.assert(
      fc.property(partsOfHolds, ({ held, partMinor }) => {
        const priced = captured(held, partMinor, NOW_MS);
        if (!priced.ok) throw new Error(priced.error.code);
        const { requestedMinor, transactionFeeMinor, cardFeeMinor, amountMinor } = priced.value;
        expect(requestedMinor).toBe(partMinor);
        expect(transactionFeeMinor).toBe(held.transactionFeeMinor);
        expect(amountMinor).toBe(requestedMinor + transactionFeeMinor + cardFeeMinor);
        expect(amountMinor).toBeLessThanOrEqual(held.amountMinor);
        expect(cardFeeMinor).toBeGreaterThanOrEqual(0);
        expect(cardFeeMinor).toBeLessThanOrEqual(held.cardFeeMinor);
        const off =
          BigInt(cardFeeMinor) * 10_000n - BigInt(amountMinor) * BigInt(held.feeBasisPoints);
        expect(off <= 5_000n && off >= -5_000n).toBe(true);
      }),
      { numRuns: 500 },
    );
  });

  const rates = [0, 1, 105, 300, 1_000, 2_500, 3_333, 4_999, 5_000];
  const small = rates.flatMap((rate) => [0, 1, 2, 3].map((fixed) => ({ rate, fixed })));
  test.each(small)(
    'at $rate bp and $fixed takes more for each unit, up to what is held',
    (terms) => {
      for (let requested = 1; requested <= 12; requested++) {
        const held = hold(requested, terms.rate, terms.fixed);
        let lastMinor = 0;
        for (let partMinor = 1; partMinor <= requested; partMinor++) {
          const priced = captured(held, partMinor, NOW_MS);
          const amountMinor = priced.ok ? priced.value.amountMinor : Number.NaN;
          expect(amountMinor).toBeGreaterThan(lastMinor);
          lastMinor = amountMinor;
        }
        expect(lastMinor).toBe(held.amountMinor);
      }
    },
  );

  test('takes the whole hold, to the unit, when no amount is named or all of it is', () => {
    fc.assert(
      fc.property(partsOfHolds, ({ held }) => {
        const { requestedMinor, transactionFeeMinor, cardFeeMinor, amountMinor } = held;
        const whole = {
          ok: true,
          value: { requestedMinor, transactionFeeMinor, cardFeeMinor, amountMinor },
        };
        expect(captured(held, null, NOW_MS)).toStrictEqual(whole);
        expect(captured(held, requestedMinor, NOW_MS)).toStrictEqual(whole);
      }),
    );
  });

  test('is refused for more than was requested, though less than the fees allow', () => {
    fc.assert(
      fc.property(partsOfHolds, fc.integer({ min: 1, max: 100 }), ({ held }, moreMinor) => {
        const asked = held.requestedMinor + moreMinor;
        expect(captured(held, asked, NOW_MS)).toMatchObject({
          ok: false,
          error: { code: 'capture_exceeds_authorization' },
        });
      }),
    );
  });

  test('ends at the instant of its expiry, also while the alarm has not run yet', () => {
    const held = hold(15_000, 300, 0);
    expect(captured(held, null, EXPIRES_MS - 1).ok).toBe(true);
    for (const atMs of [EXPIRES_MS, EXPIRES_MS + 1]) {
      for (const asked of [null, 1, 15_001]) {
        expect(captured(held, asked, atMs)).toMatchObject({
          ok: false,
          error: { code: 'preauth_expired' },
        });
      }
    }
  });

  test('is refused as expired once it is Expired, also before the time that was asked for', () => {
    const held = hold(15_000, 300, 0, { status: 'Expired' });
    expect(captured(held, 1, NOW_MS)).toMatchObject({ error: { code: 'preauth_expired' } });
  });

  const others = [
    'Pending',
    'Processing',
    'Accepted',
    'Declined',
    'Failed',
    'Cancelled',
    'Released',
  ] as const;
  test.each(others)('is refused while it is %s, before its expiry and after', (status) => {
    const held = hold(15_000, 300, 0, { status });
    for (const atMs of [NOW_MS, EXPIRES_MS]) {
      const refused = captured(held, 1, atMs);
      expect(refused).toMatchObject({ ok: false, error: { code: 'invalid_state' } });
      expect(refused.ok ? '' : refused.error.detail).toContain(status);
    }
  });

  test.each(['charge', 'schedule'] as const)('is refused of a %s, whatever its state', (kind) => {
    for (const status of [...others, 'Authorized', 'Expired'] as const) {
      expect(captured(hold(15_000, 0, 0, { kind, status }), 1, NOW_MS)).toMatchObject({
        ok: false,
        error: { code: 'invalid_state', detail: 'This transaction is not a pre-authorization.' },
      });
    }
  });
});

describe('what a capture takes', () => {
  const owned = propertyRow({ overchargeGuard: 'refuse' });
  const owing = bookedRow({ totalCostMinor: 20_000 });
  const balance = hold(15_000, 300, 33, { purpose: 'Balance' });
  const moment = { atMs: NOW_MS, stepMinor: 1 };

  /** What is captured with and without fees and what is warned of, or why nothing is. */
  function taken(
    paidMinor: number | null,
    { held = balance, asked = null as number | null, changes = {}, stepMinor = 1 } = {},
  ) {
    const where = { property: { ...owned, ...changes }, booking: owing };
    const totals = paidMinor === null ? null : { ...NO_PAYMENTS, paidMinor };
    const paying = { row: held, card: visa };
    const decided = decideCapture(where, paying, asked, totals, { ...moment, stepMinor });
    if (!decided.ok) return decided.error.code;
    const { priced, warnings } = decided.value;
    return [priced.requestedMinor, priced.amountMinor, ...warnings];
  }

  test('is all of the hold where that is due, or where nobody read what is paid', () => {
    expect(taken(0)).toEqual([15_000, 15_498]);
    expect(taken(5_000)).toEqual([15_000, 15_498]);
    expect(taken(null)).toEqual([15_000, 15_498]);
  });

  test('is what is asked for, or what is due of that where the guard refuses more', () => {
    // (100.00 + 0.33) / 0.97 = 103.43…, and 103.44 for a cent more.
    expect(taken(5_000, { asked: 10_000 })).toEqual([10_000, 10_343]);
    expect(taken(10_000)).toEqual([10_000, 10_343]);
    expect(taken(9_999)).toEqual([10_001, 10_344]);
    expect(taken(20_000)).toBe('amount_exceeds_due');
  });

  test('is all of it where the guard only warns, with the warning', () => {
    const changes = { overchargeGuard: 'warn' };
    expect(taken(10_000, { changes })).toEqual([15_000, 15_498, 'exceeds_due']);
  });

  test('is warned of where a law has forbidden its fees since', () => {
    const changes = { overchargeGuard: 'warn', country: 'AU', feeLaw: 'warn' };
    const both = ['exceeds_due', 'surcharge_not_allowed'];
    expect(taken(10_000, { changes })).toEqual([15_000, 15_498, ...both]);
    expect(taken(0, { changes: { ...changes, feeLaw: 'enforce' } })).toEqual([15_000, 15_000]);
  });

  test('is nothing of a hold that cannot be captured, whatever is due', () => {
    const held = { ...balance, status: 'Released' } as const;
    expect(taken(0, { held })).toBe('invalid_state');
    expect(taken(20_000, { held })).toBe('invalid_state');
  });

  test('is nothing where the acquirer cannot take what is due of it', () => {
    const held = hold(15_005, 0, 5, { purpose: 'Balance' });
    expect(taken(0, { held, stepMinor: 10 })).toEqual([15_005, 15_010]);
    expect(taken(4_996, { held, stepMinor: 10 })).toBe('amount_precision');
  });

  test('does not end with a hold that has no end', () => {
    const held = hold(15_000, 0, 0, { expiresAtMs: null });
    expect(captured(held, null, EXPIRES_MS).ok).toBe(true);
  });

  test.each([
    ['it has ended', EXPIRES_MS, {}, 1, 'The pre-authorization has expired.'],
    ['it is gone', NOW_MS, { status: 'Released' }, 1, 'The pre-authorization is Released.'],
    ['it is too little', NOW_MS, {}, 15_001, 'The amount is more than was authorized.'],
  ] as const)('is refused with a reason where %s', (_what, atMs, changes, asked, detail) => {
    const refused = captured(hold(15_000, 0, 0, changes), asked, atMs);
    expect(refused.ok ? null : refused.error.detail).toBe(detail);
  });
});

describe('the failures about one transaction', () => {
  test('say which state it is in', () => {
    expect(wrongState('scheduled charge', { status: 'Accepted' })).toEqual({
      code: 'invalid_state',
      detail: 'The scheduled charge is Accepted.',
    });
  });

  test('say that no transaction has this id', () => {
    expect(TRANSACTION_NOT_FOUND.code).toBe('transaction_not_found');
  });
});

describe('the card of a transaction', () => {
  const plan = {
    status: 'Pending',
    cardNamed: false,
    cardToken: 'made-on',
    otherCard: null,
  } as const;
  const uses = { cardToken: 'in-use' };

  test.each<[string, Partial<CardChoice>, boolean, boolean]>([
    ['a schedule', {}, false, false],
    ['a schedule that names it', { cardNamed: true }, true, false],
    ['a schedule back on the card that it was made on', { otherCard: 'made-on' }, true, true],
    ['a schedule on a card before the one that it was made on', { otherCard: 'old' }, false, false],
    ['a schedule without a card', { cardToken: null }, false, false],
    ['a charge', { status: 'Accepted' }, true, false],
    ['a charge under way', { status: 'Processing' }, true, false],
  ])('is its own or the one in use: %s', (_what, changes, isOwn, isOther) => {
    const row = { ...plan, ...changes };
    expect(hasOwnCard(row)).toBe(isOwn);
    expect(isOnOtherCard(row)).toBe(isOther);
    expect(cardTokenNow(row, uses)).toBe(isOwn ? 'made-on' : 'in-use');
  });

  test.each([
    ['Pending', true],
    ['Authorized', true],
    ['Processing', true],
    ['Accepted', false],
    ['Declined', false],
    ['Failed', false],
    ['Cancelled', false],
    ['Released', false],
    ['Expired', false],
  ] as const)('is needed while it is %s: %s', (status, isNeeded) => {
    const row = { ...plan, status, cardNamed: true };
    expect(needsCard(row, uses, { token: 'made-on' })).toBe(isNeeded);
    expect(needsCard(row, uses, { token: 'in-use' })).toBe(false);
  });

  test('is needed by a schedule that would be charged on it', () => {
    expect(needsCard(plan, uses, { token: 'in-use' })).toBe(true);
    expect(needsCard(plan, uses, { token: 'made-on' })).toBe(false);
  });

  test('keeps the other one that it knows, where it has its own', () => {
    const named = transactionRow({ status: 'Pending', cardNamed: true, otherCard: null });
    expect(otherCardOf(named, amex)).toBeNull();
    const tried = transactionRow({ status: 'Pending', cardToken: 'made-on', otherCard: 'made-on' });
    expect(otherCardOf(tried, amex)).toBe('made-on');
  });

  test('is not the next to try where a former account keeps it', () => {
    const kept = cardRow('kept', { gatewayAccount: 'acct_old' });
    const row = transactionRow({ otherCard: 'kept' });
    const now = { ...state, cards: [visa, kept] };
    const before = { ...now, property: propertyRow({ merchantAccount: 'acct_old' }) };
    expect(cardToTryNext(now, row, NOW_MS)).toBeNull();
    expect(cardToTryNext(before, row, NOW_MS)).toBe('kept');
  });
});

describe('a payment whose outcome nobody knows', () => {
  test.each([
    ['a charge under way', 'Processing', 'charge', null, true],
    ['a hold under way', 'Processing', 'authorize', null, true],
    ['a charge under way whose end is asked for', 'Processing', 'charge', 1, true],
    ['a capture under way', 'Processing', 'capture', null, false],
    ['a release under way', 'Processing', 'release', 1, false],
    ['one that ended after its end was asked for', 'Declined', null, 1, true],
    ['one that was taken after its end was asked for', 'Accepted', null, 1, true],
    ['one that ended before', 'Declined', null, null, false],
    ['a hold that stands, though its end was asked for', 'Authorized', null, 1, false],
    ['a hold that stands', 'Authorized', null, null, false],
  ] as const)('is or was lost: %s', (_what, status, pendingOperation, unwantedSinceMs, lost) => {
    expect(isLost(transactionRow({ status, pendingOperation, unwantedSinceMs }))).toBe(lost);
  });
});

describe('what ends a hold or a schedule', () => {
  const ends = {
    'pre-authorization': {
      of: whyNotReleased,
      kind: 'authorization',
      until: 'Authorized',
      to: 'Released',
    },
    'scheduled charge': {
      of: whyNotCancelled,
      kind: 'schedule',
      until: 'Pending',
      to: 'Cancelled',
    },
  } as const;
  const cases = Object.entries(ends).map(([what, end]) => ({ what, ...end }));

  test.each(cases)(
    'ends a $what once and again, and while it is lost',
    ({ of, kind, until, to }) => {
      expect(of(transactionRow({ ...SETTLED, kind, status: until }))).toBeNull();
      expect(of(transactionRow({ ...SETTLED, kind, status: to }))).toBeNull();
      expect(of(transactionRow({ kind }))).toBeNull();
      const wished = transactionRow({ ...SETTLED, kind, status: 'Declined', unwantedSinceMs: 1 });
      expect(of(wished)).toBeNull();
    },
  );

  test.each(cases)('is refused of a $what that ended otherwise', ({ what, of, kind }) => {
    for (const status of ['Accepted', 'Declined', 'Failed'] as const) {
      const detail = `The ${what} is ${status}.`;
      const refused = of(transactionRow({ ...SETTLED, kind, status }));
      expect(refused).toEqual({ code: 'invalid_state', detail });
    }
    const under = transactionRow({ kind, pendingOperation: 'capture' });
    expect(of(under)?.detail).toBe(`The ${what} is Processing.`);
  });

  test.each([
    ['a pre-authorization', whyNotReleased, 'schedule', 'Released'],
    ['a pre-authorization', whyNotReleased, 'charge', 'Authorized'],
    ['a scheduled charge', whyNotCancelled, 'authorization', 'Cancelled'],
    ['a scheduled charge', whyNotCancelled, 'charge', 'Pending'],
  ] as const)('is refused of what is not %s, whatever its state', (what, of, kind, status) => {
    const detail = `This transaction is not ${what}.`;
    expect(of(transactionRow({ kind, status }))).toEqual({ code: 'invalid_state', detail });
  });
});

describe('the time of a schedule', () => {
  test.each([
    ['is that of its next try', { dueAtMs: 3, scheduledAtMs: 2, createdAtMs: 1 }, 3],
    [
      'is the one that was asked for, where none is due',
      { dueAtMs: null, scheduledAtMs: 2, createdAtMs: 1 },
      2,
    ],
    [
      'is when it was made, where none was asked for',
      { dueAtMs: null, scheduledAtMs: null, createdAtMs: 1 },
      1,
    ],
    [
      'is that of its next try, where none was asked for',
      { dueAtMs: 3, scheduledAtMs: null, createdAtMs: 1 },
      3,
    ],
  ])('%s', (_what, row, atMs) => {
    expect(dueTimeOf(row)).toBe(atMs);
  });
});

describe('a guest who pays what a cancellation kept', () => {
  test('has their time at the bank, unless they stopped it', () => {
    const booking = bookedRow({ status: 'cancelled', pendingCancelledVersion: 5, version: 5 });
    const guest = { initiator: 'guest', bankAskedAtMs: null, unwantedSinceMs: null } as const;
    const untilMs = (row: object) =>
      bankStepUntilMs({ booking }, { ...guest, bookingVersion: 5, ...row }, NOW_MS);
    expect(untilMs({})).toBe(NOW_MS + 30 * 60_000);
    expect(untilMs({ bookingVersion: 4 })).toBe(NOW_MS);
    expect(untilMs({ unwantedSinceMs: 1 })).toBe(NOW_MS);
  });
});
