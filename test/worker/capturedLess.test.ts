/** The acquirer took less than what this service has set aside for refunds. */
import { expect, it } from 'vitest';
import { call, makeBooking, testEnv, transactionsOf } from '../support/api.ts';
import { atDesk, compare, exceptionsNow, movementsNow } from '../support/reconciliation.ts';
import { story } from '../support/story.ts';

story({ freshDatabase: true });

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
  const states = steps.map(
    (step) => `UPDATE transactions SET version = version + 1, ${step} WHERE id = ?1`,
  );
  const taking = `INSERT INTO history (property_id, booking_reference, sequence, at_ms, actor, subject_kind, subject_id,
    charge_id, movement, currency, amount_minor, fee_minor, waived_minor, gateway, gateway_reference, occurred_at_ms)
    SELECT property_id, booking_reference, 1000, 1, 'alarm', 'charge', id,
    id, 'capture', currency, 10000, 0, 0, gateway, gateway_reference, 1 FROM transactions WHERE id = ?1`;
  await testEnv.DB.batch(
    [...states, taking].map((statement) => testEnv.DB.prepare(statement).bind(row.id)),
  );
  expect(await compare()).toMatchObject({ corrected: 0 });
  expect(await exceptionsNow()).toMatchObject([{ kind: 'amount_differs' }]);
  expect(await transactionsOf('RV-10')).toMatchObject([{ status: 'Accepted', amount: 100 }]);
});
