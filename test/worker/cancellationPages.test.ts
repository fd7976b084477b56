/** Cancelling on pages: at the desk with the quote as preview, and by the guest where the property allows it. */
import { beforeAll, describe, expect, it } from 'vitest';
import { seeded } from '../../scripts/seed.ts';
import { attachCard, call, callAsAdmin, testEnv, transactionsOf } from '../support/api.ts';
import {
  applied,
  bookedWith,
  cancellationOf,
  settlementOf,
  unsettled,
} from '../support/cancellation.ts';
import { GOOD, LOST_CARD, OTHER_GOOD } from '../support/cards.ts';
import { ask, confirmFields, words } from '../support/console.ts';
import { enterCard, type Guest, visit } from '../support/guest.ts';
import { disagreements } from '../support/oracle.ts';
import { SETTINGS } from '../support/recoverySettings.ts';
import { signedIn } from '../support/staff.ts';
import { story } from '../support/story.ts';

story({ silent: ['pms', 'alarms'] });

let manager: Guest;
let cashier: Guest;

const put = (change: object) =>
  callAsAdmin('/admin/v1/property/put', {
    property: 'demo',
    name: 'Demo Property',
    site: 'demo.localhost',
    currency: 'AUD',
    timeZone: 'Australia/Perth',
    ...change,
  });

beforeAll(async () => {
  manager = await signedIn(seeded.manager.email);
  cashier = await signedIn(seeded.desk.email);
});

describe('at the desk', () => {
  it('a manager sees what it comes to, and does exactly that', async () => {
    await bookedWith('PAGE-1', { percent: 50 });
    await attachCard('PAGE-1', GOOD);
    await call('/payment/v1/create', { reference: 'PAGE-1', amount: 100 });
    await ask(manager, 'PAGE-1', { do: 'cancelBooking', reason: 'guest', amount: '', why: '' });
    expect(words(manager)).toContain('AUD 300.00 is kept; AUD 100.00 is paid so far.');
    expect(words(manager)).toContain('AUD 206.19 is charged to Visa');
    expect(await transactionsOf('PAGE-1')).toHaveLength(1);
    await manager.post('/console/do', confirmFields(manager));
    expect(await settlementOf('PAGE-1')).toMatchObject({ status: 'settled', kept: 300 });
    expect(words(manager)).toContain('Cancellation settled');
    expect(await disagreements('PAGE-1')).toEqual([]);
  });

  it('a manager sees to which card money goes back', async () => {
    await bookedWith('PAGE-GIVEN', { percent: 50 });
    await attachCard('PAGE-GIVEN', GOOD);
    await call('/payment/v1/create', { reference: 'PAGE-GIVEN', amount: 400 });
    await attachCard('PAGE-GIVEN', OTHER_GOOD);
    await ask(manager, 'PAGE-GIVEN', { do: 'cancelBooking', reason: 'guest', amount: '', why: '' });
    expect(words(manager)).toContain('AUD 100.00 goes back to Visa 4242.');
  });

  it('another amount takes a reason, and a cashier cancels nothing', async () => {
    await bookedWith('PAGE-2', { percent: 50 });
    await ask(manager, 'PAGE-2', { do: 'cancelBooking', reason: 'noShow', amount: '10', why: '' });
    expect(words(manager)).toContain('Enter a reason');
    await ask(manager, 'PAGE-2', {
      do: 'cancelBooking',
      reason: 'noShow',
      amount: '0',
      why: 'ill',
    });
    await manager.post('/console/do', confirmFields(manager));
    expect(await settlementOf('PAGE-2')).toMatchObject({ status: 'settled', kept: 0 });
    await bookedWith('PAGE-3', { percent: 50 });
    await ask(cashier, 'PAGE-3', { do: 'cancelBooking', reason: 'guest', amount: '', why: '' });
    expect(words(cashier)).toContain('Only managers can cancel bookings.');
    expect(await settlementOf('PAGE-3')).toBeUndefined();
  });
});

describe('the report', () => {
  /** What cancellations came to by reason, in its file: their number, kept, charged, refunded, not collected. */
  async function reported(): Promise<Record<string, readonly number[]>> {
    const path = '/console/report?property=demo&format=csv&table=cancellations';
    const [, ...lines] = (await manager.open(path)).html.trim().split('\r\n');
    const fields = lines.map((line) => line.split(',').map((field) => field.replaceAll('"', '')));
    return Object.fromEntries(
      fields.map(([_day, reason = '', ...numbers]) => [reason, numbers.slice(0, 5).map(Number)]),
    );
  }

  it('sums up what cancellations came to by reason, and what agencies’ cards paid', async () => {
    const before = await reported();
    await bookedWith('REP-1', { amount: 100 });
    const [cardNumber, cardExpiry] = [GOOD, '12/2030'];
    const virtualCard = { activeFrom: '2020-01-01T00:00:00Z', channel: 'Best Agency' };
    const agencys = { reference: 'REP-1', cardNumber, cardExpiry, virtualCard };
    expect((await call('/payment/v1/tokenize', agencys)).status).toBe(200);
    await call('/payment/v1/create', { reference: 'REP-1', amount: 400 });
    await bookedWith('REP-2', { amount: 70 });
    await attachCard('REP-2', LOST_CARD);
    await bookedWith('REP-3', { amount: 30 });
    await attachCard('REP-3', GOOD);
    for (const [reference, reason] of [
      ['REP-1', 'guest'],
      ['REP-2', 'noShow'],
      ['REP-3', 'noShow'],
    ] as const) {
      const quote = await cancellationOf(reference, { reason });
      await applied(reference, quote.cancellationQuoteId);
    }
    const after = await reported();
    const added = (reason: string) =>
      after[reason]?.map((value, at) => value - (before[reason]?.[at] ?? 0));
    expect(added('The guest cancelled')).toEqual([1, 100, 0, 300, 0]);
    expect(added('The guest did not come')).toEqual([2, 30, 30, 0, 70]);
    const { html } = await manager.open('/console/report?property=demo');
    expect(html).toContain('Best Agency');
    expect(html).toMatch(/agency=Best(\+|%20)Agency/);
    const { html: behind } = await manager.open(
      '/console/payments?property=demo&of=taken&currency=AUD&agency=Best+Agency',
    );
    expect(behind).toContain('REP-1');
    expect(behind).not.toContain('REP-3');
  });
});

