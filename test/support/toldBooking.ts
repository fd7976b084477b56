/** A booking that everybody is told of: its property has a PMS and an endpoint, and mails receipts. */
import { runDurableObjectAlarm } from 'cloudflare:test';
import { MINUTE_MS } from '../../src/core/time.ts';
import { attachCard, bookingOf, call, makeProperty, testEnv } from './api.ts';
import { GOOD } from './cards.ts';
import { PlayedEndpoint } from './endpoint.ts';
import { notificationsArrived } from './notifications.ts';
import { PlayedPms, ring } from './pms.ts';

const PROPERTY = 'told';

/**
 * Makes it, changes it, and charges a deposit with a key and a balance by schedule. All that follows is out when this
 * returns; `setClock` sets every clock.
 */
export async function makeToldBooking(
  reference: string,
  setClock: (atMs: number) => void,
): Promise<void> {
  const pms = new PlayedPms(PROPERTY);
  const settings = { cardFeeBasisPoints: 300, guestMails: { receipts: true } };
  const token = await makeProperty(PROPERTY, { ...settings, pms: pms.settings });
  const endpoint = await new PlayedEndpoint(PROPERTY).subscribe(token);
  const post = async (path: string, body: object, headers = {}) => {
    const { json, status } = await call(path, body, { token, headers });
    if (status !== 200) throw new Error(`${path}: ${JSON.stringify(json)}`);
  };
  for (const totalCost of [600, 700]) {
    await post('/booking/v1/create/manage-payments', bookingOf(reference, { totalCost }));
  }
  await attachCard(reference, GOOD, { token });
  const deposit = { reference, amount: 100, transactionType: 'Deposit' };
  await post('/payment/v1/create', deposit, { 'Idempotency-Key': `deposit-${reference}` });
  const time = new Date(Date.now() + 10 * MINUTE_MS).toISOString();
  const balance = { reference, amount: 500, transactionType: 'Balance', time };
  await post('/payment/v1/schedule', balance);
  setClock(Date.now() + 10 * MINUTE_MS + 1);
  await runDurableObjectAlarm(testEnv.BOOKINGS.getByName(JSON.stringify([PROPERTY, reference])));
  await notificationsArrived();
  await ring(pms.url);
  await runDurableObjectAlarm(testEnv.EVENT_DISPATCHER.getByName(endpoint.id));
  await runDurableObjectAlarm(testEnv.MAILER.getByName(PROPERTY));
}
