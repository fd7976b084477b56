/** The rules of payment plans one by one; plans.test.ts compares whole stories with a model. */
import { describe, expect, it } from 'vitest';
import type { ChargeTotals } from '../../src/records/history/sums.ts';
import {
  afterChange,
  cancelled,
  changedPlan,
  lookedAt,
  type OwnCharge,
  partChanges,
} from '../../src/records/plans/rules/changes.ts';
import {
  endOf,
  isDone,
  lackingMinor,
  nextLookAtMs,
  nextPart,
  partsToCome,
  plannedMinor,
  settled,
  workOut,
} from '../../src/records/plans/rules/follow.ts';
import { partsOfTerms, termOf } from '../../src/records/plans/rules/parts.ts';
import { templateView } from '../../src/records/plans/rules/templateView.ts';
import { isTooLong, PLAN_NOT_FOUND, PLAN_TOO_LONG } from '../../src/records/plans/rules.ts';
import type { PlanDue, PlanRepeat, PlanShare, PlanTerm } from '../../src/schema/planSpec.ts';
import type { PlanPart, PlanRow } from '../../src/schema/planTables.ts';
import { bookedRow, propertyRow } from './rows.ts';

const DAY = 86_400_000;
const NOW = Date.parse('2027-01-10T09:00:00Z');
const ARRIVAL = Date.parse('2027-02-14T09:00:00Z');

function partOf(changes: Partial<PlanPart> = {}): PlanPart {
  return {
    id: 't1',
    amountMinor: 10_000,
    coveredMinor: 0,
    broughtMinor: 0,
    termsAtMs: ARRIVAL,
    dueAtMs: ARRIVAL,
    status: 'planned',
    chargeId: null,
    chargeStatus: null,
    hasEnded: false,
    ...changes,
  };
}

function termOn(date: string, share: PlanShare, due: Partial<PlanDue> = {}): PlanTerm {
  return {
    label: null,
    purpose: 'Balance',
    share,
    due: { anchor: 'date', date, days: null, time: null, ...due },
  };
}

const amount = (amountMinor: number): PlanShare => ({ kind: 'amount', amountMinor });
const HUNDRED_AT_ARRIVAL = termOn('2027-02-14', amount(10_000));

function weekly(changes: Partial<PlanRepeat> = {}): PlanRepeat {
  return {
    label: null,
    purpose: 'Balance',
    every: 'week',
    amountMinor: 5_000,
    from: null,
    until: null,
    days: 0,
    time: null,
    lastPeriod: 'full',
    ...changes,
  };
}

function planRow(changes: Partial<PlanRow> = {}): PlanRow {
  return {
    id: 'plan',
    propertyId: 'demo',
    bookingReference: 'RES-1',
    status: 'active',
    currency: 'AUD',
    cardToken: null,
    cardEndsAtMs: null,
    spec: { terms: [HUNDRED_AT_ARRIVAL], repeat: null },
    parts: [partOf()],
    putAtMs: NOW - DAY,
    bookingVersion: 1,
    dueAtMs: ARRIVAL,
    version: 4,
    createdAtMs: NOW - DAY,
    changedAtMs: NOW - DAY,
    ...changes,
  };
}

/** What a charge took without fees, unless a test says more. */
function took(takenMinor: number, changes: Partial<ChargeTotals> = {}): ChargeTotals {
  return {
    transactionId: 90,
    purpose: 'Balance',
    takenMinor,
    feeMinor: 0,
    refundedMinor: 0,
    waivedMinor: 0,
    disputedMinor: 0,
    ...changes,
  };
}

const own = (changes: Partial<OwnCharge> = {}): OwnCharge => ({
  id: 7,
  planId: 'plan',
  partId: 't1',
  status: 'Processing',
  version: 1,
  ...changes,
});

function facts(changes: Partial<Parameters<typeof afterChange>[1]> = {}) {
  const none = { charges: [], totals: [], timeZone: 'UTC', nowMs: NOW };
  return { booking: bookedRow(), ...none, ...changes };
}

function followed(changes: Partial<Parameters<typeof workOut>[1]> = {}) {
  return { stay: bookedRow(), timeZone: 'UTC', totals: [], nowMs: NOW, ...changes };
}

