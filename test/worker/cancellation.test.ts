/** Cancelling a booking with a settlement: what is quoted is what is done, once, whatever comes in between. */
import { describe, expect, it } from 'vitest';
import { DAY_MS, HOUR_MS, localTimestamp, MINUTE_MS } from '../../src/core/time.ts';
import { sandboxAcquirer } from '../../src/sandbox/stub.ts';
import {
  atTime,
  attachCard,
  bookingOf,
  call,
  callAsAdmin,
  engineToken,
  ledgerOf,
  makeProperty,
  testEnv,
  transactionsOf,
} from '../support/api.ts';
import {
  applied,
  bookedWith,
  CANCELLATION,
  cancellationOf,
  keeping,
  settlementOf,
  unsettled,
} from '../support/cancellation.ts';
import {
  ANSWER_LOST,
  DECLINED,
  GOOD,
  NEVER_ARRIVES,
  OTHER_GOOD,
  REFUND_FAILS,
} from '../support/cards.ts';
import { used } from '../support/counting.ts';
import { drawing } from '../support/drawing.ts';
import { listedEvents } from '../support/endpoint.ts';
import { wakeAt } from '../support/faults.ts';
import { isLong } from '../support/long.ts';
import { disagreements } from '../support/oracle.ts';
import { SETTINGS } from '../support/recoverySettings.ts';
import { seed } from '../support/seed.ts';
import { story } from '../support/story.ts';

story({ silent: ['alarms', 'news', 'pms'] });

const SAVE = '/booking/v1/create/manage-payments';
const CREATE = '/payment/v1/create';
const SCHEDULE = '/payment/v1/schedule';

const inTime = (ms: number) => new Date(Date.now() + ms).toISOString();

async function charged(reference: string, amount: number, more: object = {}): Promise<number> {
  const { json } = await call(CREATE, { reference, amount, ...more });
  return json.transaction.id;
}

const held = (reference: string, amount: number, ms: number, more: object = {}) =>
  charged(reference, amount, { preAuth: true, expiryTime: inTime(ms), ...more });

const PLAN_PUT = '/payment-plan/v1/put';
const REFUND = '/refund/v1/create';
const CAPTURE = '/payment/v1/charge-pre-auth';
const RELEASE = '/payment/v1/cancel-pre-auth';
const UNSCHEDULE = '/payment/v1/cancel-schedules';
const LATER = { anchor: 'date', date: '2027-01-01' };
const FEE_RULE = { basisPoints: 200, method: 'add' };

type Change = (reference: string) => Promise<unknown>;

async function declinedCharge(reference: string): Promise<void> {
  const { json } = await call('/payment/v1/tokenize', {
    cardNumber: DECLINED,
    cardExpiry: '12/2030',
  });
  await charged(reference, 5, { token: json.card.token });
}

/** A plan with a part that is due within minutes. */
function partSoon(reference: string): Promise<unknown> {
  const [date, time = ''] = localTimestamp(Date.now() + 5 * MINUTE_MS, 'Australia/Perth').split(
    ' ',
  );
  const due = { anchor: 'date', date, time: time.slice(0, 5) };
  return call(PLAN_PUT, { reference, terms: [{ amount: 9, due }] });
}

