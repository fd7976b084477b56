/** Whatever a property has gathered over the years, an operation on one booking reads a handful of rows. */
import { runInDurableObject } from 'cloudflare:test';
import type { DurableObject } from 'cloudflare:workers';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { fillExportData } from '../../scripts/exportData.ts';
import { HOUR_MS, MINUTE_MS } from '../../src/core/time.ts';
import { EventDispatcher } from '../../src/events/delivery/object.ts';
import * as entry from '../../src/index.ts';
import { requireConfig } from '../../src/platform/config.ts';
import { sweeps } from '../../src/sweeps/sweeps.ts';
import { bookingOf, call, callAsAdmin, makeBooking, testEnv } from '../support/api.ts';
import { GOOD } from '../support/cards.ts';
import { used } from '../support/counting.ts';
import { eventually } from '../support/eventually.ts';
import { fetchExport, makeExport } from '../support/exports.ts';
import type { Guest } from '../support/guest.ts';
import { signIn } from '../support/ops.ts';
import { scannedBy, statementsSent } from '../support/plans.ts';
import { signedIn } from '../support/staff.ts';
import { story } from '../support/story.ts';

const sent = statementsSent();

story({ silent: ['news', 'pms'] });

/** How many bookings, cards, charges, refunds and applications the property has besides. */
const OTHERS = 5_000;

/** How many rows an operation may read: far fewer than a scan of anything would. */
const MOST_READ = 200;

/**
 * How many rows the operations page may read here: it sums up to 1,000 schedules, a row each, and counts up to 1,000
 * messages of a property, two rows each, which it asks twice what they failed with.
 */
const MOST_READ_BY_OPS = 5_500;

/** How many rows a page of sums may read: some of each day, which are few. */
const MOST_READ_BY_SUMS = 1_000;

/** Pages that answer several questions may read a little more: one says also what `/health` does, one counts work lists. */
const OPS = 'the operations page';
const BOOKING = 'a booking in the console';

const NUMBERS = `WITH RECURSIVE series(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM series WHERE n < ${OTHERS})`;

const others = [
  `INSERT INTO bookings (property_id, reference, status, arrival, departure, last_name, email, currency,
     total_cost_minor, first_night_cost_minor, created_at_ms, updated_at_ms) ${NUMBERS}
   SELECT 'demo', 'OLD-' || n, 'booked', '2020-01-01', '2020-01-02', 'Old', 'old@hotel.com', 'AUD', 1, 1, 1, 1 FROM series`,
  `INSERT INTO cards (token, property_id, booking_reference, gateway, gateway_token, brand, last4, masked,
     expiry_month, expiry_year, entered_by, created_at_ms) ${NUMBERS}
   SELECT 'card-' || n, 'demo', 'OLD-' || n, 'sandbox', 'g', 'visa', '4242', 'X242', 1, 2030, 'api', 1 FROM series`,
  `INSERT INTO transactions (id, property_id, booking_reference, reference, kind, purpose, status, currency,
     requested_minor, transaction_fee_minor, card_fee_minor, amount_minor, refund_reserved_minor, virtual_card,
     fee_basis_points, card_token, card_named, gateway, gateway_key, booking_version, property_version, created_at_ms)
   ${NUMBERS} SELECT n * 2, 'demo', 'OLD-' || n, 'ref' || n, 'charge', 'Manual', 'Accepted', 'AUD', 100, 0, 0, 100, 100, 0,
     0, 'card-' || n, 0, 'sandbox', 'ref' || n || '-1', 1, 1, 1 FROM series`,
  `INSERT INTO refunds (id, transaction_id, property_id, booking_reference, reference, command_reference, status,
     amount_minor, currency, created_at_ms) ${NUMBERS}
   SELECT n * 2 + 1, n * 2, 'demo', 'OLD-' || n, 'refund' || n, 'c' || n, 'Refunded', 100, 'AUD', 1 FROM series`,
  `INSERT INTO outbox (property_id, booking_reference, message_id, message_type, payload, status, created_at_ms)
   ${NUMBERS} SELECT 'demo', 'OLD-' || n, 'm' || n, 'PushBooking', '{}', 'Confirmed', 1 FROM series`,
  `INSERT INTO disputes (property_id, id, booking_reference, transaction_id, status, reason, currency, amount_minor,
     fee_minor, funds_withdrawn, opened_at_ms, changed_at_ms, learnt_at_ms)
   ${NUMBERS} SELECT 'demo', 'dispute-' || n, 'OLD-' || n, n * 2, 'won', 'fraudulent', 'AUD', 1, 0, 0, n, n, n FROM series`,
  `INSERT INTO exceptions (id, property_id, booking_reference, gateway, kind, subject, found_at_ms, status, resolution,
     resolved_at_ms, detail)
   ${NUMBERS} SELECT printf('%032d', n), 'demo', 'OLD-' || n, 'sandbox', 'missing_there', 's' || n, 1, 'closed', 'accepted',
     1, '' FROM series`,
];

