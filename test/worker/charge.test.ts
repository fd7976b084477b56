import { runInDurableObject } from 'cloudflare:test';
import { describe, expect, it } from 'vitest';
import {
  atTime,
  bookingOf,
  call,
  callAsAdmin,
  ledgerOf,
  makeBooking,
  makeProperty,
  testEnv,
  tokenOf,
  transactionsOf,
} from '../support/api.ts';
import { howMany } from '../support/long.ts';
import { traits } from '../support/traits.ts';

const CREATE = '/payment/v1/create';

describe(`POST ${CREATE}`, () => {
  it('charges the card that the booking uses, fee included', async () => {
    const token = await makeBooking('C-1', '4242424242424242');
    const { status, json } = await call(CREATE, {
      reference: 'C-1',
      amount: 150,
      description: 'Deposit',
      transactionType: 'Deposit',
    });
    expect(status).toBe(200);
    expect(json).toEqual({
      success: true,
      transaction: {
        id: expect.any(Number),
        amount: 154.64,
        creditCardFee: 4.64,
        transactionFee: 0,
        reference: expect.stringMatching(/^[0-9a-f]{32}$/),
        bookingReference: 'C-1',
        type: 'PaymentDeposit',
        timeStamp: expect.stringMatching(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/),
        cardDetails: { cardNumber: '4242', cardType: 'visa', currency: 'AUD', token, ...traits },
      },
    });
    expect(await ledgerOf('C-1')).toMatchObject([
      { kind: 'charge', status: 'succeeded', amount: 154.64, property: 'demo' },
    ]);
  });

  it('charges a virtual card the exact amount', async () => {
    await makeBooking('C-2', '4242424242424242');
    const { json } = await call(CREATE, { reference: 'C-2', amount: '150', isVirtualCard: true });
    expect(json.transaction).toMatchObject({
      amount: 150,
      creditCardFee: 0,
      transactionFee: 0,
      type: 'PaymentManual',
    });
  });

  it('takes its fees from the property, by brand where the property says so, from the next charge on', async () => {
    const token = await makeProperty('fees', { cardFeeBasisPoints: 105, transactionFee: 0.33 });
    await makeBooking('C-3', '4242424242424242', { token });
    const first = await call(CREATE, { reference: 'C-3', amount: 1000 }, { token });
    expect(first.json.transaction).toMatchObject({
      amount: 1010.94,
      creditCardFee: 10.61,
      transactionFee: 0.33,
    });
    await callAsAdmin('/admin/v1/property/put', {
      property: 'fees',
      name: 'Fees',
      site: 'fees.localhost',
      currency: 'AUD',
      timeZone: 'Australia/Perth',
      cardFeeByBrand: { visa: 0 },
      transactionFee: 0,
    });
    const second = await call(CREATE, { reference: 'C-3', amount: 1000 }, { token });
    expect(second.json.transaction).toMatchObject({ amount: 1000, creditCardFee: 0 });
  });

  it('writes the time of the property, without and with its offset, also across a change of clocks', async () => {
    const { json } = await callAsAdmin('/admin/v1/property/put', {
      property: 'london',
      name: 'London',
      site: 'london.localhost',
      currency: 'GBP',
      timeZone: 'Europe/London',
    });
    expect(json.success).toBe(true);
    const client = await callAsAdmin('/admin/v1/client/create', {
      property: 'london',
      scopes: ['bookings', 'cards', 'payments'],
    });
    const { clientId, clientSecret } = client.json;
    for (const [instant, local, offset] of [
      ['2027-03-28T00:59:59.900Z', '2027-03-28 00:59:59', '2027-03-28T00:59:59+00:00'],
      ['2027-03-28T01:00:00.000Z', '2027-03-28 02:00:00', '2027-03-28T02:00:00+01:00'],
      ['2027-10-31T00:59:59.000Z', '2027-10-31 01:59:59', '2027-10-31T01:59:59+01:00'],
      ['2027-10-31T01:00:00.000Z', '2027-10-31 01:00:00', '2027-10-31T01:00:00+00:00'],
    ] as const) {
      await atTime(instant, async () => {
        const token = await tokenOf(clientId, clientSecret);
        await makeBooking('C-4', '4242424242424242', { token });
        const charged = await call(CREATE, { reference: 'C-4', amount: 1 }, { token });
        const { id, timeStamp } = charged.json.transaction;
        expect(timeStamp).toBe(local);
        const one = { reference: 'C-4', chargeId: id };
        const listed = await call('/payment/v1/get-transaction', one, { token });
        expect(listed.json.transaction.timeStamp).toBe(offset);
      });
    }
  });

  it('charges a cancelled booking: cancellation fees and no-shows', async () => {
    await makeBooking('C-5', '4242424242424242');
    await call('/booking/v1/create/manage-payments', bookingOf('C-5', { status: 'cancelled' }));
    expect((await call(CREATE, { reference: 'C-5', amount: 10 })).status).toBe(200);
  });

  it.each([
    ['4000000000000002', 'generic_decline', true],
    ['4000000000009995', 'insufficient_funds', true],
    ['4000000000009987', 'lost_card', false],
    ['4000000000000069', 'expired_card', false],
    ['4000000000000077', 'invalid_number', false],
  ])('answers 402 when %s is declined', async (cardNumber, declineCode, retryable) => {
    const reference = `C-6-${declineCode}`;
    const token = await makeBooking(reference, cardNumber);
    const { status, json } = await call(CREATE, { reference, amount: 10 });
    expect(status).toBe(402);
    expect(json).toMatchObject({
      code: 'card_declined',
      declineCode,
      retryable,
      transaction: { status: 'Declined', amount: 10.31, cardDetails: { token } },
    });
    expect(await transactionsOf(reference)).toMatchObject([{ status: 'Declined' }]);
    expect(await ledgerOf(reference)).toMatchObject([{ status: 'declined' }]);
  });

  it('answers 502 when the gateway did not take it', async () => {
    await makeBooking('C-7', '4000000000000119');
    const { status, json } = await call(CREATE, { reference: 'C-7', amount: 10 });
    expect(status).toBe(502);
    expect(json).toMatchObject({ code: 'gateway_error', transaction: { status: 'Failed' } });
  });

  it('charges a card that declines once at the second try', async () => {
    await makeBooking('C-8', '4000000000009300');
    expect((await call(CREATE, { reference: 'C-8', amount: 10 })).status).toBe(402);
    expect((await call(CREATE, { reference: 'C-8', amount: 10 })).status).toBe(200);
    expect((await transactionsOf('C-8')).map(({ status }) => status)).toEqual([
      'Declined',
      'Accepted',
    ]);
  });

  it('does one operation on a booking at a time, and is busy for who would wait over 8 s', async () => {
    await makeBooking('C-9', '4000000000009201');
    const answers = await Promise.all(
      [10, 20, 30].map((amount) => call(CREATE, { reference: 'C-9', amount })),
    );
    expect(answers.map(({ status }) => `${status}`).toSorted()).toEqual(['200', '200', '503']);
    const busy = answers.find(({ status }) => status === 503);
    expect(busy?.json.code).toBe('busy');
    expect(busy?.headers.get('Retry-After')).toMatch(/^\d+$/);
    expect(await transactionsOf('C-9')).toHaveLength(2);
    expect(await ledgerOf('C-9')).toHaveLength(2);
  });

  it.each([
    ['no booking', { reference: 'NOWHERE' }, 404, 'booking_not_found'],
    ['no card', {}, 422, 'no_card'],
    ['an unknown token', { token: 'f'.repeat(32) }, 404, 'token_not_found'],
    ['an amount of 0', { amount: 0 }, 422, 'amount_out_of_range'],
    ['a negative amount', { amount: '-5' }, 422, 'amount_out_of_range'],
    ['an amount above the most', { amount: 1_000_000_000 }, 422, 'amount_out_of_range'],
    ['an amount finer than a cent', { amount: 10.001 }, 422, 'amount_precision'],
    ['an amount in words', { amount: 'ten' }, 422, 'validation_failed'],
    ['no amount', { amount: undefined }, 422, 'validation_failed'],
    ['a number for a flag', { isVirtualCard: 1 }, 422, 'validation_failed'],
    ['another type', { transactionType: 'Tip' }, 422, 'validation_failed'],
    [
      'a card number in the description',
      { description: 'card 4111 1111-1111 1111' },
      422,
      'validation_failed',
    ],
    [
      'a reference that is a card number',
      { reference: '4242424242424242' },
      422,
      'validation_failed',
    ],
    ['an amount finer than a cent that rounds to 0', { amount: 0.001 }, 422, 'amount_precision'],
    ['a description of 501 characters', { description: 'x'.repeat(501) }, 422, 'validation_failed'],
  ])('refuses %s and records nothing', async (_name, change, status, code) => {
    await makeBooking('C-10');
    const answer = await call(CREATE, { reference: 'C-10', amount: 10, ...change });
    expect([answer.status, answer.json.code]).toEqual([status, code]);
    expect(answer.json).not.toHaveProperty('transaction');
    expect(await transactionsOf('C-10')).toEqual([]);
  });

  it('looks no further into a description that is too long', async () => {
    const { json } = await call(CREATE, {
      reference: 'C-13',
      amount: 1,
      description: '1'.repeat(60_000),
    });
    expect(json.errors).toMatchObject([{ field: 'description', code: 'too_big' }]);
  });

  it('leaves nothing behind for a booking that is not there', async () => {
    await call(CREATE, { reference: 'NOTHING', amount: 10 });
    const stub = testEnv.BOOKINGS.getByName(JSON.stringify(['demo', 'NOTHING']));
    const kept = await runInDurableObject(stub, async (_object, state) => [
      ...(await state.storage.list()).keys(),
      await state.storage.getAlarm(),
    ]);
    expect(kept).toEqual([null]);
  });

  it('refuses a card that has expired since it was kept', async () => {
    await makeBooking('C-11', '4242424242424242');
    await atTime('2030-12-31T23:59:59+08:00', async () => {
      expect((await call(CREATE, { reference: 'C-11', amount: 10 })).status).toBe(200);
    });
    await atTime('2031-01-01T00:00:00+08:00', async () => {
      const { status, json } = await call(CREATE, { reference: 'C-11', amount: 10 });
      expect([status, json.code]).toEqual([422, 'card_expired']);
    });
    expect(await transactionsOf('C-11')).toHaveLength(1);
  });

  it('gives charges of many bookings at once ids that are unique and even', async () => {
    const references = Array.from(
      { length: howMany.bookingsChargedAtOnce },
      (_, index) => `C-12-${index}`,
    );
    await Promise.all(references.map((reference) => makeBooking(reference, '4242424242424242')));
    const ids: number[] = [];
    const charges = references.map(async (reference) => {
      for (let times = 0; times < 10; times += 1) {
        ids.push((await call(CREATE, { reference, amount: 1 })).json.transaction.id);
      }
    });
    await Promise.all(charges);
    expect(new Set(ids).size).toBe(references.length * 10);
    expect(ids.every((id) => id % 2 === 0 && Number.isSafeInteger(id))).toBe(true);
  });
});

