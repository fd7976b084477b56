/** Holds that a person captured or let go at the acquirer's desk while a caller captures or lets them go here. */
import { expect, it } from 'vitest';
import { bookingObject } from '../../src/booking/stub.ts';
import { DAY_MS, MINUTE_MS } from '../../src/core/time.ts';
import { sandboxAcquirer } from '../../src/sandbox/stub.ts';
import { call, makeBooking, testEnv, transactionsOf } from '../support/api.ts';
import { NEVER_ARRIVES } from '../support/cards.ts';
import { wakeAt } from '../support/faults.ts';
import { atDesk } from '../support/reconciliation.ts';
import { story } from '../support/story.ts';

story({ silent: ['alarms'] });

async function held(reference: string, cardNumber: string) {
  await makeBooking(reference, cardNumber);
  const expiryTime = new Date(Date.now() + DAY_MS).toISOString();
  await call('/payment/v1/create', { reference, amount: 200, preAuth: true, expiryTime });
  const [hold] = await transactionsOf(reference);
  if (!hold) throw new Error('no hold');
  return { chargeId: hold.id, own: hold.reference ?? '' };
}

const withKey = (path: string, reference: string, chargeId: number) =>
  call(path, { reference, chargeId }, { headers: { 'Idempotency-Key': `key ${reference}` } });

const followUps = [
  ['/payment/v1/charge-pre-auth', 'capture', 409],
  ['/payment/v1/charge-pre-auth', 'release', 409],
  ['/payment/v1/cancel-pre-auth', 'capture', 409],
  ['/payment/v1/cancel-pre-auth', 'release', 200],
] as const;

it.each(followUps)(
  '%s after a %s at the desk is %i, first and again',
  async (path, action, status) => {
    const reference = `H-${path}-${action}`;
    const { chargeId, own } = await held(reference, '4242424242424242');
    await atDesk({ action, payment: `${own}-1`, amountMinor: null });
    const first = await withKey(path, reference, chargeId);
    const again = await withKey(path, reference, chargeId);
    expect([first.status, again.status]).toEqual([status, status]);
    const now = action === 'capture' ? 'Accepted' : 'Released';
    expect(first.json.transaction).toMatchObject({ id: chargeId, status: now });
    expect(first.headers.get('Idempotency-Replayed')).toBeNull();
    expect(again.headers.get('Idempotency-Replayed')).toBe('true');
  },
);

it.each(followUps)(
  '%s that is unknown, and a %s at the desk that is told, is %i',
  async (path, action, status) => {
    const reference = `U-${path}-${action}`;
    const { chargeId, own } = await held(reference, NEVER_ARRIVES);
    const booking = bookingObject(testEnv, 'demo', reference);
    const context = { propertyId: 'demo', reference, requestId: 'test', actor: 'gateway' };
    const tell = async () => {
      const found = await sandboxAcquirer(testEnv).lookUp({
        idempotencyKey: `${own}-1`,
        kind: 'authorization',
        propertyId: 'demo',
        reference: own,
      });
      const payment = found.kind === 'approved' ? (found.gatewayReference ?? '') : '';
      await booking.perform('refreshFromGateway', context, {
        payment,
        reference: own,
        account: null,
      });
    };
    await wakeAt(reference, Date.now() + MINUTE_MS);
    const unknown = await withKey(path, reference, chargeId);
    expect(unknown.status).toBe(504);
    await atDesk({ action, payment: `${own}-1`, amountMinor: null });
    await tell();
    const again = await withKey(path, reference, chargeId);
    const now = action === 'capture' ? 'Accepted' : 'Released';
    expect(again.json.transaction).toMatchObject({ id: chargeId, status: now });
    expect(again.status).toBe(status);
  },
);
