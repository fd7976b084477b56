/** The acquirer's record outranks ours: what people do there, past this service, is what counts here. */
import { beforeEach, describe, expect, it } from 'vitest';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../src/core/time.ts';
import {
  type Desk,
  newestPaid,
  type Paid,
  sandboxDesk,
  stripeDesk,
  tellOfDispute,
  tellOfPayment,
} from '../support/acquirerDesk.ts';
import { disagreementsInAll } from '../support/agreement.ts';
import { call, callAsAdmin, makeBooking, transactionsOf } from '../support/api.ts';
import { GOOD } from '../support/cards.ts';
import { breakSpan, wakeAt } from '../support/faults.ts';
import { isLong } from '../support/long.ts';
import { membersTold } from '../support/messages.ts';
import { losing } from '../support/moneyCorrections.ts';
import { selectStripe } from '../support/onStripe.ts';
import { story } from '../support/story.ts';

story({ silent: ['alarms', 'pms'] });

const CREATE = '/payment/v1/create';
const CAPTURE = '/payment/v1/charge-pre-auth';
const RELEASE = '/payment/v1/cancel-pre-auth';

const expiryMs = Math.ceil(Date.now() / 1000) * 1000 + DAY_MS;

async function hold(reference: string): Promise<Paid> {
  await makeBooking(reference, GOOD);
  const expiryTime = new Date(expiryMs).toISOString();
  await call(CREATE, { reference, amount: 100, preAuth: true, expiryTime });
  return newestPaid(reference);
}

async function charge(reference: string): Promise<Paid> {
  await makeBooking(reference, GOOD);
  await call(CREATE, { reference, amount: 100 });
  return newestPaid(reference);
}

async function refund(reference: string, amount: number): Promise<[number, unknown]> {
  const { status, json } = await call('/refund/v1/create', { reference, amount });
  return [status, json.code];
}

/** What the PMS is told of a booking's money: type and gross amount, in order. */
const toldPms = (reference: string) => membersTold(reference, 'Type', 'AmountGross');

/** The audit entries that the acquirer's word made. */
async function correctionsOf(reference: string): Promise<unknown[]> {
  const { json } = await callAsAdmin('/admin/v1/audit/list', { property: 'demo', reference });
  return json.entries.filter(({ actor }) => actor === 'gateway').map(({ from, to }) => [from, to]);
}

const desks: Readonly<Record<string, () => Desk>> = {
  sandbox: () => sandboxDesk,
  stripe: () => stripeDesk(selectStripe({ publishableKey: null })),
};

describe.each(Object.keys(desks))('a hold that was captured at the acquirer: %s', (name) => {
  let desk: Desk;

  beforeEach(() => {
    desk = desks[name]?.() ?? sandboxDesk;
  });

  it('counts as charged, is told to the PMS and can be refunded', async () => {
    const reference = `TOLD ${name}`;
    const paid = await hold(reference);
    await desk.capture(paid.payment, 4124);
    expect(await tellOfPayment(paid)).toBe(1);
    // As a capture of that amount: 40.00 and its fee of 3 %.
    expect(await transactionsOf(reference)).toMatchObject([
      { id: paid.id, status: 'Accepted', amount: 41.24, creditCardFee: 1.24 },
    ]);
    expect(await toldPms(reference)).toEqual([['Payment', '41.24']]);
    expect(await correctionsOf(reference)).toEqual([['Authorized', 'Accepted']]);
    const captured = await call(CAPTURE, { reference, chargeId: paid.id });
    expect([captured.status, captured.json.code]).toEqual([409, 'invalid_state']);
    expect(await refund(reference, 41.24)).toEqual([200, undefined]);
    expect(await disagreementsInAll(reference)).toEqual([]);
  });

  it.each([
    ['captured', CAPTURE],
    ['released', RELEASE],
  ])('is not %s once more, though nobody told of it', async (what, path) => {
    const reference = `${what} ${name}`;
    const paid = await hold(reference);
    await desk.capture(paid.payment);
    const key = { headers: { 'Idempotency-Key': reference } };
    const body = { reference, chargeId: paid.id };
    const answer = await call(path, body, key);
    expect([answer.status, answer.json.code]).toEqual([409, 'invalid_state']);
    expect(await transactionsOf(reference)).toMatchObject([{ status: 'Accepted', amount: 103.09 }]);
    const again = await call(path, body, key);
    expect([again.status, again.json]).toEqual([409, answer.json]);
    expect(await toldPms(reference)).toEqual([['Payment', '103.09']]);
    expect(await disagreementsInAll(reference)).toEqual([]);
  });

  it('does not expire', async () => {
    const reference = `EXPIRES ${name}`;
    const paid = await hold(reference);
    await desk.capture(paid.payment);
    for (const hours of [0, 1, 2, 3, 4, 5]) await wakeAt(reference, expiryMs + hours * HOUR_MS);
    expect(await transactionsOf(reference)).toMatchObject([{ status: 'Accepted', amount: 103.09 }]);
    expect(await refund(reference, 10)).toEqual([200, undefined]);
    expect(await disagreementsInAll(reference)).toEqual([]);
  });

  it('counts with what was taken, although this service asked for less', async () => {
    const reference = `MORE ${name}`;
    const paid = await hold(reference);
    const body = { reference, chargeId: paid.id, amount: 10 };
    await losing('capture', () => call(CAPTURE, body));
    await desk.capture(paid.payment);
    await wakeAt(reference, Date.now() + 60_000);
    await tellOfPayment(paid);
    expect(await transactionsOf(reference)).toMatchObject([
      { status: 'Accepted', amount: 103.09, creditCardFee: 3.09 },
    ]);
    expect(await toldPms(reference)).toEqual([['Payment', '103.09']]);
    expect(await disagreementsInAll(reference)).toEqual([]);
  });

  it('can be disputed before anybody tells that it was captured', async () => {
    const reference = `DISPUTED ${name}`;
    const paid = await hold(reference);
    await desk.capture(paid.payment);
    const dispute = await desk.dispute(paid.payment);
    // Its capture, and the dispute.
    expect(await tellOfDispute(paid, dispute)).toBe(2);
    expect(await tellOfDispute(paid, dispute)).toBe(0);
    expect(await tellOfPayment(paid)).toBe(0);
    expect(await disagreementsInAll(reference)).toEqual([]);
  });

  it('whose dispute is told of is not denied while the acquirer does not say that it was captured', async () => {
    const reference = `UNSAID ${name}`;
    const paid = await hold(reference);
    await desk.capture(paid.payment);
    const dispute = await desk.dispute(paid.payment);
    const mend = breakSpan('gateway.payment');
    expect(await tellOfDispute(paid, dispute)).toBe('outcome_unknown');
    mend();
    expect(await tellOfDispute(paid, dispute)).toBe(2);
  });
});

