import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { policyBody } from '../../src/api/bookings/policySchemas.ts';
import { DAY_MS, HOUR_MS } from '../../src/core/time.ts';
import type { AtGateway } from '../../src/money/payments/rules/cases.ts';
import { refundable } from '../../src/money/refunds/charges.ts';
import {
  type CancellationFacts,
  type CancellationRequest,
  type DecidedCancellation,
  decideCancellation,
} from '../../src/money/settlements/rules/decideCancellation.ts';
import {
  isSettled,
  nextOfSettlement,
  progressOf,
  sumsOf,
} from '../../src/money/settlements/rules/progress.ts';
import { bookingRow } from '../../src/records/bookings/rules.ts';
import { bookingTotals } from '../../src/records/history/rules/totals.ts';
import type { ChargeTotals } from '../../src/records/history/sums.ts';
import { keepsAmount, keptMinor, ruleAt } from '../../src/records/policies/rules.ts';
import type { BookingRow } from '../../src/schema/bookingTables.ts';
import type { CardRow } from '../../src/schema/cardTables.ts';
import type { RefundRow, TransactionRow } from '../../src/schema/moneyTables.ts';
import type { PlanRow } from '../../src/schema/planTables.ts';
import type { CancellationPolicy, Keep } from '../../src/schema/propertyTables.ts';
import type { SettlementStep } from '../../src/schema/settlementTables.ts';
import { bookedRow, cardRow, propertyRow, refundRow, SETTLED, transactionRow } from './rows.ts';

const POLICY: CancellationPolicy = {
  rules: [
    { daysBeforeArrival: 14, keep: { nothing: true } },
    { daysBeforeArrival: 3, time: '18:00', keep: { firstNight: true } },
    { keep: { percent: 80 } },
  ],
};
const STAY = { arrival: '2027-02-14', timeZone: 'Australia/Perth' };
const at = (local: string) => Date.parse(`${local}+08:00`);

describe('the rule of a policy that holds', () => {
  test.each([
    ['2027-01-01T00:00:00', 0],
    ['2027-01-31T23:59:59.999', 0],
    ['2027-02-01T00:00:00', 1],
    ['2027-02-11T18:00:00', 1],
    ['2027-02-11T18:00:00.999', 1],
    ['2027-02-11T18:00:01', 2],
    ['2027-03-01T00:00:00', 2],
  ])('at %s is rule %i', (local, rule) => {
    expect(ruleAt(POLICY, STAY, at(local))).toBe(rule);
  });

  test('on a day that clocks change ends with that day', () => {
    const summer = { arrival: '2027-03-29', timeZone: 'Europe/Berlin' };
    const policy = {
      rules: [{ daysBeforeArrival: 1, keep: { nothing: true } }, { keep: { paid: true } }],
    } as const;
    expect(ruleAt(policy, summer, Date.parse('2027-03-28T23:59:59+02:00'))).toBe(0);
    expect(ruleAt(policy, summer, Date.parse('2027-03-29T00:00:00+02:00'))).toBe(1);
  });

  test.each([
    ['leave out ends with the next that they show', '2027-03-29', '2027-03-28T03:00', '+02:00'],
    ['show twice ends with the first', '2027-11-01', '2027-10-31T02:30', '+02:00'],
  ])('at a time that clocks %s', (_what, arrival, minute, offset) => {
    const stay = { arrival, timeZone: 'Europe/Berlin' };
    const policy = {
      rules: [
        { daysBeforeArrival: 1, time: '02:30', keep: { nothing: true } },
        { keep: { paid: true } },
      ],
    } as const;
    expect(ruleAt(policy, stay, Date.parse(`${minute}:00.999${offset}`))).toBe(0);
    expect(ruleAt(policy, stay, Date.parse(`${minute}:01${offset}`))).toBe(1);
  });
});

describe('what a policy keeps', () => {
  const costs = { totalCostMinor: 33_335, firstNightCostMinor: 40_000 };
  const paid = 12_000;

  test.each<[Keep, number, number]>([
    [{ percent: 50 }, 16_668, 0],
    [{ percent: 33.33 }, 11_111, 0],
    [{ percent: 100 }, 33_335, 0],
    [{ percent: 0 }, 0, 0],
    [{ firstNight: true }, 33_335, 0],
    [{ amountMinor: 5_000 }, 5_000, 5_000],
    [{ amountMinor: 50_000 }, 33_335, 50_000],
    [{ paid: true }, 12_000, 0],
    [{ nothing: true }, 0, 0],
  ])('by %o is %i, and %i where the total is not known', (keep, known, unknown) => {
    expect(keptMinor(keep, costs, paid)).toBe(known);
    expect(keptMinor(keep, { ...costs, totalCostMinor: 0 }, paid)).toBe(unknown);
  });
});

