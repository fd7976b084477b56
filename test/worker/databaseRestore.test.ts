/**
 * D1 was restored to an earlier time, in which it does not know what the acquirer has done since: nothing is charged or
 * ended before the acquirer was asked.
 */
import { describe, expect, it } from 'vitest';
import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from '../../src/core/time.ts';
import { disagreementsInAll } from '../support/agreement.ts';
import {
  attachCard,
  bookingOf,
  call,
  callAsAdmin,
  ledgerOf,
  makeBooking,
  testEnv,
  transactionsOf,
} from '../support/api.ts';
import { cancelPayment } from '../support/bank.ts';
import { ASKS_GUEST, GOOD, LOST_CARD, NEVER_ARRIVES, OTHER_GOOD } from '../support/cards.ts';
import { breakSpan, wakeAt } from '../support/faults.ts';
import { enterCard, visit } from '../support/guest.ts';
import { selectStripe } from '../support/onStripe.ts';
import { compare, exceptionsNow } from '../support/reconciliation.ts';
import { recoveryStory } from '../support/recovery.ts';
import { withoutTriggers } from '../support/restore.ts';
import { story } from '../support/story.ts';

story({ silent: ['alarms', 'pms'] });

const ahead = () => Math.ceil(Date.now() / SECOND_MS) * SECOND_MS + DAY_MS;

/** Remembers a booking's money. What is returned takes D1 back to this moment. */
async function momentOf(reference: string): Promise<() => Promise<void>> {
  const sql = 'SELECT * FROM transactions WHERE booking_reference = ?';
  const { results } = await testEnv.DB.prepare(sql).bind(reference).all();
  const { last } = (await testEnv.DB.prepare(
    'SELECT max(sequence) AS last FROM history WHERE booking_reference = ?',
  )
    .bind(reference)
    .first<{ last: number }>()) ?? { last: 0 };
  return () =>
    withoutTriggers([
      testEnv.DB.prepare('DELETE FROM outbox WHERE booking_reference = ?').bind(reference),
      testEnv.DB.prepare('DELETE FROM history WHERE booking_reference = ? AND sequence > ?').bind(
        reference,
        last,
      ),
      testEnv.DB.prepare(
        'DELETE FROM transactions WHERE booking_reference = ? AND id NOT IN (SELECT value FROM json_each(?))',
      ).bind(reference, JSON.stringify(results.map(({ id }) => id))),
      ...results.map((row) => {
        const set = Object.keys(row).map((name) => `${name} = ?`);
        return testEnv.DB.prepare(`UPDATE transactions SET ${set.join(', ')} WHERE id = ?`).bind(
          ...Object.values(row),
          row['id'],
        );
      }),
    ]);
}

/** A schedule whose charge was lost on its way, at the time that was its. */
async function scheduled(reference: string): Promise<number> {
  const atMs = ahead();
  const time = new Date(atMs).toISOString();
  const { json } = await call('/payment/v1/schedule', { reference, amount: 100, time });
  await wakeAt(reference, atMs);
  return json.transaction.id;
}

/** A hold that was lost on its way. */
async function held(reference: string): Promise<number> {
  const expiryTime = new Date(ahead()).toISOString();
  const body = { reference, amount: 100, preAuth: true, expiryTime };
  const { json } = await call('/payment/v1/create', body);
  return json.transaction.id;
}

/** A schedule that was charged, which D1 does not know any more. Returns its time. */
async function chargedBefore(reference: string): Promise<number> {
  await makeBooking(reference, GOOD);
  const atMs = ahead();
  const time = new Date(atMs).toISOString();
  await call('/payment/v1/schedule', { reference, amount: 100, time });
  const back = await momentOf(reference);
  await wakeAt(reference, atMs);
  expect(await transactionsOf(reference)).toMatchObject([{ status: 'Accepted' }]);
  await back();
  expect(await transactionsOf(reference)).toMatchObject([{ status: 'Pending', attempts: 0 }]);
  return atMs;
}

