import * as fc from 'fast-check';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { bookingObject } from '../../src/booking/stub.ts';
import { HOUR_MS } from '../../src/core/time.ts';
import type { DisputeRecord, Gateway } from '../../src/gateways/gateway.ts';
import { SandboxGateway } from '../../src/gateways/sandbox.ts';
import { selectLatestDisputes } from '../../src/money/disputes/store.ts';
import { selectCards, selectDisputesOfBooking } from '../../src/operation/shownStore.ts';
import { Trace } from '../../src/platform/trace.ts';
import { selectChargeTotals } from '../../src/records/history/sumsStore.ts';
import type { DashboardAction } from '../../src/sandbox/acquirer/dashboard.ts';
import { sandboxAcquirer } from '../../src/sandbox/stub.ts';
import {
  type Answer,
  bookingOf,
  call,
  callAsAdmin,
  makeBooking,
  makeProperty,
  testEnv,
  transactionsOf,
} from '../support/api.ts';
import { GOOD } from '../support/cards.ts';
import { faultKinds, withFault } from '../support/faults.ts';
import { enterCard, visit } from '../support/guest.ts';
import { MOVEMENTS } from '../support/history.ts';
import { isLong } from '../support/long.ts';
import { membersTold } from '../support/messages.ts';
import { planOf } from '../support/plans.ts';

/** Disputes that the acquirer has besides those of the sandbox's desk, as they stand at the moment, by id. */
const atAcquirer = new Map<string, { dispute: DisputeRecord; charged: Charge }>();

beforeEach(() => {
  vi.restoreAllMocks();
  const gateway: Gateway = SandboxGateway.prototype;
  const real = gateway.dispute;
  vi.spyOn(gateway, 'dispute').mockImplementation(async function (this: Gateway, id, account) {
    const known = atAcquirer.get(id);
    if (!known) return real.call(this, id, account);
    const { dispute, charged } = known;
    const about = { propertyId: 'demo', bookingReference: charged.booking, reference: charged.own };
    return { kind: 'dispute', dispute, about, payment: await paymentOf(charged) };
  });
});

interface Charge {
  readonly id: number;
  /** The reference of the booking. */
  readonly booking: string;
  /** The transaction's own reference. */
  readonly own: string;
}

/** Charges a booking's card: `amount` and a fee of 3 %. */
async function charge(booking: string, amount: number): Promise<Charge> {
  const { json } = await call('/payment/v1/create', { reference: booking, amount });
  return { id: json.transaction.id, booking, own: json.transaction.reference ?? '' };
}

async function bookAndCharge(booking: string, amount = 100): Promise<Charge> {
  await makeBooking(booking, GOOD);
  return charge(booking, amount);
}

/** What becomes of a dispute. Unless its movements are told, they follow from where its funds are. */
type Changes = Partial<DisputeRecord> & { readonly funds?: 'none' | 'withdrawn' | 'returned' };

const OPENED_MS = Date.UTC(2026, 9, 1, 2);

/** The acquirer has, or changes, a dispute of a charge, and tells of it. Returns what the service answered. */
async function happens(
  id: string,
  charged: Charge,
  { funds = 'withdrawn', ...changes }: Changes = {},
): Promise<string> {
  const before = atAcquirer.get(id)?.dispute;
  const opened: DisputeRecord = {
    id,
    status: 'needs_response',
    reason: 'fraudulent',
    currency: 'AUD',
    amountMinor: 10_309,
    feeMinor: 2_500,
    movements: [],
    openedAtMs: OPENED_MS,
    respondByMs: OPENED_MS + 48 * HOUR_MS,
    closedAtMs: null,
  };
  const changed = { ...(before ?? opened), ...changes };
  const { amountMinor, closedAtMs, openedAtMs } = changed;
  const movements = [
    ...(funds === 'none' ? [] : [{ amountMinor: -amountMinor, atMs: openedAtMs }]),
    ...(funds === 'returned' ? [{ amountMinor, atMs: closedAtMs ?? openedAtMs }] : []),
  ];
  const dispute = { ...changed, ...(!changes.movements && { movements }) };
  atAcquirer.set(id, { dispute, charged });
  return tell(id, charged);
}