describe('a change of its booking', () => {
  const cancelledSince = bookedRow({ status: 'cancelled', pendingCancelledVersion: 2 });

  it('leaves a plan that it does not concern as it is, its version too', () => {
    const plan = planRow();
    expect(afterChange(plan, facts())).toBe(plan);
  });

  it('that alters the plan gives it the next version and time', () => {
    const plan = planRow();
    const after = changedPlan(plan, { cardToken: 'visa' }, NOW);
    expect(after).toEqual({ ...plan, cardToken: 'visa', version: 5, changedAtMs: NOW });
    expect(changedPlan(plan, { cardToken: null }, NOW)).toBe(plan);
  });

  it('cancels an active plan where the booking was cancelled after it was put', () => {
    const after = afterChange(planRow(), facts({ booking: cancelledSince }));
    expect(after).toMatchObject({ status: 'cancelled', dueAtMs: null, version: 5 });
    expect(after.parts).toMatchObject([{ status: 'void', hasEnded: true, amountMinor: 10_000 }]);
  });

  it.each([
    ['keeps its schedules', {}, bookedRow({ status: 'cancelled' })],
    ['was cancelled before the plan', { bookingVersion: 2 }, cancelledSince],
  ])('leaves a plan active whose booking %s', (_what, changes, booking) => {
    expect(afterChange(planRow(changes), facts({ booking })).status).toBe('active');
  });

  it('does not cancel a plan that is completed', () => {
    const parts = [partOf({ chargeId: 7, chargeStatus: 'Declined', status: 'failed' })];
    const plan = planRow({ status: 'completed', dueAtMs: null, parts });
    expect(afterChange(plan, facts({ booking: cancelledSince }))).toBe(plan);
  });

  it('moves no part of a completed plan, but payments still cover what failed', () => {
    const parts = [partOf({ chargeId: 7, chargeStatus: 'Declined', status: 'failed' })];
    const plan = planRow({ status: 'completed', dueAtMs: null, parts });
    const booking = bookedRow({ totalCostMinor: 500_000 });
    const after = afterChange(plan, facts({ booking, totals: [took(10_000)] }));
    expect(after).toMatchObject({ status: 'completed', dueAtMs: null, version: 5 });
    expect(after.parts).toMatchObject([{ coveredMinor: 10_000, status: 'paid' }]);
  });
});

describe('a cancelled plan', () => {
  it('charges nothing more, and lets what is under way go on', () => {
    const parts = [
      partOf({ id: 't1', chargeId: 7, chargeStatus: 'Processing', status: 'processing' }),
      partOf({ id: 't2', coveredMinor: 4_000 }),
      partOf({ id: 't3' }),
    ];
    const after = cancelled({ parts }, { totals: [took(4_000)] });
    expect(after).toMatchObject({ status: 'cancelled', dueAtMs: null });
    expect(after.parts).toMatchObject([
      { id: 't1', status: 'processing', hasEnded: false },
      { id: 't2', status: 'paid', amountMinor: 4_000, hasEnded: true },
      { id: 't3', status: 'void', hasEnded: true },
    ]);
  });

  it.each([
    ['cancelled', 'Cancelled', { status: 'void', hasEnded: true }],
    ['cancelled', 'Declined', { status: 'failed', hasEnded: false }],
    ['completed', 'Cancelled', { status: 'failed', hasEnded: false }],
  ] as const)('or one %s has a part whose charge is %s', (status, chargeStatus, expected) => {
    const parts = [partOf({ chargeId: 7, chargeStatus: 'Pending' })];
    const plan = planRow({ status, dueAtMs: null, parts });
    const charges = [own({ status: chargeStatus, version: 5 })];
    expect(afterChange(plan, facts({ charges })).parts).toMatchObject([expected]);
  });

  it('has a void part paid whose charge turns out to have been taken', () => {
    const ended = partOf({ status: 'void', hasEnded: true, chargeId: 7, chargeStatus: 'Accepted' });
    const after = settled([ended], [took(10_300, { transactionId: 7, feeMinor: 300 })]);
    expect(after).toMatchObject([{ status: 'paid', broughtMinor: 10_000, amountMinor: 10_000 }]);
  });
});

