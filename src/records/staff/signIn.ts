import { hex } from '../../core/ids.ts';
import { ok, type Result, refuse } from '../../core/result.ts';
import { HOUR_MS, MINUTE_MS } from '../../core/time.ts';
import type { Config } from '../../platform/config.ts';
import { seal, unseal } from '../../platform/crypto/seal.ts';
import type { Database } from '../../platform/db/database.ts';
import { logWarning } from '../../platform/log.ts';
import { layOut, type MailContent } from '../../platform/mail/layout.tsx';
import { type MailWork, sendMail } from '../../platform/mail/send.ts';
import type { LinkRow, SessionRow, UserRow } from '../../schema/staffTables.ts';
import { digestSecret } from '../clients/secrets.ts';
import { newSession } from './newSession.ts';
import { maySignIn } from './rules.ts';
import { insertSession } from './sessionStore.ts';
import {
  consumeLink,
  deleteExpiredLinks,
  insertExtraLink,
  insertLink,
  isOfLink,
  renewLink,
  selectLinks,
  selectUserByEmail,
  selectUserOfLink,
} from './store.ts';

/** How long a sign-in link can be used. */
const LINK_LIFE_MS = 15 * MINUTE_MS;

/** How many links a person gets in an hour, as often as somebody asks. */
const MOST_LINKS = 5;

/** How often a person gets one beyond that: who asks for another one's links all day must lock nobody out. */
const EXTRA_EVERY_MS = 15 * MINUTE_MS;

/** What sending a sign-in link takes. */
export interface SignInWork extends MailWork {
  readonly config: Pick<Config, 'local' | 'keyring'>;
  readonly addressOf: (secret: string) => string;
  /** What the mail with a link says to a person, and in whose name. */
  readonly mailOf: (
    user: UserRow,
    link: string,
  ) => Promise<{ readonly from: string; readonly content: MailContent }>;
}

/**
 * Sends a person a link that signs them in once, within 15 minutes. Whoever asks learns nothing: neither whether the
 * address is a user's, nor whether they got too many links. Above five an hour, the newest unused link is sent again with
 * a new time, at most every 15 minutes (interface: Staff).
 *
 * It is sent at once, and waits in no queue: it is of no property, whose object would send it by its clock; its link is of
 * no use when a later attempt would come, and whoever waits for it asks again.
 */
export async function sendSignInLink(work: SignInWork, email: string): Promise<void> {
  const { about, config, database, nowMs } = work;
  const [[user], links] = await database.directory.batch('d1.user.find', [
    selectUserByEmail(email),
    selectLinks(email, nowMs - HOUR_MS),
  ]);
  if (!user || !maySignIn(user, config.local)) return;
  const isOften = links.length >= MOST_LINKS;
  if (isOften) logWarning('console_sign_in_limited', { ...about, by: user.id });
  const secret = await (isOften ? extraSecret(work, user, links) : freshSecret(work, user, null));
  if (secret === null) return;
  const { content, from } = await work.mailOf(user, work.addressOf(secret));
  // This service speaks for no property here.
  const sender = { name: from, contact: null, branding: null };
  await sendMail(work, { id: null, to: user.email, ...(await layOut(sender, content)) });
}

/** The secret of the newest unused link, which counts from now on again, or of another one; null if there was one lately. */
async function extraSecret(
  work: SignInWork,
  user: UserRow,
  links: readonly LinkRow[],
): Promise<string | null> {
  const { config, database, nowMs } = work;
  const newest = links.find(({ usedAtMs }) => usedAtMs === null);
  const sealed = newest?.secretSealed ?? null;
  const secret = sealed && (await unseal(config.keyring, 'sign-in-link', user.id, sealed));
  if (!newest || !secret) return freshSecret(work, user, nowMs);
  const [renewed] = await database.directory.batch('d1.signIn.save', [
    renewLink(
      { ...newest, expiresAtMs: nowMs + LINK_LIFE_MS, extraAtMs: nowMs },
      nowMs - EXTRA_EVERY_MS,
    ),
  ]);
  return renewed.length > 0 ? secret : null;
}

/** Makes a link and returns its secret; null if the person has got too many. `extraAtMs`: it is one beyond the usual. */
async function freshSecret(
  { config, database, nowMs }: SignInWork,
  { id: userId }: UserRow,
  extraAtMs: number | null,
): Promise<string | null> {
  // In lower case: the paths of links count without regard to case.
  const secret = hex(crypto.getRandomValues(new Uint8Array(32)));
  const link = {
    digest: await digestSecret(secret),
    userId,
    createdAtMs: nowMs,
    expiresAtMs: nowMs + LINK_LIFE_MS,
    usedAtMs: null,
    secretSealed: await seal(config.keyring, 'sign-in-link', userId, secret),
    extraAtMs,
  };
  const [, made] = await database.directory.batch('d1.signIn.save', [
    deleteExpiredLinks(userId, nowMs - HOUR_MS),
    extraAtMs === null
      ? insertLink(link, { most: MOST_LINKS, sinceMs: nowMs - HOUR_MS })
      : insertExtraLink(link, nowMs - EXTRA_EVERY_MS),
  ]);
  return made.length > 0 ? secret : null;
}

/** The user of a sign-in link that can still be used; null if there is none. Does not use it up. */
export async function userOfLink(
  database: Database,
  { local }: Pick<Config, 'local'>,
  secret: string,
  nowMs: number,
): Promise<UserRow | null> {
  const [[user]] = await database.directory.batch('d1.user.find', [
    selectUserOfLink(await digestSecret(secret), nowMs),
  ]);
  return user && maySignIn(user, local) ? user : null;
}

/** Signs in by a link, which then is used up: begins a session on a device. One round trip. */
export async function signInByLink(
  database: Database,
  { local }: Pick<Config, 'local'>,
  { device, nowMs, secret }: { readonly secret: string; readonly device: string; nowMs: number },
): Promise<Result<SessionRow>> {
  const digest = await digestSecret(secret);
  const session = newSession(device, nowMs);
  const [[user], begun] = await database.directory.batch('d1.signIn.save', [
    selectUserOfLink(digest, nowMs),
    insertSession(session, isOfLink(digest, nowMs)),
    consumeLink(digest, nowMs),
  ]);
  if (user && maySignIn(user, local) && begun.length > 0)
    return ok({ ...session, userId: user.id });
  return refuse('unauthorized', 'This link has expired or was used already.');
}
