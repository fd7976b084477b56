/** Cards that fail: whom the service asks for another one, when, and what a new card does (interface: Recovery). */
import { describe, expect, it } from 'vitest';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../src/core/time.ts';
import { bookingOf, call, callAsAdmin, ledgerOf, testEnv } from '../support/api.ts';
import { ASKS_GUEST, DECLINED, GOOD, LOST_CARD, OTHER_GOOD } from '../support/cards.ts';
import { monthAhead } from '../support/days.ts';
import { EXPIRED, expiringSchedule, RENEWED, recoveryStory } from '../support/recovery.ts';
import { SETTINGS, settings } from '../support/recoverySettings.ts';

/** When an hour from now is, as a full second. */
function ahead(ms: number): number {
  return Math.ceil((Date.now() + ms) / 1000) * 1000;
}

/** How many statements each batch has that D1 gets meanwhile. */
async function batchesOf(run: () => Promise<unknown>): Promise<number[]> {
  const database = Object.getPrototypeOf(testEnv.DB) as D1Database;
  const original = database.batch;
  const sizes: number[] = [];
  database.batch = function <T>(this: D1Database, statements: D1PreparedStatement[]) {
    sizes.push(statements.length);
    return original.call(this, statements) as Promise<D1Result<T>[]>;
  };
  try {
    await run();
  } finally {
    database.batch = original;
  }
  return sizes;
}

