/** D1 as a restore to an earlier time leaves it. */
import { testEnv } from './api.ts';

/** Writes what no trigger allows: a restored database was written by none. */
export async function withoutTriggers(writes: readonly D1PreparedStatement[]): Promise<void> {
  const { results } = await testEnv.DB.prepare(
    "SELECT name, sql FROM sqlite_master WHERE type = 'trigger'",
  ).all<{ name: string; sql: string }>();
  await testEnv.DB.batch([
    testEnv.DB.prepare('PRAGMA defer_foreign_keys = ON'),
    ...results.map(({ name }) => testEnv.DB.prepare(`DROP TRIGGER ${name}`)),
    ...writes,
    ...results.map(({ sql }) => testEnv.DB.prepare(sql)),
  ]);
}

const MONEY = ['outbox', 'disputes', 'refunds', 'transactions'];

/** Takes D1 back to a time before a booking's money, or before its card too. */
export async function forgetMoney(reference: string, withCards = false): Promise<void> {
  const prepared = (sql: string) => testEnv.DB.prepare(sql).bind(reference);
  await withoutTriggers([
    prepared('DELETE FROM history WHERE booking_reference = ? AND charge_id IS NOT NULL'),
    ...MONEY.map((table) => prepared(`DELETE FROM ${table} WHERE booking_reference = ?`)),
    ...(withCards
      ? [
          prepared(
            'UPDATE bookings SET card_token = NULL, version = version + 1 WHERE reference = ?',
          ),
          prepared('DELETE FROM cards WHERE booking_reference = ?'),
        ]
      : []),
  ]);
}
