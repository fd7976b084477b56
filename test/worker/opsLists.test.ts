/** What matters stands in the lists of the operations page, however much else there is. */
import { describe, expect, it } from 'vitest';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../src/core/time.ts';
import { MOST_SHOWN, type Overview, readOverview } from '../../src/desk/operations/overview.ts';
import { Database } from '../../src/platform/db/database.ts';
import { Trace } from '../../src/platform/trace.ts';
import { call, callAsAdmin, makeBooking, makeProperty, testEnv } from '../support/api.ts';
import { eventually } from '../support/eventually.ts';
import { breakSpan, wakeAt } from '../support/faults.ts';
import { Guest } from '../support/guest.ts';
import { signIn } from '../support/ops.ts';
import { story } from '../support/story.ts';

story({ freshDatabase: true, silent: ['alarms'] });

async function overview(nowMs = Date.now()): Promise<Overview> {
  const database = new Database(testEnv.DB, new Trace());
  return readOverview(database, nowMs);
}

const run = (statement: string, ...values: unknown[]) =>
  testEnv.DB.prepare(statement)
    .bind(...values)
    .run();

const series = (to: number) =>
  `WITH RECURSIVE series(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM series WHERE n < ${to})`;

async function makeProperties(prefix: string, number: number): Promise<void> {
  await run(
    `INSERT INTO properties (id, name, site, currency, time_zone, pms_url, created_at_ms)
     ${series(number)} SELECT ?1 || n, 'P', 'p.hotel.com', 'AUD', 'Australia/Perth', 'https://pms.hotel.com/', 1 FROM series`,
    prefix,
  );
}

/** Messages of a property, the number counting on from `first`, each of a booking of its own. */
async function queue(property: string, status: string, number: number, first = 1): Promise<void> {
  await run(
    `INSERT INTO outbox (property_id, booking_reference, message_id, message_type, payload, status, due_at_ms, created_at_ms)
     ${series(number)} SELECT ?1, 'B' || (n + ?3), ?1 || '-' || printf('%06d', n + ?3), 'PushBooking', '{}', ?2,
       CASE ?2 WHEN 'Pending' THEN 1000 + n + ?3 END, n + ?3 FROM series`,
    property,
    status,
    first - 1,
  );
}

describe('backlogs', () => {
  it('begin with the properties that have dead messages, wherever their names stand', async () => {
    await makeProperties('a', 60);
    for (let property = 1; property <= 60; property += 1) await queue(`a${property}`, 'Pending', 1);
    await makeProperties('z', 1);
    await queue('z1', 'Pending', 1_200, 101);
    await queue('z1', 'Dead', 2, 1_500);
    const { backlogs, depth } = await overview();
    expect(backlogs).toHaveLength(MOST_SHOWN.backlogs);
    expect(backlogs[0]).toEqual({
      propertyId: 'z1',
      timeZone: 'Australia/Perth',
      depth: 1_000,
      dead: 2,
      failingSinceMs: 1_500,
      cause: null,
      nextDueAtMs: 1_101,
    });
    expect(backlogs[1]).toMatchObject({ propertyId: 'a1', depth: 1, dead: 0, nextDueAtMs: 1_001 });
    expect(depth).toEqual({ properties: 61, messages: 1_049, dead: 2, cut: true });
    const { html } = (await signIn()).page;
    expect(html).toContain('1000 or more');
    expect(html).toContain(
      '1049 undelivered, 2 of them failed for good, at 61 properties. There are more',
    );
  });

  it('tell exactly how much there is where that was counted', async () => {
    await makeProperties('a', 1);
    await queue('a1', 'Pending', 3);
    await queue('a1', 'Dead', 2, 10);
    const { depth } = await overview();
    expect(depth).toEqual({ properties: 1, messages: 5, dead: 2, cut: false });
    expect((await signIn()).page.html).toContain(
      '5 undelivered, 2 of them failed for good, at 1 property.</p>',
    );
  });
});