describe('the charge of a part', () => {
  it.each<[string, Partial<PlanPart>, OwnCharge[], Partial<PlanPart>]>([
    ['is new', {}, [own()], { chargeId: 7, status: 'processing' }],
    [
      'is new and has its outcome in the same batch',
      {},
      [own(), own({ status: 'Declined', version: 2 }), own({ id: 8, planId: null, partId: null })],
      { chargeId: 7, status: 'failed' },
    ],
    [
      'is known',
      { chargeId: 7, chargeStatus: 'Pending' },
      [own({ status: 'Declined', version: 6 })],
      { chargeId: 7, status: 'failed' },
    ],
    ['is of another plan', {}, [own({ planId: 'before' })], { chargeId: null, status: 'planned' }],
    ['is of another part', {}, [own({ partId: 't2' })], { chargeId: null, status: 'planned' }],
    [
      'is of terms before, and not new',
      {},
      [own({ version: 2 })],
      { chargeId: null, status: 'planned' },
    ],
    [
      'is another than the part has',
      { chargeId: 6, chargeStatus: 'Pending' },
      [own()],
      { chargeId: 6, status: 'planned' },
    ],
  ])('%s', (_what, changes, charges, expected) => {
    const after = afterChange(planRow({ parts: [partOf(changes)] }), facts({ charges }));
    expect(after.parts).toMatchObject([expected]);
  });

  it('ends what was foretold of its card', () => {
    const parts = [partOf({ foretold: { recoveryId: 1, dueAtMs: ARRIVAL } })];
    const after = afterChange(planRow({ parts }), facts({ charges: [own()] }));
    expect(after.parts[0]).not.toHaveProperty('foretold');
  });
});

describe('an active plan is looked at next', () => {
  const foretold = { recoveryId: 1, dueAtMs: ARRIVAL };

  it.each<[string, PlanPart[], number | null, number]>([
    ['when its next part is due', [partOf()], null, ARRIVAL],
    ["at once where its card's end is to be foretold", [partOf()], ARRIVAL, NOW - DAY],
    ['when its part is due, the end foretold', [partOf({ foretold })], ARRIVAL, ARRIVAL],
    [
      'at once where it is foretold of one part only',
      [partOf({ foretold }), partOf({ id: 't2' })],
      ARRIVAL,
      NOW - DAY,
    ],
  ])('%s', (_what, parts, cardEndsAtMs, dueAtMs) => {
    const plan = { cardEndsAtMs, parts, putAtMs: NOW - DAY };
    expect(lookedAt(plan, NOW)).toEqual({ status: 'active', dueAtMs });
  });

  it('never, once it is done', () => {
    const plan = { cardEndsAtMs: null, parts: [partOf({ status: 'void' })], putAtMs: NOW };
    expect(lookedAt(plan, NOW)).toEqual({ status: 'completed', dueAtMs: null });
  });

  it.each<[string, PlanPart[], number | null]>([
    ['of no parts', [], null],
    [
      'with a later part planned',
      [partOf({ status: 'paid', dueAtMs: 5 }), partOf({ dueAtMs: 9 })],
      9,
    ],
    [
      'with a part that waits for another attempt',
      [partOf({ chargeId: 7 }), partOf({ status: 'paid' })],
      null,
    ],
    [
      'with a part under way',
      [partOf({ status: 'processing', chargeId: 7 }), partOf({ status: 'paid' })],
      null,
    ],
    [
      'with covered parts only',
      [
        partOf({ status: 'paid', dueAtMs: 5 }),
        partOf({ status: 'paid', dueAtMs: 8 }),
        partOf({ status: 'void', dueAtMs: 20 }),
      ],
      8,
    ],
    ['with nothing covered or planned', [partOf({ status: 'failed' })], null],
  ])('at its time: %s', (_what, parts, expected) => {
    expect(nextLookAtMs(parts)).toBe(expected);
  });
});

