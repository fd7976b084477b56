import { propertyTime } from '../core/propertyClock.ts';
import { MINUTE_MS } from '../core/time.ts';
import { Coalescing } from '../delivery/coalesce.ts';
import { type Database, openDatabase } from '../platform/db/database.ts';
import type { Env } from '../platform/env.ts';
import { logError } from '../platform/log.ts';
import { objectNamed } from '../platform/objects.ts';
import { Trace } from '../platform/trace.ts';
import { selectMovedClocks } from '../records/properties/store.ts';
import type { MailDispatcher, SentAsOf } from './object.ts';
import { selectHasDueMail, selectPropertiesWithDueMail } from './store.ts';

const notifications = new Coalescing();

/**
 * Notifies a property's mailer of a queued mail. One call covers all mails that this isolate queues for the property within
 * a few milliseconds. If the call is lost, the sweep finds them.
 */
export async function notifyMailer(env: Env, propertyId: string): Promise<void> {
  if (!notifications.isFirst(propertyId)) return;
  await callMailer(env, propertyId, async (mailer) => {
    await notifications.wait(propertyId);
    await mailer.notify(propertyId);
  });
}

/** Makes a property's mailer look for what is due. */
export function wakeMailer(env: Env, propertyId: string): Promise<void> {
  return callMailer(env, propertyId, (mailer) => mailer.notify(propertyId));
}

/** A failure is only logged: the sweep repeats the notification. */
async function callMailer(
  env: Env,
  propertyId: string,
  notify: (mailer: DurableObjectStub<MailDispatcher>) => Promise<void>,
): Promise<void> {
  try {
    await new Trace().span('object.mailer', () => notify(mailerOf(env, propertyId)));
  } catch (error) {
    logError('notify_failed', error, { property: propertyId });
  }
}

/** Sends what is due of a property whose clock is being advanced. */
export function sendMailsAsOf(env: Env, trace: Trace, propertyId: string): Promise<SentAsOf> {
  return trace.span('object.mailer', () => mailerOf(env, propertyId).sendAsOf(propertyId));
}

function mailerOf(env: Env, propertyId: string): DurableObjectStub<MailDispatcher> {
  return objectNamed(env, env.MAILER as DurableObjectNamespace<MailDispatcher>, propertyId);
}

/** How many properties one sweep notifies; the next sweep continues. */
const MOST_PER_SWEEP = 200;

/**
 * Finds properties with mails that are due, and makes them go out: notifications and alarms can get lost. The frequent
 * Cron Trigger runs it.
 */
export async function sweepMails(env: Env, nowMs: number, of?: string): Promise<number> {
  const all = openDatabase(env, new Trace()).limitedTo(of);
  const found = await all.ofAnswering(({ database }) => readDue(database, nowMs));
  const due = new Set(found.flat());
  await Promise.all([...due].map((propertyId) => wakeMailer(env, propertyId)));
  return due.size;
}

/** The properties of a database with mails that are due. */
async function readDue(database: Database, nowMs: number): Promise<string[]> {
  // No clock is behind real time, so what is due by real time is due by every clock.
  const [overdue, moved] = await database.batch('d1.sweep.read', [
    selectPropertiesWithDueMail(nowMs, MOST_PER_SWEEP),
    selectMovedClocks(),
  ]);
  const [first, ...rest] = moved
    .filter(({ clockFrozenAtMs }) => clockFrozenAtMs === null)
    .map((clock) => {
      const untilMs = propertyTime(clock, nowMs) + MINUTE_MS;
      return selectHasDueMail(clock.id, untilMs);
    });
  const ahead = first ? (await database.batch('d1.sweep.read', [first, ...rest])).flat() : [];
  return [...overdue, ...ahead].map(({ propertyId }) => propertyId);
}
