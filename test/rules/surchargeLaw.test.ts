import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { MAX_AMOUNT_MINOR } from '../../src/core/money.ts';
import { priceCapture } from '../../src/money/payments/rules/decideCapture.ts';
import { type PricedCharge, priceCharge, priceUnderLaw } from '../../src/money/pricing/fees.ts';
import { repriced } from '../../src/money/pricing/repricing.ts';
import type { FeeTerms, PayingCard } from '../../src/records/properties/rules/feeTerms.ts';
import { mayTakeMore, unlawfulFees } from '../../src/records/properties/rules/lawfulFees.ts';
import {
  allowedFeesMinor,
  lawOn,
  SURCHARGE_LAWS,
  type SurchargeLaw,
} from '../../src/records/properties/rules/surchargeLaw.ts';
import { feeLawOf } from '../../src/records/properties/rules.ts';
import { cards } from '../../src/schema/cardTables.ts';
import { transactions } from '../../src/schema/moneyTables.ts';
import type { FeeRule } from '../../src/schema/propertyTables.ts';
import { feeTerms, propertyRow, SETTLED, transactionRow } from './rows.ts';

const visa: PayingCard = { brand: 'visa', funding: 'credit', issuerCountry: 'AU' };
const amex: PayingCard = { ...visa, brand: 'amex' };

/** Midnight in Sydney, before daylight saving. */
const BAN_MS = Date.parse('2026-09-30T14:00:00Z');
const BEFORE = { atMs: BAN_MS - 1_000, stepMinor: 1 };
const AFTER = { atMs: BAN_MS + 1_000, stepMinor: 1 };

