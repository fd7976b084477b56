/** The clock of a property, which the sandbox lets an administrator advance: what happens on the way, and when. */

import { runDurableObjectAlarm } from 'cloudflare:test';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { sweepOverdue } from '../../src/booking/sweep.ts';
import { lowestIdAt } from '../../src/core/ids.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../src/core/time.ts';
import { Trace } from '../../src/platform/trace.ts';
import { sweepOutbox } from '../../src/pms/outbox/stub.ts';
import { selectMovedClocks } from '../../src/records/properties/store.ts';
import { sweepSandboxDisbursements } from '../../src/sandbox/disbursements.ts';
import {
  adminToken,
  attachCard,
  bookingOf,
  call,
  callAsAdmin,
  ledgerOf,
  makeProperty,
  testEnv,
} from '../support/api.ts';
import { ANSWER_LOST, DECLINED, DECLINED_ONCE, DISPUTED, GOOD, SLOW } from '../support/cards.ts';
import { disbursementsOf } from '../support/disbursements.ts';
import { PlayedEndpoint, unreachable, verify } from '../support/endpoint.ts';
import { eventually } from '../support/eventually.ts';
import { alarmOf, sweepAt, wakeAt } from '../support/faults.ts';
import { Guest } from '../support/guest.ts';
import { AUDIT } from '../support/history.ts';
import { isLong } from '../support/long.ts';
import { notificationsArrived } from '../support/notifications.ts';
import { selectStripe } from '../support/onStripe.ts';
import { planOf } from '../support/plans.ts';
import { confirming, dispatchUntil, down, PlayedPms } from '../support/pms.ts';
import { exceptionsNow, sweepAtTime } from '../support/reconciliation.ts';

const WEEK_MS = 7 * DAY_MS;

let made = 0;

const played: PlayedPms[] = [];

function playedPms(name: string): PlayedPms {
  const pms = new PlayedPms(name);
  played.push(pms);
  return pms;
}

afterEach(() => {
  for (const pms of played.splice(0)) pms.leave();
});

/** A property of its own, with a booking that has a card. */
async function story(cardNumber = GOOD, details: Record<string, unknown> = {}) {
  made += 1;
  const property = `clock-${made}`;
  const token = await makeProperty(property, details);
  const options = { token };
  await call('/booking/v1/create/manage-payments', bookingOf('S-1', { totalCost: 9_000 }), options);
  await attachCard('S-1', cardNumber, options);
  return {
    property,
    token,
    post: (path: string, body: object = {}) => call(path, { reference: 'S-1', ...body }, options),
    schedule: (atMs: number, amount = 100) =>
      call('/payment/v1/schedule', { reference: 'S-1', amount, time: iso(atMs) }, options),
    async list() {
      const { json } = await call('/payment/v1/transaction', { reference: 'S-1' }, options);
      return json.transactions;
    },
  };
}

type Story = Awaited<ReturnType<typeof story>>;

function iso(atMs: number): string {
  return new Date(atMs).toISOString();
}

/** The next full second, some time ahead. */
function ahead(milliseconds: number): number {
  return Math.ceil((Date.now() + milliseconds) / 1000) * 1000;
}

function advance({ property }: Pick<Story, 'property'>, toMs: number) {
  return callAsAdmin('/sandbox/v1/clock/advance', { property, to: iso(toMs) });
}

async function clockOf({ property }: Pick<Story, 'property'>): Promise<number> {
  const { json } = await callAsAdmin('/sandbox/v1/clock/get', { property });
  return Date.parse(json.now);
}

/** Milliseconds as the list of transactions shows them. */
function shown(text: unknown): number {
  return Date.parse(String(text));
}

/** The milliseconds of a booking's entries in the audit trail. */
async function auditedAt(property: string): Promise<number[]> {
  const { results } = await testEnv.DB.prepare(
    `SELECT at_ms AS atMs FROM ${AUDIT} WHERE property_id = ? ORDER BY id`,
  )
    .bind(property)
    .all<{ atMs: number }>();
  return results.map(({ atMs }) => atMs);
}