/** The acquirer tells of a dispute of a charge. Returns what the service answered. */
async function tell(id: string, { booking, own }: Charge): Promise<string> {
  const context = { propertyId: 'demo', reference: booking, requestId: 'news', actor: 'gateway' };
  const object = bookingObject(testEnv, 'demo', booking);
  const reported = { reference: own, disputeId: id, account: null };
  const { answered } = await object.perform('refreshDispute', context, reported);
  return answered.answer.ok ? 'ok' : answered.answer.error.code;
}

const LOST = { status: 'lost', closedAtMs: OPENED_MS + 72 * HOUR_MS, respondByMs: null } as const;
const WON = { ...LOST, status: 'won', funds: 'returned' } as const;

async function rowsOf(sql: string, ...values: unknown[]): Promise<unknown[][]> {
  return testEnv.DB.prepare(sql)
    .bind(...values)
    .raw();
}

const journalOf = ({ id }: Charge) =>
  rowsOf(
    `SELECT kind, amount_minor FROM ${MOVEMENTS} WHERE transaction_id = ? ORDER BY number`,
    id,
  );

/** What the PMS is told of a booking: description and gross amount, in order. */
const toldPms = (booking: string) => membersTold(booking, 'Description', 'AmountGross');

const refund = (reference: string, amount: number, chargeId?: number): Promise<Answer> =>
  call('/refund/v1/create', { reference, amount, ...(chargeId !== undefined && { chargeId }) });

interface DisputeBody {
  readonly disputeId: string;
  readonly chargeId: number;
  readonly status: string;
}

async function list(
  body: Record<string, unknown>,
  options = {},
): Promise<{ disputes: DisputeBody[]; nextCursor: string | null }> {
  const { json, status } = await call('/dispute/v1/list', body, options);
  expect(status).toBe(200);
  return json;
}

const idsOf = async (body: Record<string, unknown>, options = {}) =>
  (await list(body, options)).disputes.map(({ disputeId }) => disputeId);

/** The amounts that the guest's page shows. */
async function shownTo(booking: string): Promise<Record<string, string>> {
  const { page } = await visit(booking);
  const facts = page.html.matchAll(/<dt>([^<]*)<\/dt>\s*<dd[^>]*>([^<]*)<\/dd>/g);
  return Object.fromEntries([...facts].map(([, name = '', value = '']) => [name, value]));
}

/** What a page says is due, and what its lines above that add up to, in minor units. */
function addedUp(shown: Record<string, string>) {
  const minor = (name: string) => Number((shown[name] ?? '0').replaceAll(/[^\d]/g, ''));
  const more = ['Your stay', 'Card fees', 'Refunded', 'Disputed with your bank'].map(minor);
  const sumMinor = more.reduce((sum, one) => sum + one, 0) - minor('Paid so far');
  return { dueMinor: minor('Due'), sumMinor };
}

