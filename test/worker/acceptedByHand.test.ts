/** A charge that was accepted by hand while the acquirer was silent: the payment that was named is looked up again later. */

import { describe, expect, it, vi } from 'vitest';
import { HOUR_MS } from '../../src/core/time.ts';
import { SandboxGateway } from '../../src/gateways/sandbox.ts';
import { newestPaid, tellOfDispute } from '../support/acquirerDesk.ts';
import {
  type Answer,
  atTime,
  call,
  callAsAdmin,
  makeBooking,
  testEnv,
  transactionsOf,
} from '../support/api.ts';
import { GOOD } from '../support/cards.ts';
import { MOVEMENTS } from '../support/history.ts';
import { losing } from '../support/moneyCorrections.ts';
import { selectStripe } from '../support/onStripe.ts';
import { compare, exceptionsNow, sweepAtTime } from '../support/reconciliation.ts';
import { story } from '../support/story.ts';
import type { FakeStripe, StripeFault } from '../support/stripe.ts';

story({ freshDatabase: true, silent: ['alarms', 'pms'] });

const CREATE = '/payment/v1/create';
const REFUND = '/refund/v1/create';
const SILENT = { kind: 'unknown', reason: 'no answer' } as const;

/** An administrator's word, two hours later. */
const accept = (id: number, gatewayReference?: string): Promise<Answer> =>
  atTime(Date.now() + 2 * HOUR_MS, () =>
    callAsAdmin('/admin/v1/operation/resolve', {
      id,
      outcome: 'Accepted',
      gatewayReference,
      reason: 'the bank says so',
    }),
  );

/** A charge at Stripe whose answer did not come, accepted by hand as some payment while Stripe is silent. */
async function namedInSilence(
  stripe: FakeStripe,
  name: string,
  fault: StripeFault,
): Promise<number> {
  await makeBooking('HAND', GOOD);
  stripe.failFor('HAND', fault);
  await call(CREATE, { reference: 'HAND', amount: 100 });
  const { id } = await newestPaid('HAND');
  const requests = vi.mocked(globalThis.fetch);
  requests.mockImplementation(() => Promise.reject(new TypeError('reset')));
  expect((await accept(id, name)).status).toBe(200);
  requests.mockImplementation(stripe.fetch);
  return id;
}

const journalOf = async (id: number) => {
  const rows = await testEnv.DB.prepare(
    `SELECT kind, amount_minor, gateway_reference FROM ${MOVEMENTS} WHERE transaction_id = ? ORDER BY number`,
  )
    .bind(id)
    .raw();
  return rows;
};

const LATER = 3 * HOUR_MS;

describe('a payment that was named by hand and is not the charge’s', () => {
  it.each(['nobody’s', 'another charge’s'])('is replaced by reconciliation: %s', async (whose) => {
    const stripe = selectStripe();
    await makeBooking('OTHER', GOOD);
    await call(CREATE, { reference: 'OTHER', amount: 100 });
    const other = stripe.intents.at(-1)?.id ?? '';
    const name = whose === 'nobody’s' ? 'pi_of_nobody' : other;
    const id = await namedInSilence(stripe, name, '500 after execution');
    const own = stripe.intents.at(-1)?.id;
    await sweepAtTime(Date.now() + LATER);
    expect((await newestPaid('HAND')).payment).toBe(own);
    expect(await journalOf(id)).toEqual([
      ['charge', 10_309, name],
      ['correction', 0, own],
    ]);
    const { json } = await callAsAdmin('/admin/v1/audit/list', {
      property: 'demo',
      reference: 'HAND',
    });
    expect(json.entries.filter(({ actor }) => actor === 'gateway')).toMatchObject([
      { from: 'Accepted', to: 'Accepted', detail: `the gateway took ${own} for it, not ${name}` },
    ]);
    expect((await exceptionsNow()).filter(({ status }) => status === 'open')).toEqual([]);
    const before = await journalOf(id);
    await sweepAtTime(Date.now() + LATER + HOUR_MS);
    expect(await journalOf(id)).toEqual(before);
    expect((await call(REFUND, { reference: 'HAND', amount: 10 })).status).toBe(200);
    expect(stripe.refunds.at(-1)?.payment_intent).toBe(own);
  });

  it('is replaced with the amount that was taken', async () => {
    const stripe = selectStripe();
    const id = await namedInSilence(stripe, 'pi_of_nobody', '500 after execution');
    const own = stripe.intents.at(-1);
    Object.assign(own ?? {}, { amount_received: 9_000 });
    Object.assign(stripe.charges.at(-1) ?? {}, { amount_captured: 9_000 });
    await sweepAtTime(Date.now() + LATER);
    expect(await transactionsOf('HAND')).toMatchObject([{ status: 'Accepted', amount: 90 }]);
    expect(await journalOf(id)).toEqual([
      ['charge', 10_309, 'pi_of_nobody'],
      ['correction', -1_309, own?.id],
    ]);
  });

  it('is found by our own reference alone, where no list shows the movement any more', async () => {
    const stripe = selectStripe();
    await namedInSilence(stripe, 'pi_of_nobody', '500 after execution');
    stripe.balance.length = 0;
    await sweepAtTime(Date.now() + LATER);
    expect((await newestPaid('HAND')).payment).toBe(stripe.intents.at(-1)?.id);
    expect((await exceptionsNow()).filter(({ status }) => status === 'open')).toEqual([]);
  });

  it('is replaced by the news of a dispute', async () => {
    const stripe = selectStripe();
    await namedInSilence(stripe, 'pi_of_nobody', '500 after execution');
    const own = stripe.intents.at(-1)?.id ?? '';
    const id = stripe.dispute(own, 'needs_response');
    expect(await tellOfDispute(await newestPaid('HAND'), id)).toBe(2);
    expect((await newestPaid('HAND')).payment).toBe(own);
  });

  it.each(['pi_of_nobody', 'another'])(
    'is an exception where nothing was taken: %s',
    async (which) => {
      const stripe = selectStripe();
      await makeBooking('OTHER', GOOD);
      await call(CREATE, { reference: 'OTHER', amount: 100 });
      const name = which === 'another' ? (stripe.intents.at(-1)?.id ?? '') : which;
      await namedInSilence(stripe, name, 'reset before execution');
      await sweepAtTime(Date.now() + LATER);
      expect((await newestPaid('HAND')).payment).toBe(name);
      expect(await exceptionsNow()).toMatchObject([
        { kind: 'missing_there', reference: 'HAND', status: 'open' },
      ]);
    },
  );
});

