import { beforeAll, describe, expect, it } from 'vitest';
import { DAY_MS, MINUTE_MS } from '../../src/core/time.ts';
import { atTime, bookingOf, call, callAsAdmin, http } from '../support/api.ts';
import { GOOD } from '../support/cards.ts';
import { enterCard, Guest, linkTo, savedForm, typedCard, visit } from '../support/guest.ts';
import { newestLink } from '../support/mailbox.ts';

beforeAll(async () => {
  await callAsAdmin('/admin/v1/property/put', {
    property: 'demo',
    name: 'Demo Property',
    site: 'demo.localhost',
    currency: 'AUD',
    timeZone: 'Australia/Perth',
    contact: {
      phone: '+61 8 9000 0000',
      email: 'desk@hotel.com',
      address: '1 Beach Road\nPerth',
      taxId: 'ABN 51 824',
      termsUrl: 'https://www.hotel.com/terms',
    },
    branding: { logoUrl: 'https://img.hotel.com/logo.png', colour: '#FFCC00' },
  });
});

async function book(reference: string, details: Record<string, unknown> = {}): Promise<Guest> {
  await call('/booking/v1/create/manage-payments', bookingOf(reference, details));
  return visit(reference);
}

describe('the property', () => {
  it('stands on every page with its look and contact, and its logo is the only picture from elsewhere', async () => {
    const guest = await book('LOOK');
    const { headers, html } = guest.page;
    for (const words of ['+61 8 9000 0000', 'desk@hotel.com', '1 Beach Road', 'ABN 51 824']) {
      expect(html).toContain(words);
    }
    expect(html).toContain('src="https://img.hotel.com/logo.png"');
    expect(headers.get('Content-Security-Policy')).toContain(
      'img-src data: https://img.hotel.com;',
    );
    const style = await http('/guest/theme/ffcc00');
    expect(style.headers.get('Content-Type')).toContain('text/css');
    expect(await style.text()).toContain('--brand: #ffcc00');
    const none = await http('/guest/theme/red');
    expect(none.status).toBe(404);
    await none.body?.cancel();
  });

  it('is named by an expired link and by one that was taken back, with its contact', async () => {
    await book('NAMED');
    const link = await linkTo('NAMED', { expiresInMinutes: 5 });
    await atTime(Date.now() + 6 * MINUTE_MS, async () => {
      const { html, status } = await new Guest().open(link);
      expect([status, html.includes('Demo Property'), html.includes('desk@hotel.com')]).toEqual([
        410,
        true,
        true,
      ]);
      expect(html).not.toContain('Your card number goes');
    });
  });
});

describe('a guest', () => {
  it('pays with a new card on one page, in figures with a comma, and gets a full receipt', async () => {
    const guest = await book('ONE-PAGE');
    expect(guest.page.html).toMatch(/Deposit: AUD\u00a0\d/);
    const home = guest.page.path;
    const query = new URLSearchParams({ card: 'new', choice: 'other', amount: '300,50' });
    const form = guest.page;
    const price = await guest.open(`${home}/price?${query.toString()}`);
    expect(price.html).toContain('data-button="Pay AUD\u00a0309.79"');
    // An amount that is still being typed is no mistake for the browser's console.
    for (const amount of ['', '300,', '7000']) {
      const typing = new URLSearchParams({ card: 'new', choice: 'other', amount });
      const answer = await guest.open(`${home}/price?${typing.toString()}`);
      expect([amount, answer.status, answer.html.includes('data-price-box')]).toEqual([
        amount,
        200,
        true,
      ]);
    }
    Object.assign(guest.page, { html: form.html, path: home });
    const paid = await guest.submit({
      ...typedCard(GOOD),
      amount: '300,50',
      agreedMinor: '30979',
      replaces: '',
    });
    expect(paid.path).toContain('/receipt/');
    for (const words of [
      'Payment successful',
      'Visa ending in 4242',
      'ABN 51 824',
      'AUD\u00a0309.79',
      '14 – 17 February 2027',
    ]) {
      expect(paid.html).toContain(words);
    }
    await guest.open(home);
    expect(guest.page.html).toContain('Payment successful: AUD\u00a0309.79.');
    expect(guest.page.html).toMatch(/href="[^"]*\/receipt\/\d+"[^>]*>Receipt</);
    const audit = await callAsAdmin('/admin/v1/audit/list', {
      property: 'demo',
      reference: 'ONE-PAGE',
    });
    expect(audit.json.entries).toContainEqual(
      expect.objectContaining({ to: 'entered', detail: 'agreed to payment-2 en' }),
    );
  });

  it('corrects a form that kept what was typed, but for the number and the code', async () => {
    const guest = await book('KEPT');
    const amex = { ...typedCard('378282246310005'), cardHolderName: 'Ana Nguyen' };
    await guest.submit({ ...amex, amount: '5000' });
    const { html, status } = guest.page;
    expect(status).toBe(422);
    expect(html).toContain('<title>Error: ');
    expect(html).toContain('Enter the 4-digit code of this card.');
    expect(html).toContain('You can pay up to');
    expect(html).toContain('value="5000"');
    expect(html).toContain('value="Ana Nguyen"');
    expect(html).not.toContain('378282');
    // What has to be typed again says so itself.
    expect(html).toMatch(/<input id="cardNumber"[^>]*aria-invalid="true"/);
    expect(html).toMatch(
      /id="cardNumber-fault"[^>]*>For your safety, please enter the card number/,
    );
    expect(html).toMatch(/role="alert" tabindex="-1" autofocus/);
    const { json } = await call('/booking/v1/get-details', { reference: 'KEPT' });
    expect(json.booking.payment).toEqual([]);
  });

  it('of a cancelled booking gives no card, by the link of a request either', async () => {
    await book('OFF', { email: 'off@hotel.com' });
    await call('/payment/v1/request-card-details', { reference: 'OFF' });
    const guest = new Guest();
    await guest.open(await newestLink());
    const form = guest.page;
    await call('/booking/v1/create/manage-payments', bookingOf('OFF', { status: 'cancelled' }));
    await guest.post(form.path, { ...typedCard(GOOD), ...savedForm() });
    expect([guest.page.status, guest.page.html.includes('No card is needed')]).toEqual([410, true]);
    const { json } = await call('/booking/v1/get-details', { reference: 'OFF' });
    expect(json.booking.payment).toEqual([]);
  });

  it('sees where the stay stands, and what is overdue', async () => {
    const inDays = (days: number) => {
      const [date = ''] = new Date(Date.now() + days * DAY_MS).toISOString().split('T');
      return date.split('-').toReversed().join('-');
    };
    const ahead = await book('AHEAD', { arrival: inDays(60), departure: inDays(63) });
    expect(ahead.page.html).toMatch(/Your stay starts in \d+ days\./);
    const past = await book('PAST', { arrival: '01-02-2026', departure: '03-02-2026' });
    expect(past.page.html).toContain(
      'Your stay ended on 3 February 2026. This payment is overdue.',
    );
  });

  it('is told which card a schedule takes, and that a new one takes it over', async () => {
    const guest = await book('MOVES');
    await enterCard(guest, GOOD);
    const time = new Date(Date.now() + 24 * 60 * MINUTE_MS).toISOString();
    await call('/payment/v1/schedule', { reference: 'MOVES', amount: 100, time });
    await guest.open(guest.page.path.split('?')[0] ?? '');
    expect(guest.page.html).toMatch(/<li>AUD\u00a0103\.09 on [^<]*, Visa ending in 4242<\/li>/);
    expect(guest.page.html).toContain('These automatic charges will use the new card:');
  });
});
