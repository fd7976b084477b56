/** The acquirer's movements against the journal: what agrees, what is corrected, what stays as an exception. */

import { describe, expect, it, vi } from 'vitest';
import { bookingObject } from '../../src/booking/stub.ts';
import { HOUR_MS, MINUTE_MS } from '../../src/core/time.ts';
import type { PaymentReport } from '../../src/gateways/gateway.ts';
import { SandboxGateway } from '../../src/gateways/sandbox.ts';
import { sandboxDesk } from '../support/acquirerDesk.ts';
import {
  atTime,
  call,
  callAsAdmin,
  makeBooking,
  makeProperty,
  testEnv,
  transactionsOf,
} from '../support/api.ts';
import { ANSWER_LOST, GOOD } from '../support/cards.ts';
import { EVENTS, MOVEMENTS } from '../support/history.ts';
import { membersTold } from '../support/messages.ts';
import { signIn } from '../support/ops.ts';
import {
  askToCompare,
  atDesk,
  compare,
  exceptionsNow,
  journalNow,
  recordsNow,
  sweepAtTime,
} from '../support/reconciliation.ts';
import { forgetMoney } from '../support/restore.ts';
import { story } from '../support/story.ts';

story({ freshDatabase: true, silent: ['alarms'] });

const CREATE = '/payment/v1/create';

async function cardOf(reference: string): Promise<string> {
  const row = await testEnv.DB.prepare(
    'SELECT gateway_token FROM cards WHERE booking_reference = ? ORDER BY rowid DESC LIMIT 1',
  )
    .bind(reference)
    .first<{ gateway_token: string }>();
  return row?.gateway_token ?? '';
}

async function chargeAtDesk(reference: string, propertyId = 'demo'): Promise<void> {
  const gatewayToken = await cardOf(reference);
  const money = { amountMinor: 4_200, currency: 'AUD' };
  await atDesk({ action: 'charge', propertyId, gatewayToken, ...money });
}

describe('what agrees', () => {
  it('leaves nothing but the mark that the acquirer has it', async () => {
    await makeBooking('RES-1', GOOD);
    await call(CREATE, { reference: 'RES-1', amount: 100 });
    await call('/refund/v1/create', { reference: 'RES-1', amount: 30 });
    const expiryTime = new Date(Date.now() + HOUR_MS).toISOString();
    await call(CREATE, { reference: 'RES-1', amount: 50, preAuth: true, expiryTime });
    const held = (await transactionsOf('RES-1')).find(({ preAuth }) => preAuth);
    await call('/payment/v1/charge-pre-auth', {
      reference: 'RES-1',
      chargeId: held?.id,
      amount: 20,
    });
    expect(await journalNow()).toEqual({ rows: 3, reconciled: 0 });
    expect(await compare()).toEqual({ compared: 3, corrected: 0, exceptions: 0 });
    expect(await journalNow()).toEqual({ rows: 3, reconciled: 3 });
    expect(await exceptionsNow()).toEqual([]);
  });

  it('changes nothing when it is compared again', async () => {
    await makeBooking('RES-1', GOOD);
    await call(CREATE, { reference: 'RES-1', amount: 100 });
    await chargeAtDesk('RES-1');
    expect(await compare()).toEqual({ compared: 2, corrected: 0, exceptions: 1 });
    const before = await recordsNow();
    expect(await compare()).toEqual({ compared: 2, corrected: 0, exceptions: 0 });
    expect(await recordsNow()).toEqual(before);
  });
});

describe('what is certain', () => {
  it('is corrected: a charge whose answer was lost', async () => {
    await makeBooking('RES-1', ANSWER_LOST);
    expect((await call(CREATE, { reference: 'RES-1', amount: 100 })).status).toBe(504);
    expect(await compare()).toEqual({ compared: 1, corrected: 1, exceptions: 0 });
    expect(await transactionsOf('RES-1')).toMatchObject([{ status: 'Accepted' }]);
    expect(await journalNow()).toEqual({ rows: 1, reconciled: 1 });
  });
});