describe('the law', () => {
  test('of Australia allows the cost until a second before midnight in Sydney, then nothing', () => {
    for (const brand of ['visa', 'mastercard', 'maestro', 'eftpos', 'eftpos_au']) {
      for (const funding of cards.funding.enumValues) {
        for (const issuerCountry of ['AU', 'US', null]) {
          const card = { brand, funding, issuerCountry };
          expect(lawOn('AU', card, BAN_MS - 1_000)?.allowed).toBe('cost');
          expect(lawOn('AU', card, BAN_MS)).toMatchObject({
            jurisdiction: 'AU',
            since: '2026-10-01T00:00:00+10:00',
            allowed: 'none',
            source: expect.stringMatching(/Reserve Bank/),
          });
        }
      }
    }
    expect(lawOn('AU', amex, BAN_MS)).toBeNull();
  });

  test.each([
    ['GB', 'GB', '2018-01-13T00:00:00Z'],
    ['FR', 'EEA', '2018-01-12T23:00:00Z'],
    ['NO', 'EEA', '2018-01-12T23:00:00Z'],
  ])(
    'of %s allows nothing on consumers’ Visa and Mastercard since 2018',
    (country, whose, start) => {
      for (const brand of ['visa', 'mastercard']) {
        for (const issuerCountry of ['US', 'DE', null]) {
          const card = { brand, funding: 'unknown', issuerCountry } as const;
          expect(lawOn(country, card, Date.parse(start))).toMatchObject({
            jurisdiction: whose,
            allowed: 'none',
          });
          expect(lawOn(country, card, Date.parse(start) - 1)).toBeNull();
        }
      }
    },
  );

  test.each(['amex', 'jcb', 'eftpos', 'unknown'])(
    'forbids a fee on %s where a country goes beyond the Union’s rule',
    (brand) => {
      const card = { ...visa, brand };
      expect(lawOn('GB', card, AFTER.atMs)).toMatchObject({ jurisdiction: 'GB', allowed: 'none' });
      expect(lawOn('BE', card, AFTER.atMs)).toMatchObject({ jurisdiction: 'BE', allowed: 'none' });
      expect(lawOn('IT', card, AFTER.atMs)).toMatchObject({ jurisdiction: 'IT', allowed: 'none' });
      expect(lawOn('DE', card, AFTER.atMs)).toBeNull();
      expect(lawOn('BE', card, Date.parse('2018-08-08T21:59:59Z'))).toBeNull();
    },
  );

  test('of a country that spares no brand judges the fees of any brand', () => {
    const judged = (cardFeeByBrand: Record<string, number>) =>
      unlawfulFees(
        propertyRow({ country: 'GB', feeLaw: 'enforce', cardFeeBasisPoints: 0, cardFeeByBrand }),
        AFTER.atMs,
      );
    expect(judged({})).toBeNull();
    expect(judged({ amex: 300 })).toMatchObject({ code: 'surcharge_not_allowed' });
  });

  test('of the EEA counts 27 states of the Union and three more', () => {
    const eea = SURCHARGE_LAWS.find(({ jurisdiction }) => jurisdiction === 'EEA');
    expect(new Set(eea?.countries).size).toBe(30);
    expect(eea?.countries).toEqual(expect.arrayContaining(['DE', 'IE', 'IS', 'LI', 'NO', 'HR']));
    expect(eea?.countries).not.toEqual(expect.arrayContaining(['CH']));
  });

  test.each([null, 'US', 'CH', 'NZ'])('is not known of %s', (country) => {
    expect(lawOn(country, visa, AFTER.atMs)).toBeNull();
  });

  test('is complete, and each has a date that exists', () => {
    for (const law of SURCHARGE_LAWS) {
      expect(law.source).toMatch(/.{20}/);
      expect(law.since).toMatch(/^\d{4}-\d\d-\d\dT00:00:00[+-]\d\d:00$/);
      expect(Date.parse(law.since)).toBeGreaterThan(0);
    }
  });

  test('may be about a funding or the issuer’s region', () => {
    const law = lawOf(1, { funding: ['credit'], issuerRegion: ['NZ'] });
    const card = { ...visa, issuerCountry: 'NZ' };
    expect(lawOn('NZ', card, 1, [law])).toBe(law);
    expect(lawOn('NZ', { ...card, funding: 'debit' }, 1, [law])).toBeNull();
    expect(lawOn('NZ', { ...card, issuerCountry: null }, 1, [law])).toBeNull();
    expect(lawOn('NZ', visa, 1, [law])).toBeNull();
  });

  test('allows at most so much of an amount', () => {
    expect(allowedFeesMinor('none', 10_000)).toBe(0);
    expect(allowedFeesMinor('cost', 10_000)).toBeNull();
    expect(allowedFeesMinor(3, 10_000)).toBe(300);
    expect(allowedFeesMinor(3, 10_033)).toBe(300);
    expect(allowedFeesMinor(1.15, 10_000)).toBe(115);
    expect(allowedFeesMinor(3, MAX_AMOUNT_MINOR)).toBe(2_999_999_999);
  });

  test('is warned of by default where the country is known', () => {
    expect(feeLawOf({ country: null, feeLaw: null })).toBe('off');
    expect(feeLawOf({ country: 'AU', feeLaw: null })).toBe('warn');
    expect(feeLawOf({ country: 'AU', feeLaw: 'off' })).toBe('off');
    expect(feeLawOf({ country: 'AU', feeLaw: 'enforce' })).toBe('enforce');
  });
});

function lawOf(
  percent: SurchargeLaw['allowed'],
  changes: Partial<SurchargeLaw> = {},
): SurchargeLaw {
  return {
    jurisdiction: 'NZ',
    countries: ['NZ'],
    since: '1970-01-01T00:00:00+00:00',
    brands: ['visa'],
    funding: 'any',
    issuerRegion: 'any',
    allowed: percent,
    source: 'A law of this test',
    ...changes,
  };
}

const charge: PricedCharge = { requestedMinor: 45_000, purpose: 'Balance', virtualCard: false };
const dear = { country: 'AU', cardFeeBasisPoints: 300, transactionFeeMinor: 33 } as const;