describe('the operations on a clock', () => {
  it('advance it, show it, and run on from there', async () => {
    const one = await story();
    const toMs = ahead(40 * DAY_MS);
    const { status, json } = await advance(one, toMs);
    expect({ status, json }).toMatchObject({ status: 200, json: { success: true, fired: 0 } });
    expect(await clockOf(one)).toBeGreaterThanOrEqual(toMs);
    expect(await clockOf(one)).toBeLessThan(toMs + MINUTE_MS);
    expect(await clockOf({ property: 'demo' })).toBeLessThan(Date.now() + MINUTE_MS);
  });

  it('refuse a time that is not later, one too far ahead, and an unknown property', async () => {
    const one = await story();
    await advance(one, ahead(10 * DAY_MS));
    const earlier = await advance(one, ahead(9 * DAY_MS));
    expect([earlier.status, earlier.json.code]).toEqual([422, 'time_in_past']);
    const tooFar = await advance(one, ahead(3 * 366 * DAY_MS));
    expect([tooFar.status, tooFar.json.code]).toEqual([422, 'time_too_far']);
    const noOffset = await callAsAdmin('/sandbox/v1/clock/advance', {
      property: one.property,
      to: '2027-02-10T09:00:00',
    });
    expect(noOffset.status).toBe(422);
    for (const operation of ['advance', 'get', 'reset']) {
      const body = { property: 'nobody', to: iso(ahead(DAY_MS)) };
      const { status, json } = await callAsAdmin(`/sandbox/v1/clock/${operation}`, body);
      expect([status, json.code]).toEqual([404, 'property_not_found']);
    }
  });

  it('are for administrators', async () => {
    const one = await story();
    const body = { property: one.property, to: iso(ahead(DAY_MS)) };
    const { status } = await call('/sandbox/v1/clock/advance', body, { token: one.token });
    expect(status).toBe(403);
  });
});

describe('what falls due on the way', () => {
  it('happens in its order, each thing at its time, and every record shows that', async () => {
    const one = await story(DECLINED);
    const firstMs = ahead(10 * DAY_MS);
    await one.schedule(firstMs);
    const { json } = await advance(one, firstMs + 30 * DAY_MS);
    expect(json.fired).toBeGreaterThanOrEqual(4);
    const [row] = await one.list();
    expect(row).toMatchObject({ status: 'Declined' });
    const times = (await ledgerOf('S-1'))
      .filter(({ property }) => property === one.property)
      .map(({ time }) => Date.parse(time) - firstMs);
    expect(times).toEqual([0, HOUR_MS, 24 * HOUR_MS, 72 * HOUR_MS]);
    const audited = (await auditedAt(one.property)).filter((atMs) => atMs > firstMs - MINUTE_MS);
    expect(new Set(audited)).toEqual(
      new Set([0, HOUR_MS, 24 * HOUR_MS, 72 * HOUR_MS].map((afterMs) => firstMs + afterMs)),
    );
  });

  it.runIf(isLong)('charges 52 weeks', async () => {
    const one = await story();
    const firstMs = ahead(DAY_MS);
    const weeks = Array.from({ length: 52 }, (_week, index) => firstMs + index * WEEK_MS);
    for (const atMs of weeks) await one.schedule(atMs, 150);
    const { status } = await advance(one, (weeks.at(-1) ?? 0) + 4 * DAY_MS);
    expect(status).toBe(200);
    const list = await one.list();
    expect(list.map((row) => row.status)).toEqual(weeks.map(() => 'Accepted'));
    const ledger = (await ledgerOf('S-1')).filter(({ property }) => property === one.property);
    expect(ledger.map(({ time }) => Date.parse(time))).toEqual(weeks);
    const paidOut = await disbursementsOf({ token: one.token });
    expect(paidOut.map(({ status: state }) => state)).toEqual(weeks.map(() => 'paid_out'));
  });
});

