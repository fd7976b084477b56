import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { DAY_MS } from '../../src/core/time.ts';
import { type DecidedCharge, decideCharge } from '../../src/money/payments/rules/decideCharge.ts';
import { newTransaction } from '../../src/money/payments/rules/newTransaction.ts';
import { type QuoteRequest, quotePayment } from '../../src/money/payments/rules/quotePayment.ts';
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
