import { runDurableObjectAlarm } from 'cloudflare:test';
import { describe, expect, it, vi } from 'vitest';
import { HOUR_MS, MINUTE_MS } from '../../src/core/time.ts';
import { sweepMails } from '../../src/mails/stub.ts';
import { Database } from '../../src/platform/db/database.ts';
import * as mailing from '../../src/platform/mail/send.ts';
import { Trace } from '../../src/platform/trace.ts';
import { requestCard } from '../../src/records/cardRequests/actions.ts';
import { atTime, bookingOf, call, callAsAdmin, http, testEnv } from '../support/api.ts';
import { archiveAll, dismissMessages, rowsOf } from '../support/archived.ts';
import { GOOD } from '../support/cards.ts';
import { eventually } from '../support/eventually.ts';
import { Guest, savedForm, typedCard, visit } from '../support/guest.ts';
import { mailbox, mailStates, mailsAreOut, newestLink } from '../support/mailbox.ts';
import { messagesOf } from '../support/messages.ts';

const ASK = '/payment/v1/request-card-details';

/** Makes a booking of a guest of its own, unless an address is named. */
async function book(reference: string, email = `${reference}@hotel.com`): Promise<void> {
  const { status } = await call(
    '/booking/v1/create/manage-payments',
    bookingOf(reference, { email }),
  );
  expect(status).toBe(200);
}

/** Asks for a booking's card, and opens the link of the message. */
async function asked(reference: string): Promise<Guest> {
  const { json } = await call(ASK, { reference });
  if (json.success !== true) throw new Error(JSON.stringify(json));
  const guest = new Guest();
  await guest.open(await newestLink());
  return guest;
}

async function cardsOf(reference: string) {
  return (await call('/booking/v1/get-details', { reference })).json.booking.payment;
}

