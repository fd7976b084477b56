/** Reconciliation over Stripe's protocol: what was done in the dashboard is learnt by comparing alone, whatever fails. */

import { describe, expect, it, vi } from 'vitest';
import { BookingObject } from '../../src/booking/object.ts';
import { DAY_MS, MINUTE_MS } from '../../src/core/time.ts';
import { PmsDispatcher } from '../../src/pms/outbox/object.ts';
import { newestPaid } from '../support/acquirerDesk.ts';
import { call, freshDatabase, makeBooking, testEnv, transactionsOf } from '../support/api.ts';
import { GOOD } from '../support/cards.ts';
import { faultKinds, placesOf, spansOf, withFault } from '../support/faults.ts';
import { MOVEMENTS } from '../support/history.ts';
import { someOf } from '../support/long.ts';
import { membersTold } from '../support/messages.ts';
import { selectStripe } from '../support/onStripe.ts';
import { exceptionsNow, sweepAtTime } from '../support/reconciliation.ts';
import { forgetMoney } from '../support/restore.ts';
import { story } from '../support/story.ts';
import type { FakeStripe } from '../support/stripe.ts';

story();

const CREATE = '/payment/v1/create';

/** Everything anew: an empty service, and a Stripe with one day in its dashboard. */
async function freshStart(): Promise<void> {
  vi.restoreAllMocks();
  vi.spyOn(BookingObject.prototype, 'alarm').mockResolvedValue();
  vi.spyOn(PmsDispatcher.prototype, 'notify').mockResolvedValue();
  await freshDatabase();
  await dashboardDay(selectStripe());
}

/** A charge, of which a part is refunded, and a hold that is captured, both in the dashboard; and a stranger's payment. */
async function dashboardDay(stripe: FakeStripe): Promise<void> {
  await makeBooking('PAID', GOOD);
  await call(CREATE, { reference: 'PAID', amount: 100 });
  const charge = await newestPaid('PAID');
  await makeBooking('HELD', GOOD);
  const expiryTime = new Date(Date.now() + DAY_MS).toISOString();
  await call(CREATE, { reference: 'HELD', amount: 50, preAuth: true, expiryTime });
  const hold = await newestPaid('HELD');
  stripe.refundInDashboard(charge.payment, 3_000);
  stripe.captureInDashboard(hold.payment);
  stripe.chargeInDashboard(4_200);
  // In currencies, or in amounts, that no property here can have.
  stripe.chargeInDashboard(4_200, 'xcg');
  stripe.chargeInDashboard(4_250, 'isk');
}

/** The messages about a booking's money. */
async function told(reference: string): Promise<string[]> {
  const messages = await membersTold(reference, 'Type', 'AmountGross');
  return messages.map((members) => [reference, ...members].join());
}

/** What the service knows in the end: states, journal, messages about money, exceptions. */
async function known(): Promise<object> {
  const rowsOf = async (sql: string) => (await testEnv.DB.prepare(sql).raw()).map(String);
  const paid = await transactionsOf('PAID');
  return {
    states: [...paid, ...(await transactionsOf('HELD'))].map(({ amount, refunds, status }) => [
      status,
      amount,
      refunds.map((refund) => [refund.status, refund.amount]),
    ]),
    journal: await rowsOf(
      `SELECT booking_reference, number, kind, amount_minor, reconciled_at_ms IS NOT NULL FROM ${MOVEMENTS} ORDER BY 1, 2`,
    ),
    messages: [await told('HELD'), await told('PAID')].flat(),
    exceptions: (await exceptionsNow()).map(({ kind, status }) => [kind, status]),
    open: await rowsOf('SELECT id FROM reconciliation_runs WHERE completed_at_ms IS NULL'),
  };
}

/** Compares at a time soon, and again, as often as a lease that was lost needs. */
async function reconcile(first: (atMs: number) => Promise<unknown>): Promise<void> {
  const atMs = Date.now() + 20 * MINUTE_MS;
  await first(atMs);
  for (const minutes of [4, 8, 12]) await sweepAtTime(atMs + minutes * MINUTE_MS);
}

const LEARNT = {
  states: [
    ['Accepted', 103.09, [['Refunded', 30]]],
    ['Accepted', 51.55, []],
  ],
  journal: ['HELD,1,capture,5155,1', 'PAID,1,charge,10309,1', 'PAID,2,refund,-3000,1'],
  messages: ['HELD,Payment,51.55', 'PAID,Payment,103.09', 'PAID,Refund,30.00'],
  exceptions: [['unknown_payment', 'open']],
  open: [],
};

