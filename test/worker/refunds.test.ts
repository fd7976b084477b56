import { describe, expect, it } from 'vitest';
import {
  attachCard,
  call,
  callAsAdmin,
  ledgerOf,
  makeBooking,
  testEnv,
  transactionsOf,
} from '../support/api.ts';
import { GOOD } from '../support/cards.ts';
import { sweepAfter } from '../support/faults.ts';
import { refreshPayments } from '../support/refresh.ts';
import { story } from '../support/story.ts';
import { traits } from '../support/traits.ts';

story({ silent: ['alarms'] });

async function charge(reference: string, amount: number): Promise<number> {
  const body = { reference, amount, isVirtualCard: true };
  return (await call('/payment/v1/create', body)).json.transaction.id;
}

const refund = (
  reference: string,
  amount: unknown,
  more: Record<string, unknown> = {},
  key?: string,
) =>
  call(
    '/refund/v1/create',
    { reference, amount, ...more },
    key === undefined ? {} : { headers: { 'Idempotency-Key': key } },
  );

const refundsAt = async (reference: string) =>
  (await ledgerOf(reference))
    .filter(({ kind, status }) => kind === 'refund' && status === 'succeeded')
    .map(({ amount }) => amount);

/** Refunded amounts by charge, oldest charge first. */
const refunded = async (reference: string) =>
  (await transactionsOf(reference)).map(({ refunds }) =>
    refunds.filter(({ status }) => status !== 'Failed').map(({ amount }) => amount),
  );