describe('a card that will have expired', () => {
  it('has its guest asked on the right day; a new card takes the charge over, once', async () => {
    const story = await recoveryStory();
    const { chargeId, chargeAtMs, askAtMs } = await expiringSchedule(story);
    await story.advance(askAtMs - HOUR_MS);
    expect(await story.mails()).toEqual([]);
    await story.advance(askAtMs);
    const [mail, ...more] = await story.mails();
    expect(more).toEqual([]);
    expect(mail?.text).toMatch(/AUD\s100\.00/);
    expect(mail?.text).toContain('Visa card ending in 4242 will have expired');
    expect(mail?.text).toMatch(/http:\/\/localhost\/guest\/v1\/payments\?/);
    expect(await story.events('card.expiring')).toEqual(['card.expiring']);

    await story.attach(OTHER_GOOD);
    await story.advance(chargeAtMs + HOUR_MS);
    expect(await story.mails()).toHaveLength(1);
    expect(await story.events('recovery')).toEqual([]);
    const [charge, ...others] = await story.list();
    expect(others).toEqual([]);
    expect([charge?.id, charge?.status, charge?.cardDetails.cardNumber]).toEqual([
      chargeId,
      'Accepted',
      '4444',
    ]);
  });

  it('has its guest asked again halfway; without an answer it is flagged once, at the deadline', async () => {
    const story = await recoveryStory();
    const { chargeId, chargeAtMs, askAtMs } = await expiringSchedule(story);
    await story.advance(askAtMs + 12 * HOUR_MS - MINUTE_MS);
    expect(await story.mails()).toHaveLength(1);
    await story.advance(askAtMs + 12 * HOUR_MS);
    expect(await story.mails()).toHaveLength(2);
    await story.advance(askAtMs + 24 * HOUR_MS - MINUTE_MS);
    expect(await story.events('recovery')).toEqual([]);
    await story.advance(askAtMs + 24 * HOUR_MS);
    expect(await story.events('recovery')).toEqual(['recovery.flagged']);
    expect(await story.mails()).toHaveLength(2);
    const [problem] = await story.health();
    expect(problem).toMatchObject({ chargeId, problem: 'expires_before' });
    expect(Date.parse(problem?.askedAt ?? '')).toBe(askAtMs);
    expect(Date.parse(problem?.deadline ?? '')).toBe(askAtMs + 24 * HOUR_MS);

    // The charge is tried all the same, and declined: that is the third and last reminder.
    await story.advance(chargeAtMs + 3 * DAY_MS);
    expect((await story.list()).map(({ status }) => status)).toEqual(['Declined']);
    expect(await story.mails()).toHaveLength(3);
    expect(await story.events('recovery')).toEqual(['recovery.flagged']);
  });

  it.each([
    ['as the sandbox plays it by its number', RENEWED, false],
    ['as its acquirer tells at once', GOOD, true],
  ])('is not asked for where its issuer renews it, %s', async (_how, number, tells) => {
    const story = await recoveryStory();
    const { text, endsAtMs } = monthAhead(2);
    await story.attach(number, text);
    const chargeAtMs = endsAtMs + 10 * DAY_MS;
    await story.schedule(chargeAtMs);
    expect(await story.health()).toMatchObject([{ problem: 'expires_before', askedAt: null }]);
    if (tells) {
      const renewal = { action: 'renewCard', property: story.property, cardExpiry: '09/2035' };
      const { status, json } = await callAsAdmin('/sandbox/v1/act', {
        ...renewal,
        reference: story.reference,
      });
      expect([status, json]).toEqual([200, { success: true }]);
    }
    await story.advance(chargeAtMs + HOUR_MS);
    expect(await story.mails()).toEqual([]);
    expect(await story.events('card.[ue]')).toEqual(['card.updated']);
    expect((await story.list()).map(({ status }) => status)).toEqual(['Accepted']);
    expect(await story.health()).toEqual([]);
    const { json } = await story.post('/booking/v1/get-details');
    const known = JSON.stringify(json.booking);
    if (tells) expect(known).toContain('"cardExpiry":"09/2035"');
  });

  it('is told of once, and its guest not asked, where the property does not ask', async () => {
    const story = await recoveryStory({ cardRecovery: null });
    const { chargeAtMs, askAtMs } = await expiringSchedule(story);
    await story.advance(askAtMs + DAY_MS);
    expect(await story.events('card.expiring')).toEqual(['card.expiring']);
    await story.advance(chargeAtMs + HOUR_MS);
    expect(await story.mails()).toEqual([]);
    expect(await story.health()).toMatchObject([
      { problem: 'expired', askedAt: null, deadline: null },
    ]);
  });

  it('is asked for anew when the property changes how many days before', async () => {
    const story = await recoveryStory();
    const { chargeAtMs } = await expiringSchedule(story);
    const cardRecovery = { ...SETTINGS, askDaysBefore: 3 };
    const body = {
      property: story.property,
      name: 'P',
      site: 'p.localhost',
      currency: 'AUD',
      timeZone: 'Australia/Perth',
    };
    const { json } = await callAsAdmin('/admin/v1/property/put', { ...body, cardRecovery });
    expect(json.property).toMatchObject({ cardRecovery });
    await story.advance(chargeAtMs - 4 * DAY_MS);
    expect(await story.mails()).toEqual([]);
    await story.advance(chargeAtMs - 3 * DAY_MS);
    expect(await story.mails()).toHaveLength(1);
    const off = await callAsAdmin('/admin/v1/property/put', { ...body, cardRecovery: null });
    expect(off.json.property).toMatchObject({ cardRecovery: null });
    await story.advance(chargeAtMs - DAY_MS);
    expect(await story.mails()).toHaveLength(1);
    expect(await story.events('recovery')).toEqual([]);
  });

  it('that a schedule names gives way to the new card once its guest was asked, not before', async () => {
    const story = await recoveryStory();
    const { text, endsAtMs } = monthAhead(2);
    const token = await story.attach(GOOD, text);
    const chargeAtMs = endsAtMs + 10 * DAY_MS;
    await story.schedule(chargeAtMs, 100, { token });
    await story.attach(OTHER_GOOD);
    const numberNow = async () => (await story.list())[0]?.cardDetails.cardNumber;
    expect(await numberNow()).toBe('4242');
    await story.advance(chargeAtMs - 14 * DAY_MS);
    expect(await story.mails()).toHaveLength(1);
    await story.attach(OTHER_GOOD);
    expect(await numberNow()).toBe('4444');
    await story.advance(chargeAtMs + HOUR_MS);
    expect((await story.list()).map(({ status }) => status)).toEqual(['Accepted']);
    expect(await story.mails()).toHaveLength(1);
  });

  it('has a new card take all of very many schedules over, no more than a batch holds at a time', async () => {
    const story = await recoveryStory({ booking: { totalCost: 0, firstNightCost: 0 } });
    const { text, endsAtMs } = monthAhead(2);
    const token = await story.attach(GOOD, text);
    const chargeAtMs = endsAtMs + 10 * DAY_MS;
    for (let made = 0; made < 120; made += 40) {
      const amounts = Array.from({ length: 40 }, (_, nth) => 1 + made + nth);
      await Promise.all(amounts.map((amount) => story.schedule(chargeAtMs, amount, { token })));
    }
    // As if its guest had been asked for all of them.
    await testEnv.DB.prepare(
      'UPDATE recoveries SET asked = 1, asked_for_cause = 1, first_asked_at_ms = ?1, deadline_at_ms = ?1, version = version + 1 WHERE property_id = ?2',
    )
      .bind(chargeAtMs - DAY_MS, story.property)
      .run();
    const batches = await batchesOf(() => story.attach(OTHER_GOOD));
    expect(Math.max(...batches)).toBeLessThan(330);
    await story.advance(Date.now() + HOUR_MS);
    const cardsNow = (await story.list()).map(({ cardDetails }) => cardDetails.cardNumber);
    expect([cardsNow.length, [...new Set(cardsNow)]]).toEqual([120, ['4444']]);
    expect(await story.health()).toEqual([]);
  });

  it('is asked for in one message where several charges fail together', async () => {
    const story = await recoveryStory();
    const { askAtMs, chargeAtMs } = await expiringSchedule(story);
    await story.schedule(chargeAtMs, 55);
    await story.advance(askAtMs);
    const mails = await story.mails();
    expect(mails).toHaveLength(1);
    expect(mails[0]?.text).toMatch(/AUD\s100\.00[\s\S]*AUD\s55\.00/);
  });

  it.each([
    ['cancelled', { status: 'cancelled' }],
    ['cancelled, its charges kept', { status: 'cancelled' }],
  ])('is not asked for again once the booking is %s', async (how, change) => {
    const keepSchedulesOnCancellation = how.includes('kept');
    const story = await recoveryStory({ property: { keepSchedulesOnCancellation } });
    const { askAtMs } = await expiringSchedule(story);
    await story.advance(askAtMs);
    expect(await story.mails()).toHaveLength(1);
    await call(
      '/booking/v1/create/manage-payments',
      {
        reference: story.reference,
        arrival: '14-02-2028',
        departure: '17-02-2028',
        email: story.email,
        lastName: 'Nguyen',
        totalCost: 600,
        firstNightCost: 200,
        ...change,
      },
      story.options,
    );
    await story.advance(askAtMs + 2 * DAY_MS);
    expect(await story.mails()).toHaveLength(1);
    expect(await story.events('recovery')).toEqual([]);
    expect(await story.health()).toEqual([]);
  });

  it('is not asked for again once the schedule is cancelled', async () => {
    const story = await recoveryStory();
    const { askAtMs, chargeId } = await expiringSchedule(story);
    await story.advance(askAtMs);
    await story.post('/payment/v1/cancel-schedule', { chargeId });
    await story.advance(askAtMs + 2 * DAY_MS);
    expect(await story.mails()).toHaveLength(1);
    expect(await story.events('recovery')).toEqual([]);
  });
});

