import { z } from 'zod';
import { selectEndedSession } from '../../desk/endedSessions.ts';
import type { AppContext } from '../../http/context.ts';
import { selectProperty } from '../../records/properties/store.ts';
import { maySignIn, type Person, reaches } from '../../records/staff/rules.ts';
import { selectUser, selectUserByEmail } from '../../records/staff/store.ts';
import type { PropertyRow } from '../../schema/propertyTables.ts';
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

/** A person of the staff who sent a request. */
export interface SignedIn {
  readonly person: Person;
  /** The session of their cookie; null where Cloudflare Access vouches for each request. */
  readonly session: Session | null;
  /** The property that the request names, if the person works for it; null otherwise. */
  readonly property: PropertyRow | null;
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
  const { access } = c.get('config');
  const token = c.req.header('Cf-Access-Jwt-Assertion');
  if (access !== null && token !== undefined) {
    return readByAccess(c, await accessEmail(access, token), propertyId);
  }
  return access?.isOnlyWay ? null : readByCookie(c, propertyId);
}

async function readByAccess(
  c: AppContext,
  email: string | null,
  propertyId: string,
): Promise<SignedIn | null> {
  if (email === null) return null;
  const database = c.get('database');
  const { queries } = database;
  const [[user], [property]] = await database.batch('d1.staff.read', [
    selectUserByEmail(queries, email),
    selectProperty(queries, propertyId),
  ]);
  return signedIn(c, user, null, property);
}

async function readByCookie(c: AppContext, propertyId: string): Promise<SignedIn | null> {
  const session = await sessions.read(c);
  if (session === null) return null;
  const database = c.get('database');
  const { queries } = database;
  const [ended, [user], [property]] = await database.batch('d1.staff.read', [
    selectEndedSession(queries, session.id),
    selectUser(queries, session.userId),
    selectProperty(queries, propertyId),
  ]);
  const isOver = ended.length > 0 || user?.sessionRound !== session.round;
  return isOver ? null : signedIn(c, user, session, property);
}

function signedIn(
  c: AppContext,
  user: UserRow | undefined,
  session: Session | null,
  property: PropertyRow | undefined,
): SignedIn | null {
  if (!user || !maySignIn(user, c.get('config').local)) return null;
  const reached = property && reaches(user, property) ? property : null;
  return { person: user, session, property: reached };
}
