/** A property's report by day: it is right against a story whose sums the test makes itself. */

import * as fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import { seeded } from '../../scripts/seed.ts';
import { DAY_MS, HOUR_MS, localDate } from '../../src/core/time.ts';
import { selectBehind, selectUntakenOf } from '../../src/desk/reports/figures.ts';
import {
  ofDays,
  selectAcquirerFees,
  selectCancellations,
  selectMoved,
  selectShares,
  selectUntaken,
} from '../../src/desk/reports/store.ts';
import { Database } from '../../src/platform/db/database.ts';
import { Trace } from '../../src/platform/trace.ts';
import { sumUp } from '../../src/records/history/daySums.ts';
import { selectLateMovements } from '../../src/records/history/daySumsStore.ts';
import { newestPaid, sandboxDesk, tellOfDispute, tellOfPayment } from '../support/acquirerDesk.ts';
import { atTime, call, callAsAdmin, makeBooking, makeProperty, testEnv } from '../support/api.ts';
import { GOOD } from '../support/cards.ts';
import { used } from '../support/counting.ts';
import { wakeAt } from '../support/faults.ts';
import type { Guest } from '../support/guest.ts';
import { MOVEMENTS } from '../support/history.ts';
import { isLong } from '../support/long.ts';
import { planOf } from '../support/plans.ts';
import { seed } from '../support/seed.ts';
import { putUser, signedIn } from '../support/staff.ts';
import { story } from '../support/story.ts';

story({ silent: ['alarms', 'news', 'pms'] });

/** Why the sandbox takes nothing, by card. */
const REFUSED = {
  '4000000000009995': 'Declined insufficient_funds',
  '4000000000009987': 'Declined lost_card',
  '4000000000000119': 'Failed ',
} as const;

const ZONE = 'Europe/Berlin';

/** The clocks go back on the 25th, which has 25 hours. */
const FIRST_MS = Date.parse('2026-10-24T00:00:00+02:00');
const LAST_MS = Date.parse('2026-10-26T23:59:59.999+01:00');

/** The ends of the days, and the two hours that clocks show twice. */
const EDGES = [
  FIRST_MS,
  Date.parse('2026-10-24T23:59:59.999+02:00'),
  Date.parse('2026-10-25T00:00:00+02:00'),
  Date.parse('2026-10-25T02:30:00+02:00'),
  Date.parse('2026-10-25T02:30:00+01:00'),
  Date.parse('2026-10-25T23:59:59.999+01:00'),
  Date.parse('2026-10-26T00:00:00+01:00'),
  LAST_MS,
];

/** What a day came to, in minor units, and the reasons of what was not taken. */
interface Day {
  taken: number;
  /** How many charges and holds banks approved. */
  approved: number;
  takenMinor: number;
  feeMinor: number;
  refunds: number;
  refundedMinor: number;
  disputes: number;
  disputedMinor: number;
  untaken: string[];
}

const days = new Map<string, Day>();

function onDay(atMs: number): Day {
  const day = localDate(atMs, ZONE);
  const known = days.get(day) ?? {
    taken: 0,
    approved: 0,
    takenMinor: 0,
    feeMinor: 0,
    refunds: 0,
    refundedMinor: 0,
    disputes: 0,
    disputedMinor: 0,
    untaken: [],
  };
  days.set(day, known);
  return known;
}

const cents = (amount: number) => Math.round(amount * 100);

let made = 0;

async function bookingWith(card: string): Promise<string> {
  made += 1;
  const reference = `R-${made}`;
  await makeBooking(reference, card);
  return reference;
}

async function take(atMs: number, amount: number): Promise<string> {
  const reference = await bookingWith(GOOD);
  const { json } = await call('/payment/v1/create', { reference, amount });
  const day = onDay(atMs);
  const { creditCardFee, transactionFee } = json.transaction;
  day.approved += 1;
  day.taken += 1;
  day.takenMinor += cents(json.transaction.amount);
  day.feeMinor += cents(creditCardFee) + cents(transactionFee);
  return reference;
}

