/** A dispute of a charge that the acquirer took long ago, and that did not count as accepted here. */
import { expect, it } from 'vitest';
import { DAY_MS } from '../../src/core/time.ts';
import { sandboxAcquirer } from '../../src/sandbox/stub.ts';
import { call, makeBooking, testEnv, transactionsOf } from '../support/api.ts';
import { atDesk, compare, exceptionsNow } from '../support/reconciliation.ts';
import { story } from '../support/story.ts';

story({ freshDatabase: true });

interface Failed {
  readonly reference: string;
  readonly gateway_key: string;
  readonly subject: string;
}

it('a dispute of a charge that was declined here corrects the charge first, then counts', async () => {
  await makeBooking('RV-20', '4000000000000002');
  await call('/payment/v1/create', { reference: 'RV-20', amount: 100, isVirtualCard: true });
  expect(await transactionsOf('RV-20')).toMatchObject([{ status: 'Declined' }]);
  await makeBooking('RV-21', '4242424242424242');
  const row = await testEnv.DB.prepare(
    "SELECT t.reference, t.gateway_key, c.gateway_token AS subject FROM transactions t, cards c WHERE c.booking_reference = 'RV-21'",
  ).first<Failed>();
  if (!row) throw new Error('there is no charge');
  const took = await sandboxAcquirer(testEnv).perform({
    kind: 'charge',
    idempotencyKey: `${row.gateway_key}/taken`,
    propertyId: 'demo',
    bookingReference: 'RV-20',
    reference: row.reference,
    amountMinor: 10_000,
    currency: 'AUD',
    subject: row.subject,
    askedAtMs: Date.now() - 60 * DAY_MS,
    returnUrl: null,
  });
  if (took.kind !== 'approved' || took.gatewayReference === null) throw new Error(took.kind);
  await atDesk({ action: 'dispute', payment: took.gatewayReference, amountMinor: null });
  expect(await compare()).toEqual({ compared: 1, corrected: 2, exceptions: 0 });
  expect(await exceptionsNow()).toEqual([]);
  expect(await transactionsOf('RV-20')).toMatchObject([{ status: 'Accepted' }]);
  const { json } = await call('/dispute/v1/list', { reference: 'RV-20' });
  expect(json).toMatchObject({ disputes: [{ amount: 100, status: 'needs_response' }] });
});
