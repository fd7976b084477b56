import { Temporal } from 'temporal-polyfill';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../src/core/time.ts';
import { SandboxGateway } from '../../src/gateways/sandbox.ts';
import { SandboxAcquirer } from '../../src/sandbox/acquirer/acquirer.ts';
import { sandboxAcquirer } from '../../src/sandbox/stub.ts';
import {
  atTime,
  attachCard,
  bookingOf,
  call,
  callAsAdmin,
  ledgerOf,
  makeBooking,
  makeProperty,
  testEnv,
  tokenOf,
  transactionsOf,
} from '../support/api.ts';
import { GOOD } from '../support/cards.ts';
import { eventually } from '../support/eventually.ts';
import { sweepAt, wakeAt } from '../support/faults.ts';
import { howMany } from '../support/long.ts';
import { traits } from '../support/traits.ts';

const SCHEDULE = '/payment/v1/schedule';

/** An instant some time ahead, as a booking engine in Perth writes it. */
function ahead(milliseconds: number): { time: string; atMs: number } {
  const atMs = Math.floor((Date.now() + milliseconds) / 1000) * 1000;
  const local = new Date(atMs + 8 * HOUR_MS).toISOString().slice(0, 19);
  return { time: `${local}+08:00`, atMs };
}

/**
 * The next two changes of the clocks in a zone, by the zone's clocks: the last second before they go forward and the instant at which they
 * do; half an hour before they go back and half an hour after, when they show the same.
 */
function changesOfClocks(zone: string): [zone: string, before: string, after: string][] {
  let day = Temporal.Now.zonedDateTimeISO(zone).add({ days: 1 });
  return Array.from({ length: 2 }, () => {
    const change = day.getTimeZoneTransition('next');
    if (change === null) throw new Error(`the clocks of ${zone} never change`);
    day = change;
    const text = (seconds: number) =>
      change.add({ seconds }).toString({ timeZoneName: 'never', fractionalSecondDigits: 0 });
    const forward = change.offsetNanoseconds > change.subtract({ seconds: 1 }).offsetNanoseconds;
    return forward ? [zone, text(-1), text(0)] : [zone, text(-1_800), text(1_800)];
  });
}

async function schedule(
  reference: string,
  milliseconds: number,
  more: Record<string, unknown> = {},
) {
  const { time, atMs } = ahead(milliseconds);
  const answer = await call(SCHEDULE, { reference, amount: 100, time, ...more });
  return { ...answer, time, atMs, id: answer.json.transaction?.id };
}

const cancel = (reference: string, chargeId: number) =>
  call('/payment/v1/cancel-schedule', { reference, chargeId });

