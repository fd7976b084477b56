/** The rule by which a payment plan follows its booking and its payments, compared with an independent model. */
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { localInstantMs } from '../../src/core/time.ts';
import type { ChargeTotals } from '../../src/records/history/sums.ts';
import { afterChange, lookedAt, type OwnCharge } from '../../src/records/plans/rules/changes.ts';
import { endOf, lackingMinor, nextPart, workOut } from '../../src/records/plans/rules/follow.ts';
import type { PlanShare, PlanSpec, PlanTerm } from '../../src/schema/planSpec.ts';
import type { PlanPart, PlanRow } from '../../src/schema/planTables.ts';
import { isLong } from '../support/long.ts';
import {
  follow,
  type ModelPart,
  type ModelPlan,
  type Stay,
  stateOf,
} from '../support/planModel.ts';
import { seed } from '../support/seed.ts';
import { bookedRow } from './rows.ts';

const DAY = 86_400_000;

describe('a local time', () => {
  test.each([
    [
      'that does not exist is the next that does',
      '2026-03-29',
      '02:30',
      'Europe/Berlin',
      '2026-03-29T01:00:00Z',
    ],
    [
      'that exists twice is the first',
      '2026-10-25',
      '02:30',
      'Europe/Berlin',
      '2026-10-25T00:30:00Z',
    ],
    [
      'of a day that does not exist is the next day',
      '2011-12-30',
      '09:00',
      'Pacific/Apia',
      '2011-12-30T10:00:00Z',
    ],
    ['of half an hour more', '2026-10-04', '02:15', 'Australia/Lord_Howe', '2026-10-03T15:30:00Z'],
    ['of any other day', '2026-06-01', '09:00', 'Australia/Perth', '2026-06-01T01:00:00Z'],
  ])('%s', (_what, day, time, zone, instant) => {
    expect(new Date(localInstantMs(day, time, zone)).toISOString()).toBe(
      instant.replace('Z', '.000Z'),
    );
  });
});

const ZONES = ['Europe/Berlin', 'America/New_York', 'Australia/Lord_Howe', 'Asia/Tokyo'];
const CURRENCIES = ['EUR', 'USD', 'KWD', 'JPY'];

const START = Date.parse('2026-01-01T00:00:00Z');
const dayText = (days: number) => new Date(START + days * DAY).toISOString().slice(0, 10);

const day = fc.integer({ min: 0, max: 400 }).map(dayText);
const minor = fc.integer({ min: 0, max: 200_000 });
const time = fc.option(fc.constantFrom('02:30', '01:30', '00:00', '09:00', '23:59'));
const due = fc.record({
  anchor: fc.constantFrom(
    'now' as const,
    'arrival' as const,
    'departure' as const,
    'date' as const,
  ),
  date: day,
  days: fc.option(fc.integer({ min: -40, max: 40 })),
  time,
});
const named = {
  label: fc.constant(null),
  purpose: fc.constantFrom('Deposit' as const, 'Balance' as const),
};
const share = fc.oneof(
  fc.record({
    kind: fc.constant('amount' as const),
    amountMinor: fc.integer({ min: 1, max: 90_000 }),
  }),
  fc.record({
    kind: fc.constant('percent' as const),
    hundredths: fc.integer({ min: 0, max: 10_000 }),
  }),
  fc.constant({ kind: 'firstNight' as const }),
);
const rest = fc.record({ ...named, share: fc.constant({ kind: 'rest' as const }), due });
const terms = fc
  .tuple(fc.array(fc.record({ ...named, share, due }), { maxLength: 4 }), rest)
  .map(([some, last]) => ({ terms: [...some, last], repeat: null }));
const repeat = fc.record({
  ...named,
  every: fc.constantFrom('week' as const, 'fortnight' as const, 'month' as const),
  amountMinor: fc.integer({ min: 1, max: 40_000 }),
  from: fc.option(day),
  until: fc.option(day),
  days: fc.integer({ min: -10, max: 10 }),
  time,
  lastPeriod: fc.constantFrom('prorate' as const, 'full' as const),
});
const repeated = repeat.map((one) => ({ terms: [], repeat: one }));
const spec: fc.Arbitrary<PlanSpec> = fc.oneof(terms, repeated);