describe('a dispute', () => {
  it('whose funds are withdrawn is told to the PMS, and lost, changes no more money', async () => {
    const charged = await bookAndCharge('D-1');
    expect(await happens('dp_1', charged)).toBe('ok');
    expect(await happens('dp_1', charged, { status: 'under_review' })).toBe('ok');
    expect(await happens('dp_1', charged, LOST)).toBe('ok');
    expect(await journalOf(charged)).toEqual([
      ['charge', 10_309],
      ['chargeback', -10_309],
    ]);
    expect(await toldPms('D-1')).toEqual([
      ['', '103.09'],
      ['Chargeback', '103.09'],
    ]);
    expect((await list({ reference: 'D-1' })).disputes).toEqual([
      {
        disputeId: 'dp_1',
        bookingReference: 'D-1',
        chargeId: charged.id,
        amount: 103.09,
        fee: 25,
        currency: 'AUD',
        reason: 'fraudulent',
        status: 'lost',
        stage: 'chargeback',
        respondBy: null,
        openedAt: '2026-10-01T10:00:00+08:00',
        closedAt: '2026-10-04T10:00:00+08:00',
      },
    ]);
    const { json } = await callAsAdmin('/admin/v1/audit/list', {
      property: 'demo',
      reference: 'D-1',
    });
    expect(
      json.entries
        .filter(({ subject }) => String(subject).includes('dispute'))
        .map(({ actor, from, to }) => [actor, from, to]),
    ).toEqual([
      ['gateway', null, 'needs_response'],
      ['gateway', 'needs_response', 'under_review'],
      ['gateway', 'under_review', 'lost'],
    ]);
  });

  it('that is won gives the funds back', async () => {
    const charged = await bookAndCharge('D-2');
    await happens('dp_2', charged);
    await happens('dp_2', charged, WON);
    expect(await journalOf(charged)).toEqual([
      ['charge', 10_309],
      ['chargeback', -10_309],
      ['chargeback_reversal', 10_309],
    ]);
    expect((await toldPms('D-2')).slice(1)).toEqual([
      ['Chargeback', '103.09'],
      ['Chargeback reversed', '-103.09'],
    ]);
  });

  it('that is told twice, or told of late, counts once', async () => {
    const charged = await bookAndCharge('D-3');
    for (const state of [{}, {}, LOST, LOST]) await happens('dp_3', charged, state);
    expect(await tell('dp_3', charged)).toBe('ok');
    expect(await journalOf(charged)).toHaveLength(2);
    expect(await toldPms('D-3')).toHaveLength(2);
  });

  it('that is told of when it is over already counts as it ended', async () => {
    const charged = await bookAndCharge('D-4');
    await happens('dp_4a', charged, { ...LOST, amountMinor: 4_000 });
    await happens('dp_4b', charged, WON);
    expect(await journalOf(charged)).toEqual([
      ['charge', 10_309],
      ['chargeback', -4_000],
      ['chargeback', -10_309],
      ['chargeback_reversal', 10_309],
    ]);
    expect((await toldPms('D-4')).slice(1)).toEqual([
      ['Chargeback', '40.00'],
      ['Chargeback', '103.09'],
      ['Chargeback reversed', '-103.09'],
    ]);
    expect(
      await rowsOf(`SELECT occurred_at_ms FROM ${MOVEMENTS} WHERE dispute_id = 'dp_4a'`),
    ).toEqual([[OPENED_MS]]);
    expect(
      await rowsOf(`SELECT occurred_at_ms FROM ${MOVEMENTS} WHERE dispute_id = 'dp_4b'`),
    ).toEqual([[OPENED_MS], [WON.closedAtMs]]);
  });

  it('that was an inquiry, told of when it is over already, moved no money', async () => {
    const charged = await bookAndCharge('D-9');
    await happens('dp_9', charged, { ...WON, funds: 'none', closedAtMs: null });
    expect(await journalOf(charged)).toHaveLength(1);
    expect(await toldPms('D-9')).toHaveLength(1);
  });

  it('ends when this service learns that it did, where the acquirer does not tell', async () => {
    const charged = await bookAndCharge('D-40');
    await happens('dp_40', charged, {});
    await happens('dp_40', charged, { ...LOST, closedAtMs: null });
    const { disputes } = await list({ reference: 'D-40' });
    expect(disputes[0]).toMatchObject({ status: 'lost', closedAt: expect.stringMatching(/^20/) });
    await tell('dp_40', charged);
    expect((await list({ reference: 'D-40' })).disputes).toEqual(disputes);
  });

  it('is kept apart from others of the same charge', async () => {
    const charged = await bookAndCharge('D-5');
    await happens('dp_5a', charged, { amountMinor: 3_000 });
    await happens('dp_5b', charged, { amountMinor: 2_000, openedAtMs: OPENED_MS + HOUR_MS });
    await happens('dp_5a', charged, WON);
    // A late event of the older one.
    await tell('dp_5a', charged);
    const { disputes } = await list({ reference: 'D-5' });
    expect(disputes.map(({ disputeId, status }) => [disputeId, status])).toEqual([
      ['dp_5b', 'needs_response'],
      ['dp_5a', 'won'],
    ]);
    expect((await transactionsOf('D-5'))[0]).toMatchObject({ dispute: { disputeId: 'dp_5b' } });
    expect((await journalOf(charged)).slice(1)).toEqual([
      ['chargeback', -3_000],
      ['chargeback', -2_000],
      ['chargeback_reversal', 3_000],
    ]);
  });

  it('counts by what left and what came back, in parts too', async () => {
    const charged = await bookAndCharge('D-6');
    const [left, more, back] = [-5_000, -1_000, 2_500].map((amountMinor, hour) => ({
      amountMinor,
      atMs: OPENED_MS + hour * HOUR_MS,
    }));
    if (!left || !more || !back) throw new Error('no movements');
    await happens('dp_6', charged, { amountMinor: 5_000, movements: [left] });
    await happens('dp_6', charged, { amountMinor: 6_000, movements: [left, more] });
    await happens('dp_6', charged, { ...WON, amountMinor: 6_000, movements: [left, more, back] });
    expect((await journalOf(charged)).slice(1)).toEqual([
      ['chargeback', -5_000],
      ['chargeback', -1_000],
      ['chargeback_reversal', 2_500],
    ]);
    expect((await toldPms('D-6')).slice(1)).toEqual([
      ['Chargeback', '50.00'],
      ['Chargeback', '10.00'],
      ['Chargeback reversed', '-25.00'],
    ]);
    const { json } = await call('/payment/v1/balance', { reference: 'D-6' });
    expect(json['balance']).toMatchObject({ paid: 65, disputed: 35, due: 535 });
    // What did not come back is lost to the dispute.
    expect((await refund('D-6', 10, charged.id)).json.code).toBe('invalid_state');
    const { disputes } = await list({ reference: 'D-6' });
    expect(disputes).toMatchObject([{ status: 'won', amount: 60, stage: 'chargeback' }]);
  });

  it('that grew out of an inquiry and was won before anybody heard of it moved twice', async () => {
    const charged = await bookAndCharge('D-41');
    await happens('dp_41', charged, { funds: 'none' });
    expect((await list({ reference: 'D-41' })).disputes).toMatchObject([{ stage: 'inquiry' }]);
    await happens('dp_41', charged, WON);
    expect((await journalOf(charged)).slice(1)).toEqual([
      ['chargeback', -10_309],
      ['chargeback_reversal', 10_309],
    ]);
    expect((await toldPms('D-41')).slice(1)).toEqual([
      ['Chargeback', '103.09'],
      ['Chargeback reversed', '-103.09'],
    ]);
    expect((await list({ reference: 'D-41' })).disputes).toMatchObject([{ stage: 'chargeback' }]);
  });

  it.each(
    faultKinds.flatMap((kind) =>
      (['d1.dispute.read', 'd1.dispute.save'] as const).map(
        (boundary) => [boundary, kind] as const,
      ),
    ),
  )('is recorded once when it meets a fault: %s, %s', async (boundary, kind) => {
    const id = `dp_8 ${boundary} ${kind}`;
    const charged = await bookAndCharge(`D-8 ${boundary} ${kind}`);
    for (const state of [{}, WON]) {
      await withFault({ boundary, nth: 0 }, kind, () => happens(id, charged, state));
      expect(await tell(id, charged)).toBe('ok');
    }
    expect((await journalOf(charged)).slice(1)).toEqual([
      ['chargeback', -10_309],
      ['chargeback_reversal', 10_309],
    ]);
    expect(await toldPms(charged.booking)).toHaveLength(3);
  });

  it('is the acquirer’s word: what it does not know is not recorded', async () => {
    const charged = await bookAndCharge('D-7');
    expect(await tell('dp_unknown', charged)).toBe('transaction_not_found');
    expect(await idsOf({ reference: 'D-7' })).toEqual([]);
  });
});

