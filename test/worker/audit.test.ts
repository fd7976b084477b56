import { beforeAll, describe, expect, it } from 'vitest';
import { HOUR_MS } from '../../src/core/time.ts';
import {
  atTime,
  call,
  callAsAdmin,
  freshDatabase,
  makeBooking,
  testEnv,
  transactionsOf,
} from '../support/api.ts';
import { breakSpan, sweepAfter } from '../support/faults.ts';
import { takeTurns } from '../support/long.ts';
import { silenceAlarms } from '../support/silence.ts';

takeTurns();
silenceAlarms();

beforeAll(freshDatabase);

const LIST = '/admin/v1/audit/list';

const list = (reference: string, more: Record<string, unknown> = {}) =>
  callAsAdmin(LIST, { property: 'demo', reference, ...more });

describe(`POST ${LIST}`, () => {
  it('tells every change of state in order: who, what, when, from, to', async () => {
    const token = await makeBooking('A-1', '4000000000009003');
    const charged = await call('/payment/v1/create', { reference: 'A-1', amount: 10 });
    await sweepAfter(2);
    const chargeId = charged.json.transaction.id;
    const refunded = await call('/refund/v1/create', { reference: 'A-1', amount: 1, chargeId });
    await sweepAfter(2);
    const refundId = refunded.json.refunds[0]?.id;
    const { status, json } = await list('A-1');
    expect(status).toBe(200);
    const at = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/);
    const by = { at, actor: 'demo-engine', detail: null };
    const later = { at, actor: 'alarm', detail: null };
    expect(json).toEqual({
      success: true,
      entries: [
        { ...by, subject: 'booking', from: null, to: 'booked' },
        { ...by, subject: `card ${token}`, from: null, to: 'attached' },
        { ...by, subject: `charge ${chargeId}`, from: null, to: 'Processing' },
        { ...later, subject: `charge ${chargeId}`, from: 'Processing', to: 'Accepted' },
        { ...by, subject: `refund ${refundId}`, from: null, to: 'Processing' },
        { ...later, subject: `refund ${refundId}`, from: 'Processing', to: 'Refunded' },
      ],
      nextCursor: null,
    });
  });

  it('comes in pages', async () => {
    await makeBooking('A-2', '4242424242424242');
    for (let amount = 1; amount <= 3; amount += 1) {
      await call('/payment/v1/create', { reference: 'A-2', amount });
    }
    const whole = (await list('A-2')).json.entries;
    const paged: unknown[] = [];
    let cursor: string | null = null;
    do {
      const page = await list('A-2', { limit: 3, ...(cursor !== null && { cursor }) });
      expect(page.json.entries.length).toBeLessThanOrEqual(3);
      paged.push(...page.json.entries);
      cursor = page.json.nextCursor;
    } while (cursor !== null);
    expect(paged).toEqual(whole);
    expect(whole).toHaveLength(8);
  });

  it.each([
    ['an unknown property', { property: 'nowhere' }, 404, 'property_not_found'],
    ['an unknown booking', { reference: 'NOWHERE' }, 404, 'booking_not_found'],
    ['a cursor that is none', { cursor: 'x' }, 422, 'validation_failed'],
    ['a limit of 0', { limit: 0 }, 422, 'validation_failed'],
  ])('refuses %s', async (_name, change, status, code) => {
    await makeBooking('A-3');
    const answer = await list('A-3', change);
    expect([answer.status, answer.json.code]).toEqual([status, code]);
  });
});

