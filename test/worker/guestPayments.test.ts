import { describe, expect, it, vi } from 'vitest';
import { MOST_GUESTS } from '../../src/booking/guestLane.ts';
import { SandboxGateway } from '../../src/gateways/sandbox.ts';
import {
  atTime,
  bookingOf,
  call,
  callAsAdmin,
  ledgerOf,
  makeBooking,
  testEnv,
} from '../support/api.ts';
import { ANSWER_LOST, GOOD, INSUFFICIENT_FUNDS } from '../support/cards.ts';
import { eventually } from '../support/eventually.ts';
import { breakSpan, loseAnswers } from '../support/faults.ts';
import { enterCard, Guest, savedForm, typedCard, visit } from '../support/guest.ts';
import { newestLink } from '../support/mailbox.ts';
import { story } from '../support/story.ts';

story({ silent: ['alarms'] });

/** Ahead of whenever this runs, and not too far. */
const NEXT_YEAR = new Date().getUTCFullYear() + 1;

/** The seeded property, as it is put. */
const demo = {
  property: 'demo',
  name: 'Demo Property',
  site: 'demo.localhost',
  currency: 'AUD',
  timeZone: 'Australia/Perth',
};

/** A booking of 600.00 without a card. */
async function book(reference: string, details: Record<string, unknown> = {}): Promise<void> {
  await call('/booking/v1/create/manage-payments', bookingOf(reference, details));
}

function hiddenFields(html: string): Record<string, string> {
  const fields = html.matchAll(/<input type="hidden" name="(\w+)" value="([^"]*)"/g);
  return Object.fromEntries([...fields].map(([, name = '', value = '']) => [name, value]));
}

async function payments(reference: string) {
  return (await call('/payment/v1/transaction', { reference })).json.transactions;
}

