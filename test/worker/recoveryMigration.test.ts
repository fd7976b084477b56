/** What the migration of recoveries makes of charges that were scheduled or declined before it. */
import { applyD1Migrations, reset } from 'cloudflare:test';
import { expect, it } from 'vitest';
import { testEnv } from '../support/api.ts';

const RECOVERIES = /_people_and_events\.sql$/;

it('plans for schedules whose card will have expired, and lists what was declined', async () => {
  await reset();
  const all = testEnv.TEST_MIGRATIONS;
  const at = all.findIndex(({ name }) => RECOVERIES.test(name));
  expect(at).toBeGreaterThan(0);
  await applyD1Migrations(testEnv.DB, all.slice(0, at));
  const run = (statement: string) => testEnv.DB.prepare(statement).run();
  await run(`INSERT INTO properties (id, name, site, currency, time_zone, created_at_ms)
    VALUES ('demo', 'Demo', 'demo.localhost', 'AUD', 'Australia/Perth', 1)`);
  await run(`INSERT INTO bookings (property_id, reference, status, arrival, departure, last_name, email, currency, total_cost_minor, first_night_cost_minor, card_token, created_at_ms, updated_at_ms)
    VALUES ('demo', 'OLD', 'booked', '2027-02-14', '2027-02-17', 'N', 'n@hotel.com', 'AUD', 0, 0, NULL, 1, 1)`);
  for (const [token, month] of [
    ['early', 6],
    ['late', 9],
  ]) {
    await run(`INSERT INTO cards (token, property_id, booking_reference, gateway, gateway_token, brand, last4, masked, expiry_month, expiry_year, entered_by, created_at_ms)
      VALUES ('${token}', 'demo', 'OLD', 'sandbox', 'v', 'visa', '4242', 'X242', ${month}, 2027, 'api', 1)`);
  }
  await run("UPDATE bookings SET card_token = 'late', version = 2 WHERE reference = 'OLD'");
  const scheduled = Date.UTC(2027, 6, 20);
  const schedule = (id: number, status: string, card: string, named: number, code = 'NULL') =>
    run(`INSERT INTO transactions (id, property_id, booking_reference, reference, kind, purpose, status, currency, requested_minor, transaction_fee_minor, card_fee_minor, amount_minor, virtual_card, fee_basis_points, card_token, card_named, scheduled_time, scheduled_at_ms, gateway, due_at_ms, booking_version, property_version, decline_code, created_at_ms, settled_at_ms)
      SELECT ${id}, 'demo', 'OLD', 'r${id}', 'schedule', 'Manual', '${status}', 'AUD', 100, 0, 0, 100, 0, 0, '${card}', ${named}, 't', ${scheduled}, 'sandbox', ${status === 'Pending' ? scheduled : 'NULL'}, 2, version, ${code}, 1, 5
      FROM properties WHERE id = 'demo'`);
  await schedule(1, 'Pending', 'early', 1);
  await schedule(2, 'Pending', 'early', 0);
  await schedule(3, 'Pending', 'late', 1);
  await schedule(4, 'Declined', 'late', 0, "'lost_card'");
  await schedule(5, 'Declined', 'late', 0, "'authentication_required'");
  await schedule(6, 'Cancelled', 'early', 1);

  await applyD1Migrations(testEnv.DB, all);
  const { results } = await testEnv.DB.prepare(
    'SELECT transaction_id AS id, cause, card_token AS card, charge_at_ms - due_at_ms AS ahead FROM recoveries ORDER BY 1',
  ).all();
  expect(results).toEqual([
    { id: 1, cause: 'expiring', card: 'early', ahead: 14 * 86_400_000 },
    { id: 4, cause: 'declined', card: 'late', ahead: null },
    { id: 5, cause: 'authentication', card: 'late', ahead: null },
  ]);
});