/** What has happened to them: their events were told and let go of, their mails sent, their guests erased. */
const happened = [
  `INSERT INTO history (property_id, booking_reference, sequence, at_ms, actor, subject_kind, subject_id, to_state, type,
     event_number, event_sequence, event_salt, snapshot, message_id)
   ${NUMBERS} SELECT 'demo', 'TOLD-' || n, 1, n, 'api', 'booking', '', 'booked', 'booking.created', n + 100000, 1,
     randomblob(8), x'00', 'm' || n FROM series`,
  `INSERT INTO retention_progress (property_id, event_number) VALUES ('demo', 100000 + ${OTHERS})`,
  `INSERT INTO webhook_deliveries (endpoint_id, event_number, property_id, booking_reference, status)
   ${NUMBERS} SELECT ?1, n + 100000, 'demo', 'OLD-' || n, 'Confirmed' FROM series`,
  `INSERT INTO mails (id, property_id, booking_reference, kind, event_type, subject_kind, subject_id, status, created_at_ms)
   ${NUMBERS} SELECT 'mail-' || n, 'demo', 'OLD-' || n, 'receipt', 'payment.accepted', 'charge', n, 'Sent', n FROM series`,
  `INSERT INTO disbursements (property_id, id, gateway, status, currency, description, effective_at_ms, arrival_date)
   ${NUMBERS} SELECT 'demo', 'old-' || n, 'sandbox', 'paid_out', 'AUD', '', n, '2020-01-01' FROM series`,
  "UPDATE bookings SET email = '', erased_at_ms = 1, version = version + 1 WHERE reference GLOB 'OLD-*'",
];

/** Payments of the last month, and what their stays owe besides; `?1` is now. */
const moved = [
  `INSERT INTO history (property_id, booking_reference, sequence, at_ms, actor, subject_kind, subject_id, to_state, type,
     event_number, event_sequence, event_salt, snapshot, charge_id, movement, currency, amount_minor, fee_minor, gateway,
     occurred_at_ms)
   ${NUMBERS} SELECT 'demo', 'OLD-' || n, 1, ?1 - n * 500000, 'api', 'charge', n * 2, 'Accepted', 'payment.accepted',
     n + 200000, 1, randomblob(8), x'00', n * 2, 'charge', 'AUD', 100, 0, 'sandbox', ?1 - n * 500000 FROM series`,
  `UPDATE bookings SET total_cost_minor = 500, arrival = date(?1 / 1000, 'unixepoch', (rowid_of % 300 - 150) || ' days'),
     departure = date(?1 / 1000, 'unixepoch', '+400 days'), version = version + 1
   FROM (SELECT reference AS of, CAST(substr(reference, 5) AS INTEGER) AS rowid_of FROM bookings) WHERE reference = of AND reference GLOB 'OLD-*'`,
];

/** Schedules that are due tomorrow, and as many messages that wait. */
const waiting = [
  `INSERT INTO transactions (id, property_id, booking_reference, reference, kind, purpose, status, currency,
     requested_minor, transaction_fee_minor, card_fee_minor, amount_minor, virtual_card, fee_basis_points, card_named,
     scheduled_at_ms, due_at_ms, gateway, booking_version, property_version, created_at_ms)
   ${NUMBERS} SELECT 100000 + n * 2, 'demo', 'OLD-' || n, 'later' || n, 'schedule', 'Balance', 'Pending', 'AUD', 100, 0, 0,
     100, 0, 0, 0, ?1 + n, ?1 + n, 'sandbox', 2,
     (SELECT version FROM properties WHERE id = 'demo'), 1 FROM series`,
  `INSERT INTO outbox (property_id, booking_reference, message_id, message_type, payload, status, due_at_ms,
     created_at_ms)
   ${NUMBERS} SELECT 'demo', 'OLD-' || n, 'w' || n, 'PushBooking', '{}', 'Pending', ?1 + n, 1 FROM series`,
];

let applicationNumber = '';
let endpointId = '';
let chargeId = 0;
let manager: Guest;