describe('a policy has amounts of money', () => {
  const some = { amountMinor: 5_000 };
  const none = { nothing: true } as const;
  test.each<[string, CancellationPolicy | null, boolean]>([
    ['no policy', null, false],
    ['shares only', POLICY, false],
    ['an amount in a rule', { rules: [{ keep: none }, { keep: some }] }, true],
    ['an amount of who does not come', { rules: [{ keep: none }], noShow: some }, true],
    ['none of who does not come', { rules: [{ keep: none }], noShow: none }, false],
  ])('or not: %s', (_name, policy, expected) => {
    expect(keepsAmount(policy)).toBe(expected);
  });
});

describe('the policy of a booking', () => {
  const details = {
    status: 'booked',
    arrival: '2027-02-14',
    departure: '2027-02-17',
    lastName: 'Nguyen',
    email: 'guest@hotel.com',
    totalCostMinor: 98_050,
    firstNightCostMinor: 20_000,
  } as const;
  const other: CancellationPolicy = { rules: [{ keep: { paid: true } }] };

  test('is the property’s that it was first saved with, until a save names another', () => {
    const property = propertyRow({ cancellationPolicy: POLICY });
    const first = bookingRow(property, null, 'R', details, 1);
    expect(first.cancellationPolicy).toEqual({ ...POLICY, disclosedAtMs: 1 });
    const changed = propertyRow({ cancellationPolicy: other });
    expect(bookingRow(changed, first, 'R', details, 2).cancellationPolicy).toEqual(
      first.cancellationPolicy,
    );
    const again = { ...details, cancellationPolicy: POLICY };
    expect(bookingRow(changed, first, 'R', again, 3).cancellationPolicy?.disclosedAtMs).toBe(1);
    const named = bookingRow(property, first, 'R', { ...details, cancellationPolicy: other }, 4);
    expect(named.cancellationPolicy).toEqual({ ...other, disclosedAtMs: 4 });
  });

  test('is none where its property had none, and stays none', () => {
    const first = bookingRow(propertyRow(), null, 'R', details, 1);
    expect(first.cancellationPolicy).toBeNull();
    const later = propertyRow({ cancellationPolicy: POLICY });
    expect(bookingRow(later, first, 'R', details, 2).cancellationPolicy).toBeNull();
  });
});

describe('a policy in a body', () => {
  const read = (policy: unknown) => policyBody(2).safeParse(policy);

  test('has its amounts in minor units', () => {
    const policy = {
      rules: [{ daysBeforeArrival: 2, keep: { amount: '50.5' } }, { keep: { paid: true } }],
      noShow: { amount: 7 },
    };
    expect(read(policy).data).toEqual({
      rules: [{ daysBeforeArrival: 2, keep: { amountMinor: 5_050 } }, { keep: { paid: true } }],
      noShow: { amountMinor: 700 },
    });
  });

  test.each([
    ['no rules', { rules: [] }, 'rules'],
    ['no last rule', { rules: [{ daysBeforeArrival: 1, keep: { paid: true } }] }, 'rules'],
    ['two last rules', { rules: [{ keep: { paid: true } }, { keep: { nothing: true } }] }, 'rules'],
    [
      'days that do not fall',
      {
        rules: [
          { daysBeforeArrival: 3, keep: { paid: true } },
          { daysBeforeArrival: 3, keep: { paid: true } },
          { keep: { paid: true } },
        ],
      },
      'rules',
    ],
    ['two keeps', { rules: [{ keep: { paid: true, percent: 3 } }] }, 'rules.0.keep'],
    ['no keep', { rules: [{ keep: {} }] }, 'rules.0.keep'],
    ['a third decimal', { rules: [{ keep: { percent: 3.333 } }] }, 'rules.0.keep.percent'],
    ['more than all', { rules: [{ keep: { percent: 101 } }] }, 'rules.0.keep.percent'],
    ['a fine amount', { rules: [{ keep: { amount: 1.234 } }] }, 'rules.0.keep.amount'],
    [
      'no such time',
      {
        rules: [
          { daysBeforeArrival: 1, time: '24:00', keep: { paid: true } },
          { keep: { paid: true } },
        ],
      },
      'rules.0.time',
    ],
    ['a card number', { rules: [{ keep: { paid: true } }], text: '4242 4242 4242 4242' }, 'text'],
  ])('with %s is refused', (_what, policy, field) => {
    const { error } = read(policy);
    expect(error?.issues.map(({ path }) => path.join('.'))).toEqual([field]);
    expect(z.prettifyError(error as z.ZodError)).not.toBe('');
  });
});

