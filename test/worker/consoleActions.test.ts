import { beforeAll, describe, expect, it, vi } from 'vitest';
import { seeded } from '../../scripts/seed.ts';
import { BookingObject } from '../../src/booking/object.ts';
import {
  attachCard,
  call,
  callAsAdmin,
  freshDatabase,
  ledgerOf,
  makeBooking,
  testEnv,
  transactionsOf,
} from '../support/api.ts';
import { ask, confirmFields, take, words } from '../support/console.ts';
import { inDays } from '../support/days.ts';
import type { Guest } from '../support/guest.ts';
import { takeTurns } from '../support/long.ts';
import { mailbox } from '../support/mailbox.ts';
import { putUser, signedIn } from '../support/staff.ts';

const GOOD = '4242424242424242';

const DECLINED = '4000000000009995';
const LOST = '4000000000009102';

let manager: Guest;
let cashier: Guest;
let viewer: Guest;

takeTurns();

beforeAll(async () => {
  await freshDatabase();
  const { json } = await callAsAdmin('/admin/v1/property/put', {
    property: 'demo',
    name: 'Demo Property',
    site: 'demo.localhost',
    currency: 'AUD',
    timeZone: 'Australia/Perth',
    refundLimit: 50,
  });
  expect(json.property).toMatchObject({ refundLimit: 50 });
  await putUser({ email: 'viewer@hotel.com', role: 'viewer', property: 'demo' });
  manager = await signedIn(seeded.manager.email);
  cashier = await signedIn(seeded.desk.email);
  viewer = await signedIn('viewer@hotel.com');
  await makeBooking('RIGHTS', GOOD);
});

async function auditOf(reference: string) {
  const { json } = await callAsAdmin('/admin/v1/audit/list', { property: 'demo', reference });
  return json.entries.map(
    ({ actor, subject, to }) => `${String(actor)} ${String(subject)} ${String(to)}`,
  );
}

describe('a charge at the desk', () => {
  it('is shown with its price first, then made once, under the person', async () => {
    await makeBooking('DESK-1', GOOD);
    await ask(cashier, 'DESK-1', { do: 'charge', amount: '150,00', purpose: 'Deposit', card: '' });
    expect(words(cashier)).toContain('Amount AUD 150.00 Fees AUD 4.64 The card pays AUD 154.64');
    expect(words(cashier)).toContain('Due before AUD 600.00 Due after AUD 450.00');
    expect(await transactionsOf('DESK-1')).toEqual([]);
    const fields = confirmFields(cashier);
    const twin = cashier.copy();
    await Promise.all([cashier.post('/console/do', fields), twin.post('/console/do', fields)]);
    expect(cashier.page).toMatchObject({ status: 200 });
    expect(words(cashier)).toContain('The card was charged.');
    expect(await transactionsOf('DESK-1')).toMatchObject([
      { amount: 154.64, type: 'PaymentDeposit', status: 'Accepted' },
    ]);
    expect(await ledgerOf('DESK-1')).toHaveLength(1);
    await cashier.open('/console/booking?property=demo&reference=DESK-1');
    expect(words(cashier)).toContain('Payment taken AUD 154.64 card 4242 By Demo Desk');
  });

  it('is not made at a price that was not shown', async () => {
    await makeBooking('DESK-2', GOOD);
    await ask(manager, 'DESK-2', { do: 'charge', amount: '100', purpose: 'Balance', card: '' });
    await call('/payment/v1/create', { reference: 'DESK-2', amount: 20 });
    await manager.post('/console/do', confirmFields(manager));
    expect([manager.page.status, words(manager)]).toEqual([
      409,
      expect.stringContaining('has changed since'),
    ]);
    expect(await transactionsOf('DESK-2')).toHaveLength(1);
  });

  it('tells that the card was declined, and that nobody knows yet', async () => {
    await makeBooking('DESK-3', DECLINED);
    await take(manager, 'DESK-3', { do: 'charge', amount: '10', purpose: 'Manual', card: '' });
    expect([manager.page.status, words(manager)]).toEqual([
      402,
      expect.stringContaining('The card was declined. Nothing was charged.'),
    ]);
    await attachCard('DESK-3', LOST);
    await take(manager, 'DESK-3', { do: 'charge', amount: '10', purpose: 'Manual', card: '' });
    expect([manager.page.status, words(manager)]).toEqual([
      504,
      expect.stringContaining('Do not try again'),
    ]);
  });

  it('shows why it cannot be made, without a button', async () => {
    await makeBooking('DESK-4');
    await ask(manager, 'DESK-4', { do: 'charge', amount: '10', purpose: 'Manual', card: '' });
    expect(manager.page.status).toBe(200);
    expect(words(manager)).toContain('card');
    expect(manager.page.html).not.toContain('action="/console/do"');
  });
});

