import {
  and,
  desc,
  eq,
  getTableColumns,
  gt,
  isNull,
  lt,
  type Placeholder,
  type SQL,
  sql,
} from 'drizzle-orm';
import { DAY_MS } from '../../core/time.ts';
import { queries } from '../../platform/db/database.ts';
import { prepared } from '../../platform/db/prepared.ts';
import { passkeys, type SessionRow, staffSessions, users } from '../../schema/staffTables.ts';

/** How long a session is shown after its end. */
const SHOWN_MS = 30 * DAY_MS;

/** Begins a session of the active user whom a condition finds. Returns its person's id, or nothing. */
export function insertSession(row: Omit<SessionRow, 'userId'>, whose: SQL) {
  const { device, endedAtMs, id, seenAtMs, startedAtMs, untilMs } = row;
  return queries
    .insert(staffSessions)
    .select(
      sql`SELECT ${id}, ${users.id}, ${device}, ${startedAtMs}, ${seenAtMs}, ${untilMs}, ${endedAtMs} FROM ${users} WHERE ${and(whose, users.active)}`,
    )
    .returning({ userId: staffSessions.userId });
}

/** Selects a session that is not over, with its person, and whether they have a passkey. */
export const selectSession = prepared<{ readonly id: string; readonly nowMs: number }>()(
  ({ id, nowMs }) =>
    queries
      .select({
        // D1 gives a batch's rows by the names of their columns, so each has its own.
        session: {
          ...getTableColumns(staffSessions),
          id: sql<string>`${staffSessions.id}`.as('session_id'),
        },
        user: users,
        hasPasskey:
          sql<number>`EXISTS (SELECT 1 FROM ${passkeys} WHERE ${passkeys.userId} = ${users.id})`
            .mapWith(Boolean)
            .as('has_passkey'),
      })
      .from(staffSessions)
      .innerJoin(users, eq(users.id, staffSessions.userId))
      .where(and(eq(staffSessions.id, id), isOpen(nowMs))),
);

/** Selects the sessions of a person that are not over, the latest first. */
export function selectSessions(userId: string, nowMs: number) {
  return queries
    .select()
    .from(staffSessions)
    .where(and(eq(staffSessions.userId, userId), isOpen(nowMs)))
    .orderBy(desc(staffSessions.startedAtMs));
}

const isOpen = (nowMs: number | Placeholder) =>
  and(isNull(staffSessions.endedAtMs), gt(staffSessions.untilMs, nowMs));

/** Notes that a page was shown. */
export function updateSeen(id: string, nowMs: number) {
  return queries
    .update(staffSessions)
    .set({ seenAtMs: nowMs })
    .where(and(eq(staffSessions.id, id), lt(staffSessions.seenAtMs, nowMs)));
}

/** Ends a session for good; if a person is named, only one of theirs. */
export function endSession(
  { id, userId }: Pick<SessionRow, 'id'> & Partial<Pick<SessionRow, 'userId'>>,
  nowMs: number,
) {
  const isTheirs = userId === undefined ? undefined : eq(staffSessions.userId, userId);
  return endWhere(and(eq(staffSessions.id, id), isTheirs), nowMs);
}

/** Ends all sessions of a person for good. */
export function endSessionsOf(userId: string, nowMs: number) {
  return endWhere(eq(staffSessions.userId, userId), nowMs);
}

function endWhere(which: SQL | undefined, nowMs: number) {
  return queries
    .update(staffSessions)
    .set({ endedAtMs: nowMs })
    .where(and(which, isNull(staffSessions.endedAtMs)));
}

/** Deletes a person's sessions that nobody is shown any more. */
export function deleteOldSessions(userId: string, nowMs: number) {
  const isOld = lt(staffSessions.untilMs, nowMs - SHOWN_MS);
  return queries.delete(staffSessions).where(and(eq(staffSessions.userId, userId), isOld));
}