describe(`POST ${SCHEDULE}`, () => {
  it('records a pending charge with its fee, and gives the time back as it was written', async () => {
    const token = await makeBooking('S-1', GOOD);
    const { status, json, time } = await schedule('S-1', DAY_MS, { transactionType: 'Balance' });
    expect(status).toBe(200);
    expect(json).toEqual({
      success: true,
      transaction: {
        id: expect.any(Number),
        amount: 103.09,
        creditCardFee: 3.09,
        transactionFee: 0,
        bookingReference: 'S-1',
        type: 'PaymentBalance',
        timeStamp: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\+08:00$/),
        status: 'Pending',
        scheduledTime: time,
        cardDetails: { cardNumber: '4242', cardType: 'visa', currency: 'AUD', token, ...traits },
      },
    });
    const listed = await call('/payment/v1/transaction', { reference: 'S-1' });
    expect(listed.json.transactions).toEqual([
      {
        ...json.transaction,
        reference: expect.stringMatching(/^[0-9a-f]{32}$/),
        attempts: 0,
        refunds: [],
      },
    ]);
    expect(await ledgerOf('S-1')).toEqual([]);
  });

  it('is fired by the alarm of its booking', async () => {
    await makeBooking('S-2', GOOD);
    await call(SCHEDULE, {
      reference: 'S-2',
      amount: 100,
      time: new Date(Date.now() + 4_000).toISOString(),
    });
    await eventually(async () =>
      expect(await transactionsOf('S-2')).toMatchObject([{ status: 'Accepted' }]),
    );
    expect(await transactionsOf('S-2')).toMatchObject([{ amount: 103.09, attempts: 1 }]);
    expect(await ledgerOf('S-2')).toMatchObject([{ kind: 'charge', amount: 103.09 }]);
  });

  it('charges the card that the booking uses by then, at the price of when it was scheduled', async () => {
    await makeBooking('S-3', GOOD);
    const { atMs } = await schedule('S-3', DAY_MS);
    const later = await attachCard('S-3', '378282246310005');
    await sweepAt(atMs + 2 * MINUTE_MS);
    const listed = await call('/payment/v1/transaction', { reference: 'S-3' });
    expect(listed.json.transactions).toMatchObject([
      { status: 'Accepted', amount: 103.09, cardDetails: { token: later, cardType: 'amex' } },
    ]);
  });

  it('charges the card that the request named, whatever the booking uses by then', async () => {
    const named = await makeBooking('S-4', GOOD);
    const { atMs } = await schedule('S-4', DAY_MS, { token: named });
    await attachCard('S-4', '378282246310005');
    await sweepAt(atMs + 2 * MINUTE_MS);
    const listed = await call('/payment/v1/transaction', { reference: 'S-4' });
    expect(listed.json.transactions).toMatchObject([{ cardDetails: { token: named } }]);
  });

  it('tries a soft decline again 1 h, 24 h and 72 h after the first attempt, then is declined', async () => {
    await makeBooking('S-5', '4000000000009995');
    const { atMs } = await schedule('S-5', DAY_MS);
    const first = atMs + 2 * MINUTE_MS;
    const seen: string[] = [];
    const attemptAt = async (afterMs: number) => {
      await sweepAt(first + afterMs);
      const [row] = await transactionsOf('S-5');
      seen.push(`${row?.status} ${row?.attempts}`);
    };
    await attemptAt(0);
    await attemptAt(HOUR_MS - MINUTE_MS);
    await attemptAt(HOUR_MS + 2 * MINUTE_MS);
    await attemptAt(24 * HOUR_MS + 2 * MINUTE_MS);
    await attemptAt(72 * HOUR_MS + 2 * MINUTE_MS);
    expect(seen).toEqual(['Pending 1', 'Pending 1', 'Pending 2', 'Pending 3', 'Declined 4']);
    const keys = (await ledgerOf('S-5')).map(({ idempotencyKey }) => idempotencyKey);
    expect(new Set(keys).size).toBe(4);
  });

  it('accepts at the second attempt where the card then does', async () => {
    await makeBooking('S-6', '4000000000009300');
    const { atMs } = await schedule('S-6', DAY_MS);
    await sweepAt(atMs + 2 * MINUTE_MS);
    await sweepAt(atMs + HOUR_MS + 5 * MINUTE_MS);
    expect(await transactionsOf('S-6')).toMatchObject([{ status: 'Accepted', attempts: 2 }]);
    const statuses = (await ledgerOf('S-6')).map(({ status }) => status);
    expect(statuses).toEqual(['declined', 'succeeded']);
  });

  it('ends at once on a hard decline', async () => {
    await makeBooking('S-7', '4000000000009987');
    const { atMs } = await schedule('S-7', DAY_MS);
    await sweepAt(atMs + 2 * MINUTE_MS);
    expect(await transactionsOf('S-7')).toMatchObject([{ status: 'Declined', attempts: 1 }]);
  });

  it('waits when the acquirer has an error of its own, for three days, and uses up no attempt', async () => {
    await makeBooking('S-9', '4000000000000119');
    const { atMs } = await schedule('S-9', DAY_MS);
    const sent: number[] = [];
    for (let ms = 2 * MINUTE_MS; ms < 4 * HOUR_MS; ms += 2 * MINUTE_MS) {
      await wakeAt('S-9', atMs + ms);
      sent.push((await ledgerOf('S-9')).length);
      expect(await transactionsOf('S-9')).toMatchObject([{ status: 'Pending', attempts: 0 }]);
    }
    // At once, after 1, 5, 15 and 60 minutes, then hourly, each under a key of its own.
    expect(sent.at(-1)).toBe(7);
    for (let hours = 4; hours <= 80; hours += 1) await wakeAt('S-9', atMs + hours * HOUR_MS);
    expect(await transactionsOf('S-9')).toMatchObject([{ status: 'Failed' }]);
    const keys = (await ledgerOf('S-9')).map(({ idempotencyKey }) => idempotencyKey);
    expect(new Set(keys).size).toBe(keys.length);
  });

  it('is charged a second after the acquirer had too many requests, twice', async () => {
    await makeBooking('S-10', '4000000000009425');
    const { atMs } = await schedule('S-10', DAY_MS);
    for (const ms of [0, 30_000, 60_000]) await wakeAt('S-10', atMs + ms);
    expect(await transactionsOf('S-10')).toMatchObject([{ status: 'Accepted', attempts: 1 }]);
    expect(await ledgerOf('S-10')).toMatchObject([{ status: 'succeeded' }]);
  });

  it('is declined by the acquirer when its card has expired by then, and was told so when it was scheduled', async () => {
    await makeBooking('S-8');
    const month = new Date(Date.now() + 40 * DAY_MS);
    const cardExpiry = `${String(month.getUTCMonth() + 1).padStart(2, '0')}/${month.getUTCFullYear()}`;
    await call('/payment/v1/tokenize', { reference: 'S-8', cardNumber: GOOD, cardExpiry });
    const { json, atMs } = await schedule('S-8', 100 * DAY_MS);
    expect(json.warnings).toEqual(['card_expires_before_scheduled_time']);
    await sweepAt(atMs + 2 * MINUTE_MS);
    expect(await transactionsOf('S-8')).toMatchObject([{ status: 'Declined' }]);
    expect(await ledgerOf('S-8')).toMatchObject([{ status: 'declined' }]);
  });

  it('is not made silently when it is overdue by more than 72 hours', async () => {
    await makeBooking('S-9', GOOD);
    const late = await schedule('S-9', DAY_MS);
    const inTime = await schedule('S-9', DAY_MS + 10 * MINUTE_MS);
    await sweepAt(late.atMs + 72 * HOUR_MS + 5 * MINUTE_MS);
    const byId = new Map((await transactionsOf('S-9')).map(({ id, status }) => [id, status]));
    expect([byId.get(late.id), byId.get(inTime.id)]).toEqual(['Failed', 'Accepted']);
  });

  it.each(['+14:00', '-12:00', 'Z', '+05:30'])('reads the offset %s', async (offset) => {
    const reference = `S-10 ${offset}`;
    await makeBooking(reference, GOOD);
    const minutes =
      offset === 'Z'
        ? 0
        : (Number(offset.slice(1, 3)) * 60 + Number(offset.slice(4))) *
          (offset[0] === '-' ? -1 : 1);
    const atMs = Math.floor(Date.now() / 1000) * 1000 + DAY_MS;
    const time = `${new Date(atMs + minutes * MINUTE_MS).toISOString().slice(0, 19)}${offset}`;
    const { json } = await call(SCHEDULE, { reference, amount: 1, time });
    expect(json.transaction.scheduledTime).toBe(time);
    await sweepAt(atMs - MINUTE_MS);
    expect((await transactionsOf(reference))[0]?.status).toBe('Pending');
    await sweepAt(atMs + 2 * MINUTE_MS);
    expect((await transactionsOf(reference))[0]?.status).toBe('Accepted');
  });

  it.each([...changesOfClocks('Australia/Sydney'), ...changesOfClocks('Europe/London')])(
    'in %s tells %s from %s, across the change of clocks',
    async (timeZone, before, after) => {
      const property = `zone-${before.replace(/\D/g, '')}`;
      await callAsAdmin('/admin/v1/property/put', {
        property,
        name: 'Zone',
        site: 'zone.localhost',
        currency: 'AUD',
        timeZone,
      });
      const client = await callAsAdmin('/admin/v1/client/create', {
        property,
        scopes: ['bookings', 'cards', 'payments'],
      });
      const credentials = [client.json.clientId, client.json.clientSecret] as const;
      const token = await tokenOf(...credentials);
      await makeBooking('DST', GOOD, { token });
      const first = await call(SCHEDULE, { reference: 'DST', amount: 1, time: before }, { token });
      const second = await call(SCHEDULE, { reference: 'DST', amount: 2, time: after }, { token });
      expect([first.json.transaction.scheduledTime, second.json.transaction.scheduledTime]).toEqual(
        [before, after],
      );
      const statuses = async () =>
        (await transactionsOf('DST', { token })).map(({ status }) => status);
      await wakeAt('DST', Date.parse(before) - 1, property);
      expect(await statuses()).toEqual(['Pending', 'Pending']);
      await wakeAt('DST', Date.parse(after) - 1, property);
      expect(await statuses()).toEqual(['Accepted', 'Pending']);
      await wakeAt('DST', Date.parse(after), property);
      expect(await statuses()).toEqual(['Accepted', 'Accepted']);
    },
  );

  it('keeps any number of schedules of one booking on its one alarm, in their order', async () => {
    await makeBooking('S-11', GOOD);
    const times = Array.from({ length: 30 }, (_, index) => (30 - index) * HOUR_MS);
    for (const time of times) await schedule('S-11', time, { amount: time / HOUR_MS });
    await sweepAt(Date.now() + 15 * HOUR_MS + 2 * MINUTE_MS);
    const half = await transactionsOf('S-11');
    expect(half.filter(({ status }) => status === 'Accepted')).toHaveLength(15);
    await sweepAt(Date.now() + 31 * HOUR_MS);
    const all = await transactionsOf('S-11');
    expect(all.every(({ status }) => status === 'Accepted')).toBe(true);
    const charged = (await ledgerOf('S-11')).map(({ amount }) => amount);
    expect(charged).toEqual(charged.toSorted((a, b) => a - b));
    expect(charged).toHaveLength(30);
  });

  it.each([
    ['no booking', { reference: 'NOWHERE' }, 404, 'booking_not_found'],
    ['a time that is over', { time: '2020-01-01T00:00:00Z' }, 422, 'time_in_past'],
    ['a time over 2 years ahead', { time: '2099-01-01T00:00:00Z' }, 422, 'time_too_far'],
    ['a time without offset', { time: '2027-01-01T00:00:00' }, 422, 'validation_failed'],
    ['a day that does not exist', { time: '2027-02-30T00:00:00Z' }, 422, 'validation_failed'],
    ['no time', { time: undefined }, 422, 'validation_failed'],
    ['an amount of 0', { amount: 0 }, 422, 'amount_out_of_range'],
    ['an unknown card', { token: 'f'.repeat(32) }, 404, 'token_not_found'],
  ])('refuses %s', async (_name, change, status, code) => {
    await makeBooking('S-12', GOOD);
    const answer = await schedule('S-12', DAY_MS, change);
    expect([answer.status, answer.json.code]).toEqual([status, code]);
    expect(await transactionsOf('S-12')).toEqual([]);
  });

  it('refuses a booking without card, and a cancelled one', async () => {
    await makeBooking('S-13');
    expect((await schedule('S-13', DAY_MS)).json.code).toBe('no_card');
    await attachCard('S-13', GOOD);
    await call('/booking/v1/create/manage-payments', bookingOf('S-13', { status: 'cancelled' }));
    const cancelled = await schedule('S-13', DAY_MS);
    expect([cancelled.status, cancelled.json.code]).toEqual([409, 'invalid_state']);
  });

  it('names a faulty time beside the other faults', async () => {
    const { json } = await call(SCHEDULE, { reference: '', amount: 'x', time: 'tomorrow' });
    expect(json.errors.map(({ field }: { field: string }) => field).toSorted()).toEqual([
      'amount',
      'reference',
      'time',
    ]);
  });

  it('honours an idempotency key', async () => {
    await makeBooking('S-14', GOOD);
    const { time } = ahead(DAY_MS);
    const send = () =>
      call(
        SCHEDULE,
        { reference: 'S-14', amount: 5, time },
        { headers: { 'Idempotency-Key': 's-14' } },
      );
    const answers = await Promise.all([send(), send(), send()]);
    const again = await send();
    expect(answers.map(({ json }) => json)).toEqual([again.json, again.json, again.json]);
    expect(again.headers.get('Idempotency-Replayed')).toBe('true');
    expect(await transactionsOf('S-14')).toHaveLength(1);
  });
});