describe('a policy', () => {
  it('is the property’s, or the booking’s own, with the time since which it is disclosed', async () => {
    const token = await makeProperty('policies', keeping({ percent: 50 }));
    const options = { token };
    const policyOf = async (reference: string) =>
      (await call('/booking/v1/get-details', { reference }, options)).json.booking
        .cancellationPolicy;
    await call(SAVE, bookingOf('P-1'), options);
    const first = await policyOf('P-1');
    expect(first).toEqual({
      rules: [{ keep: { percent: 50 } }],
      disclosedAt: expect.stringMatching(/\+08:00$/),
    });
    await makeProperty('policies', keeping({ paid: true }));
    await call(SAVE, bookingOf('P-1', { totalCost: 700 }), options);
    expect(await policyOf('P-1')).toEqual(first);
    const rules = [
      { daysBeforeArrival: 7, time: '18:00', keep: { amount: 12.5 } },
      { keep: { nothing: true } },
    ];
    const own = { rules, noShow: { firstNight: true }, text: 'Free of charge.\nAlmost.' };
    await call(SAVE, bookingOf('P-1', { cancellationPolicy: own }), options);
    expect(await policyOf('P-1')).toMatchObject(own);
    await call(SAVE, bookingOf('P-2'), options);
    expect(await policyOf('P-2')).toMatchObject({ rules: [{ keep: { paid: true } }] });
  });

  it('is needed, unless the property cancels or somebody says what is kept', async () => {
    const options = { token: await makeProperty('no-policy') };
    await call(SAVE, bookingOf('N-1'), options);
    const quote = (more: object) =>
      call(`${CANCELLATION}/quote`, { reference: 'N-1', reason: 'guest', ...more }, options);
    const refused = await quote({});
    expect([refused.status, refused.json.code]).toEqual([422, 'no_policy']);
    expect((await quote({ reason: 'property' })).json.cancellation.rule).toBe('property');
    const kept = await quote({ keep: { amount: 5, why: 'agreed' } });
    expect(kept.json.cancellation).toMatchObject({ rule: 'override', keep: 5, uncollectable: 5 });
    const future = await quote({ at: inTime(HOUR_MS) });
    expect(future.json.errors).toMatchObject([{ field: 'at', code: 'time_in_future' }]);
    expect((await quote({ keep: { amount: 5 } })).json.errors).toMatchObject([
      { field: 'keep.why' },
    ]);
  });
});

describe('a quote', () => {
  it('says what comes in, and writes nothing', async () => {
    await bookedWith('Q-1', { percent: 50 });
    await attachCard('Q-1', GOOD);
    const early = await held('Q-1', 60, HOUR_MS);
    const late = await held('Q-1', 100, DAY_MS);
    const bondHold = await held('Q-1', 80, HOUR_MS, { transactionType: 'Bond' });
    const bond = await charged('Q-1', 40, { transactionType: 'Bond' });
    const schedule = await call(SCHEDULE, { reference: 'Q-1', amount: 70, time: inTime(DAY_MS) });
    const paid = await charged('Q-1', 50);
    expect(paid).toBeGreaterThan(0);
    const spent = await used(async () => {
      expect(await cancellationOf('Q-1')).toEqual({
        cancellationQuoteId: expect.stringMatching(/^[\w-]+\.[\w-]+$/),
        reason: 'guest',
        rule: 0,
        keep: 300,
        paid: 50,
        captures: [
          { chargeId: early, amount: 60 },
          { chargeId: late, amount: 100 },
        ],
        charge: { amount: 90, creditCardFee: 2.78, transactionFee: 0, cardNumber: '4242' },
        refunds: [],
        releases: [{ chargeId: bondHold, amount: 80 }],
        bonds: [{ chargeId: bond, amount: 40 }],
        cancelledSchedules: [{ chargeId: schedule.json.transaction.id, amount: 70 }],
        planCancelled: null,
        uncollectable: 0,
        allowed: true,
        refusals: [],
        warnings: [],
        validUntil: expect.stringMatching(/\+08:00$/),
      });
    });
    expect(spent.rowsWritten).toBe(0);
  });

  it('is judged at the moment that is asked for', async () => {
    const rules = [{ daysBeforeArrival: 2, keep: { nothing: true } }, { keep: { percent: 100 } }];
    const day = (ms: number) =>
      new Date(ms + 8 * HOUR_MS).toISOString().slice(0, 10).split('-').toReversed().join('-');
    const arrival = day(Date.now() + DAY_MS);
    const departure = day(Date.now() + 4 * DAY_MS);
    const stay = { arrival, departure, cancellationPolicy: { rules } };
    await call(SAVE, bookingOf('Q-2', stay));
    expect((await cancellationOf('Q-2')).rule).toBe(1);
    const before = await cancellationOf('Q-2', { at: inTime(-2 * DAY_MS) });
    expect([before.rule, before.keep]).toEqual([0, 0]);
    expect((await cancellationOf('Q-2', { reason: 'noShow' })).rule).toBe('noShow');
  });
});

