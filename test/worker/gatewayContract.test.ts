/** What every gateway must do, whichever it is: the same cases over each adapter. */
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { DAY_MS } from '../../src/core/time.ts';
import type {
  CardPaymentRequest,
  FollowUpRequest,
  Gateway,
  LookUpRequest,
  MoneyRequest,
  OpenPayment,
} from '../../src/gateways/gateway.ts';
import type { GatewayMovement } from '../../src/gateways/movements.ts';
import { SandboxGateway } from '../../src/gateways/sandbox.ts';
import { stripeClient } from '../../src/gateways/stripe/client.ts';
import { StripeGateway } from '../../src/gateways/stripe/gateway.ts';
import type { GatewayName } from '../../src/platform/config.ts';
import { SandboxAcquirer } from '../../src/sandbox/acquirer/acquirer.ts';
import { sandboxAcquirer } from '../../src/sandbox/stub.ts';
import { testEnv } from '../support/api.ts';
import { ASKS_GUEST, GOOD, INSUFFICIENT_FUNDS, LOST_CARD } from '../support/cards.ts';
import { story } from '../support/story.ts';
import { FakeStripe } from '../support/stripe.ts';

story();

let stripe = new FakeStripe();

function stripeGateway(): Gateway {
  return new StripeGateway(
    stripeClient({ secretKey: 'sk_test_1', apiBase: new URL('https://api.stripe.com') }),
  );
}

const gateways: Readonly<Record<GatewayName, () => Gateway>> = {
  sandbox: () => new SandboxGateway(testEnv),
  stripe: stripeGateway,
};

beforeEach(() => {
  stripe = new FakeStripe();
  vi.spyOn(globalThis, 'fetch').mockImplementation(stripe.fetch);
});

async function vault(gateway: Gateway, number: string, account: string | null = null) {
  const entry = { number, expiryMonth: 12, expiryYear: 2030, holderName: 'A', cvv: '123' };
  const vaulted = await gateway.tokenize(entry, account, false);
  if (vaulted.kind !== 'vaulted') throw new Error(vaulted.refusal.reason);
  return vaulted.gatewayToken;
}

/** The guest confirms a payment at their bank. */
async function confirmAtBank(name: string, { gatewayReference, url }: OpenPayment): Promise<void> {
  if (name === 'stripe') stripe.confirmAtBank(gatewayReference);
  else await sandboxAcquirer(testEnv).decideAtBank(url?.split('/').at(-1) ?? '', true, Date.now());
}

/** A charge that its cardholder disputes, and the acquirer's id of the dispute. */
async function disputedCharge(gateway: Gateway) {
  const request = requestOf(await vault(gateway, GOOD));
  const charge = await gateway.charge(request);
  if (charge.kind !== 'approved') throw new Error(charge.kind);
  const payment = charge.gatewayReference ?? '';
  if (gateway.name === 'stripe') {
    return { request, dispute: stripe.dispute(payment, 'needs_response') };
  }
  const desk = { action: 'dispute', payment } as const;
  const done = await sandboxAcquirer(testEnv).act(desk, Date.now(), false);
  if (done.kind !== 'done') throw new Error(done.kind);
  return { request, dispute: done.changed.id };
}

let keys = 0;

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
    amountMinor: 15_464,
    currency: 'AUD',
    gatewayToken,
    description: 'Demo Property, RES-1',
    statementName: 'Demo Property',
    askedAtMs: Date.now(),
    initiator: 'property',
    returnUrl: null,
    ...changes,
  };
}

function lookUpRequestOf(
  kind: LookUpRequest['kind'],
  request: MoneyRequest,
  gatewayReference: string | null = null,
): LookUpRequest {
  const { idempotencyKey, propertyId, reference, gatewayToken } = request;
  const sinceMs = Date.now();
  return {
    kind,
    idempotencyKey,
    propertyId,
    reference,
    gatewayToken,
    gatewayReference,
    sinceMs,
    untilMs: sinceMs + 60_000,
  };
}

