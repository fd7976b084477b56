/** The net of a report is what the lists of the interface add up to, to the cent: with the acquirer's fees, and after disputes. */
import { beforeAll, describe, expect, it } from 'vitest';
import { DAY_MS, localDate } from '../../src/core/time.ts';
import { newestPaid, sandboxDesk, tellOfDispute, tellOfPayment } from '../support/acquirerDesk.ts';
import { call, makeBooking, testEnv } from '../support/api.ts';
import { GOOD } from '../support/cards.ts';
import { words } from '../support/console.ts';
import { disbursementsOf, itemsOf } from '../support/disbursements.ts';
import type { Guest } from '../support/guest.ts';
import { signedIn } from '../support/staff.ts';
import { story } from '../support/story.ts';

story({ silent: ['alarms', 'mails', 'news', 'pms'] });

const ZONE = 'Australia/Perth';
const TODAY = localDate(Date.now(), ZONE);

let manager: Guest;

const cents = (amount: number) => Math.round(amount * 100);

async function paid(reference: string, amount: number): Promise<number> {
  await makeBooking(reference, GOOD);
  const { json } = await call('/payment/v1/create', { reference, amount });
  return json.transaction.id;
}

async function disputed(reference: string, amount: number, ends: 'won' | 'lost' | null) {
  await paid(reference, amount);
  const payment = await newestPaid(reference);
  const id = await sandboxDesk.dispute(payment.payment);
  await tellOfDispute(payment, id);
  if (ends === null) return;
  await sandboxDesk.closeDispute(payment.payment, ends);
  await tellOfDispute(payment, id);
}

/** A payout with two items, each with a fee that the acquirer kept. */
async function paidOut(id: string, atMs: number, feesMinor: readonly [number, number]) {
  const [first, second] = feesMinor;
  const fees = first + second;
  await testEnv.DB.batch([
    testEnv.DB.prepare(
      `INSERT INTO disbursements (property_id, id, gateway, status, currency, gross_minor, fee_minor, net_minor,
         description, effective_at_ms, arrival_date)
       VALUES ('demo', ?1, 'sandbox', 'paid_out', 'AUD', 30000, ?2, 30000 - ?2, '', ?3, '2027-01-01')`,
    ).bind(id, fees, atMs),
    ...[first, second].map((fee, at) =>
      testEnv.DB.prepare(
        `INSERT INTO disbursement_items (property_id, id, disbursement_id, description, category, currency, gross_minor,
           fee_minor, net_minor, three_ds_authenticated, effective_at_ms, created_at_ms, available_at_ms)
         VALUES ('demo', ?1 || ?2, ?1, '', 'sale', 'AUD', 15000, ?3, 15000 - ?3, 0, ?4, ?4, ?4)`,
      ).bind(id, at, fee, atMs),
    ),
  ]);
}

interface Lists {
  readonly transactions: readonly {
    readonly amount: number;
    readonly refunds: readonly { readonly amount: number; readonly status: string }[];
  }[];
  readonly disputes: readonly { readonly amount: number; readonly status: string }[];
}

async function listed<Name extends keyof Lists>(
  path: string,
  name: Name,
  filter: object,
): Promise<Lists[Name]> {
  const { json, status } = await call(path, { limit: 200, ...filter });
  expect(status).toBe(200);
  return (json as unknown as Lists)[name];
}

const sumOf = (rows: readonly { readonly amount: number }[]) =>
  rows.reduce((sum, { amount }) => sum + cents(amount), 0);

/** What the lists say was taken, went back, is withdrawn, and was kept by the acquirer, in cents. */
async function figuresOfLists() {
  const accepted = { status: 'Accepted' };
  const taken = await listed('/payment/v1/list', 'transactions', accepted);
  const refunded = taken.flatMap(({ refunds }) =>
    refunds.filter(({ status }) => status === 'Refunded'),
  );
  const disputes = await listed('/dispute/v1/list', 'disputes', {});
  const withdrawn = disputes.filter(({ status }) => status !== 'won');
  const payouts = await disbursementsOf();
  const items = (await Promise.all(payouts.map((one) => itemsOf(one.disbursementId)))).flat();
  return {
    takenMinor: sumOf(taken),
    refundedMinor: sumOf(refunded),
    withdrawnMinor: sumOf(withdrawn),
    keptMinor: items.reduce((sum, { fee }) => sum + cents(fee), 0),
  };
}

beforeAll(async () => {
  const whole = await paid('NET-1', 310.07);
  await call('/refund/v1/create', { reference: 'NET-1', chargeId: whole, amount: 110.01 });
  const back = await paid('NET-2', 99.99);
  await call('/refund/v1/create', { reference: 'NET-2', chargeId: back, amount: 20.5 });
  const { refundId } = (await testEnv.DB.prepare(
    "SELECT gateway_reference AS refundId FROM refunds WHERE booking_reference = 'NET-2'",
  ).first<{ refundId: string }>()) ?? { refundId: '' };
  await sandboxDesk.failRefund(refundId);
  await tellOfPayment(await newestPaid('NET-2'));
  await disputed('NET-OPEN', 70.7, null);
  await disputed('NET-WON', 81.81, 'won');
  await disputed('NET-LOST', 92.92, 'lost');
  await paidOut('po-1', Date.now(), [317, 205]);
  await paidOut('po-2', Date.now() - 1, [1, 0]);
  manager = await signedIn();
});

describe('the net of a report', () => {
  it('is what the lists add up to: taken, less refunds, lost and open disputes, and fees', async () => {
    const { keptMinor, refundedMinor, takenMinor, withdrawnMinor } = await figuresOfLists();
    expect([keptMinor, refundedMinor]).toEqual([523, 110_01]);
    expect(withdrawnMinor).toBeGreaterThan(92_92 + 70_70);
    const net = (takenMinor - refundedMinor - withdrawnMinor - keptMinor) / 100;
    const query = `property=demo&from=${TODAY}&to=${TODAY}`;
    await manager.open(`/console/report?${query}`);
    const written = new Intl.NumberFormat('en-GB', { minimumFractionDigits: 2 }).format(net);
    expect(words(manager)).toContain(`AUD ${written} net`);
    await manager.open(`/console/report?${query}&format=csv`);
    const [head = '', line = ''] = manager.page.html.replaceAll('"', '').trim().split('\r\n');
    const cells = line.split(',');
    const cell = (name: string) => cells[head.split(',').indexOf(name)];
    expect([cell("Acquirer's fees"), cell('Net'), cell('Withdrawn for disputes')]).toEqual([
      '5.23',
      net.toFixed(2),
      (withdrawnMinor / 100).toFixed(2),
    ]);
  });

  it('leaves out what other days have', async () => {
    await paidOut('po-other', Date.now() - 3 * DAY_MS, [900, 99]);
    await manager.open(`/console/report?property=demo&from=${TODAY}&to=${TODAY}&format=csv`);
    expect(manager.page.html).toContain(',5.23,');
  });
});