describe('a schedule that was declined for good', () => {
  /** A schedule that is declined in an hour. */
  async function declined(number: string, beginning = {}, amount = 100) {
    const story = await recoveryStory(beginning);
    await story.attach(number);
    const atMs = ahead(HOUR_MS);
    const chargeId = await story.schedule(atMs, amount);
    await story.advance(atMs);
    return { story, atMs, chargeId };
  }

  it('has its guest asked at once and again halfway; a new card is charged once', async () => {
    const { story, atMs, chargeId } = await declined(LOST_CARD);
    expect(await story.mails()).toHaveLength(1);
    expect((await story.mails())[0]?.text).toContain('was declined for your Visa card');
    await story.advance(atMs + 12 * HOUR_MS);
    expect(await story.mails()).toHaveLength(2);
    expect(await story.health()).toMatchObject([{ chargeId, problem: 'declined' }]);
    await story.attach(OTHER_GOOD);
    const [old, made, ...more] = await story.list();
    expect(more).toEqual([]);
    expect([old?.status, old?.replaces]).toEqual(['Declined', undefined]);
    expect([made?.status, made?.replaces, made?.type, made?.amount]).toEqual([
      'Accepted',
      chargeId,
      'PaymentManual',
      100,
    ]);
    const { json } = await story.post('/payment/v1/get-transaction', { chargeId: made?.id });
    expect(json.transaction.replaces).toBe(chargeId);
    expect(await story.health()).toEqual([]);
    await story.attach(GOOD);
    await story.advance(atMs + 3 * DAY_MS);
    expect(await story.list()).toHaveLength(2);
    expect(await story.mails()).toHaveLength(2);
    expect(await story.events('recovery')).toEqual([]);
  });

  it('has its guest asked in the language of the property', async () => {
    const { story } = await declined(LOST_CARD, {
      property: { guestMails: { languages: ['de'] } },
    });
    const [mail] = await story.mails();
    expect(mail?.subject).toMatch(/^Bitte handeln: Ihre Karte wurde abgelehnt – .+ \(R-1\)$/);
    expect(mail?.html).toContain('<html lang="de">');
    const time = String.raw`\d{2}\.\d{2}\.\d{4}, \d{2}:\d{2}`;
    for (const sentence of [
      String.raw`vom 14\. Februar 2028 bis 17\. Februar 2028 \(R-1\)`,
      String.raw`Die Zahlung von 100,00\sAUD am ${time} wurde für Ihre Karte \(Visa mit den Endziffern 9987\) abgelehnt`,
      String.raw`bis spätestens ${time} \(Australia/Perth\)`,
      'wird die abgelehnte Zahlung sofort davon abgebucht',
    ]) {
      expect(mail?.text).toMatch(new RegExp(sentence));
    }
    expect(mail?.text).toContain(
      'Karte ersetzen oder bezahlen:\nhttp://localhost/guest/v1/payments?',
    );
  });

  it('has the bank of its guest named where that wants to see the guest', async () => {
    const { story, chargeId } = await declined(ASKS_GUEST);
    expect((await story.mails()).map(({ text }) => /confirm the payment/.test(text))).toEqual([
      true,
    ]);
    expect(await story.health()).toMatchObject([{ chargeId, problem: 'needs_authentication' }]);
    await story.attach(OTHER_GOOD);
    expect((await story.list()).map(({ status, replaces }) => [status, replaces])).toEqual([
      ['Declined', undefined],
      ['Accepted', chargeId],
    ]);
  });

  it('is asked for after its last soft decline, not before', async () => {
    const { story, atMs } = await declined(DECLINED);
    await story.advance(atMs + 71 * HOUR_MS);
    expect(await story.mails()).toEqual([]);
    await story.advance(atMs + 72 * HOUR_MS);
    expect(await story.mails()).toHaveLength(1);
  });

  it('is asked for on when the new card is declined too, and charged on the next', async () => {
    const { story, atMs, chargeId } = await declined(LOST_CARD);
    await story.attach(EXPIRED);
    expect((await story.list()).map(({ status }) => status)).toEqual(['Declined', 'Declined']);
    await story.advance(atMs + 12 * HOUR_MS);
    expect(await story.mails()).toHaveLength(2);
    await story.attach(OTHER_GOOD);
    expect((await story.list()).map(({ status, replaces }) => [status, replaces])).toEqual([
      ['Declined', undefined],
      ['Declined', chargeId],
      ['Accepted', chargeId],
    ]);
  });

  it('is not charged again on a card that comes after the deadline', async () => {
    const { story, atMs } = await declined(LOST_CARD);
    await story.advance(atMs + 24 * HOUR_MS);
    expect(await story.events('recovery')).toEqual(['recovery.flagged']);
    await story.attach(OTHER_GOOD);
    expect(await story.list()).toHaveLength(1);
  });

  it('is not asked for, nor charged again, once the guest has paid', async () => {
    const { story, atMs } = await declined(LOST_CARD);
    const token = await story.attach(OTHER_GOOD, '12/2040', story.reference).catch(() => '');
    expect(token).not.toBe('');
    expect(await story.list()).toHaveLength(2);
    await story.advance(atMs + 2 * DAY_MS);
    expect(await story.mails()).toHaveLength(1);
  });

  it('is paid by what was charged since, so that nobody is asked again', async () => {
    const story = await recoveryStory();
    const { json: vaulted } = await call(
      '/payment/v1/tokenize',
      { cardNumber: OTHER_GOOD, cardExpiry: '12/2040' },
      story.options,
    );
    await story.attach(LOST_CARD);
    const atMs = ahead(HOUR_MS);
    await story.schedule(atMs);
    await story.advance(atMs);
    const paid = { amount: 100, token: vaulted.card.token };
    expect((await story.post('/payment/v1/create', paid)).status).toBe(200);
    expect(await story.health()).toEqual([]);
    await story.attach(GOOD);
    await story.advance(atMs + 2 * DAY_MS);
    expect(await story.mails()).toHaveLength(1);
    expect(await story.events('recovery')).toEqual([]);
    expect((await story.list()).map(({ status }) => status)).toEqual(['Declined', 'Accepted']);
  });

  it('has a short deadline where arrival is near', async () => {
    const arrival = new Date(ahead(20 * HOUR_MS) + 8 * HOUR_MS).toISOString().slice(0, 10);
    const day = (text: string) => text.split('-').toReversed().join('-');
    const booking = { arrival: day(arrival), departure: '17-02-2028' };
    const { story, atMs } = await declined(LOST_CARD, { booking });
    const [problem] = await story.health();
    expect(Date.parse(problem?.deadline ?? '') - atMs).toBe(12 * HOUR_MS);
    await story.advance(atMs + 6 * HOUR_MS);
    expect(await story.mails()).toHaveLength(2);
    await story.advance(atMs + 12 * HOUR_MS);
    expect(await story.events('recovery')).toEqual(['recovery.flagged']);
  });

  it('is asked for no more often than the property wants, and silently given up where it wants that', async () => {
    const cardRecovery = settings(1, 'none');
    const { story, atMs } = await declined(LOST_CARD, { cardRecovery });
    await story.advance(atMs + 3 * DAY_MS);
    expect(await story.mails()).toHaveLength(1);
    expect(await story.events('recovery')).toEqual([]);
  });

  it('asks nobody about a virtual card, which its guest does not have', async () => {
    const story = await recoveryStory();
    await story.attach(LOST_CARD);
    const atMs = ahead(HOUR_MS);
    await story.schedule(atMs, 100, { isVirtualCard: true });
    await story.advance(atMs + 2 * DAY_MS);
    expect(await story.mails()).toEqual([]);
    expect(await story.health()).toMatchObject([{ problem: 'declined', askedAt: null }]);
  });
});