/** A charge or hold that was approved, to go on with. */
async function approved(
  gateway: Gateway,
  kind: 'charge' | 'authorize',
): Promise<(changes?: Partial<MoneyRequest>) => FollowUpRequest> {
  const token = await vault(gateway, GOOD);
  const outcome = await gateway[kind](requestOf(token));
  if (outcome.kind !== 'approved') throw new Error(outcome.kind);
  const gatewayReference = outcome.gatewayReference ?? '';
  return (changes = {}) => ({ ...requestOf(token, changes), gatewayReference });
}

/** The movements of a payment, of all pages. */
async function movementsOf(gateway: Gateway, payment: string) {
  const found: GatewayMovement[] = [];
  let cursor: string | null = null;
  do {
    const query = { account: null, fromMs: Date.now() - DAY_MS, toMs: Date.now() + DAY_MS };
    const page = await gateway.movements({ ...query, cursor });
    if (page.kind !== 'page') throw new Error(page.reason);
    found.push(...page.movements);
    cursor = page.nextCursor;
  } while (cursor !== null);
  return found
    .filter((one) => one.payment === payment)
    .map(({ about, amountMinor, currency, kind, subject }) => {
      expect(about).toMatchObject({ propertyId: 'demo', bookingReference: 'RES-1' });
      return { kind, subject, amountMinor, currency };
    });
}

