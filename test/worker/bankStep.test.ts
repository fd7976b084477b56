/** A guest's payment whose bank wants to verify them, in the sandbox (interface: The bank's step). */
import { describe, expect, it } from 'vitest';
import { seeded } from '../../scripts/seed.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../src/core/time.ts';
import {
  bookingOf,
  call,
  callAsAdmin,
  ledgerOf,
  makeBooking,
  transactionsOf,
} from '../support/api.ts';
import { allow, bankUrlIn, cancelPayment, refuse, toBank } from '../support/bank.ts';
import { ASKS_GUEST, GOOD, NEVER_ARRIVES } from '../support/cards.ts';
import { words } from '../support/console.ts';
import { eventually } from '../support/eventually.ts';
import { breakSpan, sweepAt, wakeAt } from '../support/faults.ts';
import { enterCard, type Guest, visit } from '../support/guest.ts';
import { disagreements } from '../support/oracle.ts';
import { signedIn } from '../support/staff.ts';
import { story } from '../support/story.ts';

story({ silent: ['alarms'] });

const TOMORROW = new Date(Date.now() + DAY_MS).toISOString();

/** A guest before the page that asks them to confirm a payment of 600.00 at their bank. */
async function atTheStep(reference: string, details: Record<string, unknown> = {}): Promise<Guest> {
  await call('/booking/v1/create/manage-payments', bookingOf(reference, details));
  const guest = await visit(reference);
  await enterCard(guest, ASKS_GUEST);
  await guest.submit();
  return guest;
}

async function statusesOf(reference: string): Promise<string[]> {
  return (await transactionsOf(reference)).map(({ status }: { status: string }) => status);
}

/** What the acquirer took for a booking. */
async function takenOf(reference: string): Promise<number> {
  const entries = await ledgerOf(reference);
  return entries.filter(({ kind, status }) => kind === 'charge' && status === 'succeeded').length;
}

const homeOf = (guest: Guest) => guest.page.path.replace(/\/(?:receipt|review).*/, '');