describe('a hold, an unknown outcome and a dispute on the way', () => {
  it('expire, are found out and are heard of at their times', async () => {
    const one = await story();
    const startMs = ahead(20 * DAY_MS);
    await advance(one, startMs);
    const expiresAtMs = startMs + 5 * DAY_MS;
    const held = await one.post('/payment/v1/create', {
      amount: 200,
      transactionType: 'Bond',
      preAuth: true,
      expiryTime: iso(expiresAtMs),
    });
    expect(held.status).toBe(200);
    expect(shown(held.json.transaction.timeStamp)).toBeGreaterThanOrEqual(startMs);
    await attachCard('S-1', ANSWER_LOST, { token: one.token });
    const lostAtMs = startMs + DAY_MS;
    await one.schedule(lostAtMs, 300);
    await advance(one, startMs + 36 * HOUR_MS);
    await attachCard('S-1', DISPUTED, { token: one.token });
    const disputedAtMs = startMs + 2 * DAY_MS;
    await one.schedule(disputedAtMs, 400);
    await advance(one, startMs + 6 * DAY_MS);
    const { results } = await testEnv.DB.prepare(
      'SELECT status, amount_minor AS amountMinor, completed_at_ms AS settledAtMs, learnt_at_ms AS learntAtMs FROM transactions WHERE property_id = ? ORDER BY amount_minor',
    )
      .bind(one.property)
      .all();
    expect(results).toEqual([
      { status: 'Expired', amountMinor: 20_000, settledAtMs: expiresAtMs, learntAtMs: expiresAtMs },
      // The first status check is five seconds after the attempt.
      {
        status: 'Accepted',
        amountMinor: 30_000,
        settledAtMs: lostAtMs,
        learntAtMs: lostAtMs + 5_000,
      },
      {
        status: 'Accepted',
        amountMinor: 40_000,
        settledAtMs: disputedAtMs,
        learntAtMs: disputedAtMs,
      },
    ]);
    const disputes = await testEnv.DB.prepare(
      'SELECT opened_at_ms AS openedAtMs, learnt_at_ms AS learntAtMs FROM disputes WHERE property_id = ?',
    )
      .bind(one.property)
      .all();
    expect(disputes.results).toEqual([{ openedAtMs: disputedAtMs, learntAtMs: disputedAtMs }]);
  });
});

describe('two plays of one story', () => {
  it('give the same list but for ids', async () => {
    const startMs = ahead(30 * DAY_MS);
    const play = async () => {
      const one = await story(DECLINED_ONCE);
      await advance(one, startMs);
      for (const week of [1, 2, 3]) await one.schedule(startMs + week * WEEK_MS, 100 * week);
      await advance(one, startMs + 4 * WEEK_MS);
      return (await one.list()).map(withoutIds);
    };
    const first = await play();
    // A clock runs on while requests are made: what was scheduled was scheduled then.
    expect(await play()).toEqual(first);
    expect(first.map(({ status }) => status)).toEqual(['Accepted', 'Accepted', 'Accepted']);
  });
});

/** A transaction without what is random, and without when its request happened to be made. */
function withoutIds(row: object): Record<string, unknown> {
  const ids = ['id', 'reference', 'cardDetails', 'timeStamp'];
  return Object.fromEntries(Object.entries(row).filter(([name]) => !ids.includes(name)));
}

