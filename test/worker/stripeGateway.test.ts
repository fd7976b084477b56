/** What only Stripe's adapter does: how it finds, reads and words things at Stripe. */
import type { Stripe } from 'stripe';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { DAY_MS, MINUTE_MS, SECOND_MS } from '../../src/core/time.ts';
import type {
  CardPaymentRequest,
  FollowUpRequest,
  Gateway,
  LookUpRequest,
  MoneyRequest,
  PaymentRecord,
} from '../../src/gateways/gateway.ts';
import type { GatewayMovement } from '../../src/gateways/movements.ts';
import { stripeClient } from '../../src/gateways/stripe/client.ts';
import { StripeGateway } from '../../src/gateways/stripe/gateway.ts';
import type { CardEntry } from '../../src/gateways/vault.ts';
import { evidenceFields } from '../../src/money/disputes/evidence/rules/fields.ts';
import { GOOD } from '../support/cards.ts';
import { stripeConfig } from '../support/onStripe.ts';
import { story } from '../support/story.ts';
import { FakeStripe } from '../support/stripe.ts';

story();

let stripe: FakeStripe;
let gateway: Gateway;

beforeEach(() => {
  stripe = new FakeStripe();
  vi.spyOn(globalThis, 'fetch').mockImplementation(stripe.fetch);
  gateway = new StripeGateway(stripeClient(stripeConfig));
});

const entryOf = (number: string): CardEntry => ({
  number,
  expiryMonth: 12,
  expiryYear: 2030,
  holderName: 'A',
  cvv: '123',
});

