import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { DAY_MS } from '../../src/core/time.ts';
import { type DecidedCharge, decideCharge } from '../../src/money/payments/rules/decideCharge.ts';
import { newTransaction } from '../../src/money/payments/rules/newTransaction.ts';
import {
  type QuoteFacts,
  type QuoteRequest,
  quotePayment,
  withDescribedCard,
} from '../../src/money/payments/rules/quotePayment.ts';
import { repriced } from '../../src/money/pricing/repricing.ts';
import type { CardRow } from '../../src/schema/cardTables.ts';
import type { FeeRule, PropertyRow } from '../../src/schema/propertyTables.ts';
import { isLong } from '../support/long.ts';
import { NO_PAYMENTS } from '../support/noPayments.ts';
import { bookedRow, cardRow, propertyRow } from './rows.ts';

const RUNS = isLong ? 10_000 : 1_000;

/** Around the day on which Australia's law begins. */
const NOW_MS = Date.parse('2026-09-29T14:00:00Z');

const brand = fc.constantFrom('visa', 'mastercard', 'amex', 'eftpos');
const funding = fc.constantFrom('credit', 'debit', 'prepaid', 'unknown');
const country = fc.constantFrom('AU', 'GB', 'DE', 'US');
const purpose = fc.constantFrom('Deposit', 'Balance', 'Bond', 'Manual');
const around = fc
  .integer({ min: -3, max: 3 })
  .map((days) => new Date(NOW_MS + days * DAY_MS).toISOString());
const some = <T>(of: fc.Arbitrary<T>) =>
  fc.option(fc.array(of, { minLength: 1, maxLength: 3 }), { nil: undefined });

const rule: fc.Arbitrary<FeeRule> = fc.record({
  brands: some(brand),
  funding: some(funding),
  issuerCountries: some(country),
  transactionTypes: some(purpose),
  basisPoints: fc.integer({ min: 0, max: 5_000 }),
  method: fc.constantFrom('grossUp', 'add'),
  transactionFeeMinor: fc.integer({ min: 0, max: 500 }),
  maximumMinor: fc.option(fc.integer({ min: 0, max: 2_000 }), { nil: undefined }),
  from: fc.option(around, { nil: undefined }),
  until: fc.option(around, { nil: undefined }),
});

const property = fc
  .record({
    currency: fc.constantFrom('AUD', 'JPY', 'KWD'),
    cardFeeBasisPoints: fc.integer({ min: 0, max: 5_000 }),
    cardFeeByBrand: fc.dictionary(brand, fc.integer({ min: 0, max: 5_000 })),
    transactionFeeMinor: fc.integer({ min: 0, max: 500 }),
    feeRules: fc.array(rule, { maxLength: 4 }),
    country: fc.option(country),
    feeLaw: fc.constantFrom(null, 'off', 'warn', 'enforce'),
    overchargeGuard: fc.constantFrom('off', 'warn', 'refuse'),
  })
  .map(propertyRow);

const card = fc
  .record({
    brand,
    funding,
    issuerCountry: fc.option(country),
    expiryYear: fc.constantFrom(2026, 2030),
  })
  .map((traits) => cardRow('aa'.repeat(16), { ...traits, expiryMonth: 10 }));

const payment = fc.record({
  kind: fc.constantFrom<QuoteRequest['kind'][]>('charge', 'authorization', 'schedule'),
  purpose,
  requestedMinor: fc.integer({ min: 1, max: 2_000_000 }),
  virtualCard: fc.boolean(),
  daysAhead: fc.integer({ min: 1, max: 60 }),
});

const facts = fc.record({
  totalCostMinor: fc.constantFrom(0, 60_000, 2_000_000),
  paidMinor: fc.integer({ min: 0, max: 60_000 }),
  uncertainMinor: fc.integer({ min: 0, max: 1_000 }),
  scheduledMinor: fc.constantFrom(0, 30_000, 2_000_000),
  waivedMinor: fc.constantFrom(0, 10_000),
  stepMinor: fc.constantFrom(1, 10),
});

type Asked = typeof payment extends fc.Arbitrary<infer T> ? T : never;
type Known = typeof facts extends fc.Arbitrary<infer T> ? T : never;

