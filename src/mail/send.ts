import type { Config } from '../config.ts';
import { type Failure, failure } from '../core/failure.ts';
import { err, ok, type Result } from '../core/result.ts';
import type { Database } from '../db/database.ts';
import type { Env } from '../env.ts';
import type { Crossings } from '../io/crossings.ts';
import { type About, logNotice } from '../io/log.ts';
import type { Mail } from './mail.ts';
import { insertMail } from './store.ts';

/** What sending needs. */
export interface MailWork {
  readonly env: Pick<Env, 'EMAIL' | 'MAIL_FROM'>;
  readonly config: Pick<Config, 'local'>;
  readonly database: Database;
  readonly crossings: Crossings;
  /** What lines of the log say that a message was about. */
  readonly about: About;
}

/**
 * Hands a message to Cloudflare's e-mail service; a local start keeps it for `/dev/mailbox` instead. An error says
 * that it may not have been sent.
 */
export async function sendMail(
  { env, config, database, crossings, about }: MailWork,
  mail: Mail,
): Promise<Result<null, Failure>> {
  const { to, fromName, subject, text, html } = mail;
  if (config.local) {
    const row = { recipient: to, subject, text, html, atMs: Date.now() };
    await database.batch('d1.mail.save', [insertMail(database.queries, row)]);
    return ok(null);
  }
  const { EMAIL, MAIL_FROM } = env;
  if (!EMAIL || !MAIL_FROM) {
    return err(
      failure('not_configured', 'No e-mail can be sent: EMAIL and MAIL_FROM are not set.'),
    );
  }
  try {
    const from = { email: MAIL_FROM, name: fromName };
    await crossings.cross('mail.send', () => EMAIL.send({ from, to, subject, text, html }));
    return ok(null);
  } catch (error) {
    logNotice('mail_failed', { ...about, why: codeOf(error) });
    return err(failure('gateway_error', 'The e-mail service did not take the message.'));
  }
}

/** The mail service's word for an error. Its sentence is left out: that may name the guest. */
function codeOf(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown';
  const code = 'code' in error ? String(error.code) : '';
  return /^\w{1,64}$/.test(code) ? code : error.name;
}
