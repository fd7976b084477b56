import { describe, expect, it, vi } from 'vitest';
import { DAY_MS, HOUR_MS, MINUTE_MS, offsetTimestamp } from '../../src/core/time.ts';
import {
  atTime,
  bookingOf,
  call,
  ledgerOf,
  makeBooking,
  makeProperty,
  transactionsOf,
} from '../support/api.ts';
import { GOOD } from '../support/cards.ts';
import { eventually } from '../support/eventually.ts';
import { sweepAfter, sweepAt, wakeAt } from '../support/faults.ts';
import { story } from '../support/story.ts';
import { traits } from '../support/traits.ts';

story({ silent: ['alarms'] });

const CREATE = '/payment/v1/create';

const inFuture = (milliseconds: number) => new Date(Date.now() + milliseconds).toISOString();

async function hold(reference: string, more: Record<string, unknown> = {}, token?: string) {
  const expiryTime = inFuture(DAY_MS);
  const body = { reference, amount: 200, preAuth: true, expiryTime, ...more };
  const answer = await call(CREATE, body, token === undefined ? {} : { token });
  return { ...answer, expiryTime, id: answer.json.transaction?.id };
}

const capture = (reference: string, chargeId: number, amount?: unknown) =>
  call('/payment/v1/charge-pre-auth', { reference, chargeId, amount });

const release = (reference: string, chargeId: number) =>
  call('/payment/v1/cancel-pre-auth', { reference, chargeId });

const kinds = async (reference: string) =>
  (await ledgerOf(reference)).map(({ kind, status, amount }) => `${kind} ${status} ${amount}`);

describe(`POST ${CREATE} with preAuth`, () => {
  it('holds the amount with its fee', async () => {
    const token = await makeBooking('H-1', GOOD);
    const { status, json, expiryTime } = await hold('H-1');
    expect(status).toBe(200);
    expect(json).toEqual({
      success: true,
      transaction: {
        id: expect.any(Number),
        amount: 206.19,
        creditCardFee: 6.19,
        transactionFee: 0,
        reference: expect.stringMatching(/^[0-9a-f]{32}$/),
        bookingReference: 'H-1',
        type: 'PaymentManual',
        timeStamp: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\+08:00$/),
        status: 'Authorized',
        preAuth: true,
        expiryTime,
        holdUntil: offsetTimestamp(Date.parse(expiryTime), 'Australia/Perth'),
        cardDetails: { cardNumber: '4242', cardType: 'visa', currency: 'AUD', token, ...traits },
      },
    });
    const listed = await call('/payment/v1/transaction', { reference: 'H-1' });
    expect(listed.json.transactions).toEqual([{ ...json.transaction, refunds: [] }]);
    expect(await kinds('H-1')).toEqual(['authorization succeeded 206.19']);
  });

  it.each([
    ['4000000000000002', 402, 'card_declined', 'Declined'],
    ['4000000000000119', 502, 'gateway_error', 'Failed'],
    ['4000000000009003', 504, 'outcome_unknown', 'Processing'],
  ])('with card %s is %i', async (cardNumber, status, code, state) => {
    const reference = `H-2 ${cardNumber.slice(-4)}`;
    await makeBooking(reference, cardNumber);
    const answer = await hold(reference);
    expect([answer.status, answer.json.code]).toEqual([status, code]);
    expect(answer.json.transaction).toMatchObject({ status: state, preAuth: true });
  });

  it('becomes known later where the answer was lost', async () => {
    await makeBooking('H-3', '4000000000009102');
    const { id } = await hold('H-3');
    await sweepAfter(2);
    expect(await transactionsOf('H-3')).toMatchObject([{ id, status: 'Authorized' }]);
    expect(await kinds('H-3')).toEqual(['authorization succeeded 206.19']);
  });

  it.each([
    ['no expiry', { expiryTime: undefined }, 422, 'validation_failed'],
    ['an expiry that is over', { expiryTime: '2020-01-01T00:00:00Z' }, 422, 'time_in_past'],
    ['an expiry over 30 days ahead', { expiryTime: inFuture(31 * DAY_MS) }, 422, 'time_too_far'],
    ['an expiry without offset', { expiryTime: '2027-01-01T00:00:00' }, 422, 'validation_failed'],
    ['a number for an expiry', { expiryTime: 5 }, 422, 'validation_failed'],
    ['a text for preAuth', { preAuth: 'true' }, 422, 'validation_failed'],
  ])('refuses %s', async (_name, change, status, code) => {
    await makeBooking('H-4', GOOD);
    const answer = await hold('H-4', change);
    expect([answer.status, answer.json.code]).toEqual([status, code]);
    expect(await transactionsOf('H-4')).toEqual([]);
  });

  it('names a faulty expiry beside the other faults', async () => {
    const { json } = await hold('', { amount: 'x', expiryTime: 'soon' });
    expect(json.errors.map(({ field }: { field: string }) => field).toSorted()).toEqual([
      'amount',
      'expiryTime',
      'reference',
    ]);
  });

  it('refuses a cancelled booking', async () => {
    await makeBooking('H-5', GOOD);
    await call('/booking/v1/create/manage-payments', bookingOf('H-5', { status: 'cancelled' }));
    const { status, json } = await hold('H-5');
    expect([status, json.code]).toEqual([409, 'invalid_state']);
  });

  it('is a charge when preAuth is false, whatever its expiry says', async () => {
    await makeBooking('H-6', GOOD);
    const { json } = await hold('H-6', { preAuth: false, expiryTime: 'never' });
    expect(json.transaction).not.toHaveProperty('preAuth');
    expect(await transactionsOf('H-6')).toMatchObject([{ status: 'Accepted' }]);
  });
});

