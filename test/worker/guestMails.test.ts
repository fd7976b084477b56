/** Which mails guests get of what happens to their payments, by what the property wants. */
import { describe, expect, it } from 'vitest';
import { DAY_MS, MINUTE_MS } from '../../src/core/time.ts';
import { attachCard, bookingOf, call, callAsAdmin, makeProperty } from '../support/api.ts';
import { allow, refuse, toBank } from '../support/bank.ts';
import { ASKS_GUEST, GOOD, INSUFFICIENT_FUNDS, LOST_CARD, REFUND_FAILS } from '../support/cards.ts';
import { eventually } from '../support/eventually.ts';
import { enterCard, Guest } from '../support/guest.ts';
import {
  type MailBody,
  mailStates,
  mailsAreOut,
  mailsTo,
  sweepMailsOut,
} from '../support/mailbox.ts';

let made = 0;

/** A property of its own with one booking, whose guest has an address of their own. */
async function story(details: Record<string, unknown> = {}) {
  made += 1;
  const property = `mails-${made}`;
  const reference = `M-${made}`;
  const email = `guest-${made}@hotel.com`;
  const token = await makeProperty(property, {
    cardFeeBasisPoints: 300,
    contact: { email: 'desk@hotel.com' },
    ...details,
  });
  const options = { token };
  const booking = bookingOf(reference, { email, firstName: 'Ana' });
  await call('/booking/v1/create/manage-payments', booking, options);
  const post = (path: string, body: object = {}) => call(path, { reference, ...body }, options);
  return {
    property,
    reference,
    booking,
    post,
    advance: (toMs: number) =>
      callAsAdmin('/sandbox/v1/clock/advance', { property, to: new Date(toMs).toISOString() }),
    card: (number = GOOD) => attachCard(reference, number, options),
    charge: (amount = 100) => post('/payment/v1/create', { amount }),
    async chargeId() {
      const { json } = await post('/payment/v1/transaction');
      return json.transactions.at(-1)?.id;
    },
    /** Pays on the guest's page. */
    async payAsGuest(number = GOOD, amount = '200') {
      const { json } = await post('/booking/v1/get-url');
      const guest = new Guest();
      await guest.open(json.url);
      await enterCard(guest, number);
      await guest.submit({ amount });
      await guest.submit();
      return guest;
    },
    /** What the guest got, oldest first. */
    async mails(): Promise<MailBody[]> {
      await mailsAreOut();
      return mailsTo(email);
    },
    async subjects(): Promise<string[]> {
      return (await this.mails()).map(({ subject }) => subject);
    },
  };
}

describe('a receipt', () => {
  it('tells a guest who paid on the page what was paid, with the fee as a line of its own', async () => {
    const contact = {
      email: 'desk@hotel.com',
      phone: '+61 8 5550 1234',
      address: '1 Beach Road\nPerth WA 6000',
      website: 'https://www.hotel.com',
      termsUrl: 'https://www.hotel.com/terms',
      taxId: 'ABN 51 824 753 556',
    };
    const one = await story({ name: 'Beach House', contact });
    await one.payAsGuest();
    const [mail, ...others] = await one.mails();
    expect(others).toEqual([]);
    expect(mail).toMatchObject({
      from: 'Beach House <mail@localhost>',
      replyTo: 'desk@hotel.com',
      subject: `Payment receipt from Beach House (${one.reference})`,
    });
    const shown = [
      'Ana Nguyen',
      '14 February 2027 to 17 February 2027',
      one.reference,
      'Visa ending in 4242',
      'AUD\u00a0200.00',
      'AUD\u00a06.19',
      'AUD\u00a0206.19',
      'Australia/Perth',
      'Beach House',
      '+61 8 5550 1234',
      'ABN 51 824 753 556',
      'https://www.hotel.com/terms',
    ];
    for (const part of shown) {
      expect(mail?.text).toContain(part);
      expect(mail?.html).toContain(part);
    }
    expect(mail?.text).toContain('1 Beach Road\nPerth WA 6000');
    // Neither more of the card than its last four digits, nor its holder.
    expect(`${mail?.text}${mail?.html}`).not.toMatch(/4242 ?4242|A Nguyen|12\/30/);
  });

  it('has no Reply-To where the property named no address', async () => {
    const one = await story({ contact: null });
    await one.payAsGuest();
    expect(await one.mails()).toMatchObject([{ replyTo: null }]);
  });

  it.each([
    ['what guests paid on their page', {}, { guest: 1, property: 0 }],
    ['the charges of the property too', { receipts: true }, { guest: 1, property: 1 }],
    ['nothing', { receipts: false }, { guest: 0, property: 0 }],
  ])('is for %s: %j', async (_what, guestMails, count) => {
    const guest = await story({ guestMails });
    await guest.payAsGuest();
    expect(await guest.mails()).toHaveLength(count.guest);
    const property = await story({ guestMails });
    await property.card();
    expect((await property.charge()).status).toBe(200);
    expect(await property.mails()).toHaveLength(count.property);
  });

  it('is for a hold that was charged, with what was charged, but not for the hold', async () => {
    const one = await story({ guestMails: { receipts: true } });
    await one.card();
    const expiryTime = new Date(Date.now() + 86_400_000).toISOString();
    await one.post('/payment/v1/create', { amount: 300, preAuth: true, expiryTime });
    expect(await one.mails()).toEqual([]);
    await one.post('/payment/v1/charge-pre-auth', { chargeId: await one.chargeId(), amount: 100 });
    const [mail, ...others] = await one.mails();
    expect(others).toEqual([]);
    expect(mail?.text).toContain('AUD\u00a0103.09');
  });
});