describe('a guest', () => {
  it('reads the policy, and cancels where the property allows it', async () => {
    const text = 'Half of the stay is kept.';
    const rules = [{ keep: { percent: 50 } }];
    await bookedWith('PAGE-4', {}, { cancellationPolicy: { rules, text } });
    await attachCard('PAGE-4', GOOD);
    await call('/payment/v1/create', { reference: 'PAGE-4', amount: 600 });
    const guest = await visit('PAGE-4');
    const home = guest.page.path;
    expect(guest.page.html).toContain(text);
    expect(guest.page.html).not.toContain('Cancel this booking');
    expect((await guest.open(`${home}/cancel`)).html).not.toContain('Cancel this booking?');
    await put({ guestCancellation: true });
    expect((await guest.open(home)).html).toContain('Cancel this booking');
    const asked = await guest.open(`${home}/cancel`);
    expect(asked.html).toContain('keeps');
    expect(asked.html).toContain('<bdi>PAGE-4</bdi>');
    expect(words(guest)).toContain(
      'AUD 300.00 is refunded to you. The card fee of AUD 18.56 is not refunded.',
    );
    // What was shown no longer holds: it is shown again.
    await call('/refund/v1/create', { reference: 'PAGE-4', amount: 1 });
    const again = await guest.submit();
    expect([again.status, again.html.includes('Something has changed')]).toEqual([409, true]);
    await guest.submit();
    expect(await settlementOf('PAGE-4')).toMatchObject({ status: 'settled', kept: 300 });
    await guest.open(home);
    expect(words(guest)).toMatch(
      /Your booking is cancelled .{0,5}Demo Property.? keeps AUD 300.00 for the cancellation. There is nothing to pay here./,
    );
    expect((await guest.open(`${home}/cancel`)).html).not.toContain('Cancel this booking?');
    expect(await unsettled('PAGE-4')).toEqual([]);
    const [payment] = await transactionsOf('PAGE-4');
    expect((await guest.open(`${home}/receipt/${payment?.id}`)).html).not.toContain('Still due');
    // What they agreed to is kept, once, with the words of the page.
    const { results } = await testEnv.DB.prepare(
      "SELECT language, words FROM guest_acts WHERE booking_reference = 'PAGE-4' AND kind = 'policy'",
    ).all<Record<'language' | 'words', string>>();
    expect(results).toHaveLength(1);
    expect(results[0]?.language).toBe('en');
    for (const said of [text, 'keeps', '300.00', 'This cannot be undone.']) {
      expect(results[0]?.words).toContain(said);
    }
    await put({ guestCancellation: false });
  });

  it('without a card reads before and after that they still owe what is kept', async () => {
    await put({ guestCancellation: true });
    await bookedWith('PAGE-6', { amount: 480 });
    const guest = await visit('PAGE-6');
    const owed = /AUD 480.00 is still to be paid: .?Demo Property.? will contact you./;
    await guest.open(`${guest.page.path}/cancel`);
    expect(words(guest)).toMatch(owed);
    await guest.submit();
    expect(words(guest)).toMatch(owed);
    expect(words(guest)).not.toContain('There is nothing to pay here');
    expect(words(guest)).not.toContain('If you did not cancel this booking');
    await put({ guestCancellation: false });
  });

  it('reads sums that add up to what is due, and of no payment before as just made', async () => {
    await bookedWith('PAGE-7', { amount: 200 });
    const guest = await visit('PAGE-7');
    const home = guest.page.path;
    await enterCard(guest, GOOD);
    await guest.submit();
    await guest.open(home);
    expect(words(guest)).toContain('Payment successful: AUD 618.56');
    const quote = await cancellationOf('PAGE-7');
    await applied('PAGE-7', quote.cancellationQuoteId);
    await guest.open(home);
    expect(words(guest)).not.toContain('Payment successful');
    expect(words(guest)).toContain(
      'Kept for the cancellation AUD 200.00 Card fees AUD 18.56 Paid so far −AUD 618.56 Refunded AUD 400.00 Due AUD 0.00',
    );
  });

  it('reads what is kept, and not that there is nothing to pay, while a card is asked for', async () => {
    await put({ cardRecovery: SETTINGS });
    await bookedWith('PAGE-5', { amount: 80 });
    await attachCard('PAGE-5', LOST_CARD);
    const quote = await cancellationOf('PAGE-5', { reason: 'noShow' });
    await applied('PAGE-5', quote.cancellationQuoteId);
    const guest = await visit('PAGE-5');
    expect(words(guest)).toContain('keeps AUD 80.00 for the cancellation.');
    expect(words(guest)).not.toContain('There is nothing to pay here');
    expect(words(guest)).toContain('If you did not cancel this booking');
    const home = guest.page.path;
    await enterCard(guest, GOOD);
    // What they pay for the cancellation is told as just made.
    await guest.open(home);
    expect(words(guest)).toContain('Payment successful: AUD 82.47');
    expect(words(guest)).toContain('There is nothing to pay here');
    await put({ cardRecovery: null });
  });
});
