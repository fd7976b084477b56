import { bookingObject } from '../bookings/stub.ts';
import { MINUTE_MS } from '../core/time.ts';
import { Database } from '../db/database.ts';
import type { Env } from '../env.ts';
import { Crossings } from '../io/crossings.ts';
import { logError } from '../io/log.ts';
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
  for (const [index, result] of woken.entries()) {
    if (result.status === 'rejected') {
      const { propertyId: property, reference: booking } = overdue[index] ?? {};
      logError('wake_failed', result.reason, { requestId, property, booking });
    }
  }
  return overdue.length;
}