const stay = fc
  .record({
    from: fc.integer({ min: 0, max: 300 }),
    nights: fc.integer({ min: 1, max: 200 }),
    total: minor,
    firstNight: minor,
  })
  .map(({ from, nights, total, firstNight }): Stay => {
    return { arrival: dayText(from), departure: dayText(from + nights), total, firstNight };
  });

type Step =
  | { do: 'save'; stay: Stay }
  | { do: 'pay'; amount: number }
  | { do: 'refund' | 'dispute' | 'settle' }
  | { do: 'retry'; outcome: Outcome }
  | { do: 'wait'; hours: number; outcomes: readonly Outcome[] };
type Outcome = 'taken' | 'declined' | 'retry' | 'unknown' | 'less';

const outcomes = fc.array(
  fc.constantFrom<Outcome>('taken', 'taken', 'taken', 'declined', 'retry', 'unknown', 'less'),
  { minLength: 6, maxLength: 6 },
);
const step: fc.Arbitrary<Step> = fc.oneof(
  fc.record({ do: fc.constant('save' as const), stay }),
  fc.record({ do: fc.constant('pay' as const), amount: fc.integer({ min: 1, max: 60_000 }) }),
  fc.record({ do: fc.constantFrom('refund' as const, 'dispute' as const, 'settle' as const) }),
  fc.record({
    do: fc.constant('retry' as const),
    outcome: fc.constantFrom<Outcome>('taken', 'declined', 'retry', 'unknown', 'less'),
  }),
  fc.record({
    do: fc.constant('wait' as const),
    hours: fc.integer({ min: 1, max: 1_500 }),
    outcomes,
  }),
);

/** A booking with its plan, by the service's rule and by the model, and the charges that both had. */
class Story {
  readonly zone: string;
  now = START + 12 * 3_600_000;
  stay: Stay;
  row: PlanRow;
  model: ModelPlan;
  totals: ChargeTotals[] = [];
  /** What charges by hand took, and what of all was given back. */
  others = 0;
  #id = 0;

  constructor(zone: string, currency: string, of: PlanSpec, first: Stay) {
    this.zone = zone;
    this.stay = first;
    const parts = workOut({ spec: of, parts: null, putAtMs: this.now }, this.#followed());
    this.row = {
      id: 'plan',
      propertyId: 'demo',
      bookingReference: 'RES-1',
      currency,
      cardToken: null,
      cardEndsAtMs: null,
      spec: of,
      parts,
      putAtMs: this.now,
      bookingVersion: 1,
      version: 1,
      createdAtMs: this.now,
      changedAtMs: this.now,
      ...lookedAt({ cardEndsAtMs: null, parts, putAtMs: this.now }, this.now),
    };
    this.model = { spec: of, zone, putAt: this.now, parts: [] };
    follow(this.model, first, 0, this.now, true);
  }

  #followed() {
    const { arrival, departure, firstNight, total } = this.stay;
    const of = { arrival, departure, totalCostMinor: total, firstNightCostMinor: firstNight };
    return { stay: of, timeZone: this.zone, totals: this.totals, nowMs: this.now };
  }

  /** What the service's rule and the model make of a change. */
  changed(charges: readonly OwnCharge[] = []): void {
    const { stay: of, ...followed } = this.#followed();
    const booking = bookedRow({ ...of });
    this.row = afterChange(this.row, { ...followed, booking, charges });
    follow(this.model, this.stay, this.others, this.now);
  }

  get due(): number {
    const paid = this.totals.reduce(
      (sum, it) => sum + Math.max(0, it.takenMinor - it.refundedMinor - it.disputedMinor),
      0,
    );
    return this.stay.total === 0 ? Number.MAX_SAFE_INTEGER : Math.max(0, this.stay.total - paid);
  }

