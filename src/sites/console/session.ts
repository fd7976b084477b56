import { z } from 'zod';
import { HOUR_MS } from '../../core/time.ts';
import type { AppContext } from '../../http/context.ts';
import type { UserRow } from '../../platform/db/staffTables.ts';
import { maySignIn, type Person } from '../../records/staff/rules.ts';
import { selectUser, selectUserByEmail } from '../../records/staff/store.ts';
import { endForGood, selectEndedSession } from '../web/endedSessions.ts';
import { dropSealed, keepSealed, readSealed, type SealedCookie } from '../web/sealedCookie.ts';
import { accessEmail } from './accessToken.ts';

/** The path of the console. */
export const CONSOLE_PATH = '/console';

/** `Lax`: people arrive by links in mails. */
const COOKIE: SealedCookie = {
  name: 'console',
  path: CONSOLE_PATH,
  sameSite: 'Lax',
  purpose: 'console-session',
  context: 'console-session',
};

/** The longest time that a person stays signed in, even with constant use. */
const LONGEST_MS = 12 * HOUR_MS;

const sessionShape = z.object({ id: z.string(), userId: z.string(), untilMs: z.int() });

type Session = Readonly<z.infer<typeof sessionShape>>;

/** A person of the staff, and the session of their cookie; null where Cloudflare Access vouches for each request. */
export interface SignedIn {
  readonly person: Person;
  readonly session: Session | null;
}

/** Signs a person in: sets their cookie. */
export async function startSession(c: AppContext, { id: userId }: UserRow): Promise<void> {
  const session = { id: crypto.randomUUID(), userId, untilMs: Date.now() + LONGEST_MS };
  await keepSealed(c, COOKIE, session);
}

/** Keeps a session until it has been idle for half an hour. */
export async function keepSession(c: AppContext, { session }: SignedIn): Promise<void> {
  if (session !== null) await keepSealed(c, COOKIE, session);
}

/** Signs the person out for good. One round trip. */
export async function endSession(c: AppContext, { session }: SignedIn): Promise<void> {
  if (session !== null) await endForGood(c.get('database'), session, Date.now());
  dropSealed(c, COOKIE);
}

/**
 * Who sent the request, as D1 has them now: someone who is no longer active is out at once. Null for anyone else. One
 * round trip.
 */
export async function readSignedIn(c: AppContext): Promise<SignedIn | null> {
  const { access } = c.get('config');
  const token = c.req.header('Cf-Access-Jwt-Assertion');
  return access !== null && token !== undefined
    ? readByAccess(c, await accessEmail(access, token))
    : readByCookie(c);
}

async function readByAccess(c: AppContext, email: string | null): Promise<SignedIn | null> {
  if (email === null) return null;
  const database = c.get('database');
  const [[user]] = await database.batch('d1.staff.read', [
    selectUserByEmail(database.queries, email),
  ]);
  return signedIn(c, user, null);
}

async function readByCookie(c: AppContext): Promise<SignedIn | null> {
  const session = await readSealed(c, COOKIE, sessionShape);
  if (session === null || session.untilMs <= Date.now()) return null;
  const database = c.get('database');
  const { queries } = database;
  const [ended, [user]] = await database.batch('d1.staff.read', [
    selectEndedSession(queries, session.id),
    selectUser(queries, session.userId),
  ]);
  return ended.length > 0 ? null : signedIn(c, user, session);
}

function signedIn(
  c: AppContext,
  user: UserRow | undefined,
  session: Session | null,
): SignedIn | null {
  return user && maySignIn(user, c.get('config').local) ? { person: user, session } : null;
}