it('what was declined on an expired card is charged once its issuer has renewed it', async () => {
  const story = await recoveryStory();
  const { chargeId, chargeAtMs } = await expiringSchedule(story);
  await story.advance(chargeAtMs);
  expect((await story.list()).map(({ status }) => status)).toEqual(['Declined']);
  const asked = (await story.mails()).length;
  const { property, reference } = story;
  const renewal = { action: 'renewCard', property, reference, cardExpiry: '09/2035' };
  await callAsAdmin('/sandbox/v1/act', renewal);
  await story.advance(chargeAtMs + 2 * DAY_MS);
  expect((await story.list()).map(({ status, replaces }) => [status, replaces])).toEqual([
    ['Declined', undefined],
    ['Accepted', chargeId],
  ]);
  expect(await story.mails()).toHaveLength(asked);
});

it('a later instalment that is charged does not make good one that was declined', async () => {
  const story = await recoveryStory();
  await story.attach(LOST_CARD);
  const good = { cardNumber: GOOD, cardExpiry: '12/2040' };
  const { json } = await call('/payment/v1/tokenize', good, story.options);
  const atMs = ahead(HOUR_MS);
  const chargeId = await story.schedule(atMs);
  await story.schedule(atMs + HOUR_MS, 100, { token: json.card.token });
  await story.advance(atMs + 2 * HOUR_MS);
  expect((await story.list()).map(({ status }) => status)).toEqual(['Declined', 'Accepted']);
  expect(await story.health()).toMatchObject([{ chargeId }]);
  await story.attach(OTHER_GOOD);
  expect((await story.list()).at(-1)).toMatchObject({ status: 'Accepted', replaces: chargeId });
});