/** A booking that uses a card, a request for a payment of it, and what decides both its quote and itself. */
function circumstances(owner: PropertyRow, paying: CardRow, asked: Asked, known: Known) {
  const { kind, daysAhead, ...rest } = asked;
  const { stepMinor, totalCostMinor, ...sums } = known;
  const totals = { ...NO_PAYMENTS, ...sums };
  const { currency } = owner;
  const booking = bookedRow({ cardToken: paying.token, totalCostMinor, currency });
  const atMs = kind === 'schedule' ? NOW_MS + daysAhead * DAY_MS : NOW_MS;
  return {
    state: { property: owner, booking, cards: [paying] },
    request: { ...rest, kind, currency, description: null, cardToken: null, atMs },
    requestedCard: null,
    totals,
    nowMs: NOW_MS,
    stepMinor,
  };
}

type Circumstances = ReturnType<typeof circumstances>;

function decisionOf({ request, ...read }: Circumstances) {
  const asked = { ...request, limitToDue: false, time: null, agreedMinor: null };
  return decideCharge(asked, { ...read, quoted: null, duplicate: null });
}

/** The row of a decided payment, as it is charged. */
function chargedRow({ state, request, stepMinor }: Circumstances, decided: DecidedCharge) {
  const { atMs, kind } = request;
  const time = kind === 'charge' ? null : { text: new Date(atMs).toISOString(), atMs };
  const transactionReference = 'ab'.repeat(16);
  const row = newTransaction(
    {
      ...request,
      limitToDue: false,
      replaces: [],
      lowers: null,
      initiator: 'property',
      returnBase: null,
      replacesCharge: null,
      transactionReference,
      time,
    },
    {
      state,
      decided,
      gateway: 'sandbox',
      id: 2,
      nowMs: NOW_MS,
      idempotencyKey: null,
      quoteId: null,
    },
  );
  const fires = kind === 'schedule';
  return fires
    ? { ...row, ...repriced(state.property, decided.card, row, { atMs, stepMinor }) }
    : row;
}

describe('a quote', () => {
  it('is what the payment comes to, and refuses what that refuses', () => {
    fc.assert(
      fc.property(property, card, payment, facts, (owner, paying, asked, known) => {
        const all = circumstances(owner, paying, asked, known);
        const quote = quotePayment(all.request, all);
        const decided = decisionOf(all);
        if (!quote.ok) {
          expect(decided).toEqual(quote);
          return;
        }
        expect(quote.value.refusal).toEqual(decided.ok ? null : decided.error);
        if (!decided.ok) return;
        const charged = chargedRow(all, decided.value);
        expect(charged).toMatchObject(quote.value.priced);
        const ofPrice = quote.value.warnings.filter((one) => !one.startsWith('card_expires'));
        expect(ofPrice).toEqual(charged.warnings);
      }),
      { numRuns: RUNS },
    );
  });
});

