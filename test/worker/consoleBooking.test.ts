/** What a booking's page at the desk says of its money: states, days, cards and what was paid for. */
import { beforeAll, describe, expect, it } from 'vitest';
import { seeded } from '../../scripts/seed.ts';
import {
  attachCard,
  call,
  callAsAdmin,
  makeBooking,
  makeProperty,
  transactionsOf,
} from '../support/api.ts';
import { applied, bookedWith, cancellationOf } from '../support/cancellation.ts';
import { ANSWER_LOST, DISPUTED, GOOD, OTHER_GOOD } from '../support/cards.ts';
import { ask, confirmFields, take, words } from '../support/console.ts';
import { inDays } from '../support/days.ts';
import { eventually } from '../support/eventually.ts';
import { openDispute } from '../support/existing.ts';
import { sweepAfter } from '../support/faults.ts';
import type { Guest } from '../support/guest.ts';
import { putUser, signedIn } from '../support/staff.ts';

const CREATE = '/payment/v1/create';
const SCHEDULE = '/payment/v1/schedule';

let manager: Guest;

beforeAll(async () => {
  manager = await signedIn(seeded.manager.email);
});

const open = (reference: string, more = '') =>
  manager.open(`/console/booking?property=demo&reference=${reference}${more}`);

/** A section of the page that is shown, in words. */
const part = (heading: string, person = manager) =>
  words(person).split(` ${heading} `).slice(1).join(` ${heading} `);

describe('a scheduled charge', () => {
  it('shows the card that it would be charged on now, here, in the list of what comes and over the interface', async () => {
    await makeBooking('CARD-NOW', GOOD);
    const time = inDays(3);
    await call(SCHEDULE, { reference: 'CARD-NOW', amount: 60, time });
    await attachCard('CARD-NOW', OTHER_GOOD);
    await open('CARD-NOW');
    expect(part('Payments')).toMatch(
      /Scheduled charge \(other\).*Scheduled AUD 61\.86.*Mastercard/,
    );
    await manager.open('/console/coming?property=demo');
    expect(words(manager)).toMatch(/CARD-NOW .*AUD 61\.86 Mastercard/);
    const [mine] = await transactionsOf('CARD-NOW');
    expect(mine?.cardDetails).toMatchObject({ cardType: 'mastercard' });
    const { json } = await call('/payment/v1/list', { status: 'Pending' });
    const listed = json.transactions.find(({ id }) => id === mine?.id);
    expect(listed?.cardDetails).toMatchObject({ cardType: 'mastercard' });
  });

  it('stands at the time at which it was charged, in the file too', async () => {
    const property = 'desk-days';
    const token = await makeProperty(property);
    await putUser({ email: 'days@hotel.com', role: 'manager', property });
    await makeBooking('FIRED', GOOD, { token });
    const time = inDays(20);
    await call(SCHEDULE, { reference: 'FIRED', amount: 60, time }, { token });
    await callAsAdmin('/sandbox/v1/clock/advance', { property, to: inDays(21) });
    const person = await signedIn('days@hotel.com');
    const path = `/console/booking?property=${property}&reference=FIRED`;
    await person.open(path);
    const day = (days: number) =>
      new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeZone: 'Australia/Perth' }).format(
        Date.now() + days * 86_400_000,
      );
    expect(part('Payments', person)).toMatch(new RegExp(`Actions ${day(20)}, .*Paid`));
    await person.open(`${path}&table=payments&format=csv`);
    expect(person.page.html).not.toContain(new Date().toISOString().slice(0, 10));
  });
});

describe('a booking that was overpaid', () => {
  it('is so no more once the rest is on its way back', async () => {
    await makeBooking('OVERPAID', ANSWER_LOST);
    await call(CREATE, { reference: 'OVERPAID', amount: 640, isVirtualCard: true });
    await sweepAfter(2);
    await open('OVERPAID');
    expect(words(manager)).toMatch(/2027 ▲ Overpaid: AUD 40\.00/);
    await call('/refund/v1/create', { reference: 'OVERPAID', amount: 40, waive: true });
    await open('OVERPAID');
    expect(words(manager)).toMatch(/2027 ✓ Paid .*Latest refund .*AUD 40\.00/);
  });
});

