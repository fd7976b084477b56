/**
 * An acquirer that has too many requests, or refuses the key, carries nothing out: what waits is tried again, and nothing
 * is lost. Time is played: each booking wakes at exactly the time for which it waits, and Stripe's limit counts by the
 * same clock. A request takes no time.
 */
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from '../../src/core/time.ts';
import { call, makeBooking, testEnv, transactionsOf } from '../support/api.ts';
import { GOOD } from '../support/cards.ts';
import { wakeAt } from '../support/faults.ts';
import { isLong } from '../support/long.ts';
import { selectStripe } from '../support/onStripe.ts';
import { story } from '../support/story.ts';
import type { FakeStripe } from '../support/stripe.ts';

story({ silent: ['alarms', 'pms'] });

const CREATE = '/payment/v1/create';

let stripe: FakeStripe;

beforeEach(() => {
  stripe = selectStripe({ publishableKey: null });
  // Each refusal is logged.
  vi.spyOn(console, 'warn').mockImplementation(() => undefined);
});

const ahead = () => Math.ceil(Date.now() / SECOND_MS) * SECOND_MS + DAY_MS;

async function cardOfMany(): Promise<string> {
  const card = { cardNumber: GOOD, cardExpiry: '12/2030' };
  return (await call('/payment/v1/tokenize', card)).json.card.token;
}

/** Books and schedules a charge on a card. */
async function schedule(reference: string, atMs: number, token: string): Promise<void> {
  await makeBooking(reference);
  const time = new Date(atMs).toISOString();
  const { status } = await call('/payment/v1/schedule', { reference, amount: 10, time, token });
  expect(status).toBe(200);
}

async function all<T>(of: Iterable<T>, run: (one: T) => Promise<unknown>): Promise<void> {
  const waiting = [...of];
  const workers = Array.from({ length: 10 }, async () => {
    for (let one = waiting.shift(); one !== undefined; one = waiting.shift()) await run(one);
  });
  await Promise.all(workers);
}

const names = (prefix: string, count: number) =>
  Array.from({ length: count }, (_, index) => `${prefix}-${index}`);

/** The bookings of a prefix that still wait, the first due first. */
async function waiting(prefix: string): Promise<{ reference: string; atMs: number }[]> {
  const { results } = await testEnv.DB.prepare(
    'SELECT booking_reference AS reference, due_at_ms AS atMs FROM transactions WHERE due_at_ms IS NOT NULL AND booking_reference LIKE ? ORDER BY due_at_ms, id',
  )
    .bind(`${prefix}-%`)
    .all<{ reference: string; atMs: number }>();
  return results;
}

describe('very many schedules of one second', () => {
  it('are all accepted within a minute by an acquirer that allows few of them a second', async () => {
    const [count, aSecond] = isLong ? [180, 12] : [20, 3];
    const atMs = ahead();
    const token = await cardOfMany();
    await all(names('MANY', count), (reference) => schedule(reference, atMs, token));
    stripe.requestsPerSecond = aSecond;
    stripe.retryAfter = '1';
    let lastMs = 0;
    let left = await waiting('MANY');
    while (left.length > 0) {
      const [first] = left;
      lastMs = first?.atMs ?? 0;
      // Those that are due by the next wait of any; none can become due again before a second.
      const now = left.filter((one) => one.atMs < lastMs + SECOND_MS);
      for (const one of now) await wakeAt(one.reference, one.atMs);
      lastMs = now.at(-1)?.atMs ?? lastMs;
      left = await waiting('MANY');
    }
    const { results } = await testEnv.DB.prepare(
      "SELECT status, attempts, count(*) AS many FROM transactions WHERE booking_reference LIKE 'MANY-%' GROUP BY status, attempts",
    ).all();
    expect(results).toEqual([{ status: 'Accepted', attempts: 1, many: count }]);
    expect(stripe.intents).toHaveLength(count);
    expect(new Set(stripe.effects.map(({ booking }) => booking)).size).toBe(count);
    expect(lastMs - atMs).toBeLessThanOrEqual(MINUTE_MS);
  });
});

