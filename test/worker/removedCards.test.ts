import { describe, expect, it } from 'vitest';
import { HOUR_MS } from '../../src/core/time.ts';
import {
  attachCard,
  bookingOf,
  call,
  callAsAdmin,
  makeBooking,
  testEnv,
  transactionsOf,
} from '../support/api.ts';
import { archiveAll, dismissMessages, rowsOf } from '../support/archived.ts';
import { ANSWER_LOST, GOOD, OTHER_GOOD } from '../support/cards.ts';
import { inDays } from '../support/days.ts';
import { enterCard, type Guest, type Page, visit } from '../support/guest.ts';
import { story } from '../support/story.ts';

story({ silent: ['alarms'] });

const CREATE = '/payment/v1/create';

/** A guest on a booking's page, who has entered a card there. */
async function guestWithCard(reference: string, number = GOOD): Promise<[Guest, string]> {
  const guest = await visit(reference);
  await enterCard(guest, number);
  return [guest, await newestToken(reference)];
}

async function tokensOf(reference: string): Promise<string[]> {
  const { json } = await call('/booking/v1/get-details', { reference });
  return json.booking.payment.map(({ token }: { token: string }) => token);
}

const newestToken = async (reference: string) => (await tokensOf(reference))[0] ?? '';

function remove(guest: Guest, card: string): Promise<Page> {
  return guest.post(`${guest.page.path.split('?')[0]}/remove`, { card });
}

describe('a card that its guest removes', () => {
  it('is asked about, is gone then, and the one before is in use again', async () => {
    await makeBooking('GONE', OTHER_GOOD);
    const before = await newestToken('GONE');
    const [guest, token] = await guestWithCard('GONE');
    const home = guest.page.path.split('?')[0] ?? '';
    expect(guest.page.html).toContain('aria-label="Remove Visa ending in 4242"');
    const { html } = await guest.open(`${home}/remove?card=${token}`);
    expect(html).toContain('Remove this card?');
    expect(html).toContain('can no longer charge Visa ending in 4242');
    await guest.submit();
    expect(guest.page.html).toContain('Card removed.');
    expect(guest.page.html).not.toContain('ending in 4242');
    expect(await tokensOf('GONE')).toEqual([before]);
    await call(CREATE, { reference: 'GONE', amount: 100 });
    const charged = await testEnv.DB.prepare(
      "SELECT card_token FROM transactions WHERE booking_reference = 'GONE'",
    ).first('card_token');
    expect(charged).toBe(before);
  });

  it('is charged no more, by its name either', async () => {
    await makeBooking('NAMED', OTHER_GOOD);
    const [guest, token] = await guestWithCard('NAMED');
    await remove(guest, token);
    const charge = { reference: 'NAMED', amount: 100, token };
    for (const path of [CREATE, '/payment/v1/quote']) {
      const { status, json } = await call(path, charge);
      expect([path, status, json.code]).toEqual([path, 404, 'token_not_found']);
    }
    expect(await transactionsOf('NAMED')).toEqual([]);
  });

  it('leaves a booking without a card, if it was the only one', async () => {
    await makeBooking('ONLY');
    const [guest, token] = await guestWithCard('ONLY');
    await remove(guest, token);
    expect(guest.page.html).toContain('>Add a card<');
    expect(guest.page.html).not.toContain('ending in');
    const { json } = await call(CREATE, { reference: 'ONLY', amount: 100 });
    expect(json.code).toBe('no_card');
  });

  it('still stands at what it paid, which can be refunded', async () => {
    await makeBooking('PAID');
    const [guest, token] = await guestWithCard('PAID');
    await call(CREATE, { reference: 'PAID', amount: 100 });
    await remove(guest, token);
    expect(guest.page.html).toContain('Visa ending in 4242');
    const { status } = await call('/refund/v1/create', { reference: 'PAID', amount: 40 });
    expect(status).toBe(200);
    const [charge] = await transactionsOf('PAID');
    expect(charge).toMatchObject({ refunds: [{ amount: 40 }] });
  });

  it('is removed once, however often its form is sent', async () => {
    await makeBooking('TWICE');
    const [guest, token] = await guestWithCard('TWICE');
    await Promise.all([remove(guest, token), remove(guest.copy(), token)]);
    await remove(guest, token);
    expect(guest.page.html).toContain('Card removed.');
    const { json } = await callAsAdmin('/admin/v1/audit/list', {
      property: 'demo',
      reference: 'TWICE',
    });
    const removals = json.entries.filter(({ to }) => to === 'removed');
    expect(removals).toEqual([
      expect.objectContaining({ subject: `card ${token}`, actor: 'guest' }),
    ]);
  });

  it('can be removed from a cancelled booking', async () => {
    await makeBooking('OVER');
    const [guest, token] = await guestWithCard('OVER');
    await call('/booking/v1/create/manage-payments', bookingOf('OVER', { status: 'cancelled' }));
    await remove(guest, token);
    expect(guest.page.html).toContain('Card removed.');
    expect(await tokensOf('OVER')).toEqual([]);
  });
});

