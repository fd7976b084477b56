/** Payment plans: what is put, how a plan follows its booking, and how its parts are charged. */

import { runDurableObjectAlarm } from 'cloudflare:test';
import { describe, expect, it } from 'vitest';
import type { PlanBody } from '../support/answers.ts';
import {
  atTime,
  attachCard,
  bookingOf,
  call,
  callAsAdmin,
  ledgerOf,
  makeProperty,
  testEnv,
} from '../support/api.ts';
import { DECLINED, GOOD, LOST_CARD } from '../support/cards.ts';
import { used } from '../support/counting.ts';
import { SETTINGS } from '../support/recoverySettings.ts';

let made = 0;

/** A property of its own, with a student's booking of 19 weeks from four weeks ahead on. */
async function story(details: Record<string, unknown> = {}, card: string | null = GOOD) {
  made += 1;
  const property = `plans-${made}`;
  const token = await makeProperty(property, details);
  const options = { token };
  const today = new Date().toISOString().slice(0, 10);
  const day = (days: number) =>
    new Date(Date.parse(today) + days * 86_400_000).toISOString().slice(0, 10);
  const save = (from: number, until: number, totalCost: number, others: object = {}) =>
    call(
      '/booking/v1/create/manage-payments',
      bookingOf('S-1', {
        arrival: dmy(day(from)),
        departure: dmy(day(until)),
        totalCost,
        firstNightCost: 60,
        ...others,
      }),
      options,
    );
  await save(28, 28 + 133, 5_700);
  if (card !== null) await attachCard('S-1', card, options);
  const post = (path: string, body: object = {}) =>
    call(path, { reference: 'S-1', ...body }, options);
  return {
    property,
    options,
    day,
    save,
    post,
    put: (body: object) => post('/payment-plan/v1/put', body),
    plan: async () => (await post('/payment-plan/v1/get')).json.plan,
    balance: async () => (await post('/payment/v1/balance')).json.balance,
    list: async () => (await post('/payment/v1/transaction')).json.transactions,
    advance: (to: string) => callAsAdmin('/sandbox/v1/clock/advance', { property, to }),
    types: async () =>
      (
        await call('/event/v1/list', { reference: 'S-1', types: ['plan.*'] }, options)
      ).json.events.map(({ type }) => type),
  };
}

function dmy(day: string): string {
  return day.split('-').toReversed().join('-');
}

const WEEKLY = { repeat: { every: 'week', amount: 300, days: -2, label: 'Rent' } };

function parts(plan: PlanBody, ...names: (keyof PlanBody['parts'][number])[]) {
  return plan.parts.map((part) => names.map((name) => part[name]));
}

describe('a plan', () => {
  it('is put, shown and cancelled', async () => {
    const { put, post, plan, balance, types } = await story();
    expect((await post('/payment-plan/v1/get')).status).toBe(404);
    const dry = await put({ ...WEEKLY, dryRun: true });
    expect(dry.json.plan.planId).toBeNull();
    expect((await post('/payment-plan/v1/get')).json.code).toBe('plan_not_found');
    const answer = await put(WEEKLY);
    expect(answer.status).toBe(200);
    expect(answer.json.plan).toMatchObject({
      total: 5_700,
      open: 5_700,
      paid: 0,
      difference: 0,
      status: 'active',
      version: 1,
    });
    expect(answer.json.plan.parts).toHaveLength(19);
    expect(answer.json.planChanges).toHaveLength(19);
    expect(await plan()).toEqual(answer.json.plan);
    expect(await balance()).toMatchObject({ planned: 5_700, scheduled: 0, due: 5_700 });
    const cancelled = await post('/payment-plan/v1/cancel');
    expect(cancelled.json.plan).toMatchObject({ status: 'cancelled', total: 0, open: 0 });
    expect((await post('/payment-plan/v1/cancel')).json).toEqual(cancelled.json);
    expect(await balance()).toMatchObject({ planned: 0 });
    expect(await types()).toEqual(['plan.saved', 'plan.cancelled']);
  });

  it('is put, charged and cancelled once, however many come at once', async () => {
    const { post, plan, advance, day, list, types, options } = await story();
    const under = (key: string, path: string, body: object = {}) =>
      call(
        path,
        { reference: 'S-1', ...body },
        { ...options, headers: { 'Idempotency-Key': key } },
      );
    const put = (key: string) =>
      under(key, '/payment-plan/v1/put', {
        terms: [
          { amount: 40, due: { anchor: 'arrival' } },
          { amount: 60, due: { anchor: 'departure' } },
        ],
      });
    const answers = await Promise.all([put('same'), put('same'), put('same'), put('other')]);
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    expect(new Set(answers.map(({ json }) => json.plan.planId)).size).toBe(1);
    expect(answers.filter(({ headers }) => headers.has('Idempotency-Replayed'))).toHaveLength(2);
    expect(await types()).toEqual(['plan.saved', 'plan.saved']);
    expect((await plan()).version).toBe(2);
    await Promise.all([1, 2].map(() => advance(`${day(29)}T00:00:00Z`)));
    expect(await list()).toMatchObject([{ amount: 40, partId: 't1', status: 'Accepted' }]);
    await Promise.all([
      under('end', '/payment-plan/v1/cancel'),
      under('end', '/payment-plan/v1/cancel'),
      post('/payment-plan/v1/cancel'),
    ]);
    expect((await types()).filter((type) => type === 'plan.cancelled')).toHaveLength(1);
    await advance(`${day(170)}T00:00:00Z`);
    expect(await list()).toHaveLength(1);
  });

  it('is refused where its terms are not right', async () => {
    const { put } = await story();
    const amount = { amount: 10, due: { anchor: 'arrival' } };
    const rest = { rest: true, due: { anchor: 'arrival' } };
    const week = { every: 'week', amount: 1 };
    const bad = [
      {},
      { template: 'none' },
      { template: 'x', terms: [amount] },
      { terms: [] },
      { terms: [{ due: { anchor: 'now' } }] },
      { terms: [{ ...amount, rest: true }] },
      { terms: [rest, rest] },
      { terms: [{ percent: 30, due: { anchor: 'now' } }] },
      { terms: [{ ...amount, due: { anchor: 'date' } }] },
      { terms: [{ ...amount, due: { anchor: 'arrival', days: 3_651 } }] },
      { terms: [rest], ...WEEKLY },
      { repeat: { every: 'day', amount: 1 } },
    ];
    for (const body of bad) expect((await put(body)).status, JSON.stringify(body)).toBe(422);
    const backwards = await put({ repeat: { ...week, from: '2027-03-02', until: '2027-03-01' } });
    expect(backwards.json.errors).toMatchObject([
      { field: 'repeat.until', code: 'dates_out_of_order' },
    ]);
    const long = { repeat: { ...week, from: '2020-01-01', until: '2026-01-01' } };
    expect((await put(long)).json.code).toBe('plan_too_long');
  });
});