describe('a payment that the guest has to confirm', () => {
  it('leads to the bank, and is nothing but open until then', async () => {
    const guest = await atTheStep('STEP-1');
    expect(guest.page.status).toBe(200);
    expect(guest.page.html).toContain('Your bank needs to verify it&#39;s you.');
    expect(guest.page.html).toContain('Continue to your bank');
    expect(guest.page.html).toContain('Please confirm within 30 minutes.');
    expect(await transactionsOf('STEP-1')).toMatchObject([
      { status: 'Processing', initiator: 'guest' },
    ]);
    expect(await ledgerOf('STEP-1')).toMatchObject([{ kind: 'charge', status: 'pending' }]);
    const listed = await call('/payment/v1/list', { status: 'Processing' });
    expect(listed.json.transactions).toMatchObject([{ bookingReference: 'STEP-1' }]);
    const desk = await signedIn(seeded.desk.email);
    await desk.open('/console/booking?property=demo&reference=STEP-1');
    expect(words(desk)).toContain('Waiting for the guest AUD 600.00 due, nothing to pay now');
  });

  it('is charged once when it is allowed', async () => {
    const guest = await atTheStep('STEP-2');
    await toBank(guest);
    expect(guest.page.html.match(/<button/g)).toHaveLength(2);
    await allow(guest);
    expect(guest.page.path).toContain('/receipt/');
    expect(guest.page.html).toContain('Payment successful');
    expect(await statusesOf('STEP-2')).toEqual(['Accepted']);
    expect(await disagreements('STEP-2')).toEqual([]);
  });

  it('is declined when it is refused, and can be paid again', async () => {
    const guest = await atTheStep('STEP-3');
    await toBank(guest);
    await refuse(guest);
    expect(guest.page.html).toContain('You can pay again and confirm it there.');
    expect(guest.page.html).toContain('You were not charged.');
    expect(await statusesOf('STEP-3')).toEqual(['Declined']);
    await guest.open(homeOf(guest));
    await guest.submit();
    await toBank(guest);
    await allow(guest);
    expect(await statusesOf('STEP-3')).toEqual(['Declined', 'Accepted']);
    expect(await disagreements('STEP-3')).toEqual([]);
  });

  it('is charged once however often and in whatever order pages are sent again', async () => {
    const guest = await atTheStep('STEP-4');
    const { path: step } = guest.page;
    const bank = await toBank(guest);
    await guest.open(step);
    expect(guest.page.html).toContain('Continue to your bank');
    await guest.open(bank.path);
    await allow(guest);
    await guest.open(step);
    expect(guest.page.html).toContain('Payment successful');
    await guest.open(bank.path);
    expect(guest.page.html).toContain('You allowed this payment');
    await guest.post(bank.path, { decision: 'refuse' });
    expect(guest.page.html).toContain('Payment successful');
    await guest.post(`${step}/cancel`, {});
    expect(guest.page.html).toContain('Payment successful');
    expect(await takenOf('STEP-4')).toBe(1);
    expect(await statusesOf('STEP-4')).toEqual(['Accepted']);
  });

  it('stays declined when the other tab allows it afterwards', async () => {
    const guest = await atTheStep('STEP-5');
    const bank = await toBank(guest);
    await refuse(guest);
    await guest.post(bank.path, { decision: 'allow' });
    expect(await takenOf('STEP-5')).toBe(0);
    expect(await statusesOf('STEP-5')).toEqual(['Declined']);
  });

  it('is the same payment after the back button: the form that was sent leads to it again', async () => {
    await call('/booking/v1/create/manage-payments', bookingOf('STEP-6'));
    const guest = await visit('STEP-6');
    await enterCard(guest, ASKS_GUEST);
    const form = guest.page;
    await guest.submit();
    await guest.open(form.path);
    // What is open cannot be paid again, and the page leads to it.
    expect(guest.page.html).toContain('Continue or cancel this payment');
    Object.assign(guest.page, form);
    await guest.submit();
    expect(guest.page.html).toContain('Continue to your bank');
    expect(await statusesOf('STEP-6')).toEqual(['Processing']);
  });

  it('is told to a guest who comes back by their link', async () => {
    await atTheStep('STEP-7');
    const later = await visit('STEP-7');
    expect(later.page.html).toContain('is not finished: your bank needs to verify it');
    expect(later.page.html).toContain('nothing to pay right now');
    const [, path = ''] = /href="([^"]+\/receipt\/\d+)"/.exec(later.page.html) ?? [];
    await later.open(path);
    await toBank(later);
    await allow(later);
    expect(later.page.html).toContain('Payment successful');
  });

  it('is told to a guest who would cancel the booking, with the way on', async () => {
    const property = { property: 'demo', name: 'Demo Property', site: 'demo.localhost' };
    const where = { currency: 'AUD', timeZone: 'Australia/Perth' };
    const put = (guestCancellation: boolean) =>
      callAsAdmin('/admin/v1/property/put', { ...property, ...where, guestCancellation });
    await put(true);
    const guest = await atTheStep('STEP-10', {
      cancellationPolicy: { rules: [{ keep: { nothing: true } }] },
    });
    await guest.open(`${homeOf(guest)}/cancel`);
    expect(words(guest)).toContain('The booking cannot be cancelled right now.');
    expect(words(guest)).toContain('Continue or cancel this payment');
    await put(false);
  });

  it('is known here although the guest closes the page at the bank', async () => {
    const guest = await atTheStep('STEP-8');
    const bank = await toBank(guest);
    await guest.post(bank.path, { decision: 'allow' }, {}, { follow: false });
    await eventually(async () => expect(await statusesOf('STEP-8')).toEqual(['Accepted']));
  });

  it('ends when the guest gives it up, and can be paid with another card then', async () => {
    const guest = await atTheStep('STEP-9');
    const bank = bankUrlIn(guest.page.html);
    await cancelPayment(guest);
    expect(guest.page.html).toContain('The payment was cancelled. You were not charged.');
    expect(await transactionsOf('STEP-9')).toMatchObject([{ status: 'Declined' }]);
    await guest.open(guest.page.path);
    expect(guest.page.html).toContain('not confirmed – you were not charged');
    await guest.post(bank, { decision: 'allow' });
    expect(await takenOf('STEP-9')).toBe(0);
    await enterCard(guest, GOOD);
    await guest.submit();
    expect(await statusesOf('STEP-9')).toEqual(['Declined', 'Accepted']);
  });
});