describe('schedules of one card that many bookings share', () => {
  it('are all settled, among very many payments: an unknown one, a late one and one that is declined at first', async () => {
    const atMs = ahead();
    const token = await cardOfMany();
    // Stripe lists at most a hundred payments at once.
    const count = isLong ? 130 : 12;
    const bookings = names('SHARED', count);
    await all(bookings, (reference) => schedule(reference, atMs, token));
    const [unknown = '', declined = '', late = '', ...others] = bookings;
    stripe.failFor(unknown, '500 after execution');
    await wakeAt(unknown, atMs);
    stripe.bankSays = { decline_code: 'insufficient_funds' };
    await wakeAt(declined, atMs);
    stripe.bankSays = null;
    for (const reference of others) await wakeAt(reference, atMs);
    expect(stripe.intents.length).toBeGreaterThan(count - 10);
    const statusOf = async (reference: string) => (await transactionsOf(reference))[0]?.status;
    expect([await statusOf(unknown), await statusOf(declined)]).toEqual(['Processing', 'Pending']);

    await wakeAt(unknown, atMs + 6 * SECOND_MS);
    await wakeAt(late, atMs + 11 * MINUTE_MS);
    await wakeAt(declined, atMs + HOUR_MS);
    for (const reference of bookings) {
      expect(await statusOf(reference), reference).toBe('Accepted');
      expect(stripe.ledger(reference), reference).toHaveLength(1);
    }
    expect((await transactionsOf(declined))[0]?.attempts).toBe(2);
  });
});

describe('a schedule', () => {
  const wrongKey = { type: 'invalid_request_error', code: 'api_key_expired', message: 'Expired.' };

  it.each([
    ['had too many requests', 429, { code: 'rate_limit', message: 'Too many requests' }],
    ['refused the key', 401, wrongKey],
    ['restricted the account', 403, { code: 'account_invalid', message: 'Not allowed.' }],
  ])('waits as long as Stripe %s, and uses up no attempt', async (what, status, error) => {
    const reference = `WAITS-${status}`;
    const atMs = ahead();
    await schedule(reference, atMs, await cardOfMany());
    let dueMs = atMs;
    for (const minutes of [1, 5, 15, 60, 60]) {
      stripe.refuse(status, error);
      await wakeAt(reference, dueMs);
      const [one] = await waiting('WAITS');
      expect(one?.atMs, what).toBe(dueMs + minutes * MINUTE_MS);
      expect(await transactionsOf(reference)).toMatchObject([{ status: 'Pending', attempts: 0 }]);
      dueMs = one?.atMs ?? 0;
    }
    await wakeAt(reference, dueMs);
    expect(await transactionsOf(reference)).toMatchObject([{ status: 'Accepted', attempts: 1 }]);
    expect(stripe.ledger(reference)).toHaveLength(1);
  });

  it('whose charge is still on its way is not ended by the refusal of its second sending', async () => {
    const reference = 'ON-ITS-WAY';
    await makeBooking(reference, GOOD);
    stripe.failFor(reference, 'reset before execution');
    const first = await call(CREATE, { reference, amount: 10 });
    expect(first.status).toBe(504);
    stripe.refuse(429, { code: 'rate_limit', message: 'Too many requests' });
    await wakeAt(reference, Date.now() + 6 * SECOND_MS);
    expect(await transactionsOf(reference)).toMatchObject([{ status: 'Processing' }]);
    expect(stripe.ledger(reference)).toEqual([]);
    await wakeAt(reference, Date.now() + 5 * MINUTE_MS);
    expect(await transactionsOf(reference)).toMatchObject([{ status: 'Accepted' }]);
    expect(stripe.ledger(reference)).toHaveLength(1);
  });
});

describe('a refund', () => {
  it('that meets too many requests stays on its charge', async () => {
    const reference = 'STAYS';
    await makeBooking(reference, GOOD);
    const charges: number[] = [];
    for (const amount of [21, 22]) {
      charges.push((await call(CREATE, { reference, amount })).json.transaction.id);
    }
    stripe.retryAfter = '30';
    stripe.fail('429');
    const asked = await call('/refund/v1/create', { reference, amount: 5 });
    expect([asked.status, asked.json.code]).toEqual([504, 'outcome_unknown']);
    await wakeAt(reference, Date.now() + MINUTE_MS);
    const refunds = (await transactionsOf(reference)).map((charge) =>
      charge.refunds.map(({ status, amount }) => [status, amount]),
    );
    expect(refunds).toEqual([[], [['Refunded', 5]]]);
    expect(stripe.ledger(reference).filter(({ kind }) => kind === 'refund')).toHaveLength(1);
  });

  it('that meets them for a moment is made at once', async () => {
    const reference = 'AT-ONCE';
    await makeBooking(reference, GOOD);
    for (const amount of [21, 22]) await call(CREATE, { reference, amount });
    stripe.retryAfter = '0';
    stripe.fail('429', '429');
    const asked = await call('/refund/v1/create', { reference, amount: 5 });
    expect([asked.status, asked.json.refunds]).toMatchObject([200, [{ amount: 5 }]]);
    expect((await transactionsOf(reference)).map(({ refunds }) => refunds.length)).toEqual([0, 1]);
  });
});
