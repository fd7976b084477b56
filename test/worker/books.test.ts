/** The books: whatever happened to money, their sums are the balances, the payouts and the journal (exports: Ledger file). */
import { describe, expect, it } from 'vitest';
import { DAY_MS, MINUTE_MS, utcDate } from '../../src/core/time.ts';
import { parts, selectEntries } from '../../src/exports/ledgerPages.ts';
import { sweepExports } from '../../src/exports/sweep.ts';
import { requireConfig } from '../../src/platform/config.ts';
import {
  atTime,
  attachCard,
  bookingOf,
  call,
  callAsAdmin,
  makeBooking,
  makeProperty,
  testEnv,
} from '../support/api.ts';
import { balanceOf, groupedBy, readLedger, unbalanced } from '../support/books.ts';
import { DISPUTED, GOOD, OTHER_GOOD, REFUND_FAILS } from '../support/cards.ts';
import { type Disbursement, disbursementsOf, itemsOf } from '../support/disbursements.ts';
import type { LedgerLine } from '../support/exportRecords.ts';
import { fetchExport, makeExport, ringUntilOver } from '../support/exports.ts';
import { MOVEMENTS } from '../support/history.ts';
import { isLong } from '../support/long.ts';
import { planOf } from '../support/plans.ts';
import { story } from '../support/story.ts';

story({ freshDatabase: true });

const PROPERTY = 'books';

/** How many days are played, and how many more until everything is paid out. */
const DAYS = isLong ? 30 : 10;
const UNTIL_PAID = 5;

async function ledgerFile(query = ''): Promise<string> {
  return (await fetchExport(`ledger=1${query}`)).text();
}

/** A hotel whose clock is advanced day by day. Each booking pays once, and something becomes of that later. */
async function hotel() {
  const token = await makeProperty(PROPERTY, { cardFeeBasisPoints: 300, transactionFee: 0.35 });
  const options = { token };
  const act = async (reference: string, action: string, details: object = {}) => {
    const body = { property: PROPERTY, reference, action, notify: false, ...details };
    const { json, status } = await callAsAdmin('/sandbox/v1/act', body);
    expect({ action, status, json }).toMatchObject({ status: 200 });
  };
  const post = (path: string, reference: string, details: object = {}) =>
    call(path, { reference, ...details }, options);
  return {
    options,
    act,
    post,
    nowMs: 0,
    async advance(toMs: number) {
      this.nowMs = toMs;
      const body = { property: PROPERTY, to: new Date(toMs).toISOString() };
      expect((await callAsAdmin('/sandbox/v1/clock/advance', body)).status).toBe(200);
    },
    async book(reference: string, card: string) {
      const booking = bookingOf(reference, {
        totalCost: 1_000,
        arrival: '14-02-2029',
        departure: '17-02-2029',
      });
      await call('/booking/v1/create/manage-payments', booking, options);
      await attachCard(reference, card, options);
    },
    async pay(reference: string, details: object = {}): Promise<number> {
      const amount = 150.25;
      const { json } = await post('/payment/v1/create', reference, { amount, ...details });
      return json.transaction.id;
    },
    async refunded(reference: string, amount: number): Promise<number> {
      const { json, status } = await post('/refund/v1/create', reference, { amount });
      expect({ status, json }).toMatchObject({ status: 200 });
      return json.refunds[0]?.id ?? 0;
    },
    async balance(reference: string) {
      return (await post('/payment/v1/balance', reference)).json.balance;
    },
  };
}

type Hotel = Awaited<ReturnType<typeof hotel>>;

/** What becomes of a payment, a day or more after it. */
const fates: readonly ((at: Hotel, reference: string, chargeId: number) => Promise<unknown>)[] = [
  async () => undefined,
  (at, reference) => at.refunded(reference, 40),
  // Everything, fees included, in two parts.
  async (at, reference) => {
    await at.refunded(reference, 150);
    await at.refunded(reference, 5.26);
  },
  async (at, reference) => {
    const refundId = await at.refunded(reference, 155);
    await at.act(reference, 'failRefund', { refundId });
  },
  // The first of two fails: the fees that the second gave back were the guest's money.
  async (at, reference) => {
    const refundId = await at.refunded(reference, 140);
    await at.refunded(reference, 15);
    await at.act(reference, 'failRefund', { refundId });
  },
  (at, reference, chargeId) => at.act(reference, 'dispute', { chargeId }),
  async (at, reference, chargeId) => {
    await at.act(reference, 'dispute', { chargeId });
    await at.act(reference, 'winDispute', { chargeId });
  },
  async (at, reference, chargeId) => {
    await at.act(reference, 'dispute', { chargeId, amount: 60 });
    await at.act(reference, 'loseDispute', { chargeId });
  },
  // The bank takes more than a refund left.
  async (at, reference, chargeId) => {
    await at.refunded(reference, 100);
    await at.act(reference, 'dispute', { chargeId });
  },
  (at, reference, chargeId) => at.act(reference, 'refund', { chargeId, amount: 20 }),
];