describe('what is no longer due', () => {
  // Of a total of 600, as much is still due as was declined.
  it.each([300, 600])(
    'was captured, of a total of %i: a new card is not charged for what was declined',
    async (totalCost) => {
      const story = await recoveryStory({ booking: { totalCost, firstNightCost: 100 } });
      const card = { cardNumber: GOOD, cardExpiry: '12/2040' };
      const { json } = await call('/payment/v1/tokenize', card, story.options);
      await story.attach(LOST_CARD);
      const atMs = ahead(HOUR_MS);
      const hold = { preAuth: true, expiryTime: new Date(atMs + 5 * DAY_MS).toISOString() };
      const made = await story.post('/payment/v1/create', {
        amount: 300,
        token: json.card.token,
        ...hold,
      });
      await story.schedule(atMs, 300, { transactionType: 'Balance' });
      await story.advance(atMs + MINUTE_MS);
      await story.post('/payment/v1/charge-pre-auth', { chargeId: made.json.transaction.id });
      await story.attach(OTHER_GOOD);
      expect((await story.list()).map(({ status }) => status)).toEqual(['Accepted', 'Declined']);
    },
  );

  it('was scheduled again and paid: a new card is not charged for what was declined', async () => {
    const story = await recoveryStory({ booking: { totalCost: 300, firstNightCost: 100 } });
    const balance = { transactionType: 'Balance' };
    await story.attach(LOST_CARD);
    const atMs = ahead(HOUR_MS);
    await story.schedule(atMs, 300, balance);
    const card = { cardNumber: GOOD, cardExpiry: '12/2040' };
    const { json } = await call('/payment/v1/tokenize', card, story.options);
    await story.schedule(atMs + HOUR_MS, 300, { ...balance, token: json.card.token });
    await story.advance(atMs + 2 * HOUR_MS);
    await story.attach(OTHER_GOOD);
    expect((await story.list()).map(({ status }) => status)).toEqual(['Declined', 'Accepted']);
  });

  it('costs less by now: a new card is charged what is due', async () => {
    const story = await recoveryStory({ booking: { totalCost: 300, firstNightCost: 100 } });
    await story.attach(LOST_CARD);
    const atMs = ahead(HOUR_MS);
    await story.schedule(atMs, 300, { transactionType: 'Balance' });
    await story.advance(atMs + MINUTE_MS);
    const { reference, email, options } = story;
    const shorter = bookingOf(reference, { email, totalCost: 120, firstNightCost: 100 });
    await call('/booking/v1/create/manage-payments', shorter, options);
    await story.attach(OTHER_GOOD);
    expect((await story.list()).map(({ amount, status }) => [status, amount])).toEqual([
      ['Declined', 300],
      ['Accepted', 120],
    ]);
  });
});

