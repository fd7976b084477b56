import { and, eq, gt, lt, ne, type SQL, sql } from 'drizzle-orm';
import { queries } from '../../platform/db/database.ts';
import { refusedByGuard, violatesUnique } from '../../platform/db/errors.ts';
import { type CardRequestRow, cardRequests } from '../../schema/cardTables.ts';
import { mails } from '../../schema/mailTables.ts';

/**
 * Inserts a request and returns its id, also where it is there already. Returns nothing if its address, in any case, or its
 * booking got `most` others since `sinceMs`.
 */
export function insertRequest(row: CardRequestRow, most: number, sinceMs: number) {
  const { id, propertyId, bookingReference, email, status, expiresAtMs, createdAtMs } = row;
  const earlierOf = (guest: SQL) =>
    queries
      .select({ count: sql`count(*)` })
      .from(cardRequests)
      .where(
        and(
          eq(cardRequests.propertyId, propertyId),
          guest,
          gt(cardRequests.createdAtMs, sinceMs),
          ne(cardRequests.id, id),
        ),
      );
  const ofAddress = earlierOf(sql`lower(${cardRequests.email}) = lower(${email})`);
  // In SQL, nothing equals null: without a booking, only the address counts.
  const ofBooking = earlierOf(sql`${cardRequests.bookingReference} = ${bookingReference}`);
  return queries
    .insert(cardRequests)
    .select(
      sql`SELECT ${id}, ${propertyId}, ${bookingReference}, ${email}, ${status}, ${expiresAtMs}, ${createdAtMs}
        WHERE ${ofAddress} < ${most} AND ${ofBooking} < ${most}`,
    )
    .onConflictDoUpdate({ target: cardRequests.id, set: { id } })
    .returning({ id: cardRequests.id });
}

/** Whether a request was inserted, for a statement of the same batch. */
export function isInserted(id: string): SQL {
  return sql`EXISTS (SELECT 1 FROM ${cardRequests} WHERE ${cardRequests.id} = ${id})`;
}

export function deleteRequest(id: string) {
  return queries
    .delete(cardRequests)
    .where(and(eq(cardRequests.id, id), eq(cardRequests.status, 'Open')));
}

/** Supersedes a booking's requests that are open and older than `row`. */
export function supersedeOthers(
  row: Pick<CardRequestRow, 'id' | 'propertyId' | 'bookingReference'>,
) {
  return queries
    .update(cardRequests)
    .set({ status: 'Superseded' })
    .where(
      and(
        eq(cardRequests.propertyId, row.propertyId),
        // In SQL, nothing equals null: requests without a booking supersede none.
        sql`${cardRequests.bookingReference} = ${row.bookingReference}`,
        eq(cardRequests.status, 'Open'),
        // Ids grow with time: of two requests sent at once, the later one stays open.
        lt(cardRequests.id, row.id),
      ),
    );
}

/** Completes a request. The schema rejects this if the request is not open. */
export function completeRequest(id: string) {
  return queries.update(cardRequests).set({ status: 'Completed' }).where(eq(cardRequests.id, id));
}

export function selectRequest(id: string) {
  return queries.select().from(cardRequests).where(eq(cardRequests.id, id));
}

/** Selects the mails about to go out whose requests replace the one of `id`; not those whose sending failed so far. */
export function selectReplacements(id: string) {
  return queries
    .select({ id: mails.id })
    .from(cardRequests)
    .innerJoin(
      mails,
      and(
        eq(mails.propertyId, cardRequests.propertyId),
        eq(mails.bookingReference, cardRequests.bookingReference),
        eq(mails.kind, 'cardRequest'),
        eq(mails.status, 'Pending'),
        eq(mails.attempts, 0),
        gt(mails.subjectId, cardRequests.id),
      ),
    )
    .where(eq(cardRequests.id, id));
}

/** Whether D1 rejected a card because its request already has one or was superseded. */
export function wasUsed(error: unknown): boolean {
  return refusedByGuard(error, 'illegal_transition') || violatesUnique(error, 'cards.request_id');
}