describe('a plan is done', () => {
  it.each<[string, Partial<PlanPart>[], boolean]>([
    ['with no part', [], false],
    ['failed', [{ status: 'failed' }], true],
    ['void', [{ status: 'void' }], true],
    ['charged before its time', [{ status: 'paid', chargeStatus: 'Accepted' }], true],
    ['covered before its time', [{ status: 'paid' }], false],
    ['covered at its time', [{ status: 'paid', dueAtMs: NOW }], true],
    ['covered after its time', [{ status: 'paid', dueAtMs: NOW - 1 }], true],
    ['planned', [{}], false],
    ['planned, its time past', [{ dueAtMs: NOW - 1 }], false],
    ['under way', [{ status: 'processing' }], false],
    ['one void and one planned', [{ status: 'void' }, {}], false],
  ])('or not: %s', (_what, parts, expected) => {
    expect(isDone(parts.map(partOf), NOW)).toBe(expected);
  });
});

describe('what of a plan is to come', () => {
  const parts = [
    partOf({ id: 't1', status: 'paid', chargeId: 6, chargeStatus: 'Accepted' }),
    partOf({ id: 't2', chargeId: 7, chargeStatus: 'Pending', coveredMinor: 4_000 }),
    partOf({ id: 't3', broughtMinor: 1_000 }),
    partOf({ id: 't4' }),
  ];

  it('are its planned parts and what they lack', () => {
    expect(partsToCome({ status: 'active', parts }).map(({ id }) => id)).toEqual([
      't2',
      't3',
      't4',
    ]);
    expect(parts.slice(1).map(lackingMinor)).toEqual([6_000, 9_000, 10_000]);
    expect(plannedMinor({ status: 'active', parts })).toBe(25_000);
  });

  it.each([
    ['no plan', null],
    ['a completed plan', { status: 'completed', parts }],
    ['a cancelled plan', { status: 'cancelled', parts }],
  ] as const)('is nothing of %s', (_what, plan) => {
    expect([partsToCome(plan), plannedMinor(plan)]).toEqual([[], 0]);
  });

  it('is first the part that is planned and has no charge yet', () => {
    expect(nextPart(parts)?.id).toBe('t3');
    expect(nextPart(parts.slice(0, 2))).toBe(null);
  });

  it('ends paid where anything covers it, else void', () => {
    expect(endOf(partOf({ coveredMinor: 1 }))).toMatchObject({
      status: 'paid',
      amountMinor: 1,
      hasEnded: true,
    });
    expect(endOf(partOf())).toMatchObject({ status: 'void', amountMinor: 10_000, hasEnded: true });
  });
});