describe('a payment that the guest abandons', () => {
  it('is cancelled at the acquirer after half an hour, and only then', async () => {
    await atTheStep('GONE-1');
    const startedMs = Date.now();
    await sweepAt(startedMs + 28 * MINUTE_MS);
    expect(await statusesOf('GONE-1')).toEqual(['Processing']);
    await sweepAt(startedMs + 33 * MINUTE_MS);
    expect(await statusesOf('GONE-1')).toEqual(['Declined']);
    expect(await ledgerOf('GONE-1')).toMatchObject([{ kind: 'charge', status: 'declined' }]);
    const back = await visit('GONE-1');
    expect(back.page.html).toContain('not confirmed – you were not charged');
    expect(back.page.html).not.toContain('nothing to pay right now');
  });

  it('is accepted if the acquirer took it in the last moment', async () => {
    const guest = await atTheStep('GONE-2');
    const bank = await toBank(guest);
    // The acquirer's news does not arrive, and the guest does not come back.
    const restore = breakSpan('object.booking');
    await guest.post(bank.path, { decision: 'allow' }, {}, { follow: false });
    restore();
    await wakeAt('GONE-2', Date.now() + 31 * MINUTE_MS);
    expect(await statusesOf('GONE-2')).toEqual(['Accepted']);
    expect(await disagreements('GONE-2')).toEqual([]);
  });

  it('is open as long as the acquirer does not say that it is cancelled', async () => {
    await atTheStep('GONE-3');
    const restore = breakSpan('gateway.abandon');
    await wakeAt('GONE-3', Date.now() + 31 * MINUTE_MS);
    restore();
    expect(await statusesOf('GONE-3')).toEqual(['Processing']);
    await wakeAt('GONE-3', Date.now() + 32 * MINUTE_MS);
    expect(await statusesOf('GONE-3')).toEqual(['Declined']);
  });

  it('is given up while the acquirer does not answer: cancelled as soon as it does', async () => {
    const guest = await atTheStep('GONE-5');
    const restore = breakSpan('gateway.lookUp');
    await cancelPayment(guest);
    restore();
    expect(await statusesOf('GONE-5')).toEqual(['Processing']);
    await wakeAt('GONE-5', Date.now() + 3 * MINUTE_MS);
    expect(await statusesOf('GONE-5')).toEqual(['Declined']);
  });

  it('is given up after its request was lost: never sent again', async () => {
    await call('/booking/v1/create/manage-payments', bookingOf('GONE-6'));
    const guest = await visit('GONE-6');
    await enterCard(guest, NEVER_ARRIVES);
    await guest.submit();
    await cancelPayment(guest);
    for (const hours of [1, 24, 26]) await wakeAt('GONE-6', Date.now() + hours * HOUR_MS);
    expect([await statusesOf('GONE-6'), await takenOf('GONE-6')]).toEqual([['Failed'], 0]);
    expect(await disagreements('GONE-6')).toEqual([]);
  });

  it('ends with its booking', async () => {
    await atTheStep('GONE-4');
    await call('/booking/v1/create/manage-payments', bookingOf('GONE-4', { status: 'cancelled' }));
    await wakeAt('GONE-4', Date.now() + 31 * MINUTE_MS);
    expect(await statusesOf('GONE-4')).toEqual(['Declined']);
  });
});

