import { beforeAll, describe, expect, it } from 'vitest';
import { seeded } from '../../scripts/seed.ts';
import { boundsOf, selectSources, WHOLE_TIMELINE } from '../../src/desk/timelineStore.ts';
import { attachCard, bookingOf, call, makeProperty, testEnv } from '../support/api.ts';
import { GOOD, INSUFFICIENT_FUNDS } from '../support/cards.ts';
import { words } from '../support/console.ts';
import { used } from '../support/counting.ts';
import { Guest } from '../support/guest.ts';
import { EVENTS } from '../support/history.ts';
import { planOf } from '../support/plans.ts';
import { putUser, signedIn } from '../support/staff.ts';
import { story } from '../support/story.ts';

story({ silent: ['alarms', 'events', 'news', 'pms'] });

let manager: Guest;
let chargeId = 0;

async function book(reference: string, details: Record<string, unknown>): Promise<void> {
  const body = bookingOf(reference, details);
  const { json, status } = await call('/booking/v1/create/manage-payments', body);
  if (status !== 200) throw new Error(`no booking: ${JSON.stringify(json)}`);
}

/** Charges, declines, schedules and refunds of one booking, and other bookings beside it. */
beforeAll(async () => {
  await call('/webhook/v1/put', { url: 'https://engine.hotel.com/events' });
  await book('RES-7001', {
    firstName: 'An',
    lastName: 'Nguyen',
    email: 'An.Nguyen@hotel.com',
    pmsConfirmationNumber: 'PMS-88',
    totalCost: 600,
  });
  await book('RES-7002', { lastName: 'Nguyen-Smith', email: 'smith@hotel.com' });
  await book('OTHER-1', { lastName: 'Okafor', email: 'ok@hotel.com' });
  await attachCard('RES-7001', GOOD);
  const paid = await call('/payment/v1/create', {
    reference: 'RES-7001',
    amount: 150,
    transactionType: 'Deposit',
    isVirtualCard: false,
    description: 'Deposit',
  });
  chargeId = paid.json.transaction.id;
  await call('/refund/v1/create', { reference: 'RES-7001', chargeId, amount: 40 });
  await attachCard('RES-7001', INSUFFICIENT_FUNDS);
  await call('/payment/v1/create', { reference: 'RES-7001', amount: 100, description: 'More' });
  manager = await signedIn(seeded.manager.email);
});

const find = (typed: string) =>
  manager.open(
    `/console/property?${new URLSearchParams({ property: 'demo', q: typed }).toString()}`,
  );

describe('a booking is found', () => {
  it.each([GOOD, '4242 4242 4242 4242', `card ${GOOD}, please`])(
    'by the last digits of a card number that was pasted, which no page or address has: %s',
    async (typed) => {
      await find(typed);
      expect(words(manager)).toContain('RES-7001');
      expect(manager.page.html.replaceAll(/\D/g, '')).not.toContain(GOOD);
      expect(manager.page.path).not.toContain(GOOD.slice(0, 8));
      const line = new URLSearchParams({ property: 'demo', amount: typed, day: '2026-11-01' });
      await manager.open(`/console/bank-line?${line.toString()}`);
      expect(manager.page.html.replaceAll(/\D/g, '')).not.toContain(GOOD);
    },
  );

  it('by its own property’s staff alone', async () => {
    await makeProperty('elsewhere');
    await putUser({ email: 'far@hotel.com', role: 'manager', property: 'elsewhere' });
    const far = await signedIn('far@hotel.com');
    for (const path of [
      '/console/property?property=demo',
      '/console/property?property=demo&q=RES-7001',
      '/console/booking?property=demo&reference=RES-7001',
      '/console/booking?property=nowhere&reference=RES-7001',
      '/console/booking?property=elsewhere&reference=RES-7001',
      '/console/anything',
    ]) {
      await far.open(path);
      expect([path, far.page.status]).toEqual([path, 404]);
      expect(far.page.html).not.toContain('Nguyen');
    }
    const nobody = new Guest();
    await nobody.open('/console/booking?property=demo&reference=RES-7001');
    expect(nobody.page.html).toContain('We e-mail you a link');
  });
});

