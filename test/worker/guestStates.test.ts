/** What a guest's page says and chooses in the states of a booking: the deposit, after a decline, no price, much paid. */
import { describe, expect, it } from 'vitest';
import { bookingOf, call, makeBooking, makeProperty, transactionsOf } from '../support/api.ts';
import { ASKS_GUEST, GOOD, INSUFFICIENT_FUNDS } from '../support/cards.ts';
import { enterCard, Guest, typedCard, visit } from '../support/guest.ts';
import { story } from '../support/story.ts';

story({ silent: ['alarms'] });

async function book(reference: string, details: Record<string, unknown> = {}): Promise<Guest> {
  await call('/booking/v1/create/manage-payments', bookingOf(reference, details));
  return visit(reference);
}

const homeOf = ({ page }: Guest) => page.path.replace(/[?].*$/, '');

/** What is chosen in the form to pay, and what it keeps of what was typed. */
function chosen({ page: { html } }: Guest) {
  const inputs = [...html.matchAll(/<input [^>]*>/g)].map(([input]) => input);
  const checkedOf = (name: string) =>
    inputs
      .filter((input) => input.includes(`name="${name}"`))
      .find((input) => !input.includes('type="radio"') || /\bchecked/.test(input))
      ?.match(/value="([^"]*)"/)?.[1];
  return { choice: checkedOf('choice'), amount: checkedOf('amount'), card: checkedOf('card') };
}

describe('a guest who pays the deposit', () => {
  it('has paid a deposit, and their application is held', async () => {
    const guest = await book('DEPOSIT', { firstNightCost: 200 });
    const made = await call('/application/v1/create', {
      email: 'guest@hotel.com',
      arrival: '2027-02-14',
      departure: '2027-02-17',
      reference: 'DEPOSIT',
    });
    expect(made.json.application).toMatchObject({ currentStatus: 'Tentative' });
    await guest.submit({ ...typedCard(GOOD), choice: 'deposit' });
    expect(guest.page.html).toContain('Check and pay');
    await guest.submit();
    expect(await transactionsOf('DEPOSIT')).toMatchObject([
      { type: 'PaymentDeposit', status: 'Accepted' },
    ]);
    const { applicationNumber } = made.json.application;
    const { json } = await call('/application/v1/get-details', { applicationNumber });
    expect(json.application).toMatchObject({ currentStatus: 'Held' });
  });
});

describe('after a payment that was not made', () => {
  it('the page keeps the amount and opens a new card, and says which card was declined', async () => {
    const guest = await book('AGAIN-1');
    await guest.submit({ ...typedCard(INSUFFICIENT_FUNDS), amount: '300,50' });
    await guest.submit();
    expect(guest.page.html).toContain('The card was declined');
    expect(chosen(guest)).toEqual({ choice: 'other', amount: '300.50', card: 'new' });
    expect(guest.page.html).toContain('Pay AUD\u00a0309.79');
    expect(guest.page.html).toContain('Was declined. It is charged only if you choose it.');
    // Also to a guest who comes back later.
    await guest.open(homeOf(guest));
    expect(chosen(guest)).toMatchObject({ choice: 'rest', card: 'new' });
  });

  it('the page keeps the deposit as the deposit', async () => {
    const guest = await book('AGAIN-2', { firstNightCost: 200 });
    await guest.submit({ ...typedCard(INSUFFICIENT_FUNDS), choice: 'deposit' });
    await guest.submit();
    expect(chosen(guest)).toMatchObject({ choice: 'deposit', card: 'new' });
  });

  it('the bank’s question that was refused can be answered with the same card', async () => {
    const guest = await book('AGAIN-3');
    await enterCard(guest, ASKS_GUEST);
    await guest.submit({ amount: '50' });
    await guest.submit();
    const { path } = guest.page;
    await guest.post(`${path}/cancel`, {});
    expect(guest.page.html).toContain('The payment was cancelled. You were not charged.');
    expect(chosen(guest)).toMatchObject({ choice: 'other', amount: '50.00' });
    expect(chosen(guest).card).not.toBe('new');
    expect(guest.page.html).not.toContain('Try another card');
  });
});