describe('POST /payment/v1/charge-pre-auth', () => {
  it('charges all of it by default, and keeps its id', async () => {
    await makeBooking('P-1', GOOD);
    const held = await hold('P-1');
    const { status, json } = await capture('P-1', held.id);
    expect(status).toBe(200);
    expect(json.transaction).toEqual({ ...held.json.transaction, status: 'Accepted' });
    expect(await kinds('P-1')).toEqual([
      'authorization succeeded 206.19',
      'capture succeeded 206.19',
    ]);
  });

  it('charges a part with the fee of that part', async () => {
    await makeBooking('P-2', GOOD);
    const { id } = await hold('P-2');
    const { json } = await capture('P-2', id, '150.00');
    expect(json.transaction).toMatchObject({
      amount: 154.64,
      creditCardFee: 4.64,
      status: 'Accepted',
    });
    expect(await transactionsOf('P-2')).toMatchObject([{ id, amount: 154.64, status: 'Accepted' }]);
    expect(await kinds('P-2')).toContain('capture succeeded 154.64');
  });

  it('can be refunded afterwards', async () => {
    await makeBooking('P-3', GOOD);
    const { id } = await hold('P-3');
    await capture('P-3', id, 100);
    const body = { reference: 'P-3', chargeId: id, amount: 103.09 };
    expect((await call('/refund/v1/create', body)).status).toBe(200);
    expect(await kinds('P-3')).toContain('refund succeeded 103.09');
  });

  it('refuses more than was authorized, and charges once only', async () => {
    await makeBooking('P-4', GOOD);
    const { id } = await hold('P-4');
    const more = await capture('P-4', id, 200.01);
    expect([more.status, more.json.code]).toEqual([422, 'capture_exceeds_authorization']);
    await capture('P-4', id, 50);
    const again = await capture('P-4', id, 50);
    expect([again.status, again.json.code]).toEqual([409, 'invalid_state']);
  });

  it('gives its first answer again under its key', async () => {
    await makeBooking('P-5', GOOD);
    const { id } = await hold('P-5');
    const key = { headers: { 'Idempotency-Key': 'p-5' } };
    const body = { reference: 'P-5', chargeId: id, amount: 50 };
    const answers = await Promise.all([
      call('/payment/v1/charge-pre-auth', body, key),
      call('/payment/v1/charge-pre-auth', body, key),
    ]);
    expect(answers.map(({ status }) => status)).toEqual([200, 200]);
    expect(answers[0]?.json).toEqual(answers[1]?.json);
    expect((await kinds('P-5')).filter((kind) => kind.startsWith('capture'))).toHaveLength(1);
  });

  it('leaves the first answer of its creation as it was', async () => {
    await makeBooking('P-6', GOOD);
    const body = { reference: 'P-6', amount: 10, preAuth: true, expiryTime: inFuture(HOUR_MS) };
    const key = { headers: { 'Idempotency-Key': 'p-6' } };
    const first = await call(CREATE, body, key);
    await capture('P-6', first.json.transaction.id);
    const again = await call(CREATE, body, key);
    expect(again.json).toEqual(first.json);
    expect(again.json.transaction.status).toBe('Authorized');
  });

  it.each(['4000000000009003', '4000000000009102'])(
    'is unknown and then found out where the answer is lost: %s',
    async (cardNumber) => {
      const reference = `P-7 ${cardNumber.slice(-4)}`;
      await makeBooking(reference, cardNumber);
      const { id } = await hold(reference);
      await sweepAfter(2);
      const unknown = await capture(reference, id, 100);
      expect([unknown.status, unknown.json.code]).toEqual([504, 'outcome_unknown']);
      expect(unknown.json.transaction).toMatchObject({ id, status: 'Processing' });
      expect((await capture(reference, id, 100)).status).toBe(409);
      await sweepAfter(2);
      expect(await transactionsOf(reference)).toMatchObject([
        { id, status: 'Accepted', amount: 103.09 },
      ]);
      expect((await kinds(reference)).filter((kind) => kind.startsWith('capture'))).toEqual([
        'capture succeeded 103.09',
      ]);
    },
  );

  it('is 404 for no such transaction and 409 for a plain charge', async () => {
    await makeBooking('P-8', GOOD);
    const charged = await call(CREATE, { reference: 'P-8', amount: 1 });
    const plain = await capture('P-8', charged.json.transaction.id);
    expect([plain.status, plain.json.code]).toEqual([409, 'invalid_state']);
    const missing = await capture('P-8', 2);
    expect([missing.status, missing.json.code]).toEqual([404, 'transaction_not_found']);
    const elsewhere = await capture('NOWHERE', charged.json.transaction.id);
    expect([elsewhere.status, elsewhere.json.code]).toEqual([404, 'booking_not_found']);
  });
});

