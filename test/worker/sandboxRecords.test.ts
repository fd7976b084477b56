/** What the sandbox acquirer tells of payments, disputes and movements, and what a person can do at its desk. */
import { describe, expect, it } from 'vitest';
import type {
  CardPaymentRequest,
  MoneyRequest,
  PaymentOutcome,
  PaymentRecord,
} from '../../src/gateways/gateway.ts';
import type { GatewayMovement } from '../../src/gateways/movements.ts';
import { SandboxGateway } from '../../src/gateways/sandbox.ts';
import type { DashboardAction, DashboardOutcome } from '../../src/sandbox/acquirer/dashboard.ts';
import { sandboxAcquirer } from '../../src/sandbox/stub.ts';
import { testEnv } from '../support/api.ts';
import { story } from '../support/story.ts';

story({ freshDatabase: true });

const gateway = new SandboxGateway(testEnv);
const AT_MS = Date.UTC(2027, 1, 14, 3);

let keys = 0;

async function vault(number = '4242424242424242'): Promise<string> {
  const entry = { number, expiryMonth: 12, expiryYear: 2030, holderName: null, cvv: null };
  const vaulted = await gateway.tokenize(entry, null);
  if (vaulted.kind !== 'vaulted') throw new Error(vaulted.kind);
  return vaulted.gatewayToken;
}

function requestOf(
  gatewayToken: string,
  changes: Partial<CardPaymentRequest> = {},
): CardPaymentRequest {
  keys += 1;
  return {
    idempotencyKey: `key-${keys}`,
    propertyId: 'demo',
    bookingReference: 'RES-1',
    reference: `reference-${keys}`,
    amountMinor: 10_000,
    currency: 'AUD',
    gatewayToken,
    description: '',
    statementName: 'Demo Property',
    askedAtMs: AT_MS,
    initiator: 'property',
    returnUrl: null,
    ...changes,
  };
}

function referenceIn(outcome: PaymentOutcome): string {
  if (outcome.kind !== 'approved') throw new Error(outcome.kind);
  return outcome.gatewayReference ?? '';
}

async function charged(number?: string, changes: Partial<MoneyRequest> = {}) {
  const request = requestOf(await vault(number), changes);
  const outcome = await gateway.charge(request);
  return { request, outcome, id: referenceIn(outcome) };
}

async function held() {
  const request = requestOf(await vault());
  return { request, id: referenceIn(await gateway.authorize(request)) };
}

async function recordOf(id: string): Promise<PaymentRecord> {
  const report = await gateway.payment(id);
  if (report.kind !== 'payment') throw new Error(report.kind);
  return report.payment;
}

async function movements(fromMs = AT_MS, toMs = AT_MS + 1): Promise<GatewayMovement[]> {
  const found: GatewayMovement[] = [];
  let cursor: string | null = null;
  do {
    const page = await gateway.movements({ account: null, fromMs, toMs, cursor });
    if (page.kind !== 'page') throw new Error(page.reason);
    found.push(...page.movements);
    cursor = page.nextCursor;
  } while (cursor !== null);
  return found;
}

function act(acted: DashboardAction): Promise<DashboardOutcome> {
  return sandboxAcquirer(testEnv).act(acted, AT_MS, false);
}

const originOf = ({ propertyId, bookingReference, reference }: MoneyRequest) => ({
  propertyId,
  bookingReference,
  reference,
});

