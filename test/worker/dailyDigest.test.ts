/** What a property hears in the morning of the day before: by its own clock and zone, once, and nothing left out. */
import { describe, expect, it } from 'vitest';
import { DAY_MS, HOUR_MS } from '../../src/core/time.ts';
import { attachCard, bookingOf, call, callAsAdmin, makeProperty, testEnv } from '../support/api.ts';
import { DISPUTED, GOOD, LOST_CARD, REFUND_FAILS } from '../support/cards.ts';
import { type MailBody, mailsTo, sweepMailsOut } from '../support/mailbox.ts';

let made = 0;

/** A property of its own, whose clock begins at noon of a day some days ahead. */
async function story(timeZone = 'Australia/Perth', details: Record<string, unknown> = {}) {
  made += 1;
  const property = `digest-${made}`;
  const desk = `desk-${made}@hotel.com`;
  const contact = { contact: { email: desk } };
  const token = await makeProperty(property, { timeZone, ...contact, ...details });
  const options = { token };
  const advance = async (toMs: number) => {
    const to = new Date(toMs).toISOString();
    const { status, json } = await callAsAdmin('/sandbox/v1/clock/advance', { property, to });
    expect([status, json]).toMatchObject([200, { success: true }]);
  };
  const noonMs = noonAhead(timeZone);
  await advance(noonMs);
  return {
    property,
    noonMs,
    advance,
    /** A booking with a card. */
    async book(reference: string, cardNumber: string) {
      await call('/booking/v1/create/manage-payments', bookingOf(reference), options);
      await attachCard(reference, cardNumber, options);
    },
    card: (reference: string, cardNumber: string) => attachCard(reference, cardNumber, options),
    post: (path: string, body: object) => call(path, body, options),
    charge: (reference: string, amount = 100) =>
      call('/payment/v1/create', { reference, amount }, options),
    /** What the desk got, oldest first. */
    async digests(): Promise<MailBody[]> {
      await sweepMailsOut();
      return mailsTo(desk);
    },
  };
}

/** Noon of a day ahead in a zone. */
function noonAhead(timeZone: string): number {
  const ahead = new Date(Date.now() + 3 * DAY_MS).toISOString().slice(0, 10);
  const offsetHours = Number(
    new Intl.DateTimeFormat('en-GB', { hour: 'numeric', hourCycle: 'h23', timeZone }).format(
      Date.parse(`${ahead}T12:00:00Z`),
    ),
  );
  return Date.parse(`${ahead}T12:00:00Z`) + (12 - offsetHours) * HOUR_MS;
}

const pending = async (property: string) => {
  const { results } = await testEnv.DB.prepare(
    "SELECT id FROM mails WHERE property_id = ? AND status = 'Pending'",
  )
    .bind(property)
    .all();
  return results.length;
};

