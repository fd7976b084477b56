/** What is counted and logged: enough to see what happens, and nothing that tells of a person. */

import { runInDurableObject } from 'cloudflare:test';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { HOUR_MS } from '../../src/core/time.ts';
import { selectOverdueWork, selectRejected } from '../../src/desk/operations/health.ts';
import type { ExportObject } from '../../src/exports/object.ts';
import { type SpanName, Trace } from '../../src/platform/trace.ts';
import { call, engineToken, http, makeBooking, parsed, testEnv } from '../support/api.ts';
import { GOOD, LOST_CARD, NEVER_ARRIVES } from '../support/cards.ts';
import { wakeAt } from '../support/faults.ts';
import { visit } from '../support/guest.ts';
import { newestLink } from '../support/mailbox.ts';
import { planOf } from '../support/plans.ts';
import { story } from '../support/story.ts';

story({ silent: ['alarms', 'pms'] });

/** The seeded property's PMS. */
const PMS = { Username: 'pms-user', Password: 'pms-pass' };

let points: AnalyticsEngineDataPoint[] = [];
let lines: string[] = [];

beforeEach(() => {
  points = [];
  lines = [];
  const { METRICS } = testEnv;
  if (!METRICS) throw new Error('METRICS is not bound');
  vi.spyOn(METRICS, 'writeDataPoint').mockImplementation((point) => {
    points.push(point ?? {});
  });
  for (const level of ['error', 'warn', 'log'] as const) {
    vi.spyOn(console, level).mockImplementation((line: string) => {
      lines.push(line);
    });
  }
});

const blobsOf = (kind: string) =>
  points.map(({ blobs }) => blobs ?? []).filter(([first]) => first === kind);

/** The indexes of the points of a route. */
const requestsAt = (route: string) =>
  points.filter(({ blobs }) => blobs?.[2] === route).map(({ indexes }) => indexes);

describe('what is counted', () => {
  it('is each request with its route and code, and each money operation with its outcome', async () => {
    await makeBooking('OBS-1', GOOD);
    points = [];
    await call('/payment/v1/create', { reference: 'OBS-1', amount: 10 });
    await call('/payment/v1/create', { reference: 'OBS-1', amount: 0 });
    expect(blobsOf('operation')).toEqual([['operation', 'sandbox', 'charge', 'approved', '']]);
    expect(blobsOf('request')).toEqual([
      ['request', 'POST', '/payment/v1/create', '200', ''],
      ['request', 'POST', '/payment/v1/create', '422', 'amount_out_of_range'],
    ]);
    expect(points.map(({ indexes }) => indexes)).toEqual([['demo'], ['demo'], ['demo']]);
    const [, request] = points;
    expect(request?.doubles).toEqual([
      expect.any(Number),
      2,
      expect.any(Number),
      1,
      expect.any(Number),
    ]);
  });

  it.each([
    ['by a token', async () => ({ Authorization: `Bearer ${await engineToken()}` }), {}],
    ['in the body', async () => ({}), { Authentication: PMS }],
  ])('is a message of a PMS under its property, proven %s', async (_name, headers, members) => {
    const message = { MessageType: 'Ping', MessageID: 'OBS', EchoData: 'x', ...members };
    const { status } = await parsed(
      await http('/ping/v1', {
        method: 'POST',
        headers: { 'Content-Type': 'application/json', ...(await headers()) },
        body: JSON.stringify(message),
      }),
    );
    expect([status, requestsAt('/ping/v1')]).toEqual([200, [['demo']]]);
  });

  it('is nobody’s where nobody has proven who they are', async () => {
    await http('/ping/v1', {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ Authentication: { ...PMS, Password: 'wrong' } }),
    });
    await http('/guest/v1/payments/somebody');
    expect(points.map(({ indexes }) => indexes)).toEqual([['-'], ['-']]);
  });

  it('is a guest’s page under the property of the link', async () => {
    await makeBooking('OBS-7', GOOD);
    await call('/payment/v1/request-card-details', { reference: 'OBS-7' });
    const link = await newestLink();
    points = [];
    const guest = await visit('OBS-7');
    await guest.open(`${guest.page.path}/card`);
    await guest.open(link);
    expect(guest.page.status).toBe(200);
    const home = '/guest/v1/payments';
    for (const route of [home, `${home}/:visit`, `${home}/:visit/card`, '/guest/v1/card/:visit']) {
      expect([route, requestsAt(route)]).toEqual([route, [['demo']]]);
    }
  });

  it('is a decline by its code', async () => {
    await makeBooking('OBS-2', LOST_CARD);
    await call('/payment/v1/create', { reference: 'OBS-2', amount: 10 });
    expect(blobsOf('operation')).toEqual([
      ['operation', 'sandbox', 'charge', 'declined', 'lost_card'],
    ]);
  });

  it('names no link and no booking', async () => {
    await makeBooking('OBS-3', GOOD);
    const guest = await visit('OBS-3');
    await guest.open(`${guest.page.path}/card`);
    await http('/nowhere/OBS-3');
    const told = JSON.stringify(points);
    expect(told).toContain('/guest/v1/payments/:visit/card');
    expect(told).not.toContain('OBS-3');
    expect(told).not.toContain(guest.page.path.split('/')[4]);
  });

  it('stands in nobody’s way when it cannot be counted', async () => {
    await makeBooking('OBS-4', GOOD);
    vi.mocked(testEnv.METRICS?.writeDataPoint as () => void).mockImplementation(() => {
      throw new Error('too many points');
    });
    const { status } = await call('/payment/v1/create', { reference: 'OBS-4', amount: 10 });
    expect(status).toBe(200);
  });
});