describe('other properties', () => {
  it('stay on real time, and the moved one is swept by its own', async () => {
    const other = await story();
    const one = await story();
    const atMs = ahead(10 * DAY_MS);
    await other.schedule(atMs);
    await one.schedule(atMs);
    await advance(one, atMs + DAY_MS);
    await sweepOverdue(testEnv, Date.now());
    await sweepSandboxDisbursements(testEnv, Date.now());
    expect((await other.list()).map(({ status }) => status)).toEqual(['Pending']);
    expect((await one.list()).map(({ status }) => status)).toEqual(['Accepted']);
    const later = await other.schedule(ahead(HOUR_MS), 50);
    expect(later.status).toBe(200);
    expect((await one.schedule(ahead(HOUR_MS), 50)).json.code).toBe('time_in_past');
  });

  it('get no ids of its time', async () => {
    const one = await story();
    const other = await story();
    // Relative: files share an isolate, whose ids never go back behind the time of another test.
    const first = await other.post('/payment/v1/create', { amount: 10 });
    await advance(one, ahead(365 * DAY_MS));
    const inAYear = await one.post('/payment/v1/create', { amount: 10 });
    const real = await other.post('/payment/v1/create', { amount: 10 });
    const aDay = lowestIdAt(Date.now() + DAY_MS) - lowestIdAt(Date.now());
    expect(inAYear.json.transaction.id).toBeGreaterThan(lowestIdAt(Date.now() + DAY_MS));
    expect(real.json.transaction.id - first.json.transaction.id).toBeLessThan(aDay);
  });

  it('sets the alarm of what is due soon by the new clock, and the sweep does it too', async () => {
    const one = await story();
    const [soonMs, laterMs] = [ahead(10 * DAY_MS), ahead(20 * DAY_MS)];
    await one.schedule(soonMs);
    await one.schedule(laterMs);
    expect(await alarmOf('S-1', one.property)).toBeGreaterThan(Date.now() + 9 * DAY_MS);
    await advance(one, soonMs - MINUTE_MS);
    expect(await alarmOf('S-1', one.property)).toBeLessThanOrEqual(Date.now() + MINUTE_MS);
    await advance(one, laterMs - HOUR_MS);
    await sweepAt(Date.now() + 3 * HOUR_MS);
    expect((await one.list()).map(({ status }) => status)).toEqual(['Accepted', 'Accepted']);
  });
});

describe('the sweep', () => {
  it('finds the moved clocks by their index, however many properties there are', async () => {
    const plan = await planOf(selectMovedClocks());
    expect(plan).toContain('INDEX properties_with_moved_clock');
  });
});

describe('a reset', () => {
  it('is refused while a record lies ahead of real time, and not for what is only planned', async () => {
    const planned = await story();
    await planned.schedule(ahead(60 * DAY_MS));
    await advance(planned, ahead(30 * DAY_MS));
    const body = { property: planned.property };
    const { status, json } = await callAsAdmin('/sandbox/v1/clock/reset', body);
    expect(status).toBe(200);
    expect(Math.abs(shown(json.now) - Date.now())).toBeLessThan(MINUTE_MS);
    expect((await planned.list()).map((row) => row.status)).toEqual(['Pending']);

    await advance(planned, ahead(30 * DAY_MS));
    await planned.post('/payment/v1/create', { amount: 10 });
    const refused = await callAsAdmin('/sandbox/v1/clock/reset', body);
    expect([refused.status, refused.json.code]).toEqual([409, 'invalid_state']);
    expect(await clockOf(planned)).toBeGreaterThan(ahead(29 * DAY_MS));
  });

  it.each<[string, (one: Story) => Promise<unknown>]>([
    ['a booking', (one) => call('/booking/v1/create/manage-payments', bookingOf('S-2'), one)],
    [
      'an application',
      (one) =>
        call(
          '/application/v1/create',
          {
            email: 'guest@hotel.com',
            arrival: '2027-02-14',
            departure: '2027-02-17',
          },
          one,
        ),
    ],
    ['a card', (one) => attachCard('S-1', GOOD, one)],
  ])('is refused for %s', async (_name, record) => {
    const one = await story();
    await advance(one, ahead(30 * DAY_MS));
    await record(one);
    const { json } = await callAsAdmin('/sandbox/v1/clock/reset', { property: one.property });
    expect(json.code).toBe('invalid_state');
  });
});