const NOW = at('2027-02-13T12:00:00');

interface Booked {
  readonly booking?: Partial<BookingRow>;
  readonly property?: Parameters<typeof propertyRow>[0];
  readonly rows?: readonly TransactionRow[];
  readonly refunds?: readonly RefundRow[];
  readonly disputed?: readonly number[];
  readonly hasCard?: boolean;
  readonly card?: Partial<CardRow>;
  readonly plan?: Pick<PlanRow, 'id'>;
  readonly stepMinor?: number;
}

function factsOf(given: Booked = {}): CancellationFacts {
  const { rows = [], refunds = [], disputed = [], hasCard = true } = given;
  const card = cardRow('visa-card', { expiryYear: 2030, ...given.card });
  const booking = bookedRow({
    cardToken: hasCard ? card.token : null,
    cancellationPolicy: { ...POLICY, disclosedAtMs: 1 },
    ...given.booking,
  });
  const disputes = disputed.map((transactionId) => ({
    transactionId,
    status: 'needs_response' as const,
    fundsWithdrawn: true,
  })) as unknown as CancellationFacts['disputes'];
  const charges = refundable({ rows, disputes }, null);
  return {
    state: { property: propertyRow(given.property), booking, cards: [card] },
    totals: totalsOf(rows, refunds, disputed),
    open: { heldMinor: 0, scheduledMinor: 0, uncertainMinor: 0, plannedMinor: 0 },
    transactions: rows,
    refunds,
    disputes,
    refundable: charges.ok ? charges.value : [],
    cardOf: () => card,
    plan: (given.plan ?? null) as PlanRow | null,
    nowMs: NOW,
    stepMinor: given.stepMinor ?? 1,
  };
}

function totalsOf(
  rows: readonly TransactionRow[],
  refunds: readonly RefundRow[],
  disputed: readonly number[],
): ChargeTotals[] {
  return rows
    .filter(({ status }) => status === 'Accepted')
    .map((row) => ({
      transactionId: row.id,
      purpose: row.purpose,
      takenMinor: row.amountMinor,
      feeMinor: row.amountMinor - row.requestedMinor,
      refundedMinor: refunds
        .filter(({ transactionId, status }) => transactionId === row.id && status === 'Refunded')
        .reduce((sum, { amountMinor }) => sum + amountMinor, 0),
      waivedMinor: 0,
      disputedMinor: disputed.includes(row.id) ? row.amountMinor : 0,
    }));
}

function charge(
  id: number,
  requestedMinor: number,
  changes: Partial<TransactionRow> = {},
): TransactionRow {
  const { cardFeeMinor = 0 } = changes;
  return transactionRow({
    ...SETTLED,
    id,
    reference: String(id).padStart(32, '0'),
    status: 'Accepted',
    requestedMinor,
    amountMinor: requestedMinor + cardFeeMinor,
    gatewayReference: `g-${id}`,
    completedAtMs: 2_000,
    ...changes,
  });
}

function hold(
  id: number,
  requestedMinor: number,
  expiresAtMs: number,
  changes: Partial<TransactionRow> = {},
) {
  return charge(id, requestedMinor, {
    kind: 'authorization',
    status: 'Authorized',
    completedAtMs: null,
    expiresAtMs,
    dueAtMs: expiresAtMs,
    ...changes,
  });
}

const byGuest: CancellationRequest = { reason: 'guest', atMs: NOW, keep: null };

function decided(given: Booked, request: Partial<CancellationRequest> = {}) {
  const result = decideCancellation({ ...byGuest, ...request }, factsOf(given));
  if (!result.ok) throw new Error(result.error.code);
  const { bonds, captures, charge: charged, refunds, releases, ...rest } = result.value;
  return {
    ...rest,
    captures: captures.map(({ hold: row, priced }) => [row.id, priced.requestedMinor]),
    charge: charged?.priced.requestedMinor ?? null,
    refunds: refunds.map((one) => [one.charge.id, one.amountMinor, one.withFeesMinor]),
    releases: releases.map(({ id }) => id),
    bonds: bonds.map((one) => [one.charge.id, one.withFeesMinor]),
  };
}

const keep = (amountMinor: number) => ({ keep: { amountMinor, why: 'agreed' } });

const ENDED = {
  activeFromMs: 1,
  activeUntilMs: 2,
  limitMinor: null,
  channel: null,
  autoCharge: false,
};