it('many charges that were declined are each made again once', async () => {
  const story = await recoveryStory({ booking: { totalCost: 0, firstNightCost: 0 } });
  await story.attach(LOST_CARD);
  const atMs = ahead(HOUR_MS);
  for (let made = 0; made < 8; made += 1) await story.schedule(atMs, 10 + made);
  await story.advance(atMs + MINUTE_MS);
  expect(await story.mails()).toHaveLength(1);
  await story.attach(OTHER_GOOD);
  await story.advance(atMs + 2 * MINUTE_MS);
  const made = (await story.list()).filter(({ replaces }) => replaces !== undefined);
  expect(made.map(({ status, amount }) => [status, amount])).toEqual(
    Array.from({ length: 8 }, (_, nth) => ['Accepted', 10 + nth]),
  );
});

describe('an unattended charge that needs its guest', () => {
  it('has its guest asked within a minute, and is made again on the new card', async () => {
    const story = await recoveryStory();
    await story.attach(ASKS_GUEST);
    const refused = await story.post('/payment/v1/create', { amount: 80 });
    expect([refused.status, refused.json.declineCode]).toEqual([402, 'authentication_required']);
    await story.advance(ahead(MINUTE_MS));
    expect(await story.mails()).toHaveLength(1);
    expect(await story.health()).toMatchObject([
      { problem: 'needs_authentication', scheduledTime: null },
    ]);
    await story.attach(OTHER_GOOD);
    expect((await story.list()).map(({ status }) => status)).toEqual(['Declined', 'Accepted']);
  });
});