  take(amount: number, id = this.nextId()): void {
    const none = { feeMinor: 3, refundedMinor: 0, waivedMinor: 0, disputedMinor: 0 };
    this.totals = [
      ...this.totals,
      { transactionId: id, purpose: 'Balance', takenMinor: amount + 3, ...none },
    ];
  }

  nextId(): number {
    this.#id += 1;
    return this.#id;
  }

  compare(): void {
    const own = this.row.parts.map((part) => ({
      id: part.id,
      amount: part.status === 'void' ? null : part.amountMinor,
      paid: part.coveredMinor + part.broughtMinor,
      due: part.status === 'void' ? null : part.dueAtMs,
      state: part.status,
    }));
    const theirs = this.model.parts.map((part) => ({
      id: part.id,
      amount: part.void && part.charge !== 'taken' ? null : part.amount,
      paid: part.covered + part.brought,
      due: part.void && part.charge !== 'taken' ? null : part.due,
      state: stateOf(part),
    }));
    const byId = (one: { id: string }, other: { id: string }) => (one.id < other.id ? -1 : 1);
    expect(own.toSorted(byId)).toEqual(theirs.toSorted(byId));
  }
}

function partOf(story: Story, id: string): ModelPart {
  const part = story.model.parts.find((one) => one.id === id);
  if (!part) throw new Error('the model has no such part');
  return part;
}

/** What of a part may be charged now. */
function amountFor({ due, row }: Story, part: PlanPart): number {
  const uncertain = row.parts
    .filter(({ status }) => status === 'processing')
    .reduce((sum, one) => sum + lackingMinor(one), 0);
  return Math.min(lackingMinor(part), Math.max(0, due - uncertain));
}

/** Charges a part again whose charge waits; its charge is called off where nothing is due. */
function retry(story: Story, outcome: Outcome): void {
  const part = story.row.parts.find(
    ({ chargeStatus, status }) => chargeStatus === 'Pending' && status === 'planned',
  );
  if (!part) return;
  const amount = amountFor(story, part);
  if (amount === 0) return;
  const own = { id: part.chargeId ?? 0, planId: 'plan', partId: part.id };
  partOf(story, part.id).charge = 'sent';
  story.changed([{ ...own, status: 'Processing', version: 3 }]);
  story.compare();
  if (outcome !== 'unknown') settle(story, own, outcome, amount);
}

/** Charges what is due until an instant, as the alarm does, with these outcomes in turn. */
function charge(story: Story, untilMs: number, list: readonly Outcome[]): void {
  for (let turn = 0; turn < 300; turn += 1) {
    const next = nextPart(story.row.parts);
    if (story.row.status !== 'active' || !next || next.dueAtMs > untilMs) break;
    story.now = Math.max(story.now, next.dueAtMs);
    const amount = amountFor(story, next);
    const model = partOf(story, next.id);
    if (amount === 0) {
      const parts = story.row.parts.map((one) => (one.id === next.id ? endOf(one) : one));
      story.row = { ...story.row, parts, ...lookedAt({ ...story.row, parts }, story.now) };
      if (model.covered === 0) model.void = true;
      else model.amount = model.covered;
      model.ended = true;
      story.changed();
      continue;
    }
    const id = story.nextId();
    const outcome = list[turn % list.length] ?? 'taken';
    const own = { id, planId: 'plan', partId: next.id } as const;
    model.charge = 'sent';
    story.changed([{ ...own, status: 'Processing', version: 1 }]);
    story.compare();
    if (outcome === 'unknown') continue;
    settle(story, own, outcome, amount);
    story.compare();
  }
}

function settle(
  story: Story,
  own: Pick<OwnCharge, 'id' | 'planId' | 'partId'>,
  outcome: Outcome,
  amount: number,
): void {
  const model = partOf(story, own.partId ?? '');
  const status = {
    taken: 'Accepted',
    less: 'Accepted',
    unknown: 'Accepted',
    declined: 'Declined',
    retry: 'Pending',
  } as const;
  if (status[outcome] === 'Accepted') {
    const taken = outcome === 'less' ? Math.max(1, amount - 5) : amount;
    expect(taken).toBeLessThanOrEqual(story.due);
    story.take(taken, own.id);
    model.charge = 'taken';
    model.brought = taken;
    model.covered = Math.min(model.covered, Math.max(0, model.amount - taken));
    model.amount = model.covered + taken;
  } else {
    model.charge = outcome === 'retry' ? 'waits' : 'failed';
  }
  story.changed([{ ...own, status: status[outcome], version: 2 }]);
}