describe('a charge under the law', () => {
  test.each(['off', 'warn', 'enforce'] as const)('that is %s', (feeLaw) => {
    const property = propertyRow({ ...dear, feeLaw });
    const before = priceCharge(property, visa, charge, BEFORE);
    expect(before).toMatchObject({ value: { priced: { amountMinor: 46_426 }, warnings: [] } });
    const after = priceCharge(property, visa, charge, AFTER);
    expect(after).toMatchObject({
      value: {
        priced: { requestedMinor: 45_000, amountMinor: feeLaw === 'enforce' ? 45_000 : 46_426 },
        warnings: feeLaw === 'warn' ? ['surcharge_not_allowed'] : [],
        law: { jurisdiction: 'AU' },
        rule: null,
      },
    });
    const other = priceCharge(property, amex, charge, AFTER);
    expect(other).toMatchObject({
      value: { priced: { amountMinor: 46_426 }, warnings: [], law: null },
    });
  });

  test('has nothing to warn of where there is no fee', () => {
    const property = propertyRow({ ...dear, feeLaw: 'warn' });
    const virtual = { ...charge, virtualCard: true };
    expect(priceCharge(property, visa, virtual, AFTER)).toMatchObject({ value: { warnings: [] } });
    const tiny = { ...property, transactionFeeMinor: 0 };
    const cent = { ...charge, requestedMinor: 1 };
    expect(priceCharge(tiny, visa, cent, AFTER)).toMatchObject({ value: { warnings: [] } });
  });

  test('that takes only multiples of a step is refused where the fee carried the difference', () => {
    const property = propertyRow({ ...dear, feeLaw: 'enforce' });
    const odd = { ...charge, requestedMinor: 45_001 };
    const stepped = { ...AFTER, stepMinor: 10 };
    expect(priceCharge(property, visa, odd, stepped)).toMatchObject({
      error: { code: 'amount_precision' },
    });
    expect(priceCharge(property, visa, charge, stepped)).toMatchObject({
      value: { priced: { amountMinor: 45_000 } },
    });
  });

  test('that limits a share takes that share at most', () => {
    const laws = [lawOf(3)];
    const property = propertyRow({ country: 'NZ', feeLaw: 'enforce' });
    const gross = feeTerms({ cardFeeBasisPoints: 300 });
    const moment = { ...AFTER, laws };
    expect(priceUnderLaw(property, visa, 10_000, gross, moment)).toMatchObject({
      value: {
        priced: { amountMinor: 10_300, cardFeeMinor: 300, transactionFeeMinor: 0 },
        terms: { cardFeeBasisPoints: 300, method: 'add', maximumMinor: 300 },
      },
    });
    const added = { ...gross, method: 'add' } as const;
    expect(priceUnderLaw(property, visa, 10_000, added, moment)).toMatchObject({
      value: { priced: { amountMinor: 10_300 }, terms: added },
    });
    const fixed = { ...added, transactionFeeMinor: 1 };
    expect(priceUnderLaw(property, visa, 10_000, fixed, moment)).toMatchObject({
      value: { priced: { amountMinor: 10_300, transactionFeeMinor: 0 } },
    });
    const warns = { ...property, feeLaw: 'warn' } as const;
    expect(priceUnderLaw(warns, visa, 10_000, fixed, moment)).toMatchObject({
      value: { priced: { amountMinor: 10_301 }, warnings: ['surcharge_not_allowed'] },
    });
  });
});

const someOf = <T>(values: readonly T[]) =>
  fc.option(fc.subarray([...values], { minLength: 1 }), { nil: undefined });

const anyRule: fc.Arbitrary<FeeRule> = fc.record({
  brands: someOf(['visa', 'mastercard', 'amex', 'eftpos']),
  funding: someOf(cards.funding.enumValues),
  issuerCountries: someOf(['AU', 'DE', 'US']),
  transactionTypes: someOf(transactions.purpose.enumValues),
  basisPoints: fc.oneof(fc.constant(0), fc.nat(5_000)),
  method: fc.constantFrom('grossUp', 'add'),
  transactionFeeMinor: fc.oneof(fc.constant(0), fc.nat(500)),
  maximumMinor: fc.option(fc.nat(2_000), { nil: undefined }),
  from: fc.constantFrom(undefined, '2026-09-01T00:00:00Z', '2026-11-01T00:00:00Z'),
  until: fc.constantFrom(undefined, '2026-10-01T00:00:00+10:00', '2027-01-01T00:00:00Z'),
});