describe("a student's plan of 19 weeks", () => {
  it('follows the booking and charges each week what is due', async () => {
    const { put, save, plan, post, balance, list, advance, day, types, property, options } =
      await story();
    await put(WEEKLY);
    await advance(`${day(28 + 14)}T00:00:00Z`);
    expect(parts(await plan(), 'partId', 'status', 'paid').slice(0, 4)).toEqual([
      ['r1', 'paid', 300],
      ['r2', 'paid', 300],
      ['r3', 'paid', 300],
      ['r4', 'planned', 0],
    ]);
    const charged = (await list())[0];
    expect(charged).toMatchObject({ partId: 'r1', status: 'Accepted', type: 'PaymentBalance' });
    expect(await balance()).toMatchObject({ paid: 900, planned: 16 * 300, due: 16 * 300 });

    // The stay moves by a week, and becomes two weeks shorter.
    const moved = await save(35, 35 + 133, 5_700);
    expect(moved.json.planChanges).toHaveLength(16);
    const shorter = await save(35, 35 + 119, 5_100);
    expect(shorter.json.planChanges.map(({ partId, to }) => [partId, to])).toEqual([
      ['r18', null],
      ['r19', null],
    ]);
    expect(await plan()).toMatchObject({ total: 5_100, paid: 900, open: 4_200 });

    // A payment by hand covers the next part, and the one after it in part.
    await post('/payment/v1/create', { amount: 400 });
    const covered = parts(await plan(), 'partId', 'status', 'paid');
    expect(covered.slice(3, 5)).toEqual([
      ['r4', 'paid', 300],
      ['r5', 'planned', 100],
    ]);
    // The sixth is declined for good, and paid by hand once the guest has another card.
    await advance(`${day(35 + 30)}T00:00:00Z`);
    await attachCard('S-1', LOST_CARD, options);
    await advance(`${day(35 + 35)}T00:00:00Z`);
    expect(parts(await plan(), 'partId', 'status', 'paid').slice(4, 7)).toEqual([
      ['r5', 'paid', 300],
      ['r6', 'failed', 0],
      ['r7', 'planned', 0],
    ]);
    await attachCard('S-1', GOOD, options);
    await post('/payment/v1/create', { amount: 300 });
    await advance(`${day(35 + 119)}T00:00:00Z`);
    const done = await plan();
    expect(done).toMatchObject({ status: 'completed', total: 5_100, paid: 5_100, open: 0 });
    expect(await balance()).toMatchObject({ paid: 5_100, due: 0, overpaid: 0, planned: 0 });
    const taken = (await ledgerOf('S-1')).filter(
      ({ property: of, status }) => of === property && status === 'succeeded',
    );
    expect(taken).toHaveLength(17);
    expect((await types()).at(-1)).toBe('plan.completed');
  });

  it('keeps the place of a part that is declined, and later payments cover it', async () => {
    const { put, plan, post, advance, day, balance, options } = await story({}, DECLINED);
    await put({
      terms: [
        { amount: 200, due: { anchor: 'arrival' } },
        { rest: true, due: { anchor: 'departure' } },
      ],
    });
    await advance(`${day(29)}T00:00:00Z`);
    const waiting = await plan();
    expect(waiting.parts[0]).toMatchObject({ status: 'planned', amount: 200 });
    expect(waiting.parts[0]?.chargeId).not.toBeNull();
    expect(await balance()).toMatchObject({ scheduled: 0, planned: 5_700 });
    await advance(`${day(33)}T00:00:00Z`);
    expect((await plan()).parts[0]).toMatchObject({ status: 'failed', paid: 0 });
    await attachCard('S-1', GOOD, options);
    await post('/payment/v1/create', { amount: 250 });
    expect(parts(await plan(), 'partId', 'status', 'paid')).toEqual([
      ['t1', 'paid', 200],
      ['t2', 'planned', 50],
    ]);
  });

  const later = { terms: [{ rest: true, due: { anchor: 'arrival' } }] };
  it.each([
    ['is cancelled', [{ rest: true, due: { anchor: 'arrival' } }], 'cancel', {}],
    ['is put anew', [{ rest: true, due: { anchor: 'arrival' } }], 'put', later],
    ['was completed, and another is put', [], 'put', later],
  ])('charges no new card what was declined once it %s', async (_what, others, act, body) => {
    const { put, plan, post, advance, day, list, options } = await story(
      { cardRecovery: SETTINGS },
      LOST_CARD,
    );
    const health = async () => (await call('/card/v1/health', {}, options)).json;
    await put({ terms: [{ amount: 200, due: { anchor: 'now' } }, ...others] });
    await advance(`${day(1)}T00:00:00Z`);
    expect((await plan()).parts[0]).toMatchObject({ status: 'failed' });
    expect(await health()).toMatchObject({ problems: [{ problem: 'declined' }] });
    await post(`/payment-plan/v1/${act}`, body);
    expect(await health()).toMatchObject({ problems: [] });
    await attachCard('S-1', GOOD, options);
    await advance(`${day(2)}T00:00:00Z`);
    expect((await list()).map(({ status }) => status)).toEqual(['Declined']);
  });

  it('charges no more than is due', async () => {
    const { put, plan, post, advance, day, balance, save } = await story();
    await put({
      terms: [
        { amount: 4_000, due: { anchor: 'arrival' } },
        { amount: 4_000, due: { anchor: 'arrival', days: 1 } },
      ],
    });
    await advance(`${day(31)}T00:00:00Z`);
    expect(parts(await plan(), 'status', 'amount', 'paid')).toEqual([
      ['paid', 4_000, 4_000],
      ['paid', 1_700, 1_700],
    ]);
    expect(await balance()).toMatchObject({ paid: 5_700, due: 0 });
    expect(await plan()).toMatchObject({ status: 'completed' });
    await save(28, 161, 6_000);
    expect(await balance()).toMatchObject({ paid: 5_700, due: 300 });
    expect((await post('/payment-plan/v1/cancel')).json.plan.status).toBe('completed');
  });

  it('has no card, and fails for want of one', async () => {
    const { put, plan, advance, day, list } = await story({}, null);
    const answer = await put({ terms: [{ amount: 40, due: { anchor: 'arrival' } }] });
    expect(answer.json.warnings).toEqual(['no_card']);
    await advance(`${day(29)}T00:00:00Z`);
    expect((await plan()).parts[0]).toMatchObject({ status: 'failed' });
    expect(await list()).toMatchObject([{ status: 'Failed', partId: 't1' }]);
  });

  it('ends with its booking, unless the property keeps schedules', async () => {
    for (const keepSchedulesOnCancellation of [false, true]) {
      const { put, plan, save, types } = await story({ keepSchedulesOnCancellation });
      await put(WEEKLY);
      await save(28, 161, 5_700, { status: 'cancelled' });
      expect((await plan()).status).toBe(keepSchedulesOnCancellation ? 'active' : 'cancelled');
      expect(await types()).toEqual(
        keepSchedulesOnCancellation ? ['plan.saved'] : ['plan.saved', 'plan.cancelled'],
      );
      expect((await put(WEEKLY)).json.code).toBe('invalid_state');
    }
  });

  it('takes two round trips to D1 for a part, and none more for a booking that has one', async () => {
    const { put, property, save, plan } = await story();
    const without = await used(() => save(28, 161, 5_750));
    const { json } = await put(WEEKLY);
    expect((await used(() => save(28, 161, 5_800))).d1).toBe(without.d1);
    const object = testEnv.BOOKINGS.getByName(JSON.stringify([property, 'S-1']));
    for (const { dueAt } of json.plan.parts.slice(0, 14)) {
      const cost = await atTime(Date.parse(dueAt) + 1_000, () =>
        used(() => runDurableObjectAlarm(object)),
      );
      expect(cost).toMatchObject({ d1: 2, gatewayCalls: 1 });
    }
    expect(await plan()).toMatchObject({ paid: 14 * 300 });
  });

  it('is put from a template of the property', async () => {
    const planTemplates = [{ key: 'weekly', name: 'Weekly', ...WEEKLY, offered: true }];
    const { put } = await story({ planTemplates });
    expect((await put({ template: 'weekly' })).json.plan.parts).toHaveLength(19);
  });
});