describe('a schedule that is sent again after its time', () => {
  it('gets its first answer under its key, and is refused without', async () => {
    await makeBooking('S-15', GOOD);
    const { time, atMs } = ahead(DAY_MS);
    const body = { reference: 'S-15', amount: 5, time };
    const key = { headers: { 'Idempotency-Key': 's-15' } };
    const first = await call(SCHEDULE, body, key);
    await sweepAt(atMs + 2 * MINUTE_MS);
    await atTime(atMs + 5 * MINUTE_MS, async () => {
      const again = await call(SCHEDULE, body, key);
      expect([again.status, again.json]).toEqual([200, first.json]);
      expect(again.headers.get('Idempotency-Replayed')).toBe('true');
      expect((await call(SCHEDULE, body)).json.code).toBe('time_in_past');
      const other = await call(SCHEDULE, body, { headers: { 'Idempotency-Key': 's-15b' } });
      expect(other.json.code).toBe('time_in_past');
      const changed = await call(SCHEDULE, { ...body, amount: 6 }, key);
      expect(changed.json.code).toBe('idempotency_key_reused');
    });
    expect(await transactionsOf('S-15')).toHaveLength(1);
  });
});

describe('POST /payment/v1/cancel-schedule', () => {
  it('cancels, and does so twice with the same answer', async () => {
    await makeBooking('X-1', GOOD);
    const { id, json, atMs } = await schedule('X-1', DAY_MS);
    const first = await cancel('X-1', id);
    expect(first.json).toEqual({
      success: true,
      transaction: { ...json.transaction, status: 'Cancelled' },
    });
    const second = await cancel('X-1', id);
    expect([second.status, second.json]).toEqual([200, first.json]);
    await sweepAt(atMs + 2 * MINUTE_MS);
    expect(await ledgerOf('X-1')).toEqual([]);
  });

  it('is 409 once the charge was made, and for a charge that is no schedule', async () => {
    await makeBooking('X-2', GOOD);
    const { id, atMs } = await schedule('X-2', DAY_MS);
    await sweepAt(atMs + 2 * MINUTE_MS);
    const late = await cancel('X-2', id);
    expect([late.status, late.json.code]).toEqual([409, 'invalid_state']);
    expect(late.json.detail).toContain('Accepted');
    const charged = await call('/payment/v1/create', { reference: 'X-2', amount: 1 });
    const other = await cancel('X-2', charged.json.transaction.id);
    expect([other.status, other.json.code]).toEqual([409, 'invalid_state']);
    const missing = await cancel('X-2', charged.json.transaction.id + 1_000);
    expect([missing.status, missing.json.code]).toEqual([404, 'transaction_not_found']);
  });
});

