import { and, asc, eq, inArray, isNotNull, lte, min } from 'drizzle-orm';
import type { Queries } from '../db/database.ts';
import { cards, refunds, type TransactionRow, transactions } from '../db/schema.ts';

/** The columns that a change of a transaction may set. */
export type TransactionChange = Partial<
  Omit<TransactionRow, 'id' | 'propertyId' | 'bookingReference' | 'reference' | 'kind' | 'currency'>
>;

/** Inserts a transaction; the schema refuses it when the booking or the property has changed since it was decided. */
export function insertTransaction(queries: Queries, row: TransactionRow) {
  return queries.insert(transactions).values(row);
}

/** Changes a transaction; the schema refuses it when it is no longer as `row` says. */
export function updateTransaction(
  queries: Queries,
  row: TransactionRow,
  change: TransactionChange,
) {
  return queries
    .update(transactions)
    .set({ ...change, version: row.version + 1 })
    .where(and(eq(transactions.id, row.id), eq(transactions.propertyId, row.propertyId)));
}

/** Selects all transactions of a booking, oldest first. */
export function selectTransactions(queries: Queries, propertyId: string, reference: string) {
  return queries
    .select()
    .from(transactions)
    .where(
      and(eq(transactions.propertyId, propertyId), eq(transactions.bookingReference, reference)),
    )
    .orderBy(asc(transactions.id));
}

/**
 * Selects every card that a booking's transactions name, attached to it or not. (A join would not do:
 * in a D1 batch, columns of the same name in two tables fall together.)
 */
export function selectTransactionCards(queries: Queries, propertyId: string, reference: string) {
  const named = queries
    .select({ token: transactions.cardToken })
    .from(transactions)
    .where(
      and(eq(transactions.propertyId, propertyId), eq(transactions.bookingReference, reference)),
    );
  return queries.select().from(cards).where(inArray(cards.token, named));
}

/** Selects all refunds of a booking, oldest first. */
export function selectRefunds(queries: Queries, propertyId: string, reference: string) {
  return queries
    .select()
    .from(refunds)
    .where(and(eq(refunds.propertyId, propertyId), eq(refunds.bookingReference, reference)))
    .orderBy(asc(refunds.id));
}

/** Selects one transaction of a booking. */
export function selectTransaction(
  queries: Queries,
  propertyId: string,
  reference: string,
  by: { readonly id: number } | { readonly reference: string },
) {
  const which = 'id' in by ? eq(transactions.id, by.id) : eq(transactions.reference, by.reference);
  return queries
    .select()
    .from(transactions)
    .where(
      and(
        eq(transactions.propertyId, propertyId),
        eq(transactions.bookingReference, reference),
        which,
      ),
    );
}

/** Selects a booking's transactions that are due, most overdue first. */
export function selectDue(
  queries: Queries,
  propertyId: string,
  reference: string,
  atMs: number,
  limit: number,
) {
  return queries
    .select()
    .from(transactions)
    .where(
      and(
        eq(transactions.propertyId, propertyId),
        eq(transactions.bookingReference, reference),
        lte(transactions.dueAtMs, atMs),
      ),
    )
    .orderBy(asc(transactions.dueAtMs))
    .limit(limit);
}

/** Selects when the booking's next transaction is due; null when none is. */
export function selectNextDue(queries: Queries, propertyId: string, reference: string) {
  return queries
    .select({ atMs: min(transactions.dueAtMs) })
    .from(transactions)
    .where(
      and(
        eq(transactions.propertyId, propertyId),
        eq(transactions.bookingReference, reference),
        isNotNull(transactions.dueAtMs),
      ),
    );
}

/** Selects the bookings, of any property, that have something due before `beforeMs`. */
export function selectOverdueBookings(queries: Queries, beforeMs: number, limit: number) {
  return queries
    .selectDistinct({
      propertyId: transactions.propertyId,
      reference: transactions.bookingReference,
    })
    .from(transactions)
    .where(lte(transactions.dueAtMs, beforeMs))
    .limit(limit);
}