describe('an advance', () => {
  /** Charges that fall due an hour after the other; seventy are more than one stretch visits. */
  async function longStory(charges = 70): Promise<{ one: Story; atMs: number[]; endMs: number }> {
    const one = await story();
    const firstMs = ahead(DAY_MS);
    const atMs = Array.from({ length: charges }, (_hour, index) => firstMs + index * HOUR_MS);
    for (const at of atMs) await one.schedule(at, 10);
    return { one, atMs, endMs: firstMs + (charges + 10) * HOUR_MS };
  }

  async function chargedAt({ property }: Story): Promise<number[]> {
    const all = await ledgerOf('S-1');
    return all.filter((entry) => entry.property === property).map(({ time }) => Date.parse(time));
  }

  it('that is cut off goes on from there', async () => {
    const { one, atMs, endMs } = await longStory();
    const clock = testEnv.CLOCKS.getByName(one.property);
    const stretch = await clock.advance(one.property, endMs);
    expect(stretch.done).toBe(false);
    expect(await clockOf(one)).toBeLessThan(endMs);
    const { json } = await advance(one, endMs);
    expect(json.fired).toBeGreaterThanOrEqual(atMs.length - stretch.fired);
    expect(await chargedAt(one)).toEqual(atMs);
    expect(await clockOf(one)).toBeGreaterThanOrEqual(endMs);
  });

  it('that nobody continues is finished by its object', async () => {
    const { one, atMs, endMs } = await longStory();
    const clock = testEnv.CLOCKS.getByName(one.property);
    await clock.advance(one.property, endMs);
    // The first alarm is a minute after the stretch, and each sets the next.
    for (let rings = 0; rings < 10 && (await runDurableObjectAlarm(clock)); rings += 1);
    expect(await chargedAt(one)).toEqual(atMs);
    expect(await clockOf(one)).toBeGreaterThanOrEqual(endMs);
  });

  it('does everything once and in order, when two run at once', async () => {
    const { one, atMs, endMs } = await longStory(25);
    const [first, second] = await Promise.all([
      advance(one, endMs - 20 * HOUR_MS),
      advance(one, endMs),
    ]);
    expect([first.status, second.status]).toEqual([200, 200]);
    expect(await chargedAt(one)).toEqual(atMs);
    expect(await clockOf(one)).toBeGreaterThanOrEqual(endMs);
  });

  it('waits for what another one has under way', async () => {
    const one = await story(SLOW);
    const dueMs = ahead(DAY_MS);
    await one.schedule(dueMs);
    const status = async () => (await one.list())[0]?.status;
    const first = advance(one, dueMs + HOUR_MS);
    await eventually(async () => expect(await status()).not.toBe('Pending'));
    await advance(one, dueMs + 30_000);
    expect(await status()).toBe('Accepted');
    await first;
  });

  it('serves other requests meanwhile, by the time at which the clock stands', async () => {
    const { one, endMs } = await longStory(25);
    await call('/booking/v1/create/manage-payments', bookingOf('S-2'), one);
    await attachCard('S-2', GOOD, one);
    let isOver = false;
    const advancing = advance(one, endMs).finally(() => {
      isOver = true;
    });
    const statuses: number[] = [];
    while (!isOver && statuses.length < 30) {
      const body = { reference: 'S-2', amount: 1 };
      statuses.push((await call('/payment/v1/create', body, one)).status);
    }
    expect((await advancing).status).toBe(200);
    expect(statuses.length).toBeGreaterThan(3);
    expect(statuses.filter((status) => status !== 200)).toEqual([]);
    const times = (await ledgerOf('S-2')).map(({ time }) => Date.parse(time));
    expect(times).toEqual(times.toSorted((first, second) => first - second));
  });

  it('that overtakes a request each time it decides makes it busy, and nothing is charged', async () => {
    const one = await story();
    const { span } = Trace.prototype;
    const spy = vi.spyOn(Trace.prototype, 'span').mockImplementation(async function (
      this: Trace,
      boundary,
      io,
    ) {
      if (boundary === 'd1.transaction.intend') {
        await testEnv.DB.prepare('UPDATE properties SET version = version + 1 WHERE id = ?')
          .bind(one.property)
          .run();
      }
      return span.call(this, boundary, io);
    });
    const { status, json } = await one.post('/payment/v1/create', { amount: 10 });
    spy.mockRestore();
    expect([status, json.code]).toEqual([503, 'busy']);
    expect(await one.list()).toEqual([]);
  });

  it('leaves what is due to nobody else meanwhile', async () => {
    const pms = playedPms('clock-stands');
    const one = await story(GOOD, { pms: pms.settings });
    const dueMs = ahead(10 * DAY_MS);
    await one.schedule(dueMs);
    await dispatchUntil(pms.url, Date.now(), Date.now() + 1_000);
    pms.behave = down;
    await one.post('/payment/v1/create', { amount: 10 });
    await sweepSandboxDisbursements(testEnv, Date.now());
    await dispatchUntil(pms.url, Date.now(), Date.now() + 1_000);
    pms.behave = (message) => confirming(message);
    // As if an advance had been cut off a day later.
    await testEnv.DB.prepare(
      'UPDATE properties SET clock_stands_at_ms = ?1, clock_ahead_ms = ?1 - ?2, version = version + 1 WHERE id = ?3',
    )
      .bind(dueMs + DAY_MS, Date.now(), one.property)
      .run();
    // What was on its way arrives.
    await notificationsArrived();
    await scheduler.wait(500);
    const before = pms.delivered.length;
    await call('/booking/v1/create/manage-payments', bookingOf('S-2'), one);
    await wakeAt('S-1', Date.now(), one.property);
    await sweepOverdue(testEnv, Date.now());
    await sweepSandboxDisbursements(testEnv, Date.now());
    await sweepOutbox(testEnv, Date.now());
    await dispatchUntil(pms.url, Date.now(), Date.now() + MINUTE_MS);
    expect((await one.list()).map(({ status }) => status)).toEqual(['Pending', 'Accepted']);
    expect((await disbursementsOf(one)).map(({ status }) => status)).toEqual(['not_paid_out']);
    expect(pms.delivered.length).toBe(before);
    expect(await clockOf(one)).toBe(dueMs + DAY_MS);
    await advance(one, dueMs + 10 * DAY_MS);
    expect((await one.list()).map(({ status }) => status)).toEqual(['Accepted', 'Accepted']);
    expect((await disbursementsOf(one)).map(({ status }) => status)).toEqual([
      'paid_out',
      'paid_out',
    ]);
    const waiting = { property: one.property, status: 'Pending' };
    expect((await callAsAdmin('/admin/v1/outbox/list', waiting)).json.messages).toEqual([]);
  });
});