describe("the property's daily digest", () => {
  it('tells in the morning of charges, refunds and disputes of the day before, and of nothing twice', async () => {
    const one = await story();
    await one.book('BAD', LOST_CARD);
    await one.book('BACK', REFUND_FAILS);
    await one.book('DISP', DISPUTED);
    await one.book('FINE', GOOD);
    expect((await one.charge('BAD', 120)).status).toBe(402);
    await one.charge('BACK', 80);
    await one.post('/refund/v1/create', { reference: 'BACK', amount: 30 });
    await one.charge('DISP', 90);
    await one.charge('FINE');
    expect(await one.digests()).toEqual([]);

    await one.advance(one.noonMs + 18.9 * HOUR_MS);
    expect(await one.digests()).toEqual([]);
    await one.advance(one.noonMs + 19.1 * HOUR_MS);
    const [digest, ...others] = await one.digests();
    expect(others).toEqual([]);
    expect(digest).toMatchObject({ replyTo: expect.any(String), from: expect.any(String) });
    expect(Date.parse(digest?.at ?? '')).toBe(one.noonMs + 19 * HOUR_MS);
    expect(digest?.subject).toMatch(/^3 payments need your attention: Property digest-\d+, /);
    expect(digest?.text).toMatch(
      /Failed charges\n- .*: booking BAD, Nguyen, AUD\u00a0120.00, declined: the card was reported lost\n {2}http.*\/console\/booking\?property=digest-\d+&reference=BAD/,
    );
    expect(digest?.text).toMatch(
      /Failed refunds\n- .*: booking BACK, Nguyen, AUD\u00a030.00, the refund failed/,
    );
    expect(digest?.text).toMatch(
      /Disputes\n- .*: booking DISP, Nguyen, AUD\u00a090.00, disputed \(the guest does not know the payment\)/,
    );
    expect(digest?.text).not.toMatch(/FINE|guest@/);

    await one.advance(one.noonMs + 3 * DAY_MS);
    expect(await one.digests()).toHaveLength(1);
    expect(await pending(one.property)).toBe(0);
  });

  it('says each day what was new, and keeps silent on a day without', async () => {
    const one = await story();
    await one.book('A', LOST_CARD);
    await one.charge('A', 11);
    await one.advance(one.noonMs + 2 * DAY_MS);
    await one.charge('A', 22);
    // After midnight, before the digest of the day before.
    await one.advance(one.noonMs + 2 * DAY_MS + 14 * HOUR_MS);
    await one.charge('A', 33);
    await one.advance(one.noonMs + 5 * DAY_MS);
    const digests = await one.digests();
    const told = digests.map(({ text, at }) => [
      [...text.matchAll(/AUD\u00a0(\d+)/g)].map(([, amount]) => Number(amount)),
      (Date.parse(at) - one.noonMs) / HOUR_MS,
    ]);
    expect(told).toEqual([
      [[11], 19],
      [[22], 48 + 19],
      [[33], 72 + 19],
    ]);
  });

  it('keeps silent of what was paid since, and altogether where nothing is left to say', async () => {
    const one = await story();
    await one.book('SINCE', LOST_CARD);
    await one.book('PARTLY', LOST_CARD);
    await one.charge('SINCE', 60);
    await one.charge('PARTLY', 60);
    await one.card('SINCE', GOOD);
    await one.card('PARTLY', GOOD);
    await one.charge('SINCE', 60);
    await one.charge('PARTLY', 59);
    await one.advance(one.noonMs + DAY_MS);
    const [digest] = await one.digests();
    expect(digest?.subject).toMatch(/^1 payment needs /);
    expect(digest?.text).toContain('booking PARTLY');
    expect(digest?.text).not.toContain('SINCE');
    await one.charge('PARTLY', 1);
    await one.book('LATER', LOST_CARD);
    await one.charge('LATER', 60);
    await one.card('LATER', GOOD);
    await one.charge('LATER', 60);
    await one.advance(one.noonMs + 3 * DAY_MS);
    expect(await one.digests()).toHaveLength(1);
    expect(await pending(one.property)).toBe(0);
  });

  it.each(['Pacific/Auckland', 'America/Los_Angeles', 'Asia/Kathmandu', 'Europe/Lisbon'])(
    'comes at seven in the morning in %s',
    async (timeZone) => {
      const one = await story(timeZone);
      await one.book('A', LOST_CARD);
      await one.charge('A');
      await one.advance(one.noonMs + 2 * DAY_MS);
      const [digest] = await one.digests();
      const local = new Intl.DateTimeFormat('en-GB', { timeStyle: 'short', timeZone });
      expect(local.format(Date.parse(digest?.at ?? ''))).toBe('07:00');
      expect(Date.parse(digest?.at ?? '')).toBeLessThan(one.noonMs + DAY_MS);
    },
  );

  it('is for nobody where the property named no address, and where it took it away since', async () => {
    const silent = await story('Australia/Perth', { contact: null });
    await silent.book('A', LOST_CARD);
    await silent.charge('A');
    expect(await pending(silent.property)).toBe(0);

    const one = await story();
    await one.book('A', LOST_CARD);
    await one.charge('A');
    const { json } = await callAsAdmin('/admin/v1/property/put', {
      property: one.property,
      name: 'Silent',
      site: 'silent.localhost',
      currency: 'AUD',
      timeZone: 'Australia/Perth',
      contact: null,
    });
    expect(json.success).toBe(true);
    await one.advance(one.noonMs + 2 * DAY_MS);
    expect(await one.digests()).toEqual([]);
    expect(await pending(one.property)).toBe(0);
  });

  it('of a great many names the first hundred and counts the rest', async () => {
    const one = await story();
    await one.book('A', LOST_CARD);
    await one.charge('A');
    await testEnv.DB.prepare(
      `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 149)
       INSERT INTO mails (id, property_id, booking_reference, kind, event_type, subject_kind, subject_id, status, due_at_ms, created_at_ms)
       SELECT m.id || i, property_id, booking_reference || '-' || i, kind, event_type, subject_kind, subject_id, 'Pending', created_at_ms, created_at_ms
       FROM mails m, n WHERE property_id = ?`,
    )
      .bind(one.property)
      .run();
    await one.advance(one.noonMs + 2 * DAY_MS);
    const [digest, ...others] = await one.digests();
    expect(others).toEqual([]);
    expect(digest?.subject).toContain('150 payments need');
    expect(digest?.text.match(/booking A(?:-\d+)?,/g)).toHaveLength(100);
    expect(digest?.text).toContain('And 50 more.');
    expect(await pending(one.property)).toBe(0);
  });
});
