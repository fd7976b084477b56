/** Cards that Stripe keeps already, and cards of an account that their property has left. */
import { beforeEach, describe, expect, it } from 'vitest';
import { DAY_MS, HOUR_MS, SECOND_MS } from '../../src/core/time.ts';
import { bookingOf, call, makeProperty } from '../support/api.ts';
import { ASKS_WHEN_KEPT, DECLINED, GOOD } from '../support/cards.ts';
import { wakeAt } from '../support/faults.ts';
import { selectStripeWith } from '../support/onStripe.ts';
import { putUser, signedIn } from '../support/staff.ts';
import { story } from '../support/story.ts';
import type { FakeStripe } from '../support/stripe.ts';

story({ silent: ['alarms', 'pms'] });

const CREATE = '/payment/v1/create';
const TOKENIZE = '/payment/v1/tokenize';

let stripes: ReturnType<typeof selectStripeWith<'acct_first' | 'acct_second'>>;
let stripe: FakeStripe;
let reference = '';
let made = 0;

beforeEach(() => {
  stripes = selectStripeWith('acct_first', 'acct_second');
  stripe = stripes.of.acct_first;
  made += 1;
  reference = `KEPT-${made}`;
});

/** A booking of a property on an account of its own. */
async function bookingOn(stripeAccount: string) {
  const as = { token: await makeProperty('mover', { stripeAccount }) };
  await call('/booking/v1/create/manage-payments', bookingOf(reference), as);
  const post = (path: string, body: object) => call(path, { reference, ...body }, as);
  return {
    post,
    take: (gatewayToken: string) => post(TOKENIZE, { gatewayToken }),
    /** The property's account changes; returns how many schedules that affects. */
    moveTo: (account: string) => makeProperty('mover', { stripeAccount: account }),
    statuses: async () => {
      const { json } = await post('/payment/v1/transaction', {});
      return json.transactions.map(({ status }) => status);
    },
  };
}

describe('a card that Stripe keeps already', () => {
  const kept: Readonly<Record<string, () => string>> = {
    'a payment method that its checkout did not save': () => stripe.cardAtCheckout(GOOD, false),
    'a payment method of a customer': () => stripe.cardAtCheckout(GOOD, true),
    'a finished setup without a customer': () =>
      stripe.setupAtCheckout(stripe.cardAtCheckout(GOOD, false)),
    'a finished setup of a customer': () =>
      stripe.setupAtCheckout(stripe.cardAtCheckout(GOOD, true)),
    'a setup whose card was saved for a customer since': () =>
      stripe.setupAtCheckout(stripe.cardAtCheckout(GOOD, true), { customer: null }),
  };

  it.each(Object.keys(kept))('is taken over, twice too, and charged: %s', async (name) => {
    const { post, take } = await bookingOn('acct_first');
    const id = kept[name]?.() ?? '';
    for (const time of ['first', 'again']) {
      const { json, status } = await take(id);
      expect([time, status, json.card]).toEqual([
        time,
        200,
        expect.objectContaining({ cardNumber: 'XXXX-XXXX-XXXX-X242', cardExpiry: '12/2030' }),
      ]);
    }
    expect((await post(CREATE, { amount: 100 })).status).toBe(200);
    expect(stripe.ledger(reference)).toMatchObject([{ kind: 'charge', amount: 100 }]);
    expect(stripes.platform.calls).toEqual([]);
  });

  it.each(['500 after execution', '429', 'reset before execution'] as const)(
    'is taken over by another try where Stripe attaches it with %s',
    async (fault) => {
      const { post, take } = await bookingOn('acct_first');
      const id = kept['a finished setup without a customer']?.() ?? '';
      stripe.failAt('/attach', fault);
      const failed = await take(id);
      expect([failed.status, failed.json.code]).toEqual([502, 'gateway_error']);
      expect((await post(CREATE, { amount: 100 })).json.code).toBe('no_card');
      expect((await take(id)).status).toBe(200);
      expect((await post(CREATE, { amount: 100 })).status).toBe(200);
    },
  );

  const refused: Readonly<Record<string, () => string>> = {
    'that does not exist': () => 'pm_none',
    'whose setup does not exist': () => 'seti_none',
    'that is named by its customer': () => 'cus_00000001',
    'of another account': () => stripes.of.acct_second.cardAtCheckout(GOOD, true),
    'whose setup waits for its holder': () =>
      stripe.setupAtCheckout(stripe.cardAtCheckout(GOOD, true), { status: 'requires_action' }),
    'that was set up for payments of a holder who is there': () =>
      stripe.setupAtCheckout(stripe.cardAtCheckout(GOOD, true), { usage: 'on_session' }),
    'whose customer has it no more': () => {
      const method = stripe.cardAtCheckout(GOOD, true);
      const setup = stripe.setupAtCheckout(method);
      stripe.detach(method);
      return setup;
    },
  };

  it.each(Object.keys(refused))('is refused as the field at fault: one %s', async (name) => {
    const { post, take } = await bookingOn('acct_first');
    const { json, status } = await take(refused[name]?.() ?? '');
    expect([status, json.errors?.map(({ field }) => field)]).toEqual([422, ['gatewayToken']]);
    expect((await post(CREATE, { amount: 100 })).json.code).toBe('no_card');
  });

  it.each([
    ['declines it', DECLINED, 'generic_decline'],
    ['wants to see its holder', ASKS_WHEN_KEPT, 'authentication_required'],
  ])('is declined where its bank %s', async (_, number, declineCode) => {
    const { post, take } = await bookingOn('acct_first');
    const { json, status } = await take(stripe.cardAtCheckout(number, false));
    expect([status, json.code, json.declineCode]).toEqual([402, 'card_declined', declineCode]);
    expect((await post(CREATE, { amount: 100 })).json.code).toBe('no_card');
  });
});

