/** Whatever a property has, a page of each of its lists, with each filter, reads rows by the page. */
import { beforeAll, describe, expect, it } from 'vitest';
import { call, callAsAdmin, makeBooking, testEnv } from '../support/api.ts';
import { GOOD } from '../support/cards.ts';
import { used } from '../support/counting.ts';
import { filteredLists } from '../support/listFilters.ts';
import { scannedBy, statementsSent } from '../support/plans.ts';
import { story } from '../support/story.ts';

const sent = statementsSent();

story({ silent: ['news', 'pms'] });

/** How many bookings, each with a payment, messages, a mail and an event, the property has besides. */
const OTHERS = 20_000;

const LIMIT = 10;

/** One mail in so many was not sent. */
const RARE = 3_000;

/** How many rows a page may read: some hundred entries of each index that may lead to it, once for each way to go. */
const MOST_READ = 8_000;

const NOW_MS = Date.now();
const NUMBERS = `WITH RECURSIVE series(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM series WHERE n < ${OTHERS})`;

/** The n-th of some values, so that each is held by one in so many. */
const oneOf = (values: readonly string[]) =>
  `CASE n % ${values.length} ${values.map((value, at) => `WHEN ${at} THEN '${value}'`).join(' ')} END`;

/** Made a minute apart, the last of them now. Those that changed did so today. */
const MADE = `${NOW_MS} - (${OTHERS} - n) * 60000`;

const inserts = [
  `INSERT INTO bookings (property_id, reference, status, arrival, departure, last_name, email, currency,
     total_cost_minor, first_night_cost_minor, created_at_ms, updated_at_ms) ${NUMBERS}
   SELECT 'demo', 'OLD-' || n, ${oneOf(['booked', 'cancelled'])}, '2027-01-01', '2027-01-02', 'Old', 'old@hotel.com',
     'AUD', 100, 1, ${MADE}, ${NOW_MS} FROM series`,
  `INSERT INTO transactions (id, property_id, booking_reference, reference, kind, purpose, status, currency,
     requested_minor, transaction_fee_minor, card_fee_minor, amount_minor, refund_reserved_minor, virtual_card,
     fee_basis_points, card_named, gateway, gateway_key, booking_version, property_version, learnt_at_ms,
     completed_at_ms, changed_at_ms, created_at_ms)
   ${NUMBERS} SELECT n * 2, 'demo', 'OLD-' || n, 'ref' || n, 'charge', ${oneOf(['Manual', 'Balance'])},
     ${oneOf(['Accepted', 'Declined', 'Failed'])}, 'AUD', 100, 0, 0, 100, 0, 0, 0, 0, 'sandbox', 'ref' || n || '-1', 1, 1,
     ${MADE}, ${MADE}, ${NOW_MS}, ${MADE} FROM series`,
  `INSERT INTO history (property_id, booking_reference, sequence, at_ms, actor, subject_kind, subject_id, to_state, type,
     event_number, event_sequence, event_salt, snapshot, message_id)
   ${NUMBERS} SELECT 'demo', 'OLD-' || n, 1, ${MADE}, 'api', 'booking', '', 'booked', 'booking.created', n + 100000, 1,
     randomblob(8), x'00', 'm' || n FROM series`,
  `INSERT INTO outbox (property_id, booking_reference, message_id, message_type, payload, status, created_at_ms)
   ${NUMBERS} SELECT 'demo', 'OLD-' || n, 'm' || n, 'PushBooking', x'00',
     ${oneOf(['Confirmed', 'Confirmed', 'Dead', 'Dismissed'])}, ${MADE} FROM series`,
  `INSERT INTO mails (id, property_id, booking_reference, kind, event_type, subject_kind, subject_id, status, created_at_ms)
   ${NUMBERS} SELECT 'mail-' || n, 'demo', 'OLD-' || n, 'receipt', 'payment.accepted', 'charge', n,
     CASE WHEN n % ${RARE} = 0 THEN 'Dropped' ELSE ${oneOf(['Sent', 'Sent', 'Suppressed', 'Dead'])} END, ${MADE} FROM series`,
  `INSERT INTO webhook_deliveries (endpoint_id, event_number, property_id, booking_reference, status)
   ${NUMBERS} SELECT ?1, n + 100000, 'demo', 'OLD-' || n, ${oneOf(['Confirmed', 'Confirmed', 'Dead', 'Dismissed'])}
   FROM series`,
];

let endpointId = '';

beforeAll(async () => {
  const url = 'https://engine.hotel.com/events';
  endpointId = (await call('/webhook/v1/put', { url, active: false })).json.endpoint.endpointId;
  await makeBooking('NEW', GOOD);
  for (const insert of inserts) {
    const statement = testEnv.DB.prepare(insert);
    await (insert.includes('?1') ? statement.bind(endpointId) : statement).run();
  }
}, 120_000);

const asAdmin = (path: string) => (body: object) =>
  callAsAdmin(path, { property: 'demo', ...body, limit: LIMIT });
const asClient = (path: string) => (body: object) =>
  call(path, { ...(path.includes('deliveries') && { endpointId }), ...body, limit: LIMIT });

const common = { email: 'old@hotel.com', lastName: 'Old', reference: 'OLD-1', made: 'NEW' };
const cases = filteredLists(NOW_MS, common).flatMap(({ filters, path }) => {
  const list = path.startsWith('/admin/') ? asAdmin(path) : asClient(path);
  return filters.map((filter) => [path, JSON.stringify(filter), list, filter] as const);
});

describe(`beside ${OTHERS} of everything`, () => {
  it.each(cases)('%s %s: a page reads few rows', async (_path, _filter, list, filter) => {
    let status = 0;
    const { rowsRead } = await used(async () => {
      ({ status } = await list(filter));
    });
    expect(status).toBe(200);
    expect(rowsRead).toBeLessThan(MOST_READ);
  });
});

it('finds the few that a filter leaves of many, page by page, each once', async () => {
  const numbers = Array.from({ length: Math.floor(OTHERS / RARE) }, (_, nth) => (nth + 1) * RARE);
  const found: string[] = [];
  let pages = 0;
  for (let cursor: string | null | undefined; cursor !== null; pages += 1) {
    const { json } = await asAdmin('/admin/v1/mail/list')({ status: 'Dropped', cursor });
    for (const { reference } of json.mails) found.push(String(reference));
    cursor = json.nextCursor;
    if (pages > OTHERS) throw new Error('the list does not end');
  }
  expect(found).toEqual(numbers.toReversed().map((number) => `OLD-${number}`));
  expect(pages).toBeGreaterThan(numbers.length);
});

it('every statement that was sent finds its rows by an index', async () => {
  expect(await scannedBy(sent)).toEqual([]);
});