describe('POST /payment/v1/cancel-schedules', () => {
  it('cancels what is pending and tells what it was too late for', async () => {
    await makeBooking('X-4', GOOD);
    const early = await schedule('X-4', HOUR_MS);
    const [second, third] = [await schedule('X-4', DAY_MS), await schedule('X-4', 2 * DAY_MS)];
    await cancel('X-4', third.id);
    await sweepAt(early.atMs + 2 * MINUTE_MS);
    const { status, json } = await call('/payment/v1/cancel-schedules', { reference: 'X-4' });
    expect(status).toBe(200);
    expect(json).toEqual({
      success: true,
      cancelled: [{ ...second.json.transaction, status: 'Cancelled' }],
      skipped: [{ id: early.id, status: 'Accepted' }],
    });
    const again = await call('/payment/v1/cancel-schedules', { reference: 'X-4' });
    expect(again.json.cancelled).toEqual([]);
  });

  it('replays its first answer under its key', async () => {
    await makeBooking('X-5', GOOD);
    await schedule('X-5', DAY_MS);
    const key = { headers: { 'Idempotency-Key': 'x-5' } };
    const first = await call('/payment/v1/cancel-schedules', { reference: 'X-5' }, key);
    await schedule('X-5', DAY_MS);
    const again = await call('/payment/v1/cancel-schedules', { reference: 'X-5' }, key);
    expect(again.json).toEqual(first.json);
    const statuses = (await transactionsOf('X-5')).map(({ status }) => status);
    expect(statuses.toSorted()).toEqual(['Cancelled', 'Pending']);
  });
});

