import { and, desc, eq, gt, isNull, lt, sql } from 'drizzle-orm';
import type { Queries } from '../../platform/db/database.ts';
import { signInLinks, type UserRow, users } from '../../platform/db/staffTables.ts';

/** Selects the user with an e-mail address, in any case. */
export function selectUserByEmail(queries: Queries, email: string) {
  return queries.select().from(users).where(eq(users.email, email.toLowerCase()));
}

/** Selects a user. */
export function selectUser(queries: Queries, id: string) {
  return queries.select().from(users).where(eq(users.id, id));
}

/** Which users to list, newest first. */
export interface UserFilter {
  readonly property?: string | undefined;
  readonly portfolio?: string | undefined;
  readonly beforeId?: string | undefined;
}

/** Selects users, newest first: ids grow with time. */
export function selectUsers(
  queries: Queries,
  { beforeId, portfolio, property }: UserFilter,
  limit: number,
) {
  return queries
    .select()
    .from(users)
    .where(
      and(
        property === undefined ? undefined : eq(users.propertyId, property),
        portfolio === undefined ? undefined : eq(users.portfolio, portfolio),
        beforeId === undefined ? undefined : lt(users.id, beforeId),
      ),
    )
    .orderBy(desc(users.id))
    .limit(limit);
}

/** Inserts a user, or changes the one with this address. Returns the user as saved. */
export function upsertUser(queries: Queries, row: UserRow) {
  const { active, name, portfolio, propertyId, role, updatedAtMs } = row;
  return queries
    .insert(users)
    .values(row)
    .onConflictDoUpdate({
      target: users.email,
      set: { active, name, portfolio, propertyId, role, updatedAtMs },
    })
    .returning();
}

/** A sign-in link that is made. */
export interface NewLink {
  readonly digest: string;
  readonly userId: string;
  readonly createdAtMs: number;
  readonly expiresAtMs: number;
}

/** Inserts a link, unless the user already got `most` since `sinceMs`. Returns its digest, or nothing. */
export function insertLink(queries: Queries, link: NewLink, most: number, sinceMs: number) {
  const { createdAtMs, digest, expiresAtMs, userId } = link;
  const earlier = queries
    .select({ count: sql`count(*)` })
    .from(signInLinks)
    .where(and(eq(signInLinks.userId, userId), gt(signInLinks.createdAtMs, sinceMs)));
  return queries
    .insert(signInLinks)
    .select(
      sql`SELECT ${digest}, ${userId}, ${createdAtMs}, ${expiresAtMs}, NULL WHERE ${earlier} < ${most}`,
    )
    .returning({ digest: signInLinks.digest });
}

/** Deletes a user's links that expired before a time. */
export function deleteExpiredLinks(queries: Queries, userId: string, beforeMs: number) {
  return queries
    .delete(signInLinks)
    .where(and(eq(signInLinks.userId, userId), lt(signInLinks.expiresAtMs, beforeMs)));
}

/** Selects the user of a link that can still be used. */
export function selectUserOfLink(queries: Queries, digest: string, nowMs: number) {
  return queries
    .select()
    .from(users)
    .where(
      eq(
        users.id,
        queries.select({ id: signInLinks.userId }).from(signInLinks).where(usable(digest, nowMs)),
      ),
    );
}

/** Uses a link up; returns its user's id, or nothing if it cannot be used any more. */
export function consumeLink(queries: Queries, digest: string, nowMs: number) {
  return queries
    .update(signInLinks)
    .set({ usedAtMs: nowMs })
    .where(usable(digest, nowMs))
    .returning({ userId: signInLinks.userId });
}

function usable(digest: string, nowMs: number) {
  return and(
    eq(signInLinks.digest, digest),
    isNull(signInLinks.usedAtMs),
    gt(signInLinks.expiresAtMs, nowMs),
  );
}