describe('what was done at the desk, and not told', () => {
  const HOLD_FOR_MS = 3 * HOUR_MS;

  async function charged(): Promise<{ id: number; payment: string }> {
    await makeBooking('RES-1', GOOD);
    await call(CREATE, { reference: 'RES-1', amount: 100 });
    return chargeNow();
  }

  async function held(): Promise<{ id: number; payment: string }> {
    await makeBooking('RES-1', GOOD);
    const expiryTime = new Date(Date.now() + HOLD_FOR_MS).toISOString();
    await call(CREATE, { reference: 'RES-1', amount: 100, preAuth: true, expiryTime });
    return chargeNow();
  }

  async function chargeNow(): Promise<{ id: number; payment: string }> {
    const row = await testEnv.DB.prepare(
      'SELECT id, gateway_reference AS payment FROM transactions',
    ).first<{ id: number; payment: string }>();
    if (!row) throw new Error('no charge');
    return row;
  }

  async function statusNow(): Promise<string | undefined> {
    return (await transactionsOf('RES-1'))[0]?.status;
  }

  async function kindsNow(): Promise<string[]> {
    const { results } = await testEnv.DB.prepare(
      `SELECT kind FROM ${MOVEMENTS} ORDER BY transaction_id, number`,
    ).all<{ kind: string }>();
    return results.map(({ kind }) => kind);
  }

  /** Whatever was done once is learnt once, and then agrees. */
  async function learns(compared: number, corrected: number): Promise<void> {
    expect(await compare()).toEqual({ compared, corrected, exceptions: 0 });
    expect(await compare()).toEqual({ compared, corrected: 0, exceptions: 0 });
    const { reconciled, rows } = await journalNow();
    expect(reconciled).toBe(rows);
    expect(await exceptionsNow()).toEqual([]);
  }

  it('is a capture of a part', async () => {
    const { payment } = await held();
    await atDesk({ action: 'capture', payment, amountMinor: 6_000 });
    await learns(1, 1);
    expect([await statusNow(), await kindsNow()]).toEqual(['Accepted', ['capture']]);
  });

  it('is a hold let go, which moves nothing', async () => {
    const { payment } = await held();
    await atDesk({ action: 'release', payment, amountMinor: null });
    await learns(0, 1);
    expect([await statusNow(), await kindsNow()]).toEqual(['Released', []]);
  });

  it('is a hold let go that only the nightly run asks for', async () => {
    const { payment } = await held();
    await atDesk({ action: 'release', payment, amountMinor: null });
    await testEnv.DB.prepare(
      'UPDATE transactions SET created_at_ms = created_at_ms - 259200000, version = version + 1',
    ).run();
    await sweepAtTime(Date.now() + 20 * MINUTE_MS);
    expect(await statusNow()).toBe('Released');
  });

  it('is a refund', async () => {
    const { payment } = await charged();
    await atDesk({ action: 'refund', payment, amountMinor: 2_500 });
    await learns(2, 1);
    expect(await kindsNow()).toEqual(['charge', 'refund']);
  });

  it('is a refund that failed', async () => {
    const { id } = await charged();
    await call('/refund/v1/create', { reference: 'RES-1', amount: 25, chargeId: id });
    const refund = await testEnv.DB.prepare(
      'SELECT gateway_reference AS refund FROM refunds',
    ).first<{ refund: string }>();
    await atDesk({ action: 'failRefund', refund: refund?.refund ?? '' });
    await learns(3, 1);
    expect(await kindsNow()).toEqual(['charge', 'refund', 'reversal']);
  });

  it('is a dispute, and that it was won', async () => {
    const { payment } = await charged();
    await atDesk({ action: 'dispute', payment, amountMinor: null });
    await learns(2, 1);
    await atDesk({ action: 'winDispute', payment, disputeId: null });
    await learns(3, 1);
    expect(await kindsNow()).toEqual(['charge', 'chargeback', 'chargeback_reversal']);
  });

  it('is that a dispute was lost, however many others are open', async () => {
    const { payment } = await charged();
    await atDesk({ action: 'dispute', payment, amountMinor: null });
    await learns(2, 1);
    await testEnv.DB.prepare(`${OTHER_DISPUTES} LIMIT 700`).run();
    await atDesk({ action: 'loseDispute', payment, disputeId: null });
    const statusNow = () =>
      testEnv.DB.prepare("SELECT status FROM disputes WHERE id NOT LIKE 'other%'").first('status');
    // They are asked for by turns of a minute, and the first turn may take longer than one.
    const firstMs = Date.now();
    for (const minutes of [0, 1]) {
      await atTime(firstMs + minutes * MINUTE_MS, () => compare());
    }
    expect(await statusNow()).toBe('lost');
  });
});