describe('an application', () => {
  it('takes from holds and the card, gives Bonds back, and tells of it', async () => {
    await bookedWith('A-1', { percent: 50 });
    await attachCard('A-1', GOOD);
    await call('/application/v1/create', {
      email: 'guest@hotel.com',
      arrival: '2027-02-14',
      departure: '2027-02-17',
      reference: 'A-1',
    });
    const hold = await held('A-1', 60, HOUR_MS);
    const bondHold = await held('A-1', 80, HOUR_MS, { transactionType: 'Bond' });
    const bond = await charged('A-1', 40, { transactionType: 'Bond' });
    await call(SCHEDULE, { reference: 'A-1', amount: 70, time: inTime(DAY_MS) });
    const quote = await cancellationOf('A-1');
    const answer = await applied('A-1', quote.cancellationQuoteId, 'a-1');
    expect([answer.status, answer.json.code]).toEqual([200, undefined]);
    expect(answer.json.booking).toMatchObject({ status: 'cancelled', totalCost: 600 });
    expect(answer.json.settlement).toEqual({
      settlementId: expect.stringMatching(/^[0-9a-f]{32}$/),
      status: 'settled',
      kept: 300,
      charged: 240,
      captured: 60,
      refunded: 0,
      released: 80,
      uncollected: 0,
      steps: [
        { what: 'capture', chargeId: hold, refundId: null, amount: 60, status: 'Accepted' },
        {
          what: 'charge',
          chargeId: expect.any(Number),
          refundId: null,
          amount: 240,
          status: 'Accepted',
        },
        {
          what: 'bond',
          chargeId: bond,
          refundId: expect.any(Number),
          amount: 40,
          status: 'Refunded',
        },
        { what: 'release', chargeId: bondHold, refundId: null, amount: 80, status: 'Released' },
      ],
    });
    const { balance } = (await call('/payment/v1/balance', { reference: 'A-1' })).json;
    expect(balance).toMatchObject({ paid: 300, bonds: 0, held: 0, scheduled: 0, uncertain: 0 });
    expect(await disagreements('A-1')).toEqual([]);
    expect(await unsettled('A-1')).toEqual([]);

    const again = await applied('A-1', quote.cancellationQuoteId, 'a-1');
    expect(again.headers.get('Idempotency-Replayed')).toBe('true');
    expect(again.json).toEqual(answer.json);
    const other = await applied('A-1', quote.cancellationQuoteId, 'a-1-other');
    expect([other.status, other.json.code]).toEqual([409, 'quote_stale']);
    expect(await settlementOf('A-1')).toEqual(answer.json.settlement);

    const events = (await listedEvents(await engineToken())).filter(
      ({ data }) => data.reference === 'A-1',
    );
    const cancelled = events.find(({ type }) => type === 'booking.cancelled');
    expect(cancelled?.data).toMatchObject({
      booking: { status: 'cancelled' },
      // What is recorded then: the acquirer has not heard of any of it.
      settlement: {
        status: 'settling',
        kept: 0,
        steps: answer.json.settlement.steps.map(() => ({ status: 'Processing' })),
      },
    });
    expect(events.at(-1)).toMatchObject({
      type: 'settlement.settled',
      data: { settlement: answer.json.settlement },
    });
    const applications = await call('/application/v1/list', { status: 'Cancelled' });
    expect(applications.json).toMatchObject({ applications: [{ email: 'guest@hotel.com' }] });
    const { json } = await callAsAdmin('/admin/v1/outbox/list', {
      property: 'demo',
      reference: 'A-1',
    });
    const types = (json as unknown as { messages: { messageType: string }[] }).messages;
    expect(types.filter(({ messageType }) => messageType === 'PushCancellation')).toHaveLength(1);
    const audit = await callAsAdmin('/admin/v1/audit/list', { property: 'demo', reference: 'A-1' });
    expect(JSON.stringify(audit.json)).toContain('guest, rule 0, keeps 300.00');
  });

  it('gives back what is paid and not kept, with fees where the property cancels', async () => {
    await bookedWith('A-2', { firstNight: true });
    await attachCard('A-2', GOOD);
    const first = await charged('A-2', 150);
    const second = await charged('A-2', 300);
    const byGuest = await cancellationOf('A-2');
    expect(byGuest).toMatchObject({ keep: 200, refunds: [{ chargeId: second, amount: 250 }] });
    const byProperty = await cancellationOf('A-2', { reason: 'property' });
    expect(byProperty.refunds).toEqual([
      { chargeId: first, amount: 154.64 },
      { chargeId: second, amount: 309.28 },
    ]);
    const { json } = await applied('A-2', byProperty.cancellationQuoteId);
    expect(json.settlement).toMatchObject({ status: 'settled', kept: 0, refunded: 450 });
    expect(await disagreements('A-2')).toEqual([]);
    expect(await unsettled('A-2')).toEqual([]);
  });

  it('is done once, however many come at once', async () => {
    await bookedWith('A-3', { percent: 100 });
    await attachCard('A-3', GOOD);
    const { cancellationQuoteId } = await cancellationOf('A-3');
    const quote2 = (await cancellationOf('A-3')).cancellationQuoteId;
    const answers = await Promise.all([
      applied('A-3', cancellationQuoteId, 'same'),
      applied('A-3', cancellationQuoteId, 'same'),
      applied('A-3', cancellationQuoteId, 'other'),
      applied('A-3', cancellationQuoteId),
      applied('A-3', quote2),
    ]);
    const statuses = answers.map(({ json, status }) => `${status} ${json.code}`).toSorted();
    expect(statuses.filter((one) => one === '409 quote_stale').length).toBeGreaterThanOrEqual(3);
    expect(new Set(statuses)).toEqual(new Set(['200 undefined', '409 quote_stale']));
    expect(await transactionsOf('A-3')).toHaveLength(1);
    expect(await disagreements('A-3')).toEqual([]);
    expect(await unsettled('A-3')).toEqual([]);
  });
});

