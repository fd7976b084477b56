/** Holds that end with their booking, whatever comes in between. */
import { afterEach, expect, it, vi } from 'vitest';
import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from '../../src/core/time.ts';
import { bookingOf, call, engineToken, makeBooking, transactionsOf } from '../support/api.ts';
import { GOOD, NEVER_ARRIVES } from '../support/cards.ts';
import { listedEvents } from '../support/endpoint.ts';
import { justBefore, wakeAt, withFault } from '../support/faults.ts';
import { story } from '../support/story.ts';

story({ silent: ['alarms'] });

afterEach(() => vi.useRealTimers());

const inDays = (days: number) => new Date(Date.now() + days * DAY_MS).toISOString();

const hold = (reference: string, amount: number) =>
  call('/payment/v1/create', { reference, amount, preAuth: true, expiryTime: inDays(10) });

const save = (reference: string, details: Record<string, unknown> = {}) =>
  call('/booking/v1/create/manage-payments', bookingOf(reference, details));

const cancel = (reference: string) => save(reference, { status: 'cancelled' });

async function statusesOf(reference: string): Promise<string[]> {
  return (await transactionsOf(reference)).map(({ status }) => status);
}

it('holds of a booking that was booked again are asked to be let go again where the first release never reached the gateway', async () => {
  await makeBooking('H-1', NEVER_ARRIVES);
  await hold('H-1', 200);
  await wakeAt('H-1', Date.now() + MINUTE_MS);
  await cancel('H-1');
  await save('H-1');
  expect(await statusesOf('H-1')).toEqual(['Processing']);
  // The release is absent twice, an hour apart, after its key has ended: the hold stands.
  await wakeAt('H-1', Date.now() + DAY_MS);
  await wakeAt('H-1', Date.now() + DAY_MS + HOUR_MS);
  expect(await statusesOf('H-1')).toEqual(['Authorized']);
  await wakeAt('H-1', Date.now() + DAY_MS + 2 * HOUR_MS);
  await wakeAt('H-1', Date.now() + DAY_MS + 2 * HOUR_MS + MINUTE_MS);
  expect(await statusesOf('H-1')).toEqual(['Released']);
});

it('a hold whose turn at the gateway does not come is let go by the alarm, and was not asked for before', async () => {
  await makeBooking('H-2', GOOD);
  for (const amount of [20, 30]) await hold('H-2', amount);
  vi.useFakeTimers({ toFake: ['Date'] });
  const restore = justBefore('gateway.release', () =>
    Promise.resolve(vi.setSystemTime(Date.now() + 6 * SECOND_MS)),
  );
  await cancel('H-2');
  restore();
  expect((await statusesOf('H-2')).toSorted()).toEqual(['Authorized', 'Released']);
  await wakeAt('H-2', Date.now() + 2 * SECOND_MS);
  expect(await statusesOf('H-2')).toEqual(['Released', 'Released']);
  const types = (await listedEvents(await engineToken(), { reference: 'H-2' })).map(
    ({ type }) => type,
  );
  expect(types).not.toContain('payment.unknown');
});

it('a hold behind more schedules than one batch cancels ends with the booking although the rest is cut off', async () => {
  await makeBooking('H-3', GOOD);
  for (let number = 1; number <= 100; number += 1) {
    const amount = 1 + number / 100;
    const body = { reference: 'H-3', amount, time: inDays(2), ignoreDuplicates: true };
    expect((await call('/payment/v1/schedule', body)).status).toBe(200);
  }
  await hold('H-3', 40);
  const boundary = 'd1.schedule.cancel';
  await withFault({ boundary, nth: 0 }, 'crash before', () => cancel('H-3'));
  await wakeAt('H-3', Date.now() + 2 * MINUTE_MS);
  await wakeAt('H-3', Date.now() + 4 * MINUTE_MS);
  expect(await statusesOf('H-3')).toContain('Released');
});
