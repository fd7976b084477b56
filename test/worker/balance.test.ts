/** What is paid, due and open of a booking, now and as of any instant (interface: Get the balance). */

import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { DAY_MS, HOUR_MS } from '../../src/core/time.ts';
import { selectSums } from '../../src/records/history/sumsStore.ts';
import type { BalanceBody } from '../support/answers.ts';
import { atTime, bookingOf, call, callAsAdmin, makeBooking, makeProperty } from '../support/api.ts';
import { GOOD, NEVER_ARRIVES } from '../support/cards.ts';
import { wakeAt } from '../support/faults.ts';
import { isLong } from '../support/long.ts';
import { planOf } from '../support/plans.ts';
import { seed } from '../support/seed.ts';
import { story } from '../support/story.ts';

story({ silent: ['alarms', 'pms'] });

const CREATE = '/payment/v1/create';

async function balance(reference: string, asOf?: string): Promise<BalanceBody> {
  const { json } = await call('/payment/v1/balance', { reference, asOf });
  return json.balance;
}

const ahead = (ms: number) => new Date(Date.now() + ms).toISOString();

/** Saves a booking with another total. */
function rebook(reference: string, totalCost: number) {
  return call('/booking/v1/create/manage-payments', bookingOf(reference, { totalCost }));
}

describe('POST /payment/v1/balance', () => {
  it('is what the booking costs, at first', async () => {
    await makeBooking('BAL-1', GOOD);
    expect(await balance('BAL-1')).toEqual({
      bookingReference: 'BAL-1',
      currency: 'AUD',
      totalCost: 600,
      paid: 0,
      refunded: 0,
      disputed: 0,
      uncertain: 0,
      scheduled: 0,
      planned: 0,
      held: 0,
      bonds: 0,
      due: 600,
      overpaid: 0,
      waived: 0,
      asOf: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{3})?\+08:00$/),
    });
  });

  it('counts each kind of money in its own place, without fees', async () => {
    const reference = 'BAL-2';
    await makeBooking(reference, GOOD);
    const paid = (await call(CREATE, { reference, amount: 150 })).json.transaction.id;
    await call(CREATE, { reference, amount: 70, transactionType: 'Bond' });
    await call(CREATE, { reference, amount: 30, preAuth: true, expiryTime: ahead(DAY_MS) });
    await call('/payment/v1/schedule', { reference, amount: 25, time: ahead(DAY_MS) });
    await call('/refund/v1/create', { reference, chargeId: paid, amount: 40 });
    expect(await balance(reference)).toMatchObject({
      paid: 110,
      refunded: 40,
      bonds: 70,
      held: 30,
      scheduled: 25,
      uncertain: 0,
      due: 490,
      overpaid: 0,
    });
    await callAsAdmin('/sandbox/v1/act', {
      action: 'dispute',
      property: 'demo',
      reference,
      chargeId: paid,
      amount: 60,
      notify: false,
    });
    await callAsAdmin('/admin/v1/reconciliation/run', {
      property: 'demo',
      from: ahead(-HOUR_MS),
      to: ahead(HOUR_MS),
    });
    expect(await balance(reference)).toMatchObject({ paid: 50, disputed: 60, due: 550 });
  });

  it('shows what is not known yet as uncertain', async () => {
    await makeBooking('BAL-3', NEVER_ARRIVES);
    await call(CREATE, { reference: 'BAL-3', amount: 200 });
    expect(await balance('BAL-3')).toMatchObject({ uncertain: 200, paid: 0, due: 600 });
    await wakeAt('BAL-3', Date.now() + HOUR_MS);
    expect(await balance('BAL-3')).toMatchObject({ uncertain: 0, paid: 200, due: 400 });
  });

  it('says what was paid too much, unless the total is not known', async () => {
    const reference = 'BAL-4';
    await makeBooking(reference, GOOD);
    await call(CREATE, { reference, amount: 650 });
    expect(await balance(reference)).toMatchObject({ due: 0, overpaid: 50 });
    await rebook(reference, 0);
    expect(await balance(reference)).toMatchObject({ totalCost: 0, due: 0, overpaid: 0 });
  });

  it('knows no booking of another property', async () => {
    const token = await makeProperty('balance-other');
    const { status, json } = await call('/payment/v1/balance', { reference: 'BAL-1' }, { token });
    expect([status, json.code]).toEqual([404, 'booking_not_found']);
  });

  it.each([
    ['in the future', { asOf: ahead(HOUR_MS) }, 422, 'time_in_future'],
    ['not a time', { asOf: 'yesterday' }, 422, 'invalid_time'],
    ['before the booking', { asOf: '2020-01-01T00:00:00+08:00' }, 404, undefined],
  ])('as of an instant that is %s: %s', async (_case, at, status, code) => {
    const answer = await call('/payment/v1/balance', { reference: 'BAL-1', ...at });
    expect([answer.status, answer.json.errors?.[0]?.code]).toEqual([status, code]);
  });
});