describe('a booking’s page', () => {
  const open = () => manager.open('/console/booking?property=demo&reference=RES-7001');

  it('shows what is owed, the payments, and all that happened with who did it', async () => {
    const { html, status } = await open();
    expect(status).toBe(200);
    const text = html.replaceAll(/<[^>]+>/g, ' ').replaceAll(/[\s\u00a0]+/g, ' ');
    for (const words of [
      'Guest An Nguyen',
      'Total AUD 600.00',
      'Paid, after refunds AUD 110.00',
      'Due AUD 490.00',
      'Declined: not enough money on the card',
      'Booking added By demo-engine',
      'Payment taken AUD 154.64 card 4242 By demo-engine',
      'Refunded −AUD 40.00 By demo-engine',
      'Payment declined AUD 103.09 card 9995 By demo-engine',
      'Waiting for the PMS: booking',
    ]) {
      expect(text).toContain(words);
    }
    expect(text).not.toContain('no answer yet');
    // What went out well says nothing new beside what happened.
    expect(text).not.toContain('Told the booking engine');
  });

  it('and the search each take two round trips to D1', async () => {
    expect((await used(open)).d1).toBe(2);
    expect((await used(() => find('RES-'))).d1).toBe(2);
  });

  it('tells of mails, events and what was not delivered, each on its own too', async () => {
    await testEnv.DB.batch([
      testEnv.DB.prepare(
        `INSERT INTO mails (id, property_id, booking_reference, kind, event_type, subject_kind, subject_id, status, created_at_ms, completed_at_ms)
         VALUES ('m1', 'demo', 'RES-7001', 'receipt', 'payment.accepted', 'charge', ?, 'Suppressed', 5, ?)`,
      ).bind(String(chargeId), Date.now()),
      testEnv.DB.prepare(
        `UPDATE webhook_deliveries SET status = 'Dead', due_at_ms = NULL, attempts = 11, last_status = 503
         WHERE event_number = (SELECT number FROM ${EVENTS} WHERE booking_reference = 'RES-7001' AND type = 'refund.refunded')`,
      ),
    ]);
    await open();
    for (const told of [
      'Mail to the guest, receipt: not sent: mail to this address came back AUD 154.64 card 4242',
      'refund.refunded (event 4) −AUD 40.00 delivery to engine.hotel.com given up after 11 attempts (answer 503)',
    ]) {
      expect(words(manager)).toContain(told);
    }
    for (const [kind, said, unsaid] of [
      ['payments', 'Payment taken', 'booking.saved'],
      ['refunds', 'Refunded −AUD 40.00 By', 'Payment taken'],
      ['disputes', 'There is nothing of this kind.', 'Payment taken'],
      ['booking', 'Booking added', 'Payment taken'],
      ['pms', 'the PMS: transaction', 'Payment taken'],
      ['mails', 'not sent', 'Payment taken'],
      ['events', 'booking.saved', 'Payment taken'],
      ['events', 'payment.declined (event 6) AUD 103.09 card 9995', 'Payment taken'],
    ] as const) {
      await manager.open(`/console/booking?property=demo&reference=RES-7001&kind=${kind}`);
      const [, timeline = ''] = words(manager).split('Timeline');
      expect([kind, timeline]).toEqual([kind, expect.stringContaining(said)]);
      expect([kind, timeline]).toEqual([kind, expect.not.stringContaining(unsaid)]);
    }
  });

  it('leads to earlier entries, and shows each once', async () => {
    await book('RES-7100', { lastName: 'Long' });
    for (let cost = 1; cost <= 45; cost += 1)
      await book('RES-7100', { lastName: 'Long', totalCost: cost });
    const seen: string[] = [];
    let next = '/console/booking?property=demo&reference=RES-7100&kind=events';
    while (next !== '') {
      await manager.open(next);
      seen.push(...[...manager.page.html.matchAll(/\(event \d+\)/g)].map(([one]) => one));
      const link = /href="([^"]*before=[^"]*)">Earlier entries/.exec(manager.page.html)?.[1] ?? '';
      next = link.replaceAll('&amp;', '&');
    }
    expect([seen.length, new Set(seen).size, seen[0]]).toEqual([46, 46, '(event 46)']);
  });

  it('weighs less than 30 KB, however many payments there are, and leads to the earlier ones', async () => {
    await book('RES-7200', { lastName: 'Heavy', totalCost: 5_000 });
    await attachCard('RES-7200', GOOD);
    const expiryTime = new Date(Date.now() + 5 * 86_400_000).toISOString();
    const ids: number[] = [];
    for (let amount = 1; amount <= 18; amount += 1) {
      const hold = { reference: 'RES-7200', amount, preAuth: true, expiryTime };
      ids.push((await call('/payment/v1/create', hold)).json.transaction.id);
    }
    const seen: number[] = [];
    let next = '/console/booking?property=demo&reference=RES-7200';
    while (next !== '') {
      await manager.open(next);
      expect(new TextEncoder().encode(manager.page.html).length).toBeLessThan(30 * 1024);
      const rows = manager.page.html.matchAll(/do=release&amp;chargeId=(\d+)/g);
      seen.push(...[...rows].map(([, id]) => Number(id)));
      const link = /href="([^"]*paymentsBefore=[^"]*)">Earlier payments/.exec(
        manager.page.html,
      )?.[1];
      next = (link ?? '').replaceAll('&amp;', '&');
    }
    expect(seen).toEqual(ids.toReversed());
  });

  it('reads each part of the timeline by the booking’s index', async () => {
    const sources = selectSources(
      { propertyId: 'demo', reference: 'RES-7001' },
      boundsOf(WHOLE_TIMELINE),
    );
    const plans = await Promise.all(sources.map(planOf));
    for (const plan of plans) expect(plan).not.toContain('SCAN');
    for (const [index, by] of [
      'history USING PRIMARY KEY (property_id=? AND booking_reference=?)',
      'outbox USING PRIMARY KEY (message_id=?)',
      'mails_by_booking (property_id=? AND booking_reference=?)',
      'history USING PRIMARY KEY (property_id=? AND booking_reference=?)',
      'webhook_deliveries_pending (endpoint_id=? AND booking_reference=?)',
    ].entries()) {
      expect(plans[index]).toContain(by);
    }
    const givenUp = 'webhook_deliveries_dead (endpoint_id=? AND booking_reference=?)';
    expect(plans.at(-1)).toContain(givenUp);
  });
});
