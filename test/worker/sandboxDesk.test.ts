/** The desk of the sandbox acquirer, over the interface: what it does, refuses and tells of. */
import { describe, expect, it, vi } from 'vitest';
import { BookingObject } from '../../src/booking/object.ts';
import type { OperationName } from '../../src/booking/operations.ts';
import { sandboxAcquirer } from '../../src/sandbox/stub.ts';
import {
  call,
  callAsAdmin,
  ledgerOf,
  makeBooking,
  makeProperty,
  testEnv,
  transactionsOf,
} from '../support/api.ts';
import { eventually } from '../support/eventually.ts';
import { story } from '../support/story.ts';

story({ freshDatabase: true });

const REFERENCE = 'DESK-1';

function act(action: string, members: Record<string, unknown> = {}) {
  return callAsAdmin('/sandbox/v1/act', {
    action,
    property: 'demo',
    reference: REFERENCE,
    notify: false,
    ...members,
  });
}

async function charge(amount = 100): Promise<number> {
  const made = await call('/payment/v1/create', {
    reference: REFERENCE,
    amount,
    isVirtualCard: true,
  });
  return made.json.transaction.id;
}

async function hold(): Promise<number> {
  const expiryTime = new Date(Date.now() + 3_600_000).toISOString();
  const body = {
    reference: REFERENCE,
    amount: 100,
    preAuth: true,
    expiryTime,
    isVirtualCard: true,
  };
  return (await call('/payment/v1/create', body)).json.transaction.id;
}

function disputesInD1() {
  return testEnv.DB.prepare(
    'SELECT transaction_id AS chargeId, status, amount_minor AS amountMinor FROM disputes',
  ).all<{ chargeId: number; status: string; amountMinor: number }>();
}