beforeAll(async () => {
  // What a dispatcher does beside an answer is not the operation's.
  vi.spyOn(EventDispatcher.prototype, 'notify').mockResolvedValue();
  await testEnv.DB.batch(others.map((insert) => testEnv.DB.prepare(insert)));
  const url = 'https://engine.hotel.com/events';
  endpointId = (await call('/webhook/v1/put', { url })).json.endpoint.endpointId;
  await call('/webhook/v1/replay', { endpointId, from: '1970-01-01T00:00:00Z' });
  await fillExportData(testEnv.DB, { property: 'demo', currency: 'AUD', customers: OTHERS });
  await makeBooking('NEW', GOOD);
  chargeId = (await call(CREATE, { reference: 'NEW', amount: 10 })).json.transaction.id;
  const made = await call('/application/v1/create', { ...stay, reference: 'NEW' });
  applicationNumber = made.json.application.applicationNumber;
  await makeExport('propertySystem');
  manager = await signedIn();
});

const CREATE = '/payment/v1/create';
const stay = { email: 'guest1@hotel.com', arrival: '2027-02-14', departure: '2027-02-17' };

const record = (BookingData: object) =>
  call('/pms/v1/message', { MessageType: 'BookingRecord', MessageID: 'm', BookingData });

const atDesk = (page: string, query: Record<string, string> = {}) =>
  manager.open(
    `/console/${page}?${new URLSearchParams({ property: 'demo', ...query }).toString()}`,
  );

const operations: Record<string, () => Promise<unknown>> = {
  'a booking saved': () => call('/booking/v1/create/manage-payments', bookingOf('NEW')),
  'its details': () => call('/booking/v1/get-details', { reference: 'NEW' }),
  'a card': () =>
    call('/payment/v1/tokenize', { reference: 'NEW', cardNumber: GOOD, cardExpiry: '12/2030' }),
  'a charge': () => call(CREATE, { reference: 'NEW', amount: 1 }),
  'a deposit': () => call(CREATE, { reference: 'NEW', amount: 1, transactionType: 'Deposit' }),
  'the list of payments': () => call('/payment/v1/transaction', { reference: 'NEW' }),
  'one payment': () => call('/payment/v1/get-transaction', { reference: 'NEW', chargeId }),
  'the list of all payments': () => call('/payment/v1/list', { limit: 10 }),
  'the disputes of a booking': () => call('/dispute/v1/list', { reference: 'NEW' }),
  'a refund': () => call('/refund/v1/create', { reference: 'NEW', amount: 1 }),
  'a cancellation': () =>
    call('/booking/v1/create/manage-payments', bookingOf('NEW', { status: 'cancelled' })),
  'an application': () => call('/application/v1/create', stay),
  'a change of it': () => call('/application/v1/update', { applicationNumber, ...stay, city: 'X' }),
  'a move of it': () =>
    call('/application/v1/update-status', { applicationNumber, status: 'Held' }),
  'a record that links it': () => record({ applicationNumber, entryId: 7, bookingId: 7 }),
  'a record of the PMS’s own': () => record({ entryId: 100_002, bookingId: 8 }),
  'the list of runs': () => callAsAdmin('/admin/v1/export/list', { limit: 10 }),
  'a file': async () => (await fetchExport('propertySystem=1')).body?.cancel(),
  'the audit trail': () =>
    callAsAdmin('/admin/v1/audit/list', { property: 'demo', reference: 'NEW' }),
  'the first events': () => call('/event/v1/list', { limit: 10 }),
  'the events of a booking': () => call('/event/v1/list', { reference: 'NEW' }),
  'the latest deliveries': () => call('/webhook/v1/deliveries', { endpointId, limit: 10 }),
  'the list of dead messages': () =>
    callAsAdmin('/admin/v1/outbox/list', { property: 'demo', status: 'Dead' }),
  'the list of messages that wait': () =>
    callAsAdmin('/admin/v1/outbox/list', { property: 'demo', status: 'Pending' }),
  'sending all dead messages again': () =>
    callAsAdmin('/admin/v1/outbox/replay', { property: 'demo', status: 'Dead' }),
  'the search of the console': () => atDesk('property', { q: '4242' }),
  [BOOKING]: () => atDesk('booking', { reference: 'NEW' }),
  'the console’s list of what failed': () => atDesk('failed'),
  'the console’s list of what comes': () => atDesk('coming'),
  'the console’s list of what is outstanding': () => atDesk('outstanding'),
  'the console’s list of disputes': () => atDesk('disputes'),
  'the console’s list of differences': () => atDesk('differences'),
  [OPS]: async () => (await signIn()).open('/ops'),
};

