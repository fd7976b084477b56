import { z } from 'zod';
import { type AtProperty, readPersonByEmail, readPersonOf } from '../../desk/sessions.ts';
import type { AppContext } from '../../http/context.ts';
import type { UserRow } from '../../schema/staffTables.ts';
import { newSession, StaffSessions } from '../web/staffSession.ts';
import { accessEmail } from './accessToken.ts';
import { CONSOLE_PATH } from './paths.ts';

const sessionShape = z.object({
  id: z.string(),
  userId: z.string(),
  /** How often the person's sessions had been ended when it began. Cookies of before have none. */
  round: z.int().default(0),
  untilMs: z.int(),
});

type Session = Readonly<z.infer<typeof sessionShape>>;

const sessions = new StaffSessions<Session>(
  {
    name: 'console',
    path: CONSOLE_PATH,
    // People arrive by links in mails.
    sameSite: 'Lax',
    purpose: 'console-session',
    context: 'console-session',
  },
  sessionShape,
);

/** A person of the staff who sent a request. The session is that of their cookie; null behind Cloudflare Access. */
export interface SignedIn extends AtProperty {
  readonly session: Session | null;
}

/** Signs a person in: sets their cookie. */
export async function startSession(
  c: AppContext,
  { id: userId, sessionRound: round }: UserRow,
): Promise<void> {
  await sessions.keep(c, { ...newSession(), userId, round });
}

/** Keeps a session until it has been idle for half an hour. */
export async function keepSession(
  c: AppContext,
  { session }: Pick<SignedIn, 'session'>,
): Promise<void> {
  if (session !== null) await sessions.keep(c, session);
}

/** Signs the person out for good. One round trip. */
export function endSession(c: AppContext): Promise<void> {
  return sessions.end(c);
}

/**
 * Who sent the request, as D1 has them now: someone who is no longer active is out at once. Null for anyone else.
 * `propertyId` is the property that the request names; empty for none. One round trip.
 */
export async function readSignedIn(c: AppContext, propertyId: string): Promise<SignedIn | null> {
  const { access, local } = c.get('config');
  const database = c.get('database');
  const token = c.req.header('Cf-Access-Jwt-Assertion');
  if (access !== null && token !== undefined) {
    const email = await accessEmail(access, token);
    const read =
      email === null ? null : await readPersonByEmail(database, email, propertyId, local);
    return read && { ...read, session: null };
  }
  const session = access?.isOnlyWay ? null : await sessions.read(c);
  const read = session && (await readPersonOf(database, session, propertyId, local));
  return read && { ...read, session };
}
