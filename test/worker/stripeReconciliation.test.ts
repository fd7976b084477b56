/** Reconciliation over Stripe's protocol: what was done in the dashboard is learnt by comparing alone, whatever fails. */
import { afterEach, describe, expect, it, vi } from 'vitest';
import { BookingObject } from '../../src/booking/object.ts';
import { DAY_MS, MINUTE_MS } from '../../src/core/time.ts';
import { PmsDispatcher } from '../../src/pms/outbox/object.ts';
import { newestPaid } from '../support/acquirerDesk.ts';
import { call, freshDatabase, makeBooking, testEnv, transactionsOf } from '../support/api.ts';
import { faultKinds, spansOf, withFault } from '../support/faults.ts';
import { halfOf, someOf } from '../support/long.ts';
import { selectStripe } from '../support/onStripe.ts';
import { exceptionsNow, sweepAtTime } from '../support/reconciliation.ts';
import type { FakeStripe } from '../support/stripe.ts';

const GOOD = '4242424242424242';
const CREATE = '/payment/v1/create';

afterEach(() => vi.restoreAllMocks());

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
      'SELECT booking_reference, number, kind, amount_minor, reconciled_at_ms IS NOT NULL FROM journal ORDER BY 1, 2',
    ),
    messages: await rowsOf(
      "SELECT booking_reference, payload ->> '$.TransactionData.Type', payload ->> '$.TransactionData.AmountGross' FROM outbox WHERE message_type = 'PushTransaction' ORDER BY 1, number",
    ),
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
      for (const { boundary, nth } of halfOf(crossed, 32)) {
        await freshStart();
        await reconcile((atMs) => withFault({ boundary, nth }, kind, () => sweepAtTime(atMs)));
        const found = await known();
        if (JSON.stringify(found) !== JSON.stringify(LEARNT)) wrong.push({ boundary, nth, found });
      }
      expect(wrong).toEqual([]);
    },
    240_000,
  );
});
