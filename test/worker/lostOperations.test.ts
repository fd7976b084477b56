/** What the acquirer certainly does not have, however often it is asked; and what people may say of it by hand. */
import { describe, expect, it, vi } from 'vitest';
import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from '../../src/core/time.ts';
import { SandboxGateway } from '../../src/gateways/sandbox.ts';
import { newestPaid, tellOfPayment } from '../support/acquirerDesk.ts';
import { disagreementsInAll } from '../support/agreement.ts';
import {
  atTime,
  call,
  callAsAdmin,
  ledgerOf,
  makeBooking,
  testEnv,
  transactionsOf,
} from '../support/api.ts';
import { GOOD } from '../support/cards.ts';
import { wakeAt } from '../support/faults.ts';
import { moneyTold } from '../support/messages.ts';
import { losing } from '../support/moneyCorrections.ts';
import { selectStripe } from '../support/onStripe.ts';
import { story } from '../support/story.ts';

story({ silent: ['alarms', 'pms'] });

const CREATE = '/payment/v1/create';
const RESOLVE = '/admin/v1/operation/resolve';

const statusesOf = async (reference: string) =>
  (await transactionsOf(reference)).map(({ status }) => status);

const nothingHeard = { kind: 'unknown', reason: 'no answer in time' } as const;

/** How many messages about money the PMS gets of a booking. */
async function toldPms(reference: string): Promise<number | null> {
  return testEnv.DB.prepare(
    "SELECT count(*) AS many FROM outbox WHERE booking_reference = ? AND message_type = 'PushTransaction'",
  )
    .bind(reference)
    .first<number>('many');
}

/** An administrator's verdict, so much later. */
function resolve(ms: number, verdict: Record<string, unknown>) {
  return atTime(Date.now() + ms, () => callAsAdmin(RESOLVE, { reason: 'the bank', ...verdict }));
}

/** Wakes a booking whenever something of it is due, for so long. */
async function live(reference: string, fromMs: number, untilMs: number): Promise<void> {
  let nowMs = fromMs;
  for (;;) {
    const dueMs = await testEnv.DB.prepare(
      'SELECT min(due) FROM (SELECT min(due_at_ms) AS due FROM transactions WHERE booking_reference = ?1 UNION SELECT min(due_at_ms) FROM refunds WHERE booking_reference = ?1)',
    )
      .bind(reference)
      .first<number>('min(due)');
    if (dueMs === null || dueMs > untilMs) return;
    nowMs = Math.max(nowMs, dueMs);
    await wakeAt(reference, nowMs);
  }
}

describe('an operation that never reaches the acquirer', () => {
  it.each(['charge', 'refund'] as const)(
    'ends as failed when its key has ended: a %s',
    async (verb) => {
      const reference = `NEVER-${verb}`;
      await makeBooking(reference, GOOD);
      await call(CREATE, { reference, amount: 100 });
      const sent = vi.spyOn(SandboxGateway.prototype, verb).mockResolvedValue(nothingHeard);
      const atMs = Date.now();
      if (verb === 'charge') await call(CREATE, { reference, amount: 500 });
      else await call('/refund/v1/create', { reference, amount: 103.09 });

      await live(reference, atMs, atMs + 22 * HOUR_MS);
      const open = (await transactionsOf(reference)).flatMap((one) => [one, ...one.refunds]);
      expect(open.map(({ status }) => status)).toEqual(['Accepted', 'Processing']);
      expect(sent.mock.calls.length).toBeGreaterThan(2);
      const lastSentMs = Math.max(...sent.mock.calls.map(([{ askedAtMs }]) => askedAtMs));
      const looked = vi.spyOn(SandboxGateway.prototype, 'lookUp');
      await live(reference, atMs + 22 * HOUR_MS, atMs + 10 * DAY_MS);
      const ended = (await transactionsOf(reference)).flatMap((one) => [one, ...one.refunds]);
      expect(ended.map(({ status }) => status)).toEqual(['Accepted', 'Failed']);
      expect(looked.mock.calls.length).toBeGreaterThanOrEqual(2);
      const { json } = await callAsAdmin('/admin/v1/audit/list', { property: 'demo', reference });
      const [last] = json.entries.filter(({ to }) => to === 'Failed');
      expect(last).toMatchObject({ detail: 'never reached the gateway' });
      const endedMs = Date.parse(JSON.parse(JSON.stringify(last?.['at'] ?? null)) as string);
      expect(endedMs - lastSentMs).toBeGreaterThanOrEqual(24 * HOUR_MS);
      // What the refund had reserved can be refunded again.
      sent.mockRestore();
      expect((await call('/refund/v1/create', { reference, amount: 1 })).status).toBe(200);
      expect(await ledgerOf(reference)).toHaveLength(2);
    },
  );

  it('does not end while the acquirer does not say', async () => {
    const reference = 'UNSAID';
    await makeBooking(reference, GOOD);
    vi.spyOn(SandboxGateway.prototype, 'charge').mockResolvedValue(nothingHeard);
    vi.spyOn(SandboxGateway.prototype, 'lookUp').mockResolvedValue(nothingHeard);
    const atMs = Date.now();
    await call(CREATE, { reference, amount: 500 });
    await live(reference, atMs, atMs + 30 * DAY_MS);
    expect(await statusesOf(reference)).toEqual(['Processing']);
  });
});