/** Of which table's rows each sweep looks for few; null for what follows from the number of properties alone. */
const sweptTables: Record<keyof typeof sweeps, string | null> = {
  payments: 'transactions',
  messages: 'outbox',
  events: 'webhook_deliveries',
  mails: 'mails',
  exports: 'applications',
  disbursements: 'disbursements',
  reconciliation: 'history',
  keyring: null,
  moves: null,
  retention: 'bookings',
  lettingGo: 'history',
};

type Entry = typeof entry;
type Ringing = {
  [Name in keyof Entry]: Entry[Name] extends { prototype: { alarm: unknown } } ? Name : never;
};
type Namespace = DurableObjectNamespace<DurableObject>;

/** An object's alarm, and what else its storage has to name. Those that do as much as they are asked to say so. */
const alarms: Record<Ringing[keyof Ringing], (() => Promise<unknown>) | string> = {
  BookingObject: () => ringAt(testEnv.BOOKINGS, JSON.stringify(['demo', 'NEW']), {}),
  EventDispatcher: () => ringAt(testEnv.EVENT_DISPATCHER, endpointId, { endpointId }),
  MailDispatcher: () => ringAt(testEnv.MAILER, 'demo', { property: 'demo' }),
  PmsDispatcher: () => ringAt(testEnv.PMS_DISPATCHER, PMS.url, { pmsUrl: PMS.url }),
  ExportObject: 'writes a file of all rows, by pages: bench:export',
  PropertyMover: 'copies a property, by pages: homes.test.ts',
  PropertyClockObject: 'plays what is due, a stretch at a time: clock.test.ts',
  SandboxAcquirer: 'is an acquirer, not the service',
};

function ringAt(namespace: unknown, name: string, stored: Record<string, string>) {
  return runInDurableObject(
    (namespace as Namespace).getByName(name),
    async (object, { storage }) => {
      vi.spyOn(globalThis, 'fetch').mockRejectedValue(new Error('unreachable'));
      await storage.put(stored);
      await object.alarm?.();
      // What could not be sent would ring again, beside another story.
      await storage.deleteAlarm();
    },
  );
}

const PMS = {
  url: 'https://pms.growth.hotel.com/messages',
  username: 'u',
  password: 'a-long-enough-password',
};

describe(`beside ${OTHERS} of everything`, () => {
  it.each(Object.entries(operations))('%s reads few rows', async (name, operation) => {
    const { d1, rowsRead } = await used(operation);
    expect(d1).toBeGreaterThan(0);
    expect(rowsRead).toBeLessThan(name === OPS || name === BOOKING ? MOST_READ + 50 : MOST_READ);
  });
});

describe(`beside ${OTHERS} of everything that was told, sent, paid out and erased`, () => {
  beforeAll(async () => {
    for (const insert of happened) {
      const statement = testEnv.DB.prepare(insert);
      await (insert.includes('?1') ? statement.bind(endpointId) : statement).run();
    }
    await callAsAdmin('/admin/v1/property/put', {
      property: 'demo',
      name: 'Demo',
      site: 'demo.localhost',
      currency: 'AUD',
      timeZone: 'Australia/Perth',
      retention: { eraseGuestsAfterDays: 30 },
      pms: PMS,
    });
  });

  const running = testEnv.DB.prepare(
    "SELECT count(*) AS n FROM export_runs WHERE status = 'Running'",
  );

  it.each(Object.entries(sweeps))('the sweep of %s reads few rows', async (name, sweep) => {
    const table = sweptTables[name as keyof typeof sweeps];
    if (table !== null) {
      const rows = await testEnv.DB.prepare(`SELECT count(*) AS n FROM ${table}`).first('n');
      expect(rows).toBeGreaterThanOrEqual(OTHERS);
    }
    const config = await requireConfig(testEnv);
    // A sweep that has the day to do does it first. The files of a new day are written beside it.
    const nowMs = Math.ceil(Date.now() / (10 * MINUTE_MS)) * 10 * MINUTE_MS;
    await sweep(testEnv, config, nowMs);
    await eventually(async () => expect(await running.first('n')).toBe(0));
    const { rowsRead } = await used(() => sweep(testEnv, config, nowMs));
    expect(rowsRead).toBeLessThan(MOST_READ);
  });

  it('every alarm is bounded here or elsewhere', () => {
    const ringing = Object.entries(entry).flatMap(([name, made]) =>
      typeof made === 'function' && 'alarm' in made.prototype ? name : [],
    );
    expect(ringing.toSorted()).toEqual(Object.keys(alarms).toSorted());
  });

  it.each(Object.entries(alarms).filter(([, ring]) => typeof ring === 'function'))(
    'the alarm of %s reads few rows',
    async (_name, ring) => {
      const { rowsRead } = await used(ring as () => Promise<unknown>);
      expect(rowsRead).toBeLessThan(MOST_READ);
    },
  );
});

