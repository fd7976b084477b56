/** Whatever a property has, a page of each of its lists, with each filter, reads rows by the page. */
import { beforeAll, describe, expect, it } from 'vitest';
import { fillExportData } from '../../scripts/exportData.ts';
import { MINUTE_MS } from '../../src/core/time.ts';
import { closeFound } from '../../src/disbursements/bank/store.ts';
import { cursorAfter } from '../../src/http/listFields.ts';
import { GATEWAYS } from '../../src/platform/config.ts';
import {
  countOpenDisputes,
  selectOpenDisputes,
  selectUnasked,
} from '../../src/reconciliation/unlistedStore.ts';
import { call, callAsAdmin, http, makeBooking, testEnv } from '../support/api.ts';
import { GOOD } from '../support/cards.ts';
import { used } from '../support/counting.ts';
import type { Guest } from '../support/guest.ts';
import { filteredLists } from '../support/listFilters.ts';
import { signIn } from '../support/ops.ts';
import { scannedBy, statementsSent } from '../support/plans.ts';
import { signedIn } from '../support/staff.ts';
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
   ${NUMBERS} SELECT 'demo', 'OLD-' || n, 1, ${MADE}, 'api', 'booking', '', 'booked', 'booking.saved', n + 100000, 1,
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
  `INSERT INTO cards (token, property_id, booking_reference, gateway, gateway_token, brand, last4, masked, expiry_month,
     expiry_year, entered_by, virtual_terms, created_at_ms)
   ${NUMBERS} SELECT 'virtual-' || n, 'demo', 'OLD-' || n, 'sandbox', 'v' || n, 'visa', '4242', 'X242', 1, 2030, 'api',
     json_object('activeFromMs', ${MADE}, 'activeUntilMs', NULL, 'limitMinor', 100, 'autoCharge', json('false')), ${MADE}
   FROM series`,
  `INSERT INTO disputes (property_id, id, booking_reference, transaction_id, status, reason, currency, amount_minor,
     fee_minor, funds_withdrawn, opened_at_ms, changed_at_ms, learnt_at_ms)
   ${NUMBERS} SELECT 'demo', 'dispute-' || n, 'OLD-' || n, n * 2, 'won', 'fraudulent', 'AUD', 1, 0, 0, ${MADE}, ${MADE},
     ${MADE} FROM series`,
  `INSERT INTO disbursements (property_id, id, gateway, status, currency, description, effective_at_ms, arrival_date)
   ${NUMBERS} SELECT 'demo', 'payout-' || n, 'sandbox', 'paid_out', 'AUD', '', ${MADE}, '2020-01-01' FROM series`,
  `INSERT INTO disbursement_items (property_id, id, disbursement_id, gateway_transaction_id, description, category, currency,
     gross_minor, fee_minor, net_minor, three_ds_authenticated, effective_at_ms, created_at_ms, available_at_ms)
   VALUES ('demo', 'item', 'payout-7', 'ref7', 'OLD-7', 'sale', 'AUD', 100, 0, 100, 0, ${NOW_MS}, ${NOW_MS}, ${NOW_MS})`,
  `INSERT INTO bank_lines (property_id, id, date, currency, amount_minor, description, status)
   ${NUMBERS} SELECT 'demo', printf('%032x', n), '2026-01-01', 'AUD', n, '', 'unmatched' FROM series`,
  `INSERT INTO exceptions (id, property_id, booking_reference, gateway, kind, subject, found_at_ms, status, resolution,
     resolved_at_ms, detail)
   ${NUMBERS} SELECT printf('%032d', n), 'demo', 'OLD-' || n, 'sandbox', 'missing_there', 's' || n, ${MADE},
     ${oneOf(['open', 'closed'])}, iif(n % 2 = 0, NULL, 'accepted'), iif(n % 2 = 0, NULL, ${MADE}), '' FROM series`,
  `INSERT INTO archived_bookings (property_id, reference, state, object_key, status, arrival, last_name, email,
     created_at_ms, updated_at_ms, last_event_number)
   ${NUMBERS} SELECT 'demo', 'GONE-' || n, 'archived', 'gone', 'booked', '2020-01-01', 'Gone', 'gone@hotel.com', ${MADE},
     ${MADE}, n FROM series`,
  `INSERT INTO archived_payments (property_id, id, booking_reference, status, purpose, created_at_ms, changed_at_ms)
   ${NUMBERS} SELECT 'demo', n * 2 + 1, 'GONE-' || n, 'Accepted', 'Manual', ${MADE}, ${MADE} FROM series`,
];

