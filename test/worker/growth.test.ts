/** Whatever a property has gathered over the years, an operation on one booking reads a handful of rows. */
import { beforeAll, describe, expect, it, vi } from 'vitest';
import { fillExportData } from '../../scripts/exportData.ts';
import { sweepOverdue } from '../../src/booking/sweep.ts';
import { HOUR_MS } from '../../src/core/time.ts';
import { EventDispatcher } from '../../src/events/delivery/object.ts';
import { sweepEvents } from '../../src/events/delivery/stub.ts';
import { sweepExports } from '../../src/exports/sweep.ts';
import { requireConfig } from '../../src/platform/config.ts';
import { sweepOutbox } from '../../src/pms/outbox/stub.ts';
import { bookingOf, call, callAsAdmin, makeBooking, testEnv } from '../support/api.ts';
import { GOOD } from '../support/cards.ts';
import { used } from '../support/counting.ts';
import { fetchExport, makeExport } from '../support/exports.ts';
import type { Guest } from '../support/guest.ts';
import { signIn } from '../support/ops.ts';
import { signedIn } from '../support/staff.ts';
import { story } from '../support/story.ts';

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
];

/** Schedules that are due tomorrow, and as many messages that wait. */
const waiting = [
  `INSERT INTO transactions (id, property_id, booking_reference, reference, kind, purpose, status, currency,
     requested_minor, transaction_fee_minor, card_fee_minor, amount_minor, virtual_card, fee_basis_points, card_named,
     scheduled_at_ms, due_at_ms, gateway, booking_version, property_version, created_at_ms)
   ${NUMBERS} SELECT 100000 + n * 2, 'demo', 'OLD-' || n, 'later' || n, 'schedule', 'Balance', 'Pending', 'AUD', 100, 0, 0,
     100, 0, 0, 0, ?1 + n, ?1 + n, 'sandbox', 1,
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
}, 120_000);

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
  'the sweep of payments': () => sweepOverdue(testEnv, Date.now()),
  'the sweep of messages': () => sweepOutbox(testEnv, Date.now()),
  'the sweep of events': () => sweepEvents(testEnv, Date.now()),
  'the first events': () => call('/event/v1/list', { limit: 10 }),
  'the events of a booking': () => call('/event/v1/list', { reference: 'NEW' }),
  'the latest deliveries': () => call('/webhook/v1/deliveries', { endpointId, limit: 10 }),
  'the sweep of exports': async () =>
    sweepExports(testEnv, await requireConfig(testEnv), Date.now()),
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
  'the console’s list of disputes': () => atDesk('disputes'),
  'the console’s list of differences': () => atDesk('differences'),
  [OPS]: async () => (await signIn()).open('/ops'),
};

describe(`beside ${OTHERS} of everything`, () => {
  it.each(Object.entries(operations))('%s reads few rows', async (name, operation) => {
    const { d1, rowsRead } = await used(operation);
    expect(d1).toBeGreaterThan(0);
    expect(rowsRead).toBeLessThan(name === OPS || name === BOOKING ? MOST_READ + 50 : MOST_READ);
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
