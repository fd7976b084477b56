/** A PMS that was not there when a booking's object read its property, and is set up while the object is warm. */
import { describe, expect, it } from 'vitest';
import { DAY_MS } from '../../src/core/time.ts';
import { call, callAsAdmin, makeBooking, makeProperty } from '../support/api.ts';
import { GOOD } from '../support/cards.ts';
import { wakeAt } from '../support/faults.ts';
import { enterCard, Guest } from '../support/guest.ts';
import { messagesOf } from '../support/messages.ts';
import { story } from '../support/story.ts';

story({ silent: ['alarms', 'pms'] });

const CREATE = '/payment/v1/create';
const PMS = { url: 'http://127.0.0.1:9/messages', username: 'pms', password: 'a-secret' };

let made = 0;

/** A property without PMS, with a booking whose object is warm. */
async function withoutPms() {
  made += 1;
  const property = `late-${made}`;
  const options = { token: await makeProperty(property) };
  const reference = `PMS-${made}`;
  await makeBooking(reference, GOOD, options);
  const ask = (path: string, body: object) => call(path, { reference, ...body }, options);
  const { json } = await ask(CREATE, { amount: 100 });
  return { property, reference, chargeId: json.transaction.id, ask };
}

async function setUp(property: string): Promise<void> {
  const { status } = await callAsAdmin('/admin/v1/property/put', {
    property,
    name: property,
    site: `${property}.localhost`,
    currency: 'AUD',
    timeZone: 'Australia/Perth',
    // Each property of a PMS has a password of its own.
    pms: { ...PMS, password: `pass-${property}` },
  });
  expect(status).toBe(200);
}

/** The messages of a booking, in order, with the amounts of those about money. */
async function toldOf(reference: string): Promise<unknown[]> {
  const messages = await messagesOf(reference);
  return messages.map(({ payload, type }) => [
    type,
    (payload['TransactionData'] as { AmountGross: string } | undefined)?.AmountGross ?? null,
  ]);
}

describe('what is done next is told', () => {
  const tomorrow = () => new Date(Date.now() + DAY_MS).toISOString();

  it('of a refund', async () => {
    const { ask, chargeId, property, reference } = await withoutPms();
    await setUp(property);
    expect((await ask('/refund/v1/create', { chargeId, amount: 30 })).status).toBe(200);
    expect(await toldOf(reference)).toEqual([['PushTransaction', '30.00']]);
  });

  it('of a capture', async () => {
    const { ask, property, reference } = await withoutPms();
    const hold = await ask(CREATE, { amount: 50, preAuth: true, expiryTime: tomorrow() });
    const chargeId = hold.json.transaction.id;
    await setUp(property);
    expect((await ask('/payment/v1/charge-pre-auth', { chargeId })).status).toBe(200);
    expect(await toldOf(reference)).toEqual([['PushTransaction', '50.00']]);
  });

  it('of a schedule that fires', async () => {
    const { ask, property, reference } = await withoutPms();
    const atMs = Math.ceil(Date.now() / 1000) * 1000 + DAY_MS;
    await ask('/payment/v1/schedule', { amount: 20, time: new Date(atMs).toISOString() });
    await setUp(property);
    await wakeAt(reference, atMs, property);
    expect(await toldOf(reference)).toEqual([['PushTransaction', '20.00']]);
  });

  it('of a card that the guest enters', async () => {
    const { ask, property, reference } = await withoutPms();
    const { url } = (await ask('/booking/v1/get-url', {})).json;
    const guest = new Guest();
    await guest.open(url);
    await setUp(property);
    await enterCard(guest, GOOD);
    expect(await toldOf(reference)).toEqual([['PushModification', null]]);
  });
});

describe('a ping of a PMS on this machine that does not run', () => {
  it('says how to start one, in whole sentences', async () => {
    const { property } = await withoutPms();
    await setUp(property);
    const { status, json } = await callAsAdmin('/admin/v1/pms/ping', { property });
    expect([status, json.code]).toEqual([502, 'gateway_error']);
    expect(json.detail).toMatch(
      /^The request to the PMS at 127\.0\.0\.1:9 failed: [^.]+\. `npm run pms` starts a PMS for tests\.$/,
    );
  });
});
