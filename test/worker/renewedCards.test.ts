/** Cards that their issuers renew, as Stripe tells of them (interface: Renewed cards). */
import { beforeEach, expect, it, vi } from 'vitest';
import { HOUR_MS } from '../../src/core/time.ts';
import { bookingOf, call, testEnv } from '../support/api.ts';
import { EVENTS } from '../support/history.ts';
import { selectStripe, tellOf } from '../support/onStripe.ts';
import { story } from '../support/story.ts';
import type { FakeStripe } from '../support/stripe.ts';

story({ silent: ['alarms'] });

const UPDATED = 'payment_method.automatically_updated';

let stripe: FakeStripe;

beforeEach(() => {
  stripe = selectStripe({ publishableKey: null });
});

let made = 0;

/** A card of a booking, or of none, and its names at Stripe. */
async function kept(attached = true) {
  made += 1;
  const reference = `RENEWED-${made}`;
  await call('/booking/v1/create/manage-payments', bookingOf(reference));
  const card = { cardNumber: '4242424242424242', cardExpiry: '12/2030' };
  const { json } = await call('/payment/v1/tokenize', attached ? { ...card, reference } : card);
  const { token } = json.card;
  const row = await testEnv.DB.prepare('SELECT gateway_token AS named FROM cards WHERE token = ?')
    .bind(token)
    .first<{ named: string }>();
  const [, customer = '', id = ''] = (row?.named ?? '').split('/');
  return { reference, token, customer, id };
}

async function cardOf(token: string) {
  return testEnv.DB.prepare(
    'SELECT brand, last4, masked, expiry_month AS month, expiry_year AS year FROM cards WHERE token = ?',
  )
    .bind(token)
    .first();
}

async function eventsOf(token: string) {
  const { results } = await testEnv.DB.prepare(
    `SELECT type, booking_reference AS reference FROM ${EVENTS} WHERE subject = ? AND type = 'card.updated'`,
  )
    .bind(`card ${token}`)
    .all();
  return results;
}

it.each([
  ['a booking', true],
  ['no booking', false],
])('takes over what Stripe knows of a renewed card of %s, once', async (_whose, attached) => {
  const { reference, token, customer, id } = await kept(attached);
  const about = { id, object: 'payment_method', customer };
  expect(await tellOf(UPDATED, about)).toEqual([200, true]);
  expect(await eventsOf(token)).toEqual([]);
  stripe.renewCard(id, '1881', 3, 2034);
  expect(await tellOf(UPDATED, about)).toEqual([200, true]);
  expect(await tellOf('payment_method.updated', about)).toEqual([200, true]);
  expect(await cardOf(token)).toEqual({
    brand: 'visa',
    last4: '1881',
    masked: 'XXXX-XXXX-XXXX-X881',
    month: 3,
    year: 2034,
  });
  expect(await eventsOf(token)).toEqual([
    { type: 'card.updated', reference: attached ? reference : null },
  ]);
  if (attached) {
    const { json } = await call('/booking/v1/get-details', { reference });
    expect(JSON.stringify(json.booking)).toContain('"cardExpiry":"03/2034"');
  }
});

it('a renewal ends the problem of a schedule that names a card of no booking', async () => {
  const { reference, token, customer, id } = await kept(false);
  const soon = new Date(Date.now() + 62 * 24 * HOUR_MS);
  stripe.renewCard(id, '4242', soon.getUTCMonth() + 1, soon.getUTCFullYear());
  await tellOf(UPDATED, { id, customer });
  const time = new Date(Date.now() + 365 * 24 * HOUR_MS).toISOString();
  const made = await call('/payment/v1/schedule', { reference, amount: 10, time, token });
  expect(made.json.warnings).toEqual(['card_expires_before_scheduled_time']);
  const problems = async () => (await call('/card/v1/health', { reference })).json;
  expect(await problems()).toMatchObject({ problems: [{ problem: 'expires_before' }] });
  stripe.renewCard(id, '4242', 1, 2037);
  expect(await tellOf(UPDATED, { id, customer })).toEqual([200, true]);
  expect(await problems()).toMatchObject({ problems: [] });
  expect((await eventsOf(token)).at(-1)).toEqual({ type: 'card.updated', reference });
});

it.each([
  ['a card that this service does not keep', { id: 'pm_other', customer: 'cus_other' }, UPDATED],
  ['a card without a customer', { id: 'pm_other', customer: null }, UPDATED],
  ['another event', { id: 'pm_other', customer: 'cus_other' }, 'payment_method.attached'],
])('has no use for news of %s', async (_what, about, type) => {
  expect(await tellOf(type, about)).toEqual([200, false]);
});

it.each([true, false])(
  'a renewal is told again where Stripe does not say what it knows (%s)',
  async (own) => {
    const { customer, id } = await kept(own);
    const answers = globalThis.fetch;
    vi.spyOn(globalThis, 'fetch').mockImplementation((input, init) => {
      const { pathname } = new URL(new Request(input, init).url);
      return pathname.startsWith('/v1/payment_methods/')
        ? Promise.resolve(Response.json({ error: { type: 'api_error' } }, { status: 500 }))
        : answers(input, init);
    });
    const [status] = await tellOf(UPDATED, { id, customer });
    expect(status).toBeGreaterThanOrEqual(500);
  },
);