describe('POST /payment/v1/cancel-pre-auth', () => {
  it('releases, and does so twice with the same answer', async () => {
    await makeBooking('R-1', GOOD);
    const held = await hold('R-1');
    const first = await release('R-1', held.id);
    expect(first.json).toEqual({
      success: true,
      transaction: { ...held.json.transaction, status: 'Released' },
    });
    const second = await release('R-1', held.id);
    expect([second.status, second.json]).toEqual([200, first.json]);
    expect(await kinds('R-1')).toEqual([
      'authorization succeeded 206.19',
      'release succeeded 206.19',
    ]);
    expect((await capture('R-1', held.id)).status).toBe(409);
  });

  it('is 409 for one that was charged, and for a plain charge', async () => {
    await makeBooking('R-2', GOOD);
    const { id } = await hold('R-2');
    await capture('R-2', id);
    expect((await release('R-2', id)).status).toBe(409);
    const charged = await call(CREATE, { reference: 'R-2', amount: 1 });
    expect((await release('R-2', charged.json.transaction.id)).status).toBe(409);
  });

  it('has one winner against charging it at the same time', async () => {
    await makeBooking('R-3', GOOD);
    const { id } = await hold('R-3');
    const answers = await Promise.all([capture('R-3', id), release('R-3', id), capture('R-3', id)]);
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    const followUps = (await kinds('R-3')).filter((kind) => !kind.startsWith('authorization'));
    expect(followUps).toHaveLength(1);
  });
});

describe('a pre-authorization', () => {
  it('expires at its time by the alarm, and is let go at the gateway', async () => {
    // Here its own alarm rings.
    vi.restoreAllMocks();
    await makeBooking('E-1', GOOD);
    const { id } = await hold('E-1', { expiryTime: inFuture(4_000) });
    await eventually(async () =>
      expect(await transactionsOf('E-1')).toMatchObject([{ status: 'Expired' }]),
    );
    expect(await kinds('E-1')).toContain('release succeeded 206.19');
    const late = await capture('E-1', id);
    expect([late.status, late.json.code]).toEqual([409, 'preauth_expired']);
  });

  it('cannot be charged once its time is over, even if no alarm has come by', async () => {
    await makeBooking('E-2', GOOD);
    const { id } = await hold('E-2', { expiryTime: inFuture(HOUR_MS) });
    await atTime(Date.now() + HOUR_MS - MINUTE_MS, async () => {
      expect((await capture('E-2', id, 1000)).json.code).toBe('capture_exceeds_authorization');
    });
    await atTime(Date.now() + HOUR_MS + 1, async () => {
      expect((await capture('E-2', id)).json.code).toBe('preauth_expired');
    });
    await sweepAt(Date.now() + HOUR_MS + 2 * MINUTE_MS);
    expect(await transactionsOf('E-2')).toMatchObject([{ status: 'Expired' }]);
  });

  it('is released when its booking is cancelled, unless the property keeps it', async () => {
    const keeping = await makeProperty('keeps-holds', { keepSchedulesOnCancellation: true });
    await makeBooking('E-3', GOOD);
    await makeBooking('E-3', GOOD, { token: keeping });
    await hold('E-3');
    await hold('E-3', {}, keeping);
    const cancelled = bookingOf('E-3', { status: 'cancelled' });
    await call('/booking/v1/create/manage-payments', cancelled);
    await call('/booking/v1/create/manage-payments', cancelled, { token: keeping });
    expect(await transactionsOf('E-3')).toMatchObject([{ status: 'Released' }]);
    expect(await transactionsOf('E-3', { token: keeping })).toMatchObject([
      { status: 'Authorized' },
    ]);
    const releases = (await ledgerOf('E-3')).filter(({ kind }) => kind === 'release');
    expect(releases.map(({ property }) => property)).toEqual(['demo']);
  });

  it('is released when it becomes known only after its booking was cancelled', async () => {
    await makeBooking('E-4', '4000000000009003');
    await hold('E-4');
    await call('/booking/v1/create/manage-payments', bookingOf('E-4', { status: 'cancelled' }));
    expect(await transactionsOf('E-4')).toMatchObject([{ status: 'Processing' }]);
    await sweepAfter(2, 3, 3);
    expect(await transactionsOf('E-4')).toMatchObject([{ status: 'Released' }]);
    expect(await kinds('E-4')).toEqual([
      'authorization succeeded 206.19',
      'release succeeded 206.19',
    ]);
  });

  it('is not ended by an alarm that comes too early', async () => {
    await makeBooking('E-5', GOOD);
    await hold('E-5', { expiryTime: inFuture(HOUR_MS) });
    await wakeAt('E-5', Date.now() + HOUR_MS - 1000);
    expect(await transactionsOf('E-5')).toMatchObject([{ status: 'Authorized' }]);
  });
});
