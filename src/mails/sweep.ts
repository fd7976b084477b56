import { propertyTime } from '../core/propertyClock.ts';
import { MINUTE_MS } from '../core/time.ts';
import { Database } from '../platform/db/database.ts';
import type { Env } from '../platform/env.ts';
import { Trace } from '../platform/trace.ts';
import { selectMovedClocks } from '../records/properties/store.ts';
import { selectHasDueMail, selectPropertiesWithDueMail } from './store.ts';
import { wakeMailer } from './stub.ts';

/** How many properties one sweep notifies; the next sweep continues. */
const MOST_PER_SWEEP = 200;

/**
 * Finds properties with mails that are due, and makes them go out: notifications and alarms can get lost. The frequent
 * Cron Trigger runs it.
 */
export async function sweepMails(env: Env, nowMs: number): Promise<number> {
  const database = new Database(env.DB, new Trace());
  const { queries } = database;
  // No clock is behind real time, so what is due by real time is due by every clock.
  const [overdue, moved] = await database.batch('d1.sweep.read', [
    selectPropertiesWithDueMail(queries, nowMs, MOST_PER_SWEEP),
    selectMovedClocks(queries),
  ]);
  const [first, ...rest] = moved
    .filter(({ clockFrozenAtMs }) => clockFrozenAtMs === null)
    .map((clock) => {
      const untilMs = propertyTime(clock, nowMs) + MINUTE_MS;
      return selectHasDueMail(queries, clock.id, untilMs);
    });
  const ahead = first ? (await database.batch('d1.sweep.read', [first, ...rest])).flat() : [];
  const due = new Set([...overdue, ...ahead].map(({ propertyId }) => propertyId));
  await Promise.all([...due].map((propertyId) => wakeMailer(env, propertyId)));
  return due.size;
}