describe('a charge of which nothing is left', () => {
  it('is not refunded, and can be once comparing has found it', async () => {
    const reference = 'FORGOTTEN';
    await makeBooking(reference, GOOD);
    const startedMs = Date.now();
    const back = await momentOf(reference);
    await call('/payment/v1/create', { reference, amount: 100 });
    await back();
    const refund = () => call('/refund/v1/create', { reference, amount: 100 });
    expect(await refund()).toMatchObject({ status: 422, json: { code: 'refund_exceeds_charge' } });
    await compare('demo', startedMs);
    expect(await refund()).toMatchObject({ status: 200 });
    expect(await disagreementsInAll(reference)).toEqual([]);
  });
});

describe('a payment that its guest did not confirm in time', () => {
  it.each([
    ['ended it', true],
    ['did not answer', false],
  ])('is declined when they give it up afterwards, where the acquirer %s', async (_how, ends) => {
    const reference = `UNCONFIRMED-${ends}`;
    await call('/booking/v1/create/manage-payments', bookingOf(reference));
    const guest = await visit(reference);
    await enterCard(guest, ASKS_GUEST);
    await guest.submit();
    const back = await momentOf(reference);
    const mend = ends ? null : breakSpan('gateway.abandon');
    await wakeAt(reference, Date.now() + 31 * MINUTE_MS);
    mend?.();
    await back();
    expect(await transactionsOf(reference)).toMatchObject([{ status: 'Processing' }]);
    await cancelPayment(guest);
    expect(await transactionsOf(reference)).toMatchObject([{ status: 'Declined' }]);
    expect(await disagreementsInAll(reference)).toEqual([]);
  });
});

describe('a schedule or hold that was ended', () => {
  it.each([
    ['schedule', '/payment/v1/schedule', '/payment/v1/cancel-schedule', 'Cancelled'],
    ['hold', '/payment/v1/create', '/payment/v1/cancel-pre-auth', 'Released'],
  ])('is ended by the next request under another key: %s', async (what, make, end, status) => {
    const reference = `ENDED-${what}`;
    await makeBooking(reference, GOOD);
    const time = new Date(ahead()).toISOString();
    const times = what === 'hold' ? { preAuth: true, expiryTime: time } : { time };
    const { json } = await call(make, { reference, amount: 100, ...times });
    const chargeId = json.transaction.id;
    const back = await momentOf(reference);
    const ending = (key: string) =>
      call(end, { reference, chargeId }, { headers: { 'idempotency-key': `${key} ${what}` } });
    await ending('first');
    await back();
    expect(await ending('second')).toMatchObject({
      status: 200,
      json: { transaction: { status } },
    });
    expect(await transactionsOf(reference)).toMatchObject([{ status }]);
    expect(await disagreementsInAll(reference)).toEqual([]);
  });
});

describe('a schedule or hold that was lost and called off', () => {
  it.each([
    ['schedule', '/payment/v1/cancel-schedule'],
    ['hold', '/payment/v1/cancel-pre-auth'],
  ])('is called off by the next request under another key: %s', async (what, end) => {
    const reference = `CALLED-OFF-${what}`;
    await makeBooking(reference, NEVER_ARRIVES);
    const chargeId = await (what === 'hold' ? held(reference) : scheduled(reference));
    await callAsAdmin('/sandbox/v1/act', {
      action: 'outage',
      property: 'demo',
      status: 503,
      lookUps: true,
    });
    const ending = (key: string) =>
      call(end, { reference, chargeId }, { headers: { 'idempotency-key': `${key} ${what}` } });
    const back = await momentOf(reference);
    await ending('lost first');
    await ending('lost second');
    await back();
    expect(await ending('lost third')).toMatchObject({
      status: 200,
      json: { warnings: ['may_have_been_taken'] },
    });
    const { results } = await testEnv.DB.prepare(
      'SELECT unwanted_since_ms FROM transactions WHERE booking_reference = ?',
    )
      .bind(reference)
      .all();
    expect(results).toEqual([{ unwanted_since_ms: expect.any(Number) }]);
    await callAsAdmin('/sandbox/v1/act', { action: 'resume', property: 'demo' });
  });
});