describe('a refund', () => {
  it('of a charge under dispute, or lost to one, is refused; of a won one it is made', async () => {
    const charged = await bookAndCharge('D-10');
    await happens('dp_10', charged);
    const open = await refund('D-10', 10, charged.id);
    expect([open.status, open.json.code]).toEqual([409, 'invalid_state']);
    expect(open.json['detail']).toMatch(/disputed/);
    await happens('dp_10', charged, LOST);
    const lost = await refund('D-10', 10, charged.id);
    expect([lost.status, lost.json.code]).toEqual([409, 'invalid_state']);
    expect(lost.json['detail']).toMatch(/dispute/);
    await happens('dp_10', charged, WON);
    expect((await refund('D-10', 103.09, charged.id)).status).toBe(200);
  });

  it('of a charge that the bank only inquires about is made, and ends the inquiry', async () => {
    const charged = await bookAndCharge('D-11');
    const payment = await paymentOf(charged);
    const inquiry = await atDesk({ action: 'inquiry', payment, amountMinor: null });
    const id = inquiry.kind === 'done' ? inquiry.changed.id : '';
    await tell(id, charged);
    expect((await list({ reference: 'D-11' })).disputes).toMatchObject([
      { disputeId: id, amount: 103.09, status: 'needs_response', stage: 'inquiry' },
    ]);
    expect((await refund('D-11', 10, charged.id)).status).toBe(200);
    await tell(id, charged);
    expect((await list({ reference: 'D-11' })).disputes[0]?.status).toBe('needs_response');
    expect((await refund('D-11', 93.09)).status).toBe(200);
    await tell(id, charged);
    expect((await list({ reference: 'D-11' })).disputes).toMatchObject([
      { status: 'won', stage: 'inquiry' },
    ]);
    const { json } = await call('/event/v1/list', { reference: 'D-11', types: ['dispute.*'] });
    expect(json.events).toMatchObject([
      { type: 'dispute.opened', data: { dispute: { stage: 'inquiry' } } },
      { type: 'dispute.won', data: { dispute: { stage: 'inquiry' } } },
    ]);
    expect((await toldPms('D-11')).slice(1)).toHaveLength(2);
  });

  it.each([
    ['the charge it names', true],
    ['no charge', false],
  ])(
    'is not moved to another charge where %s is disputed without our knowledge',
    async (_of, isNamed) => {
      const booking = `D-42 ${isNamed}`;
      const room = await bookAndCharge(booking);
      const spa = await charge(booking, 100);
      const payment = await paymentOf(spa);
      await atDesk({ action: 'dispute', payment, amountMinor: null });
      const asked = { reference: booking, amount: 100, ...(isNamed && { chargeId: spa.id }) };
      const options = { headers: { 'Idempotency-Key': `disputed ${isNamed}` } };
      const first = await call('/refund/v1/create', asked, options);
      expect([first.status, first.json.code]).toEqual([409, 'invalid_state']);
      expect(first.json['refunds']).toEqual([]);
      const again = await call('/refund/v1/create', asked, options);
      expect([again.status, again.json.code]).toEqual([409, 'invalid_state']);
      expect((await list({ reference: booking })).disputes).toMatchObject([
        { chargeId: spa.id, status: 'needs_response', stage: 'chargeback' },
      ]);
      const { json } = await call('/payment/v1/balance', { reference: booking });
      expect(json['balance']).toMatchObject({ paid: 100, refunded: 0, disputed: 100 });
      expect((await refund(booking, 100)).status).toBe(200);
      expect(
        (await transactionsOf(booking)).map(({ id, refunds }) => [id, refunds.length]),
      ).toEqual([
        [room.id, 1],
        [spa.id, 1],
      ]);
    },
  );

  it('that takes parts of several charges ends where one of them is disputed', async () => {
    const booking = 'D-43';
    const room = await bookAndCharge(booking, 200);
    const spa = await charge(booking, 100);
    const payment = await paymentOf(room);
    await atDesk({ action: 'dispute', payment, amountMinor: null });
    const { json, status } = await refund(booking, 250);
    expect([status, json.code, json['refunds']]).toEqual([409, 'invalid_state', []]);
    expect((await refund(booking, 103.09, spa.id)).status).toBe(200);
  });

  it('that was rejected for another reason names no dispute that was opened since', async () => {
    await makeBooking('D-44', '4000000000005126');
    const charged = await charge('D-44', 100);
    const send = () =>
      call(
        '/refund/v1/create',
        { reference: 'D-44', amount: 10 },
        { headers: { 'Idempotency-Key': 'd-44' } },
      );
    // The answer is not kept: a repeated request makes it from what is recorded.
    await withFault({ boundary: 'd1.answer.keep', nth: 0 }, 'fails', send);
    await happens('dp_44', charged, { openedAtMs: Date.now() + HOUR_MS });
    const { json, status } = await send();
    expect([status, json.code, json['refunds']]).toEqual([502, 'gateway_error', []]);
  });

  it('that names no charge leaves disputed ones out', async () => {
    const disputed = await bookAndCharge('D-12', 300);
    const other = await charge('D-12', 50);
    await happens('dp_12', disputed, { amountMinor: 30_928 });
    expect((await refund('D-12', 51.56)).json.code).toBe('refund_exceeds_charge');
    const { json, status } = await refund('D-12', 40);
    expect([status, json.refunds.map(({ amount }) => amount)]).toEqual([200, [40]]);
    const listed = await transactionsOf('D-12');
    expect(listed.map(({ id, refunds }) => [id, refunds.length])).toEqual([
      [disputed.id, 0],
      [other.id, 1],
    ]);
  });

  it('is not sent when the dispute arrives between the decision and the record of it', async () => {
    const charged = await bookAndCharge('D-13');
    const sent = vi.spyOn(SandboxGateway.prototype, 'refund');
    const span = Trace.prototype.span;
    let arrived = false;
    vi.spyOn(Trace.prototype, 'span').mockImplementation(async function (this: Trace, name, io) {
      if (name === 'd1.refund.intend' && !arrived) {
        arrived = true;
        await insertDispute('dp_13', charged);
      }
      return span.call(this, name, io);
    });
    const { json, status } = await refund('D-13', 10, charged.id);
    expect([arrived, status, json.code]).toEqual([true, 409, 'invalid_state']);
    expect(sent).not.toHaveBeenCalled();
    expect((await transactionsOf('D-13'))[0]?.refunds).toEqual([]);
  });

  it('that was made at the acquirer is recorded during a dispute too, and shows its origin', async () => {
    const charged = await bookAndCharge('D-14');
    expect((await refund('D-14', 10, charged.id)).status).toBe(200);
    await insertDispute('dp_14', charged);
    await insertRefund(charged, 'gateway');
    await expect(insertRefund(charged, 'service')).rejects.toThrow(/stale_state/);
    const [transaction] = await transactionsOf('D-14');
    expect(
      transaction?.refunds.map((one) => [one.amount, (one as { origin?: string }).origin]),
    ).toEqual([
      [10, undefined],
      [1, 'gateway'],
    ]);
  });
});

