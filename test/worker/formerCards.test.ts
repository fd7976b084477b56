/** Cards that an account keeps which is no longer the property's: nothing new is charged on them. */
import { describe, expect, it } from 'vitest';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../src/core/time.ts';
import { bookingOf, call, callAsAdmin, makeProperty } from '../support/api.ts';
import { allow, toBank } from '../support/bank.ts';
import { ASKS_GUEST, GOOD, OTHER_GOOD } from '../support/cards.ts';
import { enterCard, Guest, typedCard } from '../support/guest.ts';
import { expiringSchedule, recoveryStory } from '../support/recovery.ts';
import { story } from '../support/story.ts';

story({ silent: ['alarms', 'pms'] });

const CREATE = '/payment/v1/create';
const SCHEDULE = '/payment/v1/schedule';
const EXPIRY = '2028-02-14T12:00:00+08:00';

/** A property whose account changes, once it has a booking with a card. */
async function mover(cardRecovery?: null) {
  const story = await recoveryStory(cardRecovery === undefined ? {} : { cardRecovery });
  const token = await story.attach(GOOD);
  return {
    ...story,
    token,
    /** Changes the account, and returns how many schedules that affects. */
    async moveTo(stripeAccount: string) {
      const property = { property: story.property, name: 'Mover', site: `${story.property}.test` };
      const put = await callAsAdmin('/admin/v1/property/put', {
        ...property,
        currency: 'AUD',
        timeZone: 'Australia/Perth',
        stripeAccount,
      });
      return (put.json as { affectedSchedules?: number }).affectedSchedules;
    },
    async visit() {
      const guest = new Guest();
      await guest.open((await story.post('/booking/v1/get-url')).json.url);
      return guest;
    },
  };
}