describe('a card that has expired by our record', () => {
  it.each([
    ['was renewed', RENEWED, 200],
    ['was not', GOOD, 422],
  ])('is charged by request if it %s', async (_how, number, status) => {
    const story = await recoveryStory();
    const { text, endsAtMs } = monthAhead(1);
    await story.attach(number, text);
    await story.advance(endsAtMs + DAY_MS);
    expect((await story.post('/payment/v1/create', { amount: 10 })).status).toBe(status);
  });

  it('is not asked about by a repeated request, which gets its first answer', async () => {
    const story = await recoveryStory();
    const { text, endsAtMs } = monthAhead(1);
    await story.attach(RENEWED, text);
    const charge = { reference: story.reference, amount: 10 };
    const keyed = { ...story.options, headers: { 'idempotency-key': 'before-it-expired' } };
    const first = await call('/payment/v1/create', charge, keyed);
    await story.advance(endsAtMs + DAY_MS);
    const repeated = await call('/payment/v1/create', charge, keyed);
    expect([repeated.status, repeated.json.transaction]).toEqual([200, first.json.transaction]);
    expect(await story.events('card.updated')).toEqual([]);
  });
});

describe('the requests for cards of an hour', () => {
  it('count the messages of a recovery: the sixth waits', async () => {
    const story = await recoveryStory();
    await story.attach(LOST_CARD);
    for (let sent = 0; sent < 5; sent += 1) await story.post('/payment/v1/request-card-details');
    const atMs = ahead(10 * MINUTE_MS);
    await story.schedule(atMs);
    await story.advance(atMs);
    expect(await story.mails()).toHaveLength(5);
    await story.advance(atMs + HOUR_MS);
    expect(await story.mails()).toHaveLength(6);
  });
});