describe('the parts of a plan worked out again', () => {
  const terms = [HUNDRED_AT_ARRIVAL];
  const again = (parts: readonly PlanPart[], changes: Parameters<typeof followed>[0] = {}) =>
    workOut({ spec: { terms, repeat: null }, parts, putAtMs: NOW - DAY }, followed(changes));

  it('keep a charge that waits, and what is foretold', () => {
    const foretold = { recoveryId: 1, dueAtMs: ARRIVAL };
    const waits = partOf({ chargeId: 7, chargeStatus: 'Pending', foretold });
    expect(again([waits])).toEqual([waits]);
    expect(again([partOf()])[0]).not.toHaveProperty('foretold');
  });

  it('are covered by what other charges took without fees, never by a bond', () => {
    const totals = [
      took(3_100, { feeMinor: 100, refundedMinor: 3_100 }),
      took(5_000, { transactionId: 91, purpose: 'Bond' }),
    ];
    expect(again([partOf()], { totals })).toMatchObject([{ coveredMinor: 3_000 }]);
  });

  it('amount, once charged, to what that brought and what still covers the rest', () => {
    const status = { chargeId: 7, chargeStatus: 'Accepted', status: 'processing' } as const;
    const totals = [took(8_300, { transactionId: 7, feeMinor: 300 })];
    expect(again([partOf({ ...status, coveredMinor: 4_000 })], { totals })).toMatchObject([
      { amountMinor: 10_000, broughtMinor: 8_000, coveredMinor: 2_000, status: 'paid' },
    ]);
  });

  it('that are new and due at this very moment are due a day later', () => {
    expect(again([], { nowMs: ARRIVAL })).toMatchObject([{ dueAtMs: ARRIVAL + DAY }]);
  });

  it.each([
    ['this very moment', ARRIVAL, ARRIVAL + DAY],
    ['a moment from now', ARRIVAL - 1, ARRIVAL],
  ])('that move to %s are due then or a day later', (_what, nowMs, dueAtMs) => {
    const moved = partOf({ termsAtMs: ARRIVAL + 9 * DAY, dueAtMs: ARRIVAL + 9 * DAY });
    expect(again([moved], { nowMs })).toMatchObject([{ termsAtMs: ARRIVAL, dueAtMs }]);
  });

  it('that come back are due by the terms, whatever time they had before', () => {
    const gone = partOf({ status: 'void', dueAtMs: ARRIVAL + 5 * DAY });
    expect(again([gone])).toMatchObject([{ status: 'planned', dueAtMs: ARRIVAL }]);
    expect(again([partOf({ dueAtMs: ARRIVAL + 5 * DAY })])).toMatchObject([
      { dueAtMs: ARRIVAL + 5 * DAY },
    ]);
  });

  it('leave to the rest what ended void', () => {
    const spec = {
      terms: [HUNDRED_AT_ARRIVAL, termOn('2027-02-15', { kind: 'rest' })],
      repeat: null,
    };
    const parts = [endOf(partOf()), partOf({ id: 't2', amountMinor: 88_050 })];
    const after = workOut({ spec, parts, putAtMs: NOW - DAY }, followed());
    expect(after).toMatchObject([{ status: 'void' }, { id: 't2', amountMinor: 98_050 }]);
    const open = workOut({ spec, parts: [partOf()], putAtMs: NOW - DAY }, followed());
    expect(open).toMatchObject([{ status: 'planned' }, { id: 't2', amountMinor: 88_050 }]);
  });

  it('of one time stand terms first, then periods', () => {
    const spec = { terms: [termOn('2027-02-01', amount(1)), HUNDRED_AT_ARRIVAL], repeat: weekly() };
    const before = [partOf({ id: 'r1', amountMinor: 5_000 }), partOf({ id: 't2' })];
    const after = workOut({ spec, parts: before, putAtMs: NOW - DAY }, followed());
    expect(after.map(({ id }) => id)).toEqual(['t1', 't2', 'r1']);
  });
});

describe('what changed of the parts of a plan', () => {
  const terms = (amountMinor: number, dueAtMs: number) => ({ amountMinor, dueAtMs });
  const first = partOf({ id: 't1', ...terms(100, 1) });

  it.each<[string, PlanPart[], PlanPart[], ReturnType<typeof partChanges>]>([
    ['nothing', [first], [{ ...first, status: 'paid', coveredMinor: 100 }], []],
    [
      'an amount',
      [first],
      [{ ...first, amountMinor: 90 }],
      [{ id: 't1', from: terms(100, 1), to: terms(90, 1) }],
    ],
    [
      'a time',
      [first],
      [{ ...first, dueAtMs: 2 }],
      [{ id: 't1', from: terms(100, 1), to: terms(100, 2) }],
    ],
    ['a part that is new', [], [first], [{ id: 't1', from: null, to: terms(100, 1) }]],
    ['a part that is no more', [first], [], [{ id: 't1', from: terms(100, 1), to: null }]],
    [
      'a part that became void',
      [first],
      [{ ...first, status: 'void' }],
      [{ id: 't1', from: terms(100, 1), to: null }],
    ],
    ['a part that stays void', [{ ...first, status: 'void' }], [{ ...first, status: 'void' }], []],
    [
      'several, in their order then',
      [first, partOf({ id: 't2', ...terms(7, 7) }), partOf({ id: 'r1', ...terms(5, 5) })],
      [partOf({ id: 't2', ...terms(8, 7) }), { ...first, dueAtMs: 3 }],
      [
        { id: 't2', from: terms(7, 7), to: terms(8, 7) },
        { id: 't1', from: terms(100, 1), to: terms(100, 3) },
        { id: 'r1', from: terms(5, 5), to: null },
      ],
    ],
  ])('is %s', (_what, before, after, expected) => {
    expect(partChanges(before, after)).toEqual(expected);
  });
});

