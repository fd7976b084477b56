import { and, desc, eq, gt, isNull, lt, notExists, type SQL, sql } from 'drizzle-orm';
import { queries } from '../../platform/db/database.ts';
import { refusedByGuard, violatesUnique } from '../../platform/db/errors.ts';
import { type LinkRow, signInLinks, type UserRow, users } from '../../schema/staffTables.ts';

/** Selects the user with an e-mail address, in any case. */
export function selectUserByEmail(email: string) {
  return queries.select().from(users).where(eq(users.email, email.toLowerCase()));
}

export function selectUser(id: string) {
  return queries.select().from(users).where(eq(users.id, id));
}

export function insertUser(row: UserRow) {
  return queries.insert(users).values(row);
}

/** Changes a user. The column refuses null, so the batch fails if the user was changed since `before`. */
export function updateUser(
  { updatedAtMs: beforeMs }: Pick<UserRow, 'updatedAtMs'>,
  { id, email: _fixed, createdAtMs: _made, updatedAtMs, ...change }: UserRow,
) {
  const isCurrent = sql`CASE ${users.updatedAtMs} WHEN ${beforeMs} THEN ${updatedAtMs} END`;
  return queries
    .update(users)
    .set({ ...change, updatedAtMs: isCurrent })
    .where(eq(users.id, id));
}

/** Whether a change was decided on an older state, or an id was taken. */
export function wasOvertaken(error: unknown): boolean {
  return (
    refusedByGuard(error, 'users.updated_at_ms') ||
    violatesUnique(error, 'users.email') ||
    violatesUnique(error, 'settings_changes.')
  );
}

export function voidLinks(userId: string, nowMs: number) {
  return queries
    .update(signInLinks)
    .set({ usedAtMs: nowMs })
    .where(and(eq(signInLinks.userId, userId), isNull(signInLinks.usedAtMs)));
}

/** Selects the links that a person was sent since a time, newest first. */
export function selectLinks(email: string, sinceMs: number) {
  const userId = queries
    .select({ id: users.id })
    .from(users)
    .where(eq(users.email, email.toLowerCase()));
  return queries
    .select()
    .from(signInLinks)
    .where(and(eq(signInLinks.userId, userId), gt(signInLinks.createdAtMs, sinceMs)))
    .orderBy(desc(signInLinks.createdAtMs));
}

/** Inserts a link, unless the user already got `most` since `sinceMs`. Returns its digest, or nothing. */
export function insertLink(
  link: LinkRow,
  { most, sinceMs }: { readonly most: number; readonly sinceMs: number },
) {
  const earlier = queries
    .select({ count: sql`count(*)` })
    .from(signInLinks)
    .where(and(eq(signInLinks.userId, link.userId), gt(signInLinks.createdAtMs, sinceMs)));
  return insertLinkIf(link, sql`${earlier} < ${most}`);
}

/** Inserts a link beyond the usual, unless the user got such a one since `sinceMs`. Returns its digest, or nothing. */
export function insertExtraLink(link: LinkRow, sinceMs: number) {
  return insertLinkIf(link, gotNoExtra(link.userId, sinceMs));
}

function insertLinkIf(link: LinkRow, condition: SQL) {
  const { createdAtMs, digest, expiresAtMs, extraAtMs, secretSealed, usedAtMs, userId } = link;
  return queries
    .insert(signInLinks)
    .select(
      sql`SELECT ${digest}, ${userId}, ${createdAtMs}, ${expiresAtMs}, ${usedAtMs}, ${secretSealed}, ${extraAtMs} WHERE ${condition}`,
    )
    .returning({ digest: signInLinks.digest });
}

/** Gives an unused link another time, unless its user got one beyond the usual since `sinceMs`. Returns its digest, or nothing. */
export function renewLink(link: LinkRow, sinceMs: number) {
  const { digest, expiresAtMs, extraAtMs, userId } = link;
  return queries
    .update(signInLinks)
    .set({ expiresAtMs, extraAtMs })
    .where(
      and(
        eq(signInLinks.digest, digest),
        isNull(signInLinks.usedAtMs),
        gotNoExtra(userId, sinceMs),
      ),
    )
    .returning({ digest: signInLinks.digest });
}

function gotNoExtra(userId: string, sinceMs: number): SQL {
  return notExists(
    queries
      .select({ digest: signInLinks.digest })
      .from(signInLinks)
      .where(and(eq(signInLinks.userId, userId), gt(signInLinks.extraAtMs, sinceMs))),
  );
}

export function deleteExpiredLinks(userId: string, beforeMs: number) {
  return queries
    .delete(signInLinks)
    .where(and(eq(signInLinks.userId, userId), lt(signInLinks.expiresAtMs, beforeMs)));
}

/** Selects the user of a link that can still be used. */
export function selectUserOfLink(digest: string, nowMs: number) {
  return queries.select().from(users).where(isOfLink(digest, nowMs));
}

/** Whether a user is the one of a link that can still be used. */
export function isOfLink(digest: string, nowMs: number): SQL {
  const userId = queries
    .select({ id: signInLinks.userId })
    .from(signInLinks)
    .where(usable(digest, nowMs));
  return eq(users.id, userId);
}

/** Uses a link up; returns its user's id, or nothing if it cannot be used any more. */
export function consumeLink(digest: string, nowMs: number) {
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
