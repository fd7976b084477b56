/** The lists of a property's bookings, transactions and applications. */
import { beforeAll, describe, expect, it } from 'vitest';
import { selectOfProperty } from '../../src/money/folio/propertyStore.ts';
import { selectListedApplications } from '../../src/records/applications/store.ts';
import { selectListedBookings } from '../../src/records/bookings/list.ts';
import { attachCard, bookingOf, call, makeBooking, makeProperty, testEnv } from '../support/api.ts';
import { plansOf } from '../support/plans.ts';

const BOOKINGS = '/booking/v1/list';
const PAYMENTS = '/payment/v1/list';
const APPLICATIONS = '/application/v1/list';
const DISPUTES = '/dispute/v1/list';
const DISBURSEMENTS = '/disbursement/v1/get-all';

/** How each list is read: its path, the member with its entries, and the member that names an entry. */
const lists = [
  [BOOKINGS, 'bookings', 'bookingReference'],
  [PAYMENTS, 'transactions', 'id'],
  [APPLICATIONS, 'applications', 'applicationNumber'],
] as const;

/** The names of all entries that a filter leaves, page by page. */
async function listed(path: string, filter: object = {}, limit = 200): Promise<unknown[]> {
  const [, member = '', name = ''] = lists.find(([of]) => of === path) ?? [];
  const names: unknown[] = [];
  let cursor: string | null = null;
  do {
    const page = await call(path, { ...filter, limit, ...(cursor && { cursor }) });
    expect(page.status).toBe(200);
    const entries = (page.json as unknown as Record<string, Record<string, unknown>[]>)[member];
    names.push(...(entries ?? []).map((entry) => entry[name]));
    cursor = page.json.nextCursor;
  } while (cursor !== null);
  return names;
}

/** The next millisecond has begun: what comes is later than what was. */
async function nextMillisecond(): Promise<string> {
  const before = Date.now();
  while (Date.now() === before) await new Promise((resolve) => setTimeout(resolve, 1));
  return new Date().toISOString();
}

describe('bookings', () => {
  beforeAll(async () => {
    for (const [reference, details] of [
      ['B-1', { arrival: '01-03-2027', departure: '03-03-2027', lastName: 'Müller' }],
      ['B-2', { arrival: '02-03-2027', departure: '03-03-2027', email: 'Other@Hotel.com' }],
      ['B-3', { arrival: '03-03-2027', departure: '05-03-2027', status: 'cancelled' }],
    ] as const) {
      await call('/booking/v1/create/manage-payments', bookingOf(reference, details));
      await nextMillisecond();
    }
  });

  it.each([
    [{}, ['B-3', 'B-2', 'B-1']],
    [{ status: 'cancelled' }, ['B-3']],
    [{ status: 'booked' }, ['B-2', 'B-1']],
    [{ arrivalFrom: '02-03-2027' }, ['B-3', 'B-2']],
    [{ arrivalTo: '2027-03-02' }, ['B-2', 'B-1']],
    [{ arrivalFrom: '2027-03-02', arrivalTo: '02-03-2027' }, ['B-2']],
    [{ email: 'other@hotel.com' }, ['B-2']],
    [{ lastName: 'müller' }, ['B-1']],
    [{ lastName: 'mül' }, []],
    [{ arrivalFrom: '02-03-2027', status: 'booked', email: 'OTHER@hotel.com' }, ['B-2']],
  ])('of %j', async (filter, expected) => {
    expect(await listed(BOOKINGS, filter)).toEqual(expected);
    expect(await listed(BOOKINGS, filter, 1)).toEqual(expected);
  });

  it('that changed since a time, and in the order of their creation', async () => {
    const since = await nextMillisecond();
    expect(await listed(BOOKINGS, { changedSince: since })).toEqual([]);
    await attachCard('B-1', '4242424242424242');
    expect(await listed(BOOKINGS, { changedSince: since })).toEqual(['B-1']);
    expect(await listed(BOOKINGS)).toEqual(['B-3', 'B-2', 'B-1']);
    const { json } = await call(BOOKINGS, { changedSince: since });
    expect(json).toMatchObject({
      success: true,
      bookings: [
        { bookingReference: 'B-1', payment: { cardType: 'Visa' }, changedAt: expect.any(String) },
      ],
      nextCursor: null,
    });
  });
});