/** What can happen at an instant, with an amount. */
const happenings = {
  async charge(atMs: number, amount: number) {
    await take(atMs, amount);
  },
  async refusal(atMs: number, amount: number) {
    const cards = Object.entries(REFUSED);
    const [card, reason] = cards[cents(amount) % cards.length] ?? ['', ''];
    await call('/payment/v1/create', { reference: await bookingWith(card), amount });
    onDay(atMs).untaken.push(reason);
  },
  async refund(atMs: number, amount: number) {
    const reference = await take(atMs, amount);
    await call('/refund/v1/create', { reference, amount: 1 });
    onDay(atMs).refunds += 1;
    onDay(atMs).refundedMinor += 100;
  },
  async failedRefund(atMs: number, amount: number) {
    const reference = await take(atMs, amount);
    await call('/refund/v1/create', { reference, amount: 1 });
    const row = await testEnv.DB.prepare(
      'SELECT gateway_reference AS id FROM refunds WHERE booking_reference = ?',
    )
      .bind(reference)
      .first<{ id: string }>();
    await sandboxDesk.failRefund(row?.id ?? '');
    expect(await tellOfPayment(await newestPaid(reference))).toBe(1);
    onDay(atMs).refunds += 1;
  },
  async capture(atMs: number, amount: number) {
    const reference = await bookingWith(GOOD);
    const hold = await call('/payment/v1/create', {
      reference,
      amount: amount + 10,
      preAuth: true,
      expiryTime: new Date(atMs + DAY_MS).toISOString(),
    });
    const body = { reference, chargeId: hold.json.transaction.id, amount };
    const { json } = await call('/payment/v1/charge-pre-auth', body);
    const day = onDay(atMs);
    day.approved += 1;
    day.taken += 1;
    day.takenMinor += cents(json.transaction.amount);
    day.feeMinor += cents(json.transaction.creditCardFee);
  },
  /** A hold that is let go was approved all the same. */
  async hold(atMs: number, amount: number) {
    const reference = await bookingWith(GOOD);
    const expiryTime = new Date(atMs + DAY_MS).toISOString();
    const hold = { reference, amount, preAuth: true, expiryTime };
    const { json } = await call('/payment/v1/create', hold);
    await call('/payment/v1/cancel-pre-auth', { reference, chargeId: json.transaction.id });
    onDay(atMs).approved += 1;
  },
  async dispute(atMs: number, amount: number) {
    const reference = await take(atMs, amount);
    const paid = await newestPaid(reference);
    await tellOfDispute(paid, await sandboxDesk.dispute(paid.payment));
    onDay(atMs).disputes += 1;
    const { json } = await call('/payment/v1/balance', { reference });
    expect(json.balance.disputed).toBeGreaterThan(0);
    onDay(atMs).disputedMinor += await takenOf(reference);
    if (cents(amount) % 2 === 0) return;
    const before = onDay(atMs);
    await sandboxDesk.closeDispute(paid.payment, 'won');
    const { id } = (await testEnv.DB.prepare('SELECT id FROM disputes WHERE booking_reference = ?')
      .bind(reference)
      .first<{ id: string }>()) ?? { id: '' };
    await tellOfDispute(paid, id);
    before.disputedMinor -= await takenOf(reference);
  },
  /** A schedule that the bank declines days after it was made counts on the day of the decline. */
  async lateRefusal(atMs: number, amount: number) {
    const dueMs = atMs + 30 * HOUR_MS;
    if (dueMs > LAST_MS) return;
    const reference = await bookingWith('4000000000009987');
    const time = new Date(dueMs).toISOString();
    await call('/payment/v1/schedule', { reference, amount, time });
    await wakeAt(reference, dueMs);
    onDay(dueMs).untaken.push('Declined lost_card');
  },
};

async function takenOf(reference: string): Promise<number> {
  const { json } = await call('/payment/v1/transaction', { reference });
  return json.transactions.reduce((sum, { amount }) => sum + cents(amount), 0);
}

