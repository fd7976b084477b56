/** What Stripe tells of by webhooks: whatever it says, it is asked how things stand. */
import { Stripe } from 'stripe';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { BookingObject } from '../../src/booking/object.ts';
import { DAY_MS, HOUR_MS, SECOND_MS } from '../../src/core/time.ts';
import { sweepPayouts } from '../../src/disbursements/mirror.ts';
import {
  bookingOf,
  call,
  callAsAdmin,
  http,
  makeBooking,
  makeProperty,
  parsed,
  testEnv,
  transactionsOf,
} from '../support/api.ts';
import { GOOD } from '../support/cards.ts';
import { disbursementsOf, itemsOf } from '../support/disbursements.ts';
import { faultKinds, placesOf, spansOf, withFault } from '../support/faults.ts';
import { moneyTold } from '../support/messages.ts';
import { selectStripe, stripeConfig, stripePayouts } from '../support/onStripe.ts';
import { story } from '../support/story.ts';
import type { FakeStripe } from '../support/stripe.ts';

story({ silent: ['alarms', 'pms'] });

const PATH = '/gateway/v1/stripe';
const [SECRET = '', OF_ACCOUNTS] = stripeConfig.webhookSecrets;

let stripe: FakeStripe;

// What a test leaves open would be charged in the middle of another one.

beforeEach(() => {
  stripe = selectStripe({ publishableKey: null });
});

let events = 0;

/** Stripe refuses whatever is asked. */
function refusal(status: number): Response {
  const error = { type: 'api_error', message: 'not now' };
  return new Response(JSON.stringify({ error }), { status });
}

/** An event as Stripe would write it. */
function eventOf(type: string, object: object, account?: string): string {
  events += 1;
  const created = Math.floor(Date.now() / SECOND_MS);
  const about = { id: `evt_${events}`, object: 'event', type, created, data: { object } };
  return JSON.stringify(account === undefined ? about : { ...about, account });
}

interface Sending {
  readonly secret?: string;
  readonly ageMs?: number;
  readonly signature?: string | null;
}

async function send(payload: string, { secret, ageMs = 0, signature }: Sending = {}) {
  const timestamp = Math.floor((Date.now() - ageMs) / SECOND_MS);
  const signed = await new Stripe('sk_test_1').webhooks.generateTestHeaderStringAsync({
    payload,
    timestamp,
    secret: secret ?? SECRET,
    cryptoProvider: Stripe.createSubtleCryptoProvider(),
  });
  const header = signature === undefined ? signed : signature;
  const headers = new Headers({ 'Content-Type': 'application/json' });
  if (header !== null) headers.set('Stripe-Signature', header);
  return parsed(await http(PATH, { method: 'POST', headers, body: payload }));
}

const tell = (type: string, object: object, account?: string) =>
  send(eventOf(type, object, account));

async function charge(reference: string, amount = 10): Promise<string> {
  await call('/payment/v1/create', { reference, amount });
  return stripe.intents.at(-1)?.id ?? '';
}

const paymentOf = (id: string) => stripe.intents.find((intent) => intent.id === id) ?? {};