describe('POST /card/v1/health', () => {
  it('lists what fails by the time of its charge, and says what was wrong with the request', async () => {
    const story = await recoveryStory({ cardRecovery: null });
    const { chargeId, chargeAtMs } = await expiringSchedule(story);
    const [problem] = await story.health({ reference: story.reference });
    expect(problem).toEqual({
      bookingReference: 'R-1',
      chargeId,
      scheduledTime: new Date(chargeAtMs).toISOString(),
      cardNumber: 'XXXX-XXXX-XXXX-X242',
      problem: 'expires_before',
      askedAt: null,
      deadline: null,
    });
    const at = new Date(chargeAtMs).toISOString();
    expect(await story.health({ from: at })).toHaveLength(1);
    expect(await story.health({ to: at })).toEqual([]);
    await story.advance(chargeAtMs - HOUR_MS);
    expect(await story.health()).toMatchObject([{ problem: 'expired' }]);
    await story.attach(OTHER_GOOD);
    expect(await story.health()).toEqual([]);
    const unknown = await call('/card/v1/health', { reference: 'NOBODY' }, story.options);
    expect([unknown.status, unknown.json.code]).toEqual([404, 'booking_not_found']);
    const faulty = await call('/card/v1/health', { from: 'soon' }, story.options);
    expect(faulty.status).toBe(422);
  });
});

describe('the list of problems', () => {
  it('leaves out what was paid since, whatever was declined and paid before', async () => {
    const story = await recoveryStory({ cardRecovery: null, booking: { totalCost: 0 } });
    const lost = await story.attach(LOST_CARD);
    const atMs = Date.now() + HOUR_MS;
    await story.schedule(atMs, 60, { token: lost });
    await story.schedule(atMs + 2 * HOUR_MS, 60, { token: lost });
    await story.attach(GOOD);
    for (const dueAtMs of [atMs, atMs + 2 * HOUR_MS]) {
      await story.advance(dueAtMs + MINUTE_MS);
      expect(await story.health()).toHaveLength(1);
      await story.post('/payment/v1/create', { amount: 60 });
      expect(await story.health()).toEqual([]);
    }
  });

  it('goes on by page, each charge once', async () => {
    const story = await recoveryStory({ cardRecovery: null });
    const lost = await story.attach(LOST_CARD);
    const atMs = Date.now() + HOUR_MS;
    const ids: number[] = [];
    for (const minutes of [1, 2, 3]) {
      ids.push(await story.schedule(atMs + minutes * MINUTE_MS, 10, { token: lost }));
    }
    await story.advance(atMs + HOUR_MS);
    const listed: number[] = [];
    let cursor: string | null | undefined;
    do {
      const asked = { limit: 2, ...(cursor && { cursor }) };
      const { json } = await call('/card/v1/health', asked, story.options);
      const page = json as unknown as { problems: { chargeId: number }[]; nextCursor: string };
      listed.push(...page.problems.map(({ chargeId }) => chargeId));
      cursor = page.nextCursor;
    } while (cursor);
    expect(listed).toEqual(ids);
    for (const faulty of [{ limit: 0 }, { limit: 201 }, { cursor: 'none' }]) {
      expect((await call('/card/v1/health', faulty, story.options)).status).toBe(422);
    }
  });
});

describe('the setting', () => {
  it.each([
    [{ ...SETTINGS, maxAsks: 0 }],
    [{ ...SETTINGS, shortDeadlineHours: 25 }],
    [settings(3, 'cancel')],
    [{ askDaysBefore: 14 }],
  ])('refuses %j', async (cardRecovery) => {
    const { status } = await callAsAdmin('/admin/v1/property/put', {
      property: 'bad-recovery',
      name: 'P',
      site: 'p.localhost',
      currency: 'AUD',
      timeZone: 'Australia/Perth',
      cardRecovery,
    });
    expect(status).toBe(422);
  });
});

it('the acquirer has one charge of each story', async () => {
  const entries = await ledgerOf('R-1');
  const keys = entries.map(({ idempotencyKey }) => idempotencyKey);
  expect(new Set(keys).size).toBe(keys.length);
});