describe('a card that is needed', () => {
  const needs: Readonly<Record<string, (reference: string, token: string) => Promise<unknown>>> = {
    'a schedule': (reference) =>
      call('/payment/v1/schedule', { reference, amount: 100, time: inDays(9) }),
    'a schedule that names it': async (reference, token) => {
      await call('/payment/v1/schedule', { reference, amount: 100, token, time: inDays(9) });
      await attachCard(reference, OTHER_GOOD);
    },
    'a hold': (reference) =>
      call(CREATE, {
        reference,
        amount: 100,
        preAuth: true,
        expiryTime: new Date(Date.now() + HOUR_MS).toISOString(),
      }),
    'a payment without an outcome': (reference) => call(CREATE, { reference, amount: 100 }),
  };

  it.each(Object.entries(needs))('stays while %s needs it', async (what, need) => {
    await makeBooking(what);
    const isSilent = what === 'a payment without an outcome';
    const [guest, token] = await guestWithCard(what, isSilent ? ANSWER_LOST : GOOD);
    await need(what, token);
    const before = await tokensOf(what);
    const { html, status } = await remove(guest, token);
    expect(status).toBe(409);
    expect(html).toContain('This card cannot be removed yet');
    expect(await tokensOf(what)).toEqual(before);
  });

  it('can be removed once a schedule takes another card', async () => {
    await makeBooking('MOVED');
    const [guest, token] = await guestWithCard('MOVED');
    await call('/payment/v1/schedule', { reference: 'MOVED', amount: 100, time: inDays(9) });
    await attachCard('MOVED', OTHER_GOOD);
    await remove(guest, token);
    expect(guest.page.html).toContain('Card removed.');
  });
});

describe('a card that is not the guest’s', () => {
  it.each(['given with the booking', 'of another booking', 'of nobody'])(
    'cannot be removed: %s',
    async (whose) => {
      const reference = `NOT ${whose}`;
      await makeBooking(reference, OTHER_GOOD);
      await makeBooking(`${reference} 2`);
      const [, elsewhere] = await guestWithCard(`${reference} 2`);
      const guest = await visit(reference);
      expect(guest.page.html).not.toContain('/remove');
      const given = await newestToken(reference);
      const token = { 'given with the booking': given, 'of another booking': elsewhere }[whose];
      const home = guest.page.path;
      const asked = await guest.open(`${home}/remove?card=${token ?? 'none'}`);
      expect(asked.path).toBe(home);
      const { html, status } = await remove(guest, token ?? 'none');
      expect(status).toBe(404);
      expect(html).toContain('This card is not on your booking any more.');
      expect(await tokensOf(reference)).toEqual([given]);
      expect(await tokensOf(`${reference} 2`)).toEqual([elsewhere]);
    },
  );

  it('stays while another booking’s schedule or hold needs it', async () => {
    await makeBooking('SHARED', OTHER_GOOD);
    await makeBooking('BORROWS', OTHER_GOOD);
    const [guest, token] = await guestWithCard('SHARED');
    const later = new Date(Date.now() + HOUR_MS).toISOString();
    const borrowed = { reference: 'BORROWS', amount: 100, token };
    const { json } = await call('/payment/v1/schedule', { ...borrowed, time: later });
    const kept = await remove(guest, token);
    expect([kept.status, kept.html.includes('This card cannot be removed yet')]).toEqual([
      409,
      true,
    ]);
    const schedule = { reference: 'BORROWS', chargeId: json.transaction.id };
    await call('/payment/v1/cancel-schedule', schedule);
    const again = await visit('SHARED');
    expect((await remove(again, token)).html).toContain('Card removed.');
  });

  it('stays while another booking’s plan charges it: neither removed, nor erased, nor archived', async () => {
    await makeBooking('LENDS', OTHER_GOOD);
    await makeBooking('PLANS', OTHER_GOOD);
    const [guest, token] = await guestWithCard('LENDS');
    const terms = [{ amount: 100, due: { anchor: 'arrival', days: -2 } }];
    const plan = await call('/payment-plan/v1/put', { reference: 'PLANS', terms, token });
    expect(plan.json).toMatchObject({ success: true });
    expect((await remove(guest, token)).status).toBe(409);
    const erase = { property: 'demo', reference: 'LENDS' };
    expect((await callAsAdmin('/admin/v1/privacy/erase', erase)).json.code).toBe('invalid_state');
    await dismissMessages();
    await archiveAll();
    expect(await rowsOf('LENDS')).toBeGreaterThan(0);
    await call('/payment-plan/v1/cancel', { reference: 'PLANS' });
    expect((await remove(await visit('LENDS'), token)).html).toContain('Card removed.');
  });
});