describe('a cancellation', () => {
  const fee = { cardFeeMinor: 300 };

  test.each<[string, Booked, Partial<CancellationRequest>, object]>([
    [
      'by the rule that holds',
      { rows: [charge(2, 98_050)] },
      {},
      {
        rule: 2,
        keepMinor: 78_440,
        refunds: [[2, 19_610, 19_610]],
        refusals: [],
        warnings: [],
      },
    ],
    [
      'by the rule that holds, whatever a no-show would keep',
      {
        booking: {
          cancellationPolicy: { ...POLICY, noShow: { firstNight: true }, disclosedAtMs: 1 },
        },
      },
      {},
      { rule: 2, keepMinor: 78_440 },
    ],
    [
      'at an earlier moment',
      { rows: [charge(2, 98_050)] },
      { atMs: at('2027-02-01T12:00:00') },
      { rule: 1, keepMinor: 20_000, refunds: [[2, 78_050, 78_050]] },
    ],
    [
      'of a no-show, by the last rule',
      {},
      { reason: 'noShow' },
      { rule: 'noShow', keepMinor: 78_440, charge: 78_440 },
    ],
    [
      'of a no-show, by the last rule at any moment',
      {},
      { reason: 'noShow', atMs: at('2027-01-01T00:00:00') },
      { rule: 'noShow', keepMinor: 78_440 },
    ],
    [
      'of a no-show, by its own',
      {
        booking: {
          cancellationPolicy: { ...POLICY, noShow: { firstNight: true }, disclosedAtMs: 1 },
        },
      },
      { reason: 'noShow' },
      { rule: 'noShow', keepMinor: 20_000, charge: 20_000 },
    ],
    [
      'by the property gives fees back',
      { rows: [charge(2, 10_000, fee), charge(4, 500)] },
      { reason: 'property' },
      {
        rule: 'property',
        keepMinor: 0,
        refunds: [
          [2, 10_000, 10_300],
          [4, 500, 500],
        ],
        warnings: [],
      },
    ],
    [
      'by the property leaves the fees of what it keeps a part of',
      { rows: [charge(2, 500, fee)] },
      { reason: 'property', ...keep(200) },
      { refunds: [[2, 300, 300]] },
    ],
    [
      'by the property cannot give back what is finer than the step',
      { rows: [charge(2, 5, fee)], stepMinor: 10 },
      { reason: 'property' },
      { refunds: [], unrefundableMinor: 5, warnings: ['not_refundable'] },
    ],
    [
      'gives back what no refund under way has reserved',
      {
        rows: [charge(2, 700, { refundReservedMinor: 200 })],
        refunds: [refundRow({ transactionId: 2, amountMinor: 200, status: 'Processing' })],
      },
      keep(0),
      { refunds: [[2, 500, 500]] },
    ],
    [
      'by the property gives back what fees are left',
      {
        rows: [charge(2, 10_000, { ...fee, refundReservedMinor: 10_000 })],
        refunds: [refundRow({ transactionId: 2, amountMinor: 10_000 })],
      },
      { reason: 'property' },
      { keepMinor: 0, refunds: [[2, 0, 300]] },
    ],
    [
      'by the guest leaves fees',
      { rows: [charge(2, 10_000, fee)] },
      keep(0),
      { rule: 'override', why: 'agreed', refunds: [[2, 10_000, 10_000]] },
    ],
    [
      'overridden beyond the total',
      { booking: { totalCostMinor: 100 } },
      keep(900),
      { keepMinor: 900, charge: 900 },
    ],
    [
      'of what is paid exactly',
      { rows: [charge(2, 500)] },
      keep(500),
      { charge: null, refunds: [], captures: [] },
    ],
    [
      'takes from the hold that ends first, then from the card',
      {
        rows: [
          hold(2, 300, NOW + DAY_MS),
          hold(4, 200, NOW + HOUR_MS),
          hold(6, 900, NOW + DAY_MS, { purpose: 'Bond' }),
        ],
      },
      keep(1_000),
      {
        captures: [
          [4, 200],
          [2, 300],
        ],
        charge: 500,
        releases: [6],
      },
    ],
    [
      'takes from holds that end at once by their ids, and not from what was charged',
      {
        rows: [
          charge(2, 500),
          hold(6, 100, NOW + DAY_MS),
          hold(4, 100, NOW + DAY_MS),
          hold(8, 100, NOW + DAY_MS),
        ],
      },
      keep(1_000),
      {
        captures: [
          [4, 100],
          [6, 100],
          [8, 100],
        ],
        charge: 200,
      },
    ],
    [
      'ends the plan and the schedules that wait',
      {
        plan: { id: 'plan-1' },
        rows: [
          charge(2, 500),
          charge(4, 300, { kind: 'schedule', status: 'Pending' }),
          charge(6, 300, { kind: 'schedule', status: 'Cancelled' }),
        ],
      },
      keep(500),
      { planId: 'plan-1', cancelledSchedules: [{ id: 4 }] },
    ],
    [
      'captures a part',
      { rows: [hold(2, 300, NOW + DAY_MS), hold(4, 200, NOW + HOUR_MS)] },
      keep(250),
      {
        captures: [
          [4, 200],
          [2, 50],
        ],
        charge: null,
        releases: [],
      },
    ],
    [
      'releases what has lapsed',
      { rows: [hold(2, 300, NOW)] },
      keep(250),
      { captures: [], charge: 250, releases: [2] },
    ],
    [
      'without a card',
      { hasCard: false },
      keep(250),
      { charge: null, uncollectableMinor: 250, warnings: ['no_card'], refusals: [] },
    ],
    [
      'on an expired card',
      { card: { expiryYear: 2026 } },
      keep(250),
      { charge: null, uncollectableMinor: 250, warnings: ['card_expired'] },
    ],
    [
      'on a virtual card that has ended',
      { card: { virtual: ENDED } },
      keep(250),
      { charge: null, uncollectableMinor: 250, warnings: ['charge_not_possible'] },
    ],
    [
      'on a card of a former account',
      { booking: {}, rows: [], property: { merchantAccount: 'acct_other' } },
      keep(250),
      { uncollectableMinor: 250, warnings: ['card_of_former_account'] },
    ],
    [
      'gives Bonds back whole',
      { rows: [charge(2, 700, { purpose: 'Bond', ...fee })] },
      keep(0),
      { paidMinor: 0, bonds: [[2, 700]], refunds: [], warnings: [] },
    ],
    [
      'gives Bonds back in steps of the acquirer',
      { rows: [charge(2, 705, { purpose: 'Bond' })], stepMinor: 10 },
      keep(0),
      { bonds: [[2, 700]], warnings: ['not_refundable'] },
    ],
    [
      'by the property gives Bonds back with fees',
      { rows: [charge(2, 700, { purpose: 'Bond', ...fee })] },
      { reason: 'property' },
      { bonds: [[2, 1_000]] },
    ],
    [
      'cannot give back what is disputed',
      { rows: [charge(2, 700), charge(4, 100)], disputed: [2] },
      keep(0),
      { paidMinor: 100, refunds: [[4, 100, 100]], unrefundableMinor: 0 },
    ],
    [
      'cannot give back what the gateway does not know',
      { rows: [charge(2, 700, { gatewayReference: null })] },
      keep(0),
      { refunds: [], unrefundableMinor: 700, warnings: ['not_refundable'] },
    ],
    [
      'of an unknown total keeps nothing',
      { booking: { totalCostMinor: 0 }, rows: [charge(2, 700)] },
      {},
      { keepMinor: 0, refunds: [[2, 700, 700]] },
    ],
    [
      'in steps of the acquirer keeps less rather than more',
      { rows: [charge(2, 700)], stepMinor: 10 },
      keep(333),
      { keepMinor: 330, refunds: [[2, 370, 370]] },
    ],
    [
      'in steps takes less rather than more',
      { stepMinor: 10 },
      keep(333),
      { keepMinor: 330, charge: 330, uncollectableMinor: 0 },
    ],
    [
      'in steps warns of the fees of what is taken',
      {
        property: { country: 'DE', feeLaw: 'warn', transactionFeeMinor: 30 },
        card: { funding: 'debit', issuerCountry: 'DE' },
        stepMinor: 10,
      },
      keep(333),
      { keepMinor: 330, charge: 330, warnings: ['surcharge_not_allowed'] },
    ],
    [
      'of less than a step takes nothing',
      { stepMinor: 10 },
      keep(5),
      { keepMinor: 0, charge: null, uncollectableMinor: 0, warnings: [] },
    ],
    [
      'of less than a step without a card lacks the card',
      { hasCard: false, stepMinor: 10 },
      keep(5),
      { keepMinor: 5, uncollectableMinor: 5, warnings: ['no_card'] },
    ],
  ])('%s', (_name, given, request, expected) => {
    expect(decided(given, request)).toMatchObject(expected);
  });

  test('needs a policy, or an amount', () => {
    const facts = factsOf({ booking: { cancellationPolicy: null } });
    expect(decideCancellation(byGuest, facts)).toMatchObject({ error: { code: 'no_policy' } });
    expect(decideCancellation({ ...byGuest, reason: 'noShow' }, facts).ok).toBe(false);
    expect(decideCancellation({ ...byGuest, reason: 'property' }, facts).ok).toBe(true);
    expect(decideCancellation({ ...byGuest, ...keep(1) }, facts).ok).toBe(true);
  });

  test('warns of a policy that the property has only since', () => {
    const given = {
      booking: { cancellationPolicy: null },
      property: { cancellationPolicy: POLICY },
    };
    expect(decided(given)).toMatchObject({ rule: 2, warnings: ['policy_not_disclosed'] });
  });

  test('is refused while an outcome is awaited, and once it is cancelled', () => {
    const codes = (given: Booked) => decided(given).refusals.map(({ code }) => code);
    expect(codes({ rows: [transactionRow({ id: 2 })] })).toEqual(['outcome_unknown']);
    expect(codes({ refunds: [refundRow({ status: 'Processing' })] })).toEqual(['outcome_unknown']);
    expect(codes({ booking: { status: 'cancelled' } })).toEqual(['invalid_state']);
  });
});

