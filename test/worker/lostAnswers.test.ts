import { describe, expect, it } from 'vitest';
import { DAY_MS, HOUR_MS } from '../../src/core/time.ts';
import {
  atTime,
  bookingOf,
  call,
  callAsAdmin,
  makeBooking,
  transactionsOf,
} from '../support/api.ts';
import { GOOD } from '../support/cards.ts';
import { loseAnswers } from '../support/faults.ts';
import { story } from '../support/story.ts';

story({ silent: ['alarms'] });

const CARD = { cardNumber: GOOD, cardExpiry: '12/2030' };
const SAVE = '/booking/v1/create/manage-payments';
const tomorrow = () => new Date(Date.now() + DAY_MS).toISOString();

async function schedule(reference: string, times: number): Promise<void> {
  const body = { reference, amount: 1, time: tomorrow() };
  await Promise.all(Array.from({ length: times }, () => call('/payment/v1/schedule', body)));
}

describe('when D1 does not say whether it committed', () => {
  it('a card that was attached is known by the next request', async () => {
    await makeBooking('L-1');
    await call('/payment/v1/create', { reference: 'L-1', amount: 1 });
    const mend = loseAnswers('d1.card.attach', 2);
    const unsure = await call('/payment/v1/tokenize', { ...CARD, reference: 'L-1' });
    mend();
    expect([unsure.status, unsure.json.code]).toEqual([200, undefined]);
    expect((await call('/payment/v1/create', { reference: 'L-1', amount: 1 })).status).toBe(200);
  });

  it('a booking that was booked again is known as booked', async () => {
    await makeBooking('L-2', GOOD);
    await call(SAVE, bookingOf('L-2', { status: 'cancelled' }));
    const mend = loseAnswers('d1.booking.save', 2);
    await call(SAVE, bookingOf('L-2'));
    mend();
    const body = { reference: 'L-2', amount: 1, time: tomorrow() };
    expect((await call('/payment/v1/schedule', body)).status).toBe(200);
  });

  it('schedules are cancelled and told so, without a key too', async () => {
    await makeBooking('L-3', GOOD);
    await schedule('L-3', 3);
    const mend = loseAnswers('d1.schedule.cancel', 1);
    const { status, json } = await call('/payment/v1/cancel-schedules', { reference: 'L-3' });
    mend();
    expect([status, json.cancelled.length]).toEqual([200, 3]);
    const statuses = (await transactionsOf('L-3')).map((transaction) => transaction.status);
    expect(statuses).toEqual(['Cancelled', 'Cancelled', 'Cancelled']);
  });

  it('a resolution by hand is not denied', async () => {
    await makeBooking('L-4', '4000000000009102');
    const { json } = await call('/payment/v1/create', { reference: 'L-4', amount: 1 });
    const mend = loseAnswers('d1.transaction.apply', 1);
    const verdict = { id: json.transaction.id, outcome: 'Failed', reason: 'the bank says so' };
    const answer = await atTime(Date.now() + HOUR_MS, () =>
      callAsAdmin('/admin/v1/operation/resolve', verdict),
    );
    mend();
    expect([answer.status, answer.json.code]).toEqual([504, 'outcome_unknown']);
    expect(await transactionsOf('L-4')).toMatchObject([{ status: 'Failed' }]);
  });
});

describe('a replay', () => {
  it('cancels nothing, however many schedules there are by then', async () => {
    await makeBooking('L-5', GOOD);
    const key = { headers: { 'Idempotency-Key': 'l-5' } };
    const first = await call('/payment/v1/cancel-schedules', { reference: 'L-5' }, key);
    for (let made = 0; made < 120; made += 40) await schedule('L-5', 40);
    const again = await call('/payment/v1/cancel-schedules', { reference: 'L-5' }, key);
    expect(again.json).toEqual(first.json);
    const statuses = new Set((await transactionsOf('L-5')).map(({ status }) => status));
    expect([...statuses]).toEqual(['Pending']);
  });
});