/** An open dispute, as another path of the code might record it. */
async function insertDispute(id: string, { booking, id: chargeId }: Charge): Promise<void> {
  await rowsOf(
    "INSERT INTO disputes (property_id, id, booking_reference, transaction_id, status, reason, currency, amount_minor, fee_minor, funds_withdrawn, opened_at_ms, changed_at_ms, learnt_at_ms) VALUES ('demo', ?, ?, ?, 'needs_response', 'general', 'AUD', 100, 0, 1, 1, 1, 1)",
    id,
    booking,
    chargeId,
  );
}

async function insertRefund({ booking, id: chargeId }: Charge, origin: string): Promise<void> {
  const reference = crypto.randomUUID().replaceAll('-', '');
  await testEnv.DB.batch([
    testEnv.DB.prepare(
      'UPDATE transactions SET refund_reserved_minor = refund_reserved_minor + 100, version = version + 1 WHERE id = ?',
    ).bind(chargeId),
    testEnv.DB.prepare(
      "INSERT INTO refunds (id, transaction_id, property_id, booking_reference, reference, command_reference, status, amount_minor, currency, gateway_reference, origin, created_at_ms, completed_at_ms) VALUES ((SELECT max(id) + 2 FROM refunds), ?, 'demo', ?, ?, ?, 'Refunded', 100, 'AUD', ?, ?, 1, 1)",
    ).bind(chargeId, booking, reference, reference, `re_${reference}`, origin),
  ]);
}