describe('a request for a card', () => {
  it('reaches the guest in both forms, and its card lands on the booking and at the PMS', async () => {
    await book('ASK-1');
    const { status, json } = await call(ASK, { reference: 'ASK-1' });
    expect([status, json.success]).toEqual([200, true]);
    expect(json).toMatchObject({ message: expect.any(String), requestId: expect.any(String) });
    expect(Math.round((Date.parse(json.expiresAt) - Date.now()) / HOUR_MS)).toBe(72);
    await mailsAreOut();
    const [mail] = await mailbox();
    expect(mail).toMatchObject({
      to: 'ASK-1@hotel.com',
      subject: 'Add a card for your stay at Demo Property (ASK-1)',
    });
    expect(mail?.text).toContain('14 February 2027');
    expect(mail?.html).toContain(`href="${await newestLink()}"`);

    const guest = new Guest();
    await guest.open(await newestLink());
    expect(guest.page.path).not.toContain('?');
    expect(guest.page.html).toContain('ASK-1');
    await guest.submit(typedCard(GOOD));
    expect(guest.page.html).toContain('Your card is saved for');
    expect(await cardsOf('ASK-1')).toMatchObject([{ cardNumber: 'XXXX-XXXX-XXXX-X242' }]);
    const [added, modified, ...others] = await messagesOf('ASK-1');
    expect([added?.type, modified?.type, ...others]).toEqual(['PushBooking', 'PushModification']);
    expect(added?.payload).not.toHaveProperty('BookingData.Guest.CardMask');
    expect(modified?.payload).toHaveProperty('BookingData.Guest.CardMask', 'XXXXXXXXXXXX4242');
    const audit = await callAsAdmin('/admin/v1/audit/list', {
      property: 'demo',
      reference: 'ASK-1',
    });
    expect(audit.json.entries).toContainEqual(
      expect.objectContaining({ actor: 'guest', to: 'attached' }),
    );
  });

  it('goes to another address where one is given, and works as long as is said', async () => {
    await book('ASK-2');
    const body = { reference: 'ASK-2', email: 'agent@travel.com', expiresInHours: 2 };
    const { json } = await call(ASK, body);
    expect(Math.round((Date.parse(json.expiresAt) - Date.now()) / HOUR_MS)).toBe(2);
    const link = await newestLink();
    expect((await mailbox())[0]?.to).toBe('agent@travel.com');
    const guest = new Guest();
    await guest.open(link);
    await atTime(Date.now() + 3 * HOUR_MS, async () => {
      expect((await new Guest().open(link)).status).toBe(410);
    });
    await guest.submit(typedCard(GOOD));
    expect(await cardsOf('ASK-2')).toHaveLength(1);
  });

  it('without a booking keeps the card, attached to none', async () => {
    const asked = await call(ASK, { email: 'somebody@hotel.com' });
    const guest = new Guest();
    await guest.open(await newestLink());
    const listed = await callAsAdmin('/admin/v1/mail/list', { property: 'demo', limit: 1 });
    const about = `cardRequest ${asked.json['requestId']}`;
    expect(listed.json['mails']).toMatchObject([
      { kind: 'cardRequest', reference: null, about, status: 'Sent' },
    ]);
    expect(guest.page.html).toContain('needs a card from you');
    await guest.submit(typedCard(GOOD));
    expect(guest.page.html).toContain('Thank you');
    const card = await testEnv.DB.prepare(
      'SELECT booking_reference, entered_by FROM cards WHERE request_id IS NOT NULL AND booking_reference IS NULL',
    ).first();
    expect(card).toEqual({ booking_reference: null, entered_by: 'guest' });
  });

  it('takes one card, however often and however many at once it is sent', async () => {
    await book('ONCE');
    const guest = await asked('ONCE');
    const path = guest.page.path;
    const send = () => guest.post(path, { ...typedCard(GOOD), ...savedForm() });
    const sent = await Promise.all([send(), send(), send()]);
    expect(sent.some(({ html }) => html.includes('Your card is saved for'))).toBe(true);
    expect(await cardsOf('ONCE')).toHaveLength(1);
    expect((await send()).html).toContain('Your card is saved for');
    expect(await cardsOf('ONCE')).toHaveLength(1);
  });

  it('is not used up by being looked at', async () => {
    await book('SCAN');
    await call(ASK, { reference: 'SCAN' });
    const link = await newestLink();
    for (let looks = 0; looks < 3; looks += 1) await new Guest().open(link);
    const guest = new Guest();
    await guest.open(link);
    await guest.submit(typedCard(GOOD));
    expect(await cardsOf('SCAN')).toHaveLength(1);
  });

  it('is superseded by a later one for the same booking, in the middle of a visit as well', async () => {
    await book('LATER');
    const first = await asked('LATER');
    const second = await asked('LATER');
    await first.submit(typedCard(GOOD));
    expect([first.page.status, first.page.html.includes('most recent e-mail')]).toEqual([
      410,
      true,
    ]);
    expect(await cardsOf('LATER')).toEqual([]);
    await second.submit(typedCard(GOOD));
    expect(await cardsOf('LATER')).toHaveLength(1);
  });

  it('is superseded at once, before the mail of the later one is out', async () => {
    await book('SOONER');
    const guest = await asked('SOONER');
    const work = {
      database: new Database(testEnv.DB, new Trace()),
      env: testEnv,
      config: { local: true },
    };
    const command = { reference: 'SOONER', email: null, lifeMs: HOUR_MS };
    expect((await requestCard(work, 'demo', command, Date.now())).ok).toBe(true);
    await guest.open(guest.page.path);
    expect(guest.page.status).toBe(410);
  });

  it('that cannot be sent yet is sent later, and leaves the link before in force until then', async () => {
    await book('UNSENT');
    const guest = await asked('UNSENT');
    const spy = vi
      .spyOn(mailing, 'sendMail')
      .mockResolvedValue({ kind: 'failed', why: 'E_INTERNAL' });
    expect((await call(ASK, { reference: 'UNSENT' })).status).toBe(200);
    const requests = async () =>
      (await mailStates('demo', 'UNSENT')).filter(({ kind }) => kind === 'cardRequest');
    await eventually(async () =>
      expect(await requests()).toMatchObject([
        { status: 'Sent' },
        { status: 'Pending', attempts: 1, lastError: 'E_INTERNAL' },
      ]),
    );
    spy.mockRestore();
    await guest.open(guest.page.path);
    expect(guest.page.status).toBe(200);
    await atTime(Date.now() + 2 * MINUTE_MS, async () => {
      await sweepMails(testEnv, Date.now());
      await runDurableObjectAlarm(testEnv.MAILER.getByName('demo'));
    });
    expect(await requests()).toMatchObject([{ status: 'Sent' }, { status: 'Sent', attempts: 2 }]);
    await guest.submit(typedCard(GOOD));
    expect([guest.page.status, await cardsOf('UNSENT')]).toEqual([410, []]);
    const later = new Guest();
    await later.open(await newestLink());
    await later.submit(typedCard(GOOD));
    expect(await cardsOf('UNSENT')).toHaveLength(1);
  });

  it('to an address that bounces leaves the link before in force, and does not count', async () => {
    await book('BOUNCED');
    const guest = await asked('BOUNCED');
    const email = 'bounce+card@hotel.com';
    expect((await call(ASK, { reference: 'BOUNCED', email })).status).toBe(200);
    await mailsAreOut();
    for (let tries = 0; tries < 6; tries += 1) {
      const { json, status } = await call(ASK, { reference: 'BOUNCED', email });
      expect([status, json.code]).toEqual([502, 'gateway_error']);
    }
    const kept = await testEnv.DB.prepare(
      "SELECT status FROM card_requests WHERE booking_reference = 'BOUNCED'",
    ).all();
    expect(kept.results).toEqual([{ status: 'Open' }]);
    await guest.submit(typedCard(GOOD));
    expect(await cardsOf('BOUNCED')).toHaveLength(1);
  });

  it('stands nowhere in the database with its link', async () => {
    await book('SECRET');
    await call(ASK, { reference: 'SECRET' });
    const secret = new URL(await newestLink()).search.slice(1);
    const tables = ['mails', 'card_requests', 'history', 'idempotency_keys'];
    for (const table of tables) {
      const { results } = await testEnv.DB.prepare(`SELECT * FROM ${table}`).all();
      expect(JSON.stringify(results)).not.toContain(secret);
    }
  });

  it('by another address than the booking’s is no card that its guest may pay with', async () => {
    await book('AGENT');
    await call(ASK, { reference: 'AGENT', email: 'agent@travel.com' });
    const agent = new Guest();
    await agent.open(await newestLink());
    await agent.submit(typedCard(GOOD));
    expect(await cardsOf('AGENT')).toHaveLength(1);
    const guest = await visit('AGENT');
    expect(guest.page.html).toContain('Provided with your booking');
    expect(guest.page.html).not.toContain('type="radio" name="card"');
  });

  it('is made five times an hour and no more', async () => {
    await book('OFTEN');
    const sent = await Promise.all(
      Array.from({ length: 7 }, () => call(ASK, { reference: 'OFTEN' })),
    );
    const statuses = sent.map(({ status }) => status).toSorted((a, b) => a - b);
    expect(statuses).toEqual([200, 200, 200, 200, 200, 429, 429]);
    await mailsAreOut();
    const limited = sent.find(({ status }) => status === 429);
    expect(limited?.json.code).toBe('rate_limited');
    expect(Number(limited?.headers.get('Retry-After'))).toBeGreaterThan(0);
    const open = await testEnv.DB.prepare(
      "SELECT count(*) AS count FROM card_requests WHERE booking_reference = 'OFTEN' AND status = 'Open'",
    ).first<number>('count');
    expect(open).toBe(1);
    await atTime(Date.now() + 2 * HOUR_MS, async () => {
      expect((await call(ASK, { reference: 'OFTEN' })).status).toBe(200);
    });
  });

  it('goes to one guest five times an hour, by whichever booking and however the address is written', async () => {
    await book('GUEST-1', 'one.guest@hotel.com');
    await book('GUEST-2', 'One.Guest@Hotel.com');
    await book('GUEST-3');
    const asks = [
      { reference: 'GUEST-1' },
      { reference: 'GUEST-2' },
      { email: 'ONE.GUEST@HOTEL.COM' },
      { reference: 'GUEST-3', email: 'one.guest@hotel.COM' },
    ];
    await mailsAreOut();
    const mails = (await mailbox()).length;
    const sent = await Promise.all([...asks, ...asks].map((body) => call(ASK, body)));
    const statuses = sent.map(({ status }) => status).toSorted((a, b) => a - b);
    expect(statuses).toEqual([200, 200, 200, 200, 200, 429, 429, 429]);
    await mailsAreOut();
    expect((await mailbox()).length - mails).toBe(5);
    expect((await call(ASK, { email: 'two.guests@hotel.com' })).status).toBe(200);
    await atTime(Date.now() + 2 * HOUR_MS, async () => {
      expect((await call(ASK, { reference: 'GUEST-2' })).status).toBe(200);
    });
  });

  it('is no way around the limit of a booking by naming other addresses', async () => {
    await book('NAMES');
    const statuses: number[] = [];
    for (let times = 0; times < 6; times += 1) {
      const email = `name-${times}@hotel.com`;
      statuses.push((await call(ASK, { reference: 'NAMES', email })).status);
    }
    expect(statuses).toEqual([200, 200, 200, 200, 200, 429]);
  });

  it.each([
    [{}, ['email', 'reference']],
    [{ email: 'nobody' }, ['email']],
    [{ reference: '', expiresInHours: 0 }, ['expiresInHours', 'reference']],
    [{ reference: 'ASK-1', expiresInHours: 1_000 }, ['expiresInHours']],
  ])('is refused for %o', async (body, fields) => {
    await mailsAreOut();
    const before = (await mailbox()).length;
    const { status, json } = await call(ASK, body);
    const named = json.errors.map(({ field }) => field).toSorted();
    expect([status, named, (await mailbox()).length]).toEqual([422, fields, before]);
  });

  it('shows the same once its booking is archived, which its card brings back', async () => {
    await book('ASK-ARC');
    const guest = await asked('ASK-ARC');
    const { html, path } = guest.page;
    await dismissMessages();
    await archiveAll();
    expect(await rowsOf('ASK-ARC')).toBe(0);
    const withoutIds = (text: string) => text.replaceAll(/[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-\w+/g, '');
    await guest.open(path);
    expect([guest.page.status, withoutIds(guest.page.html)]).toEqual([200, withoutIds(html)]);
    expect(await rowsOf('ASK-ARC')).toBe(0);
    await guest.submit(typedCard(GOOD));
    expect(guest.page.html).toContain('Your card is saved for');
    expect(await cardsOf('ASK-ARC')).toMatchObject([{ cardNumber: 'XXXX-XXXX-XXXX-X242' }]);
    expect(await rowsOf('ASK-ARC')).toBeGreaterThan(2);
  });

  it('of a booking that there is not is 404', async () => {
    expect((await call(ASK, { reference: 'NOWHERE' })).json.code).toBe('booking_not_found');
  });
});

describe('a link that asks for a card', () => {
  it('is of no use on the payment page, nor the other way round', async () => {
    await book('CROSS');
    await call(ASK, { reference: 'CROSS' });
    const card = (await newestLink()).replace('/guest/v1/card?', '/guest/v1/payments?');
    expect((await new Guest().open(card)).status).toBe(404);
    const { json } = await call('/booking/v1/get-url', { reference: 'CROSS' });
    const pay = json.url.replace('/guest/v1/payments?', '/guest/v1/card?');
    expect((await new Guest().open(pay)).status).toBe(404);
  });
});

describe('the local mailbox', () => {
  it('shows each message as its reader sees it, in a frame that runs nothing', async () => {
    const page = await (await http('/dev/mailbox')).text();
    const [, path = ''] = /<iframe [^>]*src="([^"]+)" sandbox=/.exec(page) ?? [];
    const mail = await http(path);
    expect(mail.headers.get('Content-Security-Policy')).toMatch(/default-src 'none'.*; sandbox /);
    const html = await mail.text();
    expect(html).toContain('<base target="_top">');
    expect(html).toContain('Add a card for your stay at Demo Property');
    expect((await http('/dev/mailbox/999999')).status).toBe(404);
    const last = Number(path.split('/').at(-1));
    const older = await (await http(`/dev/mailbox?before=${last}`)).text();
    expect(older).not.toContain(`/dev/mailbox/${last}"`);
  });

  it('shows messages as text, with their links', async () => {
    const page = await (await http('/dev/mailbox')).text();
    expect(page).toContain('Add a card for your stay at Demo Property');
    expect(page).toMatch(/<a href="http:\/\/localhost\/guest\/v1\/card\?[\w.-]+">/);
  });
});