describe.each(Object.entries(gateways))('the gateway %s', (name, make) => {
  it('says what it knows of a card, and of another that it has none', async () => {
    const token = await vault(make(), GOOD);
    const known = { brand: 'visa', last4: '4242', expiryMonth: 12, expiryYear: 2030 };
    expect(await make().card(token)).toEqual({ kind: 'card', ...known });
    expect(await make().card(`${token}x`)).toEqual({ kind: 'absent' });
    vi.spyOn(globalThis, 'fetch').mockRejectedValue(new Error('out of reach'));
    vi.spyOn(SandboxAcquirer.prototype, 'card').mockRejectedValue(new Error('out of reach'));
    expect((await make().card(token)).kind).toBe('unknown');
  });

  it('detaches a card for good: it charges it no more, and refunds what was charged', async () => {
    const charged = (await approved(make(), 'charge'))();
    const { gatewayToken } = charged;
    expect(await make().detach(gatewayToken)).toEqual({ kind: 'detached' });
    expect(await make().detach(gatewayToken)).toEqual({ kind: 'detached' });
    expect((await make().charge(requestOf(gatewayToken))).kind).toBe('rejected');
    expect((await make().refund({ ...charged, amountMinor: 100 })).kind).toBe('approved');
  });

  it('says what it took, held, let go and gave back, and when', async () => {
    const gateway = make();
    const token = await vault(gateway, GOOD);
    const said = (amountMinor: number) => ({
      kind: 'approved',
      gatewayReference: expect.any(String),
      amountMinor,
      atMs: expect.any(Number),
      pending: false,
    });
    expect(await gateway.charge(requestOf(token))).toMatchObject(said(15_464));
    expect(await gateway.authorize(requestOf(token))).toMatchObject(said(15_464));
    const charge = await approved(gateway, 'charge');
    expect(await gateway.refund(charge({ amountMinor: 1_000 }))).toMatchObject(said(1_000));
    const hold = await approved(gateway, 'authorize');
    expect(await gateway.capture(hold({ amountMinor: 10_000 }))).toMatchObject(said(10_000));
    const other = await approved(gateway, 'authorize');
    expect(await gateway.release(other())).toMatchObject({ kind: 'approved' });
  });

  it('reads a payment with its refunds, and its movements', async () => {
    const gateway = make();
    const charge = requestOf(await vault(gateway, GOOD));
    const taken = await gateway.charge(charge);
    const id = (taken.kind === 'approved' && taken.gatewayReference) || '';
    const refund = { ...requestOf(charge.gatewayToken, { amountMinor: 5_000 }) };
    const given = await gateway.refund({ ...refund, gatewayReference: id });
    const { bookingReference, idempotencyKey, propertyId, reference } = charge;
    expect(await gateway.payment(id, null)).toMatchObject({
      kind: 'payment',
      payment: {
        id,
        status: 'taken',
        about: { propertyId, bookingReference, reference },
        idempotencyKey,
        currency: 'AUD',
        askedMinor: 15_464,
        takenMinor: 15_464,
        atMs: expect.any(Number),
        refunds: [
          { status: 'succeeded', idempotencyKey: refund.idempotencyKey, amountMinor: 5_000 },
        ],
      },
    });
    expect(await movementsOf(gateway, id)).toEqual(
      expect.arrayContaining([
        { kind: 'charge', subject: id, amountMinor: 15_464, currency: 'AUD' },
        {
          kind: 'refund',
          subject: given.kind === 'approved' && given.gatewayReference,
          amountMinor: -5_000,
          currency: 'AUD',
        },
      ]),
    );
    expect(await movementsOf(gateway, id)).toHaveLength(2);
  });

  it('reads a hold as held, then as taken in part; another as released; none as absent', async () => {
    const gateway = make();
    const token = await vault(gateway, GOOD);
    const holdOf = async () => {
      const request = requestOf(token);
      const held = await gateway.authorize(request);
      const gatewayReference = (held.kind === 'approved' && held.gatewayReference) || '';
      return { ...request, gatewayReference };
    };
    const statusOf = async ({ gatewayReference }: FollowUpRequest) => {
      const report = await gateway.payment(gatewayReference, null);
      if (report.kind !== 'payment') throw new Error(report.kind);
      const { askedMinor, refunds, status, takenMinor } = report.payment;
      return [status, askedMinor, takenMinor, refunds.length];
    };
    const hold = await holdOf();
    const { gatewayReference } = hold;
    expect(await statusOf(hold)).toEqual(['held', 15_464, 0, 0]);
    expect(await movementsOf(gateway, gatewayReference)).toEqual([]);
    const capture = { ...requestOf(token, { amountMinor: 10_000 }), gatewayReference };
    await gateway.capture({ ...capture, reference: hold.reference });
    expect(await statusOf(hold)).toEqual(['taken', 15_464, 10_000, 0]);
    expect(await movementsOf(gateway, gatewayReference)).toMatchObject([
      { kind: 'charge', amountMinor: 10_000 },
    ]);
    const other = await holdOf();
    await gateway.release({ ...requestOf(token), gatewayReference: other.gatewayReference });
    expect(await statusOf(other)).toEqual(['released', 15_464, 0, 0]);
    expect(await movementsOf(gateway, other.gatewayReference)).toEqual([]);
    expect(await gateway.payment('pi_none', null)).toEqual({ kind: 'absent' });
  });

  it('tells a card’s funding and its issuer’s country', async () => {
    const entry = { expiryMonth: 12, expiryYear: 2030, holderName: 'A', cvv: '123' };
    expect(await make().tokenize({ ...entry, number: GOOD }, null, true)).toMatchObject({
      kind: 'vaulted',
      traits: { funding: 'credit', issuerCountry: 'US' },
    });
  });

  it('takes amounts that are multiples of a step, 1 of most currencies', () => {
    for (const currency of ['AUD', 'EUR', 'JPY']) {
      expect(make().amountStepMinor(currency)).toBe(1);
    }
  });

  it('charges once however often it is asked under one key', async () => {
    const gateway = make();
    const request = requestOf(await vault(gateway, GOOD));
    const first = await gateway.charge(request);
    expect(first).toMatchObject({ kind: 'approved', gatewayReference: expect.any(String) });
    expect(await gateway.charge(request)).toEqual(first);
    expect(await gateway.lookUp(lookUpRequestOf('charge', request))).toMatchObject({
      kind: 'approved',
      gatewayReference: first.kind === 'approved' ? first.gatewayReference : '',
    });
  });

  it.each([
    [INSUFFICIENT_FUNDS, 'insufficient_funds', true],
    [LOST_CARD, 'lost_card', false],
  ])(
    'tells the decline of %s by its code, and whether to try again',
    async (number, code, again) => {
      const gateway = make();
      const request = requestOf(await vault(gateway, number));
      const declined = { kind: 'declined', declineCode: code, retryable: again };
      expect(await gateway.charge(request)).toEqual(declined);
      expect(await gateway.lookUp(lookUpRequestOf('charge', request))).toEqual(declined);
    },
  );

  it('holds, captures a part once, and knows both afterwards', async () => {
    const gateway = make();
    const followUp = await approved(gateway, 'authorize');
    const capture = followUp({ amountMinor: 10_000 });
    const reference = capture.gatewayReference;
    expect(await gateway.lookUp(lookUpRequestOf('capture', capture, reference))).toEqual({
      kind: 'absent',
    });
    const captured = await gateway.capture(capture);
    expect(captured.kind).toBe('approved');
    expect(await gateway.capture(capture)).toEqual(captured);
    expect((await gateway.lookUp(lookUpRequestOf('capture', capture, reference))).kind).toBe(
      'approved',
    );
    expect((await gateway.capture(followUp())).kind).toBe('rejected');
  });

  it('lets a hold go, after which it cannot be captured', async () => {
    const gateway = make();
    const followUp = await approved(gateway, 'authorize');
    const release = followUp();
    expect((await gateway.release(release)).kind).toBe('approved');
    const asked = lookUpRequestOf('release', release, release.gatewayReference);
    expect((await gateway.lookUp(asked)).kind).toBe('approved');
    expect((await gateway.capture(followUp())).kind).toBe('rejected');
  });

  it.each(['evidence', 'acceptance'] as const)(
    'takes one answer to a dispute: %s',
    async (kind) => {
      const gateway = make();
      const { dispute, request } = await disputedCharge(gateway);
      const { gatewayToken, idempotencyKey, propertyId } = request;
      const answer = { gatewayToken, idempotencyKey: `${idempotencyKey}-${kind}`, propertyId };
      const asked = lookUpRequestOf('refund', request, dispute);
      const look = () => gateway.lookUp({ ...asked, kind });
      expect(await look()).toEqual({ kind: 'absent' });
      const send = (key = answer.idempotencyKey) => {
        const sent = { ...answer, idempotencyKey: key, disputeId: dispute, askedAtMs: Date.now() };
        return kind === 'evidence'
          ? gateway.submitEvidence({
              ...sent,
              texts: { customer_name: 'A' },
              stayHappened: true,
              document: null,
            })
          : gateway.acceptDispute(sent);
      };
      const first = await send();
      expect(first).toMatchObject({ kind: 'approved', gatewayReference: dispute });
      expect(await send()).toEqual(first);
      expect((await send('another key')).kind).toBe('rejected');
      expect(await look()).toMatchObject({ kind: 'approved', gatewayReference: dispute });
      const report = await gateway.dispute(dispute, null);
      expect(report).toMatchObject({
        dispute: { status: kind === 'evidence' ? 'under_review' : 'lost' },
      });
    },
  );

  it('refunds in parts, never more than was charged, and each once', async () => {
    const gateway = make();
    const followUp = await approved(gateway, 'charge');
    const part = followUp({ amountMinor: 10_000 });
    const refunded = await gateway.refund(part);
    expect(refunded.kind).toBe('approved');
    expect(await gateway.refund(part)).toEqual(refunded);
    const asked = lookUpRequestOf('refund', part, part.gatewayReference);
    expect((await gateway.lookUp(asked)).kind).toBe('approved');
    expect((await gateway.refund(followUp({ amountMinor: 5_465 }))).kind).toBe('rejected');
    expect((await gateway.refund(followUp({ amountMinor: 5_464 }))).kind).toBe('approved');
  });

  describe('asked by a guest whose bank wants to verify them', () => {
    async function opened(gateway: Gateway) {
      stripe.phoneOrders = true;
      const returnUrl = 'https://pay.hotel.com/guest/v1/payments/1/receipt/2';
      const token = await vault(gateway, ASKS_GUEST);
      const request = requestOf(token, { initiator: 'guest', returnUrl });
      const open = await gateway.charge(request);
      if (open.kind !== 'open') throw new Error(open.kind);
      const look = () => gateway.lookUp(lookUpRequestOf('charge', request));
      return { request, open, look, abandon: () => gateway.abandon(open.gatewayReference, token) };
    }

    it('leaves the payment open, and tells where the guest confirms it', async () => {
      const gateway = make();
      const { request, open, look } = await opened(gateway);
      expect(open.url).toMatch(/^https:\/\//);
      expect(await look()).toEqual(open);
      expect(await gateway.charge(request), 'sent again').toEqual(open);
      const report = await gateway.payment(open.gatewayReference, null);
      expect(report).toMatchObject({ payment: { status: 'open', takenMinor: 0 } });
      expect(await movementsOf(gateway, open.gatewayReference)).toEqual([]);
    });

    it('takes it once it is confirmed, and cancels it no more', async () => {
      const gateway = make();
      const { open, look, abandon } = await opened(gateway);
      await confirmAtBank(name, open);
      const taken = { kind: 'approved', gatewayReference: open.gatewayReference };
      expect(await look()).toMatchObject({ ...taken, amountMinor: 15_464 });
      expect(await abandon()).toMatchObject(taken);
      expect(await movementsOf(gateway, open.gatewayReference)).toMatchObject([
        { kind: 'charge', amountMinor: 15_464 },
      ]);
    });

    it('cancels it for good when it is abandoned', async () => {
      const gateway = make();
      const { open, look, abandon } = await opened(gateway);
      const declined = {
        kind: 'declined',
        declineCode: 'authentication_required',
        retryable: false,
      };
      for (let times = 0; times < 2; times += 1) expect(await abandon()).toEqual(declined);
      await confirmAtBank(name, open);
      expect(await look()).toEqual(declined);
      expect(await movementsOf(gateway, open.gatewayReference)).toEqual([]);
    });

    it('does not know what became of a payment that it does not have', async () => {
      const gateway = make();
      const token = await vault(gateway, GOOD);
      expect((await gateway.abandon('pi_none', token)).kind).toBe('unknown');
    });
  });

  it('says of what it never heard that it has no such operation', async () => {
    const gateway = make();
    const request = requestOf(await vault(gateway, GOOD));
    expect(await gateway.lookUp(lookUpRequestOf('charge', request))).toEqual({ kind: 'absent' });
  });
});

describe('the gateway stripe', () => {
  it.each([
    ['500 without error', 'unknown', 0],
    ['500 after execution', 'unknown', 1],
    ['malformed after execution', 'unknown', 1],
    ['409 in progress', 'unknown', 0],
    ['reset before execution', 'unknown', 0],
    ['429', 'rejected', 0],
  ] as const)('after %s says %s, and finds out by looking', async (fault, kind, executed) => {
    const gateway = stripeGateway();
    const request = requestOf(await vault(gateway, GOOD));
    stripe.fail(fault);
    expect((await gateway.charge(request)).kind).toBe(kind);
    expect(stripe.intents).toHaveLength(executed);
    const found = await gateway.lookUp(lookUpRequestOf('charge', request));
    expect(found.kind).toBe(executed === 1 ? 'approved' : 'absent');
    // What is sent again under its key has one effect.
    expect((await gateway.charge(request)).kind).toBe('approved');
    expect(stripe.intents).toHaveLength(1);
  });

  it('speaks as Stripe expects: forms, keys, version, account, metadata', async () => {
    const gateway = stripeGateway();
    const token = await vault(gateway, GOOD, 'acct_9');
    const request = requestOf(token, { currency: 'JPY', amountMinor: 500 });
    await gateway.charge(request);
    const call = stripe.calls.at(-1);
    expect(call?.headers.get('Content-Type')).toBe('application/x-www-form-urlencoded');
    expect(call?.headers.get('Idempotency-Key')).toBe(request.idempotencyKey);
    expect(call?.headers.get('Stripe-Version')).toMatch(/^\d{4}-\d{2}-\d{2}\.\w+$/);
    expect(call?.headers.get('Stripe-Account')).toBe('acct_9');
    expect(call?.headers.get('Authorization')).toBe('Bearer sk_test_1');
    expect(Object.fromEntries(call?.params ?? [])).toMatchObject({
      amount: '500',
      currency: 'jpy',
      off_session: 'true',
      confirm: 'true',
      'metadata[reference]': request.reference,
      'metadata[booking]': 'RES-1',
    });
  });

  it('does not send an amount that Stripe would round', async () => {
    const gateway = stripeGateway();
    const token = await vault(gateway, GOOD);
    const sent = stripe.calls.length;
    const refused = await gateway.charge(requestOf(token, { currency: 'KWD', amountMinor: 1_234 }));
    expect([refused.kind, stripe.calls.length]).toEqual(['rejected', sent]);
    const taken = await gateway.charge(requestOf(token, { currency: 'KWD', amountMinor: 1_230 }));
    expect(taken.kind).toBe('approved');
  });
});