describe('messages to the PMS', () => {
  it('go out on the way, at the time of the clock', async () => {
    const pms = playedPms('clock');
    const one = await story(GOOD, { pms: pms.settings });
    const firstMs = ahead(10 * DAY_MS);
    await one.schedule(firstMs);
    await one.schedule(firstMs + WEEK_MS);
    await advance(one, firstMs + 2 * WEEK_MS);
    const money = pms.delivered.filter(({ json }) => json.MessageType === 'PushTransaction');
    expect(money.map(({ json }) => shown(json.TimeStamp))).toEqual([firstMs, firstMs + WEEK_MS]);
    const { results } = await testEnv.DB.prepare(
      "SELECT completed_at_ms AS atMs FROM outbox WHERE property_id = ? AND message_type = 'PushTransaction' ORDER BY message_id",
    )
      .bind(one.property)
      .all();
    expect(results).toEqual([{ atMs: firstMs }, { atMs: firstMs + WEEK_MS }]);
  });

  it('are sent again at the times of the clock, until they are dead', async () => {
    const pms = playedPms('clock-down');
    const one = await story(GOOD, { pms: pms.settings });
    const firstMs = ahead(10 * DAY_MS);
    await one.schedule(firstMs);
    await advance(one, firstMs - HOUR_MS);
    pms.behave = down;
    const before = pms.delivered.length;
    await advance(one, firstMs + 10 * DAY_MS);
    // The first attempt and ten more; of one booking alone, a PMS does not count as down.
    expect(pms.delivered.length - before).toBe(11);
    const { json } = await callAsAdmin('/admin/v1/outbox/list', {
      property: one.property,
      status: 'Dead',
    });
    expect(json.messages.map(({ messageType }) => messageType)).toEqual(['PushTransaction']);
  });
});

