/** The acquirer took less than what this service has set aside for refunds. */
import { beforeEach, expect, it } from 'vitest';
import { call, freshDatabase, makeBooking, testEnv, transactionsOf } from '../support/api.ts';
import { atDesk, compare, exceptionsNow, movementsNow } from '../support/reconciliation.ts';

beforeEach(freshDatabase);

it('a capture of less than is set aside for refunds is an exception, not a correction that fails for ever', async () => {
  await makeBooking('RV-10', '4242424242424242');
  const expiryTime = new Date(Date.now() + 3_600_000).toISOString();
  const hold = { reference: 'RV-10', amount: 100, isVirtualCard: true, preAuth: true, expiryTime };
  await call('/payment/v1/create', hold);
  const row = await testEnv.DB.prepare(
    'SELECT id, gateway_reference AS payment FROM transactions',
  ).first<{ id: number; payment: string }>();
  if (!row) throw new Error('there is no hold');
  await atDesk({ action: 'capture', payment: row.payment, amountMinor: 6_000 });
  const [taken] = await movementsNow();
  const steps = [
    "status = 'Processing', pending_operation = 'capture'",
    `status = 'Accepted', pending_operation = NULL, due_at_ms = NULL, refund_reserved_minor = 8000, gateway_reference = '${taken?.subject}'`,
  ];
  await testEnv.DB.batch(
    steps.map((step) =>
      testEnv.DB.prepare(
        `UPDATE transactions SET version = version + 1, ${step} WHERE id = ?`,
      ).bind(row.id),
    ),
  );
  expect(await compare()).toMatchObject({ corrected: 0 });
  expect(await exceptionsNow()).toMatchObject([{ kind: 'amount_differs' }]);
  expect(await transactionsOf('RV-10')).toMatchObject([{ status: 'Accepted', amount: 100 }]);
});
