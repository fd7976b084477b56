import { abortAllDurableObjects } from 'cloudflare:test';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from '../../src/core/time.ts';
import { sweepEvents } from '../../src/events/delivery/stub.ts';
import { atTime, attachCard, bookingOf, call, makeProperty, testEnv } from '../support/api.ts';
import {
  deliverUntil,
  type EndpointBehaviour,
  listedEvents,
  PlayedEndpoint,
  taking,
  unreachable,
  verify,
} from '../support/endpoint.ts';
import { faultKinds, placesOf, spansOf, withFault } from '../support/faults.ts';
import { howMany } from '../support/long.ts';
import { dispatchersAt } from '../support/pms.ts';

/** Ahead of the real time, so that no alarm rings but when the test lets it. */
let T = Date.now() + 10 * DAY_MS;
let endpoint: PlayedEndpoint;
let token: string;
let made = 0;

beforeEach(async () => {
  made += 1;
  T += 10 * DAY_MS;
  endpoint = new PlayedEndpoint(`delivery-${made}`);
  dispatchersAt(T);
  token = await atTime(T, () => makeProperty(`told-${made}`));
  await atTime(T, () => endpoint.subscribe(token));
});

afterEach(() => {
  endpoint.leave();
  vi.restoreAllMocks();
});

const post = (path: string, body: object, atMs = T) =>
  atTime(atMs, () => call(path, body, { token }));
const save = (reference: string, details: object = {}, atMs = T) =>
  post('/booking/v1/create/manage-payments', bookingOf(reference, { ...details }), atMs);
const deliver = (forMs = HOUR_MS) => deliverUntil(endpoint.id, T, T + forMs);
const deliveries = async (of: object = {}) =>
  (await post('/webhook/v1/deliveries', { endpointId: endpoint.id, ...of })).json.deliveries;
const list = (of: object = {}) => atTime(T, () => listedEvents(token, of));

/** Some events of a booking: saved, a card, a charge, a refund of it, cancelled. */
async function live(reference: string) {
  await save(reference);
  await atTime(T, () => attachCard(reference, '4242424242424242', { token }));
  const { json } = await post('/payment/v1/create', { reference, amount: 100 });
  await post('/refund/v1/create', { reference, amount: 40, chargeId: json.transaction.id });
  await save(reference, { status: 'cancelled' });
}

const LIVED = [
  'booking.saved',
  'card.attached',
  'payment.accepted',
  'refund.refunded',
  'booking.cancelled',
];

/** What arrived, each once: the last of its repetitions does not count. */
function firsts() {
  const seen = new Set<string>();
  return endpoint.events().filter(({ eventId }) => !seen.has(eventId) && seen.add(eventId));
}

describe('events', () => {
  it('are delivered in the order of their booking, signed, and the list equals the deliveries', async () => {
    await live('LIFE-1');
    await live('LIFE-2');
    await deliver();
    for (const reference of ['LIFE-1', 'LIFE-2']) {
      const own = endpoint.events().filter(({ data }) => data.reference === reference);
      expect(own.map(({ type }) => type)).toEqual(LIVED);
      expect(own.map(({ data }) => data.sequence)).toEqual([1, 2, 3, 4, 5]);
      expect(own).toEqual(await list({ reference }));
    }
    await atTime(T, async () => {
      for (const delivery of endpoint.delivered) {
        expect(verify(endpoint.secret, delivery)).toEqual(delivery.json);
        expect(delivery.headers.get('Content-Type')).toBe('application/json');
      }
    });
    const shown = await deliveries();
    expect(shown).toHaveLength(10);
    expect(new Set(shown.map(({ status }) => status))).toEqual(new Set(['Confirmed']));
    expect(shown[0]).toMatchObject({ attempts: 1, nextAttemptAt: null, lastStatus: 204 });
  });

  it('show the objects as their lists do, then and for ever', async () => {
    await live('LIFE-3');
    await deliver();
    const told = endpoint.events();
    await save('LIFE-3', { status: 'booked', totalCost: 700 });
    const { json } = await post('/payment/v1/transaction', { reference: 'LIFE-3' });
    const [charge] = json.transactions;
    const [accepted] = await list({ types: ['payment.accepted'] });
    expect(accepted?.data.transaction).toEqual({ ...charge, refunds: [] });
    const [refunded] = await list({ types: ['refund.*'] });
    expect(refunded?.data).toMatchObject({ refund: charge?.refunds[0], chargeId: charge?.id });
    expect((await list()).slice(0, 5)).toEqual(told);
  });
});

/** How an endpoint can be wrong three times before it takes a delivery. */
const troubles: [string, EndpointBehaviour][] = [
  ['is down', unreachable],
  ['answers 500', () => new Response('no', { status: 500 })],
  ['answers 404', () => new Response('no', { status: 404 })],
  ['redirects', () => Response.redirect('https://elsewhere.hotel.com/', 302)],
];

