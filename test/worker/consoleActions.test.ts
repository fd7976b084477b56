import { beforeAll, describe, expect, it, vi } from 'vitest';
import { seeded } from '../../scripts/seed.ts';
import { BookingObject } from '../../src/booking/object.ts';
import {
  attachCard,
  bookingOf,
  call,
  callAsAdmin,
  ledgerOf,
  makeBooking,
  makeProperty,
  testEnv,
  transactionsOf,
} from '../support/api.ts';
import { GOOD, INSUFFICIENT_FUNDS, NEVER_ARRIVES, OTHER_GOOD } from '../support/cards.ts';
import { ask, confirmFields, take, words } from '../support/console.ts';
import { inDays } from '../support/days.ts';
import { eventually } from '../support/eventually.ts';
import type { Guest } from '../support/guest.ts';
import { mailbox, mailsAreOut } from '../support/mailbox.ts';
import { putUser, signedIn } from '../support/staff.ts';

let manager: Guest;
let cashier: Guest;
let viewer: Guest;

beforeAll(async () => {
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

const putDemo = (change: { cardFeeBasisPoints: number } | { overchargeGuard: 'warn' | 'refuse' }) =>
  callAsAdmin('/admin/v1/property/put', {
    property: 'demo',
    name: 'Demo Property',
    site: 'demo.localhost',
    currency: 'AUD',
    timeZone: 'Australia/Perth',
    ...change,
  });

/** What stands below the form that charges. */
function formsAfterCharge(): string {
  return manager.page.html.split('action="/console/do"')[1] ?? '';
}

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
    expect(words(cashier)).toContain('Amount AUD 150.00 Fees AUD 4.64 Total charged AUD 154.64');
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

  it('proposes what is due and not scheduled, and warns of what would be paid twice', async () => {
    await makeBooking('DESK-TWICE', GOOD);
    const plan = { reference: 'DESK-TWICE', amount: 450, time: inDays(20) };
    await call('/payment/v1/schedule', plan);
    await manager.open('/console/booking?property=demo&reference=DESK-TWICE');
    const proposed = () => /id="charge-amount"[^>]*value="([^"]*)"/.exec(manager.page.html)?.[1];
    expect(proposed()).toBe('150.00');
    await take(manager, 'DESK-TWICE', {
      do: 'charge',
      amount: '150',
      purpose: 'Balance',
      card: '',
    });
    await manager.open('/console/booking?property=demo&reference=DESK-TWICE');
    expect(proposed()).toBe('');
    await ask(manager, 'DESK-TWICE', { do: 'charge', amount: '450', purpose: 'Balance', card: '' });
    expect(words(manager)).toMatch(
      /or the guest pays twice.*Scheduled charge \(other\) \d+: AUD 463\.92, will be charged to Visa ···· 4242 \(\d\d\/\d\d\) on \d/,
    );
  });

  it('offers to cancel what would be paid twice, to who may', async () => {
    await makeBooking('DESK-CANCELS', GOOD);
    await call('/payment/v1/schedule', {
      reference: 'DESK-CANCELS',
      amount: 450,
      time: inDays(20),
    });
    const charge = { do: 'charge', amount: '450', purpose: 'Balance', card: '' };
    await ask(cashier, 'DESK-CANCELS', charge);
    expect(words(cashier)).toContain('or the guest pays twice');
    expect(words(cashier)).not.toContain('Cancel all scheduled charges');
    await ask(manager, 'DESK-CANCELS', charge);
    const [, step = ''] = /(<form method="get"[\s\S]*?<\/form>)/.exec(formsAfterCharge()) ?? [];
    expect(step).toContain('Cancel all scheduled charges');
    const fields = [...step.matchAll(/name="([^"]*)" value="([^"]*)"/g)];
    const { do: action = '' } = Object.fromEntries(fields.map(([, name, value]) => [name, value]));
    await take(manager, 'DESK-CANCELS', { do: action });
    expect((await transactionsOf('DESK-CANCELS')).map(({ status }) => status)).toEqual([
      'Cancelled',
    ]);
    await ask(manager, 'DESK-CANCELS', charge);
    expect(words(manager)).not.toContain('or the guest pays twice');
  });

  it.each([
    ['the same amount by the same card', { purpose: 'Manual' }],
    ['the same amount for the same purpose', { card: 'other' }],
  ])('is asked once more where it looks like one of a short while ago: %s', async (what, more) => {
    const reference = `DESK-TWIN-${what.length}`;
    const first = await makeBooking(reference, GOOD);
    const charge = { do: 'charge', amount: '70', purpose: 'Balance', card: '' };
    await take(manager, reference, charge);
    await attachCard(reference, OTHER_GOOD);
    const again = { ...charge, card: first, ...('card' in more ? { card: '' } : more) };
    await ask(manager, reference, again);
    expect(words(manager)).toMatch(
      /This looks like a payment you have just made \(AUD 72\.16, \d+ \w+ \d+, \d\d:\d\d\)/,
    );
    expect(words(manager)).toContain('Charge again anyway');
    await manager.post('/console/do', confirmFields(manager));
    expect(words(manager)).toContain('The card was charged.');
    expect(await transactionsOf(reference)).toHaveLength(2);
    for (const other of [
      { ...again, amount: '70.01' },
      { ...again, purpose: 'Deposit', card: '' },
      { ...again, do: 'hold', time: inDays(5).slice(0, 16) },
    ]) {
      // By the other card and for another purpose, in another amount, or held only.
      const isOther = 'card' in more && other.purpose === 'Deposit';
      await ask(manager, reference, other);
      expect([other, words(manager).includes('looks like')]).toEqual([other, isOther]);
    }
    for (const { id: chargeId } of await transactionsOf(reference)) {
      await call('/refund/v1/create', { reference, chargeId, amount: 72.16 });
    }
    await ask(manager, reference, again);
    expect(words(manager)).not.toContain('looks like');
  });

  it('stays under the name that its person had then', async () => {
    const kim = { email: 'kim@names.com', property: 'demo' };
    await putUser({ ...kim, name: 'Kim Before' });
    const person = await signedIn(kim.email);
    await makeBooking('DESK-NAMES', GOOD);
    const charge = { do: 'charge', amount: '10', purpose: 'Manual', card: '' };
    await take(person, 'DESK-NAMES', charge);
    await take(person, 'DESK-NAMES', { do: 'makeLink' });
    await putUser({ ...kim, name: 'Kim After' });
    await take(person, 'DESK-NAMES', charge);
    const { json: list } = await callAsAdmin('/admin/v1/user/list', { property: 'demo' });
    const { userId } = list.users.find(({ email }) => email === kim.email) ?? {};
    // As versions wrote it that kept no names.
    await testEnv.DB.prepare(
      `INSERT INTO history (property_id, booking_reference, sequence, at_ms, actor, subject_kind, subject_id, to_state)
       VALUES ('demo', 'DESK-NAMES', 1000, 1, ?, 'links', '', 'made')`,
    )
      .bind(userId)
      .run();
    await person.open('/console/booking?property=demo&reference=DESK-NAMES');
    expect(words(person)).toContain('By Kim After (name of today)');
    expect(words(person).match(/By Kim \w+(?! \(|\w)/g)).toEqual([
      'By Kim After',
      'By Kim Before',
      'By Kim Before',
    ]);
    const body = { property: 'demo', reference: 'DESK-NAMES' };
    const { json } = await callAsAdmin('/admin/v1/audit/list', body);
    const names = json.entries.map(({ actorName }) => actorName);
    expect(new Set(names)).toEqual(new Set([null, 'Kim Before', 'Kim After']));
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

  it.each(['schedule', 'hold'])(
    'is the price that was shown for a %s, or another page with the new one',
    async (action) => {
      const reference = `DESK-PRICE-${action}`;
      await makeBooking(reference, GOOD);
      const time = inDays(5).slice(0, 16);
      await ask(manager, reference, { do: action, amount: '100', purpose: 'Balance', time });
      expect(words(manager)).toMatch(/(?:Total charged|Held on the card) AUD 103\.09/);
      const { quoteId: _left, ...unquoted } = confirmFields(manager);
      const shown = confirmFields(manager);
      await putDemo({ cardFeeBasisPoints: 400 });
      for (const form of [unquoted, shown]) {
        await manager.post('/console/do', form);
        expect([manager.page.status, words(manager)]).toEqual([
          409,
          expect.stringMatching(
            /has changed since.*(?:Total charged|Held on the card) AUD 104\.17/,
          ),
        ]);
        expect(await transactionsOf(reference)).toEqual([]);
      }
      await manager.post('/console/do', confirmFields(manager));
      expect(await transactionsOf(reference)).toMatchObject([{ amount: 104.17 }]);
      await putDemo({ cardFeeBasisPoints: 300 });
    },
  );

  it('of a thousand is a thousand, and a hold of it is captured whole', async () => {
    await makeBooking('DESK-1000', GOOD);
    const time = inDays(5).slice(0, 16);
    const hold = { do: 'hold', amount: '1,500', purpose: 'Balance', card: '', time };
    await take(manager, 'DESK-1000', hold);
    const [held] = await transactionsOf('DESK-1000');
    const capture = { do: 'capture', chargeId: String(held?.id), amount: '1.500' };
    await ask(manager, 'DESK-1000', capture);
    expect(words(manager)).toContain('The whole amount that is held is charged to Visa ···· 4242');
    expect(words(manager)).toContain('Amount AUD 1,500.00');
    await ask(manager, 'DESK-1000', { ...hold, amount: '-1,500' });
    expect(words(manager)).toContain('Enter an amount');
  });

  it('tells that the card was declined, and that nobody knows yet', async () => {
    await makeBooking('DESK-3', INSUFFICIENT_FUNDS);
    await take(manager, 'DESK-3', { do: 'charge', amount: '10', purpose: 'Manual', card: '' });
    expect([manager.page.status, words(manager)]).toEqual([
      402,
      expect.stringContaining('Declined: not enough money on the card. Nothing was charged.'),
    ]);
    await attachCard('DESK-3', NEVER_ARRIVES);
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

  it('shows what a capture takes where the guard refuses more than is due', async () => {
    await makeBooking('DESK-DUE', GOOD);
    const time = new Date(Date.now() + 5 * 86_400_000).toISOString().slice(0, 16);
    const hold = { do: 'hold', amount: '500', purpose: 'Balance', card: '', time };
    await take(manager, 'DESK-DUE', hold);
    await take(manager, 'DESK-DUE', { ...hold, amount: '50' });
    const charge = { do: 'charge', amount: '400', purpose: 'Balance', card: '' };
    await take(manager, 'DESK-DUE', charge);
    await putDemo({ overchargeGuard: 'refuse' });
    const [first, second] = await transactionsOf('DESK-DUE');
    await ask(manager, 'DESK-DUE', { do: 'capture', chargeId: String(first?.id) });
    expect(words(manager)).toContain('AUD 200.00 of what is held is charged, and its fees');
    expect(words(manager)).toContain('Amount AUD 200.00 Fees AUD 6.19 Total charged AUD 206.19');
    await manager.post('/console/do', confirmFields(manager));
    expect((await transactionsOf('DESK-DUE'))[0]).toMatchObject({ amount: 206.19 });
    await ask(manager, 'DESK-DUE', { do: 'capture', chargeId: String(second?.id) });
    expect(words(manager)).toContain('The amount is more than is due.');
    expect(manager.page.html).not.toContain('action="/console/do"');
    await putDemo({ overchargeGuard: 'warn' });
  });

  it('says whether a refund makes the stay cost less', async () => {
    await makeBooking('DESK-WAIVE', GOOD);
    const charge = { do: 'charge', amount: '600', purpose: 'Balance', card: '' };
    await take(manager, 'DESK-WAIVE', charge);
    const [charged] = await transactionsOf('DESK-WAIVE');
    const form = { property: 'demo', reference: 'DESK-WAIVE', do: 'refund' };
    const asked = new URLSearchParams({ ...form, chargeId: String(charged?.id) });
    await manager.open(`/console/form?${asked.toString()}`);
    expect(words(manager)).toContain('Does the stay now cost less?');
    // Where all is paid, it does, unless somebody says otherwise.
    expect(manager.page.html).toMatch(/type="radio" name="waive" value="1" checked/);
    const refund = { do: 'refund', chargeId: String(charged?.id), amount: '100' };
    await ask(manager, 'DESK-WAIVE', refund);
    expect(words(manager)).toContain('The stay costs the same');
    await take(manager, 'DESK-WAIVE', { ...refund, waive: '1' });
    await manager.open('/console/booking?property=demo&reference=DESK-WAIVE');
    expect(words(manager)).toContain('Waived AUD 100.00 Due AUD 0.00');
  });

  it('marks the cards of a former account', async () => {
    const property = 'desk-moved';
    const token = await makeProperty(property);
    await putUser({ email: 'moved@hotel.com', role: 'manager', property });
    await makeBooking('MOVED', GOOD, { token });
    const details = { property, name: 'Moved', site: `${property}.test`, currency: 'AUD' };
    await callAsAdmin('/admin/v1/property/put', {
      ...details,
      timeZone: 'Australia/Perth',
      stripeAccount: 'acct_other',
    });
    const person = await signedIn('moved@hotel.com');
    await person.open(`/console/booking?property=${property}&reference=MOVED`);
    expect(words(person)).toContain('The booking’s card: Visa 4242, of a former account');
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

  it.each(['makeLink', 'mailLink', 'requestCard'])(
    'does once what one form asks for however often: %s',
    async (action) => {
      const reference = `DESK-ONCE-${action}`;
      await makeBooking(reference, GOOD);
      await ask(manager, reference, { do: action });
      const form = confirmFields(manager);
      const before = (await mailbox()).length;
      const presses = [manager.copy(), manager.copy(), manager.copy()];
      for (const person of presses) await person.post('/console/do', form);
      await Promise.all(
        [manager.copy(), manager.copy()].map((one) => one.post('/console/do', form)),
      );
      const links = presses.map(
        ({ page }) => /https?:[^"<\s]*\/guest\/v1\/payments\?[^"<\s]+/.exec(page.html)?.[0],
      );
      expect([presses.map(({ page }) => page.status), new Set(links).size]).toEqual([
        [200, 200, 200],
        1,
      ]);
      const noted = (await auditOf(reference)).filter((entry) => entry.includes(' links '));
      expect(noted).toHaveLength(1);
      // The mailer sends what is queued by its own alarm.
      await eventually(async () =>
        expect(await mailbox()).toHaveLength(before + (action === 'makeLink' ? 0 : 1)),
      );
      await call(
        '/booking/v1/create/manage-payments',
        bookingOf(reference, { status: 'cancelled' }),
      );
      await take(manager, reference, { do: action });
      expect([manager.page.status, words(manager)]).toEqual([
        409,
        expect.stringContaining('The booking is cancelled.'),
      ]);
    },
  );

  it('gives out a payment link that works, and asks for a card by mail, both noted', async () => {
    await makeBooking('DESK-7');
    await take(cashier, 'DESK-7', { do: 'makeLink' });
    const link = /href="(http[^"]*\/guest\/v1\/payments\?[^"]*)"/.exec(cashier.page.html)?.[1];
    const guest = manager.copy();
    await guest.open((link ?? '').replaceAll('&amp;', '&'));
    expect(guest.page.html).toContain('DESK-7');
    await take(cashier, 'DESK-7', { do: 'requestCard' });
    expect((await mailbox())[0]).toMatchObject({ to: 'guest@hotel.com' });
    await ask(cashier, 'DESK-7', { do: 'mailLink' });
    expect(words(cashier)).toContain('guest@hotel.com gets a mail with a link');
    await cashier.post('/console/do', confirmFields(cashier));
    expect(words(cashier)).toContain('The guest is mailed a payment link.');
    await mailsAreOut();
    const [{ subject, text } = { subject: '', text: '' }] = await mailbox();
    expect(subject).toBe('Your payment page for Demo Property (DESK-7)');
    await guest.open(/https?:\S+payments\?\S+/.exec(text)?.[0] ?? '');
    expect(guest.page.html).toContain('DESK-7');
    const noted = (await auditOf('DESK-7')).filter((entry) => entry.includes(' links '));
    expect(noted).toEqual([
      expect.stringContaining('links made'),
      expect.stringContaining('links card requested'),
      expect.stringContaining('links mailed'),
    ]);
  });
});

describe('who asks for a payment', () => {
  it.each([
    ['phone', 'as an order of the guest by phone or mail', 'phone'],
    ['property', 'as agreed when the card was saved (guest not present)', undefined],
    ['guest', 'as agreed when the card was saved (guest not present)', undefined],
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
    await makeBooking('DESK-9', NEVER_ARRIVES);
    await call('/payment/v1/create', { reference: 'DESK-9', amount: 10 });
    const [lost] = await transactionsOf('DESK-9');
    const chargeId = String(lost?.id);
    const verdict = { do: 'resolve', chargeId, outcome: 'Failed', reason: 'not on the statement' };
    await manager.open('/console/booking?property=demo&reference=DESK-9');
    expect(words(manager)).toContain('Resolve manually');
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
        expect.stringContaining('It was resolved manually.'),
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
    // What another amount would mend can be typed anew.
    expect(manager.page.html.includes('name="amount"')).toBe(action === 'refund');
  });

  it('says that a disputed charge cannot be refunded', async () => {
    await makeBooking('DESK-DISPUTED', GOOD);
    await call('/payment/v1/create', { reference: 'DESK-DISPUTED', amount: 100 });
    const [paid] = await transactionsOf('DESK-DISPUTED');
    const dispute = { action: 'dispute', property: 'demo', reference: 'DESK-DISPUTED' } as const;
    await callAsAdmin('/sandbox/v1/act', { ...dispute, chargeId: paid?.id ?? 0 });
    await eventually(async () =>
      expect(await transactionsOf('DESK-DISPUTED')).toMatchObject([{ dispute: expect.anything() }]),
    );
    const refund = { do: 'refund', chargeId: String(paid?.id), amount: '20' };
    await ask(manager, 'DESK-DISPUTED', refund);
    const why = 'The charge is disputed, so it cannot be refunded.';
    expect([manager.page.status, words(manager)]).toEqual([200, expect.stringContaining(why)]);
    expect(confirmFields(manager)).toEqual({});
  });
});

describe('rights', () => {
  it('let a cashier refund up to the limit in a day, and a manager any amount', async () => {
    await makeBooking('DESK-8', GOOD);
    for (const amount of [200, 100]) {
      await call('/payment/v1/create', { reference: 'DESK-8', amount, transactionType: 'Deposit' });
    }
    const [charge, other] = await transactionsOf('DESK-8');
    const refund = (amount: string, of = charge) => ({
      do: 'refund',
      chargeId: String(of?.id),
      amount,
    });
    const isRefused = (left: string) => {
      expect([cashier.page.status, words(cashier)]).toEqual([
        403,
        expect.stringContaining(
          `up to the limit of the property, AUD 50.00 of one booking in a day. AUD ${left} of that is left today.`,
        ),
      ]);
    };
    await ask(cashier, 'DESK-8', { ...refund('50.01'), description: 'No breakfast' });
    isRefused('50.00');
    // What was typed stays, to be put right.
    expect(cashier.page.html).toContain('value="50.01"');
    expect(cashier.page.html).toContain('value="No breakfast"');
    await take(cashier, 'DESK-8', refund('20'));
    expect(words(cashier)).toContain('The refund was made.');
    // Two forms, of two charges, pressed at once: together they exceed the limit.
    const forms: Record<string, string>[] = [];
    for (const of of [charge, other]) {
      await ask(cashier, 'DESK-8', refund('30', of));
      forms.push(confirmFields(cashier));
    }
    const twins = [cashier.copy(), cashier.copy()];
    await Promise.all(twins.map((twin, at) => twin.post('/console/do', forms[at] ?? {})));
    expect(twins.map(({ page }) => page.status).toSorted((one, two) => one - two)).toEqual([
      200, 403,
    ]);
    await cashier.post('/console/do', { ...forms[0], key: crypto.randomUUID() });
    isRefused('0.00');
    await take(manager, 'DESK-8', refund('60'));
    const made = (await transactionsOf('DESK-8')).flatMap(({ refunds }) => refunds);
    expect(made.map(({ amount }) => amount).toSorted((one, two) => one - two)).toEqual([
      20, 30, 60,
    ]);
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
      expect.stringMatching('Only (?:cashiers and )?managers can'),
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