describe('what was done in the dashboard', () => {
  it('is learnt by comparing alone', async () => {
    await freshStart();
    await reconcile(sweepAtTime);
    expect(await known()).toEqual(LEARNT);
  });

  it.each(someOf(faultKinds, 4))(
    'is learnt once wherever comparing is cut off: %s',
    async (kind) => {
      await freshStart();
      const crossed = await spansOf(() => sweepAtTime(Date.now() + 20 * MINUTE_MS));
      expect(crossed.map(({ boundary }) => boundary)).toContain('gateway.movements');
      const wrong: unknown[] = [];
      for (const { boundary, nth } of placesOf(kind, crossed, 32)) {
        await freshStart();
        await reconcile((atMs) => withFault({ boundary, nth }, kind, () => sweepAtTime(atMs)));
        const found = await known();
        if (JSON.stringify(found) !== JSON.stringify(LEARNT)) wrong.push({ boundary, nth, found });
      }
      expect(wrong).toEqual([]);
    },
  );
});

async function disputesOf(reference: string): Promise<unknown> {
  const { json } = await call('/dispute/v1/list', { reference });
  return (json as unknown as { readonly disputes: unknown }).disputes;
}

describe('what Stripe alone knows', () => {
  it.each([false, true])(
    'is taken over after a restore; to before its card: %s',
    async (withCards) => {
      vi.spyOn(BookingObject.prototype, 'alarm').mockResolvedValue();
      vi.spyOn(PmsDispatcher.prototype, 'notify').mockResolvedValue();
      await freshDatabase();
      const stripe = selectStripe();
      await makeBooking('LOST', GOOD);
      const { json } = await call(CREATE, { reference: 'LOST', amount: 100 });
      const { payment } = await newestPaid('LOST');
      stripe.refundInDashboard(payment, 3_000);
      stripe.dispute(payment, 'needs_response');
      await forgetMoney('LOST', withCards);
      await reconcile(sweepAtTime);
      const balance = async () =>
        (await call('/payment/v1/balance', { reference: 'LOST' })).json['balance'];
      expect(await transactionsOf('LOST')).toMatchObject([
        { reference: json.transaction.reference, type: 'PaymentManual', amount: 103.09 },
      ]);
      // Disputed wholly, and given back in part before: the dispute is the larger.
      expect(await balance()).toMatchObject({ paid: 0, due: 600 });
      stripe.reinstate(payment, 5_000);
      await sweepAtTime(Date.now() + DAY_MS);
      expect(await disputesOf('LOST')).toMatchObject([{ status: 'won', stage: 'chargeback' }]);
      const { results } = await testEnv.DB.prepare(
        `SELECT kind, amount_minor FROM ${MOVEMENTS} WHERE booking_reference = 'LOST' ORDER BY number`,
      ).all();
      expect(results.map((row) => Object.values(row))).toEqual([
        ['charge', 10_309],
        ['refund', -3_000],
        ['chargeback', -10_309],
        ['chargeback_reversal', 5_000],
      ]);
      expect(await exceptionsNow({ status: 'open' })).toEqual([]);
    },
  );

  it('ends a refund that it refuses because of a dispute', async () => {
    vi.spyOn(BookingObject.prototype, 'alarm').mockResolvedValue();
    vi.spyOn(PmsDispatcher.prototype, 'notify').mockResolvedValue();
    await freshDatabase();
    const stripe = selectStripe();
    await makeBooking('ROOM', GOOD);
    await call(CREATE, { reference: 'ROOM', amount: 100 });
    await call(CREATE, { reference: 'ROOM', amount: 100 });
    const spa = await newestPaid('ROOM');
    stripe.dispute(spa.payment, 'needs_response');
    const { json, status } = await call('/refund/v1/create', { reference: 'ROOM', amount: 100 });
    expect([status, json.code, json['refunds']]).toEqual([409, 'invalid_state', []]);
    expect(stripe.refunds).toEqual([]);
    expect(await disputesOf('ROOM')).toMatchObject([
      { chargeId: spa.id, status: 'needs_response', stage: 'chargeback' },
    ]);
  });
});