describe('what a quote says', () => {
  const atMs = NOW_MS + 40 * DAY_MS;
  const visa = cardRow('visa-card');
  const owner = propertyRow({ cardFeeBasisPoints: 300, cardFeeByBrand: { visa: 500 } });
  const booking = bookedRow({ cardToken: 'visa-card', totalCostMinor: 20_000 });
  const state = { property: owner, booking, cards: [visa] };
  const request: QuoteRequest = {
    kind: 'charge',
    purpose: 'Balance',
    requestedMinor: 9_500,
    currency: 'AUD',
    virtualCard: false,
    description: null,
    cardToken: null,
    atMs: NOW_MS,
  };
  const scheduled = { kind: 'schedule', atMs } as const;
  const read: QuoteFacts<CardRow> = {
    state,
    requestedCard: null,
    totals: NO_PAYMENTS,
    nowMs: NOW_MS,
    stepMinor: 1,
  };

  /** The quote's amount with fees, refusal and warnings. */
  function said(asked: Partial<QuoteRequest> = {}, known: Partial<QuoteFacts<CardRow>> = {}) {
    const quote = quotePayment({ ...request, ...asked }, { ...read, ...known });
    if (!quote.ok) throw new Error(quote.error.code);
    const { priced, refusal, warnings } = quote.value;
    return [priced.amountMinor, refusal?.code ?? null, ...warnings];
  }

  it('is what is due before and after', () => {
    const totals = { ...NO_PAYMENTS, paidMinor: 1_000 };
    expect(quotePayment(request, { ...read, totals })).toMatchObject({
      value: { dueBeforeMinor: 19_000, dueAfterMinor: 9_500 },
    });
  });

  it('is the price on the named card, the one in use, or none that anybody knows', () => {
    // 95.00 / 0.95 = 100.00, and 95.00 / 0.97 = 97.938…
    expect(said()).toEqual([10_000, null]);
    const amex = cardRow('amex-card', { brand: 'amex' });
    expect(said({ cardToken: 'amex-card' }, { requestedCard: amex })).toEqual([9_794, null]);
    expect(said({}, { state: { ...state, cards: [] } })).toEqual([9_794, 'no_card']);
  });

  it('warns of nothing where the payment is refused for its booking', () => {
    const totals = { ...NO_PAYMENTS, paidMinor: 20_000 };
    const none = { totals, state: { ...state, cards: [] } };
    expect(said({}, { totals })).toEqual([10_000, null, 'exceeds_due']);
    expect(said({}, none)).toEqual([9_794, 'no_card']);
  });

  it.each<[string, Partial<QuoteRequest>, Partial<QuoteFacts<CardRow>>, boolean]>([
    ['ends before the schedule', { ...scheduled, atMs: Date.UTC(2026, 11, 1) }, {}, true],
    ['ends after the schedule', scheduled, {}, false],
    [
      'is named and ends before',
      { ...scheduled, cardToken: 'old' },
      { requestedCard: cardRow('old', { expiryMonth: 10 }) },
      true,
    ],
    [
      'is not there',
      { ...scheduled, atMs: Date.UTC(2026, 11, 1) },
      { state: { ...state, cards: [] } },
      false,
    ],
    ['ends before a hold does', { kind: 'authorization', atMs: Date.UTC(2026, 11, 1) }, {}, false],
    [
      'has ended, of a charge',
      {},
      { state: { ...state, cards: [cardRow('visa-card', { expiryMonth: 8 })] } },
      false,
    ],
  ])('warns of a card that %s', (_what, asked, known, warns) => {
    expect(said(asked, known).includes('card_expires_before_scheduled_time')).toBe(warns);
  });

  describe('of a virtual card', () => {
    const virtual = {
      activeFromMs: atMs - DAY_MS,
      activeUntilMs: null,
      limitMinor: null,
      channel: null,
      autoCharge: false,
    };
    const known = {
      state: { ...state, cards: [cardRow('visa-card', { virtual, expiryYear: 2030 })] },
    };

    it('is without fees, whether or not the request says what card it is', () => {
      expect(said({}, known)).toEqual([9_500, 'virtual_card_not_active']);
      expect(said({ virtualCard: true })).toEqual([9_500, null]);
    });

    it('goes by when the schedule is charged', () => {
      expect(said(scheduled, known)).toEqual([9_500, null]);
      expect(said({ ...scheduled, atMs: atMs - 2 * DAY_MS }, known)).toEqual([
        9_500,
        'virtual_card_not_active',
      ]);
    });
  });

  describe('of a card that is only described', () => {
    it('takes from the one in use what is not described', () => {
      const debit = cardRow('visa-card', { funding: 'debit', issuerCountry: 'NZ' });
      const used = { ...state, cards: [debit] };
      const traits = { brand: 'visa', funding: 'debit', issuerCountry: 'NZ' };
      expect(withDescribedCard(used, {}).cards).toEqual([expect.objectContaining(traits)]);
      expect(withDescribedCard(used, { brand: 'amex' }).cards).toEqual([
        expect.objectContaining({ ...traits, brand: 'amex' }),
      ]);
    });

    it('may be charged, as the card that the booking uses, and is not virtual', () => {
      const moved = { ...state, property: propertyRow({ merchantAccount: 'acct_new' }) };
      const described = withDescribedCard({ ...moved, cards: [] }, { brand: 'amex' });
      const quote = quotePayment(request, { ...read, state: described });
      expect(quote).toMatchObject({ ok: true, value: { refusal: null, warnings: [] } });
      expect(described.cards).toEqual([
        expect.objectContaining({ funding: 'unknown', issuerCountry: null, virtual: null }),
      ]);
    });
  });
});