describe('a payment', () => {
  it('that was charged and refunded is told with its refunds', async () => {
    const { request, id } = await charged();
    const part = requestOf(request.gatewayToken, { amountMinor: 2_500 });
    const refundId = referenceIn(await gateway.refund({ ...part, gatewayReference: id }));
    expect(await recordOf(id)).toEqual({
      id,
      gatewayReference: id,
      status: 'taken',
      about: originOf(request),
      idempotencyKey: request.idempotencyKey,
      gatewayToken: request.gatewayToken,
      currency: 'AUD',
      askedMinor: 10_000,
      takenMinor: 10_000,
      atMs: AT_MS,
      lapsesAtMs: null,
      refunds: [
        {
          id: refundId,
          status: 'succeeded',
          idempotencyKey: part.idempotencyKey,
          amountMinor: 2_500,
          atMs: AT_MS,
          reason: null,
          moved: true,
        },
      ],
    });
  });

  it('that was held is told as held, taken or released, by the hold and by the capture', async () => {
    const { request, id } = await held();
    expect(await recordOf(id)).toMatchObject({ status: 'held', takenMinor: 0, askedMinor: 10_000 });
    const capture = requestOf(request.gatewayToken, {
      reference: request.reference,
      amountMinor: 4_000,
      askedAtMs: AT_MS + 5,
    });
    const taken = referenceIn(await gateway.capture({ ...capture, gatewayReference: id }));
    const record = await recordOf(id);
    expect(record).toMatchObject({ id, gatewayReference: taken, status: 'taken' });
    expect(record).toMatchObject({ askedMinor: 10_000, takenMinor: 4_000, atMs: AT_MS + 5 });
    expect(await recordOf(taken)).toEqual(record);

    const other = await held();
    await gateway.release({ ...requestOf(request.gatewayToken), gatewayReference: other.id });
    expect(await recordOf(other.id)).toMatchObject({ status: 'released', takenMinor: 0 });
  });

  it('that nobody made is absent', async () => {
    expect(await gateway.payment('sandbox_0')).toEqual({ kind: 'absent' });
    expect(await gateway.dispute('sandbox_0')).toEqual({ kind: 'absent' });
  });

  it('on hold is captured, not refunded', async () => {
    const { request, id } = await held();
    const refund = requestOf(request.gatewayToken, { amountMinor: 1 });
    expect((await gateway.refund({ ...refund, gatewayReference: id })).kind).toBe('rejected');
  });
});

describe('the new test cards', () => {
  it('refuses two requests as too many, records neither, and then accepts', async () => {
    const token = await vault('4000000000009425');
    const request = requestOf(token);
    const tooMany = {
      kind: 'rejected',
      reason: 'too_many_requests',
      temporary: true,
      retryAfterMs: 1_000,
    };
    expect(await gateway.charge(request)).toEqual(tooMany);
    expect(await gateway.authorize(requestOf(token))).toEqual(tooMany);
    expect(await sandboxAcquirer(testEnv).ledger(null)).toEqual([]);
    expect((await gateway.charge(request)).kind).toBe('approved');
    expect((await gateway.charge(requestOf(await vault('4000000000009425')))).kind).toBe(
      'rejected',
    );
  });

  it("tells an error of its own as such, and keeps it under the key's one entry", async () => {
    const request = requestOf(await vault('4000000000000119'));
    const rejected = await gateway.charge(request);
    expect(rejected).toMatchObject({ kind: 'rejected', temporary: true });
    expect(await gateway.charge(request)).toEqual(rejected);
    expect(await sandboxAcquirer(testEnv).ledger(null)).toMatchObject([{ status: 'failed' }]);
  });

  it('judges by the time of the request, and records it', async () => {
    const token = await vault();
    const ended = Date.UTC(2031, 0, 1);
    const last = await gateway.charge(requestOf(token, { askedAtMs: ended - 1 }));
    expect(last).toMatchObject({ kind: 'approved', atMs: ended - 1 });
    expect(await gateway.charge(requestOf(token, { askedAtMs: ended }))).toEqual({
      kind: 'declined',
      declineCode: 'expired_card',
      retryable: false,
    });
    const renewed = requestOf(await vault('4000000000003410'), { askedAtMs: ended });
    expect((await gateway.charge(renewed)).kind).toBe('approved');
  });

  it('disputes a charge as fraudulent at once', async () => {
    const { request, id } = await charged('4000000000000259');
    const [, opened] = await movements();
    expect(opened).toMatchObject({ kind: 'dispute', payment: id, amountMinor: -10_000 });
    expect(await gateway.dispute(opened?.subject ?? '')).toEqual({
      kind: 'dispute',
      about: originOf(request),
      payment: id,
      dispute: {
        id: opened?.subject,
        status: 'needs_response',
        reason: 'fraudulent',
        currency: 'AUD',
        amountMinor: 10_000,
        feeMinor: 0,
        movements: [{ amountMinor: -10_000, atMs: AT_MS }],
        openedAtMs: AT_MS,
        respondByMs: AT_MS + 7 * 86_400_000,
        closedAtMs: null,
      },
    });
    const refund = requestOf(request.gatewayToken, { amountMinor: 1 });
    expect(await gateway.refund({ ...refund, gatewayReference: id })).toMatchObject({
      kind: 'rejected',
      reason: 'charge_disputed',
    });
  });
});