describe('what is logged', () => {
  it.each([
    ['OBS-5', LOST_CARD, 'operation_declined', 'lost_card'],
    ['OBS-6', NEVER_ARRIVES, 'operation_unknown', 'the sandbox lost the answer'],
  ])('of %s, which is not approved, is its ids and why', async (reference, card, event, why) => {
    await makeBooking(reference, card);
    const { headers } = await call('/payment/v1/create', { reference, amount: 10 });
    const line = lines.find((one) => one.includes(event)) ?? '{}';
    expect(JSON.parse(line)).toEqual({
      event,
      requestId: headers.get('X-Request-Id'),
      property: 'demo',
      booking: reference,
      operation: expect.any(Number),
      kind: 'charge',
      why,
      ms: expect.any(Number),
    });
    for (const personal of ['Nguyen', 'guest@hotel.com', card]) {
      expect(lines.join()).not.toContain(personal);
    }
  });
});

describe('what nobody foresaw', () => {
  const lineOf = (event: string) =>
    JSON.parse(lines.find((line) => line.includes(event)) ?? '{}') as Record<string, unknown>;

  /** Has one boundary broken until the test is over. */
  function breakAt(broken: SpanName): void {
    const cross = Trace.prototype.span;
    vi.spyOn(Trace.prototype, 'span').mockImplementation(function (this: Trace, boundary, io) {
      return boundary === broken
        ? Promise.reject(new Error('it broke'))
        : cross.call(this, boundary, io);
    });
  }

  it('is logged with the property of whoever called', async () => {
    const token = await engineToken();
    breakAt('d1.booking.read');
    const asked = { reference: 'OBS-1' };
    const { status, headers } = await call('/booking/v1/get-details', asked, { token });
    expect(status).toBe(503);
    expect(lineOf('unexpected_error')).toEqual({
      event: 'unexpected_error',
      requestId: headers.get('X-Request-Id'),
      property: 'demo',
      route: '/booking/v1/get-details',
      error: 'it broke',
    });
  });

  it('is logged with the property of a guest', async () => {
    await makeBooking('OBS-8');
    const guest = await visit('OBS-8');
    breakAt('d1.transactions.read');
    expect((await guest.open(guest.page.path)).status).toBe(503);
    expect(lineOf('unexpected_error')).toMatchObject({
      property: 'demo',
      route: '/guest/v1/payments/:visit',
    });
  });

  it('is logged with the run of an export', async () => {
    breakAt('d1.export.find');
    const exporter = testEnv.EXPORTER.getByName('obs-run');
    await runInDurableObject(exporter, async (object: ExportObject, { storage }) => {
      await storage.put('run', 'obs-run');
      await object.alarm();
      await storage.deleteAlarm();
    });
    expect(lineOf('export_failed')).toMatchObject({ runId: 'obs-run', error: 'it broke' });
  });
});