describe('a payment that the guest confirms at their bank', () => {
  it('brings its receipt once it is allowed, and none when it is refused', async () => {
    const one = await story();
    const guest = await one.payAsGuest(ASKS_GUEST);
    expect(await one.mails()).toEqual([]);
    await toBank(guest);
    await allow(guest);
    expect(await one.subjects()).toEqual([expect.stringMatching(/^Payment receipt/)]);

    const other = await story({ guestMails: { failedPayments: true } });
    const refusing = await other.payAsGuest(ASKS_GUEST);
    await toBank(refusing);
    await refuse(refusing);
    expect(await other.mails()).toEqual([]);
  });
});

describe('a receipt of what the acquirer tells later', () => {
  it('is sent for a hold that was charged at its own desk, once', async () => {
    const one = await story({ guestMails: { receipts: true } });
    await one.card();
    const expiryTime = new Date(Date.now() + DAY_MS).toISOString();
    await one.post('/payment/v1/create', { amount: 300, preAuth: true, expiryTime });
    const chargeId = await one.chargeId();
    const { property, reference } = one;
    const act = { action: 'capture', property, reference, chargeId };
    expect((await callAsAdmin('/sandbox/v1/act', act)).status).toBe(200);
    await eventually(async () => expect(await one.subjects()).toHaveLength(1));
  });

  it('is sent for a refund that was made at its own desk', async () => {
    const one = await story();
    await one.payAsGuest();
    const chargeId = await one.chargeId();
    const { property, reference } = one;
    const act = { action: 'refund', property, reference, chargeId, amount: 20 };
    expect((await callAsAdmin('/sandbox/v1/act', act)).status).toBe(200);
    await eventually(async () => expect(await one.mails()).toHaveLength(2));
    const mails = await one.mails();
    expect(mails.at(-1)?.text).toContain('AUD\u00a020.00');
  });
});

describe('a mail of a refund', () => {
  it.each([
    ['of what guests paid on their page', {}, { guest: 1, property: 0 }],
    ['of every payment', { refunds: true }, { guest: 1, property: 1 }],
    ['of nothing', { refunds: false }, { guest: 0, property: 0 }],
  ])('is for refunds %s: %j', async (_what, guestMails, count) => {
    const guest = await story({ guestMails: { receipts: false, ...guestMails } });
    await guest.payAsGuest();
    await guest.post('/refund/v1/create', { amount: 50, description: 'Goodwill' });
    const mails = await guest.mails();
    expect(mails).toHaveLength(count.guest);
    for (const { subject, text } of mails) {
      expect(subject).toMatch(/^Refund from /);
      expect(text).toContain('AUD\u00a050.00');
      expect(text).toContain('Goodwill');
    }
    const property = await story({ guestMails });
    await property.card();
    await property.charge();
    await property.post('/refund/v1/create', { amount: 50 });
    expect(await property.mails()).toHaveLength(count.property);
  });

  it('is sent for none that failed', async () => {
    const one = await story({ guestMails: { refunds: true } });
    await one.card(REFUND_FAILS);
    await one.charge();
    const { status } = await one.post('/refund/v1/create', { amount: 50 });
    expect(status).not.toBe(200);
    expect(await one.mails()).toEqual([]);
  });
});

describe('a mail of a failed payment', () => {
  it.each([
    ['by default', {}, 0],
    ['where the property wants it', { failedPayments: true }, 1],
  ])('is sent %s', async (_when, guestMails, count) => {
    const one = await story({ guestMails });
    await one.card(LOST_CARD);
    expect((await one.charge()).status).toBe(402);
    const mails = await one.mails();
    expect(mails).toHaveLength(count);
    for (const { subject, text, html } of mails) {
      expect(subject).toContain('did not go through');
      expect(text).toContain('You were not charged.');
      expect(text).toContain('this card can no longer be used');
      const [link = ''] = /https?:\S+payments\?\S+/.exec(text) ?? [];
      expect(html).toContain(`href="${link}"`);
      const guest = new Guest();
      await guest.open(link);
      expect(guest.page.html).toContain(one.reference);
    }
  });

  it('names no page for a booking that was cancelled', async () => {
    const one = await story({ guestMails: { failedPayments: true } });
    await one.card(LOST_CARD);
    await one.post('/booking/v1/create/manage-payments', { ...one.booking, status: 'cancelled' });
    expect((await one.charge()).status).toBe(402);
    const [mail] = await one.mails();
    expect(mail?.text).toContain('to pay in another way.');
    expect(mail?.text).not.toContain('guest/v1');
  });

  it('comes once for a schedule, at its end', async () => {
    const one = await story({ guestMails: { failedPayments: true } });
    await one.card(INSUFFICIENT_FUNDS);
    const atMs = Math.ceil(Date.now() / 1000) * 1000 + DAY_MS;
    await one.post('/payment/v1/schedule', { amount: 70, time: new Date(atMs).toISOString() });
    await one.advance(atMs + 2 * DAY_MS);
    expect(await one.mails()).toEqual([]);
    await one.advance(atMs + 4 * DAY_MS);
    const [mail, ...others] = await one.mails();
    expect(others).toEqual([]);
    expect(Date.parse(mail?.at ?? '')).toBe(atMs + 3 * DAY_MS);
    expect(mail?.text).toContain('there is not enough money in the account');
  });

  it('is sent neither to a guest who was declined on the page nor for a gateway that failed at once', async () => {
    const one = await story({ guestMails: { failedPayments: true } });
    const { page } = await one.payAsGuest(INSUFFICIENT_FUNDS);
    expect(page.html).toContain('declined');
    await one.card('4000000000000119');
    expect((await one.charge()).status).toBe(502);
    expect(await one.mails()).toEqual([]);
  });
});