describe(`POST ${PATH}`, () => {
  it.each([
    ['no signature', { signature: null }],
    ['a signature that is none', { signature: 'v1=00' }],
    ['somebody else’s secret', { secret: 'whsec_other' }],
    ['a signature of an hour ago', { ageMs: HOUR_MS }],
  ])('refuses %s', async (_what, sending) => {
    const { status, json } = await send(eventOf('payout.paid', { id: 'po_1' }), sending);
    expect([status, json.code]).toEqual([400, 'invalid_request']);
    expect(stripe.calls).toEqual([]);
  });

  it('takes what any of its endpoints has signed', async () => {
    const payload = eventOf('customer.created', { id: 'cus_1' }, 'acct_1');
    expect((await send(payload, { secret: OF_ACCOUNTS ?? '' })).status).toBe(200);
  });

  it('refuses a body that was changed after it was signed', async () => {
    const payload = eventOf('payout.paid', { id: 'po_1' });
    const signature = await new Stripe('sk_test_1').webhooks.generateTestHeaderStringAsync({
      payload,
      secret: SECRET,
      cryptoProvider: Stripe.createSubtleCryptoProvider(),
    });
    expect((await send(payload.replace('po_1', 'po_2'), { signature })).status).toBe(400);
  });

  it('has nothing to do with what is not ours', async () => {
    for (const [type, object] of [
      ['customer.created', { id: 'cus_1' }],
      ['payment_intent.succeeded', { id: 'pi_x', metadata: {} }],
      ['charge.dispute.created', { id: 'dp_unknown' }],
      ['refund.failed', { id: 're_x', metadata: null }],
    ] as const) {
      const { status, json } = await tell(type, object);
      expect([status, (json as unknown as { known: boolean }).known]).toEqual([200, false]);
    }
  });

  it.each([
    ['payout.paid', { id: '\ud800' }],
    ['payout.paid', { id: 'po/../x' }],
    ['payout.paid', {}],
    ['payout.paid', { id: 'po_1' }, 'acct_1\r\nX: y'],
    ['charge.dispute.created', { id: 7 }],
    ['payment_intent.succeeded', { id: 'pi/1' }],
    ['refund.updated', { id: 're_1', payment_intent: { id: 'pi_1' } }],
    ['charge.refunded', { id: 'ch_1', payment_intent: null }],
    ['setup_intent.succeeded', { id: ['seti_1'] }],
    ['payment_intent.succeeded', 'pi_1'],
  ] as [string, object, string?][])(
    'asks Stripe for nothing that cannot be Stripe’s: %s of %j',
    async (type, object, account?: string) => {
      const { status, json } = await tell(type, object, account);
      expect([status, (json as unknown as { known: boolean }).known]).toEqual([200, false]);
      expect(stripe.calls).toEqual([]);
    },
  );

  it.each([
    ['a thin event', { id: 'evt_1', object: 'v2.core.event', type: 'v1.billing.meter.no' }],
    ['an event in another form', { type: 7 }],
    ['no event', ['x']],
  ])('takes %s for one that it does not use', async (_what, event) => {
    const { status, json } = await send(JSON.stringify(event));
    expect([status, (json as unknown as { known: boolean }).known]).toEqual([200, false]);
    expect((await send('{"id": ')).status).toBe(200);
    expect(stripe.calls).toEqual([]);
  });

  it.each([
    ['payment_intent.succeeded', (id: string) => ({ id })],
    ['charge.captured', (id: string) => ({ id: 'ch_1', payment_intent: id })],
    ['charge.refunded', (id: string) => ({ id: 'ch_1', payment_intent: id })],
    ['charge.refund.updated', (id: string) => ({ id: 're_1', payment_intent: id })],
    ['refund.created', (id: string) => ({ id: 're_1', metadata: {}, payment_intent: id })],
  ] as const)(
    'sends the booking to look at its payment after %s, whoever caused it',
    async (type, objectOf) => {
      const reference = `N-20 ${type}`;
      await makeBooking(reference, GOOD);
      const id = await charge(reference);
      const performed = vi.spyOn(BookingObject.prototype, 'perform');
      const { status, json } = await tell(type, objectOf(id));
      expect([status, (json as unknown as { known: boolean }).known]).toEqual([200, true]);
      const own = stripe.intents.at(-1)?.metadata['reference'];
      expect(performed.mock.calls.map(([name, , reported]) => [name, reported])).toEqual([
        ['refreshFromGateway', { payment: id, reference: own, account: null }],
      ]);
    },
  );

  it('is not there with another gateway', async () => {
    vi.restoreAllMocks();
    const { status, json } = await send(eventOf('payout.paid', { id: 'po_1' }));
    expect([status, json.code]).toEqual([404, 'not_found']);
  });

  it.each([
    ['is out of reach', () => Promise.reject(new TypeError('out of reach'))],
    ['has too many requests', () => Promise.resolve(refusal(429))],
    ['does not know the key', () => Promise.resolve(refusal(401))],
  ])('is told again later when Stripe %s', async (what, answers) => {
    const reference = `N-0 ${what}`;
    await makeBooking(reference, GOOD);
    const payment = paymentOf(await charge(reference));
    await call('/refund/v1/create', { reference, amount: 5 });
    const id = stripe.dispute(stripe.intents.at(-1)?.id ?? '', 'needs_response');
    vi.mocked(globalThis.fetch).mockImplementation(answers);
    expect((await tell('charge.dispute.created', { id })).status).toBe(502);
    expect((await tell('refund.failed', stripe.refunds.at(-1) ?? {})).status).toBe(502);
    expect((await tell('payment_intent.succeeded', payment)).status).toBe(502);
  });

  it('puts no look-up off when Stripe does not know yet', async () => {
    await makeBooking('N-12', GOOD);
    stripe.failFor('N-12', '500 after execution');
    await call('/payment/v1/create', { reference: 'N-12', amount: 10 });
    const due = () =>
      testEnv.DB.prepare(
        "SELECT due_at_ms, status_checks FROM transactions WHERE booking_reference = 'N-12'",
      ).first();
    const before = await due();
    const payment = stripe.intents.at(-1) ?? {};
    vi.mocked(globalThis.fetch).mockImplementation(() => Promise.resolve(refusal(500)));
    for (let times = 0; times < 3; times += 1) {
      expect((await tell('payment_intent.processing', payment)).status).toBe(502);
    }
    expect(await due()).toEqual(before);
  });
});