describe('a schedule that was declined', () => {
  it('is charged under another key, also when it was put off meanwhile', async () => {
    const reference = 'DECLINED';
    await makeBooking(reference, LOST_CARD);
    const atMs = ahead();
    const balance = { reference, transactionType: 'Balance' };
    await call('/payment/v1/schedule', {
      ...balance,
      amount: 100,
      time: new Date(atMs).toISOString(),
    });
    const back = await momentOf(reference);
    await wakeAt(reference, atMs);
    expect(await transactionsOf(reference)).toMatchObject([{ status: 'Declined' }]);
    await back();
    await attachCard(reference, GOOD);
    await call('/payment/v1/create', { ...balance, amount: 600 });
    await wakeAt(reference, atMs + HOUR_MS);
    expect((await transactionsOf(reference))[0]).toMatchObject({ status: 'Pending' });
    await call('/booking/v1/create/manage-payments', bookingOf(reference, { totalCost: 700 }));
    await wakeAt(reference, atMs + HOUR_MS + DAY_MS);
    expect(
      (await transactionsOf(reference)).map(({ status }: { status: string }) => status),
    ).toEqual(['Accepted', 'Accepted']);
    expect(await disagreementsInAll(reference)).toEqual([]);
  });
});

describe('a schedule that was charged', () => {
  it.each<[string, () => Promise<unknown>]>([
    ['though it is 73 h late', async () => undefined],
    [
      'though its booking has no card',
      () =>
        testEnv.DB.prepare(
          "UPDATE bookings SET card_token = NULL, version = version + 1 WHERE reference LIKE '%no card'",
        ).run(),
    ],
  ])('is accepted, %s', async (what, before) => {
    const reference = `CHARGED ${what}`.replace('though its booking has', 'with').slice(0, 40);
    const atMs = await chargedBefore(reference);
    await before();
    await wakeAt(reference, atMs + 73 * HOUR_MS);
    expect(await transactionsOf(reference)).toMatchObject([
      { status: 'Accepted', attempts: 1, amount: 103.09 },
    ]);
    expect(await ledgerOf(reference)).toHaveLength(1);
    expect(await disagreementsInAll(reference)).toEqual([]);
  });

  it('is neither charged nor ended while the acquirer does not say', async () => {
    const reference = 'CHARGED unsaid';
    const atMs = await chargedBefore(reference);
    const mend = breakSpan('gateway.lookUp');
    await wakeAt(reference, atMs + 73 * HOUR_MS);
    mend();
    expect(await transactionsOf(reference)).toMatchObject([{ status: 'Pending' }]);
    expect(await ledgerOf(reference)).toHaveLength(1);
    await wakeAt(reference, atMs + 74 * HOUR_MS);
    expect(await transactionsOf(reference)).toMatchObject([{ status: 'Accepted' }]);
    expect(await disagreementsInAll(reference)).toEqual([]);
  });

  it('is accepted by comparing where the acquirer could not be asked in time', async () => {
    const reference = 'CHARGED unaskable';
    const atMs = await chargedBefore(reference);
    const mend = breakSpan('gateway.lookUp');
    for (let hours = 73; hours < 80; hours += 1) await wakeAt(reference, atMs + hours * HOUR_MS);
    mend();
    const about = async () => (await exceptionsNow()).filter((one) => one.reference === reference);
    expect(await transactionsOf(reference)).toMatchObject([{ status: 'Failed' }]);
    expect(await about()).toMatchObject([{ status: 'open' }]);
    await compare('demo', atMs);
    expect(await transactionsOf(reference)).toMatchObject([{ status: 'Accepted' }]);
    expect(await about()).toMatchObject([{ status: 'closed', resolution: 'corrected' }]);
    expect(await disagreementsInAll(reference)).toEqual([]);
  });

  it('is accepted when its booking was cancelled at the same moment', async () => {
    const reference = 'CHARGED cancelled';
    const atMs = await chargedBefore(reference);
    // The cancellation ends pending schedules in its own batch; this one is left to its alarm.
    await testEnv.DB.prepare(
      "UPDATE bookings SET status = 'cancelled', version = version + 1 WHERE reference = ?",
    )
      .bind(reference)
      .run();
    await wakeAt(reference, atMs + HOUR_MS);
    expect(await transactionsOf(reference)).toMatchObject([{ status: 'Accepted' }]);
    expect(await disagreementsInAll(reference)).toEqual([]);
  });
});

