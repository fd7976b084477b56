import { Coalescing } from '../delivery/coalesce.ts';
import type { Env } from '../platform/env.ts';
import { logError } from '../platform/log.ts';
import { Trace } from '../platform/trace.ts';
import type { MailDispatcher, MailerCalls, SentAsOf } from './object.ts';

const notifications = new Coalescing();

/**
 * Notifies a property's mailer of a queued mail. One call covers all mails that this isolate queues for the property within
 * a few milliseconds. If the call is lost, the sweep finds them.
 */
export async function notifyMailer(env: Env, propertyId: string): Promise<void> {
  if (!notifications.isFirst(propertyId)) return;
  await notifications.wait(propertyId);
  await wakeMailer(env, propertyId);
}

/** Makes a property's mailer look for what is due. A failure is only logged: the sweep repeats it. */
export async function wakeMailer(env: Env, propertyId: string): Promise<void> {
  try {
    await new Trace().span('object.mailer', () => mailerOf(env, propertyId).notify(propertyId));
  } catch (error) {
    logError('notify_failed', error, { property: propertyId });
  }
}

/** Sends what is due of a property whose clock is being advanced. */
export function sendMailsAsOf(env: Env, trace: Trace, propertyId: string): Promise<SentAsOf> {
  return trace.span('object.mailer', () => mailerOf(env, propertyId).sendAsOf(propertyId));
}

function mailerOf(env: Env, propertyId: string): MailerCalls {
  return (env.MAILER as DurableObjectNamespace<MailDispatcher>).getByName(propertyId);
}