describe('POST /admin/v1/operation/resolve', () => {
  /** Resolves an operation when it may be: an hour after it was sent. */
  const resolve = (id: number, outcome: string, reason: unknown = 'the bank says so') =>
    atTime(Date.now() + HOUR_MS, () => resolveNow(id, { outcome, reason }));

  const resolveNow = (id: number, verdict: Record<string, unknown>) =>
    callAsAdmin('/admin/v1/operation/resolve', { id, reason: 'the bank says so', ...verdict });

  async function unknownCharge(reference: string): Promise<number> {
    await makeBooking(reference, '4000000000009102');
    const { json } = await call('/payment/v1/create', { reference, amount: 10 });
    expect(json.transaction.status).toBe('Processing');
    return json.transaction.id;
  }

  it.each(['Accepted', 'Declined', 'Failed'])(
    'settles what the gateway cannot tell: %s',
    async (outcome) => {
      const reference = `O-1 ${outcome}`;
      const id = await unknownCharge(reference);
      const mend = breakSpan('gateway.lookUp');
      const { status, json } = await resolve(id, outcome);
      mend();
      expect([status, json]).toEqual([200, { success: true, id, status: outcome }]);
      await sweepAfter(65, 120);
      expect(await transactionsOf(reference)).toMatchObject([{ id, status: outcome }]);
      const { json: audit } = await list(reference);
      expect(audit.entries.at(-1)).toMatchObject({
        actor: 'admin',
        from: 'Processing',
        to: outcome,
        detail: 'by hand: the bank says so',
      });
    },
  );

  it('waits for an hour after it was sent: it may still be under way', async () => {
    const id = await unknownCharge('O-5');
    const early = await resolveNow(id, { outcome: 'Failed' });
    expect([early.status, early.json.code]).toEqual([409, 'invalid_state']);
    expect(await transactionsOf('O-5')).toMatchObject([{ status: 'Processing' }]);
    expect((await resolve(id, 'Failed')).status).toBe(200);
  });

  it('does not accept what the gateway certainly does not have', async () => {
    const id = await unknownCharge('O-7');
    const denied = await resolve(id, 'Accepted');
    expect([denied.status, denied.json.code]).toEqual([409, 'invalid_state']);
    expect(await transactionsOf('O-7')).toMatchObject([{ status: 'Processing' }]);
  });

  it('does not accept a payment that was made for another charge', async () => {
    const id = await unknownCharge('O-8');
    await makeBooking('O-8', '4242424242424242');
    const other = await call('/payment/v1/create', { reference: 'O-8', amount: 10 });
    const gatewayReference = await testEnv.DB.prepare(
      'SELECT gateway_reference FROM transactions WHERE id = ?',
    )
      .bind(other.json.transaction.id)
      .first('gateway_reference');
    const mend = breakSpan('gateway.lookUp');
    const denied = await atTime(Date.now() + HOUR_MS, () =>
      resolveNow(id, { outcome: 'Accepted', gatewayReference }),
    );
    mend();
    expect([denied.status, denied.json.code]).toEqual([409, 'invalid_state']);
    expect((await transactionsOf('O-8'))[0]).toMatchObject({ id, status: 'Processing' });
  });

  it('takes no card number for the gateway’s id', async () => {
    const id = await unknownCharge('O-9');
    const body = { outcome: 'Accepted', gatewayReference: '4242424242424242' };
    const { status, json } = await resolveNow(id, body);
    expect([status, json.errors]).toEqual([
      422,
      [expect.objectContaining({ field: 'gatewayReference', code: 'card_number' })],
    ]);
  });

  it('agrees with the gateway where it says the same', async () => {
    await makeBooking('O-6', '4000000000009003');
    const { json } = await call('/payment/v1/create', { reference: 'O-6', amount: 10 });
    const answer = await resolve(json.transaction.id, 'Accepted');
    expect([answer.status, answer.json.status]).toEqual([200, 'Accepted']);
  });

  it('lets the gateway have its word as long as it has one', async () => {
    await makeBooking('O-2', '4000000000009003');
    const { json } = await call('/payment/v1/create', { reference: 'O-2', amount: 10 });
    const { id } = json.transaction;
    const answer = await resolve(id, 'Failed');
    expect([answer.status, answer.json.code]).toEqual([409, 'invalid_state']);
    expect(await transactionsOf('O-2')).toMatchObject([{ id, status: 'Accepted' }]);
  });

  it('settles a refund, and gives its amount back when it was not made', async () => {
    await makeBooking('O-3', '4000000000009102');
    const charged = await call('/payment/v1/create', {
      reference: 'O-3',
      amount: 10,
      isVirtualCard: true,
    });
    await sweepAfter(2);
    const refund = () => call('/refund/v1/create', { reference: 'O-3', amount: 10 });
    const first = await refund();
    const answer = await resolve(first.json.refunds[0]?.id ?? 0, 'Failed');
    expect(answer.json).toMatchObject({ success: true, status: 'Failed' });
    const second = await refund();
    expect(second.json.code).toBe('outcome_unknown');
    const mend = breakSpan('gateway.lookUp');
    const accepted = await resolve(second.json.refunds[0]?.id ?? 0, 'Accepted');
    mend();
    expect(accepted.json.status).toBe('Refunded');
    const third = await call('/refund/v1/create', { reference: 'O-3', amount: 1 });
    expect(third.json.code).toBe('refund_exceeds_charge');
    expect(charged.status).toBe(504);
  });

  it('refuses what is settled, what is not there, and a resolution without a reason', async () => {
    await makeBooking('O-4', '4242424242424242');
    const { json } = await call('/payment/v1/create', { reference: 'O-4', amount: 10 });
    const settled = await resolve(json.transaction.id, 'Failed');
    expect([settled.status, settled.json.code]).toEqual([409, 'invalid_state']);
    const missing = await resolve(2, 'Failed');
    expect([missing.status, missing.json.code]).toEqual([404, 'transaction_not_found']);
    expect((await resolve(json.transaction.id, 'Failed', '')).status).toBe(422);
    expect((await resolve(json.transaction.id, 'Perhaps')).status).toBe(422);
  });
});