/** A random booking: charges, Bonds and holds, some of it given back or disputed. */
const arbitrary = fc.record({
  charges: fc.array(
    fc.record({
      requested: fc.integer({ min: 1, max: 50_000 }),
      fee: fc.integer({ min: 0, max: 900 }),
      isBond: fc.boolean(),
      back: fc.double({ min: 0, max: 1, noNaN: true }),
      isDisputed: fc.integer({ min: 0, max: 9 }).map((n) => n === 0),
    }),
    { maxLength: 6 },
  ),
  holds: fc.array(
    fc.record({
      requested: fc.integer({ min: 1, max: 30_000 }),
      isBond: fc.boolean(),
      endsIn: fc.integer({ min: -1, max: 9 }),
    }),
    { maxLength: 4 },
  ),
  total: fc.integer({ min: 0, max: 120_000 }),
  firstNight: fc.integer({ min: 0, max: 60_000 }),
  hasCard: fc.boolean(),
  stepMinor: fc.constantFrom(1, 1, 1, 10),
  reason: fc.constantFrom('guest', 'property', 'noShow' as const),
  override: fc.option(fc.integer({ min: 0, max: 150_000 })),
  keep: fc.oneof(
    fc.integer({ min: 0, max: 10_000 }).map((n): Keep => ({ percent: n / 100 })),
    fc.constantFrom<Keep>({ firstNight: true }, { paid: true }, { nothing: true }),
    fc.integer({ min: 0, max: 150_000 }).map((amountMinor): Keep => ({ amountMinor })),
  ),
  fails: fc.array(fc.boolean(), { minLength: 12, maxLength: 12 }),
});