describe('a late outcome', () => {
  it('is settled as soon as Stripe tells of it, once', async () => {
    await makeBooking('N-1', GOOD);
    stripe.failFor('N-1', '500 after execution');
    const asked = await call('/payment/v1/create', { reference: 'N-1', amount: 10 });
    expect(asked.status).toBe(504);
    expect((await transactionsOf('N-1'))[0]?.status).toBe('Processing');
    const payment = stripe.intents.at(-1) ?? {};
    for (let times = 0; times < 3; times += 1) {
      expect((await tell('payment_intent.succeeded', payment)).status).toBe(200);
    }
    expect((await transactionsOf('N-1'))[0]?.status).toBe('Accepted');
    expect(stripe.effects.filter(({ booking }) => booking === 'N-1')).toHaveLength(1);
  });

  it('is what Stripe says when asked, not what the event says', async () => {
    await makeBooking('N-2', GOOD);
    const payment = paymentOf(await charge('N-2'));
    await tell('payment_intent.payment_failed', { ...payment, status: 'requires_payment_method' });
    expect((await transactionsOf('N-2'))[0]?.status).toBe('Accepted');
  });
});

describe("what somebody does in Stripe's dashboard", () => {
  const hold = async (reference: string) => {
    await makeBooking(reference, GOOD);
    const expiryTime = new Date(Date.now() + HOUR_MS).toISOString();
    await call('/payment/v1/create', { reference, amount: 100, preAuth: true, expiryTime });
    return stripe.intents.at(-1)?.id ?? '';
  };

  it('to capture a hold takes it here, with the amount that was taken, once', async () => {
    const id = await hold('N-21');
    stripe.captureInDashboard(id, 4_000);
    for (const type of ['payment_intent.succeeded', 'payment_intent.succeeded']) {
      expect((await tell(type, { id })).status).toBe(200);
    }
    expect(await transactionsOf('N-21')).toMatchObject([{ status: 'Accepted', amount: 40 }]);
  });

  it('to cancel a hold releases it here', async () => {
    const id = await hold('N-22');
    stripe.cancelInDashboard(id);
    expect((await tell('payment_intent.canceled', { id })).status).toBe(200);
    expect(await transactionsOf('N-22')).toMatchObject([{ status: 'Released' }]);
  });

  it('to refund is a refund here, without metadata and however often it is told', async () => {
    await makeBooking('N-23', GOOD);
    const id = await charge('N-23', 100);
    const refund = stripe.refundInDashboard(id, 2_000);
    for (const type of ['refund.created', 'charge.refunded', 'refund.updated']) {
      expect((await tell(type, { ...refund, id: refund.id })).status).toBe(200);
    }
    const [transaction] = await transactionsOf('N-23');
    expect(transaction?.refunds).toMatchObject([{ status: 'Refunded', amount: 20 }]);
  });
});

