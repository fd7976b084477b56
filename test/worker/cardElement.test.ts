/** Cards that guests enter in Stripe's own form: what reaches this service is a confirmation token. */
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { call, callAsAdmin, makeBooking, testEnv } from '../support/api.ts';
import { Guest, visit } from '../support/guest.ts';
import { newestLink } from '../support/mailbox.ts';
import { selectStripe, tellOf } from '../support/onStripe.ts';
import { story } from '../support/story.ts';
import { BANK_URL, confirmationTokens, type FakeStripe } from '../support/stripe.ts';

story();

const { bank, declined, good, watched } = confirmationTokens;

let stripe: FakeStripe;

beforeEach(() => {
  stripe = selectStripe();
});

async function cardsOf(reference: string) {
  return (await call('/booking/v1/get-details', { reference })).json.booking.payment;
}

/** A guest who has the form before them. */
async function atForm(reference: string): Promise<{ guest: Guest; home: string }> {
  await makeBooking(reference);
  const guest = await visit(reference);
  const home = guest.page.path;
  await guest.open(`${home}/card`);
  return { guest, home };
}

describe("a card entered in Stripe's own form", () => {
  it('is shown in a page whose policy lets in Stripe and nobody else', async () => {
    const { guest, home } = await atForm('EL-1');
    const policy = guest.page.headers.get('Content-Security-Policy');
    expect(policy?.split('; ').toSorted()).toEqual(
      [
        "default-src 'none'",
        "script-src 'self' https://js.stripe.com https://*.js.stripe.com",
        'frame-src https://js.stripe.com https://*.js.stripe.com https://hooks.stripe.com',
        "connect-src 'self' https://api.stripe.com",
        "style-src 'self'",
        'img-src data:',
        "form-action 'self'",
        "base-uri 'none'",
        "frame-ancestors 'none'",
      ].toSorted(),
    );
    expect(guest.page.html).toContain('data-key="pk_test_1"');
    expect(guest.page.html).not.toContain('name="cardNumber"');
    await guest.open(home);
    // A new card can be entered along with a payment.
    expect(guest.page.headers.get('Content-Security-Policy')).toBe(policy);
    await guest.open(`${home}/price`);
    expect(guest.page.headers.get('Content-Security-Policy')).not.toContain('stripe');
  });

  it('is set up to be charged later, attached once and charged', async () => {
    const { guest } = await atForm('EL-2');
    await guest.submit({ confirmationToken: good });
    expect(guest.page.html).toContain('ending in 4242');
    expect(await cardsOf('EL-2')).toMatchObject([
      { cardNumber: 'XXXX-XXXX-XXXX-X242', cardType: 'Visa', cardExpiry: '12/2030' },
    ]);
    const setup = stripe.calls.find(({ path }) => path === '/v1/setup_intents');
    expect(Object.fromEntries(setup?.params ?? [])).toMatchObject({
      confirmation_token: good,
      confirm: 'true',
      usage: 'off_session',
      'allowed_payment_method_types[0]': 'card',
      return_url: expect.stringMatching(/^http:\/\/localhost\/guest\/v1\/payments\/.+\/confirmed$/),
    });
    const charge = await call('/payment/v1/create', {
      reference: 'EL-2',
      amount: 20,
      description: 'Deposit',
    });
    expect(charge.status).toBe(200);
    expect(stripe.intents).toMatchObject([{ amount: 2_062, status: 'succeeded' }]);
  });

  it('is one card however often its form arrives', async () => {
    const { guest, home } = await atForm('EL-3');
    const [attempt = '', agreed = ''] = ['attempt', 'agreed'].map(
      (name) => new RegExp(`name="${name}" value="([^"]+)"`).exec(guest.page.html)?.[1],
    );
    for (let times = 0; times < 5; times += 1) {
      await guest.post(`${home}/card`, { attempt, agreed, confirmationToken: good });
      expect(guest.page.status).toBe(200);
    }
    expect(stripe.setups).toHaveLength(1);
    expect(await cardsOf('EL-3')).toHaveLength(1);
  });

  it.each([
    ['a decline', declined, 402, 'Your bank declined this card.'],
    ['a token that Stripe does not take', 'ctoken-<b>', 502, 'The card could not be added.'],
    ['no token', '', 502, 'The card could not be added.'],
  ])('says so after %s, and keeps nothing', async (_what, confirmationToken, status, said) => {
    const { guest } = await atForm(`EL-4${confirmationToken}`.replace(/\W/g, ''));
    await guest.submit({ confirmationToken });
    expect(guest.page.status).toBe(status);
    expect(guest.page.html).toContain(said);
    expect(guest.page.html).toContain('data-element');
    expect(stripe.setups).toEqual([]);
  });

  it('that Stripe does not take stands in the log with the reason, and on the page as our failure', async () => {
    const { guest } = await atForm('EL-LOG');
    const lines: string[] = [];
    vi.spyOn(console, 'warn').mockImplementation((line: string) => {
      if (line.includes('"card_')) lines.push(line);
    });
    await guest.submit({ confirmationToken: 'ctoken-<b>' });
    expect(lines).toEqual([]);
    stripe.fail('429');
    await guest.submit({ confirmationToken: good });
    expect(guest.page.html).toContain('Your bank did not decline it');
    expect(lines.map((line) => JSON.parse(line) as unknown)).toMatchObject([
      {
        event: 'card_refused',
        requestId: expect.any(String),
        property: 'demo',
        booking: 'EL-LOG',
        gateway: 'stripe',
        why: expect.any(String),
      },
    ]);
  });

  it('counts each card that is tried: three an hour, whatever becomes of them', async () => {
    const { guest } = await atForm('EL-5');
    for (const token of [declined, declined, declined]) {
      await guest.submit({ confirmationToken: token });
    }
    await guest.submit({ confirmationToken: good });
    expect(guest.page.status).toBe(429);
    expect(stripe.setups).toEqual([]);
    expect(await cardsOf('EL-5')).toEqual([]);
  });

  it('sends the guest to a bank that asks for them, and is there when they come back', async () => {
    const { guest, home } = await atForm('EL-6');
    await guest.submit({ confirmationToken: bank });
    expect(guest.page.html).toContain(`href="${BANK_URL}"`);
    expect(await cardsOf('EL-6')).toEqual([]);
    const back = `${home}/card/confirmed?setup_intent=${stripe.setups[0]?.id}&redirect_status=succeeded`;

    await guest.open(back);
    expect(guest.page.html, 'still to be confirmed').toContain(BANK_URL);
    stripe.confirmSetup(stripe.setups[0]?.id ?? '');
    await guest.open(back);
    expect(guest.page.html).toContain('ending in 4242');
    await guest.open(back);
    expect(await cardsOf('EL-6'), 'loaded once more').toHaveLength(1);
  });

  it('is nobody else’s to come back with', async () => {
    const first = await atForm('EL-7');
    await first.guest.submit({ confirmationToken: bank });
    const setup = stripe.setups[0]?.id ?? '';
    stripe.confirmSetup(setup);
    const other = await atForm('EL-8');
    for (const name of [setup, 'seti_unknown', '../customers', '']) {
      await other.guest.open(
        `${other.home}/card/confirmed?setup_intent=${encodeURIComponent(name)}`,
      );
      expect(other.guest.page.html).toContain('The card could not be added.');
    }
    expect(await cardsOf('EL-8')).toEqual([]);
  });

  it('answers a request for a card, also by way of the bank', async () => {
    await makeBooking('EL-10');
    await call('/payment/v1/request-card-details', { reference: 'EL-10' });
    const guest = new Guest();
    await guest.open(await newestLink());
    const home = guest.page.path;
    await guest.submit({ confirmationToken: bank });
    stripe.confirmSetup(stripe.setups[0]?.id ?? '');
    await guest.open(`${home}/confirmed?setup_intent=${stripe.setups[0]?.id}`);
    expect(guest.page.html).toContain('Your card is saved for');
    expect(await cardsOf('EL-10')).toHaveLength(1);
  });

  it('whose guest confirms at the bank and never comes back is there all the same, once', async () => {
    const { guest, home } = await atForm('EL-13');
    await guest.submit({ confirmationToken: bank });
    const [setup] = stripe.setups;
    const told = () => tellOf('setup_intent.succeeded', { id: setup?.id });
    expect(await told(), 'not yet confirmed').toEqual([200, true]);
    expect(await cardsOf('EL-13')).toEqual([]);
    stripe.confirmSetup(setup?.id ?? '');
    for (let times = 0; times < 3; times += 1) expect(await told()).toEqual([200, true]);
    await guest.open(`${home}/card/confirmed?setup_intent=${setup?.id}`);
    expect(guest.page.html).toContain('ending in 4242');
    expect(await told()).toEqual([200, true]);
    expect(await cardsOf('EL-13')).toMatchObject([{ cardNumber: 'XXXX-XXXX-XXXX-X242' }]);
  });

  it.each(['EL-14', null])(
    'completes its request without the guest, for the booking %s',
    async (reference) => {
      const whom = reference === null ? { email: 'guest@example.com' } : { reference };
      if (reference !== null) await makeBooking(reference);
      await call('/payment/v1/request-card-details', whom);
      const guest = new Guest();
      await guest.open(await newestLink());
      const home = guest.page.path;
      await guest.submit({ confirmationToken: bank });
      const [setup] = stripe.setups;
      stripe.confirmSetup(setup?.id ?? '');
      const told = () => tellOf('setup_intent.succeeded', { id: setup?.id });
      const back = () => guest.open(`${home}/confirmed?setup_intent=${setup?.id}`);
      // Stripe tells of it while the guest is on the way back.
      await Promise.all([told(), back(), told()]);
      expect(await told()).toEqual([200, true]);
      await back();
      expect(guest.page.html).toContain('Your card is saved for');
      const { results } = await testEnv.DB.prepare(
        'SELECT booking_reference AS booking, entered_by AS by, funding, issuer_country AS country FROM cards WHERE gateway_token LIKE ?',
      )
        .bind(`%${setup?.payment_method}`)
        .all();
      expect(results).toEqual([
        { booking: reference, by: 'guest', funding: 'credit', country: 'US' },
      ]);
    },
  );

  it("of an account that is not the property's is not taken", async () => {
    const { guest } = await atForm('EL-15');
    await guest.submit({ confirmationToken: bank });
    const [setup] = stripe.setups;
    stripe.confirmSetup(setup?.id ?? '');
    const told = await tellOf('setup_intent.succeeded', { id: setup?.id }, 'acct_stranger');
    expect(told).toEqual([200, false]);
    expect(await cardsOf('EL-15')).toEqual([]);
    expect(await tellOf('setup_intent.succeeded', { id: 'seti_other' })).toEqual([200, false]);
    vi.mocked(globalThis.fetch).mockRejectedValue(new TypeError('out of reach'));
    expect((await tellOf('setup_intent.succeeded', { id: setup?.id }))[0]).toBe(502);
  });

  it('whose bank asks for its holder at a charge sends the guest to the payment page', async () => {
    const { guest } = await atForm('EL-12');
    await guest.submit({ confirmationToken: watched });
    const charge = await call('/payment/v1/create', {
      reference: 'EL-12',
      amount: 20,
      description: 'Deposit',
    });
    expect(charge.json).toMatchObject({
      code: 'card_declined',
      declineCode: 'authentication_required',
      retryable: false,
      detail: expect.stringContaining("send the guest to the booking's payment page"),
    });
    await guest.open(
      (await call('/booking/v1/get-details', { reference: 'EL-12' })).json.booking.url,
    );
    await guest.open(`${guest.page.path}?declined=${charge.json.transaction.id}`);
    expect(guest.page.html).toContain('You can pay again and confirm it there.');
  });

  it('is typed into our own form where no publishable key is set', async () => {
    vi.restoreAllMocks();
    stripe = selectStripe({ publishableKey: null });
    const { guest, home } = await atForm('EL-11');
    expect(guest.page.html).toContain('name="cardNumber"');
    await guest.open(`${home}/card/confirmed?setup_intent=seti_1`);
    expect(guest.page.path).toBe(home);
  });

  it("goes to the property's own account", async () => {
    const property = { property: 'demo', name: 'Demo Property', site: 'demo.localhost' };
    const place = { currency: 'AUD', timeZone: 'Australia/Perth' };
    await callAsAdmin('/admin/v1/property/put', {
      ...property,
      ...place,
      stripeAccount: 'acct_1',
    });
    const { guest } = await atForm('EL-9');
    expect(guest.page.html).toContain('data-account="acct_1"');
    await guest.submit({ confirmationToken: good });
    const asked = stripe.calls.filter(({ path }) => path.startsWith('/v1/'));
    const accounts = asked.map(({ headers }) => headers.get('Stripe-Account'));
    expect(accounts).toEqual(['acct_1', 'acct_1']);
  });
});
