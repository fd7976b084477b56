import { bookingObject } from '../bookings/stub.ts';
import { MINUTE_MS } from '../core/time.ts';
import { Database } from '../db/database.ts';
import { describeError } from '../db/errors.ts';
import type { Env } from '../env.ts';
import { Crossings } from '../io/crossings.ts';
import { selectOverdueRefunds } from '../refunds/store.ts';
import { selectOverdueBookings } from './store.ts';

/** How many bookings one sweep wakes; the next sweep goes on. */
const MOST_PER_SWEEP = 200;

/**
 * Finds what an alarm should have done over a minute ago, and wakes its booking's object: with every alarm
 * lost, everything due still happens. Run by the frequent Cron Trigger.
 */
export async function sweepOverdue(env: Env, nowMs: number): Promise<number> {
  const database = new Database(env.DB, new Crossings());
  const { queries } = database;
  const beforeMs = nowMs - MINUTE_MS;
  const [payments, refunds] = await database.batch('d1.sweep.read', [
    selectOverdueBookings(queries, beforeMs, MOST_PER_SWEEP),
    selectOverdueRefunds(queries, beforeMs, MOST_PER_SWEEP),
  ]);
  const overdue = [
    ...new Map([...payments, ...refunds].map((it) => [JSON.stringify(it), it])).values(),
  ];
  const requestId = crypto.randomUUID();
  const woken = await Promise.allSettled(
    overdue.map(({ propertyId, reference }) =>
      bookingObject(env, propertyId, reference).wake({
        propertyId,
        reference,
        requestId,
        actor: 'sweep',
      }),
    ),
  );
  for (const result of woken) {
    if (result.status === 'rejected') {
      console.error(JSON.stringify({ event: 'wake_failed', error: describeError(result.reason) }));
    }
  }
  return overdue.length;
}