describe('GET /health', () => {
  const health = async () => (await parsed(await http('/health'))).json as unknown;

  const well = {
    payments: 'on time',
    acquirer: 'ok',
    messages: 'delivered',
    events: 'delivered',
    exports: 'on time',
    keys: 'ok',
    reconciliation: 'ok',
    databases: 'ok',
  };
  const startMs = Date.now();
  let minutes = 0;

  beforeEach(() => {
    // Long enough after whatever was asked before for the queues to be looked at again.
    minutes += 1;
    vi.useFakeTimers({ toFake: ['Date'], now: startMs + minutes * 60_000 });
  });

  afterEach(() => vi.useRealTimers());

  const run = (sql: string) => testEnv.DB.prepare(sql).run();

  it('says that nothing is left lying', async () => {
    expect(await health()).toEqual({ success: true, database: 'answers', ...well });
  });

  it.each([
    ['messages', 'late', "UPDATE outbox SET due_at_ms = 1 WHERE status = 'Pending'"],
    [
      'messages',
      'dead',
      "UPDATE outbox SET status = 'Dead', due_at_ms = NULL WHERE message_type = 'PushBooking'",
    ],
    [
      'payments',
      'late',
      "UPDATE transactions SET due_at_ms = 1, version = version + 1 WHERE status = 'Processing'",
    ],
  ])('says of %s that they are %s', async (what, how, change) => {
    await run(change);
    expect(await health()).toMatchObject({ [what]: how });
  });

  it('says of the acquirer that it rejects schedules', async () => {
    vi.useRealTimers();
    await makeBooking('HEALTH', '4000000000000119');
    const time = new Date(Date.now() + HOUR_MS).toISOString();
    await call('/payment/v1/schedule', { reference: 'HEALTH', amount: 1, time });
    await wakeAt('HEALTH', Date.parse(time));
    vi.useFakeTimers({ toFake: ['Date'], now: startMs + minutes * 60_000 });
    expect(await health()).toMatchObject({ acquirer: 'rejecting' });
    await call('/payment/v1/cancel-schedules', { reference: 'HEALTH' });
    vi.setSystemTime(Date.now() + 60_000);
    expect(await health()).toMatchObject({ acquirer: 'ok' });
    expect(await planOf(selectRejected())).toContain('transactions_rejected');
  });

  it('asks D1 every five seconds at most', async () => {
    await health();
    await run(
      "UPDATE transactions SET due_at_ms = 9e15, version = version + 1 WHERE status = 'Processing'",
    );
    vi.setSystemTime(Date.now() + 4_999);
    expect(await health()).toMatchObject({ payments: 'late' });
    vi.setSystemTime(Date.now() + 1);
    expect(await health()).toMatchObject({ payments: 'on time' });
  });

  it('finds everything by an index, whatever there is', async () => {
    const plans = await Promise.all(selectOverdueWork(1).map((query) => planOf(query)));
    expect(plans).toEqual([
      expect.stringContaining('transactions_due (due_at_ms<?)'),
      expect.stringContaining('refunds_due (due_at_ms<?)'),
      expect.stringContaining('outbox_dead'),
      expect.stringContaining('outbox_unsettled (property_id=? AND due_at_ms<?)'),
      expect.stringContaining('due'),
    ]);
  });
});
