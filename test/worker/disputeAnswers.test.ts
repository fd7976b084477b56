/** Disputes that are answered: evidence, its sending, giving up, and what the acquirer decides by the property's clock. */
import { describe, expect, it, vi } from 'vitest';
import { DAY_MS, HOUR_MS } from '../../src/core/time.ts';
import { SandboxGateway } from '../../src/gateways/sandbox.ts';
import {
  type Answer,
  attachCard,
  bookingOf,
  call,
  callAsAdmin,
  engineToken,
  http,
  makeProperty,
} from '../support/api.ts';
import { GOOD } from '../support/cards.ts';
import { story } from '../support/story.ts';

story({ freshDatabase: true, silent: ['pms'] });

let made = 0;

/** A day from now, as bookings have it. */
function dayIn(days: number): string {
  const [year, month, day] = new Date(Date.now() + days * DAY_MS).toISOString().split(/[-T]/);
  return [day, month, year].join('-');
}

/** A disputed charge of a property of its own, whose clock nobody else moves. */
async function disputed(stay: Record<string, unknown> = {}) {
  made += 1;
  const property = `dispute-${made}`;
  const token = await makeProperty(property, {});
  const options = { token };
  const reference = 'RES-1';
  await call('/booking/v1/create/manage-payments', bookingOf(reference, stay), options);
  await attachCard(reference, GOOD, options);
  const { json } = await call('/payment/v1/create', { reference, amount: 100 }, options);
  const chargeId = json.transaction.id;
  const post = (path: string, body: object = {}, key?: string) =>
    call(path, body, { ...options, ...(key && { headers: { 'Idempotency-Key': key } }) });
  const act = (action: string) =>
    callAsAdmin('/sandbox/v1/act', { action, property, reference, chargeId });
  await act('dispute');
  const list = async () => (await post('/dispute/v1/list', { reference })).json;
  await vi.waitFor(async () => expect((await list()).disputes).toHaveLength(1), 5_000);
  const [{ disputeId, respondBy } = { disputeId: '', respondBy: '' }] = (await list()).disputes;
  const clock = async () =>
    Date.parse((await callAsAdmin('/sandbox/v1/clock/get', { property })).json.now);
  return {
    property,
    token,
    reference,
    chargeId,
    disputeId,
    respondByMs: Date.parse(respondBy ?? ''),
    post,
    act,
    clock,
    status: async () => (await list()).disputes[0]?.status,
    closedAt: async () => Date.parse((await list()).disputes[0]?.closedAt ?? ''),
    send: (body: object = {}, key?: string) =>
      post('/dispute/v1/submit', { disputeId, ...body }, key),
    accept: (key?: string) => post('/dispute/v1/accept', { disputeId }, key),
    advanceTo: (toMs: number) =>
      callAsAdmin('/sandbox/v1/clock/advance', { property, to: new Date(toMs).toISOString() }),
    events: async () => {
      const listed = await post('/event/v1/list', { reference, types: ['dispute.*'] });
      return listed.json.events.map(({ type }) => type);
    },
  };
}

const PAST_STAY = { arrival: dayIn(-4), departure: dayIn(-2) };

const codeOf = ({ json, status }: Answer) => [status, json.code];

describe('evidence', () => {
  it('is all that is known, with what is missing and what would be sent', async () => {
    const one = await disputed();
    const { json, status } = await one.post('/dispute/v1/evidence', { disputeId: one.disputeId });
    expect(status).toBe(200);
    expect(json.evidence).toMatchObject({
      disputeId: one.disputeId,
      reason: 'general',
      facts: {
        booking: { reference: one.reference, status: 'booked' },
        payments: [{ chargeId: one.chargeId, cardNumber: '4242', disputed: true, bankStep: null }],
        stay: { happened: false },
      },
      documents: [{ kind: 'evidence', url: expect.stringContaining('/dispute/v1/evidence.pdf?') }],
      missing: expect.arrayContaining(['stay', 'policy']),
      suggested: { customer_email_address: expect.stringContaining('@') },
    });
    expect(JSON.stringify(json)).not.toContain(GOOD);
  });

  it('is there as a PDF, for who may read it', async () => {
    const one = await disputed(PAST_STAY);
    const path = `/dispute/v1/evidence.pdf?disputeId=${one.disputeId}`;
    const asked = (token: string, of = path) =>
      http(of, { headers: { Authorization: `Bearer ${token}` } });
    const pdf = await asked(one.token);
    expect([pdf.status, pdf.headers.get('Content-Type')]).toEqual([200, 'application/pdf']);
    const text = await pdf.text();
    expect(text).toContain(`(Reference: ${one.reference}`);
    expect(text).toContain('(Charge: AUD 100.00 on ');
    expect(text).toContain('ending in 4242');
    expect(text).not.toContain(GOOD);
    expect((await asked(await engineToken())).status).toBe(404);
    expect((await asked('none')).status).toBe(401);
    expect((await asked(one.token, '/dispute/v1/evidence.pdf')).status).toBe(400);
  });

  it('of a dispute that the property does not have is not there', async () => {
    const one = await disputed();
    for (const path of ['evidence', 'submit', 'accept']) {
      const answer = await one.post(`/dispute/v1/${path}`, { disputeId: 'dp_other' });
      expect(codeOf(answer)).toEqual([404, 'dispute_not_found']);
      const ofOthers = await call(`/dispute/v1/${path}`, { disputeId: one.disputeId });
      expect(codeOf(ofOthers)).toEqual([404, 'dispute_not_found']);
    }
  });
});