describe('an endpoint that', () => {
  it.each(troubles)(
    '%s gets every event in order when it is right again',
    async (_name, trouble) => {
      endpoint.behave = trouble;
      await live('WRONG-1');
      await deliver(MINUTE_MS);
      expect(new Set(endpoint.types())).toEqual(new Set(['booking.saved']));
      expect((await deliveries({ status: 'Pending' })).map(({ attempts }) => attempts)).toEqual([
        0, 0, 0, 0, 3,
      ]);
      endpoint.behave = taking;
      await deliver(DAY_MS);
      expect(firsts()).toEqual(await list());
      expect(await deliveries({ status: 'Pending' })).toEqual([]);
    },
  );

  it('does not answer within 15 s gets the event again', async () => {
    const setTimer = globalThis.setTimeout;
    const soon = vi.spyOn(globalThis, 'setTimeout');
    soon.mockImplementation((run: () => void, ms?: number) =>
      setTimer(run, ms === 15_000 ? 1 : ms),
    );
    endpoint.behave = () => new Promise(() => undefined);
    await save('SLOW-1');
    await deliver(SECOND_MS);
    expect(await deliveries()).toMatchObject([
      { status: 'Pending', attempts: 1, lastStatus: null, nextAttemptAt: expect.any(String) },
    ]);
    soon.mockRestore();
    endpoint.behave = taking;
    await deliver();
    expect(firsts()).toEqual(await list());
  });

  it('is one of a dispatcher that is cut off anywhere gets every event in order', async () => {
    await live('CUT-0');
    const crossed = await spansOf(() => deliver());
    expect(new Set(crossed.map(({ boundary }) => boundary))).toEqual(
      new Set(['d1.event.deliver', 'd1.event.read', 'storage.alarm', 'webhook.send']),
    );
    for (const kind of faultKinds) {
      for (const { boundary, index, nth } of placesOf(kind, crossed, 8)) {
        const reference = `CUT ${kind} ${index}`;
        await live(reference);
        endpoint.delivered.length = 0;
        await withFault({ boundary, nth }, kind, () => deliver());
        await abortAllDurableObjects();
        await atTime(T + 2 * HOUR_MS, () => sweepEvents(testEnv, T + 2 * HOUR_MS));
        await deliver(3 * HOUR_MS);
        const sequences = firsts()
          .filter(({ data }) => data.reference === reference)
          .map(({ data }) => data.sequence);
        expect([reference, sequences]).toEqual([reference, [1, 2, 3, 4, 5]]);
      }
    }
    expect(await deliveries({ status: 'Pending' })).toEqual([]);
  });

  it('never answers right is given up after 75 hours, and holds its booking back until a replay', async () => {
    endpoint.behave = () => new Response('no', { status: 400 });
    await save('DEAD-1');
    await save('DEAD-2');
    await save('DEAD-1', { totalCost: 700 });
    await deliver(10 * DAY_MS);
    const dead = await deliveries({ status: 'Dead' });
    expect(dead.map(({ attempts }) => attempts)).toEqual([11, 11]);
    expect(await deliveries({ status: 'Pending' })).toMatchObject([
      { attempts: 0, nextAttemptAt: null },
    ]);
    endpoint.behave = taking;
    endpoint.delivered.length = 0;
    const { eventId } = dead[1] ?? {};
    const replayed = await post('/webhook/v1/replay', { endpointId: endpoint.id, eventId });
    expect(replayed.json).toEqual({ success: true, replayed: 1 });
    await deliver(10 * DAY_MS);
    const [first, second] = endpoint.events();
    expect([first?.eventId, first?.data.sequence]).toEqual([eventId, 1]);
    expect([second?.data.reference, second?.data.sequence]).toEqual(['DEAD-1', 2]);
    expect(endpoint.delivered).toHaveLength(2);
  });

  it('answers 410 is deactivated: what waits and what comes is kept', async () => {
    endpoint.behave = () => new Response(null, { status: 410 });
    await save('GONE-1');
    await save('GONE-1', { totalCost: 700 });
    await deliver(DAY_MS);
    expect(endpoint.delivered).toHaveLength(1);
    expect((await post('/webhook/v1/list', {})).json.endpoints).toMatchObject([{ active: false }]);
    await save('GONE-1', { totalCost: 800 });
    await deliver(DAY_MS);
    expect(endpoint.delivered).toHaveLength(1);
    endpoint.behave = taking;
    await post('/webhook/v1/put', { endpointId: endpoint.id, active: true });
    await deliver();
    expect(firsts().map(({ data }) => data.sequence)).toEqual([1, 2]);
    const from = new Date(T - MINUTE_MS).toISOString();
    const replayed = await post('/webhook/v1/replay', { endpointId: endpoint.id, from });
    expect(replayed.json.replayed).toBe(3);
    await deliver();
    expect(firsts()).toEqual(await list());
  });
});