describe('a page without a price', () => {
  it('says so, where a booking has none yet', async () => {
    const guest = await book('NO-PRICE', { totalCost: 0, firstNightCost: 0 });
    expect(guest.page.html).toContain('will tell you the price.');
    expect(guest.page.html).not.toContain('Everything is paid');
    expect(guest.page.html).not.toContain('Your balance');
  });

  it('talks of no fee where no card pays one, and has the price at once', async () => {
    const token = await makeProperty('free', {
      currency: 'EUR',
      country: 'DE',
      feeLaw: 'enforce',
    });
    await makeBooking('GRATIS', undefined, { token });
    const { json } = await call('/booking/v1/get-url', { reference: 'GRATIS' }, { token });
    const guest = new Guest();
    await guest.open(json.url);
    expect(guest.page.html).toContain('Pay €600.00');
    expect(guest.page.html).not.toMatch(/\bfees?\b/i);
    await guest.submit({ ...typedCard(GOOD), card: 'new' });
    expect(guest.page.html).toContain('Payment successful');
    expect(guest.page.html).not.toMatch(/\bfees?\b/i);
  });
});

describe('what does not contradict itself', () => {
  it('the same form sent from two pages shows one payment, and no fault', async () => {
    const guest = await book('TWO-TABS');
    await enterCard(guest, GOOD);
    const other = guest.copy();
    await other.open(homeOf(guest));
    await guest.submit();
    expect(guest.page.html).toContain('Payment successful');
    await other.submit();
    expect(other.page.html).toContain('Payment successful: AUD\u00a0618.56.');
    expect(other.page.html).not.toContain('Please check these fields');
    expect(other.page.html).not.toContain('has changed');
  });

  it('a card that a schedule needs cannot be asked to be removed', async () => {
    const guest = await book('NEEDED');
    await enterCard(guest, GOOD);
    expect(guest.page.html).toContain('/remove?card=');
    await call('/payment/v1/schedule', {
      reference: 'NEEDED',
      amount: 600,
      time: new Date(Date.now() + 30 * 86_400_000).toISOString(),
    });
    await guest.open(homeOf(guest));
    expect(guest.page.html).not.toContain('/remove?card=');
  });

  it('a new card is agreed to for what is there: automatic charges only where some are', async () => {
    const guest = await book('AGREED');
    await guest.open(`${homeOf(guest)}/card`);
    expect(guest.page.html).not.toContain('automatic charges');
    await makeBooking('AGREED-TO', GOOD);
    await call('/payment/v1/schedule', {
      reference: 'AGREED-TO',
      amount: 600,
      time: new Date(Date.now() + 30 * 86_400_000).toISOString(),
    });
    const asked = await visit('AGREED-TO');
    await asked.open(`${homeOf(asked)}/card`);
    expect(asked.page.html).toContain('This includes the automatic charges shown on this page.');
  });
});

describe('the payments', () => {
  it('are the last ten, and all of them on a page of their own', async () => {
    await makeBooking('MANY', GOOD);
    for (let amount = 1; amount <= 12; amount += 1) {
      await call('/payment/v1/create', { reference: 'MANY', amount });
    }
    const chargeId = (await transactionsOf('MANY')).at(-1)?.id;
    await call('/refund/v1/create', { reference: 'MANY', chargeId, amount: 2 });
    const guest = await visit('MANY');
    const receipts = () => guest.page.html.match(/\/receipt\/\d+"/g)?.length;
    expect(receipts()).toBe(9);
    expect(guest.page.html).toMatch(/Visa ending in 4242, can take up to 10 days/);
    const [, all = ''] = /href="([^"]+\/all)">Show all 13</.exec(guest.page.html) ?? [];
    await guest.open(all);
    expect(receipts()).toBe(12);
  });

  it('say until when a hold is kept', async () => {
    await makeBooking('HELD', GOOD);
    const expiryTime = new Date(Date.now() + 3 * 86_400_000).toISOString();
    await call('/payment/v1/create', { reference: 'HELD', amount: 50, preAuth: true, expiryTime });
    const guest = await visit('HELD');
    expect(guest.page.html).toMatch(/Hold on your card \(not charged\)[\s\S]*, until \d/);
  });
});