describe('the guest’s page', () => {
  it('shows what is disputed by itself, and does not ask the guest to pay it again', async () => {
    const charged = await bookAndCharge('D-20', 200);
    await happens('dp_20', charged, { amountMinor: 20_618 });
    expect(await shownTo('D-20')).toMatchObject({
      'Your stay': 'AUD\u00a0600.00',
      'Paid so far': '−AUD\u00a0206.19',
      'Disputed with your bank': 'AUD\u00a0206.18',
      Due: 'AUD\u00a0600.00',
    });
    const { page } = await visit('D-20');
    expect(page.html).toContain('Full amount: AUD\u00a0400.00');
    const guest = await visit('D-20');
    await enterCard(guest, GOOD);
    expect(guest.page.html).toContain('Full amount: AUD\u00a0400.00');
    await guest.submit({ amount: '400.01' });
    expect(guest.page.status).toBe(422);
    await happens('dp_20', charged, WON);
    const after = await shownTo('D-20');
    expect(after).toMatchObject({
      'Card fees': 'AUD\u00a06.19',
      Due: 'AUD\u00a0400.00',
    });
    expect(after).not.toHaveProperty('Disputed with your bank');
  });

  it('says that there is nothing to pay when all the rest is paid', async () => {
    const charged = await bookAndCharge('D-21', 600);
    await happens('dp_21', charged, { amountMinor: 61_856 });
    const { page } = await visit('D-21');
    expect(page.html).toContain('There is nothing to pay here');
    expect(page.html).not.toContain('Everything is paid');
    expect(await shownTo('D-21')).not.toHaveProperty('Due');
  });
});