describe('transactions', () => {
  const ids: number[] = [];
  let from = '';

  beforeAll(async () => {
    await makeBooking('T-1', '4242424242424242');
    from = await nextMillisecond();
    for (const transactionType of ['Deposit', 'Balance', 'Manual', 'Deposit']) {
      const charged = await call('/payment/v1/create', {
        reference: 'T-1',
        amount: 10,
        transactionType,
      });
      ids.push(charged.json.transaction.id);
      await nextMillisecond();
    }
    const time = new Date(Date.now() + 3_600_000).toISOString();
    const scheduled = await call('/payment/v1/schedule', { reference: 'T-1', amount: 5, time });
    ids.push(scheduled.json.transaction.id);
  });

  it('of every purpose, newest first, page by page', async () => {
    expect(await listed(PAYMENTS)).toEqual(ids.toReversed());
    expect(await listed(PAYMENTS, {}, 1)).toEqual(ids.toReversed());
    expect(await listed(PAYMENTS, {}, 2)).toEqual(ids.toReversed());
  });

  it('by type, status and time of creation', async () => {
    expect(await listed(PAYMENTS, { type: 'PaymentDeposit' })).toEqual([ids[3], ids[0]]);
    expect(await listed(PAYMENTS, { status: 'Pending' })).toEqual([ids[4]]);
    expect(await listed(PAYMENTS, { status: 'Accepted', type: 'PaymentBalance' })).toEqual([
      ids[1],
    ]);
    expect(await listed(PAYMENTS, { status: 'Processing' })).toEqual([]);
    expect(await listed(PAYMENTS, { from })).toEqual(ids.toReversed());
    expect(await listed(PAYMENTS, { to: from })).toEqual([]);
  });

  it('whose outcome is not known', async () => {
    await testEnv.DB.prepare(
      `UPDATE transactions SET status = 'Processing', pending_operation = 'charge', gateway_key = reference || '-1',
        card_token = (SELECT token FROM cards LIMIT 1), asked_at_ms = 1, version = version + 1 WHERE id = ?`,
    )
      .bind(ids[4])
      .run();
    expect(await listed(PAYMENTS, { status: 'Processing' })).toEqual([]);
    await testEnv.DB.prepare(
      'UPDATE transactions SET status_checks = 1, version = version + 1 WHERE id = ?',
    )
      .bind(ids[4])
      .run();
    expect(await listed(PAYMENTS, { status: 'Processing' })).toEqual([ids[4]]);
  });

  it('that changed since a time: by a refund, at once or much later', async () => {
    const since = await nextMillisecond();
    expect(await listed(PAYMENTS, { changedSince: since })).toEqual([]);
    await call('/refund/v1/create', { reference: 'T-1', amount: 1, chargeId: ids[0] });
    expect(await listed(PAYMENTS, { changedSince: since })).toEqual([ids[0]]);
    await testEnv.DB.batch([
      testEnv.DB.prepare('UPDATE refunds SET learnt_at_ms = NULL, version = version + 1'),
      testEnv.DB.prepare(
        'UPDATE transactions SET changed_at_ms = created_at_ms + 600000, version = version + 1 WHERE id = ?',
      ).bind(ids[1]),
    ]);
    const later = new Date(Date.now() + 300_000).toISOString();
    expect(await listed(PAYMENTS, { changedSince: later })).toEqual([ids[1]]);
    expect(await listed(PAYMENTS, { changedSince: since })).toEqual([ids[1], ids[0]]);
  });

  it('as the list of their booking shows them', async () => {
    await call('/refund/v1/create', { reference: 'T-1', amount: 1, chargeId: ids[0] });
    const ofBooking = await call('/payment/v1/transaction', { reference: 'T-1' });
    const { json } = await call(PAYMENTS, {});
    expect(json.transactions.toReversed()).toEqual(ofBooking.json.transactions);
    expect(json.transactions.at(-1)?.refunds).not.toEqual([]);
  });
});

describe('applications', () => {
  const numbers: string[] = [];

  beforeAll(async () => {
    for (const day of ['01', '02', '03']) {
      const { json } = await call('/application/v1/create', {
        email: `guest${day}@hotel.com`,
        arrival: `2027-02-${day}`,
        departure: '2027-03-01',
      });
      numbers.push(json.application.applicationNumber);
      await nextMillisecond();
    }
  });

  it('by status, arrival, e-mail and change, newest first', async () => {
    const [first, second, third] = numbers;
    expect(await listed(APPLICATIONS, {}, 1)).toEqual([third, second, first]);
    expect(await listed(APPLICATIONS, { arrivalFrom: '2027-02-02' })).toEqual([third, second]);
    expect(await listed(APPLICATIONS, { arrivalTo: '2027-02-02' })).toEqual([second, first]);
    expect(await listed(APPLICATIONS, { email: 'GUEST02@hotel.com' })).toEqual([second]);
    const since = await nextMillisecond();
    await call('/application/v1/update-status', { applicationNumber: first, status: 'Offered' });
    expect(await listed(APPLICATIONS, { changedSince: since })).toEqual([first]);
    expect(await listed(APPLICATIONS, { status: 'Offered' })).toEqual([first]);
    expect(await listed(APPLICATIONS, { status: 'Tentative' }, 1)).toEqual([third, second]);
  });
});

