/** News of a second payment that names the same transaction: it says nothing of the first. */
import { describe, expect, it } from 'vitest';
import { bookingObject } from '../../src/booking/stub.ts';
import { sandboxAcquirer } from '../../src/sandbox/stub.ts';
import { call, makeBooking, testEnv, transactionsOf } from '../support/api.ts';
import { atDesk, compare, exceptionsNow } from '../support/reconciliation.ts';
import { story } from '../support/story.ts';

story({ freshDatabase: true });

interface Own {
  readonly own: string;
  readonly subject: string;
}

/** The acquirer takes a second payment for the booking's only charge, under another key; its id there. */
async function takenAgain(reference: string, amountMinor: number): Promise<string> {
  const row = await testEnv.DB.prepare(
    'SELECT t.reference AS own, c.gateway_token AS subject FROM transactions t JOIN cards c ON c.token = t.card_token WHERE t.booking_reference = ?',
  )
    .bind(reference)
    .first<Own>();
  if (!row) throw new Error('there is no charge');
  const outcome = await sandboxAcquirer(testEnv).perform({
    kind: 'charge',
    idempotencyKey: `${row.own}-2`,
    propertyId: 'demo',
    bookingReference: reference,
    reference: row.own,
    amountMinor,
    currency: 'AUD',
    subject: row.subject,
    askedAtMs: Date.now(),
    returnUrl: null,
  });
  if (outcome.kind !== 'approved') throw new Error(outcome.kind);
  const context = { propertyId: 'demo', reference, requestId: 'test', actor: 'gateway' };
  await bookingObject(testEnv, 'demo', reference).perform('refreshFromGateway', context, {
    payment: outcome.gatewayReference ?? '',
    reference: row.own,
    account: null,
  });
  return outcome.gatewayReference ?? '';
}

async function messages(): Promise<number> {
  const row = await testEnv.DB.prepare(
    "SELECT count(*) AS n FROM outbox WHERE message_type = 'PushTransaction'",
  ).first<{ n: number }>();
  return row?.n ?? 0;
}

describe('a second payment for the same transaction', () => {
  it('changes no amount of the first, and stays an exception', async () => {
    await makeBooking('RV-1', '4242424242424242');
    await call('/payment/v1/create', { reference: 'RV-1', amount: 100, isVirtualCard: true });
    const told = await messages();
    await takenAgain('RV-1', 4_000);
    for (let turn = 0; turn < 3; turn += 1) await compare();
    expect(await transactionsOf('RV-1')).toMatchObject([{ status: 'Accepted', amount: 100 }]);
    expect(await messages()).toBe(told);
    expect(await exceptionsNow({ status: 'open' })).toMatchObject([{ kind: 'missing_here' }]);
  });

  it('given back there leaves the first as it is', async () => {
    await makeBooking('RV-2', '4242424242424242');
    await call('/payment/v1/create', { reference: 'RV-2', amount: 100, isVirtualCard: true });
    const payment = await takenAgain('RV-2', 10_000);
    await atDesk({ action: 'refund', payment, amountMinor: null });
    await compare();
    expect(await transactionsOf('RV-2')).toMatchObject([{ status: 'Accepted', refunds: [] }]);
  });
});
