import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { DAY_MS, MINUTE_MS } from '../../src/core/time.ts';
import { toldBy } from '../../src/pms/ledger/compare.ts';
import {
  deleteOldReports,
  selectMoneyMessages,
  selectMovedBookings,
} from '../../src/pms/ledger/store.ts';
import { packedPayload } from '../../src/pms/outbox/payloads.ts';
import {
  atTime,
  attachCard,
  bookingOf,
  call,
  callAsAdmin,
  http,
  makeProperty,
  parsed,
} from '../support/api.ts';
import { planOf } from '../support/plans.ts';
import {
  confirming,
  type Delivered,
  dispatchersAt,
  dispatchUntil,
  down,
  PlayedPms,
} from '../support/pms.ts';

/** Ahead of the real time, so that no alarm rings but when the test lets it. */
const T = Date.now() + 10 * DAY_MS;
const BOOKINGS = 12;
const CHARGES = 5;

/** The PMS takes every message, and forgets some. */
const FORGOTTEN = [10, 25, 40];

let pms: PlayedPms;
let settings: PlayedPms['settings'];
let token: string;
const ledger: Delivered['json'][] = [];
let told = 0;

const isoOf = (atMs: number) => new Date(atMs).toISOString();

const SPAN = { from: isoOf(T - MINUTE_MS), to: isoOf(T + MINUTE_MS) };

interface Report {
  readonly reportId: string;
  readonly matched: number;
  readonly missingAtPms: readonly Record<string, unknown>[];
  readonly unknownHere: readonly object[];
  readonly twiceAtPms: readonly object[];
  readonly different: readonly object[];
}

/** After all was delivered. */
const COMPARED = T + 30 * MINUTE_MS;

const post = (path: string, body: object, headers = {}, atMs = T) =>
  atTime(atMs, () => call(path, body, { token, headers }));

const compare = async (lines: readonly object[], span = SPAN): Promise<Report> => {
  const { json, status } = await post('/pms-ledger/v1/compare', { ...span, lines }, {}, COMPARED);
  expect(status, JSON.stringify(json)).toBe(200);
  return (json as unknown as { report: Report }).report;
};

/** The PMS's ledger as its report has it. */
const lines = () =>
  ledger.map(({ TransactionData: data }) => ({
    transactionId: data['TransactionID'],
    reference: data['RelatedReference'],
    type: data['Type'],
    amountGross: data['AmountGross'],
    processedTime: data['ProcessedTime'],
  }));

/** The third line is another amount, the fifth stands twice, and one is nobody's. */
function spoiled() {
  const made = { reference: 'WALK-IN', type: 'Payment', amountGross: 12.5 };
  const all = lines();
  return [
    ...all.map((line, at) => (at === 2 ? { ...line, amountGross: 1 } : line)),
    all[4] ?? {},
    made,
  ];
}

beforeAll(async () => {
  pms = new PlayedPms('ledger');
  settings = pms.settings;
  dispatchersAt(T);
  pms.behave = (message) => {
    if (message.json.MessageType === 'PushTransaction') {
      if (!FORGOTTEN.includes(told)) ledger.push(message.json);
      told += 1;
    }
    return confirming(message);
  };
  const details = { pms: settings, cardFeeBasisPoints: 300 };
  token = await atTime(T, () => makeProperty('ledger', details));
  for (let booking = 0; booking < BOOKINGS; booking += 1) {
    const reference = `L-${booking}`;
    await post('/booking/v1/create/manage-payments', bookingOf(reference));
    await atTime(T, () => attachCard(reference, '4242424242424242', { token }));
    for (let charge = 1; charge <= CHARGES; charge += 1) {
      const paid = await post('/payment/v1/create', { reference, amount: 10 * charge });
      expect(paid.status).toBe(200);
    }
  }
  await dispatchUntil(pms.url, T, T + MINUTE_MS);
});