const anything = fc.record({
  what: fc.constantFrom(...(Object.keys(happenings) as (keyof typeof happenings)[])),
  atMs: fc.oneof(fc.constantFrom(...EDGES), fc.integer({ min: FIRST_MS, max: LAST_MS })),
  amount: fc.integer({ min: 200, max: 60_000 }).map((minor) => minor / 100),
});

/** A busy machine needs long for so many happenings. */
const SETUP_MS = 60_000;

let manager: Guest;

beforeAll(async () => {
  await callAsAdmin('/admin/v1/property/put', {
    property: 'demo',
    name: 'Demo Property',
    site: 'demo.localhost',
    currency: 'AUD',
    timeZone: ZONE,
  });
  // Each kind once, and others by chance.
  const kinds = Object.keys(happenings) as (keyof typeof happenings)[];
  const certain = kinds.map((what, index) => ({
    what,
    atMs: what === 'lateRefusal' ? FIRST_MS : (EDGES[index] ?? FIRST_MS),
    amount: 50 + index,
  }));
  const story = [...certain, ...fc.sample(anything, { numRuns: isLong ? 60 : 12, seed })];
  const ordered = story.toSorted((one, other) => one.atMs - other.atMs);
  for (const [index, { what, atMs, amount }] of ordered.entries()) {
    await atTime(atMs, () => happenings[what](atMs, amount));
    // The last ones stay to be summed up.
    const isLast = index > ordered.length - 4;
    if (index % 3 === 0 && !isLast) expect(await sumUp(database, DEMO, 1)).toBe(true);
  }
  manager = await signedIn(seeded.manager.email);
}, SETUP_MS);

const DEMO = { id: 'demo', timeZone: ZONE };
const database = new Database(testEnv.DB, new Trace());

const SPAN = 'property=demo&from=2026-10-24&to=2026-10-26';

/** The rows of a CSV without quoted cells, by their headers. */
function rowsOf(csv: string): Record<string, string>[] {
  // No text of these files holds a quote or a comma.
  const [header = '', ...lines] = csv.replaceAll('"', '').trimEnd().split('\r\n');
  const names = header.split(',');
  return lines.map((line) =>
    Object.fromEntries(line.split(',').map((cell, index) => [names[index] ?? '', cell])),
  );
}

const decimal = (minor: number) => (minor / 100).toFixed(2);

const textOf = (html: string) => html.replaceAll(/<[^>]+>/g, ' ').replaceAll(/[\s\u00a0]+/g, ' ');