/** How a booking pays. */
const ways: readonly ((at: Hotel, reference: string) => Promise<number>)[] = [
  (at, reference) => at.pay(reference),
  (at, reference) => at.pay(reference, { transactionType: 'Bond' }),
  (at, reference) => at.pay(reference, { transactionType: 'Deposit' }),
  // Captured at the desk, in another amount than was held: a correction.
  async (at, reference) => {
    const expiryTime = new Date(at.nowMs + 20 * DAY_MS).toISOString();
    const held = { preAuth: true, amount: 200, expiryTime };
    const { json } = await at.post('/payment/v1/create', reference, held);
    const chargeId = json.transaction.id;
    await at.act(reference, 'capture', { chargeId, amount: 155.26 });
    return chargeId;
  },
];

/** Plays the days, and returns the bookings. */
async function play(at: Hotel): Promise<string[]> {
  const { json } = await callAsAdmin('/sandbox/v1/clock/get', { property: PROPERTY });
  const startMs = Date.parse(json.now);
  at.nowMs = startMs;
  const references = Array.from({ length: DAYS }, (_, day) => `B-${day}`);
  for (const [day, reference] of references.entries()) {
    await at.book(reference, day % 7 === 5 ? OTHER_GOOD : GOOD);
    const chargeId = (await ways[day % ways.length]?.(at, reference)) ?? 0;
    await at.advance(startMs + (day + 1) * DAY_MS);
    await fates[day % fates.length]?.(at, reference, chargeId);
  }
  await at.book('B-disputed', DISPUTED);
  await at.pay('B-disputed');
  await at.book('B-refused', REFUND_FAILS);
  await at.pay('B-refused');
  await at.post('/refund/v1/create', 'B-refused', { amount: 10 });
  await at.advance(startMs + (DAYS + UNTIL_PAID) * DAY_MS);
  await at.advance(startMs + (DAYS + 2 * UNTIL_PAID) * DAY_MS);
  return [...references, 'B-disputed', 'B-refused'];
}

describe('the days of a hotel', () => {
  it('are in the books, to the minor unit', async () => {
    const at = await hotel();
    const references = await play(at);
    await makeExport('ledger');
    const lines = readLedger(await ledgerFile()).filter(({ property }) => property === PROPERTY);
    expect(unbalanced(groupedBy(lines, ({ entryId }) => entryId))).toEqual([]);
    const days = groupedBy(lines, ({ date }) => date);
    expect(days.size).toBeGreaterThanOrEqual(DAYS);
    expect(unbalanced(days)).toEqual([]);
    expect(new Set(lines.map(({ postingId }) => postingId)).size).toBe(lines.length);

    const ofBooking = groupedBy(lines, ({ bookingReference }) => bookingReference);
    for (const reference of references) {
      const own = ofBooking.get(reference) ?? [];
      const { bonds, disputed, paid: kept } = await at.balance(reference);
      expect({
        reference,
        paid: balanceOf(own, 'guests', 'disputed'),
        disputed: 0 - balanceOf(own, 'disputed'),
        bonds: balanceOf(own, 'bonds'),
      }).toEqual({ reference, ...inMinor({ paid: kept, disputed, bonds }) });
    }

    const journal = await testEnv.DB.prepare(
      `SELECT sum(amount_minor) AS moved, count(DISTINCT kind) AS kinds FROM ${MOVEMENTS} WHERE property_id = ?`,
    )
      .bind(PROPERTY)
      .first<{ moved: number; kinds: number }>();
    // All but a corrected amount, which only a payment that was settled by hand can have.
    expect(journal?.kinds).toBe(6);
    const ofCharges = lines.filter(({ chargeId }) => chargeId !== null);
    expect(balanceOf(ofCharges, 'acquirer') + (journal?.moved ?? 0)).toBe(0);

    const payouts = (await disbursementsOf(at.options)).filter(
      ({ status }) => status === 'paid_out',
    );
    const sum = (member: 'netAmount' | 'fee' | 'grossAmount') =>
      Math.round(payouts.reduce((total, one) => total + one[member] * 100, 0));
    const ofPayouts = lines.filter(({ disbursementId }) => disbursementId !== null);
    expect(new Set(ofPayouts.map(({ disbursementId }) => disbursementId)).size).toBe(
      payouts.filter(({ fee, netAmount }) => fee !== 0 || netAmount !== 0).length,
    );
    expect({
      net: 0 - balanceOf(lines, 'bank'),
      fee: 0 - balanceOf(lines, 'acquirer-fees'),
      gross: balanceOf(ofPayouts, 'acquirer'),
    }).toEqual({ net: sum('netAmount'), fee: sum('fee'), gross: sum('grossAmount') });
    // Everything was paid out: nothing is under way any more.
    expect(balanceOf(lines, 'acquirer')).toBe(0);
    expect(await unexplained(at, payouts, lines)).toEqual([]);
  });
});

