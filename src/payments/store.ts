import { and, asc, eq, inArray, isNotNull, lte, min, sql } from 'drizzle-orm';
import { type BookingName, isBooking } from '../bookings/store.ts';
import { bookings } from '../db/bookingTables.ts';
import { cards } from '../db/cardTables.ts';
import type { Queries } from '../db/database.ts';
import { type TransactionRow, transactions } from '../db/moneyTables.ts';
import { properties } from '../db/propertyTables.ts';
import { columnsOf, remembered, type Slotted } from '../db/remembered.ts';
import type { TransactionChange } from './states.ts';

/** Inserts a transaction; the schema refuses it when the booking or the property has changed since it was decided. */
export const insertTransaction = remembered<TransactionRow>()((queries, row) =>
  queries.insert(transactions).values(row),
);

/** Changes a transaction; the schema refuses it when it is no longer as `row` says. */
export function updateTransaction(
  queries: Queries,
  row: TransactionRow,
  change: TransactionChange,
) {
  const { id, propertyId: ofProperty } = row;
  return changeTransaction(queries, { ...change, version: row.version + 1, id, ofProperty });
}

const changeTransaction = remembered<
  TransactionChange & { readonly id: number; readonly ofProperty: string }
>()((queries, { id, ofProperty, ...change }) =>
  queries
    .update(transactions)
    .set(columnsOf<TransactionChange>(change))
    .where(and(eq(transactions.id, id), eq(transactions.propertyId, ofProperty))),
);

/** Selects all transactions of a booking, oldest first. */
export function selectTransactions(queries: Queries, propertyId: string, reference: string) {
  return allOfBooking(queries, { propertyId, reference });
}

const allOfBooking = remembered<BookingName>()((queries, booking) =>
  queries.select().from(transactions).where(ofBooking(booking)).orderBy(asc(transactions.id)),
);

/**
 * Selects every card that a booking's transactions name, attached to it or not. (A join would not do:
 * in a D1 batch, columns of the same name in two tables fall together.)
 */
export function selectTransactionCards(queries: Queries, propertyId: string, reference: string) {
  return cardsOfTransactions(queries, { propertyId, reference });
}

const cardsOfTransactions = remembered<BookingName>()((queries, booking) => {
  const named = queries
    .select({ token: transactions.cardToken })
    .from(transactions)
    .where(ofBooking(booking));
  // The plus keeps SQLite from going through every card of the property instead of looking these few up.
  const ofProperty = sql`+${cards.propertyId} = ${booking.propertyId}`;
  return queries
    .select()
    .from(cards)
    .where(and(ofProperty, inArray(cards.token, named)));
});

/**
 * Selects what lists show of a booking: its zone, its transactions, oldest first, and the card that each was made with. A
 * booking without transactions is one row without one; none is no booking.
 */
export function selectListed(queries: Queries, propertyId: string, reference: string) {
  return listedByName(queries, { propertyId, reference });
}

// A batch tells columns apart by name alone: none of one table's may be called as one of another's.
const listedByName = remembered<BookingName>()((queries, name) =>
  queries
    .select({
      timeZone: properties.timeZone,
      transaction: {
        id: transactions.id,
        bookingReference: transactions.bookingReference,
        reference: transactions.reference,
        kind: transactions.kind,
        purpose: transactions.purpose,
        status: transactions.status,
        currency: transactions.currency,
        amountMinor: transactions.amountMinor,
        cardFeeMinor: transactions.cardFeeMinor,
        transactionFeeMinor: transactions.transactionFeeMinor,
        scheduledTime: transactions.scheduledTime,
        expiryTime: transactions.expiryTime,
        attempts: transactions.attempts,
        dispute: transactions.dispute,
        createdAtMs: transactions.createdAtMs,
      },
      card: { token: cards.token, brand: cards.brand, last4: cards.last4 },
    })
    .from(bookings)
    .innerJoin(properties, eq(properties.id, bookings.propertyId))
    .leftJoin(
      transactions,
      and(
        eq(transactions.propertyId, bookings.propertyId),
        eq(transactions.bookingReference, bookings.reference),
      ),
    )
    .leftJoin(
      cards,
      and(eq(cards.propertyId, transactions.propertyId), eq(cards.token, transactions.cardToken)),
    )
    .where(isBooking(name))
    .orderBy(asc(transactions.id)),
);

/** Selects one transaction of a booking. */
export function selectTransaction(
  queries: Queries,
  propertyId: string,
  reference: string,
  by: { readonly id: number } | { readonly reference: string },
) {
  return 'id' in by
    ? byId(queries, { propertyId, reference, id: by.id })
    : byReference(queries, { propertyId, reference, own: by.reference });
}

const byId = remembered<BookingName & { readonly id: number }>()((queries, { id, ...booking }) =>
  queries
    .select()
    .from(transactions)
    .where(and(ofBooking(booking), eq(transactions.id, id))),
);

const byReference = remembered<BookingName & { readonly own: string }>()(
  (queries, { own, ...booking }) =>
    queries
      .select()
      .from(transactions)
      .where(and(ofBooking(booking), eq(transactions.reference, own))),
);

/** Selects a booking's transactions in some states, oldest first. */
export function selectInStates(
  queries: Queries,
  propertyId: string,
  reference: string,
  states: readonly TransactionRow['status'][],
) {
  return queries
    .select()
    .from(transactions)
    .where(and(ofBooking({ propertyId, reference }), inArray(transactions.status, [...states])))
    .orderBy(asc(transactions.id));
}

/** Selects the booking's transaction that is due first, overdue or not; none when nothing waits. */
export function selectFirstDue(queries: Queries, propertyId: string, reference: string) {
  return firstDue(queries, { propertyId, reference });
}

const firstDue = remembered<BookingName>()((queries, booking) =>
  queries
    .select()
    .from(transactions)
    .where(and(ofBooking(booking), isNotNull(transactions.dueAtMs)))
    .orderBy(asc(transactions.dueAtMs))
    .limit(1),
);

/** Selects the bookings, of any property, that have something due before `beforeMs`, the longest overdue first. */
export function selectOverdueBookings(queries: Queries, beforeMs: number, limit: number) {
  return (
    queries
      .select({
        propertyId: transactions.propertyId,
        reference: transactions.bookingReference,
      })
      .from(transactions)
      .where(lte(transactions.dueAtMs, beforeMs))
      // `+`: found by what is due, not by going through every booking's transactions.
      .groupBy(sql`+${transactions.propertyId}`, sql`+${transactions.bookingReference}`)
      .orderBy(asc(min(transactions.dueAtMs)))
      .limit(limit)
  );
}

/** Selects which booking a transaction of any property belongs to. */
export function selectPlace(queries: Queries, id: number) {
  return queries
    .select({
      propertyId: transactions.propertyId,
      reference: transactions.bookingReference,
    })
    .from(transactions)
    .where(eq(transactions.id, id));
}

function ofBooking({ propertyId, reference }: Slotted<BookingName>) {
  return and(eq(transactions.propertyId, propertyId), eq(transactions.bookingReference, reference));
}