describe(`the report by day, seed ${seed}`, () => {
  it('has what happened on each day of the property, to the minor unit', async () => {
    const { headers, html, status } = await manager.open(`/console/report?${SPAN}&format=csv`);
    expect([status, headers.get('Content-Type'), headers.get('Cache-Control')]).toEqual([
      200,
      'text/csv; charset=utf-8',
      'no-store',
    ]);
    expect(headers.get('Content-Disposition')).toBe(
      'attachment; filename="report-demo-2026-10-24-2026-10-26.csv"',
    );
    const expected = ['2026-10-24', '2026-10-25', '2026-10-26'].map((name) => {
      const day = onDay(Date.parse(`${name}T12:00:00Z`));
      const declined = day.untaken.filter((reason) => reason.startsWith('Declined')).length;
      const decided = day.approved + declined;
      return {
        Day: name,
        Currency: 'AUD',
        'Payments taken': String(day.taken),
        Taken: decimal(day.takenMinor),
        "Guests' fees in it": decimal(day.feeMinor),
        'Approved by banks': String(day.approved),
        Declined: String(declined),
        Failed: String(day.untaken.length - declined),
        'Acceptance rate in per cent':
          decided === 0 ? '' : ((day.approved / decided) * 100).toFixed(1),
        Refunds: String(day.refunds),
        Refunded: decimal(day.refundedMinor),
        Disputes: String(day.disputes),
        'Withdrawn for disputes': decimal(day.disputedMinor),
        "Acquirer's fees": '0.00',
        Net: decimal(day.takenMinor - day.refundedMinor - day.disputedMinor),
      };
    });
    expect(rowsOf(html)).toEqual(expected);
  });

  it('has the reasons why payments were not taken', async () => {
    const { html } = await manager.open(`/console/report?${SPAN}&format=csv&table=reasons`);
    const counts = new Map<string, number>();
    for (const reason of [...days.values()].flatMap(({ untaken }) => untaken)) {
      counts.set(reason, (counts.get(reason) ?? 0) + 1);
    }
    const shown = rowsOf(html).map(({ Code, Outcome, Payments }) => [
      `${Outcome} ${Code}`,
      Number(Payments),
    ]);
    expect(new Map(shown as [string, number][])).toEqual(counts);
  });

  it('shows totals that add up, in words and charts, in three round trips to D1', async () => {
    expect((await used(() => manager.open(`/console/report?${SPAN}`))).d1).toBe(3);
    const text = textOf(manager.page.html);
    const all = [...days.values()];
    const sum = (of: (day: Day) => number) => all.reduce((total, day) => total + of(day), 0);
    const amount = (minor: number) =>
      new Intl.NumberFormat('en-GB', { minimumFractionDigits: 2 }).format(minor / 100);
    expect(text).toContain(
      `Total ${sum((day) => day.taken)} ${amount(sum((day) => day.takenMinor))} ${amount(sum((day) => day.feeMinor))}`,
    );
    expect(text).toContain(`Taken, AUD: ${amount(sum((day) => day.takenMinor))}`);
    const net = sum((day) => day.takenMinor - day.refundedMinor - day.disputedMinor);
    expect(text).toContain(`AUD ${amount(net)} net`);
    expect(text).toMatch(/24 – 26 Oct 2026 .* 21 – 23 Oct 2026 0.00 0.00 0.00 0.00 0.00/);
    const [, parts = ''] = text.split('Taken by card, purpose and person');
    for (const [first, last] of [
      ['By card', 'By purpose'],
      ['By purpose', 'By who took or refunded it'],
      ['By who took or refunded it', 'Why payments failed'],
    ] as const) {
      const part = parts.slice(parts.indexOf(first), parts.indexOf(last));
      const figures = [...part.matchAll(/ (\d+) ([\d,.]+\.\d\d) ([\d,.]+\.\d\d)/g)].map(
        ([, taken = '', takenAmount = '']) => [
          Number(taken),
          Math.round(Number(takenAmount.replaceAll(',', '')) * 100),
        ],
      );
      const total = [0, 1].map((at) => figures.reduce((all, one) => all + (one[at] ?? 0), 0));
      expect([first, ...total]).toEqual([
        first,
        sum((day) => day.taken),
        sum((day) => day.takenMinor),
      ]);
    }
    expect(text).toContain('The highest is AUD');
    expect(text).toContain('The card was reported lost');
    // The journal adds up to the same.
    const journal = await testEnv.DB.prepare(
      `SELECT sum(amount_minor) AS net FROM ${MOVEMENTS} WHERE property_id = 'demo'`,
    ).first<{ net: number }>();
    expect(journal?.net).toBe(sum((day) => day.takenMinor - day.refundedMinor - day.disputedMinor));
  });

  it('has no height at a chart of nothing', async () => {
    const { html } = await manager.open(
      '/console/report?property=demo&from=2026-01-05&to=2026-01-06',
    );
    const heights = [...html.matchAll(/<svg class="chart".*?<\/svg>/gs)].map(
      ([chart]) => chart.match(/class="axis"/g)?.length,
    );
    // The rate of acceptance ends at 100 %, whatever it was.
    expect(heights).toEqual([1, 3, 1, 1]);
  });

  it('has its totals and parts as files, linked below them', async () => {
    const { html } = await manager.open(`/console/report?${SPAN}`);
    const path = `/console/report?${SPAN}&currency=AUD`;
    const file = async (table: string) => {
      expect(html).toContain(`${path}&table=${table}&format=csv`.replaceAll('&', '&amp;'));
      return rowsOf((await manager.open(`${path}&table=${table}&format=csv`)).html);
    };
    const all = [...days.values()];
    const sum = (of: (day: Day) => number) => all.reduce((total, day) => total + of(day), 0);
    const taken = decimal(sum((day) => day.takenMinor));
    const refunded = decimal(sum((day) => day.refundedMinor));
    const none = { Refunded: '0.00', Chargebacks: '0.00', 'Acquirer’s fees': '0.00' };
    expect(await file('totals')).toEqual([
      {
        ...none,
        Days: '24 – 26 Oct 2026',
        Taken: taken,
        Refunded: refunded,
        Chargebacks: decimal(sum((day) => day.disputedMinor)),
        Net: decimal(sum((day) => day.takenMinor - day.refundedMinor - day.disputedMinor)),
        Currency: 'AUD',
      },
      { ...none, Days: '21 – 23 Oct 2026', Taken: '0.00', Net: '0.00', Currency: 'AUD' },
    ]);
    const added = (rows: readonly Record<string, string>[], name: string) =>
      decimal(rows.reduce((total, row) => total + Math.round(Number(row[name]) * 100), 0));
    const tables = Map.groupBy(await file('parts'), ({ Table }) => Table);
    expect(
      [...tables].map(([table, rows]) => [table, added(rows, 'Taken'), added(rows, 'Refunded')]),
    ).toEqual([
      ['By card', taken, refunded],
      ['By purpose', taken, refunded],
      ['By who took or refunded it', taken, refunded],
    ]);
    expect(tables.get('By card')?.map(({ What }) => What)).toContain('Visa');
  });

  it('leads from each figure to the payments behind it, whose file adds up to it', async () => {
    const { html } = await manager.open(`/console/report?${SPAN}`);
    const links = [...html.matchAll(/<a href="(\/console\/payments\?[^"]+)">([^<]+)<\/a>/g)].map(
      ([, path = '', text = '']) => ({ path: path.replaceAll('&amp;', '&'), text }),
    );
    expect(
      new Set(links.map(({ path }) => new URL(path, 'http://x').searchParams.get('of'))),
    ).toEqual(new Set(['taken', 'refunded', 'withdrawn', 'Declined', 'Failed', 'acquirerFees']));
    const wrong: string[] = [];
    for (const path of new Set(links.map((link) => link.path))) {
      const rows = rowsOf((await manager.open(`${path}&format=csv`)).html);
      const sumOf = (name: string) =>
        Math.abs(rows.reduce((sum, row) => sum + Math.round(Number(row[name] ?? 0) * 100), 0));
      const isTaken = ({ What = '' }) => !/corrected|failed|returned/.test(What);
      const behind = [
        String(rows.filter(isTaken).length),
        ...['Amount', 'of which fees', 'Fees'].map((name) => decimal(sumOf(name))),
      ];
      for (const { text } of links.filter((link) => link.path === path)) {
        if (!behind.includes(text.replaceAll(/[,−]/g, '')))
          wrong.push(`${path}: ${text}, not ${behind.join(' ')}`);
      }
    }
    expect(wrong).toEqual([]);
  });

  it('shows the payments behind a figure in pages, with what they come to', async () => {
    const path = `/console/payments?${SPAN}&of=taken&currency=AUD`;
    expect((await used(() => manager.open(path))).d1).toBe(3);
    const total = [...days.values()].reduce((sum, day) => sum + day.takenMinor, 0);
    const written = new Intl.NumberFormat('en-GB', { minimumFractionDigits: 2 }).format(
      total / 100,
    );
    expect(textOf(manager.page.html)).toContain(`AUD ${written} together.`);
    const rows = rowsOf((await manager.open(`${path}&format=csv`)).html).length;
    let pages = 0;
    for (let page: string | undefined = path; page !== undefined && pages < 50; pages += 1) {
      const { html } = await manager.open(page.replaceAll('&amp;', '&'));
      expect(textOf(html)).toContain(`AUD ${written} together.`);
      page = /<a href="([^"]+)">Next 20</.exec(html)?.[1];
    }
    expect(pages).toBe(Math.ceil(rows / 20));
    const wrong = await manager.open(`/console/payments?property=demo&from=soon&of=taken`);
    expect(wrong.status).toBe(422);
  });

  it('lists weeks and months where days would be too many, with the same totals', async () => {
    const total = () => /Total (?:[\d,.]+ )+/.exec(textOf(manager.page.html))?.[0];
    await manager.open(`/console/report?${SPAN}`);
    const byDay = total();
    for (const [from, to, line] of [
      ['2026-10-01', '2026-11-10', '19 – 25 Oct 2026'],
      ['2026-01-15', '2027-01-15', '1 – 31 Oct 2026'],
    ] as const) {
      await manager.open(`/console/report?property=demo&from=${from}&to=${to}`);
      expect(textOf(manager.page.html)).toContain(line);
      expect(total()).toBe(byDay);
    }
  });

  it.each([
    ['from=2026-10-26&to=2026-10-24', 'The last day must not come before the first one.'],
    ['from=2025-01-01&to=2026-10-24', 'Choose at most 366 days at a time.'],
    ['from=2026-02-30', 'Enter an existing day as the first one.'],
    ['to=soon', 'Enter an existing day as the last one.'],
  ])('says what is wrong with %s', async (query, words) => {
    const { html, status } = await manager.open(`/console/report?property=demo&${query}`);
    expect([status, html.includes(words)]).toEqual([422, true]);
  });

  it('is for managers of the property and administrators', async () => {
    await makeProperty('elsewhere');
    const expected = {
      viewer: 403,
      accountant: 200,
      cashier: 403,
      manager: 200,
      admin: 200,
    } as const;
    for (const [role, status] of Object.entries(expected)) {
      const email = `${role}@hotel.com`;
      await putUser({ email, role, ...(role !== 'admin' && { property: 'demo' }) });
      const person = await signedIn(email);
      for (const way of ['', '&format=csv']) {
        for (const page of ['report', 'payments']) {
          await person.open(`/console/${page}?property=demo${way}`);
          expect([role, page, person.page.status]).toEqual([role, page, status]);
        }
      }
    }
    expect((await manager.open('/console/report?property=elsewhere')).status).toBe(404);
  });
});