describe('export runs', () => {
  const T = Date.UTC(2027, 0, 20);

  async function makeRuns(name: string, status: string, startedAtMs: number, number = 1) {
    await run(
      `INSERT INTO export_runs (id, portfolio, variant, date, cause, status, last_application_id, expected_rows, object_key,
         sha256, started_at_ms)
       ${series(number)} SELECT ?3 || '-' || ?1 || n, ?1 || n, 'propertySystem', '2027-01-19', 'daily', ?2, 0, 0, 'k', 'd', ?3 FROM series`,
      name,
      status,
      startedAtMs,
    );
  }

  it('begin with those that go on, then those that failed of late, then the newest', async () => {
    await makeRuns('stuck', 'Running', T - 9 * HOUR_MS);
    await makeRuns('failed', 'Failed', T - 8 * HOUR_MS);
    await makeRuns('failed-before', 'Failed', T - 3 * DAY_MS);
    await makeRuns('forgotten', 'Failed', T - 8 * DAY_MS);
    await makeRuns('made', 'Complete', T - HOUR_MS, 12);
    const { runs } = await overview(T);
    expect(runs.slice(0, 3).map(({ portfolio }) => portfolio)).toEqual([
      'stuck1',
      'failed1',
      'failed-before1',
    ]);
    expect(runs.slice(3).map(({ status }) => status)).toEqual(Array(10).fill('Complete'));
  });
});

describe('operations whose outcome is not known', () => {
  it('are told once they were asked for in vain, the longest open first', async () => {
    for (const reference of ['O-1', 'O-2']) {
      await makeBooking(reference, '4000000000009102');
      await call('/payment/v1/create', { reference, amount: 10 });
    }
    const { unknown } = await overview();
    expect(unknown.operations.map((it) => it.bookingReference)).toEqual(['O-1', 'O-2']);
    expect(unknown.more).toBe(false);
  });

  it('are told where they were begun and then forgotten, among much else that is overdue', async () => {
    await makeBooking('O-3', '4242424242424242');
    const mend = breakSpan(['gateway.charge', 'd1.transaction.postpone']);
    await call('/payment/v1/create', { reference: 'O-3', amount: 10 });
    mend();
    const time = new Date(Date.now() + 10 * MINUTE_MS).toISOString();
    await call('/payment/v1/schedule', { reference: 'O-3', amount: 10, time });
    expect((await overview()).unknown.operations).toEqual([]);
    const { unknown } = await overview(Date.now() + HOUR_MS);
    expect(unknown.operations).toMatchObject([{ bookingReference: 'O-3', kind: 'charge' }]);
  });

  it('tell that there may be more, when not all was looked at', async () => {
    await makeBooking('O-4', '4242424242424242');
    for (let number = 0; number < MOST_SHOWN.unknown + 1; number += 1) {
      await call('/payment/v1/create', { reference: 'O-4', amount: 1 });
    }
    await run(
      `INSERT INTO refunds (id, transaction_id, property_id, booking_reference, reference, command_reference, status,
         amount_minor, currency, status_checks, due_at_ms, created_at_ms)
       SELECT id + 1, id, property_id, booking_reference, reference, reference, 'Processing', 1, 'AUD', 1, ?1, id FROM transactions`,
      Date.now() + DAY_MS,
    );
    const { unknown } = await overview();
    expect(unknown.operations).toHaveLength(MOST_SHOWN.unknown);
    expect(unknown.more).toBe(true);
    expect((await signIn()).page.html).toContain('There may be more than this list shows.');
  });
});