/** Open disputes of the same charge, opened before its own. The acquirer knows none of them. */
const OTHER_DISPUTES = `
  WITH RECURSIVE numbers(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < 700)
  INSERT INTO disputes (property_id, id, booking_reference, transaction_id, status, reason, currency, amount_minor, fee_minor, funds_withdrawn, opened_at_ms, changed_at_ms, learnt_at_ms)
  SELECT property_id, 'other ' || n, booking_reference, transaction_id, 'needs_response', 'fraudulent', currency, 1, 0, 0, n, n, n
  FROM disputes, numbers WHERE id NOT LIKE 'other%'`;

describe('a payment that is not here any more', () => {
  const balanceNow = async (reference: string) =>
    (await call('/payment/v1/balance', { reference })).json['balance'];

  it.each([
    ['with its card', false],
    ['with no card', true],
  ])('is taken over, %s, once', async (_how, withCards) => {
    await makeBooking('RES-1', GOOD);
    const { json } = await call(CREATE, { reference: 'RES-1', amount: 600 });
    const own = json.transaction.reference;
    await forgetMoney('RES-1', withCards);
    expect(await transactionsOf('RES-1')).toEqual([]);
    expect(await compare()).toMatchObject({ corrected: 1, exceptions: 0 });
    expect(await transactionsOf('RES-1')).toMatchObject([
      {
        reference: own,
        type: 'PaymentManual',
        status: 'Accepted',
        amount: 618.56,
        creditCardFee: 18.56,
        cardDetails: { cardNumber: '4242', cardType: 'visa' },
      },
    ]);
    expect(await balanceNow('RES-1')).toMatchObject({ paid: 600, due: 0, uncertain: 0 });
    expect(await toldPms('RES-1')).toEqual([['Payment', '618.56']]);
    const { json: audited } = await callAsAdmin('/admin/v1/audit/list', {
      property: 'demo',
      reference: 'RES-1',
    });
    expect(audited.entries.at(-1)).toMatchObject({
      actor: 'gateway',
      to: 'Accepted',
      detail: 'taken over from the record of the gateway',
    });
    expect(await eventsOf('RES-1')).toContain('payment.corrected');
    const before = await recordsNow();
    expect(await compare()).toEqual({ compared: 1, corrected: 0, exceptions: 0 });
    expect(await recordsNow()).toEqual(before);
    const [taken] = await transactionsOf('RES-1');
    const asked = { reference: 'RES-1', amount: 618.56, chargeId: taken?.id };
    expect((await call('/refund/v1/create', asked)).status).toBe(200);
  });

  it('is taken over with what was given back and disputed of it', async () => {
    await makeBooking('RES-1', GOOD);
    const { json } = await call(CREATE, { reference: 'RES-1', amount: 100 });
    const chargeId = json.transaction.id;
    await call('/refund/v1/create', { reference: 'RES-1', amount: 30 });
    const about = { property: 'demo', reference: 'RES-1', chargeId, notify: false };
    await callAsAdmin('/sandbox/v1/act', { ...about, action: 'dispute', amount: 20 });
    await forgetMoney('RES-1');
    expect(await compare()).toMatchObject({ compared: 3, corrected: 3, exceptions: 0 });
    expect(await balanceNow('RES-1')).toMatchObject({ paid: 50, refunded: 30, disputed: 20 });
    expect(await compare()).toEqual({ compared: 3, corrected: 0, exceptions: 0 });
    expect(await exceptionsNow({ status: 'open' })).toEqual([]);
  });

  it('is taken over although somebody accepted the difference before', async () => {
    await makeBooking('RES-1', GOOD);
    await call(CREATE, { reference: 'RES-1', amount: 100 });
    const { results } = await testEnv.DB.prepare(
      'SELECT gateway_reference AS id FROM transactions',
    ).all();
    await forgetMoney('RES-1');
    await testEnv.DB.prepare(
      "INSERT INTO exceptions (id, property_id, booking_reference, gateway, kind, subject, found_at_ms, status, resolution, resolved_at_ms, detail) VALUES ('e-1', 'demo', 'RES-1', 'sandbox', 'missing_here', ?, 1, 'closed', 'accepted', 1, 'known')",
    )
      .bind(results[0]?.['id'])
      .run();
    expect(await compare()).toMatchObject({ corrected: 1, exceptions: 0 });
    expect(await balanceNow('RES-1')).toMatchObject({ paid: 100 });
  });

  it('is a refund alone, where its charge is here', async () => {
    await makeBooking('RES-1', GOOD);
    await call(CREATE, { reference: 'RES-1', amount: 100 });
    await forgetMoney('RES-1');
    await compare();
    const [charge] = await transactionsOf('RES-1');
    await call('/refund/v1/create', { reference: 'RES-1', amount: 30, chargeId: charge?.id });
    await forgetMoney('RES-1');
    expect(await compare()).toMatchObject({ corrected: 2, exceptions: 0 });
    expect(await balanceNow('RES-1')).toMatchObject({ paid: 70, refunded: 30 });
  });

  /** A hold that D1 forgot, and that the acquirer told of. */
  async function heldAgain() {
    await makeBooking('RES-1', GOOD);
    const expiryTime = new Date(Date.now() + HOUR_MS).toISOString();
    const { json } = await call(CREATE, {
      reference: 'RES-1',
      amount: 100,
      preAuth: true,
      expiryTime,
    });
    const own = json.transaction.reference ?? '';
    const payment = await testEnv.DB.prepare(
      'SELECT gateway_reference FROM transactions',
    ).first<string>('gateway_reference');
    await forgetMoney('RES-1');
    const context = { propertyId: 'demo', reference: 'RES-1', requestId: 'news', actor: 'gateway' };
    const reported = { reference: own, account: null, payment: payment ?? '' };
    const { answered } = await bookingObject(testEnv, 'demo', 'RES-1').perform(
      'refreshFromGateway',
      context,
      reported,
    );
    expect(answered.answer).toMatchObject({ ok: true, value: { corrected: 1 } });
    const [hold] = await transactionsOf('RES-1');
    expect(hold).toMatchObject({
      reference: own,
      status: 'Authorized',
      preAuth: true,
      amount: 103.09,
    });
    return { chargeId: hold?.id, payment: payment ?? '' };
  }

  it('of a hold is taken over when the acquirer tells of it', async () => {
    const { chargeId } = await heldAgain();
    const captured = await call('/payment/v1/charge-pre-auth', { reference: 'RES-1', chargeId });
    expect(captured.json.transaction).toMatchObject({ status: 'Accepted', amount: 103.09 });
  });

  it('of a hold is released by a capture that meets it let go there', async () => {
    const { chargeId, payment } = await heldAgain();
    await sandboxDesk.release(payment);
    const captured = await call('/payment/v1/charge-pre-auth', { reference: 'RES-1', chargeId });
    expect([captured.status, captured.json.transaction]).toMatchObject([
      409,
      { status: 'Released' },
    ]);
    expect(await transactionsOf('RES-1')).toMatchObject([{ status: 'Released' }]);
  });
});