describe('POST /refund/v1/create', () => {
  it('refunds a charge, and shows the record as the interface says', async () => {
    const token = await makeBooking('R-1', GOOD);
    const chargeId = await charge('R-1', 100);
    const { status, json } = await refund('R-1', 40, { chargeId, description: 'Minibar' });
    expect(status).toBe(200);
    const record = {
      id: expect.any(Number),
      amount: 40,
      creditCardFee: 0,
      transactionFee: 0,
      reference: expect.stringMatching(/^[0-9a-f]{32}$/),
      bookingReference: 'R-1',
      type: 'RefundManual',
      timeStamp: expect.stringMatching(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/),
      cardDetails: { cardNumber: '4242', cardType: 'visa', currency: 'AUD', token, ...traits },
    };
    expect(json).toEqual({ success: true, refunds: [record] });
    expect((json.refunds[0]?.id ?? 0) % 2).toBe(1);
    const listed = await call('/payment/v1/transaction', { reference: 'R-1' });
    expect(listed.json.transactions[0]?.refunds).toEqual([
      {
        ...record,
        id: json.refunds[0]?.id,
        status: 'Refunded',
        timeStamp: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\+08:00$/),
      },
    ]);
    expect(await refundsAt('R-1')).toEqual([40]);
  });

  it('refunds what is left, fee included, and nothing more', async () => {
    await makeBooking('R-2', GOOD);
    const { json } = await call('/payment/v1/create', { reference: 'R-2', amount: 150 });
    const chargeId = json.transaction.id;
    await refund('R-2', 100, { chargeId });
    const more = await refund('R-2', 54.65, { chargeId });
    expect([more.status, more.json.code]).toEqual([422, 'refund_exceeds_charge']);
    const rest = await refund('R-2', 54.64, { chargeId });
    expect(rest.status).toBe(200);
    expect((await refund('R-2', 0.01, { chargeId })).json.code).toBe('refund_exceeds_charge');
    expect(await refundsAt('R-2')).toEqual([100, 54.64]);
  });

  it('without a charge takes the newest that covers it all', async () => {
    await makeBooking('R-3', GOOD);
    for (const amount of [100, 80, 50]) await charge('R-3', amount);
    const { json } = await refund('R-3', 60);
    expect(json.refunds).toHaveLength(1);
    expect(await refunded('R-3')).toEqual([[], [60], []]);
  });

  it('without a charge that covers it all takes the largest first', async () => {
    await makeBooking('R-4', GOOD);
    for (const amount of [30, 100, 70]) await charge('R-4', amount);
    const { json } = await refund('R-4', 190);
    expect(json.refunds.map(({ amount }: { amount: number }) => amount)).toEqual([100, 70, 20]);
    expect(await refunded('R-4')).toEqual([[20], [100], [70]]);
    const ids = json.refunds.map(({ id }: { id: number }) => id);
    expect(new Set(ids).size).toBe(3);
  });

  it('without a charge spares Bonds as long as anything else is left', async () => {
    await makeBooking('R-BOND', GOOD);
    await charge('R-BOND', 100);
    const bond = { reference: 'R-BOND', amount: 80, transactionType: 'Bond', isVirtualCard: true };
    const bondId = (await call('/payment/v1/create', bond)).json.transaction.id;
    await refund('R-BOND', 60);
    expect(await refunded('R-BOND')).toEqual([[60], []]);
    // The rest of the charge, then of the Bond what is lacking.
    await refund('R-BOND', 50);
    expect(await refunded('R-BOND')).toEqual([[60, 40], [10]]);
    await refund('R-BOND', 20, { chargeId: bondId });
    expect(await refunded('R-BOND')).toEqual([
      [60, 40],
      [10, 20],
    ]);
  });

  it('checks the sum before anything is sent', async () => {
    await makeBooking('R-5', GOOD);
    await charge('R-5', 30);
    await charge('R-5', 30);
    const { status, json } = await refund('R-5', 60.01);
    expect([status, json.code]).toEqual([422, 'refund_exceeds_charge']);
    expect(await refundsAt('R-5')).toEqual([]);
  });

  it('gives what one charge is refused to others with room', async () => {
    await makeBooking('R-6', '4000000000005126');
    await charge('R-6', 100);
    await attachCard('R-6', GOOD);
    await charge('R-6', 60);
    await charge('R-6', 50);
    const { status, json } = await refund('R-6', 90);
    expect(status).toBe(200);
    expect(json.refunds.map(({ amount }: { amount: number }) => amount)).toEqual([60, 30]);
    expect(await refunded('R-6')).toEqual([[], [60], [30]]);
    expect(await refundsAt('R-6')).toEqual([60, 30]);
  });

  it('says what was refunded when the rest finds no room', async () => {
    await makeBooking('R-7', '4000000000005126');
    await charge('R-7', 100);
    await attachCard('R-7', GOOD);
    await charge('R-7', 60);
    const { status, json } = await refund('R-7', 90);
    expect([status, json.code]).toEqual([502, 'gateway_error']);
    expect(json.refunds.map(({ amount }: { amount: number }) => amount)).toEqual([60]);
    expect(await refundsAt('R-7')).toEqual([60]);
    expect(await refunded('R-7')).toEqual([[], [60]]);
  });

  it('says so when a charge cannot be refunded, and leaves it refundable', async () => {
    await makeBooking('R-8', '4000000000005126');
    const chargeId = await charge('R-8', 100);
    for (let time = 0; time < 2; time += 1) {
      const { status, json } = await refund('R-8', 100, { chargeId });
      expect([status, json.code, json.refunds]).toEqual([502, 'gateway_error', []]);
    }
  });

  it('lets no two requests at once refund more than was charged', async () => {
    await makeBooking('R-9', GOOD);
    await charge('R-9', 100);
    const answers = await Promise.all(Array.from({ length: 8 }, () => refund('R-9', 30)));
    const made = answers.filter(({ status }) => status === 200);
    const refused = answers.filter(({ json }) => json.code === 'refund_exceeds_charge');
    expect([made.length, refused.length]).toEqual([3, 5]);
    expect(await refundsAt('R-9')).toEqual([30, 30, 30]);
  });

  it('makes one refund of equal requests under one key', async () => {
    await makeBooking('R-10', GOOD);
    await charge('R-10', 100);
    const answers = await Promise.all([
      refund('R-10', 30, {}, 'r-10'),
      refund('R-10', 30, {}, 'r-10'),
    ]);
    const again = await refund('R-10', 30, {}, 'r-10');
    expect(answers.map(({ json }) => json)).toEqual([again.json, again.json]);
    expect(await refundsAt('R-10')).toEqual([30]);
    const other = await refund('R-10', 31, {}, 'r-10');
    expect(other.json.code).toBe('idempotency_key_reused');
  });

  it.each(['4000000000009003', '4000000000009102'])(
    'keeps an unknown refund reserved until it is found out: %s',
    async (cardNumber) => {
      const reference = `R-11 ${cardNumber.slice(-4)}`;
      await makeBooking(reference, cardNumber);
      const unknown = await call('/payment/v1/create', {
        reference,
        amount: 100,
        isVirtualCard: true,
      });
      expect(unknown.status).toBe(504);
      await sweepAfter(2);
      const first = await refund(reference, 70, {}, reference);
      expect([first.status, first.json.code]).toEqual([504, 'outcome_unknown']);
      expect(first.json.refunds).toMatchObject([{ amount: 70, status: 'Processing' }]);
      expect((await refund(reference, 40)).json.code).toBe('refund_exceeds_charge');
      expect((await refund(reference, 70, {}, reference)).status).toBe(504);
      await sweepAfter(2);
      const resolved = await refund(reference, 70, {}, reference);
      expect(resolved.status).toBe(200);
      expect(resolved.json.refunds).toMatchObject([{ id: first.json.refunds[0]?.id, amount: 70 }]);
      expect(await refundsAt(reference)).toEqual([70]);
    },
  );

  it('reopens the amount of a refund that the gateway reports as failed later', async () => {
    await makeBooking('R-12', GOOD);
    const chargeId = await charge('R-12', 100);
    const { json } = await refund('R-12', 100, { chargeId });
    const refundId = json.refunds[0]?.id;
    const failed = { action: 'failRefund', property: 'demo', reference: 'R-12', refundId };
    await callAsAdmin('/sandbox/v1/act', { ...failed, notify: false });
    await refreshPayments('R-12');
    expect((await transactionsOf('R-12'))[0]?.refunds).toMatchObject([
      { status: 'Failed', amount: 100 },
    ]);
    // Told twice, it gives the amount back once.
    await refreshPayments('R-12');
    const row = await testEnv.DB.prepare(
      'SELECT refund_reserved_minor FROM transactions WHERE id = ?',
    )
      .bind(chargeId)
      .first();
    expect(row).toEqual({ refund_reserved_minor: 0 });
  });

  it.each([
    ['no booking', 'NOWHERE', {}, 404, 'booking_not_found'],
    ['an amount of 0', 'R-13', { amount: 0 }, 422, 'amount_out_of_range'],
    ['an amount finer than a cent', 'R-13', { amount: 1.005 }, 422, 'amount_precision'],
    ['a charge that is not there', 'R-13', { chargeId: 2 }, 404, 'transaction_not_found'],
    ['a text for a charge', 'R-13', { chargeId: '2' }, 422, 'validation_failed'],
    ['a card number in the description', 'R-13', { description: GOOD }, 422, 'validation_failed'],
    ['nothing charged', 'R-13', {}, 422, 'refund_exceeds_charge'],
  ])('refuses %s', async (_name, reference, change, status, code) => {
    await makeBooking('R-13', GOOD);
    const answer = await refund(reference, 10, change);
    expect([answer.status, answer.json.code]).toEqual([status, code]);
  });

  it('refuses what was never charged: a hold, a schedule, a decline', async () => {
    await makeBooking('R-14', GOOD);
    const ahead = new Date(Date.now() + 3_600_000).toISOString();
    const held = await call('/payment/v1/create', {
      reference: 'R-14',
      amount: 10,
      preAuth: true,
      expiryTime: ahead,
    });
    const scheduled = await call('/payment/v1/schedule', {
      reference: 'R-14',
      amount: 10,
      time: ahead,
    });
    for (const { json } of [held, scheduled]) {
      const answer = await refund('R-14', 1, { chargeId: json.transaction.id });
      expect([answer.status, answer.json.code]).toEqual([409, 'invalid_state']);
    }
    expect((await refund('R-14', 1)).json.code).toBe('refund_exceeds_charge');
  });
});