describe('a card of a former account', () => {
  it('takes no charge, hold or schedule, by name either, and a quote says so', async () => {
    const story = await mover();
    expect(await story.moveTo('acct_first')).toBe(0);
    const hold = { preAuth: true, expiryTime: new Date(Date.now() + DAY_MS).toISOString() };
    const later = { time: new Date(Date.now() + DAY_MS).toISOString() };
    for (const [path, body] of [
      [CREATE, {}],
      [CREATE, { token: story.token }],
      [CREATE, hold],
      [SCHEDULE, later],
    ] as const) {
      const { status, json } = await story.post(path, { amount: 100, ...body });
      expect([path, status, json.code]).toEqual([path, 409, 'card_of_former_account']);
    }
    const { json } = await story.post('/payment/v1/quote', { amount: 100 });
    const { quote } = json as unknown as { quote: { allowed: boolean; refusals: object[] } };
    expect(quote).toMatchObject({
      allowed: false,
      refusals: [{ code: 'card_of_former_account' }],
    });
    expect(await story.list()).toEqual([]);
    await story.attach(OTHER_GOOD);
    expect((await story.post(CREATE, { amount: 100 })).status).toBe(200);
  });

  it('still captures, lets go and refunds what was made on it', async () => {
    const story = await mover();
    const { json: charged } = await story.post(CREATE, { amount: 100 });
    const hold = { amount: 100, preAuth: true, expiryTime: EXPIRY };
    const expiryTime = new Date(Date.now() + DAY_MS).toISOString();
    const held = await story.post(CREATE, { ...hold, expiryTime });
    const other = await story.post(CREATE, { ...hold, expiryTime });
    await story.moveTo('acct_first');
    const ids = [held, other].map(({ json }) => json.transaction.id);
    const statuses = [
      await story.post('/payment/v1/charge-pre-auth', { chargeId: ids[0] }),
      await story.post('/payment/v1/cancel-pre-auth', { chargeId: ids[1] }),
      await story.post('/refund/v1/create', { chargeId: charged.transaction.id, amount: 100 }),
    ].map(({ status }) => status);
    expect(statuses).toEqual([200, 200, 200]);
  });

  it('has its schedules counted, listed and asked about; a new card takes them over', async () => {
    const story = await mover();
    const atMs = Date.now() + 10 * DAY_MS;
    const named = await story.schedule(atMs, 100, { token: story.token });
    const unnamed = await story.schedule(atMs, 200);
    expect(await story.moveTo('acct_first')).toBe(2);
    expect(await story.moveTo('acct_first')).toBeUndefined();
    await story.advance(Date.now() + HOUR_MS);
    const problems = await story.health();
    expect(problems).toMatchObject(
      [named, unnamed].map((chargeId) => {
        return { chargeId, problem: 'former_account', askedAt: expect.any(String) };
      }),
    );
    const guest = await story.visit();
    expect(guest.page.html).toContain('The property has changed its payment account');
    expect(guest.page.html).toContain('Cannot be charged any more');
    await enterCard(guest, OTHER_GOOD);
    expect(await story.health()).toEqual([]);
    await story.advance(atMs + HOUR_MS);
    const statuses = (await story.list()).map(({ status }) => status);
    expect(statuses).toEqual(['Accepted', 'Accepted']);
  });

  it('is waited for until the deadline when its schedule is due, and charged never', async () => {
    const story = await mover();
    const atMs = Date.now() + 2 * HOUR_MS;
    await story.schedule(atMs, 100);
    await story.moveTo('acct_first');
    await story.advance(atMs + HOUR_MS);
    expect((await story.list())[0]).toMatchObject({ status: 'Pending' });
    const late = await mover();
    const lateAtMs = Date.now() + 2 * HOUR_MS;
    await late.schedule(lateAtMs, 100);
    await late.moveTo('acct_first');
    await late.advance(lateAtMs + HOUR_MS);
    await late.attach(OTHER_GOOD);
    await late.advance(lateAtMs + HOUR_MS + MINUTE_MS);
    expect((await late.list())[0]).toMatchObject({ status: 'Accepted' });
    await story.advance(atMs + 10 * DAY_MS);
    expect((await story.list())[0]).toMatchObject({ status: 'Failed', attempts: 0 });
    const { json } = await callAsAdmin('/sandbox/v1/ledger', {});
    const ofStory = json.operations.filter(
      ({ property }: { property: string }) => property === story.property,
    );
    expect(ofStory).toEqual([]);
  });

  it('ends its schedule at its time where guests are not asked', async () => {
    const story = await mover(null);
    const atMs = Date.now() + 2 * HOUR_MS;
    const id = await story.schedule(atMs, 100);
    await story.moveTo('acct_first');
    expect(await story.health()).toMatchObject([
      { chargeId: id, problem: 'former_account', askedAt: null },
    ]);
    await story.advance(atMs + HOUR_MS);
    expect((await story.list())[0]).toMatchObject({ status: 'Failed', attempts: 0 });
  });

  it('that pays at the bank meanwhile is not put in use', async () => {
    const story = await mover();
    const guest = await story.visit();
    const typed = { ...typedCard(ASKS_GUEST), card: 'new', amount: '100', agreedMinor: '10000' };
    await guest.submit({ ...typed, replaces: '' });
    await toBank(guest);
    await story.moveTo('acct_first');
    const token = await story.attach(OTHER_GOOD);
    await allow(guest);
    expect((await story.list()).map(({ status }) => status)).toEqual(['Accepted']);
    const { json } = await story.post('/booking/v1/get-details');
    expect(json.booking.payment[0]?.token).toBe(token);
    expect((await story.post(CREATE, { amount: 50 })).status).toBe(200);
  });

  it('whose schedule was put off is charged on another one when that is over, not before', async () => {
    const story = await mover();
    const balance = { transactionType: 'Balance' };
    await story.post(CREATE, { amount: 600, ...balance });
    const atMs = Date.now() + 2 * HOUR_MS;
    const id = await story.schedule(atMs, 100, balance);
    const statusAt = async (nowMs: number) => {
      await story.advance(nowMs);
      return (await story.list()).find((it) => it.id === id)?.status;
    };
    expect(await statusAt(atMs + MINUTE_MS)).toBe('Pending');
    await story.moveTo('acct_first');
    await story.attach(OTHER_GOOD);
    expect(await statusAt(atMs + 23 * HOUR_MS)).toBe('Pending');
    expect(await statusAt(atMs + 25 * HOUR_MS)).toBe('Accepted');
  });

  it('will still have expired when the account is as before', async () => {
    const story = await mover();
    await story.moveTo('acct_one');
    const { askAtMs, chargeId } = await expiringSchedule(story);
    await story.moveTo('acct_two');
    await story.moveTo('acct_one');
    await story.advance(askAtMs + HOUR_MS);
    expect(await story.health()).toMatchObject([{ chargeId, problem: 'expires_before' }]);
  });

  it('is none again once the account is as before', async () => {
    const story = await mover();
    await story.moveTo('acct_one');
    await story.attach(OTHER_GOOD);
    const atMs = Date.now() + 10 * DAY_MS;
    await story.schedule(atMs, 100);
    expect(await story.moveTo('acct_two')).toBe(1);
    expect(await story.moveTo('acct_one')).toBe(0);
    expect(await story.health()).toEqual([]);
    await story.advance(atMs + HOUR_MS);
    expect((await story.list())[0]).toMatchObject({ status: 'Accepted' });
  });
});