/** What the PMS is told of a booking's money: type and gross amount. */
const toldPms = (booking: string) => membersTold(booking, 'Type', 'AmountGross');

async function eventsOf(booking: string): Promise<unknown[]> {
  const { results } = await testEnv.DB.prepare(
    `SELECT type FROM ${EVENTS} WHERE booking_reference = ?`,
  )
    .bind(booking)
    .all();
  return results.map(({ type }) => type);
}

describe('an exception', () => {
  it('is a payment that this service did not make, told once and of its own property', async () => {
    await makeProperty('other');
    await makeBooking('RES-1', GOOD);
    await chargeAtDesk('RES-1');
    expect(await compare('other')).toEqual({ compared: 0, corrected: 0, exceptions: 0 });
    expect(await compare()).toEqual({ compared: 1, corrected: 0, exceptions: 1 });
    expect(await exceptionsNow({ property: 'demo', status: 'open' })).toMatchObject([
      {
        property: 'demo',
        reference: null,
        kind: 'unknown_payment',
        ours: null,
        theirs: { status: 'taken', amount: 42, currency: 'AUD' },
        status: 'open',
        resolution: null,
        resolvedAt: null,
      },
    ]);
  });

  it('is a chargeback of such a payment too, although the payment was accepted', async () => {
    await makeBooking('RES-1', GOOD);
    await chargeAtDesk('RES-1');
    await compare();
    const [{ exceptionId } = { exceptionId: '' }] = await exceptionsNow();
    await callAsAdmin('/admin/v1/reconciliation/accept', { exceptionId, reason: 'by phone' });
    const payment = await testEnv.DB.prepare('SELECT subject FROM exceptions').first<string>(
      'subject',
    );
    await atDesk({ action: 'dispute', payment: payment ?? '' });
    expect(await compare()).toEqual({ compared: 2, corrected: 0, exceptions: 1 });
    expect(await exceptionsNow({ status: 'open' })).toMatchObject([
      { kind: 'unknown_payment', theirs: { status: 'withdrawn', amount: -42 } },
    ]);
  });

  it('is a payment of a booking that is not here', async () => {
    await makeBooking('RES-1', GOOD);
    await new SandboxGateway(testEnv).charge({
      idempotencyKey: 'somewhere-else-1',
      propertyId: 'demo',
      bookingReference: 'RES-9',
      reference: 'somewhere-else',
      amountMinor: 700,
      currency: 'AUD',
      gatewayToken: await cardOf('RES-1'),
      description: '',
      statementName: '',
      initiator: 'property',
      returnUrl: null,
      askedAtMs: Date.now(),
    });
    expect(await compare()).toEqual({ compared: 1, corrected: 0, exceptions: 1 });
    expect(await exceptionsNow()).toMatchObject([
      { property: 'demo', reference: 'RES-9', kind: 'missing_here', theirs: { amount: 7 } },
    ]);
  });

  it('is a charge that the acquirer does not have, and is closed when it has it', async () => {
    await makeBooking('RES-1', GOOD);
    await call(CREATE, { reference: 'RES-1', amount: 100 });
    const restore = hideAtAcquirer();
    // The rows of the last minutes may still be on their way: those are not looked for.
    expect(await compare()).toEqual({ compared: 0, corrected: 0, exceptions: 0 });
    const later = await atTime(Date.now() + 10 * MINUTE_MS, () => compare());
    expect(later).toEqual({ compared: 0, corrected: 0, exceptions: 1 });
    expect(await exceptionsNow()).toMatchObject([
      {
        property: 'demo',
        reference: 'RES-1',
        kind: 'missing_there',
        ours: { status: 'charge', amount: 103.09 },
        theirs: null,
        status: 'open',
      },
    ]);
    restore();
    expect(await compare()).toEqual({ compared: 1, corrected: 0, exceptions: 0 });
    expect(await exceptionsNow()).toMatchObject([{ status: 'closed', resolution: 'corrected' }]);
    expect(await exceptionsNow({ status: 'open' })).toEqual([]);
  });

  it('is opened again, and counts as news, when the records part again', async () => {
    await makeBooking('RES-1', GOOD);
    await call(CREATE, { reference: 'RES-1', amount: 100 });
    await testEnv.DB.prepare(
      `INSERT INTO exceptions (id, property_id, gateway, kind, subject, found_at_ms, status, resolution, resolved_at_ms, detail)
       SELECT '01998f00-0000-7000-8000-000000000000', 'demo', 'sandbox', 'missing_there', gateway_reference, 1, 'closed', 'corrected', 2, 'before' FROM ${MOVEMENTS}`,
    ).run();
    const restore = hideAtAcquirer();
    const later = await atTime(Date.now() + 10 * MINUTE_MS, () => compare());
    restore();
    expect(later.exceptions).toBe(1);
    expect(await exceptionsNow()).toMatchObject([{ status: 'open', resolution: null }]);
  });

  it('is not made of what the acquirer did not answer', async () => {
    await makeBooking('RES-1', GOOD);
    await call(CREATE, { reference: 'RES-1', amount: 100 });
    const restore = hideAtAcquirer({ kind: 'unknown', reason: 'no answer' });
    const later = await atTime(Date.now() + 10 * MINUTE_MS, () => compare());
    restore();
    expect(later).toEqual({ compared: 0, corrected: 0, exceptions: 0 });
    expect(await journalNow()).toEqual({ rows: 1, reconciled: 0 });
  });
});