it('tells amounts above the bound of requests: fees come on top', () => {
  const TransactionData = {
    TransactionID: '7',
    RelatedReference: 'L-0',
    RelatedSource: 'ledger',
    GatewayID: 'sandbox',
    GatewayReference: 'sandbox_7',
    CardMask: 'XXXXXXXXXXXX4242',
    CardType: 'visa',
    Type: 'Payment',
    Currency: 'AUD',
    CardFee: '30927835.05',
    TransactionFee: '0.00',
    AmountNet: '999999999.99',
    AmountGross: '1030927835.04',
    ProcessedTime: '2027-02-14T23:30:00+08:00',
    Description: '',
  };
  const of = { propertyId: 'ledger', bookingReference: 'L-0', createdAtMs: T };
  const payload = packedPayload({ TransactionData }, of);
  const message = { ...of, messageId: 'm-7', payload, status: 'Confirmed' } as const;
  expect(toldBy(message, 2).amountMinor).toBe(103_092_783_504);
});

afterAll(() => pms.leave());

describe("the PMS's ledger", () => {
  it('of sixty payments lacks three, has one changed, one twice and one of its own', async () => {
    expect([told, ledger.length]).toEqual([60, 57]);
    const all = spoiled();
    const report = await compare(all);
    expect(report.matched).toBe(56);
    const known = new Set(ledger.map(({ MessageID }) => MessageID));
    const lost = pms.delivered.filter(
      ({ json }) => json.MessageType === 'PushTransaction' && !known.has(json.MessageID),
    );
    const expected = lost.map(({ json: { MessageID, TransactionData: data } }) => ({
      messageId: MessageID,
      transactionId: data['TransactionID'],
      reference: data['RelatedReference'],
      type: 'Payment',
      amountGross: Number(data['AmountGross']),
      processedTime: data['ProcessedTime'],
      delivery: 'Confirmed',
    }));
    expect(report.missingAtPms).toHaveLength(3);
    expect(report.missingAtPms).toEqual(expect.arrayContaining(expected));
    expect(report.unknownHere).toEqual([all.at(-1)]);
    const twice = all.at(-2) as { amountGross: string };
    expect(report.twiceAtPms).toEqual([{ ...twice, amountGross: Number(twice.amountGross) }]);
    const { transactionId, amountGross } = lines()[2] ?? {};
    expect(report.different).toEqual([
      { transactionId, field: 'amountGross', ours: Number(amountGross), theirs: 1 },
    ]);
  });

  it('may come as a message of the PMS, with its own credentials', async () => {
    const message = {
      Authentication: { Username: settings.username, Password: settings.password },
      MessageType: 'TransactionReport',
      MessageID: 'report-1',
      ReportData: { From: SPAN.from, To: SPAN.to, Lines: spoiled() },
    };
    const body = JSON.stringify(message);
    const sent = () => http('/pms/v1/message', { method: 'POST', body });
    const { json, status } = await parsed(await atTime(T, sent));
    const { report, ...head } = json as unknown as { report: Report; Status: string };
    expect([status, head.Status]).toEqual([200, 'Success']);
    expect([report.matched, report.missingAtPms.length, report.unknownHere.length]).toEqual([
      56, 3, 1,
    ]);
  });

  it('lacks nothing outside of the span, and may name it', async () => {
    const earlier = { from: '2020-01-01', to: '2020-01-31' };
    const named = await compare(lines(), earlier);
    expect([named.matched, named.missingAtPms, named.unknownHere]).toEqual([57, [], []]);
    expect(await compare([], earlier)).toMatchObject({ matched: 0, missingAtPms: [] });
  });

  it('is repaired once: the same messages again, and nothing while they are under way or afterwards', async () => {
    const { missingAtPms, reportId } = await compare(lines());
    const repair = (more = {}, headers = {}) =>
      post('/pms-ledger/v1/repair', { reportId, ...more }, headers, COMPARED + MINUTE_MS);
    expect((await repair({ dryRun: true })).json.replayed).toBe(3);
    const key = { 'Idempotency-Key': 'repair-1' };
    expect((await repair({}, key)).json).toEqual({ success: true, replayed: 3 });
    const again = await repair({}, key);
    expect(again.headers.get('Idempotency-Replayed')).toBe('true');
    expect([again.json.replayed, (await repair()).json.replayed]).toEqual([3, 0]);
    const before = pms.delivered.length;
    dispatchersAt(COMPARED + 2 * MINUTE_MS);
    await dispatchUntil(pms.url, COMPARED + 2 * MINUTE_MS, COMPARED + 20 * MINUTE_MS);
    const sent = pms.delivered.slice(before).map(({ json }) => json.MessageID);
    const missing = missingAtPms.map(({ messageId }) => String(messageId));
    expect(sent.toSorted()).toEqual(missing.toSorted());
    expect((await repair()).json.replayed).toBe(0);
    expect(await compare(lines())).toMatchObject({
      matched: 60,
      missingAtPms: [],
      unknownHere: [],
      twiceAtPms: [],
      different: [],
    });
  });

  it('is repaired at once where the next attempt is hours away, and left alone while it is under way', async () => {
    pms.behave = down;
    const laterMs = COMPARED + 17 * MINUTE_MS;
    dispatchersAt(laterMs);
    await post('/payment/v1/create', { reference: 'L-0', amount: 77 }, {}, laterMs);
    const { missingAtPms, reportId } = await compare([], {
      from: isoOf(laterMs),
      to: isoOf(laterMs + MINUTE_MS),
    });
    expect(missingAtPms).toMatchObject([{ amountGross: 79.38, delivery: 'Pending' }]);
    const repair = (atMs: number) => post('/pms-ledger/v1/repair', { reportId }, {}, atMs);
    expect((await repair(laterMs)).json.replayed).toBe(0);
    await dispatchUntil(pms.url, laterMs, laterMs + 10 * MINUTE_MS);
    expect((await repair(laterMs + 10 * MINUTE_MS)).json.replayed).toBe(1);
    expect((await repair(laterMs + 10 * MINUTE_MS)).json.replayed).toBe(0);
  });

  it('has its repair in the audit trails of the bookings', async () => {
    const { json } = await callAsAdmin('/admin/v1/audit/list', {
      property: 'ledger',
      reference: 'L-2',
    });
    const repaired = json.entries.filter(
      ({ from, to }) => from === 'Confirmed' && to === 'Pending',
    );
    expect(repaired).toHaveLength(1);
  });

  it('is refused with what is wrong, and another property has none of its reports', async () => {
    const line = { reference: 'L-1', type: 'Payment', amountGross: 1 };
    const refused = async (body: object) => {
      const { json, status } = await post('/pms-ledger/v1/compare', {
        ...SPAN,
        lines: [],
        ...body,
      });
      return [status, json.errors?.map(({ code, field }) => `${field}: ${code}`)];
    };
    expect(await refused({ from: 'May' })).toEqual([422, ['from: invalid_value']]);
    expect(await refused({ from: SPAN.to, to: SPAN.from })).toEqual([
      422,
      ['to: dates_out_of_order'],
    ]);
    expect(await refused({ lines: [{ ...line, type: 'Sale', amountGross: 1.001 }] })).toEqual([
      422,
      ['lines.0.type: invalid_value', 'lines.0.amountGross: amount_precision'],
    ]);
    const tooMany = Array.from({ length: 20_001 }, () => line);
    expect(await refused({ lines: tooMany })).toEqual([422, ['lines: too_big']]);
    const { reportId } = await compare([]);
    for (const unknown of [reportId, 'nowhere']) {
      const { status, json } = await call('/pms-ledger/v1/repair', { reportId: unknown });
      expect([status, json.code]).toEqual([404, 'report_not_found']);
    }
  });
});

describe('however much a property has, SQLite', () => {
  it('finds what moved by the index of movements', async () => {
    const plan = await planOf(selectMovedBookings('p', 0, 1, 10));
    expect(plan).toMatch(
      /history_movements \(property_id=\? AND occurred_at_ms>\? AND occurred_at_ms<\?\)/,
    );
  });

  it('finds the messages of bookings by their histories', async () => {
    const plan = await planOf(selectMoneyMessages('p', ['a']));
    expect(plan).toMatch(
      /SEARCH entry USING PRIMARY KEY \(property_id=\? AND booking_reference=\?\)/,
    );
    expect(plan).toMatch(/SEARCH outbox USING PRIMARY KEY \(message_id=\?\)/);
  });

  it('finds old reports by the index of the property', async () => {
    expect(await planOf(deleteOldReports('p', 5))).not.toMatch(/SCAN ledger_reports/);
  });
});