describe('a PMS that stays down', () => {
  it('does not hold up the clock, and gets its messages once it is up', async () => {
    const pms = playedPms('clock-away');
    const one = await story(GOOD, { pms: pms.settings });
    await call('/booking/v1/create/manage-payments', bookingOf('S-2'), one);
    await attachCard('S-2', GOOD, one);
    const firstMs = ahead(10 * DAY_MS);
    await advance(one, firstMs - DAY_MS);
    pms.behave = down;
    for (const reference of ['S-1', 'S-2']) {
      const body = { reference, amount: 10, time: iso(firstMs) };
      await call('/payment/v1/schedule', body, one);
    }
    const before = pms.delivered.length;
    await advance(one, firstMs + 365 * DAY_MS);
    expect(pms.delivered.length - before).toBeLessThan(50);
    const waiting = { property: one.property, status: 'Pending' };
    expect((await callAsAdmin('/admin/v1/outbox/list', waiting)).json.messages).toHaveLength(2);
    pms.behave = (message) => confirming(message);
    await advance(one, firstMs + 366 * DAY_MS);
    expect((await callAsAdmin('/admin/v1/outbox/list', waiting)).json.messages).toEqual([]);
  });
});

describe('events', () => {
  it('are delivered on the way, with the time of the clock and a signature of real time', async () => {
    const endpoint = new PlayedEndpoint('clock-events');
    try {
      const one = await story();
      await endpoint.subscribe(one.token, { types: ['payment.*'] });
      const firstMs = ahead(10 * DAY_MS);
      await one.schedule(firstMs);
      await one.schedule(firstMs + WEEK_MS);
      await advance(one, firstMs + 2 * WEEK_MS);
      const times = endpoint.events().map(({ timestamp }) => Date.parse(timestamp));
      expect(times).toEqual([firstMs, firstMs + WEEK_MS]);
      // The library refuses a signature that is more than five minutes away from real time.
      for (const delivery of endpoint.delivered) {
        expect(verify(endpoint.secret, delivery)).toEqual(delivery.json);
      }
    } finally {
      endpoint.leave();
    }
  });

  it('of an endpoint that stays down do not hold up the clock, and wait until they are dead', async () => {
    const endpoint = new PlayedEndpoint('clock-events-down');
    try {
      const one = await story();
      await endpoint.subscribe(one.token, { types: ['payment.*'] });
      const firstMs = ahead(10 * DAY_MS);
      await one.schedule(firstMs);
      endpoint.behave = unreachable;
      await advance(one, firstMs + 10 * DAY_MS);
      expect(endpoint.delivered).toHaveLength(11);
      const { json } = await one.post('/webhook/v1/deliveries', { endpointId: endpoint.id });
      expect(json.deliveries.map(({ status }) => status)).toEqual(['Dead']);
    } finally {
      endpoint.leave();
    }
  });
});

describe('the clock of the property judges', () => {
  it('times, cards, balances and new records', async () => {
    const one = await story();
    await advance(one, ahead(2 * 365 * DAY_MS));
    const nowMs = await clockOf(one);
    const year = new Date(nowMs).getUTCFullYear();
    const card = { cardNumber: GOOD, cvv: '123', cardHolderName: 'A Nguyen' };
    const expired = await one.post('/payment/v1/tokenize', {
      ...card,
      cardExpiry: `01/${year - 1}`,
    });
    expect([expired.status, expired.json.code]).toEqual([422, 'card_expired']);
    expect((await one.post('/payment/v1/balance', { asOf: iso(nowMs - DAY_MS) })).status).toBe(200);
    expect((await one.post('/payment/v1/balance', { asOf: iso(nowMs + DAY_MS) })).status).toBe(422);
    const charged = await one.post('/payment/v1/create', { amount: 10 });
    expect(shown(charged.json.transaction.timeStamp)).toBeGreaterThanOrEqual(nowMs - 1_000);
    // The card expires before that.
    await one.schedule(Date.UTC(2031, 0, 2), 20);
    const rescheduled = await one.schedule(nowMs + 3 * 366 * DAY_MS, 20);
    expect(rescheduled.json.code).toBe('time_too_far');
  });

  it('keeps its clock when its settings change', async () => {
    const one = await story();
    await advance(one, ahead(30 * DAY_MS));
    await callAsAdmin('/admin/v1/property/put', {
      property: one.property,
      name: 'Renamed',
      site: 'r.localhost',
      currency: 'AUD',
      timeZone: 'Australia/Perth',
    });
    expect(await clockOf(one)).toBeGreaterThan(ahead(29 * DAY_MS));
  });

  it('and a link to the guest’s page', async () => {
    const one = await story();
    const { json } = await one.post('/booking/v1/get-url', {});
    const guest = new Guest();
    await guest.open(json.url);
    await advance(one, ahead(60 * DAY_MS));
    const late = await guest.open(json.url);
    expect(late.status).toBe(410);
  });
});