it('each sum reads the rows of its days alone, by an index', async () => {
  const span = { from: '2027-01-01', to: '2027-01-31' };
  const of = { propertyId: 'demo', periods: '[[1,2]]' };
  const within = { propertyId: 'demo', timeZone: ZONE, fromMs: 1, beforeMs: 2, span };
  const part = { limit: 20 };
  for (const [statement, by] of [
    [
      selectMoved(ofDays('demo', [span])),
      'day_sums USING PRIMARY KEY (property_id=? AND day>? AND day<?)',
    ],
    [
      selectShares({ propertyId: 'demo', ...span }),
      'day_sums USING PRIMARY KEY (property_id=? AND day>? AND day<?)',
    ],
    [
      selectLateMovements({ propertyId: 'demo' }),
      'history USING INDEX history_events (property_id=? AND event_number>?)',
    ],
    [
      selectBehind(within, { of: 'taken', currency: 'AUD' }, part),
      'history USING INDEX history_movements (property_id=? AND occurred_at_ms>? AND occurred_at_ms<?)',
    ],
    [
      selectUntakenOf(within, { of: 'Declined', currency: 'AUD' }, part),
      'transactions USING INDEX transactions_failed (property_id=? AND learnt_at_ms>? AND learnt_at_ms<?)',
    ],
    [
      selectUntaken(of),
      'transactions USING INDEX transactions_failed (property_id=? AND learnt_at_ms>? AND learnt_at_ms<?)',
    ],
    [
      selectAcquirerFees(of),
      'disbursements USING INDEX disbursements_by_time (property_id=? AND effective_at_ms>? AND effective_at_ms<?)',
    ],
    [
      selectCancellations(of),
      'settlements USING INDEX settlements_by_time (property_id=? AND created_at_ms>? AND created_at_ms<?)',
    ],
  ] as const) {
    const plan = await planOf(statement);
    expect(plan).toContain(by);
    expect(plan).not.toMatch(/SCAN (?!(?:period|step) VIRTUAL)/);
  }
});
