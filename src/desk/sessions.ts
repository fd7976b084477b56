import { eq, lt } from 'drizzle-orm';
import { MINUTE_MS } from '../core/time.ts';
import { type Database, queries } from '../platform/db/database.ts';
import type { RowOf } from '../platform/db/prepared.ts';
import { noted } from '../records/clients/actions.ts';
import { inGoodStanding, isAdministrator, isUseToNote } from '../records/clients/rules.ts';
import { noteUse } from '../records/clients/store.ts';
import { selectPasskeys } from '../records/staff/passkeyStore.ts';
import { isLocked, maySignIn, type Person, reaches } from '../records/staff/rules.ts';
import {
  deleteOldSessions,
  endSession,
  selectSession,
  selectSessions,
  updateSeen,
} from '../records/staff/sessionStore.ts';
import { selectUserByEmail } from '../records/staff/store.ts';
import { clients, endedSessions } from '../schema/accessTables.ts';
import type { PropertyRow } from '../schema/propertyTables.ts';
import type { SessionRow, UserRow } from '../schema/staffTables.ts';
import { type Counts, selectWithCounts } from './counts.ts';

/** A session that is known by its cookie, and when that expires at the latest. */
export interface EndingSession {
  readonly id: string;
  readonly untilMs: number;
}

/** Ends a client's session for good: copies of its cookie stop working too. One round trip. */
export async function endForGood(
  database: Database,
  { id, untilMs }: EndingSession,
  nowMs: number,
): Promise<void> {
  await database.directory.batch('d1.session.end', [
    queries.delete(endedSessions).where(lt(endedSessions.untilMs, nowMs)),
    queries.insert(endedSessions).values({ id, untilMs }).onConflictDoNothing(),
  ]);
}

export function selectEndedSession(id: string) {
  return queries
    .select({ id: endedSessions.id })
    .from(endedSessions)
    .where(eq(endedSessions.id, id))
    .limit(1);
}

/** A person of the staff with the requested property; null if they do not work for it. */
export interface AtProperty {
  readonly person: Person;
  readonly property: PropertyRow | null;
  /** What needs somebody there. */
  readonly counts: Counts | undefined;
  /** The session of their browser; null for a client, and for whom Cloudflare Access vouches. */
  readonly session: SessionRow | null;
}

/** Who has an e-mail address, if they may sign in. One round trip. */
export async function readPersonByEmail(
  database: Database,
  email: string,
  propertyId: string,
  isLocal: boolean,
): Promise<AtProperty | null> {
  const [[[user]], [[at]]] = await database.ofBoth(
    'd1.staff.read',
    [selectUserByEmail(email)],
    propertyId,
    [selectWithCounts({ propertyId, realMs: Date.now() })],
  );
  return user ? atProperty({ user, session: null }, at, isLocal) : null;
}

/** Whose session it is, unless it is over or locked, or they may not sign in any more. One round trip. */
export async function readPersonOf(
  database: Database,
  { id }: EndingSession,
  propertyId: string,
  isLocal: boolean,
): Promise<AtProperty | null> {
  const nowMs = Date.now();
  const [[[found]], [[at]]] = await database.ofBoth(
    'd1.staff.read',
    [selectSession({ id, nowMs })],
    propertyId,
    [selectWithCounts({ propertyId, realMs: nowMs })],
  );
  if (!found || isLocked(found.session, found.hasPasskey, nowMs)) return null;
  return atProperty(found, at, isLocal);
}

/** An administrator's client as a person who may do everything, while it has access and did not sign out. One round trip, and one more each hour. */
export async function readClientOf(
  database: Database,
  { id, clientId }: { readonly id: string; readonly clientId: string },
  propertyId: string,
  isLocal: boolean,
): Promise<AtProperty | null> {
  const nowMs = Date.now();
  const [[ended, [client]], [[at]]] = await database.ofBoth(
    'd1.staff.read',
    [selectEndedSession(id), queries.select().from(clients).where(eq(clients.id, clientId))],
    propertyId,
    [selectWithCounts({ propertyId, realMs: nowMs })],
  );
  if (!client || ended.length > 0) return null;
  if (!inGoodStanding({ client }, isLocal) || !isAdministrator({ client })) return null;
  if (isUseToNote(client, nowMs)) await noted(database, noteUse(clientId, nowMs));
  const name = client.name ?? clientId;
  const { counts, property = null } = at ?? {};
  return { person: { ...EVERYWHERE, id: clientId, name }, property, counts, session: null };
}

const EVERYWHERE = {
  isClient: true,
  email: '',
  language: null,
  role: 'admin',
  propertyId: null,
  portfolio: null,
  refundLimitMinor: null,
  refundLimitCurrency: null,
} as const;

function atProperty(
  { session, user }: { readonly session: SessionRow | null; readonly user: UserRow },
  at: RowOf<typeof selectWithCounts> | undefined,
  isLocal: boolean,
): AtProperty | null {
  if (!maySignIn(user, isLocal)) return null;
  const isTheirs = at !== undefined && reaches(user, at.property);
  return { person: user, property: isTheirs ? at.property : null, counts: at?.counts, session };
}

/** How long a session is looked at without a note of that. */
const SEEN_EVERY_MS = 5 * MINUTE_MS;

/** Notes that somebody uses a session, unless that was noted lately; and forgets older ones of theirs. */
export async function noteSeen(
  database: Database,
  { id, seenAtMs, userId }: SessionRow,
  nowMs: number,
): Promise<void> {
  if (nowMs - seenAtMs < SEEN_EVERY_MS) return;
  await database.directory.batch('d1.session.save', [
    updateSeen(id, nowMs),
    deleteOldSessions(userId, nowMs),
  ]);
}

/** Ends a session by its cookie, or, where a person is named, one of theirs. One round trip. */
export async function endStaffSession(
  database: Database,
  which: Parameters<typeof endSession>[0],
  nowMs: number,
): Promise<void> {
  await database.directory.batch('d1.session.save', [endSession(which, nowMs)]);
}

/** The sessions and passkeys of a person that are not over, the latest first. One round trip. */
export async function readSignIns(database: Database, { id }: Person, nowMs: number) {
  const [sessions, passkeys] = await database.directory.batch('d1.session.read', [
    selectSessions(id, nowMs),
    selectPasskeys(id),
  ]);
  return { sessions, passkeys };
}