/** The lists that grow with people and settings, not with bookings. */
const SMALL_LISTS = new Set([
  '/admin/v1/client/list',
  '/admin/v1/database/list',
  '/admin/v1/export-user/list',
  '/admin/v1/export/list',
  '/admin/v1/keyring/list',
  '/admin/v1/property/list',
  '/admin/v1/user/list',
  '/admin/v1/webhook/list',
  '/webhook/v1/list',
]);

/** What a page is asked for besides filters. */
const NO_FILTERS = new Set(['after', 'cursor', 'endpointId', 'limit', 'property']);

let endpointId = '';
let manager: Guest;

beforeAll(async () => {
  const url = 'https://engine.hotel.com/events';
  endpointId = (await call('/webhook/v1/put', { url, active: false })).json.endpoint.endpointId;
  for (const insert of inserts) {
    const statement = testEnv.DB.prepare(insert);
    await (insert.includes('?1') ? statement.bind(endpointId) : statement).run();
  }
  await fillExportData(testEnv.DB, { property: 'demo', currency: 'AUD', customers: OTHERS });
  await makeBooking('NEW', GOOD);
  manager = await signedIn();
});

const asAdmin = (path: string) => (body: object) =>
  callAsAdmin(path, { property: 'demo', ...body, limit: LIMIT });
const asClient = (path: string) => (body: object) =>
  call(path, { ...(path.includes('deliveries') && { endpointId }), ...body, limit: LIMIT });

const common = { email: 'old@hotel.com', lastName: 'Old', reference: 'OLD-1', made: 'NEW' };
const cases = filteredLists(NOW_MS, common).flatMap(({ filters, path }) => {
  const list = path.startsWith('/admin/') ? asAdmin(path) : asClient(path);
  return filters.map((filter) => [path, JSON.stringify(filter), list, filter] as const);
});

interface Schema {
  readonly $ref?: string;
  readonly enum?: readonly string[];
  readonly properties?: Readonly<Record<string, Schema>>;
}

interface Content {
  readonly content?: { readonly 'application/json'?: { readonly schema: Schema } };
}

/** The lists of the document that grow, with the names and values of their filters. */
async function documentedLists() {
  const { components, paths } = (await (await http('/openapi.json')).json()) as {
    components: { schemas: Record<string, Schema> };
    paths: Record<string, { post?: { requestBody?: Content; responses: Record<string, Content> } }>;
  };
  const membersOf = (content: Content | undefined) => {
    const schema = content?.content?.['application/json']?.schema;
    const name = schema?.$ref?.split('/').at(-1) ?? '';
    return (components.schemas[name] ?? schema)?.properties ?? {};
  };
  const lists = Object.entries(paths).filter(
    ([path, { post }]) =>
      'nextCursor' in membersOf(post?.responses['200']) && !SMALL_LISTS.has(path),
  );
  return new Map(
    lists.map(([path, { post }]) => {
      const filters = Object.entries(membersOf(post?.requestBody));
      const named = filters.filter(([name]) => !NO_FILTERS.has(name));
      return [path, named.map(([name, schema]) => ({ name, values: schema.enum ?? [] }))];
    }),
  );
}

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

/** A page in the middle of a list that ends before a time: what comes before it is not read again. */
it.each([
  ['transactions', '/payment/v1/list', 'number'],
  ['disputes', '/dispute/v1/list', 'text'],
  ['disbursements', '/disbursement/v1/get-all', 'text'],
  ['virtualCards', '/card/v1/virtual/list', 'text'],
] as const)('the middle of the %s of a span reads few rows', async (name, path, id) => {
  const middleMs = NOW_MS - (OTHERS / 2) * MINUTE_MS;
  const key = [middleMs, id === 'number' ? 1 : 'a'];
  const cursor = cursorAfter(name, 'demo', { next: key });
  const span = { from: new Date(0).toISOString(), to: new Date(NOW_MS).toISOString() };
  let status = 0;
  const { rowsRead } = await used(async () => {
    ({ status } = await asClient(path)({ ...span, cursor }));
  });
  expect(status).toBe(200);
  expect(rowsRead).toBeLessThan(MOST_READ);
});