describe('a dispute that is answered', () => {
  it('is under review, once, and is won two days later where the stay took place', async () => {
    const one = await disputed(PAST_STAY);
    const sent = await one.send({ texts: { uncategorized_text: 'They stayed.' } }, 'key');
    expect([sent.status, sent.json.dispute]).toEqual([
      200,
      expect.objectContaining({ disputeId: one.disputeId, status: 'under_review' }),
    ]);
    const again = await one.send({ texts: { uncategorized_text: 'They stayed.' } }, 'key');
    expect(again.json).toEqual(sent.json);
    expect(again.headers.get('Idempotency-Replayed')).toBe('true');
    expect(codeOf(await one.send())).toEqual([409, 'invalid_state']);
    expect(codeOf(await one.accept())).toEqual([409, 'invalid_state']);
    const sentAtMs = await one.clock();
    await one.advanceTo(sentAtMs + 2 * DAY_MS - HOUR_MS);
    expect(await one.status()).toBe('under_review');
    await one.advanceTo(sentAtMs + 2 * DAY_MS + HOUR_MS);
    expect(await one.status()).toBe('won');
    expect(Math.abs((await one.closedAt()) - sentAtMs - 2 * DAY_MS)).toBeLessThan(HOUR_MS);
    expect(await one.events()).toEqual(['dispute.opened', 'dispute.won']);
    const { json } = await one.post('/payment/v1/balance', { reference: one.reference });
    expect(json.balance).toMatchObject({ paid: 100, disputed: 0 });
  });

  it('is lost where nobody stayed', async () => {
    const one = await disputed();
    expect((await one.send()).status).toBe(200);
    await one.advanceTo((await one.clock()) + 2 * DAY_MS + HOUR_MS);
    expect(await one.status()).toBe('lost');
    expect(await one.events()).toEqual(['dispute.opened', 'dispute.lost']);
  });

  it('is lost at once where it is given up', async () => {
    const one = await disputed(PAST_STAY);
    const accepted = await one.accept('key');
    expect([accepted.status, accepted.json.dispute]).toEqual([
      200,
      expect.objectContaining({ status: 'lost', closedAt: expect.any(String) }),
    ]);
    expect((await one.accept('key')).json).toEqual(accepted.json);
    expect(codeOf(await one.send())).toEqual([409, 'invalid_state']);
    expect(await one.events()).toEqual(['dispute.opened', 'dispute.lost']);
    const { json } = await one.post('/payment/v1/balance', { reference: one.reference });
    expect(json.balance).toMatchObject({ paid: 0, disputed: 100 });
  });

  it('is told of 48 hours before its deadline, once', async () => {
    const one = await disputed(PAST_STAY);
    await one.advanceTo(one.respondByMs - 48 * HOUR_MS - HOUR_MS);
    expect(await one.events()).toEqual(['dispute.opened']);
    await one.advanceTo(one.respondByMs - 47 * HOUR_MS);
    expect(await one.events()).toEqual(['dispute.opened', 'dispute.due_soon']);
    await one.advanceTo(one.respondByMs + HOUR_MS);
    expect(await one.events()).toEqual(['dispute.opened', 'dispute.due_soon']);
  });

  it('stays unknown while the gateway does not answer, and is found out', async () => {
    const one = await disputed(PAST_STAY);
    const real = SandboxGateway.prototype.submitEvidence;
    const lost = vi
      .spyOn(SandboxGateway.prototype, 'submitEvidence')
      .mockImplementation(async function (this: SandboxGateway, request) {
        await real.call(this, request);
        throw new Error('the answer is lost');
      });
    const sent = await one.send({}, 'key');
    lost.mockRestore();
    expect(codeOf(sent)).toEqual([504, 'outcome_unknown']);
    expect(codeOf(await one.send({}, 'key'))).toEqual([504, 'outcome_unknown']);
    expect(codeOf(await one.send())).toEqual([409, 'invalid_state']);
    await one.advanceTo((await one.clock()) + HOUR_MS);
    const found = await one.send({}, 'key');
    expect([found.status, found.json.dispute]).toEqual([
      200,
      expect.objectContaining({ status: 'under_review' }),
    ]);
  });

  it('can be answered again where the gateway certainly did not take it', async () => {
    const one = await disputed(PAST_STAY);
    const outage = { action: 'outage', property: one.property, status: 400 };
    await callAsAdmin('/sandbox/v1/act', outage);
    expect(codeOf(await one.send({}, 'key'))).toEqual([502, 'gateway_error']);
    await callAsAdmin('/sandbox/v1/act', { action: 'resume', property: one.property });
    expect(codeOf(await one.send({}, 'key'))).toEqual([502, 'gateway_error']);
    expect((await one.send({}, 'other')).status).toBe(200);
  });

  it('is not accepted while the bank only inquires', async () => {
    const one = await disputed(PAST_STAY);
    await one.act('winDispute');
    await vi.waitFor(async () => expect(await one.status()).toBe('won'), 5_000);
    await one.act('inquiry');
    await vi.waitFor(async () => expect(await one.status()).toBe('needs_response'), 5_000);
    const { json } = await one.post('/dispute/v1/list', { reference: one.reference });
    const [inquiry] = json.disputes;
    const answer = await one.post('/dispute/v1/accept', { disputeId: inquiry?.disputeId });
    expect(codeOf(answer)).toEqual([409, 'invalid_state']);
  });
});
