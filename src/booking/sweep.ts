import { propertyTime } from '../core/propertyClock.ts';
import { MINUTE_MS } from '../core/time.ts';
import { type Database, openDatabase } from '../platform/db/database.ts';
import type { Env } from '../platform/env.ts';
import { logError } from '../platform/log.ts';
import { Trace } from '../platform/trace.ts';
import {
  DUE_TABLES,
  selectDueBookings,
  selectOverdueBookings,
} from '../records/bookings/dueStore.ts';
import type { BookingName } from '../records/bookings/store.ts';
import { type MovedClock, selectMovedClocks } from '../records/properties/store.ts';
import { bookingObject } from './stub.ts';

/** How many bookings of each kind a sweep wakes at once, and how often it looks for more; the next sweep wakes the rest. */
const MOST_AT_ONCE = 200;
const MOST_ROUNDS = 5;

/** How early a sweep wakes the bookings of a property whose clock was moved. */
const EARLY_MS = 2 * MINUTE_MS;

/**
 * Finds bookings with work overdue by more than a minute and wakes their objects, so that everything due happens even
 * if every alarm is lost. The frequent Cron Trigger runs it, of one database or of all. Returns the number of these bookings.
 */
export async function sweepOverdue(env: Env, nowMs: number, of?: string): Promise<number> {
  const all = openDatabase(env, new Trace()).limitedTo(of);
  const woken = new Set<string>();
  for (let round = 1; round <= MOST_ROUNDS; round += 1) {
    const found = await all.ofAnswering(({ database }) => readOverdue(database, nowMs));
    const named = new Map(found.flat().map((it) => [JSON.stringify(it), it]));
    const others = [...named].filter(([name]) => !woken.has(name));
    await wakeAll(
      env,
      others.map(([, booking]) => booking),
    );
    for (const [name] of others) woken.add(name);
    if (others.length < MOST_AT_ONCE) break;
  }
  return woken.size;
}

/** The bookings of a database that have work overdue by more than a minute. */
async function readOverdue(database: Database, nowMs: number): Promise<BookingName[]> {
  const beforeMs = nowMs - MINUTE_MS;
  // No clock is behind real time, so what is due by real time is due by every clock.
  const [moved, ...overdue] = await database.batch('d1.sweep.read', [
    selectMovedClocks(),
    ...DUE_TABLES.map((table) => selectOverdueBookings(table, beforeMs, MOST_AT_ONCE)),
  ]);
  return [...overdue.flat(), ...(await dueByMovedClocks(database, moved, nowMs))];
}

async function wakeAll(env: Env, overdue: readonly BookingName[]): Promise<void> {
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
}

/**
 * The bookings that have something due by a clock that was moved, or will until the next sweep: their alarms were set by
 * the clock before. An object that is woken early sets its alarm again. A frozen clock is being advanced.
 */
export async function dueByMovedClocks(
  database: Database,
  moved: readonly MovedClock[],
  nowMs: number,
): Promise<BookingName[]> {
  const statements = moved
    .filter(({ clockFrozenAtMs }) => clockFrozenAtMs === null)
    .flatMap((clock) => {
      const due = { propertyId: clock.id, untilMs: propertyTime(clock, nowMs) + EARLY_MS };
      return DUE_TABLES.map((table) => selectDueBookings(table, due, MOST_AT_ONCE));
    });
  const [first, ...rest] = statements;
  if (first === undefined) return [];
  const due = await database.batch('d1.sweep.read', [first, ...rest]);
  return due.flat().map(({ propertyId, reference }) => ({ propertyId, reference }));
}