describe('a balance as of an instant', () => {
  it(`is the one that was shown then, whatever happened since, seed ${seed}`, async () => {
    const reference = 'BAL-STORY';
    await makeBooking(reference, GOOD);
    const charges: number[] = [];
    let nowMs = Date.now();
    const ahead = (ms: number) => new Date(nowMs + ms).toISOString();
    const then = <T>(run: () => Promise<T>) => atTime(nowMs, run);
    const pay = async (more: object) => {
      const { json } = await call(CREATE, { reference, amount: 20, ...more });
      charges.push(json.transaction?.id ?? 0);
    };
    const ofHold = () => ({ reference, chargeId: charges.at(-1) });
    const dispute = () => ({
      action: 'dispute',
      property: 'demo',
      chargeId: charges[0],
      amount: 1,
    });
    const attach = (cardNumber: string) =>
      call('/payment/v1/tokenize', { reference, cardNumber, cardExpiry: '12/2030' });
    const steps: ((cost: number) => Promise<unknown>)[] = [
      () => then(() => pay({})),
      () => then(() => pay({ transactionType: 'Bond' })),
      () => then(() => pay({ preAuth: true, expiryTime: ahead(5 * HOUR_MS) })),
      () => then(() => call('/payment/v1/charge-pre-auth', { ...ofHold(), amount: 5 })),
      () => then(() => call('/payment/v1/cancel-pre-auth', ofHold())),
      () =>
        then(() => call('/payment/v1/schedule', { reference, amount: 15, time: ahead(HOUR_MS) })),
      () => then(() => call('/payment/v1/cancel-schedules', { reference })),
      () => then(() => call('/refund/v1/create', { reference, amount: 7 })),
      () => then(() => callAsAdmin('/sandbox/v1/act', { ...dispute(), reference })),
      () => then(() => attach(NEVER_ARRIVES)),
      () => then(() => attach(GOOD)),
      (cost) => then(() => rebook(reference, cost)),
      () => wakeAt(reference, nowMs),
    ];
    const shown: BalanceBody[] = [];
    const drawn = fc.sample(
      fc.tuple(fc.constantFrom(...steps), fc.nat(899), fc.integer({ min: 1, max: HOUR_MS })),
      { numRuns: isLong ? 200 : 12, seed },
    );
    for (const [step, cost, passesMs] of drawn) {
      await step(cost);
      shown.push(await then(() => balance(reference)));
      nowMs += passesMs;
    }
    const again = () => Promise.all(shown.map(({ asOf }) => balance(reference, asOf)));
    expect(await then(again)).toEqual(shown);
  });

  it('reads the rows of one booking alone', async () => {
    const name = { propertyId: 'demo', reference: 'BAL-1' };
    for (const statement of selectSums(name, 1)) {
      expect(await planOf(statement)).toMatch(
        /SEARCH history USING PRIMARY KEY \(property_id=\? AND booking_reference=\?\)/,
      );
    }
  });
});
