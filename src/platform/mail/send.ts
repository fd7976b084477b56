import { type Failure, failure } from '../../core/failure.ts';
import { err, ok, type Result } from '../../core/result.ts';
import type { Config } from '../config.ts';
import type { Database } from '../db/database.ts';
import type { Env } from '../env.ts';
import { type About, logWarning } from '../log.ts';
import type { Trace } from '../trace.ts';
import type { Mail } from './mail.ts';
import { insertMail } from './store.ts';

/** The context of sending a mail. */
export interface MailWork {
  readonly env: Pick<Env, 'EMAIL' | 'MAIL_FROM'>;
  readonly config: Pick<Config, 'local'>;
  readonly database: Database;
  readonly trace: Trace;
  /** The subject of log lines. */
  readonly about: About;
}

/**
 * Sends a mail by Cloudflare's e-mail service. In local mode, stores it for `/dev/mailbox` instead. After an error
 * the mail may have been sent or not.
 */
export async function sendMail(
  { env, config, database, trace, about }: MailWork,
  mail: Mail,
): Promise<Result<null, Failure>> {
  const { to, text, html } = mail;
  const [fromName, subject] = [oneLine(mail.fromName), oneLine(mail.subject)];
  if (config.local) {
    const row = { recipient: to, subject, text, html, atMs: Date.now() };
    await database.batch('d1.mail.save', [insertMail(database.queries, row)]);
    return ok(null);
  }
  const { EMAIL, MAIL_FROM } = env;
  if (!EMAIL || !MAIL_FROM) {
    return err(
      failure(
        'not_configured',
        'This deployment cannot send e-mail: EMAIL and MAIL_FROM are not set.',
      ),
    );
  }
  try {
    const from = { email: MAIL_FROM, name: fromName };
    await trace.span('mail.send', () => EMAIL.send({ from, to, subject, text, html }));
    return ok(null);
  } catch (error) {
    logWarning('mail_failed', { ...about, why: codeOf(error) });
    return err(failure('gateway_error', 'The e-mail service rejected the message.'));
  }
}

/** A text for a header: a control character could end the header. */
function oneLine(text: string): string {
  return text.replace(/\p{Cc}+/gu, ' ');
}

/** The mail service's error code. Its message may name the guest, so it is not logged. */
function codeOf(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown';
  const code = 'code' in error ? String(error.code) : '';
  return /^\w{1,64}$/.test(code) ? code : error.name;
}