describe('a guest', () => {
  it('adds a card, sees the fee, pays what is due, and gets a receipt', async () => {
    await book('PAY-1');
    const guest = await visit('PAY-1');
    expect(guest.page.html).toContain('AUD\u00a0600.00');
    expect(guest.page.html).toMatch(/14\s?–\s?17 February 2027/);
    await enterCard(guest, '4242 4242 4242 4242');
    expect(guest.page.html).toContain('Card added.');
    expect(guest.page.html).toContain('AUD\u00a018.56');
    expect(guest.page.html).toContain('Pay AUD\u00a0618.56');
    await guest.submit();
    expect(guest.page.path).toMatch(/\/receipt\/\d+$/);
    expect(guest.page.html).toContain('Payment successful');
    const [paid] = await payments('PAY-1');
    expect(paid).toMatchObject({
      amount: 618.56,
      creditCardFee: 18.56,
      type: 'PaymentBalance',
      status: 'Accepted',
    });
    await guest.open(guest.page.path.replace(/\/receipt.*/, ''));
    expect(guest.page.html).toContain('Everything is paid');
    expect(guest.page.html).toContain('ending in 4242');
  });

  it('pays a part, and then sees what is left', async () => {
    await book('PAY-2');
    const guest = await visit('PAY-2');
    await enterCard(guest, GOOD);
    await guest.submit({ amount: '100.5' });
    await guest.submit();
    expect(guest.page.html).toContain('AUD\u00a0499.50');
    expect(await payments('PAY-2')).toMatchObject([{ amount: 103.61, creditCardFee: 3.11 }]);
  });

  it.each([
    ['600.01', 'You can pay up to'],
    ['0', 'Enter an amount such as'],
    ['-5', 'Enter an amount such as'],
    ['ten', 'Enter an amount such as'],
    ['1,000', 'You can pay up to'],
    ['1.0001', 'Enter an amount such as'],
    ['', 'Enter an amount such as'],
  ])('who writes %s as the amount is told so, and nothing is charged', async (amount, words) => {
    const reference = `AMOUNT-${amount}x`;
    await book(reference);
    const guest = await visit(reference);
    await enterCard(guest, GOOD);
    await guest.submit({ amount });
    expect([guest.page.status, guest.page.html.includes(words)]).toEqual([422, true]);
    expect(await payments(reference)).toEqual([]);
  });

  it('whose card is declined is told why in plain words, and pays with another one', async () => {
    await book('DECLINE');
    const guest = await visit('DECLINE');
    await enterCard(guest, INSUFFICIENT_FUNDS);
    await guest.submit();
    expect(guest.page.path).toMatch(/\?declined=\d+$/);
    expect(guest.page.html).toContain('The card was declined');
    expect(guest.page.html).toContain('there is not enough money in the account');
    await enterCard(guest, GOOD);
    await guest.submit();
    expect(guest.page.html).toContain('Payment successful');
    expect((await payments('DECLINE')).map(({ status }) => status)).toEqual([
      'Declined',
      'Accepted',
    ]);
  });

  it('who sends a payment twice, one after the other or at once, pays once', async () => {
    await book('TWICE');
    const guest = await visit('TWICE');
    await enterCard(guest, GOOD);
    await guest.submit({ amount: '50' });
    const review = guest.page;
    const form = hiddenFields(review.html);
    const action = review.path.replace(/\/review.*/, '/pay');
    const pages = await Promise.all([1, 2, 3].map(() => guest.post(action, form)));
    const later = await guest.post(action, form);
    expect(new Set([...pages, later].map(({ path }) => path)).size).toBe(1);
    expect(later.html).toContain('Payment successful');
    // Back to the page before, and forward again.
    await guest.open(review.path);
    expect(guest.page.html).toContain('Payment successful');
    expect(await payments('TWICE')).toHaveLength(1);
    expect((await ledgerOf('TWICE')).filter(({ kind }) => kind === 'charge')).toHaveLength(1);
  });

  it('who floods a booking is told to wait, and does not fill the queue of the property', async () => {
    await makeBooking('FLOOD', GOOD);
    const guest = await visit('FLOOD');
    const action = `${guest.page.path}/pay`;
    const [held, asked] = [Promise.withResolvers<undefined>(), Promise.withResolvers<undefined>()];
    vi.spyOn(SandboxGateway.prototype, 'charge').mockImplementationOnce(async (request) => {
      asked.resolve(undefined);
      await held.promise;
      return new SandboxGateway(testEnv).charge(request);
    });
    const own = call('/payment/v1/create', { reference: 'FLOOD', amount: 100 });
    await asked.promise;
    const answered: number[] = [];
    const payment = { card: '0'.repeat(32), choice: 'other', amount: '1', agreedMinor: '100' };
    const posts = Array.from({ length: 20 }, async () => {
      const { html, status } = await guest.post(action, {
        ...payment,
        attempt: crypto.randomUUID(),
      });
      expect(html.includes('re busy right now')).toBe(status === 503);
      answered.push(status);
    });
    const refused = Array.from({ length: 20 - MOST_GUESTS }, () => 503);
    await eventually(() => expect(answered).toEqual(refused));
    held.resolve(undefined);
    await Promise.all(posts);
    expect((await own).status).toBe(200);
    expect(answered).toEqual([...refused, ...Array.from({ length: MOST_GUESTS }, () => 404)]);
    vi.restoreAllMocks();
  });

  it('cannot pay more than is due by two pages at once', async () => {
    await book('RACE');
    const [one, other] = [await visit('RACE'), await visit('RACE')];
    await enterCard(one, GOOD);
    await other.open(other.page.path);
    await Promise.all([one.submit({ amount: '400' }), other.submit({ amount: '400' })]);
    const shown = await Promise.all([one.submit(), other.submit()]);
    expect(shown.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 422]);
    expect(shown.find(({ status }) => status === 422)?.html).toContain('You can pay up to');
    expect(await payments('RACE')).toHaveLength(1);
  });

  it('whose bank does not answer is asked to wait, and cannot pay again meanwhile', async () => {
    await book('UNKNOWN');
    const guest = await visit('UNKNOWN');
    await enterCard(guest, ANSWER_LOST);
    const restore = breakSpan('gateway.lookUp');
    await guest.submit();
    restore();
    expect(guest.page.path).toContain('/receipt/');
    expect(guest.page.html).toContain('Your payment is being confirmed');
    await guest.open(guest.page.path.replace(/\/receipt.*/, ''));
    expect(guest.page.html).toContain('nothing to pay right now');
    expect(guest.page.html).not.toContain('name="amount"');
  });

  it('is not charged another price than was shown', async () => {
    await book('PRICE');
    const guest = await visit('PRICE');
    await enterCard(guest, GOOD);
    const cheaper = guest.page.html.replace(/(name="agreedMinor" value=)"\d+"/, '$1"60000"');
    Object.assign(guest.page, { html: cheaper });
    await guest.submit();
    expect(guest.page.html).toContain('Check and pay');
    expect(guest.page.html).toContain('Pay AUD\u00a0618.56');
    expect(await payments('PRICE')).toEqual([]);
  });

  it('is not charged another price either when the fee has changed since, and can then pay the new one', async () => {
    const fee = (cardFeeBasisPoints: number) =>
      callAsAdmin('/admin/v1/property/put', { ...demo, cardFeeBasisPoints });
    await book('FEE');
    const guest = await visit('FEE');
    await enterCard(guest, GOOD);
    expect(guest.page.html).toContain('Pay AUD\u00a0618.56');
    await fee(400);
    await guest.submit();
    expect(guest.page.html).toContain('Pay AUD\u00a0625.00');
    await fee(500);
    await guest.submit();
    expect(await payments('FEE')).toEqual([]);
    expect(guest.page.html).toContain('Your booking or its price has changed');
    expect(guest.page.html).toContain('Pay AUD\u00a0631.58');
    await guest.submit();
    expect(await payments('FEE')).toMatchObject([{ amount: 631.58, status: 'Accepted' }]);
    await fee(300);
  });

  it('of whose payment nobody knows anything is kept from beginning another, and asks again for that one', async () => {
    await book('UNSURE');
    const guest = await visit('UNSURE');
    await enterCard(guest, GOOD);
    await guest.submit({ amount: '100' });
    const mend = breakSpan('object.booking');
    await guest.submit();
    mend();
    expect([guest.page.status, guest.page.html.includes('do not start a new payment')]).toEqual([
      504,
      true,
    ]);
    await guest.submit();
    expect(guest.page.html).toContain('Payment successful');
    expect(await payments('UNSURE')).toHaveLength(1);
  });

  it('finds a payment that was recorded though its answer was lost', async () => {
    await book('FOUND');
    const guest = await visit('FOUND');
    await enterCard(guest, GOOD);
    await guest.submit({ amount: '100' });
    const mend = loseAnswers('object.booking', 1);
    await guest.submit();
    mend();
    expect(guest.page.html).toContain('Payment successful');
    expect(await payments('FOUND')).toHaveLength(1);
  });

  it('whose payment turns out not to have been made is told so', async () => {
    await book('NOT-MADE');
    const guest = await visit('NOT-MADE');
    await enterCard(guest, '4000000000000119');
    await guest.submit();
    expect([guest.page.status, guest.page.html.includes('You were not charged')]).toEqual([
      502,
      true,
    ]);
    const [failed] = await payments('NOT-MADE');
    await guest.open(guest.page.path.replace(/\/pay$/, `/receipt/${failed?.id}`));
    expect(guest.page.html).toContain('Payment failed – you were not charged. You can pay again.');
    expect(guest.page.html).toContain('Payment failed – you were not charged');
  });

  it('is warned of what is scheduled, and not proposed to pay it twice', async () => {
    await makeBooking('WARNED', GOOD);
    await call('/payment/v1/schedule', {
      reference: 'WARNED',
      amount: 400,
      time: `${NEXT_YEAR}-02-10T09:00:00+08:00`,
    });
    const guest = await visit('WARNED');
    await enterCard(guest, '5555555555554444');
    expect(guest.page.html).toContain('will be charged automatically');
    expect(guest.page.html).toContain('What is not charged automatically: AUD\u00a0200.00');
    expect(guest.page.html).toContain('Pay AUD\u00a0206.19');
    // The schedule names no card: it takes the one that the booking uses by then.
    expect(guest.page.html).toContain(
      `will be charged automatically on 10 Feb ${NEXT_YEAR}, 09:00, Mastercard ending in 4444`,
    );
    expect(guest.page.html).toContain('AUD\u00a0400.00 will still be charged automatically');
    expect(guest.page.html).not.toContain('instead of what would be charged automatically');
  });

  it('is proposed nothing when a schedule is about to charge all that is due', async () => {
    await makeBooking('ALL-SCHEDULED', GOOD);
    await call('/payment/v1/schedule', {
      reference: 'ALL-SCHEDULED',
      amount: 600,
      time: `${NEXT_YEAR}-02-10T09:00:00+08:00`,
    });
    const guest = await visit('ALL-SCHEDULED');
    expect(guest.page.html).toContain('will be charged automatically');
    expect(guest.page.html).toContain(
      'You can pay now instead; the automatic charge is then cancelled.',
    );
    expect(guest.page.html).toContain('<details><summary>Pay now instead</summary>');
    await enterCard(guest, GOOD);
    await guest.submit({ amount: '' });
    expect(guest.page.status).toBe(422);
    expect(guest.page.html).toContain('<details open');
    expect(guest.page.html).toContain('Enter an amount such as');
    // Whoever wants to pay early may, and pays instead.
    await guest.submit({ amount: '600' });
    expect(guest.page.html).toContain('We then cancel');
    expect(guest.page.html).toContain('Pay AUD\u00a0618.56');
    expect(await payments('ALL-SCHEDULED')).toMatchObject([{ status: 'Pending' }]);
  });

  it('can only charge a card that a guest entered here, of this booking', async () => {
    await makeBooking('AGENCY', GOOD);
    const guest = await visit('AGENCY');
    expect(guest.page.html).toContain('Provided with your booking');
    expect(guest.page.html).not.toContain('type="radio" name="card"');
    const { json } = await call('/booking/v1/get-details', { reference: 'AGENCY' });
    const agency = json.booking.payment[0]?.token ?? '';
    await book('OWN');
    const own = await visit('OWN');
    await enterCard(own, GOOD);
    const foreign = own.page.html.replace(/(name="card" value=)"[0-9a-f]+"/, `$1"${agency}"`);
    Object.assign(own.page, { html: foreign });
    await own.submit();
    expect([own.page.status, await payments('OWN')]).toEqual([404, []]);
    expect(await payments('AGENCY')).toEqual([]);
  });

  it('sees a cancelled booking as one, with nothing to pay', async () => {
    await book('GONE');
    const guest = await visit('GONE');
    await enterCard(guest, GOOD);
    const open = guest.page.html;
    await call(
      '/booking/v1/create/manage-payments',
      bookingOf('GONE', { status: 'cancelled', totalCost: 600 }),
    );
    Object.assign(guest.page, { html: open });
    await guest.submit();
    expect(guest.page.html).toContain('Your booking is cancelled');
    expect(guest.page.html).not.toContain('name="amount"');
    expect(await payments('GONE')).toEqual([]);
  });

  it('sees schedules, holds and refunds with their times in the property’s zone', async () => {
    await makeBooking('LIST', GOOD);
    await call('/payment/v1/schedule', {
      reference: 'LIST',
      amount: 10,
      time: `${NEXT_YEAR}-02-10T09:00:00+08:00`,
    });
    const charge = await call('/payment/v1/create', { reference: 'LIST', amount: 100 });
    await call('/payment/v1/create', {
      reference: 'LIST',
      amount: 50,
      transactionType: 'Bond',
    });
    const chargeId = charge.json.transaction.id;
    await call('/refund/v1/create', { reference: 'LIST', chargeId, amount: 30 });
    const guest = await visit('LIST');
    const { html, path } = guest.page;
    expect(html).toContain(`will be charged automatically on 10 Feb ${NEXT_YEAR}, 09:00`);
    expect(html).toContain('−AUD\u00a030.00');
    // 600 and 3.09 fee, less 103.09 charged, and 30 given back; a bond pays nothing.
    expect(html).toContain('−AUD\u00a0103.09');
    expect(html).toContain('AUD\u00a0530.00');
    // Before the button: it asks the guest to speak with the property before paying.
    expect(html).toMatch(/so this part of the price is due again.* id="pay"/s);
    await guest.open(`${path}/receipt/${chargeId}`);
    expect(guest.page.html).toMatch(/Refunded since<\/dt>\s*<dd>AUD\u00a030\.00/);
  });
});

