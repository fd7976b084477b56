/** A virtual card that another booking was charged on since its own booking's object read it. */
import { runDurableObjectAlarm } from 'cloudflare:test';
import { expect, it } from 'vitest';
import { HOUR_MS, localTimestamp } from '../../src/core/time.ts';
import { atTime, call, ledgerOf, makeBooking, testEnv } from '../support/api.ts';
import { applied, bookedWith, cancellationOf } from '../support/cancellation.ts';
import { GOOD } from '../support/cards.ts';
import { story } from '../support/story.ts';

story({ silent: ['pms', 'mails', 'news'], freshDatabase: true });

/** Attaches a virtual card that takes a hundred at most. Returns its token. */
async function attachVirtual(reference: string): Promise<string> {
  const activeFrom = new Date(Date.now() - HOUR_MS).toISOString();
  const virtualCard = { activeFrom, limit: 100 };
  const body = { reference, cardNumber: GOOD, cardExpiry: '12/2040', virtualCard };
  return (await call('/payment/v1/tokenize', body)).json.card.token;
}

/** Charges another booking on a card. */
async function chargeOther(token: string, amount: number): Promise<void> {
  await makeBooking('OTHER');
  const body = { reference: 'OTHER', amount, token };
  expect((await call('/payment/v1/create', body)).status).toBe(200);
}

it('a cancellation takes no more than remains on it', async () => {
  await bookedWith('OWN', { amount: 80 });
  const token = await attachVirtual('OWN');
  const { cancellationQuoteId, charge } = await cancellationOf('OWN');
  expect(charge).toMatchObject({ amount: 80 });
  await chargeOther(token, 80);
  const { json, status } = await applied('OWN', cancellationQuoteId);
  expect([status, json.code]).toEqual([409, 'quote_stale']);
  expect(await ledgerOf('OWN')).toEqual([]);
});

it('a part of a plan takes what remains on it', async () => {
  await makeBooking('OWN');
  const token = await attachVirtual('OWN');
  const dueMs = Date.now() + HOUR_MS;
  const [date, time = ''] = localTimestamp(dueMs, 'Australia/Perth').split(' ');
  const terms = [{ amount: 80, due: { anchor: 'date', date, time: time.slice(0, 5) } }];
  expect((await call('/payment-plan/v1/put', { reference: 'OWN', terms })).status).toBe(200);
  await chargeOther(token, 80);
  const own = testEnv.BOOKINGS.getByName(JSON.stringify(['demo', 'OWN']));
  await atTime(dueMs, () => runDurableObjectAlarm(own));
  expect(await ledgerOf('OWN')).toMatchObject([{ amount: 20 }]);
});
