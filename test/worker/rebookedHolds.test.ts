/** Holds that end with their booking although it is booked again at once. */
import { expect, it } from 'vitest';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../src/core/time.ts';
import { bookingOf, call, makeBooking, transactionsOf } from '../support/api.ts';
import { NEVER_ARRIVES } from '../support/cards.ts';
import { wakeAt } from '../support/faults.ts';
import { story } from '../support/story.ts';

story({ silent: ['alarms'] });

it('holds of a booking that was booked again are asked to be let go again where the first release never reached the gateway', async () => {
  await makeBooking('H-1', NEVER_ARRIVES);
  const expiryTime = new Date(Date.now() + 10 * DAY_MS).toISOString();
  await call('/payment/v1/create', { reference: 'H-1', amount: 200, preAuth: true, expiryTime });
  await wakeAt('H-1', Date.now() + MINUTE_MS);
  const path = '/booking/v1/create/manage-payments';
  await call(path, bookingOf('H-1', { status: 'cancelled' }));
  await call(path, bookingOf('H-1'));
  const statusNow = async () => (await transactionsOf('H-1')).map(({ status }) => status);
  expect(await statusNow()).toEqual(['Processing']);
  // The release is absent twice, an hour apart, after its key has ended: the hold stands.
  await wakeAt('H-1', Date.now() + DAY_MS);
  await wakeAt('H-1', Date.now() + DAY_MS + HOUR_MS);
  expect(await statusNow()).toEqual(['Authorized']);
  await wakeAt('H-1', Date.now() + DAY_MS + 2 * HOUR_MS);
  await wakeAt('H-1', Date.now() + DAY_MS + 2 * HOUR_MS + MINUTE_MS);
  expect(await statusNow()).toEqual(['Released']);
});
