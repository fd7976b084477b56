/**
 * What a guest does, cut off at every place where it leaves the Worker's or the booking's memory: whatever the guest
 * does next, a card is there once and a payment was made once.
 */
import { describe, expect, it } from 'vitest';
import { DAY_MS } from '../../src/core/time.ts';
import type { SpanName } from '../../src/platform/trace.ts';
import { bookingOf, call, makeBooking, testEnv, transactionsOf } from '../support/api.ts';
import { GOOD } from '../support/cards.ts';
import { faultKinds, placesOf, spansOf, sweepFrom, withFault } from '../support/faults.ts';
import { enterCard, Guest, savedForm, typedCard, visit } from '../support/guest.ts';
import { AUDIT } from '../support/history.ts';
import { newestLink } from '../support/mailbox.ts';
import { disagreements } from '../support/oracle.ts';
import { story } from '../support/story.ts';

story({ silent: ['pms'] });

const seen = new Set<SpanName>();

async function cardsOf(reference: string): Promise<number> {
  const { json } = await call('/booking/v1/get-details', { reference });
  return json.booking.payment.length;
}

/** What the schedule takes once the guest paid a part: the 500 that stay due, with the card fee. */
const LOWERED = 515.46;

/** A guest before the page that shows the price. */
async function beforePaying(reference: string): Promise<Guest> {
  await makeBooking(reference, GOOD);
  // Too much once the guest has paid: the payment lowers it to what stays due.
  const time = new Date(Date.now() + 30 * DAY_MS).toISOString();
  await call('/payment/v1/schedule', { reference, amount: 550, time });
  const guest = await visit(reference);
  await enterCard(guest, GOOD);
  // A part: what is still due would not keep it from being paid twice.
  await guest.submit({ amount: '100' });
  return guest;
}

describe('a payment', () => {
  it.each(faultKinds)('is made once however often it is sent again: %s', async (kind) => {
    const clean = await beforePaying(`PAY ${kind}`);
    const crossed = await spansOf(() => clean.submit());
    for (const { boundary } of crossed) seen.add(boundary);
    const wrong: string[] = [];
    for (const { index, boundary } of placesOf(kind, crossed)) {
      const reference = `PAY ${kind} ${index}`;
      const guest = await beforePaying(reference);
      const review = guest.page;
      await withFault(index, kind, () => guest.submit());
      await sweepFrom(Date.now(), 3, 20);
      await guest.open(review.path);
      // Paid already, or to be paid now; by the same form as before.
      if (guest.page.html.includes('Check and pay')) await guest.submit();
      await sweepFrom(Date.now(), 3, 20);
      const transactions = await transactionsOf(reference);
      const [schedule] = transactions;
      const found = [...(await disagreements(reference))];
      const accepted = transactions.filter(({ status }) => status === 'Accepted');
      if (accepted.length !== 1) found.push(`paid ${accepted.length} times`);
      if (schedule?.status !== 'Pending' || schedule.amount !== LOWERED) {
        found.push(`the schedule is ${schedule?.status} ${schedule?.amount}`);
      }
      wrong.push(...found.map((what) => `${kind} at ${index} ${boundary}: ${what}`));
    }
    expect(wrong).toEqual([]);
  });
});

describe('a card', () => {
  it.each(faultKinds)('is attached once or not at all, and can be added then: %s', async (kind) => {
    await makeBooking(`CARD ${kind}`);
    const clean = await visit(`CARD ${kind}`);
    const crossed = await spansOf(() => enterCard(clean, GOOD));
    for (const { boundary } of crossed) seen.add(boundary);
    const wrong: string[] = [];
    for (const { index, boundary } of placesOf(kind, crossed)) {
      const reference = `CARD ${kind} ${index}`;
      await makeBooking(reference);
      const guest = await visit(reference);
      const home = guest.page.path;
      const form = { ...typedCard(GOOD), ...savedForm() };
      await withFault(index, kind, () => guest.post(`${home}/card`, form));
      const first = await cardsOf(reference);
      await guest.open(home);
      await enterCard(guest, GOOD);
      const second = await cardsOf(reference);
      if (first > 1 || second !== first + 1) {
        wrong.push(`${kind} at ${index} ${boundary}: ${first}, then ${second} cards`);
      }
    }
    expect(wrong).toEqual([]);
  });
});

