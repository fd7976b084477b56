import { localMailbox } from '../../schema/mailTables.ts';
import type { Config } from '../config.ts';
import { type Database, queries } from '../db/database.ts';
import type { Env } from '../env.ts';
import { type About, logWarning } from '../log.ts';
import type { Trace } from '../trace.ts';
import type { Mail, MailOutcome } from './mail.ts';
import { isSuppressed, suppress } from './suppression.ts';

export interface MailWork {
  readonly env: Pick<Env, 'EMAIL' | 'MAIL_FROM'>;
  readonly config: Pick<Config, 'local'>;
  readonly database: Database;
  readonly trace: Trace;
  /** What the property's clock shows. */
  readonly nowMs: number;
  readonly about: About;
}

/**
 * Sends a mail by Cloudflare's e-mail service. In local mode, stores it for `/dev/mailbox` instead. An address that
 * bounced is remembered and gets no more mail (interface: Mails).
 */
export async function sendMail(work: MailWork, mail: Mail): Promise<MailOutcome> {
  const { database, about } = work;
  if (await isSuppressed(database, mail.to)) return { kind: 'bounced', why: 'suppressed' };
  const clean = { ...mail, fromName: oneLine(mail.fromName), subject: oneLine(mail.subject) };
  const outcome = await (work.config.local ? keep(work, clean) : handOver(work, clean));
  if (outcome.kind === 'bounced') await suppress(database, mail.to, outcome.why);
  if ('why' in outcome) logWarning(`mail_${outcome.kind}`, { ...about, why: outcome.why });
  return outcome;
}

/** Whether this deployment sends mails at all. Local mode keeps them in its mailbox. */
export function canMail(
  { EMAIL, MAIL_FROM }: MailWork['env'],
  { local }: MailWork['config'],
): boolean {
  return local || (EMAIL !== undefined && Boolean(MAIL_FROM));
}

/** Gives a mail to the e-mail service, which makes its MIME form. */
async function handOver({ env, trace }: MailWork, mail: Mail): Promise<MailOutcome> {
  const { EMAIL, MAIL_FROM } = env;
  if (!EMAIL || !MAIL_FROM) return { kind: 'not-configured' };
  const { to, fromName: name, replyTo, subject, text, html } = mail;
  const from = { email: MAIL_FROM, name };
  try {
    await trace.span('mail.send', () =>
      EMAIL.send({ from, to, ...(replyTo !== null && { replyTo }), subject, text, html }),
    );
    return { kind: 'sent' };
  } catch (error) {
    const why = codeOf(error);
    return { kind: why === BOUNCED ? 'bounced' : 'failed', why };
  }
}

/** The service's code for an address on its suppression list: one that bounced for good, or complained. */
const BOUNCED = 'E_RECIPIENT_SUPPRESSED';

const LOCAL_FROM = 'mail@localhost';

/** Keeps a mail in the local mailbox. To see a bounce, write to `bounce@` or `bounce+anything@` any domain. */
async function keep(
  { env, database, nowMs }: MailWork,
  { id: mailId, to: recipient, fromName, replyTo, subject, text, html }: Mail,
): Promise<MailOutcome> {
  if (/^bounce(?:\+[^@]*)?@/i.test(recipient)) return { kind: 'bounced', why: BOUNCED };
  const sender = `${fromName} <${env.MAIL_FROM ?? LOCAL_FROM}>`;
  const row = { mailId, recipient, sender, replyTo, subject, text, html, atMs: nowMs };
  // A mail that is there already is left as it is.
  await database.directory.batch('d1.mail.save', [
    queries.insert(localMailbox).values(row).onConflictDoNothing(),
  ]);
  return { kind: 'sent' };
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