describe('accepting an exception', () => {
  const REASON = 'Paid for a wedding, booked by hand';

  async function anException(): Promise<string> {
    await makeBooking('RES-1', GOOD);
    await chargeAtDesk('RES-1');
    await compare();
    return (await exceptionsNow())[0]?.exceptionId ?? '';
  }

  const accept = (exceptionId: string, reason = REASON) =>
    callAsAdmin('/admin/v1/reconciliation/accept', { exceptionId, reason });

  it('closes it for good: twice is once, and no comparison opens it', async () => {
    const exceptionId = await anException();
    const first = await accept(exceptionId);
    expect(first).toMatchObject({
      status: 200,
      json: {
        success: true,
        exception: { exceptionId, status: 'closed', resolution: 'accepted' },
      },
    });
    expect(JSON.stringify(first.json)).toContain(REASON);
    const second = await accept(exceptionId, 'Another reason');
    expect([second.status, second.json]).toEqual([200, first.json]);
    expect(await compare()).toEqual({ compared: 1, corrected: 0, exceptions: 0 });
    expect(await exceptionsNow({ status: 'open' })).toEqual([]);
  });

  it('stands in the audit trail of its booking', async () => {
    await makeBooking('RES-1', GOOD);
    await call(CREATE, { reference: 'RES-1', amount: 100 });
    const restore = hideAtAcquirer();
    await atTime(Date.now() + 10 * MINUTE_MS, () => compare());
    restore();
    const [found] = await exceptionsNow();
    await accept(found?.exceptionId ?? '');
    const { json } = await callAsAdmin('/admin/v1/audit/list', {
      property: 'demo',
      reference: 'RES-1',
      limit: 100,
    });
    expect((json as unknown as { entries: object[] }).entries).toContainEqual(
      expect.objectContaining({
        actor: 'admin',
        subject: `exception ${found?.exceptionId}`,
        from: 'open',
        to: 'accepted',
        detail: REASON,
      }),
    );
  });

  it('needs one that is open, and a reason without a card number', async () => {
    for (const id of ['01998f00-0000-7000-8000-000000000000', 'nowhere']) {
      const { status, json } = await accept(id);
      expect([status, json.code]).toEqual([404, 'exception_not_found']);
    }
    const exceptionId = await anException();
    expect((await accept(exceptionId, '')).status).toBe(422);
    expect((await accept(exceptionId, 'Card 4242 4242 4242 4242')).status).toBe(422);
    await testEnv.DB.prepare(
      "UPDATE exceptions SET status = 'closed', resolution = 'corrected', resolved_at_ms = 1",
    ).run();
    const closed = await accept(exceptionId);
    expect([closed.status, closed.json.code]).toEqual([409, 'invalid_state']);
  });

  it('is recorded once, by whoever comes first, with a booking or without', async () => {
    await makeBooking('RES-TWICE', GOOD);
    const [known, unknown] = ['cc', 'cd'].map((end) => `01998f00-0000-7000-8000-0000000000${end}`);
    await testEnv.DB.prepare(
      `INSERT INTO exceptions (id, property_id, booking_reference, gateway, kind, subject, found_at_ms, status, detail)
       VALUES (?1, 'demo', 'RES-TWICE', 'sandbox', 'unknown_payment', ?1, 1, 'open', ''), (?2, NULL, NULL, 'sandbox', 'unknown_payment', ?2, 1, 'open', '')`,
    )
      .bind(known, unknown)
      .run();
    for (const id of [known ?? '', unknown ?? '']) {
      const both = await Promise.all([accept(id), accept(id)]);
      expect(both.map(({ status }) => status)).toEqual([200, 200]);
    }
    const asked = { property: 'demo', reference: 'RES-TWICE', limit: 100 };
    const { json } = await callAsAdmin('/admin/v1/audit/list', asked);
    expect(JSON.stringify(json).split('"to":"accepted"')).toHaveLength(2);
  });

  it('works on the operations page, without a script', async () => {
    const exceptionId = await anException();
    const administrator = await signIn();
    expect(administrator.page.html).toContain(exceptionId);
    expect(administrator.page.html).toContain('that is not in our records');
    await administrator.post('/ops/reconciliation/accept', { exceptionId, reason: ' ' });
    expect([administrator.page.status, await exceptionsNow({ status: 'closed' })]).toEqual([
      422,
      [],
    ]);
    await administrator.post('/ops/reconciliation/accept', { exceptionId, reason: REASON });
    expect(administrator.page.html).toContain('The difference is accepted.');
    expect(administrator.page.html).not.toContain(exceptionId);
    expect(await exceptionsNow({ status: 'closed' })).toMatchObject([{ resolution: 'accepted' }]);
  });
});