describe('a booking with very many schedules', () => {
  it('cancels them all with the booking, and all at once by request', async () => {
    const { time } = ahead(DAY_MS);
    for (const reference of ['MANY-1', 'MANY-2']) {
      await makeBooking(reference, GOOD);
      for (let made = 0; made < howMany.schedulesOfBooking; made += 50) {
        const body = { reference, amount: 1, time };
        await Promise.all(Array.from({ length: 50 }, () => call(SCHEDULE, body)));
      }
    }
    await call('/booking/v1/create/manage-payments', bookingOf('MANY-1', { status: 'cancelled' }));
    const key = { headers: { 'Idempotency-Key': 'many' } };
    const { json } = await call('/payment/v1/cancel-schedules', { reference: 'MANY-2' }, key);
    expect(json.cancelled).toHaveLength(howMany.schedulesOfBooking);
    for (const reference of ['MANY-1', 'MANY-2']) {
      const statuses = (await transactionsOf(reference)).map(({ status }) => status);
      expect(statuses).toEqual(Array(howMany.schedulesOfBooking).fill('Cancelled'));
    }
  });
});

describe('a booking that is cancelled', () => {
  it('cancels its schedules, unless its property keeps them', async () => {
    const keeping = await makeProperty('keeping', { keepSchedulesOnCancellation: true });
    await makeBooking('B-1', GOOD);
    await makeBooking('B-1', GOOD, { token: keeping });
    const { time, atMs } = ahead(DAY_MS);
    await call(SCHEDULE, { reference: 'B-1', amount: 1, time });
    await call(SCHEDULE, { reference: 'B-1', amount: 1, time }, { token: keeping });
    const cancelled = bookingOf('B-1', { status: 'cancelled' });
    await call('/booking/v1/create/manage-payments', cancelled);
    await call('/booking/v1/create/manage-payments', cancelled, { token: keeping });
    await sweepAt(atMs + 2 * MINUTE_MS);
    expect(await transactionsOf('B-1')).toMatchObject([{ status: 'Cancelled' }]);
    expect(await transactionsOf('B-1', { token: keeping })).toMatchObject([{ status: 'Accepted' }]);
  });
});