describe('a list', () => {
  it.each(lists)('%s refuses what it does not know', async (path) => {
    for (const faulty of [
      { status: 'everything' },
      { limit: 201 },
      { limit: 0 },
      { cursor: 'x' },
      { changedSince: '2027-02-14' },
    ]) {
      expect((await call(path, faulty)).status, JSON.stringify(faulty)).toBe(422);
    }
    expect((await call(path, { limit: 200 })).status).toBe(200);
  });

  it('refuses a type and days that are none', async () => {
    expect((await call(PAYMENTS, { type: 'Deposit' })).status).toBe(422);
    expect((await call(BOOKINGS, { arrivalFrom: '30-02-2027' })).status).toBe(422);
    expect((await call(APPLICATIONS, { arrivalTo: 'tomorrow' })).status).toBe(422);
  });
});

describe('the bounds of a list', () => {
  const day = '2027-02-14';
  const time = '2027-02-14T09:00:00+08:00';

  it.each([
    [BOOKINGS, { arrivalFrom: day, arrivalTo: '13-02-2027' }, 'arrivalTo'],
    [APPLICATIONS, { arrivalFrom: day, arrivalTo: '2027-02-13' }, 'arrivalTo'],
    [PAYMENTS, { from: time, to: '2027-02-14T00:59:59Z' }, 'to'],
    [DISPUTES, { from: time, to: '2027-02-14T00:59:59Z' }, 'to'],
    [DISBURSEMENTS, { from: day, to: '13-02-2027' }, 'to'],
    [DISBURSEMENTS, { from: time, to: '2027-02-14T00:59:59Z' }, 'to'],
    [DISBURSEMENTS, { from: time, to: '2027-02-13' }, 'to'],
    [DISBURSEMENTS, { from: day, to: '2027-02-13T15:59:59Z' }, 'to'],
  ])('%s %j in the wrong order are refused', async (path, bounds, field) => {
    const { status, json } = await call(path, bounds);
    expect([status, json.errors]).toEqual([
      422,
      [{ field, code: 'dates_out_of_order', message: expect.any(String) }],
    ]);
  });

  it.each([
    [BOOKINGS, { arrivalFrom: day, arrivalTo: '14-02-2027' }],
    [APPLICATIONS, { arrivalFrom: day, arrivalTo: day }],
    [PAYMENTS, { from: time, to: '2027-02-14T01:00:00Z' }],
    [DISPUTES, { from: time, to: '2027-02-14T01:00:00Z' }],
    [DISBURSEMENTS, { from: day, to: day }],
    [DISBURSEMENTS, { from: time, to: day }],
    [DISBURSEMENTS, { from: day, to: '2027-02-13T16:00:00Z' }],
  ])('%s %j may be equal', async (path, bounds) => {
    expect((await call(path, bounds)).status).toBe(200);
  });

  it('are compared only when both can be read', async () => {
    const { json } = await call(DISPUTES, { from: 5, to: 3, limit: 0 });
    expect(json.errors.map(({ field, code }) => `${field} ${code}`)).toEqual([
      'from invalid_type',
      'to invalid_type',
      'limit too_small',
    ]);
    const both = await call(DISPUTES, { from: time, to: '2027-02-01T00:00:00Z', limit: 0 });
    expect(both.json.errors.map(({ field }) => field)).toEqual(['limit', 'to']);
  });
});