/** A schedule that was charged on a card of which D1 does not know any more, nor of the charge. Returns its time. */
async function chargedOnOtherCard(reference: string): Promise<number> {
  await makeBooking(reference, GOOD);
  const atMs = ahead();
  const time = new Date(atMs).toISOString();
  await call('/payment/v1/schedule', { reference, amount: 100, time });
  const back = await momentOf(reference);
  const booking = testEnv.DB.prepare('SELECT card_token FROM bookings WHERE reference = ?');
  const first = await booking.bind(reference).first('card_token');
  const other = { reference, cardNumber: OTHER_GOOD, cardExpiry: '12/2030', cvv: '123' };
  const { json } = await call('/payment/v1/tokenize', other);
  await wakeAt(reference, atMs);
  await back();
  await withoutTriggers([
    testEnv.DB.prepare('UPDATE bookings SET card_token = ? WHERE reference = ?').bind(
      first,
      reference,
    ),
    testEnv.DB.prepare('DELETE FROM cards WHERE token = ?').bind(json.card.token),
  ]);
  return atMs;
}

describe('a schedule that was charged on a card attached since', () => {
  it('is charged once where its time has just come: its key stands for the other card', async () => {
    const reference = 'OTHER CARD soon';
    const atMs = await chargedOnOtherCard(reference);
    await wakeAt(reference, atMs + MINUTE_MS);
    expect(await transactionsOf(reference)).toMatchObject([{ status: 'Processing' }]);
    await wakeAt(reference, atMs + HOUR_MS);
    expect(await transactionsOf(reference)).toMatchObject([{ status: 'Accepted', attempts: 1 }]);
    expect(await ledgerOf(reference)).toHaveLength(1);
    expect(await disagreementsInAll(reference)).toEqual([]);
  });

  it('is found by comparing, with its card', async () => {
    const reference = 'OTHER CARD compared';
    const atMs = await chargedOnOtherCard(reference);
    await compare('demo', atMs);
    expect(await transactionsOf(reference)).toMatchObject([
      { status: 'Accepted', cardDetails: { cardNumber: '4444' } },
    ]);
    expect(await disagreementsInAll(reference)).toEqual([]);
  });

  it.each([
    ['is found by its reference, with its card', true, 'Accepted', '4444'],
    [
      'is kept from a second charge by its key where Stripe offers no search',
      false,
      'Processing',
      '4242',
    ],
  ])('%s', async (_, search, status, cardNumber) => {
    const stripe = selectStripe({ publishableKey: null });
    stripe.search = search;
    const reference = `OTHER CARD ${status}`;
    const atMs = await chargedOnOtherCard(reference);
    await wakeAt(reference, atMs + HOUR_MS);
    expect(await transactionsOf(reference)).toMatchObject([
      { status, cardDetails: { cardNumber } },
    ]);
    expect(stripe.ledger(reference)).toHaveLength(1);
  });
});