describe('the movements', () => {
  it('are what moved money within the time, each told once however many pages there are', async () => {
    const token = await vault();
    for (let made = 0; made < 120; made += 1) {
      await gateway.charge(requestOf(token, { amountMinor: 1 + made, askedAtMs: AT_MS + made }));
    }
    await gateway.charge(requestOf(await vault('4000000000000002')));
    await held();
    const found = await movements(AT_MS + 1, AT_MS + 119);
    expect(found.map(({ amountMinor }) => amountMinor)).toEqual(
      Array.from({ length: 118 }, (_one, index) => index + 2),
    );
    expect(await movements(AT_MS, AT_MS + 1)).toHaveLength(1);
  });

  it('name what the journal names', async () => {
    const { request, id } = await held();
    const capture = requestOf(request.gatewayToken, { reference: request.reference });
    const taken = referenceIn(await gateway.capture({ ...capture, gatewayReference: id }));
    const refund = requestOf(request.gatewayToken, { amountMinor: 3_000 });
    const refunded = referenceIn(await gateway.refund({ ...refund, gatewayReference: taken }));
    await act({ action: 'failRefund', refund: refunded });
    await act({ action: 'dispute', payment: id, amountMinor: 500 });
    await act({ action: 'winDispute', payment: id, disputeId: null });
    const found = await movements();
    const disputeId = found[3]?.subject;
    const about = originOf(request);
    expect(found.map(({ id: _id, atMs: _atMs, currency: _currency, ...rest }) => rest)).toEqual([
      { kind: 'charge', payment: id, subject: taken, about, amountMinor: 10_000 },
      {
        kind: 'refund',
        payment: id,
        subject: refunded,
        about: originOf(refund),
        amountMinor: -3_000,
      },
      {
        kind: 'refund_failure',
        payment: id,
        subject: refunded,
        about: originOf(refund),
        amountMinor: 3_000,
      },
      { kind: 'dispute', payment: id, subject: disputeId, about, amountMinor: -500 },
      { kind: 'dispute_reversal', payment: id, subject: disputeId, about, amountMinor: 500 },
    ]);
    expect(await recordOf(id)).toMatchObject({ refunds: [{ id: refunded, status: 'failed' }] });
    const lookedUp = await sandboxAcquirer(testEnv).lookUp({ ...refund, kind: 'refund' });
    expect(lookedUp).toMatchObject({ kind: 'rejected', reason: 'refund_failed' });
  });
});