describe('a cancelled booking', () => {
  it('owes nothing, here and where it is found, and says what was kept', async () => {
    for (const reference of ['OFF-1', 'OFF-2']) {
      await bookedWith(reference, { percent: 25 });
      await attachCard(reference, GOOD);
      await call(CREATE, { reference, amount: 150 });
    }
    await applied('OFF-1', (await cancellationOf('OFF-1')).cancellationQuoteId);
    await open('OFF-1');
    expect(part('Balance')).toMatch(
      /^Without fees\. Total AUD 600\.00 .*cancellation AUD 150\.00 Pay/,
    );
    expect(words(manager)).toMatch(/2027 – Cancelled .* The guest cancelled, AUD 150\.00 is kept/);
    await manager.open('/console/property?property=demo&q=off-');
    expect(words(manager)).toMatch(/OFF-1 .*Cancelled [^O]* AUD 600\.00 (?!AUD 450)/);
    expect(words(manager)).toMatch(/OFF-2 .*Partly paid .* AUD 450\.00/);
  });
});

describe('a payment', () => {
  it('says what it was for, in the file too', async () => {
    await makeBooking('FOR', GOOD);
    const minibar = { amount: 20, transactionType: 'Balance', description: 'Minibar' };
    await call(CREATE, { reference: 'FOR', ...minibar });
    await call('/refund/v1/create', { reference: 'FOR', amount: 5, description: 'No breakfast' });
    await open('FOR');
    expect(part('Payments')).toMatch(
      /Payment \(balance\) Minibar ◑ Partly refunded: AUD 5\.00 .* ↳ Refund No breakfast ↩ Refunded: on its way .* −AUD 5\.00/,
    );
    expect(part('Timeline')).toContain('Minibar');
    await open('FOR', '&table=payments&format=csv');
    expect(manager.page.html).toContain('"Payment (balance)"');
    expect(manager.page.html).toContain('Minibar');
  });

  it('that is disputed says so, until when to answer, and is not refunded', async () => {
    await makeBooking('DISPUTED', DISPUTED);
    await call(CREATE, { reference: 'DISPUTED', amount: 450, transactionType: 'Balance' });
    await eventually(async () => {
      await open('DISPUTED');
      expect(part('Payments')).toMatch(/⚑ Disputed – answer by \d+ \w+ 20\d\d/);
    });
    expect(part('Timeline')).toContain('The guest does not know the payment');
    expect(manager.page.html).not.toContain('do=refund');
    expect(manager.page.html).not.toContain('value="refund"');
    const [, link = ''] = /href="([^"]*dispute=[^"]*)">Dispute/.exec(manager.page.html) ?? [];
    await manager.open(link.replaceAll('&amp;', '&'));
    expect(words(manager)).toContain('Send the evidence');
    await open('DISPUTED');
    expect(/id="charge-amount"[^>]*value="([^"]*)"/.exec(manager.page.html)?.[1]).toBe('150.00');
  });
});

describe('a disputed payment that is answered', () => {
  it('says in the timeline how, and by whom in sentences that fit in German too', async () => {
    const german = { 'Accept-Language': 'de' };
    const disputeId = await openDispute('GIVEN-UP');
    await callAsAdmin('/admin/v1/client/put', { clientId: seeded.client.id, name: 'Engine' });
    await call('/dispute/v1/accept', { disputeId });
    await open('GIVEN-UP');
    expect(part('Timeline')).toMatch(/By Engine · given up/);
    await manager.open('/console/booking?property=demo&reference=GIVEN-UP', german);
    expect(words(manager)).toMatch(/Durch: Engine · aufgegeben/);
    expect(words(manager)).toContain('Durch: der Zahlungsdienst');
    const today = new Date().toISOString().slice(0, 10);
    const figure = `/console/payments?property=demo&of=taken&from=${today}&to=${inDays(1).slice(0, 10)}`;
    await manager.open(figure, german);
    expect(words(manager)).toMatch(/Karte Durch .*GIVEN-UP/);
  });
});