describe('the list of exceptions', () => {
  it('is in pages, the newest first, of one property and one status', async () => {
    await makeProperty('other');
    await testEnv.DB.prepare(
      `WITH RECURSIVE series(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM series WHERE n < 5)
       INSERT INTO exceptions (id, property_id, gateway, kind, subject, found_at_ms, status, resolution, resolved_at_ms, detail)
       SELECT '01998f00-0000-7000-8000-00000000000' || n, CASE n WHEN 3 THEN 'other' ELSE 'demo' END, 'sandbox', 'missing_here', 'subject ' || n, n,
         CASE n WHEN 1 THEN 'closed' ELSE 'open' END, CASE n WHEN 1 THEN 'corrected' END, CASE n WHEN 1 THEN 9 END, '' FROM series`,
    ).run();
    const list = async (filter: object) => {
      const { json } = await callAsAdmin('/admin/v1/reconciliation/list', filter);
      const { exceptions, nextCursor } = json as unknown as {
        exceptions: { exceptionId: string }[];
        nextCursor: string | null;
      };
      return { ids: exceptions.map((one) => Number(one.exceptionId.at(-1))), nextCursor };
    };
    expect((await list({})).ids).toEqual([5, 4, 3, 2, 1]);
    expect((await list({ property: 'demo', status: 'open' })).ids).toEqual([5, 4, 2]);
    const first = await list({ property: 'demo', limit: 2 });
    expect(first.ids).toEqual([5, 4]);
    const second = await list({ property: 'demo', limit: 2, cursor: first.nextCursor });
    expect(second).toEqual({ ids: [2, 1], nextCursor: null });
  });

  it('refuses a page that is too long and a property that is not there', async () => {
    const list = (filter: object) => callAsAdmin('/admin/v1/reconciliation/list', filter);
    expect((await list({ limit: 201 })).status).toBe(422);
    expect((await list({ property: 'nowhere' })).json.code).toBe('property_not_found');
  });
});