describe('an act at the desk', () => {
  it.each([
    ['capture', { amount: '40' }, 40],
    ['release', {}, 100],
  ])('%s a hold', async (kind, members, amount) => {
    await makeBooking(REFERENCE, '4242424242424242');
    const chargeId = await hold();
    const acted = await act(kind, { chargeId, ...members });
    expect(acted.status).toBe(200);
    expect(acted.json).toEqual({
      success: true,
      operation: {
        kind,
        idempotencyKey: null,
        property: 'demo',
        bookingReference: REFERENCE,
        amount,
        currency: 'AUD',
        status: 'succeeded',
        time: expect.stringMatching(/^\d{4}-\d\d-\d\dT/),
      },
    });
    expect((await ledgerOf(REFERENCE)).at(-1)).toEqual(
      (acted.json as unknown as { operation: unknown }).operation,
    );
    const again = await act(kind, { chargeId, ...members });
    expect([again.status, again.json.code]).toEqual([409, 'invalid_state']);
  });

  it('refunds a charge, fails a refund, disputes and closes the dispute', async () => {
    await makeBooking(REFERENCE, '4242424242424242');
    const chargeId = await charge();
    const refunded = await call('/refund/v1/create', {
      reference: REFERENCE,
      amount: 30,
      chargeId,
    });
    const refundId = refunded.json.refunds[0]?.id;
    const kinds = ['refund', 'refund_failure', 'refund', 'dispute', 'dispute', 'dispute_reversal'];
    const acts = [
      await act('refund', { chargeId, amount: 20 }),
      await act('failRefund', { refundId }),
      await act('refund', { chargeId }),
      await act('dispute', { chargeId, amount: 10 }),
      await act('loseDispute', { chargeId }),
    ];
    await act('dispute', { chargeId, amount: 5.5 });
    acts.push(await act('winDispute', { chargeId }));
    expect(acts.map(({ status }) => status)).toEqual(kinds.map(() => 200));
    const operations = acts.map(
      ({ json }) => (json as unknown as { operation: { kind: string; amount: number } }).operation,
    );
    expect(operations.map(({ kind }) => kind)).toEqual(kinds);
    expect(operations.map(({ amount }) => amount)).toEqual([20, 30, 80, 10, 10, 5.5]);
  });

  it("charges the booking's card without any reference of this service", async () => {
    await makeBooking(REFERENCE, '4242424242424242');
    const acted = await act('charge', { amount: 12.34 });
    expect(acted.json).toMatchObject({
      operation: { kind: 'charge', idempotencyKey: null, bookingReference: null, amount: 12.34 },
    });
    expect(await ledgerOf(REFERENCE)).toEqual([]);
  });

  it('refuses what an acquirer would refuse, and what does not exist', async () => {
    await makeBooking(REFERENCE, '4242424242424242');
    const chargeId = await charge();
    const body = { reference: REFERENCE, amount: 30, chargeId };
    const refundId = (await call('/refund/v1/create', body)).json.refunds[0]?.id;
    const answers = {
      tooMuch: await act('refund', { chargeId, amount: 70.01 }),
      disputedTooMuch: await act('dispute', { chargeId, amount: 100.01 }),
      noHold: await act('capture', { chargeId }),
      noCharge: await act('refund', { chargeId: 4 }),
      refundAsCharge: await act('refund', { chargeId: refundId }),
      chargeAsRefund: await act('failRefund', { refundId: chargeId }),
      noDispute: await act('winDispute', { chargeId }),
      noBooking: await act('refund', { chargeId, reference: 'NOBODY' }),
      noProperty: await act('refund', { chargeId, property: 'nobody' }),
      precision: await act('refund', { chargeId, amount: '1.234' }),
      nothing: await act('refund', { chargeId, amount: 0 }),
    };
    const codes = Object.entries(answers).map(([name, { status, json }]) => [
      name,
      `${status} ${json.code}`,
    ]);
    expect(Object.fromEntries(codes)).toEqual({
      tooMuch: '409 invalid_state',
      disputedTooMuch: '409 invalid_state',
      noHold: '409 invalid_state',
      noCharge: '404 transaction_not_found',
      refundAsCharge: '404 transaction_not_found',
      chargeAsRefund: '404 transaction_not_found',
      noDispute: '404 dispute_not_found',
      noBooking: '404 booking_not_found',
      noProperty: '404 property_not_found',
      precision: '422 amount_precision',
      nothing: '422 amount_out_of_range',
    });
  });

  it('needs a card for a charge', async () => {
    await makeBooking(REFERENCE);
    expect((await act('charge', { amount: 1 })).json.code).toBe('no_card');
  });

  it.each([
    ['capture', 'chargeId'],
    ['release', 'chargeId'],
    ['refund', 'chargeId'],
    ['dispute', 'chargeId'],
    ['winDispute', 'chargeId'],
    ['loseDispute', 'chargeId'],
    ['failRefund', 'refundId'],
    ['charge', 'amount'],
    ['renewCard', 'cardExpiry'],
  ])('%s needs %s, and every fault is named at once', async (action, field) => {
    const missing = await act(action);
    expect(missing.status).toBe(422);
    expect(missing.json.errors).toEqual([{ field, code: 'required', message: expect.any(String) }]);
    const { json } = await act(action, { property: undefined, reference: 7, [field]: {} });
    expect(json.errors.map((fault) => fault.field).toSorted()).toEqual(
      ['property', 'reference', field].toSorted(),
    );
  });

  it('is of no other action', async () => {
    const { status, json } = await act('steal');
    expect([status, json.errors.map(({ field }) => field)]).toEqual([422, ['action']]);
  });
});