type Drawn = typeof arbitrary extends fc.Arbitrary<infer T> ? T : never;

/** The facts of a drawn booking, and the charges of it that are disputed. */
function drawnFacts(drawn: Drawn): {
  readonly facts: CancellationFacts;
  readonly disputed: number[];
} {
  const charges = drawn.charges.map((one, index) => {
    const id = 2 * (index + 1);
    const backMinor = Math.floor((one.requested + one.fee) * one.back);
    const purpose = one.isBond ? ('Bond' as const) : ('Balance' as const);
    const changes = { cardFeeMinor: one.fee, refundReservedMinor: backMinor, purpose };
    return { ...one, id, backMinor, row: charge(id, one.requested, changes) };
  });
  const holds = drawn.holds.map(({ endsIn, isBond, requested }, index) =>
    hold(2 * (index + 20), requested, NOW + endsIn * HOUR_MS, isBond ? { purpose: 'Bond' } : {}),
  );
  const disputed = charges.filter(({ isDisputed }) => isDisputed).map(({ id }) => id);
  const facts = factsOf({
    rows: [...charges.map(({ row }) => row), ...holds],
    refunds: charges
      .filter(({ backMinor }) => backMinor > 0)
      .map(({ backMinor: amountMinor, id }) =>
        refundRow({ id: id + 101, transactionId: id, amountMinor }),
      ),
    disputed,
    hasCard: drawn.hasCard,
    stepMinor: drawn.stepMinor,
    booking: {
      totalCostMinor: drawn.total,
      firstNightCostMinor: drawn.firstNight,
      cancellationPolicy: { rules: [{ keep: drawn.keep }], disclosedAtMs: 1 },
    },
  });
  return { facts, disputed };
}