describe(`beside ${OTHERS} deliveries that an endpoint never took`, () => {
  const change = async (from: string, to: string) => {
    const { meta } = await testEnv.DB.prepare(
      'UPDATE webhook_deliveries SET status = ?3 WHERE endpoint_id = ?1 AND status = ?2',
    )
      .bind(endpointId, from, to)
      .run();
    return meta.changes;
  };

  beforeAll(async () => {
    expect(await change('Confirmed', 'Dead')).toBeGreaterThanOrEqual(OTHERS);
  });

  afterAll(() => change('Dead', 'Confirmed'));

  const put = (active: boolean) => async () => {
    const { json } = await call('/webhook/v1/put', { endpointId, active });
    expect(json.endpoint.active).toBe(active);
  };

  it.each([
    ['an endpoint that is made inactive', put(false)],
    ['an endpoint that is made active again', put(true)],
    ['a charge that it is told of', () => call(CREATE, { reference: 'NEW', amount: 10 })],
    [
      'a list of what waits',
      () => call('/webhook/v1/deliveries', { endpointId, status: 'Pending' }),
    ],
  ])('%s reads few rows', async (_name, operation) => {
    const { d1, rowsRead } = await used(operation);
    expect(d1).toBeGreaterThan(0);
    expect(rowsRead).toBeLessThan(MOST_READ);
  });
});

describe(`beside ${OTHERS} schedules of tomorrow and as many messages that wait`, () => {
  it('the operations page reads no more than what it sums', async () => {
    const tomorrow = Date.now() + 20 * HOUR_MS;
    await testEnv.DB.batch(waiting.map((insert) => testEnv.DB.prepare(insert).bind(tomorrow)));
    const visitor = await signIn();
    const { d1, rowsRead } = await used(() => visitor.open('/ops'));
    expect(visitor.page.html).toContain('only the next 1000 are summed');
    expect(visitor.page.html).toContain('1000 or more');
    expect(d1).toBeGreaterThan(0);
    expect(rowsRead).toBeLessThan(MOST_READ_BY_OPS);
    const listed = await used(() => atDesk('coming'));
    expect(manager.page.html).toContain('Next 20');
    expect([listed.d1, listed.rowsRead < MOST_READ]).toEqual([2, true]);
  });
});

describe(`beside ${OTHERS} payments of a month, and as many stays that owe something`, () => {
  const YEAR = new Date(Date.now() - 360 * 24 * HOUR_MS).toISOString().slice(0, 10);

  beforeAll(async () => {
    for (const one of moved) await testEnv.DB.prepare(one).bind(Date.now()).run();
    const sums = () => testEnv.DB.prepare('SELECT sum(number) AS n FROM day_sums').first('n');
    const config = await requireConfig(testEnv);
    const nowMs = Math.ceil(Date.now() / (10 * MINUTE_MS)) * 10 * MINUTE_MS;
    await sweeps.lettingGo(testEnv, config, nowMs);
    expect(await sums()).toBeGreaterThanOrEqual(OTHERS);
    await atDesk('outstanding');
    const owed = testEnv.DB.prepare('SELECT sum(number) AS n FROM owed_days');
    expect(await owed.first('n')).toBeGreaterThanOrEqual(OTHERS);
  });

  it.each([
    ['property', {}],
    ['outstanding', {}],
    ['report', {}],
    ['report', { from: YEAR }],
    ['payments', { from: YEAR, of: 'taken' }],
    ['audit', { from: YEAR }],
  ])('the page %s %o reads few rows', async (page, query) => {
    const { rowsRead } = await used(() => atDesk(page, query));
    expect(manager.page.status).toBe(200);
    expect(rowsRead).toBeLessThan(MOST_READ_BY_SUMS);
  });
});

it('every statement that was sent finds its rows by an index', async () => {
  expect(await scannedBy(sent)).toEqual([]);
});