async function vault(number = GOOD, account: string | null = null): Promise<string> {
  const vaulted = await gateway.tokenize(entryOf(number), account, true);
  if (vaulted.kind !== 'vaulted') throw new Error(vaulted.refusal.reason);
  return vaulted.gatewayToken;
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

async function made(
  kind: 'charge' | 'authorize',
  changes: Partial<MoneyRequest> = {},
): Promise<FollowUpRequest> {
  const request = requestOf(await vault(), changes);
  const outcome = await gateway[kind](request);
  if (outcome.kind !== 'approved') throw new Error(outcome.kind);
  return { ...request, gatewayReference: outcome.gatewayReference ?? '' };
}

const next = (of: FollowUpRequest, changes: Partial<MoneyRequest> = {}): FollowUpRequest => ({
  ...requestOf(of.gatewayToken, changes),
  gatewayReference: of.gatewayReference,
});

function lookUpOf(
  kind: LookUpRequest['kind'],
  { idempotencyKey, propertyId, reference, gatewayToken }: MoneyRequest,
  gatewayReference: string | null = null,
): LookUpRequest {
  const sinceMs = Date.now();
  const about = { kind, idempotencyKey, propertyId, reference, gatewayToken, gatewayReference };
  return { ...about, sinceMs, untilMs: sinceMs };
}

const lastCall = () => Object.fromEntries(stripe.calls.at(-1)?.params ?? []);
const secondsOf = (ms: number) => Math.floor(ms / SECOND_MS) * SECOND_MS;

describe('a look-up', () => {
  it('finds its payment among any number of others of the card', async () => {
    const token = await vault();
    const lost = requestOf(token);
    await gateway.charge(lost);
    for (let others = 0; others < 230; others += 1) await gateway.charge(requestOf(token));
    expect(await gateway.lookUp(lookUpOf('charge', lost))).toMatchObject({
      kind: 'approved',
      gatewayReference: stripe.intents[0]?.id,
    });
    const never = requestOf(token);
    expect(await gateway.lookUp(lookUpOf('charge', never))).toEqual({ kind: 'absent' });
  });

  it('turns no page after the one with its payment', async () => {
    const token = await vault();
    for (let others = 0; others < 150; others += 1) await gateway.charge(requestOf(token));
    const request = requestOf(token);
    await gateway.charge(request);
    const asked = stripe.calls.length;
    await gateway.lookUp(lookUpOf('charge', request));
    expect(stripe.calls.length - asked).toBe(1);
  });

  it('asks for the time in which the request can have been sent, and some more', async () => {
    const request = requestOf(await vault());
    const sinceMs = Date.now() - DAY_MS;
    const untilMs = sinceMs + 60 * MINUTE_MS;
    await gateway.lookUp({ ...lookUpOf('charge', request), sinceMs, untilMs });
    const { 'created[gte]': from, 'created[lte]': to } = lastCall();
    expect(Number(from)).toBe(Math.floor((sinceMs - 10 * MINUTE_MS) / SECOND_MS));
    expect(Number(to)).toBe(Math.ceil((untilMs + 10 * MINUTE_MS) / SECOND_MS));
  });

  it('is unknown as long as a page does not come', async () => {
    const token = await vault();
    for (let others = 0; others < 120; others += 1) await gateway.charge(requestOf(token));
    const answer = stripe.fetch;
    vi.mocked(globalThis.fetch).mockImplementation((input, init) => {
      const turned = new Request(input).url.includes('starting_after');
      return turned ? Promise.reject(new TypeError('broken')) : answer(input, init);
    });
    expect((await gateway.lookUp(lookUpOf('charge', requestOf(token)))).kind).toBe('unknown');
  });

  it('finds its refund among any number of others of the payment', async () => {
    const charge = await made('charge', { amountMinor: 50_000 });
    const lost = next(charge, { amountMinor: 100 });
    await gateway.refund(lost);
    for (let others = 0; others < 120; others += 1) {
      stripe.refundInDashboard(charge.gatewayReference, 1);
    }
    const asked = lookUpOf('refund', lost, charge.gatewayReference);
    expect(await gateway.lookUp(asked)).toMatchObject({
      kind: 'approved',
      gatewayReference: stripe.refunds[0]?.id,
    });
    const never = lookUpOf('refund', next(charge), charge.gatewayReference);
    expect(await gateway.lookUp(never)).toEqual({ kind: 'absent' });
  });
});

describe('an approval', () => {
  it('says what was taken and when, in minor units and milliseconds', async () => {
    const request = requestOf(await vault());
    const outcome = await gateway.charge(request);
    const [charge] = stripe.charges;
    expect(outcome).toEqual({
      kind: 'approved',
      gatewayReference: stripe.intents[0]?.id,
      lapsesAtMs: null,
      amountMinor: 15_464,
      atMs: (charge?.created ?? 0) * SECOND_MS,
      pending: false,
    });
    expect(await gateway.lookUp(lookUpOf('charge', request))).toEqual(outcome);
  });

  it('of a hold says what is held; of its capture, what was taken, and when that was', async () => {
    const hold = requestOf(await vault(), { currency: 'JPY', amountMinor: 5_000 });
    const held = await gateway.authorize(hold);
    expect(held).toMatchObject({ amountMinor: 5_000, atMs: expect.any(Number), pending: false });
    const gatewayReference = held.kind === 'approved' ? (held.gatewayReference ?? '') : '';
    const capture = { ...requestOf(hold.gatewayToken), currency: 'JPY', amountMinor: 3_000 };
    const taken = await gateway.capture({ ...capture, gatewayReference });
    const [moved] = stripe.balance;
    expect(taken).toMatchObject({
      amountMinor: 3_000,
      atMs: (moved?.created ?? 0) * SECOND_MS,
    });
    if (moved) moved.created += 3_600;
    const found = await gateway.lookUp(lookUpOf('capture', capture, gatewayReference));
    expect(found).toMatchObject({ atMs: (moved?.created ?? 0) * SECOND_MS });
  });

  it('of a release says when the hold was let go', async () => {
    const hold = await made('authorize');
    const released = await gateway.release(next(hold));
    const at = stripe.intents[0]?.canceled_at ?? 0;
    expect(released).toMatchObject({ amountMinor: 15_464, atMs: at * SECOND_MS });
  });

  it.each(['pending', 'requires_action'] as const)(
    'of a refund that is %s says that it can still fail',
    async (status) => {
      const charge = await made('charge');
      stripe.refundStatus = status;
      const refunded = await gateway.refund(next(charge, { amountMinor: 500 }));
      expect(refunded).toMatchObject({
        kind: 'approved',
        amountMinor: 500,
        atMs: (stripe.refunds[0]?.created ?? 0) * SECOND_MS,
        pending: true,
      });
    },
  );
});

describe('a key that may not read what a charge expands', () => {
  it('leaves the outcome of a charge unknown, and of a refund certain', async () => {
    const charge = await made('charge');
    stripe.refuse(403, {});
    expect(await gateway.refund(next(charge, { amountMinor: 500 }))).toMatchObject({
      kind: 'rejected',
      temporary: true,
    });
    const request = requestOf(await vault());
    stripe.fail('403 after execution');
    expect((await gateway.charge(request)).kind).toBe('unknown');
    expect((await gateway.lookUp(lookUpOf('charge', request))).kind).toBe('approved');
  });
});

describe('a refusal', () => {
  const refused = async (status: number, error: object, headers = {}) => {
    const request = requestOf(await vault());
    stripe.refuse(status, error, headers);
    return gateway.charge(request);
  };

  it.each([
    ['too many requests', 429, { code: 'rate_limit' }],
    ['a key that has expired', 401, { code: 'api_key_expired' }],
    ['an account that lets nobody in', 403, { code: 'account_invalid' }],
    ['an account that may not charge yet', 400, { code: 'testmode_charges_only' }],
    ['an error of Stripe’s own', 400, { type: 'api_error' }],
  ])('for %s can pass', async (_why, status, error) => {
    expect(await refused(status, error)).toMatchObject({ kind: 'rejected', temporary: true });
  });

  it.each([
    ['a parameter', 400, { param: 'amount', code: 'parameter_invalid_integer' }],
    ['an object that is not there', 404, { code: 'resource_missing' }],
  ])('for %s stays', async (_why, status, error) => {
    expect(await refused(status, error)).toMatchObject({ kind: 'rejected', temporary: false });
  });

  it.each([
    ['7', 7_000],
    ['0.5', 500],
    ['soon', null],
  ])('with Retry-After: %s', async (header, retryAfterMs) => {
    const rejected = await refused(429, { code: 'rate_limit' }, { 'Retry-After': header });
    expect(rejected).toMatchObject({ kind: 'rejected', retryAfterMs });
  });

  it('with a date in Retry-After', async () => {
    const at = new Date(Date.now() + 60_000).toUTCString();
    const rejected = await refused(429, { code: 'rate_limit' }, { 'Retry-After': at });
    const waits = rejected.kind === 'rejected' ? (rejected.retryAfterMs ?? 0) : 0;
    expect(waits).toBeGreaterThan(0);
    expect(waits).toBeLessThanOrEqual(60_000);
  });

  it('names Stripe’s code or type, its parameter and its request, for the log', async () => {
    const noCode = await refused(400, { param: 'currency', message: 'Card 4242424242424242' });
    expect(noCode).toMatchObject({ reason: 'invalid_request_error (currency, req_1)' });
    const withCode = await refused(400, { code: 'amount_too_small', param: 'amount' });
    expect(withCode).toMatchObject({ reason: 'amount_too_small (amount, req_1)' });
  });

  it('that leaves open what was done is unknown', async () => {
    expect((await refused(424, { code: 'external' })).kind).toBe('unknown');
    expect((await refused(503, { type: 'api_error' })).kind).toBe('unknown');
  });
});

describe('advice', () => {
  it.each([
    [{ advice_code: 'do_not_try_again' }, false],
    [{ advice_code: 'confirm_card_data' }, false],
    [{ advice_code: 'try_again_later' }, true],
    [{ network_advice_code: '01' }, false],
    [{ network_advice_code: '03' }, false],
    [{ network_advice_code: '21' }, false],
    [{ network_advice_code: '02' }, true],
    [{}, true],
  ])('%j after a generic decline: to be tried again %s', async (advice, retryable) => {
    stripe.bankSays = { decline_code: 'generic_decline', ...advice };
    const request = requestOf(await vault());
    const declined = { kind: 'declined', declineCode: 'generic_decline', retryable };
    expect(await gateway.charge(request)).toEqual(declined);
    expect(await gateway.lookUp(lookUpOf('charge', request))).toEqual(declined);
  });
});

const recordOf = async (id: string): Promise<PaymentRecord> => {
  const report = await gateway.payment(id, null);
  if (report.kind !== 'payment') throw new Error(report.kind);
  return report.payment;
};

describe('a payment', () => {
  it('is read with everything that happened to it, by whomever', async () => {
    const charge = await made('charge');
    const ours = next(charge, { amountMinor: 1_000 });
    await gateway.refund(ours);
    stripe.refundStatus = 'pending';
    stripe.refundInDashboard(charge.gatewayReference, 2_000);
    stripe.failRefund(stripe.refunds[0]?.id ?? '');
    const { idempotencyKey, propertyId, bookingReference, reference } = charge;
    const createdMs = (stripe.intents[0]?.created ?? 0) * SECOND_MS;
    expect(await recordOf(charge.gatewayReference)).toEqual({
      id: charge.gatewayReference,
      gatewayReference: charge.gatewayReference,
      status: 'taken',
      about: { propertyId, bookingReference, reference },
      idempotencyKey,
      gatewayToken: charge.gatewayToken,
      currency: 'AUD',
      askedMinor: 15_464,
      takenMinor: 15_464,
      atMs: createdMs,
      lapsesAtMs: null,
      refunds: [
        {
          id: stripe.refunds[0]?.id,
          status: 'failed',
          idempotencyKey: ours.idempotencyKey,
          amountMinor: 1_000,
          atMs: expect.any(Number),
          reason: 'lost_or_stolen_card',
          moved: true,
        },
        {
          id: stripe.refunds[1]?.id,
          status: 'pending',
          idempotencyKey: null,
          amountMinor: 2_000,
          atMs: expect.any(Number),
          reason: null,
          moved: true,
        },
      ],
    });
  });

  it('has all its refunds, oldest first, however many', async () => {
    const charge = await made('charge');
    for (let times = 0; times < 130; times += 1) {
      stripe.refundInDashboard(charge.gatewayReference, 1);
    }
    const { refunds } = await recordOf(charge.gatewayReference);
    expect(refunds.map(({ id }) => id)).toEqual(stripe.refunds.map(({ id }) => id));
  });

  it('that was held, captured in part in the dashboard, is taken when it was captured', async () => {
    const hold = await made('authorize');
    const held = await recordOf(hold.gatewayReference);
    expect(held).toMatchObject({ status: 'held', askedMinor: 15_464, takenMinor: 0 });
    expect(held.lapsesAtMs).toBeGreaterThan(Date.now());
    stripe.captureInDashboard(hold.gatewayReference, 10_000);
    const [moved] = stripe.balance;
    if (moved) moved.created += 3_600;
    expect(await recordOf(hold.gatewayReference)).toMatchObject({
      status: 'taken',
      askedMinor: 15_464,
      takenMinor: 10_000,
      atMs: (moved?.created ?? 0) * SECOND_MS,
      // What the capture left is no refund.
      refunds: [],
    });
  });

  it('that was let go in the dashboard is released', async () => {
    const hold = await made('authorize');
    stripe.cancelInDashboard(hold.gatewayReference);
    const released = { status: 'released', takenMinor: 0, refunds: [], lapsesAtMs: null };
    expect(await recordOf(hold.gatewayReference)).toMatchObject(released);
  });

  it('that was declined has failed', async () => {
    await gateway.charge(requestOf(await vault('4000000000009995')));
    const failed = { status: 'failed', askedMinor: 15_464, takenMinor: 0 };
    expect(await recordOf(stripe.intents[0]?.id ?? '')).toMatchObject(failed);
  });

  it('that somebody made in the dashboard is nobody’s', async () => {
    const id = stripe.chargeInDashboard(500);
    expect(await recordOf(id)).toMatchObject({ about: null, idempotencyKey: null });
  });

  it('is absent if Stripe has none, and unknown if Stripe does not say', async () => {
    expect(await gateway.payment('pi_none', null)).toEqual({ kind: 'absent' });
    stripe.requestsPerSecond = 0;
    expect((await gateway.payment('pi_none', null)).kind).toBe('unknown');
  });
});

const everything = async (changes: { fromMs?: number; toMs?: number } = {}) => {
  const found: GatewayMovement[] = [];
  let cursor: string | null = null;
  let pages = 0;
  do {
    const page = await gateway.movements({
      account: null,
      fromMs: Date.now() - DAY_MS,
      toMs: Date.now() + DAY_MS,
      ...changes,
      cursor,
    });
    if (page.kind !== 'page') throw new Error(page.reason);
    found.push(...page.movements);
    cursor = page.nextCursor;
    pages += 1;
  } while (cursor !== null);
  return { found, pages };
};

describe('movements', () => {
  it('name the payment, what moved and whose it is, whoever moved it', async () => {
    const charge = await made('charge', { amountMinor: 10_000 });
    const id = charge.gatewayReference;
    stripe.refundInDashboard(id, 3_000);
    await gateway.refund(next(charge, { amountMinor: 2_000 }));
    stripe.failRefund(stripe.refunds[1]?.id ?? '');
    const dispute = stripe.dispute(id, 'needs_response');
    stripe.dispute(id, 'won');
    stripe.adjust(-120);
    stripe.payOut();
    const stranger = stripe.chargeInDashboard(500);
    const { found } = await everything();
    const about = { propertyId: 'demo', bookingReference: 'RES-1', reference: charge.reference };
    const [first, second] = stripe.refunds;
    const rows = found
      .toSorted((a, b) => a.id.localeCompare(b.id))
      .map(({ kind, payment, subject, amountMinor }) => [kind, payment, subject, amountMinor]);
    expect(rows).toEqual([
      ['charge', id, id, 10_000],
      ['refund', id, first?.id, -3_000],
      ['refund', id, second?.id, -2_000],
      ['refund_failure', id, second?.id, 2_000],
      ['dispute', id, dispute, -10_000],
      ['dispute_reversal', id, dispute, 10_000],
      ['charge', stranger, stranger, 500],
    ]);
    for (const one of found) {
      expect(one.about).toEqual(one.payment === stranger ? null : about);
      expect([one.currency, one.atMs % SECOND_MS]).toEqual(['AUD', 0]);
    }
  });

  it('of a capture in part are what was taken, as one', async () => {
    const hold = await made('authorize', { amountMinor: 10_000 });
    stripe.captureInDashboard(hold.gatewayReference, 4_000);
    const { found } = await everything();
    expect(found).toMatchObject([
      { kind: 'charge', subject: hold.gatewayReference, amountMinor: 4_000 },
    ]);
  });

  it('are in minor units of ISO 4217', async () => {
    await made('charge', { currency: 'ISK', amountMinor: 500 });
    await made('charge', { currency: 'MGA', amountMinor: 500 });
    const { found } = await everything();
    expect(found.map(({ amountMinor }) => amountMinor)).toEqual([500, 500]);
  });

  it('come in the currency of the payment when the account settles in another', async () => {
    await made('charge', { currency: 'EUR', amountMinor: 500 });
    const [moved] = stripe.balance;
    Object.assign(moved ?? {}, { currency: 'aud', amount: 831 });
    expect((await everything()).found).toMatchObject([{ currency: 'EUR', amountMinor: 500 }]);
  });

  it('come page by page, each once', async () => {
    const token = await vault();
    for (let times = 0; times < 205; times += 1) await gateway.charge(requestOf(token));
    const { found, pages } = await everything();
    expect([found.length, new Set(found.map(({ id }) => id)).size, pages]).toEqual([205, 205, 3]);
  });

  it('are those from the first instant and before the last', async () => {
    await made('charge');
    const [moved] = stripe.balance;
    const atMs = secondsOf(Date.now() - 60_000);
    if (moved) moved.created = atMs / SECOND_MS;
    const count = async (fromMs: number, toMs: number) =>
      (await everything({ fromMs, toMs })).found.length;
    expect(await count(atMs, atMs + 1)).toBe(1);
    expect(await count(atMs + 1, atMs + SECOND_MS)).toBe(0);
    expect(await count(atMs - SECOND_MS, atMs)).toBe(0);
  });

  it('are unknown when Stripe does not list them', async () => {
    stripe.requestsPerSecond = 0;
    const page = await gateway.movements({ account: null, fromMs: 0, toMs: 1, cursor: null });
    expect(page.kind).toBe('unknown');
  });

  it('are those of the account', async () => {
    await gateway.movements({ account: 'acct_9', fromMs: 0, toMs: 1, cursor: null });
    expect(stripe.calls.at(-1)?.headers.get('Stripe-Account')).toBe('acct_9');
  });
});

describe('a dispute', () => {
  const disputed = async (
    status: string,
    before: readonly string[] = [],
    dueBy?: number | null,
  ) => {
    const charge = await made('charge');
    for (const earlier of before) stripe.dispute(charge.gatewayReference, earlier, dueBy);
    const id = stripe.dispute(charge.gatewayReference, status, dueBy);
    const report = await gateway.dispute(id, null);
    if (report.kind !== 'dispute') throw new Error(report.kind);
    return report.dispute;
  };

  it.each([
    ['warning_needs_response', 'needs_response', false],
    ['warning_under_review', 'under_review', false],
    ['warning_closed', 'won', false],
    ['needs_response', 'needs_response', true],
    ['under_review', 'under_review', true],
    ['appeal_needs_response', 'needs_response', true],
    ['appeal_under_review', 'under_review', true],
    ['lost', 'lost', true],
    ['prevented', 'won', false],
    ['something_new', 'under_review', true],
  ])('that is %s at Stripe is %s, its funds withdrawn: %s', async (theirs, ours, withdrawn) => {
    expect(await disputed(theirs)).toMatchObject({
      status: ours,
      movements: withdrawn ? [{ amountMinor: -15_464 }] : [],
    });
  });

  it('is answered by Stripe’s names of its fields, and only where it waits for an answer', async () => {
    const charge = await made('charge');
    const id = stripe.dispute(charge.gatewayReference, 'needs_response');
    const request = {
      idempotencyKey: 'evidence-1',
      propertyId: 'demo',
      gatewayToken: 'acct_9/cus_1/pm_1',
      askedAtMs: Date.now(),
      disputeId: id,
    };
    const named: readonly (keyof Stripe.DisputeUpdateParams.Evidence)[] = evidenceFields;
    const texts = Object.fromEntries(named.map((field) => [field, `about ${field}`]));
    const evidence = { texts, stayHappened: false, document: null };
    const sent = await gateway.submitEvidence({ ...request, ...evidence });
    expect(sent).toMatchObject({ kind: 'approved', gatewayReference: id });
    const call = stripe.calls.at(-1);
    expect([call?.method, call?.path]).toEqual(['POST', `/v1/disputes/${id}`]);
    expect(call?.headers.get('Idempotency-Key')).toBe('evidence-1');
    expect(call?.headers.get('Stripe-Account')).toBe('acct_9');
    expect(Object.fromEntries(call?.params ?? [])).toMatchObject({
      submit: 'true',
      'evidence[customer_name]': 'about customer_name',
    });
    const closed = await gateway.acceptDispute({ ...request, idempotencyKey: 'close-1' });
    expect(closed.kind).toBe('rejected');
    expect(stripe.calls.at(-1)?.path).toBe(`/v1/disputes/${id}/close`);
  });

  /** A dispute that waits for an answer, and a way to send evidence with a document. */
  const answerable = async (idempotencyKey: string) => {
    const { gatewayReference, gatewayToken } = await made('charge');
    const disputeId = stripe.dispute(gatewayReference, 'needs_response');
    const { evidence } = stripe.disputes.find(({ id }) => id === disputeId) ?? {};
    const submit = (document: string | null) =>
      gateway.submitEvidence({
        idempotencyKey,
        propertyId: 'demo',
        gatewayToken,
        askedAtMs: Date.now(),
        disputeId,
        texts: { customer_name: 'Ana' },
        stayHappened: true,
        document,
      });
    return { evidence, gatewayToken, submit };
  };

  const pdf = new TextEncoder().encode('%PDF-1.7');

  it('takes a PDF that was uploaded where Stripe takes files, once for a key', async () => {
    const { evidence, gatewayToken, submit } = await answerable('document-1');
    const upload = () => gateway.keepDocument({ idempotencyKey: 'file-1', gatewayToken, pdf });
    const document = await upload();
    expect(await upload()).toBe(document);
    expect(stripe.files).toEqual([expect.objectContaining({ id: document, size: pdf.length })]);
    expect(stripe.calls.at(-1)).toMatchObject({ host: 'files.stripe.com', path: '/v1/files' });
    expect((await submit(document)).kind).toBe('approved');
    expect(evidence).toEqual({ customer_name: 'Ana', uncategorized_file: document });
  });

  it('goes without a document that Stripe refuses, under a key of its own', async () => {
    const { evidence, submit } = await answerable('document-2');
    expect((await submit('file_unknown')).kind).toBe('approved');
    expect(evidence).toEqual({ customer_name: 'Ana' });
    const keys = stripe.calls.slice(-2).map(({ headers }) => headers.get('Idempotency-Key'));
    expect(keys).toEqual(['document-2', 'document-2/texts']);
  });

  it.each(['429', '500 without error', 'reset before execution'] as const)(
    'has no document where its upload has no answer: %s',
    async (fault) => {
      stripe.fail(fault);
      const request = { idempotencyKey: 'file-2', gatewayToken: '/cus_1/pm_1', pdf };
      expect(await gateway.keepDocument(request)).toBeNull();
    },
  );

  it('costs its fee, and is to be answered in time', async () => {
    const dueBy = Math.floor(Date.now() / SECOND_MS) + 86_400;
    expect(await disputed('needs_response', [], dueBy)).toMatchObject({
      currency: 'AUD',
      amountMinor: 15_464,
      feeMinor: 2_500,
      respondByMs: dueBy * SECOND_MS,
      closedAtMs: null,
    });
    expect(await disputed('needs_response', [], 0)).toMatchObject({ respondByMs: null });
    expect(await disputed('warning_needs_response')).toMatchObject({ feeMinor: 0 });
  });

  it('that is won brings the funds back, and is closed when they come', async () => {
    const won = await disputed('won', ['needs_response']);
    const [, reversal] = stripe.disputes[0]?.balance_transactions ?? [];
    expect(won).toMatchObject({
      status: 'won',
      movements: [{ amountMinor: -15_464 }, { amountMinor: 15_464 }],
      respondByMs: null,
      closedAtMs: (reversal?.created ?? 0) * SECOND_MS,
    });
  });

  it('that was prevented by giving the money back is lost', async () => {
    expect(await disputed('prevented', ['needs_response'])).toMatchObject({
      status: 'lost',
      movements: [{ amountMinor: -15_464 }],
    });
  });
});

describe('what a person reads', () => {
  it('is the description, and the property’s name on the statement', async () => {
    await made('charge', { description: 'Grand Hotel, RES-1: Deposit', statementName: 'Übersee' });
    expect(stripe.intents[0]).toMatchObject({
      description: 'Grand Hotel, RES-1: Deposit',
      statement_descriptor_suffix: 'Ubersee',
    });
  });

  it.each([
    ["O'Connor's <Inn> \\ *", 'O Connor s'],
    ['Grand Hotel Sydney', 'Grand Hote'],
    ['Hôtel Ærø', 'Hotel Aero'],
    ['A', 'A'],
  ])('%s on a statement is %s', async (statementName, suffix) => {
    await made('charge', { statementName });
    expect(stripe.intents[0]?.statement_descriptor_suffix).toBe(suffix);
  });

  it.each(['东京旅馆', '1234', '', "*'<>"])('%s says nothing there', async (statementName) => {
    await made('charge', { statementName });
    expect(lastCall()).not.toHaveProperty('statement_descriptor_suffix');
  });

  it('is the account’s own name where the property has an account', async () => {
    await gateway.charge(requestOf(await vault(GOOD, 'acct_9')));
    expect(lastCall()).not.toHaveProperty('statement_descriptor_suffix');
    expect(lastCall()).toHaveProperty('description');
  });
});

describe('a hold', () => {
  const EXTENDED = 'payment_method_options[card][request_extended_authorization]';

  it('asks for the longest that the card allows; a charge does not', async () => {
    const held = await gateway.authorize(requestOf(await vault()));
    expect(lastCall()[EXTENDED]).toBe('if_available');
    const days = held.kind === 'approved' ? ((held.lapsesAtMs ?? 0) - Date.now()) / DAY_MS : 0;
    expect(Math.round(days)).toBe(30);
    await gateway.charge(requestOf(await vault()));
    expect(lastCall()).not.toHaveProperty(EXTENDED);
  });

  it('is an ordinary one, made once, where Stripe gives the account no longer ones', async () => {
    stripe.extendedHolds = false;
    const request = requestOf(await vault());
    const held = await gateway.authorize(request);
    expect(held.kind).toBe('approved');
    expect(await gateway.authorize(request)).toEqual(held);
    expect(stripe.effects).toMatchObject([{ kind: 'authorization' }]);
    expect(await gateway.lookUp(lookUpOf('authorization', request))).toEqual(held);
  });
});

describe('the vault', () => {
  it('tells of a card what Stripe knows: its funding and its country', async () => {
    expect(await gateway.tokenize(entryOf(GOOD), null, true)).toMatchObject({
      kind: 'vaulted',
      traits: { funding: 'credit', issuerCountry: 'US' },
    });
  });

  it.each([
    ['4000000000000002', 'generic_decline'],
    ['4000000000009979', 'stolen_card'],
    ['4000002500003155', 'authentication_required'],
  ])('says of %s that its bank declined it: %s', async (number, declineCode) => {
    expect(await gateway.tokenize(entryOf(number), null, true)).toMatchObject({
      kind: 'declined',
      declineCode,
    });
  });

  it('gives Stripe’s own words for any other refusal, without the number', async () => {
    stripe.rawNumbers = false;
    const refused = await gateway.tokenize(entryOf(GOOD), null, true);
    expect(refused).toEqual({
      kind: 'refused',
      refusal: {
        reason: 'invalid_request_error (card[number], req_1)',
        message: expect.stringContaining('generally unsafe'),
        parameter: 'card[number]',
        requestId: 'req_1',
      },
    });
    expect(JSON.stringify(refused)).not.toContain('4242');
  });

  it.each(['4242 4242 4242 4242', '4242-4242-4242-4242', '378282246310005'])(
    'keeps %s out of what it tells, however it is written',
    async (written) => {
      stripe.refuse(400, { code: 'x', message: `You sent ${written}, not a token` });
      const refused = await gateway.tokenize(entryOf(GOOD), null, true);
      expect(refused).toMatchObject({
        refusal: { message: 'You sent [number], not a token' },
      });
    },
  );
});

describe('the smallest step of an amount', () => {
  it.each([
    ['AUD', 1],
    ['JPY', 1],
    ['KWD', 10],
    ['BHD', 10],
    ['MGA', 100],
    ['UGX', 1],
    ['ISK', 1],
  ])('in %s is %d', (currency, step) => {
    expect(gateway.amountStepMinor(currency)).toBe(step);
  });
});