describe('a quote no longer holds', () => {
  /** A booking as each case below finds it, by what it has. */
  const open = {
    schedule: (reference: string) =>
      call(SCHEDULE, { reference, amount: 5, time: inTime(HOUR_MS) }),
    hold: (reference: string) => held(reference, 5, HOUR_MS),
    plan: (reference: string) => call(PLAN_PUT, { reference, terms: [{ amount: 9, due: LATER }] }),
  };
  const nth = async (reference: string, at: number) => ({
    reference,
    chargeId: (await transactionsOf(reference)).at(at)?.id,
  });
  const dispute = async (reference: string, action: string) => {
    const act = { action, property: 'demo', ...(await nth(reference, 0)) };
    await callAsAdmin('/sandbox/v1/act', act);
    await sandboxAcquirer(testEnv).deliverNow();
  };
  const again = (reference: string, details: Record<string, unknown>) =>
    bookedWith(reference, { amount: 250 }, details);
  const property = (settings: object) =>
    callAsAdmin('/admin/v1/property/put', { ...DEMO, ...settings });

  /** What happens, to a booking of 650 with a card and 20 paid, once it has been prepared. */
  const changes: [string, Change, Change?][] = [
    ['a charge', (reference) => charged(reference, 5)],
    ['a charge of a Bond', (reference) => charged(reference, 5, { transactionType: 'Bond' })],
    ['a declined charge', declinedCharge],
    ['a hold', open.hold],
    ['a capture', async (reference) => call(CAPTURE, await nth(reference, -1)), open.hold],
    ['a release', async (reference) => call(RELEASE, await nth(reference, -1)), open.hold],
    ['a schedule', open.schedule],
    ['the end of a schedule', (reference) => call(UNSCHEDULE, { reference }), open.schedule],
    [
      'a schedule that fires',
      (reference) => wakeAt(reference, Date.now() + 10 * MINUTE_MS),
      (reference) => call(SCHEDULE, { reference, amount: 5, time: inTime(MINUTE_MS) }),
    ],
    ['a refund', (reference) => call(REFUND, { reference, amount: 5 })],
    ['a refund that waives', (reference) => call(REFUND, { reference, amount: 5, waive: true })],
    ['a plan', open.plan],
    ['a plan that is put again', open.plan, open.plan],
    ['the end of a plan', (reference) => call('/payment-plan/v1/cancel', { reference }), open.plan],
    ['a part of a plan', (reference) => wakeAt(reference, Date.now() + 10 * MINUTE_MS), partSoon],
    ['a dispute', (reference) => dispute(reference, 'dispute')],
    ['an inquiry', (reference) => dispute(reference, 'inquiry')],
    [
      'a dispute that is won',
      (reference) => dispute(reference, 'winDispute'),
      (reference) => dispute(reference, 'dispute'),
    ],
    ['another card', (reference) => attachCard(reference, OTHER_GOOD)],
    ['another total', (reference) => again(reference, { totalCost: 651 })],
    ['another first night', (reference) => again(reference, { firstNightCost: 1 })],
    ['another arrival', (reference) => again(reference, { arrival: '15-02-2027' })],
    ['another policy', (reference) => bookedWith(reference, { amount: 251 })],
    ['a cancellation', (reference) => again(reference, { status: 'cancelled' })],
    ['other fees', () => property({ cardFeeBasisPoints: 100 })],
    [
      'a rule of fees',
      () => callAsAdmin('/admin/v1/fee-rules/put', { property: 'demo', rules: [FEE_RULE] }),
    ],
  ];

  it.each(changes)('after %s', async (name, change, prepare) => {
    await callAsAdmin('/admin/v1/fee-rules/put', { property: 'demo', rules: [] });
    await property({ cardFeeBasisPoints: 300 });
    const reference = `S ${name}`;
    await bookedWith(reference, { amount: 250 });
    await attachCard(reference, GOOD);
    await charged(reference, 20);
    await prepare?.(reference);
    const quote = await cancellationOf(reference);
    await change(reference);
    const { json, status } = await applied(reference, quote.cancellationQuoteId);
    expect([status, json.code]).toEqual([409, 'quote_stale']);
    const got = await call(`${CANCELLATION}/get`, { reference });
    expect(got.json.code).toBe('settlement_not_found');
  });

  it('after another policy of the property, where the booking has none', async () => {
    const keep = (amount: number) =>
      property({ cancellationPolicy: { rules: [{ keep: { amount } }] } });
    await property({ cancellationPolicy: null });
    await call(SAVE, bookingOf('S-property'));
    await attachCard('S-property', GOOD);
    await keep(100);
    const quote = await cancellationOf('S-property');
    await keep(101);
    const { json } = await applied('S-property', quote.cancellationQuoteId);
    expect(json.code).toBe('quote_stale');
    await property({ cancellationPolicy: null });
  });

  it('but holds after what it does not rest on', async () => {
    const reference = 'S-same';
    await bookedWith(reference, { amount: 250 });
    await attachCard(reference, GOOD);
    const quote = await cancellationOf(reference);
    await bookedWith(
      reference,
      { amount: 250 },
      { lastName: 'Other', pmsConfirmationNumber: 'PMS-7' },
    );
    await call('/booking/v1/get-url', { reference, revokeEarlier: true });
    await call('/payment/v1/tokenize', { cardNumber: GOOD, cardExpiry: '12/2030' });
    expect((await applied(reference, quote.cancellationQuoteId)).status).toBe(200);
  });

  it('after 15 minutes, or where it is of something else', async () => {
    await bookedWith('S-late', { amount: 250 });
    await bookedWith('S-other', { amount: 250 });
    const { cancellationQuoteId } = await cancellationOf('S-late');
    const late = await atTime(Date.now() + 15 * MINUTE_MS, () =>
      applied('S-late', cancellationQuoteId),
    );
    expect([late.status, late.json.code]).toEqual([409, 'quote_stale']);
    const { quoteId } = (await call('/payment/v1/quote', { reference: 'S-late', amount: 5 })).json
      .quote;
    for (const [reference, id] of [
      ['S-other', cancellationQuoteId],
      ['S-late', 'none'],
      ['S-late', quoteId],
    ] as const) {
      const { json, status } = await applied(reference, id);
      expect([status, json.code]).toEqual([422, 'quote_invalid']);
    }
    const asPayment = await call(CREATE, {
      reference: 'S-late',
      amount: 5,
      quoteId: cancellationQuoteId,
    });
    expect([asPayment.status, asPayment.json.code]).toEqual([422, 'quote_invalid']);
    const unknown = await applied('S-none', cancellationQuoteId);
    expect([unknown.status, unknown.json.code]).toEqual([404, 'booking_not_found']);
  });

  it('while the outcome of a payment is not known', async () => {
    await bookedWith('S-open', { amount: 250 });
    await attachCard('S-open', ANSWER_LOST);
    await charged('S-open', 20);
    const quote = await cancellationOf('S-open');
    expect([quote.allowed, quote.refusals]).toMatchObject([false, [{ code: 'outcome_unknown' }]]);
    const { json, status } = await applied('S-open', quote.cancellationQuoteId);
    expect([status, json.code]).toEqual([409, 'invalid_state']);
  });

  it('on a cancelled booking, which is not settled', async () => {
    await bookedWith('S-ended', { amount: 250 }, { status: 'cancelled' });
    const quote = await cancellationOf('S-ended');
    expect(quote.refusals).toMatchObject([{ code: 'invalid_state' }]);
    expect((await applied('S-ended', quote.cancellationQuoteId)).json.code).toBe('invalid_state');
  });
});