describe('the desk', () => {
  it('schedules, cancels, holds, captures a part and releases', async () => {
    await makeBooking('DESK-5', GOOD);
    const time = new Date(Date.now() + 5 * 86_400_000).toISOString().slice(0, 16);
    const payment = { amount: '100', purpose: 'Balance', card: '', time };
    await take(manager, 'DESK-5', { do: 'schedule', ...payment });
    expect(words(manager)).toContain('The charge is scheduled.');
    const [scheduled] = await transactionsOf('DESK-5');
    expect(scheduled).toMatchObject({ status: 'Pending' });
    await take(manager, 'DESK-5', { do: 'cancelSchedule', chargeId: String(scheduled?.id) });
    await take(manager, 'DESK-5', { do: 'hold', ...payment });
    await take(manager, 'DESK-5', { do: 'hold', ...payment });
    const [, first, second] = await transactionsOf('DESK-5');
    await take(manager, 'DESK-5', { do: 'capture', chargeId: String(first?.id), amount: '40' });
    await take(manager, 'DESK-5', { do: 'release', chargeId: String(second?.id) });
    expect((await transactionsOf('DESK-5')).map(({ status }) => status)).toEqual([
      'Cancelled',
      'Accepted',
      'Released',
    ]);
    const { json } = await callAsAdmin('/admin/v1/user/list', { property: 'demo' });
    const { userId } = json.users.find(({ email }) => email === seeded.manager.email) ?? {};
    const byManager = (await auditOf('DESK-5')).filter((entry) => entry.startsWith(`${userId} `));
    expect(byManager).toContain(`${userId} charge ${scheduled?.id} Cancelled`);
    expect(byManager).toContain(`${userId} charge ${second?.id} Released`);
  });

  it('cancels all schedules at once', async () => {
    await makeBooking('DESK-6', GOOD);
    const time = inDays(5);
    for (const amount of [10, 20]) {
      await call('/payment/v1/schedule', { reference: 'DESK-6', amount, time });
    }
    await take(manager, 'DESK-6', { do: 'cancelSchedules' });
    expect((await transactionsOf('DESK-6')).map(({ status }) => status)).toEqual([
      'Cancelled',
      'Cancelled',
    ]);
  });

  it('gives out a payment link that works, and asks for a card by mail, both noted', async () => {
    await makeBooking('DESK-7');
    await take(cashier, 'DESK-7', { do: 'makeLink' });
    const link = /href="(http[^"]*\/guest\/v1\/payments\?[^"]*)"/.exec(cashier.page.html)?.[1];
    const guest = manager.copy();
    await guest.open((link ?? '').replaceAll('&amp;', '&'));
    expect(guest.page.html).toContain('DESK-7');
    await take(cashier, 'DESK-7', { do: 'requestCard' });
    expect((await mailbox())[0]).toMatchObject({ to: 'guest@hotel.com' });
    const noted = (await auditOf('DESK-7')).filter((entry) => entry.includes(' links '));
    expect(noted).toEqual([
      expect.stringContaining('links made'),
      expect.stringContaining('links card requested'),
    ]);
  });
});