describe('a resolution by hand', () => {
  it('waits for an hour after the last sending, and never accepts what the acquirer does not have', async () => {
    const reference = 'HAND-1';
    await makeBooking(reference, GOOD);
    await losing('charge', () => call(CREATE, { reference, amount: 600 }));
    const { id } = await newestPaid(reference);
    for (const outcome of ['Accepted', 'Failed', 'Declined']) {
      const soon = await resolve(HOUR_MS - MINUTE_MS, { id, outcome });
      expect([soon.status, soon.json.code]).toEqual([409, 'invalid_state']);
    }
    const accepted = await resolve(HOUR_MS + MINUTE_MS, { id, outcome: 'Accepted' });
    expect([accepted.status, accepted.json.code]).toEqual([409, 'invalid_state']);
    expect(await statusesOf(reference)).toEqual(['Processing']);
    expect(await toldPms(reference)).toBe(0);
    expect((await resolve(HOUR_MS + MINUTE_MS, { id, outcome: 'Failed' })).status).toBe(200);
    expect(await statusesOf(reference)).toEqual(['Failed']);
  });

  it('as failed is corrected when the charge arrives after all', async () => {
    const reference = 'HAND-2';
    await makeBooking(reference, GOOD);
    const lost = await losing('charge', () => call(CREATE, { reference, amount: 600 }));
    const paid = await newestPaid(reference);
    await resolve(2 * HOUR_MS, { id: paid.id, outcome: 'Failed' });
    const made = await lost.arrives();
    const payment = made.kind === 'approved' ? (made.gatewayReference ?? '') : '';
    expect(await tellOfPayment({ ...paid, payment })).toBe(1);
    expect(await transactionsOf(reference)).toMatchObject([{ status: 'Accepted', amount: 618.56 }]);
    expect(await disagreementsInAll(reference)).toEqual([]);
  });

  it('as accepted names the payment at Stripe, which can be refunded then', async () => {
    const stripe = selectStripe({ publishableKey: null });
    const reference = 'HAND-3';
    await makeBooking(reference, GOOD);
    stripe.failFor(reference, '500 after execution');
    await call(CREATE, { reference, amount: 100 });
    const { id } = await newestPaid(reference);
    const lookUps = vi.mocked(globalThis.fetch);
    // Stripe's list does not come; one payment does.
    lookUps.mockImplementation((input, init) => {
      const url = new URL(new Request(input, init).url);
      const isList = url.pathname === '/v1/payment_intents' && init?.method !== 'POST';
      return isList ? Promise.reject(new TypeError('reset')) : stripe.fetch(input, init);
    });
    const verdict = { id, outcome: 'Accepted' };
    const unnamed = await resolve(2 * HOUR_MS, verdict);
    expect([unnamed.status, unnamed.json.errors]).toMatchObject([
      422,
      [{ field: 'gatewayReference', code: 'required' }],
    ]);
    const wrong = await resolve(2 * HOUR_MS, { ...verdict, gatewayReference: 'pi_of_nobody' });
    expect([wrong.status, wrong.json.code]).toEqual([409, 'invalid_state']);
    const gatewayReference = stripe.intents.at(-1)?.id;
    expect((await resolve(2 * HOUR_MS, { ...verdict, gatewayReference })).status).toBe(200);
    expect(await statusesOf(reference)).toEqual(['Accepted']);
    lookUps.mockImplementation(stripe.fetch);
    const refund = await call('/refund/v1/create', { reference, chargeId: id, amount: 10 });
    expect([refund.status, refund.json.refunds]).toMatchObject([200, [{ amount: 10 }]]);
  });

  it('that the acquirer contradicts is refused, and its outcome counts', async () => {
    const reference = 'HAND-4';
    await makeBooking(reference, '4000000000009003');
    await call(CREATE, { reference, amount: 5 });
    const { id } = await newestPaid(reference);
    const said = await resolve(2 * HOUR_MS, { id, outcome: 'Failed' });
    expect([said.status, said.json.code]).toEqual([409, 'invalid_state']);
    expect(await statusesOf(reference)).toEqual(['Accepted']);
    expect(await disagreementsInAll(reference)).toEqual([]);
  });
});

describe('a charge that is found out later', () => {
  it('was processed when the acquirer took it, for the PMS as for disbursements', async () => {
    const reference = 'LATER';
    await makeBooking(reference, '4000000000009003');
    const askedMs = Date.now();
    await call(CREATE, { reference, amount: 10 });
    await wakeAt(reference, askedMs + 20 * HOUR_MS);
    const { json } = await callAsAdmin('/sandbox/v1/ledger', { reference });
    const takenMs = Date.parse((json.operations[0] as unknown as { time: string }).time);
    const [told] = await moneyTold(reference);
    expect(Math.abs(takenMs - askedMs)).toBeLessThan(10 * SECOND_MS);
    expect(Date.parse(told?.['ProcessedTime'] ?? '')).toBe(
      Math.floor(takenMs / SECOND_MS) * SECOND_MS,
    );
  });
});