const DEMO = {
  property: 'demo',
  name: 'Demo Property',
  site: 'demo.localhost',
  currency: 'AUD',
  timeZone: 'Australia/Perth',
};

/** The settlement of a booking as each of its events showed it. */
async function toldSettlements(reference: string) {
  const { json } = await call('/event/v1/list', { reference, types: ['settlement.*'] });
  return json.events.map(({ data, type }) => [type, data.settlement.charged]);
}

describe('a settlement', () => {
  it('is incomplete where the card is declined, and the guest may be asked', async () => {
    const cardRecovery = SETTINGS;
    await callAsAdmin('/admin/v1/property/put', { ...DEMO, cardRecovery });
    await bookedWith('I-1', { amount: 250 });
    await attachCard('I-1', DECLINED);
    const quote = await cancellationOf('I-1', { reason: 'noShow' });
    const { json } = await applied('I-1', quote.cancellationQuoteId);
    expect(json.settlement).toMatchObject({
      status: 'incomplete',
      kept: 0,
      uncollected: 250,
      steps: [{ what: 'charge', status: 'Declined' }],
    });
    const { problems } = (await call('/card/v1/health', { reference: 'I-1' })).json as unknown as {
      problems: object[];
    };
    expect(problems).toMatchObject([{ problem: 'declined' }]);
    await wakeAt('I-1', Date.now() + MINUTE_MS);
    // Another card pays it.
    await attachCard('I-1', GOOD);
    await wakeAt('I-1', Date.now() + MINUTE_MS);
    expect(await settlementOf('I-1')).toMatchObject({ status: 'settled', kept: 250, charged: 250 });
    expect(await toldSettlements('I-1')).toEqual([
      ['settlement.incomplete', 0],
      ['settlement.settled', 250],
    ]);
    expect((await call('/payment/v1/balance', { reference: 'I-1' })).json.balance.paid).toBe(250);
    await callAsAdmin('/admin/v1/property/put', { ...DEMO, cardRecovery: null });
  });

  it('is paid by another card, however often the cancelled booking is saved meanwhile', async () => {
    await callAsAdmin('/admin/v1/property/put', { ...DEMO, cardRecovery: SETTINGS });
    await bookedWith('I-9', { amount: 250 });
    await attachCard('I-9', DECLINED);
    const quote = await cancellationOf('I-9', { reason: 'noShow' });
    await applied('I-9', quote.cancellationQuoteId);
    await wakeAt('I-9', Date.now() + MINUTE_MS);
    const act = { property: 'demo', status: 503 };
    await callAsAdmin('/sandbox/v1/act', { ...act, action: 'outage' });
    await attachCard('I-9', GOOD);
    const body = bookingOf('I-9', { status: 'cancelled', notes: 'a no-show' });
    expect((await call('/booking/v1/create/manage-payments', body)).status).toBe(200);
    await callAsAdmin('/sandbox/v1/act', { ...act, action: 'resume' });
    await wakeAt('I-9', Date.now() + 5 * MINUTE_MS);
    expect((await transactionsOf('I-9')).map(({ status }) => status)).toEqual([
      'Declined',
      'Accepted',
    ]);
    expect(await settlementOf('I-9')).toMatchObject({ status: 'settled', kept: 250 });
    expect(await toldSettlements('I-9')).toEqual([
      ['settlement.incomplete', 0],
      ['settlement.settled', 250],
    ]);
    await callAsAdmin('/admin/v1/property/put', { ...DEMO, cardRecovery: null });
  });

  it('is incomplete where a refund is refused for good', async () => {
    await bookedWith('I-2', { nothing: true });
    await attachCard('I-2', REFUND_FAILS);
    await charged('I-2', 60);
    const { json } = await applied('I-2', (await cancellationOf('I-2')).cancellationQuoteId);
    expect(json.settlement).toMatchObject({ status: 'incomplete', kept: 60, refunded: 0 });
    expect(await unsettled('I-2')).toEqual([]);
  });

  it.each([
    ['was taken', ANSWER_LOST],
    ['never arrived', NEVER_ARRIVES],
  ])('gives nothing back before it is known that a charge %s', async (what, card) => {
    const reference = `I ${what}`;
    await bookedWith(reference, { amount: 250 });
    await attachCard(reference, GOOD);
    await charged(reference, 40, { transactionType: 'Bond' });
    await attachCard(reference, card);
    const quote = await cancellationOf(reference);
    const { json } = await applied(reference, quote.cancellationQuoteId, reference);
    expect(json.settlement).toMatchObject({ status: 'settling', charged: 0 });
    const kinds = async () => (await ledgerOf(reference)).map(({ kind }) => kind);
    expect(await kinds()).not.toContain('refund');
    await wakeAt(reference, Date.now() + 10 * MINUTE_MS);
    await wakeAt(reference, Date.now() + 20 * MINUTE_MS);
    expect(await kinds()).toEqual(['charge', 'charge', 'refund']);
    const settled = await settlementOf(reference);
    expect(settled).toMatchObject({ status: 'settled', kept: 250, charged: 250 });
    expect(await disagreements(reference)).toEqual([]);
    const replayed = await applied(reference, quote.cancellationQuoteId, reference);
    expect(replayed.json.settlement).toEqual(settled);
  });

  it('can be followed by another, if the booking is booked again', async () => {
    await bookedWith('I-3', { amount: 250 });
    const quote = await cancellationOf('I-3', { keep: { amount: 0, why: 'kindness' } });
    expect((await applied('I-3', quote.cancellationQuoteId)).json.settlement.status).toBe(
      'settled',
    );
    await bookedWith('I-3', { amount: 250 });
    expect((await applied('I-3', quote.cancellationQuoteId)).json.code).toBe('quote_stale');
    const next = await cancellationOf('I-3');
    const { json } = await applied('I-3', next.cancellationQuoteId);
    expect(json.settlement).toMatchObject({ status: 'incomplete', uncollected: 250, steps: [] });
  });
});