/** What is wrong with a decided cancellation, before anything moves. */
function checkDecided(drawn: Drawn, decision: DecidedCancellation): void {
  const isPolicys = drawn.override === null && drawn.total > 0;
  if (isPolicys) expect(decision.keepMinor).toBeLessThanOrEqual(drawn.total);
  // Money comes in, or goes out, and never both for the stay.
  const takes = [decision.captures.length, decision.charge ? 1 : 0, decision.uncollectableMinor];
  const gives = decision.refunds.filter(({ amountMinor }) => amountMinor > 0);
  expect(Math.max(...takes) > 0 && gives.length > 0).toBe(false);
  for (const { charge: row, ...back } of [...decision.refunds, ...decision.bonds]) {
    expect(back.withFeesMinor).toBeGreaterThan(0);
    expect(back.amountMinor).toBeLessThanOrEqual(back.withFeesMinor);
    expect(back.withFeesMinor).toBeLessThanOrEqual(row.amountMinor - row.refundReservedMinor);
    if (drawn.reason !== 'property') expect(back.withFeesMinor).toBe(back.amountMinor);
  }
  for (const { hold: row, priced } of decision.captures) {
    expect(priced.amountMinor).toBeLessThanOrEqual(row.amountMinor);
    expect(row.purpose).not.toBe('Bond');
  }
}

describe('whatever a booking has', () => {
  test('what is kept and given back is what was paid and taken, and no charge gives back more than it has', () => {
    fc.assert(
      fc.property(arbitrary, (drawn) => {
        const { disputed, facts } = drawnFacts(drawn);
        const { override, reason } = drawn;
        const kept = override === null ? null : { amountMinor: override, why: 'so' };
        const result = decideCancellation({ reason, atMs: NOW, keep: kept }, facts);
        if (!result.ok) throw new Error(result.error.code);
        const decision = result.value;
        checkDecided(drawn, decision);

        const { paidMinor } = bookingTotals(facts);
        const { steps, after } = carriedOut(decision, facts, drawn.fails);
        const terms = { ...decision, reason };
        const progress = progressOf({ steps }, after);
        const sums = sumsOf({ terms }, progress);
        const taken = sums.chargedMinor + sums.capturedMinor;
        expect(sums.keptMinor + sums.refundedMinor).toBe(paidMinor + taken);
        // The balance says the same, from what the charges have left.
        const totals = totalsOf(after.transactions, after.refunds, disputed);
        expect(bookingTotals({ totals, open: facts.open }).paidMinor).toBe(sums.keptMinor);
        const settled = isSettled({ terms }, progress);
        if (settled) expect(sums.keptMinor).toBe(decision.keepMinor);
        expect(settled && sums.uncollectedMinor > 0).toBe(false);
        expect(nextOfSettlement({ terms }, progress, NOW).kind).toBe('end');
      }),
      { numRuns: 3_000 },
    );
  });
});

/** The rows after a settlement whose steps succeed, or fail where `fails` says so. */
function carriedOut(
  decision: DecidedCancellation,
  facts: CancellationFacts,
  fails: readonly boolean[],
) {
  let nth = 0;
  const hasFailed = () => fails[nth++] ?? false;
  const steps: SettlementStep[] = [];
  const changed = new Map<number, TransactionRow>();
  const refunds: RefundRow[] = [...facts.refunds];
  const add = (
    what: SettlementStep['what'],
    chargeId: number,
    amountMinor: number,
    shownMinor = amountMinor,
    refundId: number | null = null,
  ) => steps.push({ what, chargeId, refundId, amountMinor, shownMinor });
  for (const { hold: row, priced } of decision.captures) {
    add('capture', row.id, priced.requestedMinor);
    changed.set(
      row.id,
      hasFailed()
        ? { ...row, status: 'Released' }
        : { ...row, ...priced, kind: 'charge', status: 'Accepted' },
    );
  }
  if (decision.charge) {
    const { priced } = decision.charge;
    add('charge', 900, priced.requestedMinor);
    changed.set(900, charge(900, priced.requestedMinor, hasFailed() ? { status: 'Declined' } : {}));
  }
  const back = (
    what: 'refund' | 'bond',
    {
      charge: row,
      amountMinor,
      withFeesMinor,
    }: { charge: AtGateway; amountMinor: number; withFeesMinor: number },
  ) => {
    const id = row.id + 1_001;
    add(what, row.id, amountMinor, withFeesMinor, id);
    refunds.push(
      refundRow({
        id,
        transactionId: row.id,
        amountMinor: withFeesMinor,
        status: hasFailed() ? 'Failed' : 'Refunded',
      }),
    );
  };
  for (const one of decision.refunds) back('refund', one);
  for (const one of decision.bonds) back('bond', one);
  for (const row of decision.releases) {
    add('release', row.id, row.requestedMinor);
    changed.set(row.id, { ...row, status: 'Released' });
  }
  const untouched = facts.transactions.filter(({ id }) => !changed.has(id));
  return { steps, after: { transactions: [...untouched, ...changed.values()], refunds } };
}