describe('an outage of a property', () => {
  it.each([
    [503, {}, 504, 'outcome_unknown', null],
    [409, {}, 504, 'outcome_unknown', null],
    [429, { retryAfter: 7 }, 502, 'gateway_error', '7'],
    [401, {}, 502, 'gateway_error', null],
    [403, {}, 502, 'gateway_error', null],
    [400, {}, 502, 'gateway_error', null],
  ])(
    'answers %i to its payments until it is over, and carries nothing out',
    async (status, members, answered, code, wait) => {
      await makeBooking(REFERENCE, '4242424242424242');
      const body = { reference: REFERENCE, amount: 10, allowDuplicate: true };
      expect((await act('outage', { reference: undefined, status, ...members })).json).toEqual({
        success: true,
      });
      const refused = await call('/payment/v1/create', body);
      expect([refused.status, refused.json.code, refused.headers.get('Retry-After')]).toEqual([
        answered,
        code,
        wait,
      ]);
      expect(await ledgerOf(REFERENCE)).toEqual([]);
      await act('resume', { reference: undefined });
      expect((await call('/payment/v1/create', body)).status).toBe(200);
    },
  );

  it('is of that property alone', async () => {
    const token = await makeProperty('elsewhere');
    await makeBooking(REFERENCE, '4242424242424242', { token });
    await act('outage', { status: 503 });
    const body = { reference: REFERENCE, amount: 10 };
    expect((await call('/payment/v1/create', body, { token })).status).toBe(200);
  });

  it.each([
    [true, 'unknown', 40_000],
    [false, 'approved', undefined],
  ])('refuses what is only asked too, if it says so: %s', async (lookUps, kind, retryAfterMs) => {
    await makeBooking(REFERENCE, '4242424242424242');
    await charge();
    const [made] = await ledgerOf(REFERENCE);
    const idempotencyKey = made?.idempotencyKey ?? '';
    await act('outage', { status: 429, retryAfter: 40, lookUps });
    const reference = idempotencyKey.slice(0, 32);
    const asked = { idempotencyKey, kind: 'charge', propertyId: 'demo', reference } as const;
    const found = await sandboxAcquirer(testEnv).lookUp(asked);
    expect([found.kind, 'retryAfterMs' in found ? found.retryAfterMs : undefined]).toEqual([
      kind,
      retryAfterMs,
    ]);
    expect((await sandboxAcquirer(testEnv).lookUp({ ...asked, idempotencyKey: null })).kind).toBe(
      kind,
    );
  });

  it('needs a status, and neither needs a booking', async () => {
    const { json, status } = await act('outage', { reference: undefined });
    expect([status, json.errors.map(({ field }) => field)]).toEqual([422, ['status']]);
    expect((await act('resume', { reference: undefined, property: 'nobody' })).status).toBe(404);
  });
});

describe('the acquirer', () => {
  it('tells within seconds of a card that is disputed at once', async () => {
    await makeBooking(REFERENCE, '4000000000000259');
    const chargeId = await charge();
    await eventually(async () => {
      const { results } = await disputesInD1();
      expect(results).toEqual([{ chargeId, status: 'needs_response', amountMinor: 10_000 }]);
    });
  });

  it('tells of what is done at its desk, unless it shall not', async () => {
    await makeBooking(REFERENCE, '4242424242424242');
    const chargeId = await charge();
    const performed = vi.spyOn(BookingObject.prototype, 'perform');
    const callsOf = (name: OperationName) =>
      performed.mock.calls.filter(([operation]) => operation === name).length;
    await act('refund', { chargeId, amount: 1, notify: false });
    await act('dispute', { chargeId, amount: 10, notify: true });
    await eventually(async () => expect((await disputesInD1()).results).toHaveLength(1));
    await act('winDispute', { chargeId, notify: undefined });
    await eventually(() => expect(callsOf('refreshDispute')).toBeGreaterThan(1));
    expect(callsOf('refreshFromGateway')).toBe(0);
    await act('refund', { chargeId, amount: 1, notify: true });
    await eventually(() => expect(callsOf('refreshFromGateway')).toBe(1));
    performed.mockRestore();
  });

  it('tells of a hold that was taken and of a refund, and the service records both', async () => {
    await makeBooking(REFERENCE, '4242424242424242');
    const chargeId = await hold();
    await act('capture', { chargeId, notify: true });
    await eventually(async () =>
      expect(await transactionsOf(REFERENCE)).toMatchObject([{ id: chargeId, status: 'Accepted' }]),
    );
    await act('refund', { chargeId, amount: 30, notify: true });
    await eventually(async () =>
      expect(await transactionsOf(REFERENCE)).toMatchObject([
        { refunds: [{ status: 'Refunded', amount: 30 }] },
      ]),
    );
  });

  it('tells again until the service takes it', async () => {
    await makeBooking(REFERENCE, '4242424242424242');
    const chargeId = await charge();
    const broken = vi
      .spyOn(BookingObject.prototype, 'perform')
      .mockRejectedValueOnce(new Error('the booking is not there'));
    await act('dispute', { chargeId, notify: true });
    await eventually(async () => expect((await disputesInD1()).results).toHaveLength(1));
    expect(broken).toHaveBeenCalledTimes(2);
    broken.mockRestore();
  });
});