describe.each(Object.keys(desks))('a hold that was let go at the acquirer: %s', (name) => {
  let desk: Desk;

  beforeEach(() => {
    desk = desks[name]?.() ?? sandboxDesk;
  });

  it('is released here, whether it is released or captured next', async () => {
    for (const [path, status] of [
      [RELEASE, 200],
      [CAPTURE, 409],
    ] as const) {
      const reference = `GONE ${status} ${name}`;
      const paid = await hold(reference);
      await desk.release(paid.payment);
      const answer = await call(path, { reference, chargeId: paid.id });
      expect(answer.status).toBe(status);
      expect(await transactionsOf(reference)).toMatchObject([{ status: 'Released' }]);
      expect(await toldPms(reference)).toEqual([]);
      expect(await disagreementsInAll(reference)).toEqual([]);
    }
  });
});

describe.each(Object.keys(desks))('a request that was lost, of which nobody tells: %s', (name) => {
  let desk: Desk;

  beforeEach(() => {
    desk = desks[name]?.() ?? sandboxDesk;
  });

  it.each([
    ['release', RELEASE, 'capture', 'Accepted'],
    ['capture', CAPTURE, 'release', 'Released'],
    ['release', RELEASE, 'release', 'Released'],
    ['capture', CAPTURE, 'capture', 'Accepted'],
  ] as const)(
    'a %s ends as the acquirer ended the hold: %s, %s',
    async (verb, path, act, status) => {
      const reference = `LOST ${verb} ${act} ${name}`;
      const paid = await hold(reference);
      await losing(verb, () => call(path, { reference, chargeId: paid.id }));
      await desk[act](paid.payment);
      for (const minutes of [1, 5, 20]) await wakeAt(reference, Date.now() + minutes * MINUTE_MS);
      for (let hours = 0; hours < 30; hours += isLong ? 1 : 5) {
        await wakeAt(reference, expiryMs + hours * HOUR_MS);
      }
      expect(await transactionsOf(reference)).toMatchObject([{ status }]);
      expect(await disagreementsInAll(reference)).toEqual([]);
    },
  );
});

describe.each(Object.keys(desks))('a refund that was made at the acquirer: %s', (name) => {
  it('is a record like any other, and leaves only the rest to refund', async () => {
    const desk = desks[name]?.() ?? sandboxDesk;
    const reference = `REFUNDED ${name}`;
    const paid = await charge(reference);
    await desk.refund(paid.payment, 10_000);
    expect(await tellOfPayment(paid)).toBe(1);
    expect(await transactionsOf(reference)).toMatchObject([
      {
        status: 'Accepted',
        refunds: [{ type: 'RefundManual', status: 'Refunded', amount: 100, origin: 'gateway' }],
      },
    ]);
    expect(await toldPms(reference)).toEqual([
      ['Payment', '103.09'],
      ['Refund', '100.00'],
    ]);
    expect(await refund(reference, 103.09)).toEqual([422, 'refund_exceeds_charge']);
    expect(await refund(reference, 3.09)).toEqual([200, undefined]);
    expect(await disagreementsInAll(reference)).toEqual([]);
  });
});

describe('a refund that Stripe accepted and that fails later', () => {
  it('is found out though no webhook comes, and can be made again', async () => {
    const stripe = selectStripe({ publishableKey: null });
    const reference = 'PENDING';
    await charge(reference);
    stripe.refundStatus = 'pending';
    expect(await refund(reference, 50)).toEqual([200, undefined]);
    await wakeAt(reference, Date.now() + DAY_MS);
    expect((await transactionsOf(reference))[0]?.refunds).toMatchObject([{ status: 'Refunded' }]);
    stripe.failRefund(stripe.refunds.at(-1)?.id ?? '');
    await wakeAt(reference, Date.now() + 2 * DAY_MS);
    expect((await transactionsOf(reference))[0]?.refunds).toMatchObject([{ status: 'Failed' }]);
    expect(await toldPms(reference)).toEqual([
      ['Payment', '103.09'],
      ['Refund', '50.00'],
      ['Refund', '-50.00'],
    ]);
    stripe.refundStatus = 'succeeded';
    expect(await refund(reference, 103.09)).toEqual([200, undefined]);
    expect(await disagreementsInAll(reference)).toEqual([]);
  });
});
