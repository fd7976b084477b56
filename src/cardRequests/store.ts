import { and, eq, gt, lt, sql } from 'drizzle-orm';
import { type CardRequestRow, cardRequests } from '../db/cardTables.ts';
import type { Queries } from '../db/database.ts';

/** Inserts a request, unless its guest was asked `most` times since `sinceMs`; then it returns nothing. */
export function insertRequest(
  queries: Queries,
  row: CardRequestRow,
  most: number,
  sinceMs: number,
) {
  const { id, propertyId, bookingReference, email, status, expiresAtMs, createdAtMs } = row;
  const earlier = queries
    .select({ count: sql`count(*)` })
    .from(cardRequests)
    .where(
      and(
        eq(cardRequests.propertyId, propertyId),
        bookingReference === null
          ? eq(cardRequests.email, email)
          : eq(cardRequests.bookingReference, bookingReference),
        gt(cardRequests.createdAtMs, sinceMs),
      ),
    );
  return queries
    .insert(cardRequests)
    .select(
      sql`SELECT ${id}, ${propertyId}, ${bookingReference}, ${email}, ${status}, ${expiresAtMs}, ${createdAtMs}
        WHERE ${earlier} < ${most}`,
    )
    .returning({ id: cardRequests.id });
}

/** Forgets a request of which the guest never heard. */
export function deleteRequest(queries: Queries, id: string) {
  return queries
    .delete(cardRequests)
    .where(and(eq(cardRequests.id, id), eq(cardRequests.status, 'Open')));
}

/** Supersedes a booking's requests that are open and older than `row`. */
export function supersedeOthers(queries: Queries, row: CardRequestRow) {
  return queries
    .update(cardRequests)
    .set({ status: 'Superseded' })
    .where(
      and(
        eq(cardRequests.propertyId, row.propertyId),
        // Compared with null, nothing is equal: requests without a booking supersede none.
        sql`${cardRequests.bookingReference} = ${row.bookingReference}`,
        eq(cardRequests.status, 'Open'),
        // Ids grow with time: of two that are sent at once, the later one stands.
        lt(cardRequests.id, row.id),
      ),
    );
}

/** Completes a request; the schema refuses it when it is no longer open. */
export function completeRequest(queries: Queries, id: string) {
  return queries.update(cardRequests).set({ status: 'Completed' }).where(eq(cardRequests.id, id));
}

/** Selects a request. */
export function selectRequest(queries: Queries, id: string) {
  return queries.select().from(cardRequests).where(eq(cardRequests.id, id));
}
