import { MINUTE_MS } from '../core/time.ts';
import { selectOverdueBookings } from '../money/payments/store.ts';
import { selectOverdueRefunds } from '../money/refunds/store.ts';
import { Database } from '../platform/db/database.ts';
import type { Env } from '../platform/env.ts';
import { logError } from '../platform/log.ts';
import { Trace } from '../platform/trace.ts';
import { bookingObject } from './stub.ts';

/** How many bookings one sweep wakes; the next sweep wakes more. */
const MOST_PER_SWEEP = 200;

/**
 * Finds bookings with work overdue by more than a minute and wakes their objects, so that everything due happens even
 * if every alarm is lost. The frequent Cron Trigger runs it. Returns the number of these bookings.
 */
export async function sweepOverdue(env: Env, nowMs: number): Promise<number> {
  const database = new Database(env.DB, new Trace());
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