/** Makes a drawn booking, and cancels it as it is quoted. */
async function drawnCancellation(reference: string, draw: (below: number) => number) {
  const keeps = [
    { percent: draw(101) },
    { firstNight: true },
    { amount: draw(900) },
    { paid: true },
    { nothing: true },
  ];
  const totalCost = draw(5) === 0 ? 0 : 100 + draw(600);
  const bond = () => (draw(4) === 0 ? { transactionType: 'Bond' } : {});
  await bookedWith(reference, keeps[draw(keeps.length)] ?? {}, { totalCost });
  await attachCard(reference, GOOD);
  for (let made = draw(4); made > 0; made -= 1) await charged(reference, 1 + draw(300), bond());
  if (draw(3) === 0) await call('/refund/v1/create', { reference, amount: 1 + draw(20) });
  for (let made = draw(3); made > 0; made -= 1) {
    await held(reference, 1 + draw(200), HOUR_MS * (1 + draw(9)), bond());
  }
  const cards = [GOOD, GOOD, OTHER_GOOD, DECLINED, ANSWER_LOST, REFUND_FAILS];
  await attachCard(reference, cards[draw(cards.length)] ?? GOOD);
  const reason = (['guest', 'property', 'noShow'] as const)[draw(3)] ?? 'guest';
  const quote = await cancellationOf(reference, { reason });
  const { json } = await applied(reference, quote.cancellationQuoteId);
  expect(json.code).toBeUndefined();
  return quote;
}

const cents = (amount: number) => Math.round(amount * 100);

describe('whatever a booking has', () => {
  it('kept and refunded are what was paid, charged and captured', async () => {
    const draw = drawing(seed);
    for (let round = 0; round < (isLong ? 20 : 3); round += 1) {
      const reference = `R-${round}`;
      const quote = await drawnCancellation(reference, draw);
      for (const minutes of [10, 30, 60]) await wakeAt(reference, Date.now() + minutes * MINUTE_MS);
      const { kept, status, uncollected, ...sums } = await settlementOf(reference);
      const taken = quote.paid + sums.charged + sums.captured;
      expect(cents(kept + sums.refunded)).toBe(cents(taken));
      if (status === 'settled') expect([kept, uncollected]).toEqual([quote.keep, 0]);
      expect(await unsettled(reference)).toEqual([]);
      expect(await disagreements(reference)).toEqual([]);
    }
  });
});