describe('what went wrong', () => {
  const GOOD = '4242424242424242';
  const GATEWAY_ERROR = '4000000000000119';
  const NO_REFUNDS = '4000000000005126';

  const pay = (reference: string) => call('/payment/v1/create', { reference, amount: 100 });

  it('is shown: failed payments and refunds, open disputes, and endpoints that are behind', async () => {
    await makeBooking('W-1', GATEWAY_ERROR);
    expect((await pay('W-1')).status).toBe(502);
    await makeBooking('W-2', NO_REFUNDS);
    await pay('W-2');
    await call('/refund/v1/create', { reference: 'W-2', amount: 30 });
    await makeBooking('W-3', GOOD);
    const charged = await pay('W-3');
    const chargeId = charged.json.transaction.id;
    await call('/refund/v1/create', { reference: 'W-3', amount: 20 });
    const dispute = { action: 'dispute', property: 'demo', reference: 'W-3', chargeId };
    expect((await callAsAdmin('/sandbox/v1/act', dispute)).status).toBe(200);
    const url = 'https://hooks.hotel.com/secret-path';
    const made = await call('/webhook/v1/put', { url, types: ['booking.*'] });
    const { endpointId } = made.json.endpoint;
    await makeBooking('W-4');
    await run(
      "UPDATE webhook_deliveries SET status = 'Dead', due_at_ms = NULL, last_status = 500 WHERE endpoint_id = ?",
      endpointId,
    );
    // The acquirer tells of the dispute after its answer.
    await eventually(async () => expect((await overview()).lists.disputes).not.toEqual([]));
    const { endpoints, lists, outcomes, refundSums } = await overview();
    const { disputes, failed, failedRefunds } = lists;
    expect(failed).toMatchObject([
      { bookingReference: 'W-1', kind: 'charge', amountMinor: 10_309, currency: 'AUD' },
    ]);
    expect(outcomes.failedByHour.reduce((sum, number) => sum + number, 0)).toBe(1);
    expect(failedRefunds).toMatchObject([{ bookingReference: 'W-2', amountMinor: 3_000 }]);
    expect(refundSums).toEqual([
      { currency: 'AUD', status: 'Failed', number: 1, amountMinor: 3_000 },
      { currency: 'AUD', status: 'Refunded', number: 1, amountMinor: 2_000 },
    ]);
    expect(disputes).toMatchObject([{ bookingReference: 'W-3', status: 'needs_response' }]);
    expect(endpoints).toMatchObject([
      { id: endpointId, host: 'hooks.hotel.com', active: true, dead: 1, lastStatus: 500 },
    ]);
    const visitor = await signIn();
    const { html } = visitor.page;
    // The dispute leads to its page, in the same session.
    const [, path = ''] = /href="(\/console\/dispute\?[^"]*)"/.exec(html) ?? [];
    await visitor.open(path.replaceAll('&amp;', '&'));
    expect([visitor.page.status, visitor.page.html]).toEqual([200, expect.stringContaining('W-3')]);
    for (const text of [
      'Banks approved 2 of 2 charges and holds (100\u00a0%)',
      '1 refund failed in the last 24 hours, AUD\u00a030.00',
      'Needs an answer',
      'HTTP 500',
      'href="/console/booking?property=demo&amp;reference=W-1"',
    ]) {
      expect(html.replaceAll('&nbsp;', '\u00a0')).toContain(text);
    }
    expect(html).not.toContain('secret-path');
    // The property's own zone, with its name.
    expect(html).toMatch(/\d{4}, \d\d:\d\d (?:GMT\+\d+|A\w+T)</);
    expect(await overview(Date.now() + 31 * DAY_MS)).toMatchObject({
      lists: { failed: [], failedRefunds: [] },
      refundSums: [],
    });
  });

  it('has lists of all properties, a page at a time and as files, without guests', async () => {
    const second = await makeProperty('second');
    const time = new Date(Date.now() + 2 * DAY_MS).toISOString();
    for (const [reference, token] of [
      ['MANY-1', undefined],
      ['MANY-2', second],
    ] as const) {
      const options = token === undefined ? {} : { token };
      await makeBooking(reference, GOOD, options);
      for (let amount = 1; amount <= 13; amount += 1) {
        await call('/payment/v1/schedule', { reference, amount, time }, options);
      }
    }
    const visitor = await signIn();
    const seen: string[] = [];
    let next = '/ops/coming';
    while (next !== '') {
      await visitor.open(next);
      seen.push(
        ...[...visitor.page.html.matchAll(/<td data-name="Id">(\d+)/g)].map(([, id]) => id ?? ''),
      );
      const [, more = ''] = /href="([^"]*after=[^"]*)"/.exec(visitor.page.html) ?? [];
      next = more.replaceAll('&amp;', '&');
    }
    expect([seen.length, new Set(seen).size]).toEqual([26, 26]);
    for (const list of ['failed', 'coming', 'disputes', 'differences', 'disbursements']) {
      await visitor.open(`/ops/${list}?format=csv`);
      expect([list, visitor.page.headers.get('Content-Type')]).toEqual([
        list,
        'text/csv; charset=utf-8',
      ]);
      expect(visitor.page.html).toContain('Property');
      expect(visitor.page.html).not.toContain('Nguyen');
      const stranger = new Guest();
      await stranger.open(`/ops/${list}`);
      expect(stranger.page.html).toContain('Client secret');
    }
    await visitor.open('/ops/coming?format=csv');
    expect(visitor.page.html).toContain(`"MANY-1","demo"`);
    expect(visitor.page.html.trimEnd().split('\r\n')).toHaveLength(27);
  });

  it('is shown of a schedule that was made long before it failed', async () => {
    await makeBooking('W-5', GATEWAY_ERROR);
    const T = Date.now() + 30 * DAY_MS;
    const time = new Date(T).toISOString();
    expect(
      (await call('/payment/v1/schedule', { reference: 'W-5', amount: 10, time })).status,
    ).toBe(200);
    await wakeAt('W-5', T);
    for (let day = 1; day <= 5; day += 1) await wakeAt('W-5', T + day * DAY_MS);
    const { lists } = await overview(T + 5 * DAY_MS);
    expect(lists.failed).toMatchObject([{ bookingReference: 'W-5', kind: 'schedule' }]);
  });
});