describe('a schedule that was charged on the card that its booking uses by now', () => {
  it.each([
    ['when it is late', 30],
    ['when its time is over', 73],
  ])('is accepted %s, where Stripe offers no search', async (_when, hours) => {
    const stripe = selectStripe({ publishableKey: null });
    stripe.search = false;
    const reference = `NEWER CARD ${hours}`;
    await makeBooking(reference, GOOD);
    const atMs = ahead();
    const time = new Date(atMs).toISOString();
    await call('/payment/v1/schedule', { reference, amount: 100, time });
    const other = { reference, cardNumber: OTHER_GOOD, cardExpiry: '12/2030', cvv: '123' };
    await call('/payment/v1/tokenize', other);
    const back = await momentOf(reference);
    await wakeAt(reference, atMs);
    await back();
    await wakeAt(reference, atMs + hours * HOUR_MS);
    expect(await transactionsOf(reference)).toMatchObject([
      { status: 'Accepted', cardDetails: { cardNumber: '4444' } },
    ]);
    expect(stripe.ledger(reference)).toHaveLength(1);
  });
});

describe('a schedule that was rejected, and charged in the end', () => {
  // Stripe keeps nothing of a request that was one too many: the keys in between are absent there.
  it.each([
    ['before it was rejected', 0, 4],
    ['after it was rejected', 4, 4],
    ['after it was rejected very often', 25, 25],
  ])('is accepted where D1 was restored to a time %s', async (_when, known, rejections) => {
    const reference = `REJECTED-${known}-${rejections}`;
    const stripe = selectStripe({ publishableKey: null });
    await makeBooking(reference, GOOD);
    const atMs = ahead();
    const time = new Date(atMs).toISOString();
    await call('/payment/v1/schedule', { reference, amount: 100, time });
    let back = await momentOf(reference);
    for (let times = 1; times <= rejections; times += 1) {
      stripe.refuse(429, { code: 'rate_limit', message: 'Too many requests' });
      await wakeAt(reference, atMs + times * HOUR_MS);
      if (times === known) back = await momentOf(reference);
    }
    await wakeAt(reference, atMs + 27 * HOUR_MS);
    expect(await transactionsOf(reference)).toMatchObject([{ status: 'Accepted' }]);
    await back();
    for (const hours of [50, 73, 74]) await wakeAt(reference, atMs + hours * HOUR_MS);
    expect(await transactionsOf(reference)).toMatchObject([{ status: 'Accepted', attempts: 1 }]);
    expect(stripe.ledger(reference)).toHaveLength(1);
    expect(await disagreementsInAll(reference)).toEqual([]);
  });
});

describe('a schedule that was rejected, and charged within a minute', () => {
  it.each([
    ['at once', 57],
    ['some minutes later', 180],
  ])('is not charged again %s', async (_when, again) => {
    const reference = `REJECTED-SOON-${again}`;
    await makeBooking(reference, '4000000000009425');
    const atMs = ahead();
    const time = new Date(atMs).toISOString();
    await call('/payment/v1/schedule', { reference, amount: 100, time });
    const back = await momentOf(reference);
    for (const seconds of [0, 28, 56]) await wakeAt(reference, atMs + seconds * SECOND_MS);
    expect(await transactionsOf(reference)).toMatchObject([{ status: 'Accepted' }]);
    await back();
    await wakeAt(reference, atMs + again * SECOND_MS);
    expect(await transactionsOf(reference)).toMatchObject([{ status: 'Accepted', attempts: 1 }]);
    expect(await ledgerOf(reference)).toHaveLength(1);
    expect(await disagreementsInAll(reference)).toEqual([]);
  });
});

describe('a schedule that is refused for a moment each time', () => {
  it('is tried under a new key at once, however many D1 has forgotten', async () => {
    const reference = 'REFUSED';
    await makeBooking(reference, '4000000000000119');
    const atMs = ahead();
    const time = new Date(atMs).toISOString();
    await call('/payment/v1/schedule', { reference, amount: 100, time });
    const back = await momentOf(reference);
    for (let hours = 0; hours < 10; hours += 1) await wakeAt(reference, atMs + hours * HOUR_MS);
    const before = (await ledgerOf(reference)).length;
    await back();
    await wakeAt(reference, atMs + 20 * HOUR_MS);
    expect(await ledgerOf(reference)).toHaveLength(before + 1);
  });
});

