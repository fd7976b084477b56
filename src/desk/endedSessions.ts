import { eq, lt } from 'drizzle-orm';
import type { Database, Queries } from '../platform/db/database.ts';
import { endedSessions } from '../schema/accessTables.ts';

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