describe('an address', () => {
  it('gets ten mails about payments an hour, in any case, and the rest as one', async () => {
    const at = await story({ guestMails: { failedPayments: true, receipts: true } });
    await at.card(LOST_CARD);
    for (let made = 1; made <= 7; made += 1) await at.charge(made);
    const email = at.booking.email.toUpperCase();
    await at.post('/booking/v1/create/manage-payments', { ...at.booking, email });
    await at.card(GOOD);
    for (let made = 8; made <= 15; made += 1) await at.charge(made);
    const got = async () => {
      await mailsAreOut();
      return [...(await mailsTo(at.booking.email)), ...(await mailsTo(email))];
    };
    expect(await got()).toHaveLength(10);
    const states = async () =>
      (await mailStates(at.property, at.reference)).filter(({ kind }) => kind !== 'dailyWord');
    expect(
      (await states()).map(({ status }) => status).toSorted((a, b) => a.localeCompare(b)),
    ).toEqual([...Array(5).fill('Pending'), ...Array(10).fill('Sent')]);
    await at.advance(Date.now() + 30 * MINUTE_MS);
    expect(await got()).toHaveLength(10);
    await at.advance(Date.now() + 62 * MINUTE_MS);
    const all = await got();
    expect(all).toHaveLength(11);
    expect(all.at(-1)?.subject).toBe(`Your payments at Property ${at.property}`);
    for (let made = 11; made <= 15; made += 1) {
      expect(all.at(-1)?.text).toContain((made / 0.97).toFixed(2));
    }
    for (const { status } of await states()) expect(status).toBe('Sent');
    await at.charge(16);
    await at.advance(Date.now() + 65 * MINUTE_MS);
    expect(await got()).toHaveLength(12);
  });
});

describe('POST /admin/v1/mail/list', () => {
  const list = (body: object) => callAsAdmin('/admin/v1/mail/list', body);

  it('shows what came of the mails of a property, newest first and in pages, without a person', async () => {
    const one = await story({ guestMails: { receipts: true, refunds: true } });
    const { property, reference } = one;
    await one.card();
    await one.charge();
    const about = `charge ${await one.chargeId()}`;
    await one.post('/refund/v1/create', { amount: 5 });
    await one.mails();
    const { status, json } = await list({ property, reference, status: 'Sent' });
    expect(status).toBe(200);
    expect(json).toMatchObject({ success: true, nextCursor: null });
    expect(json.mails).toEqual([
      expect.objectContaining({ kind: 'refund', status: 'Sent' }),
      {
        mailId: expect.stringMatching(/-receipt$/),
        reference,
        kind: 'receipt',
        about,
        status: 'Sent',
        attempts: 1,
        nextAttemptAt: null,
        lastError: null,
        createdAt: expect.stringMatching(/\+08:00$/),
        settledAt: expect.stringMatching(/\+08:00$/),
      },
    ]);
    expect(JSON.stringify(json)).not.toMatch(/@|Nguyen|4242/);
    const first = await list({ property, limit: 1 });
    const second = await list({ property, limit: 1, cursor: first.json.nextCursor });
    expect([...first.json.mails, ...second.json.mails]).toEqual(json.mails);
    expect(second.json.nextCursor).toBeNull();
    expect((await list({ property, status: 'Dead' })).json.mails).toEqual([]);
    expect((await list({ property: 'nobody' })).json.code).toBe('property_not_found');
  });
});

describe('the mails of one fact', () => {
  it('are one, however often the sweep and the alarm look', async () => {
    const one = await story({ guestMails: { receipts: true } });
    await one.card();
    await one.charge();
    await one.mails();
    for (let times = 0; times < 3; times += 1) await sweepMailsOut();
    expect(await one.subjects()).toHaveLength(1);
    expect(await mailStates(one.property, one.reference)).toMatchObject([
      { kind: 'receipt', status: 'Sent', attempts: 1, dueAtMs: null },
    ]);
  });
});
