import { type Failure, failure } from '../../core/failure.ts';
import { hex } from '../../core/ids.ts';
import { err, ok, type Result } from '../../core/result.ts';
import { HOUR_MS, MINUTE_MS } from '../../core/time.ts';
import type { Config } from '../../platform/config.ts';
import type { Database } from '../../platform/db/database.ts';
import type { UserRow } from '../../platform/db/staffTables.ts';
import { layOut } from '../../platform/mail/layout.tsx';
import type { Mail } from '../../platform/mail/mail.ts';
import { type MailWork, sendMail } from '../../platform/mail/send.ts';
import { digestSecret } from '../clients/secrets.ts';
import { maySignIn } from './rules.ts';
import {
  consumeLink,
  deleteExpiredLinks,
  insertLink,
  selectUserByEmail,
  selectUserOfLink,
} from './store.ts';

/** How long a sign-in link can be used. */
const LINK_LIFE_MS = 15 * MINUTE_MS;

/** How many links a person gets in an hour. */
const MOST_LINKS = 5;

/** What sending a sign-in link takes. */
export interface SignInWork extends MailWork {
  readonly config: Pick<Config, 'local'>;
  /** Makes the link's address from its secret. */
  readonly addressOf: (secret: string) => string;
}

/**
 * Sends a person a link that signs them in once, within 15 minutes. Whoever asks learns nothing: neither whether the
 * address is a user's, nor whether they got too many links.
 */
export async function sendSignInLink(work: SignInWork, email: string): Promise<void> {
  const { config, database, nowMs } = work;
  const { queries } = database;
  const [[user]] = await database.batch('d1.user.find', [selectUserByEmail(queries, email)]);
  if (!user || !maySignIn(user, config.local)) return;
  // In lower case: the paths of links count without regard to case.
  const secret = hex(crypto.getRandomValues(new Uint8Array(32)));
  const link = {
    digest: await digestSecret(secret),
    userId: user.id,
    createdAtMs: nowMs,
    expiresAtMs: nowMs + LINK_LIFE_MS,
  };
  const [, made] = await database.batch('d1.signIn.save', [
    deleteExpiredLinks(queries, user.id, nowMs - HOUR_MS),
    insertLink(queries, link, MOST_LINKS, nowMs - HOUR_MS),
  ]);
  if (made.length > 0) await sendMail(work, await signInMail(user, work.addressOf(secret)));
}

/** The user of a sign-in link that can still be used; null if there is none. Does not use it up. */
export async function userOfLink(
  database: Database,
  { local }: Pick<Config, 'local'>,
  secret: string,
  nowMs: number,
): Promise<UserRow | null> {
  const [[user]] = await database.batch('d1.user.find', [
    selectUserOfLink(database.queries, await digestSecret(secret), nowMs),
  ]);
  return user && maySignIn(user, local) ? user : null;
}

/** Signs in by a link, which then is used up. One round trip. */
export async function signInByLink(
  database: Database,
  { local }: Pick<Config, 'local'>,
  secret: string,
  nowMs: number,
): Promise<Result<UserRow, Failure>> {
  const digest = await digestSecret(secret);
  const [[user], used] = await database.batch('d1.signIn.save', [
    selectUserOfLink(database.queries, digest, nowMs),
    consumeLink(database.queries, digest, nowMs),
  ]);
  if (user && maySignIn(user, local) && used.length > 0) return ok(user);
  return err(failure('unauthorized', 'This link has expired or was used already.'));
}

/** This service, which speaks for no property here. */
const SENDER = { name: 'Bookings and payments', contact: null };

async function signInMail({ email, name }: UserRow, link: string): Promise<Mail> {
  const content = {
    subject: 'Sign in to bookings and payments',
    heading: 'Sign in',
    opening: [`Hello ${name}, use this link to sign in. It works once, for 15 minutes.`],
    action: { label: 'Sign in', url: link },
    closing: ['If you did not ask for it, ignore this message: nobody is signed in by it.'],
  };
  return { id: null, to: email, ...(await layOut(SENDER, content)) };
}