describe('POST /payment/v1/transaction', () => {
  it('lists every transaction, oldest first, success being the integer 1', async () => {
    const token = await makeBooking('L-1', '4242424242424242');
    for (const amount of [1, 2, 3])
      await call(CREATE, { reference: 'L-1', amount, isVirtualCard: true });
    const { json } = await call('/payment/v1/transaction', { reference: 'L-1' });
    expect(json.success).toBe(1);
    expect(json.transactions.map(({ amount }: { amount: number }) => amount)).toEqual([1, 2, 3]);
    expect(json.transactions[0]).toEqual({
      id: expect.any(Number),
      amount: 1,
      creditCardFee: 0,
      transactionFee: 0,
      reference: expect.stringMatching(/^[0-9a-f]{32}$/),
      bookingReference: 'L-1',
      type: 'PaymentManual',
      timeStamp: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\+08:00$/),
      status: 'Accepted',
      cardDetails: { cardNumber: '4242', cardType: 'visa', currency: 'AUD', token, ...traits },
      refunds: [],
    });
  });

  it('is empty for a booking without transactions', async () => {
    await makeBooking('L-2');
    expect(await transactionsOf('L-2')).toEqual([]);
  });
});

describe('POST /payment/v1/get-transaction', () => {
  it('shows one, and is 404 for an id that the booking has not', async () => {
    await makeBooking('G-1', '4242424242424242');
    await makeBooking('G-2');
    const { json } = await call(CREATE, { reference: 'G-1', amount: 5 });
    const chargeId = json.transaction.id;
    const found = await call('/payment/v1/get-transaction', { reference: 'G-1', chargeId });
    expect(found.json).toMatchObject({ success: true, transaction: { id: chargeId, refunds: [] } });
    for (const wrong of [
      { reference: 'G-2', chargeId },
      { reference: 'G-1', chargeId: chargeId + 2 },
    ]) {
      const { status, json: problem } = await call('/payment/v1/get-transaction', wrong);
      expect([status, problem.code]).toEqual([404, 'transaction_not_found']);
    }
    const text = await call('/payment/v1/get-transaction', { reference: 'G-1', chargeId: '7' });
    expect([text.status, text.json.code]).toEqual([422, 'validation_failed']);
  });
});