describe('what a booking needs of the journal and the disputes', () => {
  it.each([
    ['its sums', selectChargeTotals({ propertyId: 'demo', reference: 'D-1' })],
    ['its disputes', selectDisputesOfBooking('demo', 'D-1')],
    ['the latest of them', selectLatestDisputes({ propertyId: 'demo', reference: 'D-1' }, 10)],
  ])('is found without reading those of others: %s', async (_what, statement) => {
    const plan = await planOf(statement);
    expect(plan).toMatch(
      /(_by_booking|history USING PRIMARY KEY) \(property_id=\? AND booking_reference=\?\)/,
    );
    expect(plan).not.toMatch(/SCAN|USING PRIMARY KEY \(property_id=\?\)/);
  });

  it('is found without reading those of others: the cards that it shows', async () => {
    const plan = await planOf(selectCards('demo', ['t1', 't2']));
    expect(plan).toMatch(/SEARCH cards USING .*\(token=\?\)/);
    expect(plan).not.toMatch(/SCAN cards|property_id=\?/);
  });
});

/** One of the things that happen to a booking's charges, at the acquirer's desk or here. */
const happening = fc.record({
  what: fc.constantFrom('dispute', 'dispute', 'win', 'lose', 'refund', 'news', 'news'),
  which: fc.nat(5),
  amountMinor: fc.integer({ min: 1, max: 6_000 }),
});
type Happening = typeof happening extends fc.Arbitrary<infer One> ? One : never;

/** A booking with two charges, and what happens to it. */
class Story {
  readonly #charges: readonly Charge[];
  /** Disputes at the acquirer, by their ids, with the charge that each is about. */
  readonly #disputes = new Map<string, Charge>();

  constructor(charges: readonly Charge[]) {
    this.#charges = charges;
  }

  async play({ what, which, amountMinor }: Happening): Promise<void> {
    const charged = this.#charges[which % this.#charges.length];
    const [disputeId, disputed] = [...this.#disputes][which % (this.#disputes.size || 1)] ?? [];
    if (!charged) return;
    if (what === 'dispute') {
      const payment = await paymentOf(charged);
      const done = await atDesk({ action: 'dispute', payment, amountMinor });
      if (done.kind === 'done') this.#disputes.set(done.changed.id, charged);
    } else if (what === 'refund') {
      await this.#refund(charged, amountMinor);
    } else if (disputeId !== undefined && disputed) {
      if (what === 'news') await tell(disputeId, disputed);
      else {
        const payment = await paymentOf(disputed);
        const action = what === 'win' ? 'winDispute' : 'loseDispute';
        await atDesk({ action, payment, disputeId });
      }
    }
  }

  /** What this service knows to be disputed is refused here. */
  async #refund(charged: Charge, amountMinor: number): Promise<void> {
    const known = await rowsOf(
      "SELECT id FROM disputes WHERE transaction_id = ? AND (funds_withdrawn OR status = 'lost')",
      charged.id,
    );
    const { status } = await refund(charged.booking, amountMinor / 100, charged.id);
    if (known.length > 0) expect(status).toBe(409);
  }

  /** The acquirer tells of everything, however often. */
  async tellAll(): Promise<void> {
    for (const [id, charged] of [...this.#disputes, ...this.#disputes]) {
      expect(await tell(id, charged)).toBe('ok');
    }
  }
}

const paymentOf = async ({ id }: Charge): Promise<string> =>
  String((await rowsOf('SELECT gateway_reference FROM transactions WHERE id = ?', id))[0]?.[0]);

const atDesk = (act: DashboardAction) => sandboxAcquirer(testEnv).act(act, OPENED_MS, false);

/** What the acquirer's own records come to for a booking. */
async function atAcquirerMinor(booking: string): Promise<number> {
  const entries = await sandboxAcquirer(testEnv).ledger(booking);
  const comesIn = new Set(['charge', 'capture', 'dispute_reversal', 'refund_failure']);
  return entries
    .filter(({ status }) => status === 'succeeded')
    .reduce(
      (sum, { kind, amountMinor }) => sum + (comesIn.has(kind) ? amountMinor : -amountMinor),
      0,
    );
}

/** What the PMS was told: payments less refunds. */
async function atPmsMinor(booking: string): Promise<number> {
  const told = await membersTold(booking, 'Type', 'AmountGross');
  return told.reduce((sum, [type, amount]) => {
    const minor = Math.round(Number(amount) * 100);
    return sum + (type === 'Payment' ? minor : -minor);
  }, 0);
}

describe('whatever happens to charges', () => {
  let stories = 0;

  it('the journal, the PMS and the guest’s page come to what the acquirer has', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(happening, { maxLength: 12 }), async (happenings) => {
        stories += 1;
        const booking = `STORY-${stories}`;
        const charges = [await bookAndCharge(booking, 100), await charge(booking, 50)];
        const story = new Story(charges);
        for (const one of happenings) await story.play(one);
        await story.tellAll();
        const theirs = await atAcquirerMinor(booking);
        const [ours] = await rowsOf(
          `SELECT sum(amount_minor) FROM ${MOVEMENTS} WHERE booking_reference = ?`,
          booking,
        );
        expect([ours?.[0], await atPmsMinor(booking)]).toEqual([theirs, theirs]);
        // Of each charge, what is left above its fee is paid.
        const left = await Promise.all(charges.map(({ id }) => leftOf(id)));
        const paidMinor = left.reduce((sum, minor) => sum + minor, 0);
        expect(addedUp(await shownTo(booking))).toEqual({
          dueMinor: 60_000 - paidMinor,
          sumMinor: 60_000 - paidMinor,
        });
      }),
      { numRuns: isLong ? 30 : 3 },
    );
  });
});

