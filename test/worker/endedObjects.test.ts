/** A booking's object that has nothing to do any more keeps nothing, and starts anew when it is asked. */
import { runDurableObjectAlarm, runInDurableObject } from 'cloudflare:test';
import { expect, it } from 'vitest';
import { DAY_MS, MINUTE_MS } from '../../src/core/time.ts';
import { atTime, bookingOf, call, callAsAdmin, makeBooking, testEnv } from '../support/api.ts';
import { GOOD } from '../support/cards.ts';
import { story } from '../support/story.ts';

story({ silent: ['pms', 'mails'], freshDatabase: true });

/** The day after the departure of `bookingOf` has begun in Perth. */
const LEFT_MS = Date.parse('2027-02-18T00:00:00+08:00');
const ENDED_MS = LEFT_MS + 30 * DAY_MS;

const objectOf = (reference: string) =>
  testEnv.BOOKINGS.getByName(JSON.stringify(['demo', reference]));

/** What the object stores, and when it rings. */
const keptBy = (reference: string) =>
  runInDurableObject(objectOf(reference), async (_object, { storage }) => ({
    keys: [...(await storage.list()).keys()],
    alarmMs: await storage.getAlarm(),
  }));

const ringAt = (atMs: number, reference: string) =>
  atTime(atMs, () => runDurableObjectAlarm(objectOf(reference)));

const NOTHING = { keys: [], alarmMs: null };

const pay = (reference: string, more = {}) =>
  call('/payment/v1/create', { reference, amount: 10, ...more });

it('keeps what it needs until 30 days after the departure, then nothing; a charge then is taken once', async () => {
  await makeBooking('STAY', GOOD);
  expect((await pay('STAY')).status).toBe(200);
  // Nothing is left to do for a charge that was answered.
  expect(await keptBy('STAY')).toEqual({
    keys: expect.arrayContaining(['address', 'memory-2']),
    alarmMs: ENDED_MS,
  });
  await ringAt(ENDED_MS - MINUTE_MS, 'STAY');
  expect((await keptBy('STAY')).alarmMs).toBe(ENDED_MS);
  await ringAt(ENDED_MS, 'STAY');
  expect(await keptBy('STAY')).toEqual(NOTHING);
  await atTime(ENDED_MS + DAY_MS, async () => {
    const later = await pay('STAY', { amount: 20 });
    expect([later.status, later.json.transaction.amount]).toEqual([200, 20.62]);
    expect((await keptBy('STAY')).keys).toContain('address');
  });
  await ringAt(ENDED_MS + DAY_MS + MINUTE_MS, 'STAY');
  expect(await keptBy('STAY')).toEqual(NOTHING);
  const { json } = await call('/payment/v1/transaction', { reference: 'STAY' });
  expect(json.transactions.map(({ status }) => status)).toEqual(['Accepted', 'Accepted']);
});

it('waits while something is due, however long ago the stay was', async () => {
  await makeBooking('LATE', GOOD);
  const dueAtMs = ENDED_MS + 10 * DAY_MS;
  const time = new Date(dueAtMs).toISOString();
  const asked = { reference: 'LATE', amount: 5, time };
  expect((await call('/payment/v1/schedule', asked)).status).toBe(200);
  // A little later: within a minute, an object puts its alarm off once.
  const paid = await atTime(Date.now() + 2 * MINUTE_MS, () => pay('LATE'));
  expect(paid.status).toBe(200);
  expect((await keptBy('LATE')).alarmMs).toBe(dueAtMs);
  await ringAt(ENDED_MS + DAY_MS, 'LATE');
  expect((await keptBy('LATE')).alarmMs).toBe(dueAtMs);
  await ringAt(dueAtMs + 1, 'LATE');
  const { json } = await call('/payment/v1/transaction', { reference: 'LATE' });
  expect(json.transactions.map(({ status }) => status)).toEqual(['Accepted', 'Accepted']);
  expect(await keptBy('LATE')).toEqual(NOTHING);
});

it('keeps nothing of a booking that was archived or erased', async () => {
  for (const reference of ['ARCHIVED', 'ERASED']) {
    await call('/booking/v1/create/manage-payments', bookingOf(reference));
  }
  const asked = { property: 'demo', reference: 'ERASED' };
  expect((await callAsAdmin('/admin/v1/privacy/erase', asked)).status).toBe(200);
  await testEnv.DB.prepare(
    "UPDATE outbox SET status = 'Dismissed', due_at_ms = NULL, completed_at_ms = 1",
  ).run();
  await atTime(LEFT_MS + DAY_MS, async () => {
    expect((await callAsAdmin('/admin/v1/archive/run', { property: 'demo' })).status).toBe(200);
  });
  for (const reference of ['ARCHIVED', 'ERASED']) {
    await ringAt(LEFT_MS + DAY_MS + MINUTE_MS, reference);
    expect(await keptBy(reference)).toEqual(NOTHING);
  }
});