function run(story: Story, one: Step): void {
  switch (one.do) {
    case 'save':
      story.stay = one.stay;
      story.changed();
      break;
    case 'pay':
      story.take(one.amount);
      story.others += one.amount;
      story.changed();
      break;
    case 'refund':
    case 'dispute': {
      const what = one.do === 'refund' ? 'refundedMinor' : 'disputedMinor';
      story.totals = story.totals.map((it, index) =>
        index === 0 ? { ...it, [what]: it.takenMinor } : it,
      );
      story.changed();
      break;
    }
    case 'settle': {
      const part = story.row.parts.find(({ status }) => status === 'processing');
      if (!part) return;
      const amount = Math.min(lackingMinor(part), story.due);
      const own = { id: part.chargeId ?? 0, planId: 'plan', partId: part.id };
      settle(story, own, amount > 0 ? 'taken' : 'declined', amount);
      break;
    }
    case 'retry':
      retry(story, one.outcome);
      break;
    case 'wait': {
      const untilMs = story.now + one.hours * 3_600_000;
      charge(story, untilMs, one.outcomes);
      story.now = untilMs;
    }
  }
}

type Played = [number, PlanSpec, Stay, Step[]];

const ONE_NIGHT = { arrival: dayText(0), departure: dayText(1), total: 0, firstNight: 0 };

/** The second part was due before the first, until both are due a day after the stay became dearer. */
const TIED: Played = [
  0,
  {
    terms: [
      termDue({ kind: 'percent', hundredths: 1 }, 'date', dayText(1)),
      termDue({ kind: 'rest' }, 'now', null),
    ],
    repeat: null,
  },
  ONE_NIGHT,
  [
    { do: 'pay', amount: 1 },
    { do: 'wait', hours: 20, outcomes: ['taken'] },
    { do: 'save', stay: { ...ONE_NIGHT, total: 5_000 } },
    { do: 'settle' },
  ],
];

/** The stay begins after the repetition's end, and comes to begin before it, in the past. */
const NO_PERIOD_YET: Played = [
  0,
  {
    terms: [],
    repeat: {
      label: null,
      purpose: 'Balance',
      every: 'week',
      amountMinor: 1,
      from: null,
      until: dayText(4),
      days: 0,
      time: null,
      lastPeriod: 'prorate',
    },
  },
  { ...ONE_NIGHT, arrival: dayText(4), departure: dayText(5) },
  [{ do: 'save', stay: ONE_NIGHT }],
];

function termDue(of: PlanShare, anchor: 'date' | 'now', date: string | null): PlanTerm {
  return {
    label: null,
    purpose: 'Balance',
    share: of,
    due: { anchor, date, days: null, time: null },
  };
}

describe('a plan', () => {
  test('follows random changes, payments, refunds, declines and disputes as the model does', () => {
    let changes = 0;
    fc.assert(
      fc.property(
        fc.constantFrom(...ZONES.keys()),
        spec,
        stay,
        fc.array(step, { minLength: 8, maxLength: 25 }),
        (place, of, first, steps) => {
          const story = new Story(ZONES[place] ?? '', CURRENCIES[place] ?? '', of, first);
          story.compare();
          for (const one of steps) {
            if (story.row.status !== 'active') break;
            run(story, one);
            changes += 1;
            if (story.row.status === 'active') story.compare();
          }
        },
      ),
      { seed, numRuns: isLong ? 750 : 60, examples: [TIED, NO_PERIOD_YET] },
    );
    // Of all currencies and zones, through a year with both changes of the clocks.
    expect(changes).toBeGreaterThan(isLong ? 5_000 : 400);
  }, 300_000);
});