/** What a charge still brings, without its fee, from the rows of refunds and disputes alone. */
async function leftOf(id: number): Promise<number> {
  const [row] = await rowsOf(
    `SELECT requested_minor
      - (SELECT coalesce(sum(amount_minor), 0) FROM refunds WHERE transaction_id = transactions.id AND status = 'Refunded')
      - (SELECT coalesce(sum(amount_minor), 0) FROM disputes WHERE transaction_id = transactions.id AND status <> 'won')
      FROM transactions WHERE id = ?`,
    id,
  );
  return Math.max(0, Number(row?.[0]));
}

describe('POST /dispute/v1/list', () => {
  it('lists the newest first, by pages, of the property alone', async () => {
    const charged = await bookAndCharge('D-30');
    const at = Date.UTC(2026, 3, 1);
    const opened = [at, at + HOUR_MS, at + HOUR_MS, at + 2 * HOUR_MS, at + 3 * HOUR_MS];
    for (const [index, openedAtMs] of opened.entries()) {
      const changes = { amountMinor: 100, openedAtMs, funds: 'none' } as const;
      await happens(`dp_30${index}`, charged, changes);
    }
    const all = ['dp_304', 'dp_303', 'dp_302', 'dp_301', 'dp_300'];
    expect(await idsOf({ reference: 'D-30' })).toEqual(all);
    const paged: string[] = [];
    let cursor: string | null = null;
    do {
      const body = { reference: 'D-30', limit: 2, ...(cursor !== null && { cursor }) };
      const page = await list(body);
      paged.push(...page.disputes.map(({ disputeId }) => disputeId));
      cursor = page.nextCursor;
    } while (cursor !== null);
    expect(paged).toEqual(all);
    // `from` is inclusive, `to` exclusive.
    const window = { from: '2026-04-01T09:00:00+08:00', to: '2026-04-01T02:00:00Z' };
    expect(await idsOf(window)).toEqual(['dp_302', 'dp_301']);
    await happens('dp_301', charged, WON);
    expect(await idsOf({ ...window, status: 'won' })).toEqual(['dp_301']);
    expect(await idsOf({ ...window, status: 'lost' })).toEqual([]);
    const other = { token: await makeProperty('other') };
    await call('/booking/v1/create/manage-payments', bookingOf('D-30'), other);
    expect(await idsOf({}, other)).toEqual([]);
    expect(await idsOf({ reference: 'D-30' }, other)).toEqual([]);
  });

  it('does not know another property’s booking', async () => {
    const other = { token: await makeProperty('third') };
    const { json, status } = await call('/dispute/v1/list', { reference: 'D-30' }, other);
    expect([status, json.code]).toEqual([404, 'booking_not_found']);
  });

  it.each([
    ['status', 'warning_needs_response'],
    ['limit', 201],
    ['limit', 0],
    ['from', '2026-04-01'],
    ['to', '2026-04-01T09:00:00'],
    ['cursor', 'dp_301'],
    ['cursor', ''],
  ])('refuses %s %j', async (field, value) => {
    const { json, status } = await call('/dispute/v1/list', { [field]: value });
    expect([status, json.errors[0]?.field]).toEqual([422, field]);
  });
});