describe('a card of an account that its property has left', () => {
  it('takes nothing new on either account, while refunds and captures stay where they are', async () => {
    const { moveTo, post, statuses, take } = await bookingOn('acct_first');
    await take(stripe.cardAtCheckout(GOOD, true));
    const charged = await post(CREATE, { amount: 100 });
    const atMs = Math.ceil(Date.now() / SECOND_MS) * SECOND_MS + DAY_MS;
    const time = new Date(atMs).toISOString();
    const hold = { amount: 50, preAuth: true, expiryTime: new Date(atMs + DAY_MS).toISOString() };
    const held = await post(CREATE, hold);
    await post('/payment/v1/schedule', { amount: 30, time });
    await moveTo('acct_second');
    for (const [path, body] of [
      [CREATE, { amount: 1 }],
      [CREATE, hold],
      ['/payment/v1/schedule', { amount: 1, time }],
    ] as const) {
      const { json, status } = await post(path, body);
      expect([path, status, json.code]).toEqual([path, 409, 'card_of_former_account']);
    }
    const chargeId = held.json.transaction.id;
    expect((await post('/payment/v1/charge-pre-auth', { chargeId })).status).toBe(200);
    const refund = { amount: 10, chargeId: charged.json.transaction.id };
    expect((await post('/refund/v1/create', refund)).status).toBe(200);
    await wakeAt(reference, atMs, 'mover');
    expect(await statuses()).toEqual(['Accepted', 'Accepted', 'Failed']);
    expect(stripe.ledger(reference).map(({ kind }) => kind)).toEqual([
      'charge',
      'authorization',
      'capture',
      'refund',
    ]);
    expect(stripes.of.acct_second.ledger(reference)).toEqual([]);
  });

  it('leaves the desk a link from what was paid on it to the account where that was', async () => {
    await makeProperty('mover', { stripeAccount: 'acct_first' });
    const email = 'desk@mover.com';
    await putUser({ email, name: 'Desk', role: 'viewer', property: 'mover' });
    const { moveTo, post, take } = await bookingOn('acct_first');
    await take(stripe.cardAtCheckout(GOOD, true));
    await post(CREATE, { amount: 30 });
    await moveTo('acct_second');
    const desk = await signedIn(email);
    await desk.open(`/console/booking?property=mover&reference=${reference}`);
    expect(desk.page.html).toMatch(
      /href="https:\/\/dashboard\.stripe\.com\/acct_first\/test\/payments\/pi_\w+" rel="noreferrer"/,
    );
  });

  it('is replaced by one of the new account, which its schedule then takes', async () => {
    const { moveTo, post, statuses, take } = await bookingOn('acct_first');
    await take(stripe.cardAtCheckout(GOOD, true));
    const atMs = Math.ceil(Date.now() / SECOND_MS) * SECOND_MS + DAY_MS;
    await post('/payment/v1/schedule', { amount: 30, time: new Date(atMs).toISOString() });
    await moveTo('acct_second');
    await take(stripes.of.acct_second.cardAtCheckout(GOOD, true));
    await wakeAt(reference, atMs + HOUR_MS, 'mover');
    expect(await statuses()).toEqual(['Accepted']);
    expect(stripe.ledger(reference)).toEqual([]);
    expect(stripes.of.acct_second.ledger(reference)).toMatchObject([{ kind: 'charge' }]);
  });
});