describe('a cursor', () => {
  const cursors = new Map<string, string>();

  beforeAll(async () => {
    for (const [path] of lists) {
      const { json } = await call(path, { limit: 1 });
      cursors.set(path, json.nextCursor ?? '');
    }
  });

  const all = [BOOKINGS, PAYMENTS, APPLICATIONS, DISPUTES, DISBURSEMENTS];
  const pairs = lists.flatMap(([from]) => all.filter((to) => to !== from).map((to) => [from, to]));

  it.each(pairs)('of %s is none of %s', async (from = '', to = '') => {
    const cursor = cursors.get(from);
    expect(cursor).toMatch(/.{20}/);
    const { status, json } = await call(to, { cursor });
    expect([status, json.errors]).toEqual([
      422,
      [{ field: 'cursor', code: 'invalid_value', message: expect.any(String) }],
    ]);
  });

  it.each(lists)('of %s is none of another property', async (path) => {
    const token = await makeProperty('lists-elsewhere');
    const { status, json } = await call(path, { cursor: cursors.get(path) }, { token });
    expect([status, json.errors?.map(({ field }) => field)]).toEqual([422, ['cursor']]);
  });

  it.each(lists)('of %s is refused in other writings', async (path) => {
    const cursor = cursors.get(path) ?? '';
    for (const other of [
      '',
      `${cursor}x`,
      ` ${cursor}`,
      cursor.slice(1),
      cursor.toLowerCase(),
      '1790000000000.42',
      '4242424242424242',
      'x'.repeat(5_000),
    ]) {
      expect((await call(path, { cursor: other })).status, other).toBe(422);
    }
    expect((await call(path, { cursor })).status).toBe(200);
  });
});

const part = { limit: 200, after: [1, 'x'] };
const page = { limit: 200, after: [1, 1], nowMs: 1 };

describe('however much a property has, its list is read by an index', () => {
  it.each([
    ['bookings', () => selectListedBookings('demo', {}, part), ['bookings_by_creation']],
    [
      'cancelled bookings',
      () => selectListedBookings('demo', { status: 'cancelled' }, part),
      ['bookings_cancelled'],
    ],
    [
      'bookings by everything',
      () =>
        selectListedBookings(
          'demo',
          { email: 'a@b.com', lastName: 'X', arrivalFrom: '2027-01-01', changedSinceMs: 1 },
          part,
        ),
      ['bookings_by_email', 'booking_words', 'bookings_by_arrival', 'bookings_changed_later'],
    ],
    [
      'applications',
      () => selectListedApplications('demo', {}, part),
      ['applications_by_creation'],
    ],
    [
      'applications by everything',
      () =>
        selectListedApplications(
          'demo',
          { email: 'a@b.com', status: 'Held', arrivalTo: '2027-01-01', changedSinceMs: 1 },
          part,
        ),
      [
        'applications_by_email',
        'applications_by_status',
        'applications_by_arrival',
        'applications_by_change',
      ],
    ],
    [
      'transactions',
      () => selectOfProperty('demo', {}, page),
      ['transactions_by_creation (property_id=?'],
    ],
    [
      'transactions in a status',
      () => selectOfProperty('demo', { status: 'Failed' }, page),
      ['transactions_by_status (property_id=? AND status=?'],
    ],
    [
      'transactions whose outcome is not known',
      () => selectOfProperty('demo', { status: 'Processing' }, page),
      [
        'transactions_unknown',
        'transactions_due (due_at_ms<?',
        'transactions_at_bank (property_id=?',
      ],
    ],
    [
      'transactions that changed',
      () => selectOfProperty('demo', { changedSinceMs: 1 }, page),
      [
        'transactions_by_creation (property_id=? AND created_at_ms>?',
        'transactions_changed_later (property_id=? AND changed_at_ms>?',
        'refunds_by_change (property_id=? AND learnt_at_ms>?',
        'disputes_by_change (property_id=? AND learnt_at_ms>?',
      ],
    ],
  ])('%s', async (_name, statement, indexes) => {
    const plan = await plansOf(statement());
    for (const index of indexes) {
      const uses = [`INDEX ${index}`, `SEARCH ${index} USING PRIMARY KEY`];
      expect(
        uses.some((use) => plan.includes(use)),
        `${index}: ${plan}`,
      ).toBe(true);
    }
    expect(plan).not.toMatch(
      /SCAN (bookings|applications|transactions)(?! USING (COVERING )?INDEX transactions_unknown)/,
    );
    // What is narrowed down is looked up by its key, and little is sorted; all else is read in the order of the list.
    if (plan.includes('LIST SUBQUERY')) {
      expect(plan).toMatch(
        /SEARCH (bookings USING PRIMARY KEY \(property_id=\? AND reference=\?|(applications|transactions) USING INTEGER PRIMARY KEY)/,
      );
    } else expect(plan).not.toContain('TEMP B-TREE');
  });
});