describe('card testing', () => {
  it('ends after five declines in ten minutes, and begins anew after them', async () => {
    await book('TESTING');
    const guest = await visit('TESTING');
    await enterCard(guest, INSUFFICIENT_FUNDS);
    const home = guest.page.path.split('?')[0] ?? '';
    // A card that was declined is offered, but not chosen.
    const card = /name="card" value="([0-9a-f]+)"/.exec(guest.page.html)?.[1] ?? '';
    for (let declines = 1; declines <= 6; declines += 1) {
      await guest.open(home);
      await guest.submit({ amount: '1', card });
      await guest.submit();
    }
    expect(guest.page.status).toBe(429);
    expect(guest.page.headers.get('Retry-After')).toBe('600');
    expect(guest.page.html).toContain('Too many cards were declined');
    expect(await payments('TESTING')).toHaveLength(5);
    await atTime(Date.now() + 11 * 60_000, async () => {
      await guest.open(home);
      await guest.submit({ amount: '1', card });
      await guest.submit();
    });
    expect(await payments('TESTING')).toHaveLength(6);
  });

  it('gets three cards an hour through one link, counted exactly when many come at once', async () => {
    await book('CARDS');
    const guest = await visit('CARDS');
    const action = `${guest.page.path}/card`;
    const sent = await Promise.all(
      Array.from({ length: 8 }, () => guest.post(action, { ...typedCard(GOOD), ...savedForm() })),
    );
    const statuses = sent.map(({ status }) => status).toSorted((a, b) => a - b);
    expect(statuses).toEqual([200, 200, 200, 429, 429, 429, 429, 429]);
    const { json } = await call('/booking/v1/get-details', { reference: 'CARDS' });
    expect(json.booking.payment).toHaveLength(3);
    const other = await visit('CARDS');
    expect((await enterCard(other, GOOD)).status).toBe(200);
    await atTime(Date.now() + 20 * 60_000, () => guest.open(guest.page.path));
    await atTime(Date.now() + 40 * 60_000, () => guest.open(guest.page.path));
    await atTime(Date.now() + 61 * 60_000, async () => {
      const again = { ...typedCard(GOOD), ...savedForm() };
      expect((await guest.post(action, again)).status).toBe(200);
    });
  });

  it('gets six cards an hour for a booking, however many links lead to it', async () => {
    await book('LINKS');
    await call('/payment/v1/request-card-details', {
      reference: 'LINKS',
      email: 'links@hotel.com',
    });
    const asked = new Guest();
    await asked.open(await newestLink());
    const guests = [await visit('LINKS'), await visit('LINKS'), await visit('LINKS')];
    const forms = guests.map((guest) => ({ guest, action: `${guest.page.path}/card` }));
    const sent = await Promise.all(
      [...forms, ...forms, ...forms].map(({ guest, action }) =>
        guest.post(action, { ...typedCard(GOOD), ...savedForm() }),
      ),
    );
    const statuses = sent.map(({ status }) => status).toSorted((a, b) => a - b);
    expect(statuses).toEqual([200, 200, 200, 200, 200, 200, 429, 429, 429]);
    await asked.submit(typedCard(GOOD));
    expect(asked.page.status).toBe(429);
    expect(asked.page.html).toContain('Please come back later.');
    expect(asked.page.headers.get('Retry-After')).toBe('3600');
    await book('OTHERS');
    expect((await enterCard(await visit('OTHERS'), GOOD)).status).toBe(200);
  });

  it('does not say that a card was added when its first sending came to nothing', async () => {
    await book('AGAIN');
    const guest = await visit('AGAIN');
    const form = { ...typedCard(GOOD), ...savedForm() };
    const action = `${guest.page.path}/card`;
    const mend = breakSpan('gateway.tokenize');
    await guest.post(action, form);
    mend();
    await guest.post(action, form);
    expect(guest.page.html).not.toContain('Card added.');
    expect(guest.page.html).toContain('please add it again');
  });

  it('counts a double click on the card’s form once', async () => {
    await book('CLICK');
    const guest = await visit('CLICK');
    const form = { ...typedCard(GOOD), ...savedForm() };
    const action = `${guest.page.path}/card`;
    await Promise.all([guest.post(action, form), guest.post(action, form)]);
    const { json } = await call('/booking/v1/get-details', { reference: 'CLICK' });
    expect(json.booking.payment).toHaveLength(1);
  });
});

