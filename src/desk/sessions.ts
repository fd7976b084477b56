import { eq, lt } from 'drizzle-orm';
import type { Database, Queries } from '../platform/db/database.ts';
import { selectProperty } from '../records/properties/store.ts';
import { maySignIn, type Person, reaches } from '../records/staff/rules.ts';
import { selectUser, selectUserByEmail } from '../records/staff/store.ts';
import { endedSessions } from '../schema/accessTables.ts';
import type { PropertyRow } from '../schema/propertyTables.ts';
import type { UserRow } from '../schema/staffTables.ts';

/** A session that is known by its cookie, and when that expires at the latest. */
export interface EndingSession {
  readonly id: string;
  readonly untilMs: number;
}

/** Ends a session for good: copies of its cookie stop working too. One round trip. */
export async function endForGood(
  database: Database,
  { id, untilMs }: EndingSession,
  nowMs: number,
): Promise<void> {
  const { queries } = database;
  await database.batch('d1.session.end', [
    queries.delete(endedSessions).where(lt(endedSessions.untilMs, nowMs)),
    queries.insert(endedSessions).values({ id, untilMs }).onConflictDoNothing(),
  ]);
}

/** Selects a session if its person has signed out of it. */
export function selectEndedSession(queries: Queries, id: string) {
  return queries
    .select({ id: endedSessions.id })
    .from(endedSessions)
    .where(eq(endedSessions.id, id))
    .limit(1);
}

/** Whether a session was ended. One round trip. */
export async function hasEnded(database: Database, { id }: EndingSession): Promise<boolean> {
  const [ended] = await database.batch('d1.ops.read', [selectEndedSession(database.queries, id)]);
  return ended.length > 0;
}

/** A person of the staff with the requested property; null if they do not work for it. */
export interface AtProperty {
  readonly person: Person;
  readonly property: PropertyRow | null;
}

/** Who has an e-mail address, if they may sign in. One round trip. */
export async function readPersonByEmail(
  database: Database,
  email: string,
  propertyId: string,
  isLocal: boolean,
): Promise<AtProperty | null> {
  const { queries } = database;
  const [[user], [property]] = await database.batch('d1.staff.read', [
    selectUserByEmail(queries, email),
    selectProperty(queries, propertyId),
  ]);
  return atProperty(user, property, isLocal);
}

/** Whose session it is, unless it was ended or they may not sign in any more. One round trip. */
export async function readPersonOf(
  database: Database,
  session: EndingSession & { readonly userId: string; readonly round: number },
  propertyId: string,
  isLocal: boolean,
): Promise<AtProperty | null> {
  const { queries } = database;
  const [ended, [user], [property]] = await database.batch('d1.staff.read', [
    selectEndedSession(queries, session.id),
    selectUser(queries, session.userId),
    selectProperty(queries, propertyId),
  ]);
  const isOver = ended.length > 0 || user?.sessionRound !== session.round;
  return isOver ? null : atProperty(user, property, isLocal);
}

function atProperty(
  user: UserRow | undefined,
  property: PropertyRow | undefined,
  isLocal: boolean,
): AtProperty | null {
  if (!user || !maySignIn(user, isLocal)) return null;
  return { person: user, property: property && reaches(user, property) ? property : null };
}