/**
 * Imports the bank's statement of what was paid out, and tells which of its lines are not explained to the minor unit: by the
 * movements of bookings that their disbursement holds, and by the books.
 */
async function unexplained(
  { options }: Hotel,
  payouts: readonly Disbursement[],
  books: readonly LedgerLine[],
): Promise<object[]> {
  const paid = payouts.filter(({ netAmount }) => netAmount !== 0);
  const rows = paid.map(({ description, expectedArrivalDate, netAmount }) =>
    [expectedArrivalDate.slice(0, 10), netAmount.toFixed(2), description].join(';'),
  );
  const csv = { date: 'Date', amount: 'Amount', description: 'Text' };
  const sent = { format: 'csv', csv, text: ['Date;Amount;Text', ...rows].join('\n') };
  const imported = await call('/bank-statement/v1/import', sent, options);
  const all = { lines: paid.length, matched: paid.length, unmatched: 0, repeated: 0 };
  expect(imported.json).toMatchObject(all);
  const listed = await call('/bank-statement/v1/list', { limit: 200 }, options);
  const { lines } = listed.json as unknown as {
    lines: { amount: number; disbursementId: string }[];
  };
  const found = await Promise.all(
    lines.map(async ({ amount, disbursementId }) => {
      const items = await itemsOf(disbursementId, options);
      const moved = items.reduce((sum, { netAmount }) => sum + Math.round(netAmount * 100), 0);
      const booked = books.filter((line) => line.disbursementId === disbursementId);
      return {
        disbursementId,
        bank: Math.round(amount * 100),
        moved,
        booked: 0 - balanceOf(booked, 'bank'),
        strangers: items.filter(({ bookingReference }) => bookingReference === null),
      };
    }),
  );
  expect(found).toHaveLength(paid.length);
  return found.filter(
    ({ bank, booked, moved, strangers }) =>
      bank !== moved || bank !== booked || strangers.length > 0,
  );
}

function inMinor<Name extends string>(amounts: Record<Name, number>): Record<string, number> {
  return Object.fromEntries(
    Object.entries<number>(amounts).map(([name, amount]) => [name, Math.round(amount * 100)]),
  );
}

