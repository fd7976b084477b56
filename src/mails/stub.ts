import type { Env } from '../platform/env.ts';
import { logError } from '../platform/log.ts';
import { Trace } from '../platform/trace.ts';
import type { MailDispatcher, MailerCalls, SentAsOf } from './object.ts';

/** Makes a property's mails go out now. A failure is only logged: the sweep finds what is due. */
export async function notifyMailer(env: Env, propertyId: string): Promise<void> {
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
