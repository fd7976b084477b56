import { evictAllDurableObjects, runDurableObjectAlarm } from 'cloudflare:test';
import { beforeAll, describe, expect, it } from 'vitest';
import { DAY_MS, MINUTE_MS } from '../../src/core/time.ts';
import { serviceAsReceiver } from '../../src/sandbox/acquirer/webhooks.ts';
import {
  type Answer,
  atTime,
  attachCard,
  call,
  makeBooking,
  testEnv,
  transactionsOf,
} from '../support/api.ts';
import { GOOD, OTHER_GOOD } from '../support/cards.ts';
import { used } from '../support/counting.ts';
import { withFault } from '../support/faults.ts';
import { enterCard, visit } from '../support/guest.ts';
import { notificationsArrived } from '../support/notifications.ts';
import { disagreements } from '../support/oracle.ts';
import { story } from '../support/story.ts';

story({ silent: ['mails', 'news', 'pms'] });

// What the dispatcher does beside the answer is not the charge's cost.

const COST = { reference: 'COST' };
const ONE = { ...COST, amount: 1 };
const IN_A_DAY = new Date(Math.ceil(Date.now() / 1000) * 1000 + DAY_MS).toISOString();

/** The payment that was made last. */
let last = 0;

function lastIdOf(answer: unknown): number | undefined {
  return (answer as Partial<Answer> | undefined)?.json?.transaction?.id;
}

const ring = () =>
  runDurableObjectAlarm(testEnv.BOOKINGS.getByName(JSON.stringify(['demo', 'COST'])));

beforeAll(async () => {
  await makeBooking('COST', GOOD);
  await charge();
});

const charge = () => call('/payment/v1/create', { reference: 'COST', amount: 1 });

describe('a charge', () => {
  it('takes one object hop, two D1 round trips, one gateway call and at most eighteen written rows', async () => {
    const cost = await used(charge);
    expect(cost).toMatchObject({ objectHops: 1, d1: 2, gatewayCalls: 1 });
    expect(cost.rowsWritten).toBeGreaterThan(3);
    expect(cost.rowsWritten).toBeLessThanOrEqual(18);
  });

  it('takes no more with an idempotency key, but for two rows', async () => {
    const cost = await used(() =>
      call(
        '/payment/v1/create',
        { reference: 'COST', amount: 1 },
        { headers: { 'Idempotency-Key': 'cost' } },
      ),
    );
    expect(cost).toMatchObject({ objectHops: 1, d1: 2, gatewayCalls: 1 });
    expect(cost.rowsWritten).toBeLessThanOrEqual(20);
  });

  it('takes no more round trips when the booking is cold', async () => {
    await evictAllDurableObjects();
    expect(await used(charge)).toMatchObject({ objectHops: 1, d1: 2, gatewayCalls: 1 });
  });

  it.each<[string, number, () => Promise<unknown>]>([
    ['hold', 2, () => call('/payment/v1/create', { ...ONE, preAuth: true, expiryTime: IN_A_DAY })],
    [
      'capture',
      2,
      () => call('/payment/v1/charge-pre-auth', { reference: 'COST', chargeId: last }),
    ],
    ['refund', 2, () => call('/refund/v1/create', { ...ONE, chargeId: last })],
    ['schedule', 1, () => call('/payment/v1/schedule', { ...ONE, time: IN_A_DAY })],
    [
      'cancelled schedule',
      1,
      () => call('/payment/v1/cancel-schedule', { ...COST, chargeId: last }),
    ],
    ['second schedule', 1, () => call('/payment/v1/schedule', { ...ONE, time: IN_A_DAY })],
    ['schedule that fires', 2, () => atTime(Date.parse(IN_A_DAY), ring)],
    ['alarm that finds nothing due', 0, () => atTime(Date.parse(IN_A_DAY), ring)],
  ])('%s: takes %i D1 round trips when the booking is cold', async (_, d1, run) => {
    await evictAllDurableObjects();
    const answers: unknown[] = [];
    const cost = await used(async () => answers.push(await run()));
    last = lastIdOf(answers[0]) ?? last;
    expect(cost).toMatchObject({ d1 });
  });

  it('is ended by the alarm of an object that was cut off, whatever it remembers', async () => {
    await withFault({ boundary: 'd1.transaction.apply', nth: 0 }, 'crash before', charge);
    await atTime(Date.now() + 2 * MINUTE_MS, ring);
    const statuses = (await transactionsOf('COST')).map(({ status }) => status);
    expect(statuses).not.toContain('Processing');
    expect(await disagreements('COST')).toEqual([]);
  });

  it('tells what it took in Server-Timing', async () => {
    const { headers } = await charge();
    expect(headers.get('Server-Timing')).toMatch(
      /^d1;desc="2";dur=\d+, gateway;desc="1";dur=\d+, object;desc="1";dur=\d+, total;dur=\d+$/,
    );
  });
});

describe('a card', () => {
  it('is tokenized with one D1 round trip when the booking is cold', async () => {
    await evictAllDurableObjects();
    const cost = await used(() => attachCard('COST', OTHER_GOOD));
    expect(cost).toMatchObject({ objectHops: 2, d1: 1, gatewayCalls: 1 });
  });
});

describe('a guest', () => {
  it('pays with three D1 round trips when the booking is cold, gets the receipt with one, and the mailer is told once', async () => {
    await makeBooking('COST-GUEST');
    const guest = await visit('COST-GUEST');
    await enterCard(guest, GOOD);
    await evictAllDurableObjects();
    const cost = await used(async () => {
      await guest.submit();
      await notificationsArrived();
    });
    expect(guest.page.html).toContain('Payment successful');
    expect(cost).toMatchObject({ requests: 2, objectHops: 1, d1: 4, gatewayCalls: 1 });
    expect(cost.mailerCalls).toBe(1);
  });
});

describe('news that says nothing new', () => {
  beforeAll(async () => {
    await makeBooking('COST-NEWS', GOOD);
    await call('/payment/v1/create', { reference: 'COST-NEWS', amount: 1 });
  });

  it.each([
    ['payment', 'SELECT gateway_reference AS id FROM transactions'],
    ['card', 'SELECT gateway_token AS id FROM cards'],
  ] as const)('of a %s takes one D1 round trip when the booking is cold', async (kind, named) => {
    const statement = `${named} WHERE booking_reference = 'COST-NEWS'`;
    const id = (await testEnv.DB.prepare(statement).first<string>('id')) ?? '';
    await evictAllDurableObjects();
    const receive = serviceAsReceiver(testEnv);
    const cost = await used(() => receive({ kind, id, account: null }));
    expect(cost).toMatchObject({ objectHops: 1, d1: 1, rowsWritten: 0 });
  });
});

describe.each(['/payment/v1/transaction', '/booking/v1/get-details'])('%s', (path) => {
  it('takes one D1 round trip and nothing else', async () => {
    const cost = await used(() => call(path, { reference: 'COST' }));
    expect(cost).toMatchObject({ d1: 1, rowsWritten: 0, objectHops: 0, gatewayCalls: 0 });
  });
});