const anyProperty = fc.record({
  cardFeeBasisPoints: fc.oneof(fc.constant(0), fc.nat(5_000)),
  transactionFeeMinor: fc.oneof(fc.constant(0), fc.nat(500)),
  cardFeeByBrand: fc.constantFrom({}, { visa: 0, mastercard: 0, maestro: 0, eftpos: 0 }),
  feeRules: fc.array(anyRule, { maxLength: 4 }),
  country: fc.constantFrom('AU', 'GB', 'DE', 'US', 'NZ'),
  currency: fc.constantFrom('AUD', 'JPY', 'KWD'),
});

const anyCard: fc.Arbitrary<PayingCard> = fc.record({
  brand: fc.constantFrom('visa', 'mastercard', 'maestro', 'eftpos', 'amex', 'unknown'),
  funding: fc.constantFrom(...cards.funding.enumValues),
  issuerCountry: fc.constantFrom('AU', 'DE', 'US', 'FR', null),
});

const anyCharge = fc.record({
  requestedMinor: fc.oneof(fc.nat(50), fc.nat(MAX_AMOUNT_MINOR - 1)).map((minor) => minor + 1),
  purpose: fc.constantFrom(...transactions.purpose.enumValues),
  virtualCard: fc.boolean(),
});

const anyMoment = fc.constantFrom(
  ...['2026-08-01', '2026-09-20', '2026-10-01', '2026-12-01', '2027-02-01'].map(Date.parse),
);

const anyLaws = fc
  .option(fc.constantFrom(0.5, 1.15, 3))
  .map((percent) => [...SURCHARGE_LAWS, ...(percent === null ? [] : [lawOf(percent)])]);

describe('whoever enforces the law', () => {
  test('never takes more than it allows, of any amount on any card by any rules', () => {
    const steps = fc.constantFrom(1, 10);
    fc.assert(
      fc.property(anyProperty, anyCard, anyCharge, anyMoment, anyLaws, steps, (...drawn) => {
        const [settings, card, asked, atMs, laws, stepMinor] = drawn;
        const property = propertyRow({ ...settings, feeLaw: 'enforce' });
        const price = priceCharge(property, card, asked, { atMs, stepMinor, laws });
        const code = price.ok ? null : price.error.code;
        expect(code === null || (code === 'amount_precision' && stepMinor > 1)).toBe(true);
        if (!price.ok) return;
        const { requestedMinor, amountMinor } = price.value.priced;
        expect(requestedMinor).toBe(asked.requestedMinor);
        const law = lawOn(property.country, card, atMs, laws);
        const most = law && allowedFeesMinor(law.allowed, requestedMinor);
        if (most !== null) expect(amountMinor - requestedMinor).toBeLessThanOrEqual(most);
        if (law?.allowed === 'none') expect(amountMinor).toBe(requestedMinor);
        expect(price.value.warnings).toEqual([]);
      }),
      { numRuns: 500 },
    );
  });

  test('has nothing to lower, now and later, if the settings were found lawful', () => {
    let lawful = 0;
    fc.assert(
      fc.property(anyProperty, anyCard, anyCharge, anyMoment, anyLaws, (...drawn) => {
        const [settings, card, asked, atMs, laws] = drawn;
        const property = propertyRow({ ...settings, feeLaw: 'enforce' });
        if (unlawfulFees(property, Date.parse('2026-08-01'), laws) !== null) return;
        const moment = { atMs, stepMinor: 1, laws };
        const free = priceCharge({ ...property, feeLaw: 'off' }, card, asked, moment);
        expect(priceCharge(property, card, asked, moment)).toEqual(free);
        lawful += 1;
      }),
      { numRuns: 500 },
    );
    expect(lawful).toBeGreaterThan(20);
  });
});

