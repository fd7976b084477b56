import { type Failure, failure } from '../../core/failure.ts';
import { canMail, type MailWork } from '../../platform/mail/send.ts';
import { isSuppressed } from '../../platform/mail/suppression.ts';

/** What asking a guest by mail takes. */
export type ReachWork = Pick<MailWork, 'database' | 'env' | 'config'>;

/** Why no mail would reach an address; null if one would. At most one round trip. */
export async function whyUnreachable(
  { config, database, env }: ReachWork,
  email: string,
): Promise<Failure | null> {
  if (!canMail(env, config)) {
    const detail = 'This deployment cannot send e-mail: EMAIL and MAIL_FROM are not set.';
    return failure('not_configured', detail);
  }
  if (email === '') return ERASED;
  return (await isSuppressed(database, email)) ? BOUNCED : null;
}

const ERASED = failure('invalid_state', 'The booking has no e-mail address: its guest was erased.');

const BOUNCED = failure('gateway_error', 'Mail to this address has bounced: it gets no more mail.');