describe('the day of the books', () => {
  const today = utcDate(Date.now());
  const afterMs = (days: number) => Date.parse(today) + days * DAY_MS + 11 * MINUTE_MS;
  const sweep = (atMs: number) =>
    atTime(atMs, async () => sweepExports(testEnv, await requireConfig(testEnv), atMs));
  const runsOfBooks = async () =>
    (await callAsAdmin('/admin/v1/export/list', { variant: 'ledger' })).json.runs;

  /** Ends all runs that go on, as their alarms do. */
  async function finish(atMs: number): Promise<void> {
    await atTime(atMs, async () => {
      for (const { runId, status } of await runsOfBooks()) {
        if (status === 'Running') await ringUntilOver(runId);
      }
    });
  }

  it('has what was recorded on it in real time, and is made when it is over', async () => {
    await makeBooking('EARLY', GOOD);
    await call('/payment/v1/create', { reference: 'EARLY', amount: 100 });
    const noon = Date.parse(today) + 1.5 * DAY_MS;
    await atTime(noon, () => call('/payment/v1/create', { reference: 'EARLY', amount: 50 }));
    await atTime(noon, () => call('/refund/v1/create', { reference: 'EARLY', amount: 120 }));
    for (const days of [1, 2]) {
      await sweep(afterMs(days));
      await finish(afterMs(days));
    }
    const tomorrow = utcDate(afterMs(1));
    const files = await Promise.all(
      [today, tomorrow].map(async (day) => readLedger(await ledgerFile(`&date=${day}`))),
    );
    const booked = files.map((lines) => [lines.length, balanceOf(lines, 'acquirer')]);
    expect(booked).toEqual([
      [3, -10_309],
      [expect.any(Number), -5_155 + 12_000],
    ]);
    const all = files.flat();
    const { json } = await call('/payment/v1/balance', { reference: 'EARLY' });
    expect(balanceOf(all, 'guests')).toBe(Math.round(json.balance.paid * 100));
    expect(unbalanced(groupedBy(all, ({ entryId }) => entryId))).toEqual([]);
    expect((await fetchExport('ledger=1')).headers.get('Content-Disposition')).toBe(
      `attachment; filename="ledger-${tomorrow}.ndjson"`,
    );
  });

  it('is never left out: after an outage each comes in its turn', async () => {
    for (let minute = 0; minute < 4; minute += 1) {
      await sweep(afterMs(3) + minute * MINUTE_MS);
      await finish(afterMs(3) + minute * MINUTE_MS);
    }
    const days = (await atTime(afterMs(3), runsOfBooks)).map(({ date }) => date);
    expect(days.toSorted()).toEqual([0, 1, 2].map((day) => utcDate(afterMs(day))));
  });

  it('waits for the day before, and for a failed one again', async () => {
    await sweep(afterMs(2));
    await sweep(afterMs(2) + MINUTE_MS);
    expect(await atTime(afterMs(2), runsOfBooks)).toHaveLength(1);
    await testEnv.DB.prepare("UPDATE export_runs SET status = 'Failed', due_at_ms = NULL").run();
    await sweep(afterMs(2) + 2 * MINUTE_MS);
    const days = (await atTime(afterMs(2), runsOfBooks)).map(({ date }) => date);
    expect(days).toEqual([today, today]);
  });

  it('so far is made by an administrator, and again with what came since', async () => {
    await makeBooking('NOW', GOOD);
    await call('/payment/v1/create', { reference: 'NOW', amount: 100 });
    expect(await makeExport('ledger')).toMatchObject({ date: today, rows: 3, expectedRows: 3 });
    const [first] = readLedger(await ledgerFile());
    await call('/payment/v1/create', { reference: 'NOW', amount: 10 });
    expect((await makeExport('ledger')).rows).toBe(6);
    const lines = readLedger(await ledgerFile(`&date=${today}`));
    expect(lines).toHaveLength(6);
    expect(lines).toContainEqual(first);
  });

  it('of a portfolio has only its properties’, page after page', async () => {
    const token = await makeProperty('north', { portfolio: 'northern' });
    await makeBooking('N', GOOD, { token });
    await call('/payment/v1/create', { reference: 'N', amount: 10 }, { token });
    await makeBooking('HOME', GOOD);
    await call('/payment/v1/create', { reference: 'HOME', amount: 10 });
    await manyCharges('HOME', 1_200);
    expect((await makeExport('ledger', 'northern')).rows).toBe(2);
    expect((await makeExport('ledger')).rows).toBe(3 + 3 * 1_200);
    const lines = readLedger(await ledgerFile());
    expect(new Set(lines.map(({ postingId }) => postingId)).size).toBe(lines.length);
  });
});

it('a page reads the movements of its day alone, by an index', async () => {
  const run = {
    variant: 'ledger',
    portfolio: 'default',
    lastApplicationId: 0,
    lastMoveId: 0,
  } as const;
  const source = { ...run, date: '2026-11-26', startedAtMs: Date.now() };
  const indexes = [
    'row USING INDEX history_movements (property_id=? AND occurred_at_ms>? AND occurred_at_ms<?)',
    'row USING INDEX history_recorded (property_id=? AND recorded_at_ms>? AND recorded_at_ms<?)',
  ];
  for (const [place, part] of parts.entries()) {
    const plan = await planOf(selectEntries(source, part, []));
    expect(plan).toContain(indexes[place]);
    expect(plan).not.toMatch(/SCAN (?:row|entry|history|transactions|charge)/);
  }
});

/** Repeats the charge of a booking in its history: what one page is too small for. */
async function manyCharges(reference: string, count: number): Promise<void> {
  const { results } = await testEnv.DB.prepare('PRAGMA table_info(history)').all<{
    name: string;
  }>();
  const columns = results.map(({ name }) => name);
  const value = (name: string) =>
    name === 'movement'
      ? "'correction'"
      : name === 'sequence'
        ? LAST
        : NO_EVENT.has(name)
          ? 'NULL'
          : name;
  await testEnv.DB.prepare(
    `WITH RECURSIVE series(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM series WHERE n < ?1)
      INSERT INTO history (${columns.join(', ')}) SELECT ${columns.map(value).join(', ')}
      FROM history CROSS JOIN series WHERE booking_reference = ?2 AND movement = 'charge'`,
  )
    .bind(count, reference)
    .run();
}

const LAST = '(SELECT max(sequence) FROM history WHERE booking_reference = ?2) + n';

const NO_EVENT = new Set([
  'type',
  'event_number',
  'event_sequence',
  'event_salt',
  'snapshot',
  'message_id',
]);