describe('the fees of a property that enforces the law', () => {
  const own = { country: 'AU', feeLaw: 'enforce' } as const;
  const nowMs = Date.parse('2026-08-01T00:00:00Z');
  const rule = (changes: Partial<FeeRule>): FeeRule => ({
    basisPoints: 300,
    method: 'grossUp',
    transactionFeeMinor: 0,
    ...changes,
  });
  const lawfulOnes: [string, Parameters<typeof propertyRow>[0]][] = [
    ['none', {}],
    ['a rate of a brand without a law', { cardFeeByBrand: { amex: 500 } }],
    ['rates of a country without a law', { ...dear, country: 'US' }],
    [
      'a rule that ends as the law begins',
      { feeRules: [rule({ until: '2026-10-01T00:00:00+10:00' })] },
    ],
    [
      'rates behind a rule for the brands of the law',
      {
        ...dear,
        feeRules: [rule({ brands: ['visa', 'mastercard', 'maestro', 'eftpos'], basisPoints: 0 })],
      },
    ],
    ['a rate that is capped at nothing', { feeRules: [rule({ maximumMinor: 0 })] }],
  ];
  test.each(lawfulOnes)('are lawful: %s', (_name, changes) => {
    expect(unlawfulFees(propertyRow({ ...own, ...changes }), nowMs)).toBeNull();
  });

  const unlawfulOnes: [string, Parameters<typeof propertyRow>[0]][] = [
    ['a rate', { cardFeeBasisPoints: 1 }],
    ['a rate of a brand', { cardFeeByBrand: { eftpos: 20 } }],
    ['a fixed fee', { transactionFeeMinor: 1 }],
    ['a rule', { feeRules: [rule({ brands: ['visa'], funding: ['debit'] })] }],
    ['a rule for one country', { feeRules: [rule({ issuerCountries: ['NZ'] })] }],
    ['a rule for one type', { feeRules: [rule({ transactionTypes: ['Bond'] })] }],
    ['a rule that begins later', { feeRules: [rule({ from: '2027-01-01T00:00:00Z' })] }],
    ['a rule that ends too late', { feeRules: [rule({ until: '2026-10-01T00:00:01+10:00' })] }],
    [
      'rates after a rule ends',
      { ...dear, feeRules: [rule({ basisPoints: 0, until: '2027-01-01T00:00:00Z' })] },
    ],
    [
      'rates behind a rule for some countries',
      { ...dear, feeRules: [rule({ basisPoints: 0, issuerCountries: ['AU'] })] },
    ],
  ];
  test.each(unlawfulOnes)('are not: %s', (_name, changes) => {
    const property = propertyRow({ ...own, ...changes });
    expect(unlawfulFees(property, nowMs)).toMatchObject({
      code: 'surcharge_not_allowed',
      detail: expect.stringMatching(/^[A-Z].*\.$/),
      members: {
        jurisdiction: 'AU',
        since: '2026-10-01T00:00:00+10:00',
        source: expect.stringContaining('Reserve Bank of Australia'),
      },
    });
    for (const feeLaw of ['off', 'warn', null] as const) {
      expect(unlawfulFees({ ...property, feeLaw }, nowMs)).toBeNull();
    }
  });

  const inNz = (changes: Parameters<typeof propertyRow>[0]) =>
    propertyRow({ country: 'NZ', feeLaw: 'enforce', ...changes });
  const noneFor = (changes: Partial<SurchargeLaw>) => lawOf('none', changes);

  test.each<[string, Parameters<typeof propertyRow>[0], SurchargeLaw[]]>([
    ['of a funding only', { cardFeeBasisPoints: 1 }, [noneFor({ funding: ['debit'] })]],
    [
      'of a funding, and another of any',
      { cardFeeBasisPoints: 1 },
      [noneFor({ funding: ['debit'] }), lawOf('cost', { brands: ['amex'] })],
    ],
    ['of cards of a region only', { cardFeeBasisPoints: 1 }, [noneFor({ issuerRegion: ['FJ'] })]],
    [
      'that a rule for a funding breaks, before one for all',
      { feeRules: [rule({ funding: ['debit'] }), rule({ basisPoints: 0 })] },
      [noneFor({})],
    ],
    [
      'that a rule for a type breaks, before one for all',
      { feeRules: [rule({ transactionTypes: ['Bond'] }), rule({ basisPoints: 0 })] },
      [noneFor({})],
    ],
  ])('are not under a law %s', (_name, changes, laws) => {
    expect(unlawfulFees(inNz(changes), nowMs, laws)?.code).toBe('surcharge_not_allowed');
  });

  test('are judged from now on, not by rules that ended', () => {
    const from = '2025-01-01T00:00:00Z';
    const judged = (until: string) =>
      unlawfulFees(inNz({ feeRules: [rule({ from, until })] }), nowMs, [noneFor({})]);
    expect(judged('2026-07-31T23:59:59Z')).toBeNull();
    expect(judged('2026-08-01T00:00:00Z')).toBeNull();
    expect(judged('2026-08-01T00:00:01Z')?.code).toBe('surcharge_not_allowed');
  });

  test('are refused by the law that they break first, with what that allows', () => {
    const later = noneFor({ since: '2027-05-01T00:00:00+12:00' });
    const sooner = lawOf(1.5, { since: '2027-03-01T00:00:00+13:00' });
    const judged = (basisPoints: number) =>
      unlawfulFees(inNz({ cardFeeBasisPoints: basisPoints }), nowMs, [later, sooner]);
    expect(judged(300)).toMatchObject({
      detail: expect.stringContaining('does not allow more than 1.5 % fee'),
      members: { since: sooner.since },
    });
    expect(judged(100)).toMatchObject({
      detail: expect.stringContaining('does not allow any fee'),
      members: { since: later.since },
    });
  });

  const terms = (bp: number, changes: Partial<FeeTerms> = {}) =>
    feeTerms({ cardFeeBasisPoints: bp, ...changes });
  test.each<[string, FeeTerms, SurchargeLaw['allowed'], boolean]>([
    ['3 % grossed up is 3.093 %', terms(300), 3, true],
    ['3 % grossed up is within 3.1 %', terms(300), 3.1, false],
    ['3 % grossed up exceeds 3.09 %', terms(300), 3.09, true],
    ['2.91 % grossed up is within 3 %', terms(291), 3, false],
    ['2.92 % grossed up exceeds 3 %', terms(292), 3, true],
    ['3 % added is 3 %', terms(300, { method: 'add' }), 3, false],
    ['a fixed fee exceeds a share of little', terms(0, { transactionFeeMinor: 1 }), 3, true],
    ['any fixed fee exceeds none', terms(0, { transactionFeeMinor: 1 }), 'none', true],
    ['any rate exceeds none', terms(1), 'none', true],
    ['no fee exceeds none', terms(0), 'none', false],
    ['costs are the property’s to know', terms(5_000), 'cost', false],
  ])('%s', (_name, its, allowed, exceeds) => {
    expect(mayTakeMore(its, allowed)).toBe(exceeds);
  });
});

