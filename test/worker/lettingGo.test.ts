/** What has done its work goes after a month (parts: Letting go), and nothing that is asked later misses it. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { DAY_MS, MINUTE_MS } from '../../src/core/time.ts';
import { deleteOldKeys, selectNextKeys } from '../../src/operation/idempotencyStore.ts';
import { letGoOf, selectSources } from '../../src/pms/outbox/rebuilt.ts';
import { sweepLetGo } from '../../src/retention/letGo.ts';
import {
  deleteDeliveries,
  deleteMessages,
  entriesIn,
  selectDelivered,
  selectLettable,
  selectRangeEnd,
} from '../../src/retention/letGoStore.ts';
import { atTime, attachCard, bookingOf, call, makeProperty, testEnv } from '../support/api.ts';
import { planOf } from '../support/plans.ts';
import { confirming, dispatchersAt, dispatchUntil, PlayedPms } from '../support/pms.ts';
import { story } from '../support/story.ts';

story({ silent: ['alarms', 'mails'], keepSpies: true });

/** Ten minutes begin: then a sweep looks. Answers are asked for while the token holds. */
const T = Math.ceil((Date.now() + DAY_MS) / DAY_MS) * DAY_MS;
const SPAN = { from: new Date(T - DAY_MS).toISOString(), to: new Date(T + DAY_MS).toISOString() };
const KEY = { 'Idempotency-Key': 'deposit' };

let pms: PlayedPms;
let token = '';
let chargeId = 0;

const post = (path: string, body: object, headers = {}, atMs = T) =>
  atTime(atMs, () => call(path, body, { token, headers }));

const pay = () => post('/payment/v1/create', { reference: 'STAY', amount: 100 }, KEY);

beforeAll(async () => {
  pms = new PlayedPms('letting-go');
  dispatchersAt(T);
  pms.behave = confirming;
  const property = { pms: pms.settings, cardFeeBasisPoints: 300 };
  token = await atTime(T, () => makeProperty('hotel', property));
  await post('/webhook/v1/put', { url: 'https://engine.hotel.com/events', active: false });
  for (const totalCost of [600, 700]) {
    await post('/booking/v1/create/manage-payments', bookingOf('STAY', { totalCost }));
  }
  await atTime(T, () => attachCard('STAY', '4242424242424242', { token }));
  chargeId = (await pay()).json.transaction.id;
  await post('/refund/v1/create', { reference: 'STAY', amount: 30 });
  await dispatchUntil(pms.url, T, T + MINUTE_MS);
  await testEnv.DB.prepare(
    "UPDATE webhook_deliveries SET status = 'Confirmed', completed_at_ms = ?",
  )
    .bind(T)
    .run();
});

afterAll(() => pms.leave());

const swept = (days: number) => sweepLetGo(testEnv, T + days * DAY_MS);

async function count(table: string): Promise<number> {
  const rows = testEnv.DB.prepare(`SELECT count(*) AS rows FROM ${table} WHERE property_id = ?`);
  return (await rows.bind('hotel').first<number>('rows')) ?? 0;
}

const left = () =>
  Promise.all(['outbox', 'webhook_deliveries', 'idempotency_keys'].map((table) => count(table)));

async function compared(lines: readonly object[]) {
  const { json } = await post('/pms-ledger/v1/compare', { ...SPAN, lines }, {}, T + 30 * MINUTE_MS);
  const { reportId, ...report } = (json as unknown as { report: Record<string, unknown> }).report;
  return { reportId, report };
}

/** The messages about money that the PMS was sent, as a ledger has them, and one of its own. */
const ledger = () => [
  ...pms.delivered
    .filter(({ json }) => json.MessageType === 'PushTransaction')
    .map(({ json: { TransactionData: data } }) => ({
      transactionId: data['TransactionID'],
      reference: data['RelatedReference'],
      type: data['Type'],
      amountGross: data['AmountGross'],
      processedTime: data['ProcessedTime'],
    })),
  { reference: 'WALK-IN', type: 'Payment', amountGross: 12.5 },
];

describe('a month after it has done its work', () => {
  it('a message, a delivery and an answer go; before, they stay', async () => {
    expect(pms.delivered.map(({ json }) => json.MessageType)).toEqual([
      'PushBooking',
      'PushModification',
      'PushTransaction',
      'PushTransaction',
    ]);
    const before = await compared(ledger());
    const [messages, deliveries, keys] = await left();
    expect([messages, keys]).toEqual([4, 1]);
    expect(await swept(31)).toBe(0);
    expect(await left()).toEqual([messages, deliveries, keys]);
    expect((await pay()).json.transaction.id).toBe(chargeId);
    // A message of which the records would make another one now stays.
    const rename = (channelCode: string) =>
      testEnv.DB.prepare(
        'UPDATE properties SET channel_code = ?, version = version + 1 WHERE id = ?',
      ).bind(channelCode, 'hotel');
    await rename('other').run();
    expect(await swept(33)).toBe(1);
    expect(await left()).toEqual([2, 0, 0]);
    await testEnv.DB.prepare(
      "UPDATE retention_progress SET event_number = 0 WHERE property_id = 'hotel'",
    ).run();
    await rename('hotel').run();
    expect(await swept(33)).toBe(1);
    expect([await left(), await swept(33)]).toEqual([[0, 0, 0], 0]);
    expect((await compared(ledger())).report).toEqual(before.report);
  });

  it('the ledger still tells what the PMS lacks, and a repair sends the same again, once', async () => {
    const told = pms.delivered.filter(({ json }) => json.MessageType === 'PushTransaction');
    const { report, reportId } = await compared([]);
    expect(report['missingAtPms']).toMatchObject(
      told.map(({ json }) => ({ messageId: json.MessageID, delivery: 'Confirmed' })),
    );
    const repair = (more: object) =>
      post('/pms-ledger/v1/repair', { reportId, ...more }, {}, T + 40 * MINUTE_MS);
    expect((await repair({ dryRun: true })).json.replayed).toBe(2);
    expect(await count('outbox')).toBe(0);
    const sent = pms.delivered.length;
    dispatchersAt(T + 40 * MINUTE_MS);
    expect([(await repair({})).json.replayed, (await repair({})).json.replayed]).toEqual([2, 0]);
    await dispatchUntil(pms.url, T + 40 * MINUTE_MS, T + 50 * MINUTE_MS);
    const again = pms.delivered.slice(sent).map(({ text }) => text);
    expect(again.toSorted()).toEqual(told.map(({ text }) => text).toSorted());
  });
});

describe('however much a property has, SQLite', () => {
  const range = { propertyId: 'p', after: 1, upTo: 2 };
  const place = { operation: 'create', key: 'k' };

  it.each([
    ['what to let go of', selectLettable(1, 10)],
    ['the next events', selectRangeEnd('p', 1, 1)],
    ['their messages', selectDelivered(range, 1)],
    ['what they are made of', selectSources(entriesIn(range))],
    ['what was let go of', selectSources(letGoOf('p', ['a']))],
    ['what goes', [deleteMessages(['m']), deleteDeliveries(range, 1)]],
    ['old keys', [selectNextKeys('p', place), deleteOldKeys('p', place, 1)]],
  ])('finds %s by an index', async (_what, statements) => {
    for (const statement of [statements].flat()) {
      const plan = await planOf(statement);
      expect(plan).not.toMatch(/SCAN (?!properties\b|one\b|json_each\b|\(subquery|CONSTANT)/);
    }
  });
});