describe('a settlement under way', () => {
  const terms = {
    reason: 'guest',
    rule: 0,
    keepMinor: 0,
    paidMinor: 0,
    uncollectableMinor: 0,
    unrefundableMinor: 0,
  } as const;
  const steps: SettlementStep[] = [
    { what: 'charge', chargeId: 2, refundId: null, amountMinor: 100, shownMinor: 100 },
    { what: 'bond', chargeId: 4, refundId: 5, amountMinor: 50, shownMinor: 50 },
  ];
  const next = (charged: Partial<TransactionRow>, back: Partial<RefundRow>) => {
    const rows = {
      transactions: [charge(2, 100, charged), charge(4, 50, { purpose: 'Bond' })],
      refunds: [refundRow({ id: 5, transactionId: 4, ...back })],
    };
    return nextOfSettlement({ terms }, progressOf({ steps }, rows), NOW);
  };
  const asked = { status: 'Processing', pendingOperation: 'charge', dueAtMs: NOW + 5_000 } as const;
  const waits = { status: 'Processing', dueAtMs: null } as const;

  test('gives nothing back while the outcome of what comes in is not known', () => {
    expect(next(asked, waits)).toEqual({ kind: 'wait', untilMs: NOW + 6_000 });
  });

  test.each(['Accepted', 'Declined', 'Failed'] as const)('gives back once that is %s', (status) => {
    expect(next({ status }, waits)).toEqual({ kind: 'giveBack', refundIds: [5] });
  });

  test('waits for what is given back, then ends', () => {
    expect(next({}, { status: 'Processing', dueAtMs: NOW - 1 })).toEqual({
      kind: 'wait',
      untilMs: NOW + 1_000,
    });
    expect(next({}, {})).toEqual({ kind: 'end', status: 'settled' });
    expect(next({ status: 'Declined' }, {})).toEqual({ kind: 'end', status: 'incomplete' });
    expect(next({}, { status: 'Failed' })).toEqual({ kind: 'end', status: 'incomplete' });
  });
});

describe('what a cancellation takes', () => {
  const priced = (given: Booked, keepMinor: number) => {
    const result = decideCancellation({ ...byGuest, ...keep(keepMinor) }, factsOf(given));
    return result.ok ? (result.value.charge?.priced ?? null) : result.error.code;
  };

  test('bears the fees of a Manual charge on the card', () => {
    const rule = { method: 'add', transactionFeeMinor: 0 } as const;
    const feeRules = [
      { ...rule, basisPoints: 500, transactionTypes: ['Manual'] } as const,
      { ...rule, basisPoints: 0 },
    ];
    expect(priced({ property: { feeRules } }, 10_000)).toMatchObject({ amountMinor: 10_500 });
  });

  test('is charged though the booking is cancelled already, but then it is refused', () => {
    const booking = { status: 'cancelled' } as const;
    expect(priced({ booking }, 10_000)).toMatchObject({ requestedMinor: 10_000 });
    expect(decided({ booking }, keep(10_000)).refusals.map(({ code }) => code)).toEqual([
      'invalid_state',
    ]);
  });

  test('cannot be collected where no fee carries what the acquirer’s step lacks', () => {
    const fixed = { property: { transactionFeeMinor: 5 }, stepMinor: 10 };
    expect(decided(fixed, keep(10_000))).toMatchObject({
      charge: null,
      uncollectableMinor: 10_000,
      keepMinor: 10_000,
      warnings: ['charge_not_possible'],
    });
    expect(decided(fixed, keep(10_005))).toMatchObject({ charge: 10_005, uncollectableMinor: 0 });
    expect(decided(fixed, keep(10_003))).toMatchObject({
      charge: null,
      uncollectableMinor: 10_003,
      warnings: ['charge_not_possible'],
    });
  });

  test('is not taken from a hold whose card nobody knows: that is released', () => {
    const rows = [hold(1, 10_000, NOW + DAY_MS)];
    const request = { ...byGuest, ...keep(10_000) };
    const result = decideCancellation(request, { ...factsOf({ rows }), cardOf: () => null });
    expect(result).toMatchObject({
      ok: true,
      value: {
        captures: [],
        releases: [{ id: 1 }],
        charge: { priced: { requestedMinor: 10_000 } },
      },
    });
  });
});