describe('who asks for a payment', () => {
  it.each([
    ['phone', 'as an order of the guest by phone or mail', 'phone'],
    ['property', 'by the agreement that was made when the card was saved', undefined],
    ['guest', 'by the agreement that was made when the card was saved', undefined],
  ])('is said: %s', async (initiator, said, recorded) => {
    const reference = `DESK-BY-${initiator}`;
    await makeBooking(reference, GOOD);
    const order = { do: 'charge', amount: '10', purpose: 'Manual', card: '', initiator };
    await ask(cashier, reference, order);
    expect(words(cashier)).toContain(said);
    await cashier.post('/console/do', confirmFields(cashier));
    expect((await transactionsOf(reference))[0]).toMatchObject({ status: 'Accepted' });
    const { json } = await call('/payment/v1/transaction', { reference });
    expect(json.transactions[0]?.initiator).toBe(recorded);
  });
});

describe('a payment without an answer', () => {
  it('is settled by hand by a manager, once it is old enough, with the reason', async () => {
    vi.spyOn(BookingObject.prototype, 'alarm').mockResolvedValue();
    await makeBooking('DESK-9', LOST);
    await call('/payment/v1/create', { reference: 'DESK-9', amount: 10 });
    const [lost] = await transactionsOf('DESK-9');
    const chargeId = String(lost?.id);
    const verdict = { do: 'resolve', chargeId, outcome: 'Failed', reason: 'not on the statement' };
    await manager.open('/console/booking?property=demo&reference=DESK-9');
    expect(words(manager)).toContain('Settle by hand');
    await ask(manager, 'DESK-9', verdict);
    expect(words(manager)).toContain('sent less than an hour ago');
    expect(confirmFields(manager)).toEqual({});
    await testEnv.DB.prepare(
      'UPDATE transactions SET asked_at_ms = asked_at_ms - 7200000, version = version + 1 WHERE id = ?',
    )
      .bind(lost?.id)
      .run();
    for (const wrong of [{ reason: '' }, { outcome: 'Refunded' }, { gatewayReference: 'ü ü' }]) {
      await ask(manager, 'DESK-9', { ...verdict, ...wrong });
      expect([wrong, manager.page.status]).toEqual([wrong, 422]);
    }
    await ask(manager, 'DESK-9', verdict);
    expect(words(manager)).toContain('The reason is kept: not on the statement');
    const fields = confirmFields(manager);
    const twin = manager.copy();
    await Promise.all([manager.post('/console/do', fields), twin.post('/console/do', fields)]);
    for (const person of [manager, twin]) {
      expect([person.page.status, words(person)]).toEqual([
        200,
        expect.stringContaining('It was settled by hand.'),
      ]);
    }
    expect(await transactionsOf('DESK-9')).toMatchObject([{ status: 'Failed' }]);
    expect(words(manager)).toContain(
      'nothing was charged AUD 10.31 card 9102 By Demo Manager · by hand: not on the statement',
    );
    vi.restoreAllMocks();
  });
});

describe('a page that asks for confirmation', () => {
  it.each([
    ['refund', '200', 'AUD 103.09 of this payment can still be refunded'],
    ['capture', '1', 'The payment is Accepted: nothing is held.'],
    ['cancelSchedule', '', 'The payment is Accepted: it is not scheduled any more.'],
    ['cancelSchedules', '', 'Nothing is scheduled.'],
  ])('says why it would be refused: %s', async (action, amount, why) => {
    await makeBooking('DESK-10', GOOD);
    if ((await transactionsOf('DESK-10')).length === 0) {
      await call('/payment/v1/create', { reference: 'DESK-10', amount: 100 });
    }
    const [paid] = await transactionsOf('DESK-10');
    await ask(manager, 'DESK-10', { do: action, chargeId: String(paid?.id), amount });
    expect([manager.page.status, words(manager)]).toEqual([200, expect.stringContaining(why)]);
    expect(confirmFields(manager)).toEqual({});
  });
});