describe('where D1 was taken back to a time before it was charged', () => {
  afterEach(() => vi.restoreAllMocks());

  /** What the gateway did in the past that D1 does not know of any more. */
  async function doneBefore(reference: string, ...attempts: number[]) {
    const row = await testEnv.DB.prepare(
      `SELECT t.reference AS own, t.amount_minor AS amountMinor, c.gateway_token AS subject
        FROM transactions t JOIN bookings b ON b.property_id = t.property_id AND b.reference = t.booking_reference
        JOIN cards c ON c.token = b.card_token WHERE t.booking_reference = ?`,
    )
      .bind(reference)
      .first<{ own: string; amountMinor: number; subject: string }>();
    if (!row) throw new Error('there is no schedule');
    const { own, amountMinor, subject } = row;
    for (const attempt of attempts) {
      await sandboxAcquirer(testEnv).perform({
        kind: 'charge',
        idempotencyKey: `${own}-${attempt}`,
        propertyId: 'demo',
        bookingReference: reference,
        reference: own,
        amountMinor,
        currency: 'AUD',
        subject,
        askedAtMs: Date.now(),
        returnUrl: null,
      });
    }
    const lookUp = vi.spyOn(SandboxGateway.prototype, 'lookUp');
    const perform = vi.spyOn(SandboxAcquirer.prototype, 'perform');
    // Sweeps do what is due of other bookings too.
    const ofOwn = <T extends { readonly reference: string }>(calls: readonly [T][]) =>
      calls.map(([request]) => request).filter((request) => request.reference === own);
    return {
      /** What the sandbox was asked to do for this schedule since; empty again after `forget`. */
      performed: () => ofOwn(perform.mock.calls),
      forget: () => perform.mockClear(),
      /** How the sandbox was asked after this schedule. */
      lookUps: () => ofOwn(lookUp.mock.calls),
    };
  }

  it('a schedule that is late is looked up, and not charged again', async () => {
    await makeBooking('S-80', GOOD);
    const { atMs } = await schedule('S-80', DAY_MS);
    const { lookUps, performed } = await doneBefore('S-80', 1);
    await sweepAt(atMs + 30 * HOUR_MS);
    expect(lookUps()).toMatchObject([{ sinceMs: atMs }]);
    expect(await transactionsOf('S-80')).toMatchObject([{ status: 'Accepted', attempts: 1 }]);
    expect(performed()).toEqual([]);
  });

  it('so is one that is tried again', async () => {
    await makeBooking('S-81', '4000000000009300');
    const { atMs } = await schedule('S-81', DAY_MS);
    const { forget, performed } = await doneBefore('S-81', 1, 2);
    await sweepAt(atMs + 2 * MINUTE_MS);
    forget();
    await sweepAt(atMs + HOUR_MS + 5 * MINUTE_MS);
    expect(await transactionsOf('S-81')).toMatchObject([{ status: 'Accepted', attempts: 2 }]);
    expect(performed()).toEqual([]);
  });

  it('so is one that has had twenty keys', async () => {
    await makeBooking('S-84', GOOD);
    const { atMs } = await schedule('S-84', DAY_MS);
    await testEnv.DB.prepare(
      "UPDATE transactions SET gateway_key = reference || '-20', version = version + 1 WHERE booking_reference = 'S-84'",
    ).run();
    const { performed } = await doneBefore('S-84', 21);
    await sweepAt(atMs + 30 * HOUR_MS);
    expect(await transactionsOf('S-84')).toMatchObject([{ status: 'Accepted' }]);
    expect(performed()).toEqual([]);
  });

  it('one that is late and was never charged is charged', async () => {
    await makeBooking('S-82', GOOD);
    const { atMs } = await schedule('S-82', DAY_MS);
    const { lookUps } = await doneBefore('S-82');
    await sweepAt(atMs + 30 * HOUR_MS);
    expect(await transactionsOf('S-82')).toMatchObject([{ status: 'Accepted' }]);
    // Whether it was charged at all, and which keys the acquirer knows.
    expect(lookUps()).toHaveLength(2);
  });

  it('one that is on time costs no look-up', async () => {
    await makeBooking('S-83', GOOD);
    const { atMs } = await schedule('S-83', DAY_MS);
    const { lookUps } = await doneBefore('S-83');
    await sweepAt(atMs + 2 * MINUTE_MS);
    expect(await transactionsOf('S-83')).toMatchObject([{ status: 'Accepted' }]);
    expect(lookUps()).toEqual([]);
  });
});