describe('a card that is removed', () => {
  it.each(faultKinds)('is removed once, wherever it broke off: %s', async (kind) => {
    const withCard = async (reference: string): Promise<[Guest, string]> => {
      await makeBooking(reference, GOOD);
      const guest = await visit(reference);
      await enterCard(guest, GOOD);
      const token = /remove\?card=(\w+)/.exec(guest.page.html)?.[1] ?? '';
      return [guest, token];
    };
    const remove = (guest: Guest, card: string) =>
      guest.post(`${guest.page.path.split('?')[0]}/remove`, { card });
    const [clean, cleanCard] = await withCard(`GONE ${kind}`);
    const crossed = await spansOf(() => remove(clean, cleanCard));
    for (const { boundary } of crossed) seen.add(boundary);
    const wrong: string[] = [];
    for (const { index, boundary } of placesOf(kind, crossed)) {
      const reference = `GONE ${kind} ${index}`;
      const [guest, card] = await withCard(reference);
      const home = guest.page.path;
      await withFault(index, kind, () => remove(guest, card));
      await guest.open(home);
      await remove(guest, card);
      const entries = await testEnv.DB.prepare(
        `SELECT count(*) AS n FROM ${AUDIT} WHERE booking_reference = ? AND to_state = 'removed'`,
      )
        .bind(reference)
        .first<number>('n');
      const left = await cardsOf(reference);
      if (!guest.page.html.includes('Card removed.') || entries !== 1 || left !== 1) {
        wrong.push(`${kind} at ${index} ${boundary}: ${left} left, ${entries} entries`);
      }
    }
    expect(wrong).toEqual([]);
  });
});

describe('the card of a request', () => {
  it.each(faultKinds)('is taken once, with its request: %s', async (kind) => {
    const ask = async (reference: string): Promise<Guest> => {
      // Each booking's guest has an address of their own: one guest gets five requests an hour.
      const email = `${crypto.randomUUID()}@hotel.com`;
      await call('/booking/v1/create/manage-payments', bookingOf(reference, { email }));
      await call('/payment/v1/request-card-details', { reference });
      const guest = new Guest();
      await guest.open(await newestLink());
      return guest;
    };
    const clean = await ask(`ASK ${kind}`);
    const crossed = await spansOf(() => clean.submit(typedCard(GOOD)));
    for (const { boundary } of crossed) seen.add(boundary);
    const wrong: string[] = [];
    for (const { index, boundary } of placesOf(kind, crossed)) {
      const reference = `ASK ${kind} ${index}`;
      const guest = await ask(reference);
      const { path } = guest.page;
      await withFault(index, kind, () => guest.submit(typedCard(GOOD)));
      await guest.open(path);
      if (guest.page.html.includes('<form')) await guest.submit(typedCard(GOOD));
      const cards = await cardsOf(reference);
      const completed = await testEnv.DB.prepare(
        'SELECT status FROM card_requests WHERE booking_reference = ?',
      )
        .bind(reference)
        .first<string>('status');
      if (cards !== 1 || completed !== 'Completed') {
        wrong.push(`${kind} at ${index} ${boundary}: ${cards} cards, ${completed}`);
      }
    }
    expect(wrong).toEqual([]);
  });
});

describe('the spanNames of a guest', () => {
  it('are all tried', () => {
    expect([...seen]).toEqual(
      expect.arrayContaining([
        'd1.card.attach',
        'd1.card.save',
        'd1.cardEntry.count',
        'd1.cardRequest.read',
        'd1.transaction.intend',
        'd1.transaction.apply',
        'd1.transactions.read',
        'gateway.charge',
        'gateway.tokenize',
        'object.booking',
      ]),
    );
  });
});