describe('who pays', () => {
  it('is never a guest over the interface', async () => {
    await makeBooking('WHO-1', GOOD);
    for (const [path, more] of [
      ['/payment/v1/create', {}],
      ['/payment/v1/create', { preAuth: true, expiryTime: TOMORROW }],
      ['/payment/v1/schedule', { time: TOMORROW }],
    ] as const) {
      const body = { reference: 'WHO-1', amount: 10, initiator: 'guest', ...more };
      const { status, json } = await call(path, body);
      expect([status, json.code, json.errors.map((one: { field: string }) => one.field)]).toEqual([
        422,
        'validation_failed',
        ['initiator'],
      ]);
    }
  });

  it.each([
    [undefined, undefined],
    ['property', undefined],
    ['phone', 'phone'],
  ])('is listed where it is not the property by itself: %s', async (initiator, listed) => {
    const reference = `WHO ${initiator}`;
    await makeBooking(reference, GOOD);
    const { status, json } = await call('/payment/v1/create', { reference, amount: 10, initiator });
    expect([status, Object.keys(json.transaction).includes('initiator')]).toEqual([200, false]);
    expect((await transactionsOf(reference))[0]?.initiator).toBe(listed);
  });

  it.each(['property', 'phone'])(
    'cannot be asked by a bank, so that its question is a decline: %s',
    async (initiator) => {
      const reference = `ASKS ${initiator}`;
      await makeBooking(reference, ASKS_GUEST);
      const body = { reference, amount: 10, initiator };
      const { status, json } = await call('/payment/v1/create', body);
      expect([status, json]).toMatchObject([
        402,
        { declineCode: 'authentication_required', retryable: false },
      ]);
      expect(await ledgerOf(reference)).toMatchObject([{ status: 'declined' }]);
    },
  );

  it('is nobody when a schedule fires: the bank’s question ends it', async () => {
    await makeBooking('WHO-3', ASKS_GUEST);
    await call('/payment/v1/schedule', { reference: 'WHO-3', amount: 10, time: TOMORROW });
    await wakeAt('WHO-3', Date.parse(TOMORROW));
    expect(await transactionsOf('WHO-3')).toMatchObject([{ status: 'Declined', attempts: 1 }]);
  });

  it('is not offered the card that came over the interface: a guest enters it anew', async () => {
    await makeBooking('WHO-2', ASKS_GUEST);
    const guest = await visit('WHO-2');
    expect(guest.page.html).toContain('name="cardNumber"');
    expect(guest.page.html).not.toContain('type="radio" name="card"');
  });
});

describe('the hold that the network of a card gives', () => {
  it.each([
    ['4242424242424242', 29, undefined],
    ['4111111111111111', 7, ['authorization_lapses_before_expiry']],
  ])('is told as holdUntil: %s', async (number, days, warnings) => {
    const reference = `HOLD ${days}`;
    await makeBooking(reference, number);
    const nowMs = Date.now();
    const expiryTime = new Date(nowMs + 29 * DAY_MS).toISOString();
    const { json } = await call('/payment/v1/create', {
      reference,
      amount: 10,
      preAuth: true,
      expiryTime,
    });
    expect(json.transaction).toMatchObject({ status: 'Authorized', expiryTime });
    expect(json.warnings).toEqual(warnings);
    const lastsDays = (Date.parse(json.transaction.holdUntil ?? '') - nowMs) / DAY_MS;
    expect(Math.round(lastsDays)).toBe(days);
  });
});

describe('the pages of the bank', () => {
  it('are there for payments that are open only', async () => {
    const guest = await atTheStep('BANK-1');
    const bank = bankUrlIn(guest.page.html);
    await guest.open(bank.replace(/\w{48}$/, '0'.repeat(48)));
    expect(guest.page.status).toBe(404);
    await guest.post(bank, { decision: 'perhaps' });
    expect(guest.page.status).toBe(422);
    await guest.post(bank, { decision: 'allow' }, { 'Sec-Fetch-Site': 'cross-site' });
    expect(guest.page.status).toBe(403);
    expect(await takenOf('BANK-1')).toBe(0);
  });

  it('say so when something went wrong', async () => {
    const guest = await atTheStep('BANK-2');
    const restore = breakSpan('object.sandbox');
    await toBank(guest);
    restore();
    expect(guest.page.status).toBe(500);
    expect(guest.page.html).toContain('Something went wrong');
  });
});

describe('the clock of a property', () => {
  it('ends a payment that nobody confirmed', async () => {
    await atTheStep('CLOCK-1');
    const to = new Date(Date.now() + 40 * MINUTE_MS).toISOString();
    await callAsAdmin('/sandbox/v1/clock/advance', { property: 'demo', to });
    expect(await statusesOf('CLOCK-1')).toEqual(['Declined']);
  });
});