describe('a scheduled charge', () => {
  const scheduled = transactionRow({
    kind: 'schedule',
    status: 'Pending',
    requestedMinor: 45_000,
    cardFeeMinor: 1_392,
    amountMinor: 46_392,
    feeBasisPoints: 300,
  });
  const later = (changes: Parameters<typeof propertyRow>[0], row = scheduled, moment = AFTER) =>
    repriced(propertyRow({ cardFeeBasisPoints: 300, ...changes }), visa, row, moment);

  test('keeps its fee where nothing changed, and where the rules take more by then', () => {
    expect(later({})).toEqual({});
    expect(later({ cardFeeBasisPoints: 500, transactionFeeMinor: 33 })).toEqual({});
  });

  test('takes a fee that is lower by then, with its terms', () => {
    const added = {
      basisPoints: 100,
      method: 'add',
      transactionFeeMinor: 50,
      maximumMinor: 400,
    } as const;
    expect(later({ feeRules: [added] })).toEqual({
      requestedMinor: 45_000,
      transactionFeeMinor: 50,
      cardFeeMinor: 400,
      amountMinor: 45_450,
      feeBasisPoints: 100,
      feeMethod: 'add',
      feeMaximumMinor: 400,
    });
  });

  test('takes none where the law is enforced by then, and the same is owed', () => {
    const change = later({ country: 'AU', feeLaw: 'enforce' });
    expect(change).toMatchObject({
      requestedMinor: 45_000,
      amountMinor: 45_000,
      feeBasisPoints: 0,
    });
    expect(later({ country: 'AU', feeLaw: 'enforce' }, scheduled, BEFORE)).toEqual({});
  });

  test('warns, or no longer warns, and keeps what else is told', () => {
    const told = { ...scheduled, warnings: ['exceeds_due'] as const };
    expect(later({ country: 'AU' }, told)).toEqual({
      warnings: ['exceeds_due', 'surcharge_not_allowed'],
    });
    const warned = { ...scheduled, warnings: ['exceeds_due', 'surcharge_not_allowed'] as const };
    expect(later({ country: 'AU' }, warned)).toEqual({});
    expect(later({}, warned)).toEqual({ warnings: ['exceeds_due'] });
  });

  test('keeps what the acquirer’s step needs', () => {
    const odd = { ...scheduled, requestedMinor: 45_004, cardFeeMinor: 1_396, amountMinor: 46_400 };
    const stepped = { ...AFTER, stepMinor: 10 };
    expect(later({ country: 'AU', feeLaw: 'enforce' }, odd, stepped)).toMatchObject({
      amountMinor: 45_010,
      cardFeeMinor: 6,
    });
  });

  test('never takes more than before, nor than a new charge would', () => {
    fc.assert(
      fc.property(anyProperty, anyProperty, anyCard, anyCharge, anyMoment, (...drawn) => {
        const [then, by, card, asked, atMs] = drawn;
        const first = priceCharge(propertyRow({ ...then, feeLaw: 'off' }), card, asked, BEFORE);
        if (!first.ok) throw new Error(first.error.code);
        const row = transactionRow({ ...asked, ...first.value.priced });
        const property = propertyRow({ ...by, feeLaw: 'enforce' });
        const moment = { atMs, stepMinor: 1 };
        const anew = priceCharge(property, card, asked, moment);
        const after = { ...row, ...repriced(property, card, row, moment) };
        const lower = Math.min(row.amountMinor, anew.ok ? anew.value.priced.amountMinor : NaN);
        expect(after.amountMinor).toBe(lower);
        expect(after.requestedMinor).toBe(asked.requestedMinor);
        const fees = after.transactionFeeMinor + after.cardFeeMinor;
        expect(after.amountMinor).toBe(after.requestedMinor + fees);
      }),
    );
  });
});