describe('a card that the acquirer keeps already', () => {
  const vault = (details: object) =>
    callAsAdmin('/sandbox/v1/vault', { cardNumber: GOOD, cardExpiry: '12/2030', ...details });
  const TOKENIZE = '/payment/v1/tokenize';

  it('is taken over by its gatewayToken, and charged', async () => {
    const story = await recoveryStory();
    const kept = await vault({});
    expect(kept.status).toBe(200);
    const { gatewayToken } = kept.json as unknown as { gatewayToken: string };
    const taken = await story.post(TOKENIZE, { gatewayToken });
    expect([taken.status, taken.json.card]).toEqual([
      200,
      {
        cardHolderName: '-',
        cardNumber: 'XXXX-XXXX-XXXX-X242',
        cardType: 'Visa',
        cardExpiry: '12/2030',
        token: expect.stringMatching(/^[0-9a-f]{32}$/),
        funding: 'credit',
        issuerCountry: 'US',
      },
    ]);
    const { status, json } = await story.post(CREATE, { amount: 100 });
    expect([status, json.transaction.cardDetails.token]).toEqual([200, taken.json.card.token]);
  });

  it('is of the property’s own account, exists, and is named alone', async () => {
    const token = await makeProperty('own', { stripeAccount: 'acct_own' });
    await call('/booking/v1/create/manage-payments', bookingOf('OWN'), { token });
    const tokenize = async (body: object) => {
      const { status, json } = await call(TOKENIZE, { reference: 'OWN', ...body }, { token });
      return [status, json.errors?.map(({ field }: { field: string }) => field)];
    };
    const [platforms, own] = await Promise.all([vault({}), vault({ property: 'own' })]);
    const tokenIn = ({ json }: typeof own) => (json as { gatewayToken?: string }).gatewayToken;
    expect(await tokenize({ gatewayToken: tokenIn(platforms) })).toEqual([422, ['gatewayToken']]);
    expect(await tokenize({ gatewayToken: 'pm_none' })).toEqual([422, ['gatewayToken']]);
    expect(await tokenize({ gatewayToken: tokenIn(own) })).toEqual([200, undefined]);
    const typed = { cardNumber: GOOD, cardExpiry: '12/2030' };
    expect(await tokenize({ gatewayToken: tokenIn(own), ...typed })).toEqual([
      422,
      ['gatewayToken'],
    ]);
    expect(await tokenize({})).toEqual([422, ['cardNumber', 'cardExpiry']]);
    expect((await vault({ property: 'nobody' })).json.code).toBe('property_not_found');
  });
});