describe('a charge that was accepted by hand without a name', () => {
  it('is refunded, once its payment is found by our own reference', async () => {
    await makeBooking('UNNAMED', GOOD);
    const lost = await losing('charge', () => call(CREATE, { reference: 'UNNAMED', amount: 100 }));
    await lost.arrives();
    const { id } = await newestPaid('UNNAMED');
    const silent = vi.spyOn(SandboxGateway.prototype, 'lookUp').mockResolvedValue(SILENT);
    expect((await accept(id)).status).toBe(200);
    const refund = () => call(REFUND, { reference: 'UNNAMED', chargeId: id, amount: 10 });
    const early = await refund();
    expect([early.status, early.json.code]).toEqual([409, 'invalid_state']);
    silent.mockRestore();
    expect((await refund()).status).toBe(200);
    expect((await newestPaid('UNNAMED')).payment).not.toBe('');
    expect(await compare()).toMatchObject({ exceptions: 0 });
  });
});

describe('a hold that was accepted by hand without a name', () => {
  it.each([
    ['captured', 'capture', '/payment/v1/charge-pre-auth'],
    ['released', 'release', '/payment/v1/cancel-pre-auth'],
  ] as const)(
    'is not %s: the acquirer is asked for no payment without an id',
    async (_, verb, path) => {
      await makeBooking('HELD', GOOD);
      const expiryTime = new Date(Date.now() + 30 * HOUR_MS).toISOString();
      const holding = { reference: 'HELD', amount: 50, preAuth: true, expiryTime };
      await losing('authorize', () => call(CREATE, holding));
      const { id } = await newestPaid('HELD');
      vi.spyOn(SandboxGateway.prototype, 'lookUp').mockResolvedValue(SILENT);
      expect((await accept(id)).status).toBe(200);
      const sent = vi.spyOn(SandboxGateway.prototype, verb);
      const { json, status } = await call(path, { reference: 'HELD', chargeId: id });
      expect([status, json.code]).toEqual([502, 'gateway_error']);
      expect(sent).not.toHaveBeenCalled();
      expect(await transactionsOf('HELD')).toMatchObject([{ status: 'Authorized' }]);
    },
  );
});

describe('a name given by hand that the acquirer certainly contradicts', () => {
  it('is refused: of a hold that is a charge, of a refund of another name', async () => {
    await makeBooking('TWO', GOOD);
    await call(CREATE, { reference: 'TWO', amount: 100 });
    const { payment: taken } = await newestPaid('TWO');
    const expiryTime = new Date(Date.now() + 30 * HOUR_MS).toISOString();
    const holding = { reference: 'TWO', amount: 50, preAuth: true, expiryTime };
    await losing('authorize', () => call(CREATE, holding));
    const hold = await newestPaid('TWO');
    const lost = await losing('refund', () => call(REFUND, { reference: 'TWO', amount: 20 }));
    const made = await lost.arrives();
    const own = made.kind === 'approved' ? (made.gatewayReference ?? '') : '';
    const refundId = await testEnv.DB.prepare(
      "SELECT id FROM refunds WHERE status = 'Processing'",
    ).first<number>('id');
    const silent = vi.spyOn(SandboxGateway.prototype, 'lookUp').mockResolvedValue(SILENT);
    for (const [id, name] of [
      [hold.id, taken],
      [refundId ?? 0, 're_of_nobody'],
      [refundId ?? 0, taken],
    ] as const) {
      const { json, status } = await accept(id, name);
      expect([status, json.code]).toEqual([409, 'invalid_state']);
    }
    expect((await accept(refundId ?? 0, own)).status).toBe(200);
    silent.mockRestore();
    expect((await compare()).exceptions).toBe(0);
  });
});