describe('while an endpoint is inactive', () => {
  it('nothing is sent, and everything can be replayed', async () => {
    await save('OFF-1');
    await deliver();
    await post('/webhook/v1/put', { endpointId: endpoint.id, active: false });
    await live('OFF-2');
    await deliver(DAY_MS);
    expect(endpoint.types()).toEqual(['booking.saved']);
    await post('/webhook/v1/put', { endpointId: endpoint.id, active: true });
    await deliver(DAY_MS);
    expect(endpoint.types()).toEqual(['booking.saved']);
    const from = new Date(T).toISOString();
    await post('/webhook/v1/replay', { endpointId: endpoint.id, from });
    await deliver();
    expect(firsts()).toEqual(await list());
  });

  it('a replay waits for it', async () => {
    await post('/webhook/v1/put', { endpointId: endpoint.id, active: false });
    await save('OFF-3');
    const [event] = await list();
    const { eventId } = event ?? {};
    const replayed = await post('/webhook/v1/replay', { endpointId: endpoint.id, eventId });
    expect(replayed.json.replayed).toBe(1);
    await deliver(DAY_MS);
    expect(endpoint.delivered).toEqual([]);
    await post('/webhook/v1/put', { endpointId: endpoint.id });
    await deliver();
    expect(endpoint.events()).toEqual([event]);
  });
});

describe('one endpoint', () => {
  it('that is dead holds up no other: events of many bookings all arrive, each in order', async () => {
    const bookings = howMany.bookingsOfEvents;
    endpoint.behave = unreachable;
    const other = new PlayedEndpoint(`other-${made}`);
    try {
      await atTime(T, () => other.subscribe(token));
      for (let round = 0; round < 10; round += 1) {
        for (let booking = 0; booking < bookings; booking += 1) {
          await save(`MANY-${booking}`, { totalCost: 600 + round });
        }
      }
      await deliverUntil(endpoint.id, T, T + MINUTE_MS);
      await deliverUntil(other.id, T, T + MINUTE_MS);
      const all = await list();
      expect(all).toHaveLength(10 * bookings);
      expect(other.delivered).toHaveLength(all.length);
      for (let booking = 0; booking < bookings; booking += 1) {
        const own = other.events().filter(({ data }) => data.reference === `MANY-${booking}`);
        expect(own.map(({ data }) => data.sequence)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
      }
      // A dead endpoint is probed, not hammered.
      expect(endpoint.delivered.length).toBeLessThan(30);
    } finally {
      other.leave();
    }
  });
});

describe('a lost notification', () => {
  it('is replaced by the sweep', async () => {
    await save('LOST-1');
    await deliver();
    await testEnv.DB.prepare(
      'UPDATE webhook_deliveries SET status = ?, due_at_ms = ? WHERE endpoint_id = ?',
    )
      .bind('Pending', T, endpoint.id)
      .run();
    endpoint.delivered.length = 0;
    expect(await atTime(T, () => sweepEvents(testEnv, T + MINUTE_MS))).toBeGreaterThan(0);
    await deliver();
    expect(endpoint.delivered).toHaveLength(1);
  });
});

describe('the list', () => {
  it('goes on after a cursor and after any event, and finds nothing after the last one', async () => {
    await live('PAGE-1');
    await live('PAGE-2');
    const all = await list();
    expect(all).toHaveLength(10);
    expect(await list({ limit: 3 })).toEqual(all);
    expect(await list({ reference: 'PAGE-2', limit: 2 })).toEqual(all.slice(5));
    expect(await list({ types: ['payment.*', 'refund.*'], limit: 1 })).toHaveLength(4);
    const after = await post('/event/v1/list', { after: all[6]?.eventId });
    expect(after.json).toMatchObject({ events: all.slice(7), nextCursor: null });
    const last = await post('/event/v1/list', { after: all.at(-1)?.eventId });
    expect(last.json).toEqual({ success: true, events: [], nextCursor: null });
  });

  it.each([
    [{ after: 'evt_1_0123456789abcdef' }, 404, 'event_not_found'],
    [{ after: 'nonsense' }, 404, 'event_not_found'],
    [{ reference: 'NOWHERE' }, 404, 'booking_not_found'],
    [{ limit: 201 }, 422, 'validation_failed'],
    [{ types: ['nothing.*'] }, 422, 'validation_failed'],
  ])('refuses %j', async (body, status, code) => {
    await save('REFUSED-1');
    const answer = await post('/event/v1/list', body);
    expect([answer.status, answer.json.code]).toEqual([status, code]);
  });
});