describe('reconciliation', () => {
  it('finds on the way what was done at the acquirer and not told', async () => {
    const token = await makeProperty('compared');
    const options = { token };
    await call('/booking/v1/create/manage-payments', bookingOf('CMP-1'), options);
    await attachCard('CMP-1', GOOD, options);
    const pay = (amount: number) =>
      call('/payment/v1/create', { reference: 'CMP-1', amount }, options);
    const [refunded, asked] = [await pay(100), await pay(50)].map(
      ({ json }) => json.transaction.id,
    );
    const act = (action: string, chargeId: number | undefined, more: object = {}) =>
      callAsAdmin('/sandbox/v1/act', {
        action,
        property: 'compared',
        reference: 'CMP-1',
        chargeId,
        notify: false,
        ...more,
      });
    expect((await act('refund', refunded, { amount: 30 })).status).toBe(200);
    expect((await act('inquiry', asked)).status).toBe(200);
    const to = (hours: number) => new Date(Date.now() + hours * HOUR_MS).toISOString();
    const advanced = await callAsAdmin('/sandbox/v1/clock/advance', {
      property: 'compared',
      to: to(2),
    });
    expect(advanced.status).toBe(200);
    const { transactions } = (
      await call('/payment/v1/transaction', { reference: 'CMP-1' }, options)
    ).json;
    expect(transactions.map(({ refunds }) => refunds.map(({ amount }) => amount))).toEqual([
      [30],
      [],
    ]);
    const { json } = await call('/dispute/v1/list', { reference: 'CMP-1' }, options);
    expect(json).toMatchObject({ disputes: [{ chargeId: asked, stage: 'inquiry' }] });
    expect((await act('dispute', asked)).status).toBe(200);
    await callAsAdmin('/sandbox/v1/clock/advance', { property: 'compared', to: to(30) });
    const later = await call('/dispute/v1/list', { reference: 'CMP-1' }, options);
    expect(later.json).toMatchObject({ disputes: [{ chargeId: asked, stage: 'chargeback' }] });
  });

  it('finds no difference in a property whose clock was moved', async () => {
    const one = await story(DECLINED_ONCE);
    const firstMs = ahead(DAY_MS);
    for (const day of [0, 2, 4]) await one.schedule(firstMs + day * DAY_MS);
    await advance(one, firstMs + 9 * DAY_MS);
    for (const atMs of [Date.now(), firstMs + DAY_MS, firstMs + 5 * DAY_MS]) {
      await sweepAtTime(atMs);
    }
    expect(await exceptionsNow({ property: one.property })).toEqual([]);
  });
});

describe('with another gateway', () => {
  afterEach(() => vi.restoreAllMocks());

  it.each(['advance', 'get', 'reset'])('%s is not there', async (operation) => {
    await adminToken();
    selectStripe();
    const body = { property: 'demo', to: iso(ahead(DAY_MS)) };
    const { status, json } = await callAsAdmin(`/sandbox/v1/clock/${operation}`, body);
    expect([status, json.code]).toEqual([404, 'not_found']);
  });
});