describe('the card’s form', () => {
  it.each([
    ['cardNumber', '4242424242424241', 'Check the card number'],
    ['cardExpiry', '13/30', 'Enter the date as MM/YY'],
    ['cardExpiry', '01/20', 'has expired'],
    ['cvv', '12', 'Enter the 3- or 4-digit code'],
    ['cardHolderName', '', 'Enter the name on the card'],
    ['cardHolderName', GOOD, 'Enter the name on the card'],
  ])('with a wrong %s (%s) says so, and repeats nothing', async (field, value, words) => {
    const reference = `FORM-${field}-${value.slice(0, 4)}`;
    await book(reference);
    const guest = await visit(reference);
    await guest.open(`${guest.page.path}/card`);
    await guest.submit({ ...typedCard(GOOD), [field]: value });
    expect([guest.page.status, guest.page.html.includes(words)]).toEqual([422, true]);
    expect(guest.page.html).toContain('aria-invalid="true"');
    expect(guest.page.html).not.toContain('424242');
  });

  it('without a field names each', async () => {
    await book('EMPTY');
    const guest = await visit('EMPTY');
    await guest.post(`${guest.page.path}/card`, {});
    expect(guest.page.html.match(/class="fault"[^>]*>[^<]+</g)).toHaveLength(4);
  });
});

describe('what a page shows', () => {
  it.each(['<script>alert(1)</script>', '"\'&', 'אבג דהו', '🎓 Ng', '\u202eevil'])(
    'of a name such as %s is text',
    async (lastName) => {
      const reference = `NAME-${lastName.length}-${lastName.charCodeAt(0)}`;
      await book(reference, { lastName });
      const { html } = (await visit(reference)).page;
      expect(html).not.toContain('<script>alert');
      const shown = /<p><bdi>([^<]*)<\/bdi> · /.exec(html)?.[1] ?? '';
      const text = shown
        .replaceAll('&lt;', '<')
        .replaceAll('&gt;', '>')
        .replaceAll('&quot;', '"')
        .replaceAll('&#39;', "'")
        .replaceAll('&amp;', '&');
      expect(text).toBe(lastName);
    },
  );
});