describe('a comparison that is asked for', () => {
  const run = (body: object) => callAsAdmin('/admin/v1/reconciliation/run', body);

  it('needs a property and a span of at most 31 days', async () => {
    const from = '2027-02-01T00:00:00+08:00';
    const codes = async (body: object) => {
      const { json, status } = await run(body);
      const { errors } = json as unknown as { errors?: { field: string }[] };
      return [status, json.code, errors?.map(({ field }) => field)];
    };
    const unknown = { property: 'nowhere', from, to: '2027-02-02T00:00:00+08:00' };
    expect(await codes(unknown)).toEqual([404, 'property_not_found', undefined]);
    const long = { property: 'demo', from, to: '2027-03-05T00:00:00+08:00' };
    expect(await codes(long)).toEqual([422, 'validation_failed', ['from', 'to']]);
    const backwards = { property: 'demo', from, to: from };
    expect(await codes(backwards)).toEqual([422, 'validation_failed', ['to']]);
    const local = { property: 'demo', from: '2027-02-01 00:00:00', to: 'tomorrow' };
    expect(await codes(local)).toEqual([422, 'validation_failed', ['from', 'to']]);
    const month = { property: 'demo', from, to: '2027-03-04T00:00:00+08:00' };
    expect((await run(month)).status).toBe(200);
  });

  it('is busy while the acquirer does not answer, and the same question later has its result', async () => {
    await makeBooking('RES-1', ANSWER_LOST);
    await call(CREATE, { reference: 'RES-1', amount: 100 });
    const nowMs = Date.now();
    const silent = vi
      .spyOn(SandboxGateway.prototype, 'movements')
      .mockResolvedValue({ kind: 'unknown', reason: 'no answer' });
    const busy = await askToCompare('demo', nowMs);
    expect([busy.status, busy.json.code]).toEqual([503, 'busy']);
    expect(busy.headers.get('Retry-After')).toBeTruthy();
    silent.mockRestore();
    // The Cron Trigger goes on with it; nobody has asked for the result yet.
    await sweepAtTime(nowMs + 3 * MINUTE_MS);
    const done = await askToCompare('demo', nowMs);
    expect([done.status, done.json]).toMatchObject([
      200,
      { success: true, compared: 1, corrected: 1, exceptions: 0 },
    ]);
    const again = await askToCompare('demo', nowMs);
    expect(again.json).toMatchObject({ compared: 1, corrected: 0 });
  });
});

/** Hides everything at the acquirer, as if it had none of it, until the returned function is called. */
function hideAtAcquirer(report: PaymentReport = { kind: 'absent' }): () => void {
  const page = { kind: 'page', movements: [], nextCursor: null } as const;
  const movements = vi.spyOn(SandboxGateway.prototype, 'movements').mockResolvedValue(page);
  const payment = vi.spyOn(SandboxGateway.prototype, 'payment').mockResolvedValue(report);
  return () => {
    movements.mockRestore();
    payment.mockRestore();
  };
}