describe('rights', () => {
  it('let a cashier refund up to the limit, and a manager any amount', async () => {
    await makeBooking('DESK-8', GOOD);
    await call('/payment/v1/create', {
      reference: 'DESK-8',
      amount: 200,
      transactionType: 'Deposit',
    });
    const [charge] = await transactionsOf('DESK-8');
    const refund = (amount: string) => ({ do: 'refund', chargeId: String(charge?.id), amount });
    await ask(cashier, 'DESK-8', refund('50.01'));
    expect([cashier.page.status, words(cashier)]).toEqual([
      403,
      expect.stringContaining('up to the limit of the property'),
    ]);
    await ask(cashier, 'DESK-8', refund('50'));
    const fields = { ...confirmFields(cashier), amount: '50.01' };
    await cashier.post('/console/do', fields);
    expect(cashier.page.status).toBe(403);
    await take(cashier, 'DESK-8', refund('50'));
    expect(words(cashier)).toContain('The refund was made.');
    await take(manager, 'DESK-8', refund('60'));
    const [after] = await transactionsOf('DESK-8');
    expect(after?.refunds.map(({ amount }) => amount)).toEqual([50, 60]);
  });

  it.each([
    ['viewer', { do: 'charge', amount: '10', purpose: 'Manual', card: '' }],
    ['viewer', { do: 'refund', amount: '10', chargeId: '1' }],
    ['viewer', { do: 'makeLink' }],
    [
      'cashier',
      { do: 'schedule', amount: '10', purpose: 'Manual', card: '', time: '2027-02-10T09:00' },
    ],
    ['cashier', { do: 'hold', amount: '10', purpose: 'Manual', card: '', time: '' }],
    ['cashier', { do: 'capture', chargeId: '1' }],
    ['cashier', { do: 'cancelSchedules' }],
    ['cashier', { do: 'resolve', chargeId: '1', outcome: 'Failed', reason: 'why not' }],
  ])('refuse a %s what it may not do: %j', async (role, fields) => {
    const person = role === 'viewer' ? viewer : cashier;
    const time = new Date(Date.now() + 86_400_000).toISOString().slice(0, 16);
    const asked = { ...fields, ...('time' in fields && { time }) };
    await ask(person, 'RIGHTS', asked);
    expect([person.page.status, words(person)]).toEqual([
      403,
      expect.stringMatching(
        `Your role .${role}. does not allow this. Ask a (cashier|manager): that role may`,
      ),
    ]);
    const key = crypto.randomUUID();
    await person.post('/console/do', { property: 'demo', reference: 'RIGHTS', key, ...asked });
    expect(person.page.status).toBe(403);
  });

  it('show a viewer no forms', async () => {
    await viewer.open('/console/booking?property=demo&reference=RIGHTS');
    expect(viewer.page.html).not.toContain('/console/confirm');
  });
});

it.each([
  ['an amount of words', { do: 'charge', amount: 'ten', purpose: 'Manual' }, 'Enter an amount'],
  ['no amount', { do: 'charge', amount: '', purpose: 'Manual' }, 'Enter an amount'],
  [
    'a card number',
    { do: 'charge', amount: '1', purpose: 'Manual', description: GOOD },
    'no card number',
  ],
  [
    'a past time',
    { do: 'schedule', amount: '1', purpose: 'Manual', time: '2020-01-01T00:00' },
    'a time to come',
  ],
  ['no time', { do: 'schedule', amount: '1', purpose: 'Manual', time: '' }, 'a day and a time'],
  [
    'a hold of a year',
    { do: 'hold', amount: '1', purpose: 'Manual', time: inDays(365).slice(0, 16) },
    'within 30 days',
  ],
  ['an unknown action', { do: 'steal' }, 'begin again'],
])('%s is told, and nothing is done', async (_, fields, told) => {
  await ask(manager, 'RIGHTS', fields);
  expect([manager.page.status, words(manager)]).toEqual([422, expect.stringContaining(told)]);
});