it('the middle of the lines of a day reads few rows', async () => {
  const cursor = cursorAfter('bankLines', 'demo', {
    next: ['2026-01-01', `${'0'.repeat(28)}1000`],
  });
  const span = { from: '2020-01-01', to: '2030-01-01' };
  const { rowsRead } = await used(() => asClient('/bank-statement/v1/list')({ ...span, cursor }));
  expect(rowsRead).toBeLessThan(MOST_READ);
});

it.each([
  [
    'schedules that ended unasked',
    () => selectUnasked({ gateway: 'sandbox', propertyId: 'demo' }, 200),
  ],
  ['those of all properties', () => selectUnasked({ gateway: 'sandbox', propertyId: null }, 200)],
  ['open disputes', () => selectOpenDisputes('demo', { limit: LIMIT, offset: 0 })],
  ['the number of open disputes', () => countOpenDisputes('demo')],
  ['what has come to the bank', () => closeFound('demo', GATEWAYS, NOW_MS)],
])('a reconciliation finds %s in few rows', async (_name, select) => {
  const { params, sql } = select().prepare().getQuery();
  const { meta } = await testEnv.DB.prepare(sql)
    .bind(...params)
    .run();
  expect(meta.rows_read).toBeLessThan(MOST_READ);
});

it('a disbursement with an item reads few rows', async () => {
  let status = 0;
  const { rowsRead } = await used(async () => {
    ({ status } = await call('/disbursement/v1/get-details', { disbursementId: 'payout-7' }));
  });
  expect(status).toBe(200);
  expect(rowsRead).toBeLessThan(MOST_READ);
});

it('every filter of every list that grows is among them, with each of its values', async () => {
  const named = new Set(
    filteredLists(NOW_MS, common).flatMap(({ filters, path }) =>
      filters.flatMap((filter) =>
        Object.entries(filter).flatMap(([name, value]) =>
          ['', ...[value].flat()].map((one) => `${path} ${name} ${one}`),
        ),
      ),
    ),
  );
  const wanted = [...(await documentedLists())].flatMap(([path, filters]) =>
    filters.flatMap(({ name, values }) =>
      ['', ...values].map((value) => `${path} ${name} ${value}`),
    ),
  );
  expect(wanted.length).toBeGreaterThan(70);
  expect(wanted.filter((one) => !named.has(one))).toEqual([]);
});

it.each([
  ['disbursements', {}],
  ['disbursement', { id: 'payout-7' }],
  ['bank-statement', {}],
  ['differences', {}],
  ['disputes', {}],
  ['virtual', {}],
  ['virtual', { state: 'ended' }],
  ['virtual', { state: 'refundable' }],
  ['booking', { reference: 'NEW' }],
  ['coming', {}],
  ['failed', {}],
  ['pms-ledger', {}],
])('the console’s page %s %o reads few rows', async (page, query) => {
  const of = new URLSearchParams({ property: 'demo', ...query });
  const { rowsRead } = await used(() => manager.open(`/console/${page}?${of.toString()}`));
  expect(manager.page.status).toBe(200);
  expect(rowsRead).toBeLessThan(MOST_READ);
});

it.each(['', '/failed', '/coming', '/disputes', '/differences', '/disbursements'])(
  'the operations page%s reads few rows',
  async (path) => {
    const visitor = await signIn();
    const { rowsRead } = await used(() => visitor.open(`/ops${path}`));
    expect(visitor.page.status).toBe(200);
    expect(rowsRead).toBeLessThan(MOST_READ);
  },
);

it('sends the events since a time again without reading the earlier ones', async () => {
  const fromMs = NOW_MS - 10 * MINUTE_MS;
  const number = await testEnv.DB.prepare(
    'SELECT count(*) AS n FROM history WHERE event_number IS NOT NULL AND at_ms >= ?1',
  )
    .bind(fromMs)
    .first('n');
  expect(number).toBeGreaterThanOrEqual(11);
  const url = 'https://engine.hotel.com/later';
  const { endpoint } = (await call('/webhook/v1/put', { url, active: false })).json;
  let replayed: unknown;
  const body = { endpointId: endpoint.endpointId, from: new Date(fromMs).toISOString() };
  const { rowsRead } = await used(async () => {
    replayed = (await call('/webhook/v1/replay', body)).json.replayed;
  });
  expect(replayed).toBe(number);
  expect(rowsRead).toBeLessThan(MOST_READ);
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