describe('an action', () => {
  it('says how much goes to which card of whom, what for and how it is authorised', async () => {
    await makeBooking('SAYS', GOOD);
    const charge = { do: 'charge', amount: '1.000,00', purpose: 'Deposit', description: 'Minibar' };
    await ask(manager, 'SAYS', { ...charge, initiator: 'phone' });
    expect(words(manager)).toMatch(
      /Charge AUD 1,030\.93 to Visa ···· 4242 \(12\/\d\d\) of Nguyen, SAYS, as deposit, as an order of the guest by phone or mail\. Description: Minibar/,
    );
    const time = inDays(9).slice(0, 16);
    await take(manager, 'SAYS', { do: 'schedule', amount: '100', purpose: 'Balance', time });
    const [scheduled] = await transactionsOf('SAYS');
    await ask(manager, 'SAYS', { do: 'cancelSchedule', chargeId: String(scheduled?.id) });
    expect(words(manager)).toMatch(
      /AUD 103\.09 will not be charged to Visa ···· 4242 \(12\/\d\d\) of Nguyen, SAYS, on \d+ \w+ 20\d\d, \d\d:\d\d GMT\+8/,
    );
    await ask(manager, 'SAYS', { do: 'requestCard' });
    expect(words(manager)).toMatch(
      /guest@hotel\.com gets a link to add a card, which works until \d/,
    );
  });

  it('keeps what was typed where something is wrong, and says so beside the field', async () => {
    await makeBooking('KEEPS', GOOD);
    const typed = { amount: 'ten', purpose: 'Deposit', description: 'Minibar', initiator: 'phone' };
    await ask(manager, 'KEEPS', { do: 'charge', ...typed });
    expect([manager.page.status, manager.page.html]).toEqual([
      422,
      expect.stringMatching(/name="amount"[^>]*value="ten"[^>]*aria-invalid="true"/),
    ]);
    expect(manager.page.html).toMatch(/id="charge-amount-error"[^>]*>Enter an amount/);
    expect(manager.page.html).toMatch(/name="description"[^>]*value="Minibar"/);
    expect(manager.page.html).toMatch(/value="Deposit" selected/);
    expect(manager.page.html).toMatch(/value="phone" selected/);
  });

  it('that refunds asks whether the stay costs less, and keeps the reason', async () => {
    await makeBooking('GIVES', GOOD);
    await call(CREATE, { reference: 'GIVES', amount: 600, transactionType: 'Balance' });
    const [paid] = await transactionsOf('GIVES');
    const refund = { do: 'refund', chargeId: String(paid?.id), amount: '140', waive: '1' };
    await ask(manager, 'GIVES', { ...refund, description: 'The lift was broken' });
    expect(words(manager)).toMatch(
      /AUD 140\.00 goes back to Visa ···· 4242 .* AUD 478\.56 of this payment can still be refunded then\. The stay costs that much less: it is not due again\. Description: The lift was broken/,
    );
    await manager.post('/console/do', confirmFields(manager));
    await open('GIVES');
    expect(words(manager)).toMatch(/Waived AUD 140\.00 Due AUD 0\.00/);
    expect(part('Payments')).toContain('The lift was broken');
  });

  it('is no form where there is no card', async () => {
    await makeBooking('CARDLESS');
    await open('CARDLESS');
    expect(words(manager)).toContain('There is no card on this booking. Ask the guest for one');
    expect(manager.page.html).not.toContain('value="charge"');
  });

  it('that makes a link leads to a page that can be read again, and makes no other', async () => {
    await makeBooking('LINKED', GOOD);
    await ask(manager, 'LINKED', { do: 'makeLink' });
    const { key = '' } = confirmFields(manager);
    await manager.post('/console/do', confirmFields(manager));
    const shown = () => /id="url"[^>]*value="([^"]*)"/.exec(manager.page.html)?.[1];
    const made = shown();
    expect(made).toMatch(/\/guest\/v1\/payments\?/);
    expect(words(manager)).toContain('asks for AUD 600.00 today');
    expect(manager.page.html).toContain('mailto:guest%40hotel.com?');
    await manager.open(`/console/link?property=demo&reference=LINKED&key=${key}`);
    expect(shown()).toBe(made);
    await manager.open(`/console/link?property=demo&reference=LINKED&key=${crypto.randomUUID()}`);
    expect([manager.page.status, shown()]).toEqual([404, undefined]);
  });
});

describe('the page', () => {
  it('answers first, then offers, then has payments, cards and the timeline', async () => {
    await makeBooking('ORDER', GOOD);
    for (let amount = 1; amount <= 10; amount += 1) {
      await call(CREATE, { reference: 'ORDER', amount, description: `Part ${amount}` });
    }
    await open('ORDER');
    expect(words(manager)).toMatch(
      /Nguyen, ORDER .*Demo Property 14 – 17 Feb 2027 ◐ Partly paid AUD 545\.00 due Latest payment ✓ Paid AUD 10\.31, Visa 4242.* Balance .* Actions .* Payments .*Part 10 .*Part 1 .* Cards on file .*Visa 4242 12\/20\d\d .*used for charges.* Timeline /,
    );
  });
});