describe("the acquirer's desk", () => {
  it('captures a part of a hold, once, under no key of this service', async () => {
    const { request, id } = await held();
    expect(await act({ action: 'capture', payment: id, amountMinor: 4_000 })).toMatchObject({
      kind: 'done',
      operation: {
        kind: 'capture',
        idempotencyKey: null,
        property: 'demo',
        bookingReference: 'RES-1',
        amountMinor: 4_000,
        status: 'succeeded',
      },
      changed: { kind: 'payment', id },
    });
    expect(await recordOf(id)).toMatchObject({ status: 'taken', takenMinor: 4_000 });
    for (const action of ['capture', 'release'] as const) {
      expect((await act({ action, payment: id, amountMinor: null })).kind).toBe('refused');
    }
    expect(
      (await gateway.capture({ ...request, idempotencyKey: 'late', gatewayReference: id })).kind,
    ).toBe('rejected');
  });

  it('refuses a capture of more than was held, and anything of a hold that was let go', async () => {
    const { id } = await held();
    expect(await act({ action: 'capture', payment: id, amountMinor: 10_001 })).toEqual({
      kind: 'refused',
      code: 'amount_too_large',
    });
    expect((await act({ action: 'release', payment: id, amountMinor: null })).kind).toBe('done');
    for (const action of ['capture', 'release', 'refund', 'dispute'] as const) {
      expect((await act({ action, payment: id, amountMinor: null })).kind).toBe('refused');
    }
  });

  it('refunds what is left, never more than was taken', async () => {
    const { request, id } = await charged();
    const refund = act({ action: 'refund', payment: request.idempotencyKey, amountMinor: 3_000 });
    expect((await refund).kind).toBe('done');
    expect((await act({ action: 'refund', payment: id, amountMinor: 7_001 })).kind).toBe('refused');
    expect(await act({ action: 'refund', payment: id, amountMinor: null })).toMatchObject({
      operation: { kind: 'refund', amountMinor: 7_000, bookingReference: 'RES-1' },
    });
    expect((await recordOf(id)).refunds).toMatchObject([
      { idempotencyKey: null, amountMinor: 3_000 },
      { idempotencyKey: null, amountMinor: 7_000 },
    ]);
    expect((await act({ action: 'refund', payment: id, amountMinor: null })).kind).toBe('refused');
  });

  it('fails a refund once, after which the amount can be refunded again', async () => {
    const { request, id } = await charged();
    const refund = { ...requestOf(request.gatewayToken), gatewayReference: id };
    const refundId = referenceIn(await gateway.refund(refund));
    expect(await act({ action: 'failRefund', refund: refundId })).toMatchObject({
      operation: { kind: 'refund_failure', amountMinor: 10_000 },
    });
    expect((await act({ action: 'failRefund', refund: refundId })).kind).toBe('refused');
    expect((await act({ action: 'failRefund', refund: id })).kind).toBe('refused');
    expect((await act({ action: 'refund', payment: id, amountMinor: null })).kind).toBe('done');
  });

  it('charges a card without any reference of this service', async () => {
    const gatewayToken = await vault();
    const charge = { action: 'charge', propertyId: 'demo', gatewayToken } as const;
    const made = await act({ ...charge, amountMinor: 700, currency: 'AUD' });
    expect(made).toMatchObject({
      operation: { kind: 'charge', idempotencyKey: null, bookingReference: null, property: 'demo' },
    });
    const [movement] = await movements();
    expect(movement).toMatchObject({ kind: 'charge', about: null, amountMinor: 700 });
    const record = await recordOf(movement?.payment ?? '');
    expect(record).toMatchObject({ about: null, idempotencyKey: null, status: 'taken' });
    const declining = { ...charge, gatewayToken: await vault('4000000000000002') };
    const declined = await act({ ...declining, amountMinor: 1, currency: 'AUD' });
    expect(declined).toEqual({ kind: 'refused', code: 'generic_decline' });
  });

  it('keeps several disputes of a charge apart', async () => {
    const { id } = await charged();
    const dispute = (amountMinor: number | null) =>
      act({ action: 'dispute', payment: id, amountMinor });
    const close = (action: 'winDispute' | 'loseDispute', disputeId: string | null) =>
      act({ action, payment: id, disputeId });
    expect(await close('winDispute', null)).toEqual({ kind: 'no-dispute' });
    const first = changedIn(await dispute(2_000));
    expect((await dispute(8_001)).kind).toBe('refused');
    const second = changedIn(await dispute(null));
    expect(await close('loseDispute', null)).toEqual({ kind: 'which-dispute' });
    expect(await close('loseDispute', 'sandbox_0')).toEqual({ kind: 'no-dispute' });
    expect(await close('winDispute', second)).toMatchObject({
      operation: { kind: 'dispute_reversal', amountMinor: 8_000 },
      changed: { kind: 'dispute', id: second },
    });
    expect(await close('loseDispute', null)).toMatchObject({
      operation: { kind: 'dispute', amountMinor: 2_000 },
    });
    expect((await close('winDispute', first)).kind).toBe('refused');
    expect((await close('winDispute', null)).kind).toBe('refused');
    const states = [await gateway.dispute(first), await gateway.dispute(second)];
    expect(states).toMatchObject([
      { dispute: { status: 'lost', movements: [{ amountMinor: -2_000 }], closedAtMs: AT_MS } },
      {
        dispute: {
          status: 'won',
          movements: [{ amountMinor: -8_000 }, { amountMinor: 8_000 }],
          closedAtMs: AT_MS,
        },
      },
    ]);
    expect((await movements()).map(({ amountMinor }) => amountMinor)).toEqual([
      10_000, -2_000, -8_000, 8_000,
    ]);
  });
});

function changedIn(outcome: DashboardOutcome): string {
  if (outcome.kind !== 'done') throw new Error(outcome.kind);
  return outcome.changed.id;
}