describe('a refund that fails after all', () => {
  it('gives its amount back and is told to the PMS, once', async () => {
    await makeBooking('N-3', GOOD);
    await charge('N-3', 100);
    await call('/refund/v1/create', { reference: 'N-3', amount: 100 });
    const refund = stripe.refunds.at(-1);
    // Told before it is so, nothing comes of it.
    await tell('refund.failed', refund ?? {});
    expect((await transactionsOf('N-3'))[0]?.refunds).toMatchObject([{ status: 'Refunded' }]);
    stripe.failRefund(refund?.id ?? '');
    for (const type of ['refund.failed', 'charge.refund.updated', 'refund.updated']) {
      expect((await tell(type, refund ?? {})).status).toBe(200);
    }
    expect((await transactionsOf('N-3'))[0]?.refunds).toMatchObject([{ status: 'Failed' }]);
    const told = await moneyTold('N-3');
    expect(told.map(({ AmountGross }) => AmountGross)).toEqual(['103.09', '100.00', '-100.00']);
  });
});

describe('a dispute', () => {
  const disputeOf = async (reference: string) =>
    ((await transactionsOf(reference))[0] as unknown as { dispute?: object }).dispute;

  it('stands on its transaction and in the audit trail, as it stands now, in whatever order it is told', async () => {
    await makeBooking('N-4', GOOD);
    const payment = await charge('N-4', 50);
    expect(await disputeOf('N-4')).toBeUndefined();
    const id = stripe.dispute(payment, 'needs_response');
    await tell('charge.dispute.created', { id });
    await tell('charge.dispute.created', { id });
    expect(await disputeOf('N-4')).toEqual({
      disputeId: id,
      status: 'needs_response',
      reason: 'fraudulent',
      amount: 51.55,
      openedOn: expect.any(String),
    });
    stripe.dispute(payment, 'lost');
    await tell('charge.dispute.closed', { id, status: 'lost' });
    // What was told first comes once more.
    await tell('charge.dispute.created', { id, status: 'needs_response' });
    expect(await disputeOf('N-4')).toMatchObject({ status: 'lost' });
    const audit = await callAsAdmin('/admin/v1/audit/list', { property: 'demo', reference: 'N-4' });
    const noted = audit.json.entries.filter(({ subject }) => String(subject).includes('dispute'));
    expect(noted.map(({ from, to }) => [from, to])).toEqual([
      [null, 'needs_response'],
      ['needs_response', 'lost'],
    ]);
  });

  it('of an account that the property had when it was paid still counts', async () => {
    const as = { token: await makeProperty('moved') };
    await call('/booking/v1/create/manage-payments', bookingOf('N-18'), as);
    const card = { reference: 'N-18', cardNumber: GOOD, cardExpiry: '12/2030', cvv: '123' };
    await call('/payment/v1/tokenize', card, as);
    await call('/payment/v1/create', { reference: 'N-18', amount: 7 }, as);
    await makeProperty('moved', { stripeAccount: 'acct_new' });
    const id = stripe.dispute(stripe.intents.at(-1)?.id ?? '', 'needs_response');
    await tell('charge.dispute.created', { id });
    const { json } = await call('/payment/v1/transaction', { reference: 'N-18' }, as);
    expect(json.transactions[0]).toMatchObject({ dispute: { disputeId: id } });
  });

  it('of an account that is not the property’s is nothing', async () => {
    await makeBooking('N-5', GOOD);
    const id = stripe.dispute(await charge('N-5'), 'needs_response');
    const { json } = await tell('charge.dispute.created', { id }, 'acct_stranger');
    expect((json as unknown as { known: boolean }).known).toBe(false);
    expect(await disputeOf('N-5')).toBeUndefined();
  });

  it('is noted once, at whichever boundary the notice is cut off', async () => {
    await makeBooking('N-6', GOOD);
    const payment = await charge('N-6');
    let id = stripe.dispute(payment, 'warning_needs_response');
    let status = 'needs_response';
    const crossed = await spansOf(() => tell('charge.dispute.created', { id }));
    for (const kind of faultKinds) {
      for (const { index } of placesOf(kind, crossed)) {
        status = status === 'needs_response' ? 'under_review' : 'needs_response';
        id = stripe.dispute(payment, status);
        await withFault(index, kind, () => tell('charge.dispute.updated', { id }));
        await tell('charge.dispute.updated', { id });
        expect(await disputeOf('N-6')).toMatchObject({ disputeId: id, status });
      }
    }
  });
});