describe('the terms of a plan', () => {
  const weeks = (count: number) => {
    const departure = new Date(Date.parse('2027-02-14') + count * 7 * DAY);
    return bookedRow({ departure: departure.toISOString().slice(0, 10) });
  };
  const spec = { terms: [], repeat: weekly() };

  it('are too long with more than 120 parts', () => {
    const property = propertyRow();
    const long = (count: number) =>
      isTooLong({ putAtMs: NOW, spec }, { booking: weeks(count), property });
    expect([119, 120, 121, 400].map(long)).toEqual([false, false, true, true]);
    expect(PLAN_TOO_LONG).toMatchObject({
      code: 'plan_too_long',
      detail: 'The plan would have more than 120 parts.',
    });
    expect(PLAN_NOT_FOUND.code).toBe('plan_not_found');
  });

  it('give at most one part more than a plan may have', () => {
    const clock = { putAtMs: NOW, timeZone: 'UTC' };
    expect(partsOfTerms(spec, weeks(400), clock)).toHaveLength(121);
  });

  it.each<[string, Partial<PlanDue>, number]>([
    ['now is due when they are put', {}, NOW + 5_000],
    ['now and 0 days is no other time', { days: 0 }, NOW + 5_000],
    ['now and a day is due at nine on the next day', { days: 1 }, NOW + 24 * 3_600_000],
    ['now at a time is due then that day', { time: '12:00' }, NOW + 3 * 3_600_000],
  ])('%s', (_what, due, atMs) => {
    const now = termOn('2027-02-14', amount(1), { anchor: 'now', date: null, ...due });
    const clock = { putAtMs: NOW + 5_000, timeZone: 'UTC' };
    const parts = partsOfTerms({ terms: [now], repeat: null }, bookedRow(), clock);
    expect(parts).toEqual([{ id: 't1', amountMinor: 1, atMs }]);
  });

  it('of a part are those of its number or of the repetition', () => {
    const both = {
      terms: [HUNDRED_AT_ARRIVAL, termOn('2027-02-15', amount(1))],
      repeat: weekly({ label: 'Week' }),
    };
    expect(['t1', 't2', 'r1', 'r30'].map((id) => termOf(both, id))).toEqual([
      both.terms[0],
      both.terms[1],
      both.repeat,
      both.repeat,
    ]);
    expect(() => termOf(both, 't3')).toThrow('a part has no terms');
    expect(() => termOf({ ...both, repeat: null }, 'r1')).toThrow('a part has no terms');
  });
});

describe('a template is shown as it was put', () => {
  const of = { key: 'half', name: 'Half now', offered: true };

  it('with the share and the time of each term', () => {
    const terms: PlanTerm[] = [
      {
        ...termOn('2027-02-01', amount(12_050), { days: -3, time: '12:00' }),
        label: 'First',
        purpose: 'Deposit',
      },
      termOn('', { kind: 'percent', hundredths: 1_250 }, { anchor: 'now', date: null }),
      termOn('', { kind: 'firstNight' }, { anchor: 'arrival', date: null, days: 0 }),
      termOn('', { kind: 'rest' }, { anchor: 'departure', date: null }),
    ];
    expect(templateView({ ...of, spec: { terms, repeat: null } }, 'AUD')).toStrictEqual({
      ...of,
      terms: [
        {
          label: 'First',
          transactionType: 'Deposit',
          amount: 120.5,
          due: { anchor: 'date', date: '2027-02-01', days: -3, time: '12:00' },
        },
        { transactionType: 'Balance', percent: 12.5, due: { anchor: 'now' } },
        { transactionType: 'Balance', firstNight: true, due: { anchor: 'arrival', days: 0 } },
        { transactionType: 'Balance', rest: true, due: { anchor: 'departure' } },
      ],
    });
  });

  it('with its repetition, and without what was left out', () => {
    const common = {
      every: 'week',
      amount: 5_000,
      days: 0,
      lastPeriod: 'full',
      transactionType: 'Balance',
    };
    const shown = (repeat: PlanRepeat) =>
      templateView({ ...of, spec: { terms: [], repeat } }, 'JPY');
    expect(shown(weekly())).toStrictEqual({ ...of, repeat: common });
    const said = { from: '2027-02-14', until: '2027-03-14', time: '10:00', label: 'Week' };
    expect(shown(weekly(said))).toStrictEqual({ ...of, repeat: { ...common, ...said } });
  });
});