describe('a hold', () => {
  const held = transactionRow({
    ...SETTLED,
    kind: 'authorization',
    status: 'Authorized',
    requestedMinor: 45_004,
    transactionFeeMinor: 33,
    cardFeeMinor: 1_393,
    amountMinor: 46_430,
    feeBasisPoints: 300,
    expiresAtMs: AFTER.atMs + 1_000,
    dueAtMs: AFTER.atMs + 1_000,
  });

  test('is captured at its own terms, and without fees where the law is enforced by then', () => {
    const enforcing = propertyRow({ country: 'AU', feeLaw: 'enforce' });
    expect(priceCapture(enforcing, visa, held, 20_000, BEFORE)).toMatchObject({
      value: { amountMinor: 20_653, transactionFeeMinor: 33, cardFeeMinor: 620 },
    });
    expect(priceCapture(enforcing, visa, held, 20_000, AFTER)).toMatchObject({
      value: { amountMinor: 20_000, transactionFeeMinor: 0, cardFeeMinor: 0 },
    });
    const warning = { ...enforcing, feeLaw: 'warn' } as const;
    expect(priceCapture(warning, visa, held, 20_000, AFTER)).toMatchObject({
      value: { amountMinor: 20_653 },
    });
  });

  test('keeps what the acquirer’s step needs where the law took its fee', () => {
    const enforcing = propertyRow({ country: 'AU', feeLaw: 'enforce' });
    expect(priceCapture(enforcing, visa, held, null, { ...AFTER, stepMinor: 10 })).toMatchObject({
      value: { requestedMinor: 45_004, amountMinor: 45_010, cardFeeMinor: 6 },
    });
  });
});