describe('payouts', () => {
  it('are mirrored with Stripe’s own fees, each movement once, and add up to what is paid', async () => {
    await makeBooking('N-7', GOOD);
    for (const amount of [10, 20, 30, 40]) await charge('N-7', amount);
    await call('/refund/v1/create', { reference: 'N-7', amount: 5 });
    stripe.adjust(-120);
    const payout = stripe.payOut();
    for (let times = 0; times < 3; times += 1) await tell('payout.created', payout);
    const [made] = await disbursementsOf();
    expect(made).toMatchObject({
      disbursementId: payout.id,
      gatewayId: 'stripe',
      status: 'in_transit',
      currency: 'AUD',
      netAmount: payout.amount / 100,
      description: `Payout ${payout.id}`,
    });
    const items = await itemsOf(payout.id);
    expect(items.map(({ reportingCategory }) => reportingCategory)).toEqual([
      'sale',
      'sale',
      'sale',
      'sale',
      'refund',
      'adjustment',
    ]);
    expect(items[0]).toMatchObject({ grossAmount: 10.31, fee: 0.48, netAmount: 9.83 });
    expect(items[4]).toMatchObject({ grossAmount: -5, fee: 0, netAmount: -5 });
    expect(new Set(items.map(({ itemId }) => itemId)).size).toBe(items.length);
    payout.status = 'paid';
    await tell('payout.paid', payout);
    await tell('payout.created', { ...payout, status: 'pending' });
    expect((await disbursementsOf())[0]).toMatchObject({ ...made, status: 'paid_out' });
  });

  it('have all their movements, of however many pages of Stripe', async () => {
    await makeBooking('N-24', GOOD);
    await charge('N-24', 500);
    for (let times = 0; times < 120; times += 1) stripe.adjust(-10);
    const payout = stripe.payOut();
    await tell('payout.created', payout);
    expect(await itemsOf(payout.id)).toHaveLength(121);
    const [made] = await disbursementsOf();
    expect(made?.netAmount).toBe(payout.amount / 100);
  });

  it('that no webhook told of are found once a day, and none is asked for again', async () => {
    await makeBooking('N-8', GOOD);
    await charge('N-8', 15);
    const payout = stripe.payOut('paid');
    const source = stripePayouts();
    // An hour later it is still the same day, whenever this runs.
    const noon = (Math.floor(Date.now() / DAY_MS) + 1.5) * DAY_MS;
    await sweepPayouts(testEnv, source, noon);
    expect(await itemsOf(payout.id)).toHaveLength(1);
    const asked = stripe.calls.length;
    await sweepPayouts(testEnv, source, noon + HOUR_MS);
    expect(stripe.calls.length, 'the same day').toBe(asked);
    await sweepPayouts(testEnv, source, noon + DAY_MS);
    const paths = stripe.calls.slice(asked).map(({ path }) => path);
    expect(new Set(paths), 'of each account').toEqual(new Set(['/v1/payouts']));
  });

  it('that failed come back in the next one', async () => {
    await makeBooking('N-14', GOOD);
    await charge('N-14', 10);
    const failed = stripe.payOut('failed');
    await tell('payout.failed', failed);
    expect((await disbursementsOf())[0]).toMatchObject({ status: 'failed' });
    stripe.comeBack(failed);
    await charge('N-14', 20);
    const next = stripe.payOut('paid');
    await tell('payout.paid', next);
    const made = (await disbursementsOf()).find((one) => one.disbursementId === next.id);
    expect(made?.netAmount).toBe(next.amount / 100);
    expect(await itemsOf(failed.id)).toHaveLength(1);
  });

  it('take in what a partial capture gives back, and what the bank takes, by whose payment it is', async () => {
    await makeProperty('sharing');
    await makeBooking('N-13', GOOD);
    const expiryTime = new Date(Date.now() + HOUR_MS).toISOString();
    const hold = { reference: 'N-13', amount: 100, preAuth: true, expiryTime };
    const held = await call('/payment/v1/create', hold);
    const chargeId = held.json.transaction.id;
    await call('/payment/v1/charge-pre-auth', { reference: 'N-13', chargeId, amount: 40 });
    stripe.withdraw(await charge('N-13', 20));
    const payout = stripe.payOut('paid');
    await tell('payout.paid', payout);
    const items = await itemsOf(payout.id);
    expect(
      items.map(({ reportingCategory, grossAmount }) => [reportingCategory, grossAmount]),
    ).toEqual([
      ['sale', 103.09],
      ['refund', -61.85],
      ['sale', 20.62],
      ['dispute', -20.62],
    ]);
    const [made] = await disbursementsOf();
    expect(made?.netAmount).toBe(payout.amount / 100);
  });

  it('that somebody asked for by hand are not itemised by Stripe, and stop nothing', async () => {
    await makeBooking('N-15', GOOD);
    await charge('N-15', 10);
    const usual = stripe.payOut('paid');
    const byHand = stripe.payOut('paid');
    byHand.automatic = false;
    expect((await tell('payout.paid', byHand)).status).toBe(200);
    expect((await tell('payout.paid', { id: 'po_of_another_mode' })).status).toBe(200);
    await sweepPayouts(testEnv, stripePayouts(), Date.now() + 5 * DAY_MS);
    expect(await itemsOf(usual.id)).toHaveLength(1);
    const ids = (await disbursementsOf()).map(({ disbursementId }) => disbursementId);
    expect(ids).not.toContain(byHand.id);
  });

  it('are whole after a sweep that was cut off, at whichever boundary, and another one', async () => {
    const source = stripePayouts();
    let nowMs = Date.now() + 20 * DAY_MS;
    await makeBooking('N-16', GOOD);
    const next = async () => {
      nowMs += DAY_MS;
      stripe.payouts.length = 0;
      for (const amount of [1, 2, 3]) await charge('N-16', amount);
      const payout = stripe.payOut('paid');
      Object.assign(payout, { created: Math.floor(nowMs / 1_000) });
      return payout;
    };
    await next();
    const crossed = await spansOf(() => sweepPayouts(testEnv, source, nowMs));
    for (const kind of faultKinds) {
      for (const { index } of placesOf(kind, crossed)) {
        const payout = await next();
        await withFault(index, kind, () => sweepPayouts(testEnv, source, nowMs));
        await sweepPayouts(testEnv, source, nowMs);
        const made = (await disbursementsOf()).find((one) => one.disbursementId === payout.id);
        expect(made?.netAmount, `${kind} ${index}`).toBe(payout.amount / 100);
      }
    }
  });

  it('never go back from their end', async () => {
    await makeBooking('N-17', GOOD);
    await charge('N-17', 10);
    const payout = stripe.payOut('paid');
    await tell('payout.paid', payout);
    // A look from before, written last.
    payout.status = 'in_transit';
    await tell('payout.updated', payout);
    const made = (await disbursementsOf()).find((one) => one.disbursementId === payout.id);
    expect(made?.status).toBe('paid_out');
  });

  it('of an account that properties share are divided among those who asked', async () => {
    const token = await makeProperty('shared');
    const as = { token };
    await call('/booking/v1/create/manage-payments', bookingOf('N-9'), as);
    const card = { reference: 'N-9', cardNumber: GOOD, cardExpiry: '12/2030', cvv: '123' };
    await call('/payment/v1/tokenize', card, as);
    await call('/payment/v1/create', { reference: 'N-9', amount: 7 }, as);
    await makeBooking('N-10', GOOD);
    await charge('N-10', 8);
    stripe.adjust(-50);
    const payout = stripe.payOut('paid');
    await tell('payout.paid', payout);
    expect(await itemsOf(payout.id, as)).toMatchObject([{ grossAmount: 7 }]);
    expect(await itemsOf(payout.id)).toMatchObject([{ grossAmount: 8.25 }]);
  });

  it('are whole at whichever boundary mirroring is cut off, once it was told of again', async () => {
    await makeBooking('N-11', GOOD);
    await charge('N-11', 1);
    const first = stripe.payOut();
    const crossed = await spansOf(() => tell('payout.created', first));
    for (const kind of faultKinds) {
      for (const { index } of placesOf(kind, crossed)) {
        await charge('N-11', 2);
        await charge('N-11', 3);
        const payout = stripe.payOut();
        await withFault(index, kind, () => tell('payout.created', payout));
        await Promise.all([tell('payout.created', payout), tell('payout.updated', payout)]);
        const made = (await disbursementsOf()).find((one) => one.disbursementId === payout.id);
        expect(made?.netAmount).toBe(payout.amount / 100);
        expect(await itemsOf(payout.id)).toHaveLength(2);
      }
    }
  });
});