describe('a hold that was captured', () => {
  it('does not expire', async () => {
    const reference = 'HELD';
    await makeBooking(reference, GOOD);
    const atMs = ahead();
    const expiryTime = new Date(atMs).toISOString();
    const body = { reference, amount: 100, preAuth: true, expiryTime };
    const { id: chargeId } = (await call('/payment/v1/create', body)).json.transaction;
    const back = await momentOf(reference);
    await call('/payment/v1/charge-pre-auth', { reference, chargeId, amount: 40 });
    await back();
    expect(await transactionsOf(reference)).toMatchObject([{ status: 'Authorized' }]);
    for (const hours of [0, 1, 2, 3, 4, 5]) await wakeAt(reference, atMs + hours * HOUR_MS);
    expect(await transactionsOf(reference)).toMatchObject([{ status: 'Accepted', amount: 41.24 }]);
    expect(await disagreementsInAll(reference)).toEqual([]);
  });
});

describe('a booking with many schedules that was cancelled', () => {
  it('charges none of them, though the cancellation was cut off and the booking booked again', async () => {
    const reference = 'CUT-OFF';
    await makeBooking(reference, GOOD);
    const atMs = ahead();
    const body = { reference, amount: 1, time: new Date(atMs).toISOString() };
    for (let made = 0; made < 120; made += 40) {
      await Promise.all(Array.from({ length: 40 }, () => call('/payment/v1/schedule', body)));
    }
    const mend = breakSpan('d1.schedule.cancel');
    const save = '/booking/v1/create/manage-payments';
    await call(save, bookingOf(reference, { status: 'cancelled' }));
    mend();
    await call(save, bookingOf(reference));
    for (let times = 0; times < 5; times += 1) await wakeAt(reference, atMs + times);
    const statuses = (await transactionsOf(reference)).map(({ status }) => status);
    expect([...new Set(statuses)]).toEqual(['Cancelled']);
    expect(await ledgerOf(reference)).toEqual([]);
  });
});

describe('a charge in place of a declined one', () => {
  it('is found at the acquirer, and taken over instead of made again', async () => {
    const story = await recoveryStory();
    await story.attach(LOST_CARD);
    const atMs = ahead() + HOUR_MS;
    await story.schedule(atMs, 300);
    await story.advance(atMs + MINUTE_MS);
    const token = await story.attach(OTHER_GOOD);
    const charged = (await story.list()).find(({ status }) => status === 'Accepted');
    expect(charged).toMatchObject({ amount: 300 });
    // The card is attached and to be charged, but the charge is not made yet.
    const ofStory = [story.property, charged?.id] as const;
    await withoutTriggers([
      testEnv.DB.prepare('DELETE FROM history WHERE property_id = ? AND charge_id = ?').bind(
        ...ofStory,
      ),
      testEnv.DB.prepare('DELETE FROM transactions WHERE property_id = ? AND id = ?').bind(
        ...ofStory,
      ),
      testEnv.DB.prepare(
        'UPDATE recoveries SET ended_at_ms = NULL, ended_as = NULL, answer_card = ?, due_at_ms = ?, version = version + 1 WHERE property_id = ?',
      ).bind(token, atMs + 2 * MINUTE_MS, story.property),
    ]);
    await story.advance(atMs + HOUR_MS);
    const { json } = await callAsAdmin('/sandbox/v1/ledger', { reference: story.reference });
    const taken = json.operations.filter(({ status }) => status === 'succeeded');
    expect(taken).toHaveLength(1);
    const now = (await story.list()).filter(({ status }) => status === 'Accepted');
    expect(now).toMatchObject([{ reference: charged?.reference, amount: 300 }]);
  });
});
