import { and, asc, desc, eq, gte, inArray, sql } from 'drizzle-orm';
import { pick } from '../../core/pick.ts';
import { type KeyName, selectCommand } from '../../operation/idempotencyStore.ts';
import { queries } from '../../platform/db/database.ts';
import { literally } from '../../platform/db/indexes.ts';
import { listed } from '../../platform/db/listed.ts';
import { columnsOf, prepared } from '../../platform/db/prepared.ts';
import { type BookingName, isBooking } from '../../records/bookings/store.ts';
import { virtualColumns } from '../../records/cards/views.ts';
import { isChargeOf } from '../../records/history/chargesStore.ts';
import { bookings } from '../../schema/bookingTables.ts';
import { cards } from '../../schema/cardTables.ts';
import { history } from '../../schema/historyTables.ts';
import { type TransactionRow, transactions } from '../../schema/moneyTables.ts';
import { paymentPlans } from '../../schema/planTables.ts';
import { properties } from '../../schema/propertyTables.ts';
import type { TransactionChange } from './states.ts';

/** What was taken of a booking since a payment failed: Bonds for a Bond, anything else for the stay. Minor units. */
export const PAID_SINCE = sql<number>`(SELECT coalesce(sum(later.requested_minor), 0) FROM transactions AS later WHERE later.id IN (SELECT charge_id FROM history WHERE history.property_id = ${transactions.propertyId} AND history.booking_reference = ${transactions.bookingReference} AND charge_id IS NOT NULL) AND later.status = 'Accepted' AND later.completed_at_ms >= ${transactions.learntAtMs} AND (later.purpose = 'Bond') = (${transactions.purpose} = 'Bond'))`;

/** Inserts a transaction. The schema refuses it if the booking or the property has changed since the decision. */
export const insertTransaction = prepared<TransactionRow>()((row) =>
  queries.insert(transactions).values(row),
);

/** Selects the event by which a charge of a booking was accepted, by the key of the request for it. */
export function selectAcceptance({ propertyId, reference }: BookingName, key: KeyName) {
  const { atMs, bookingReference, chargeId, gatewayReference, newContactId, snapshot, subjectId } =
    history;
  const kept = { atMs, chargeId, gatewayReference, newContactId, snapshot, subjectId };
  return queries
    .select({ ...kept, bookingReference, warnings: transactions.warnings })
    .from(history)
    .innerJoin(transactions, eq(transactions.id, chargeId))
    .where(
      and(
        eq(history.propertyId, propertyId),
        eq(bookingReference, reference),
        eq(history.type, 'payment.accepted'),
        eq(transactions.reference, sql`(${selectCommand(key)})`),
        eq(transactions.kind, 'charge'),
      ),
    )
    .limit(1);
}

export type Acceptance = ReturnType<typeof selectAcceptance>['_']['result'][number];

/** Changes a transaction. The schema refuses the change if D1 has another version than `row`. */
export function updateTransaction(row: TransactionRow, change: TransactionChange) {
  const { id, propertyId: ofProperty } = row;
  const { cardToken, ...others } = change;
  // Setting the card that it has would write an entry of its index.
  const changes = cardToken === row.cardToken ? others : change;
  return changeTransaction({ ...changes, version: row.version + 1, id, ofProperty });
}

const changeTransaction = prepared<
  TransactionChange & { readonly id: number; readonly ofProperty: string }
>()(({ id, ofProperty, ...change }) =>
  queries
    .update(transactions)
    .set(columnsOf<TransactionChange>(change))
    .where(and(eq(transactions.id, id), eq(transactions.propertyId, ofProperty))),
);

/** Selects all transactions of a booking, oldest first. */
export const selectTransactions = prepared<BookingName>()((booking) =>
  queries.select().from(transactions).where(isChargeOf(booking)).orderBy(asc(transactions.id)),
);

/**
 * Selects every card of a booking's transactions, attached to the booking or not. It is not a join, because a D1 batch
 * merges columns of the same name.
 */
export const selectTransactionCards = prepared<BookingName>()((booking) => {
  const named = queries
    .select({ token: transactions.cardToken })
    .from(transactions)
    .where(isChargeOf(booking));
  // The plus makes SQLite look up these few cards instead of scanning every card of the property.
  const ofProperty = sql`+${cards.propertyId} = ${booking.propertyId}`;
  return queries
    .select()
    .from(cards)
    .where(and(ofProperty, inArray(cards.token, named)));
});

export const shownColumns = {
  ...pick(transactions, 'id', 'bookingReference', 'reference', 'kind', 'purpose', 'status'),
  ...pick(transactions, 'currency', 'amountMinor', 'cardFeeMinor', 'transactionFeeMinor'),
  ...pick(transactions, 'scheduledTime', 'expiryTime', 'expiresAtMs', 'attempts', 'initiator'),
  ...pick(transactions, 'limitToDue'),
  ...pick(transactions, 'replacesCharge', 'planId', 'partId', 'createdAtMs'),
};

/** The token of the card that a transaction was made on, or that a schedule would be charged on now: as `cardTokenNow()`. */
export const CARD_NOW = sql`CASE WHEN ${transactions.status} = 'Pending' AND NOT ${transactions.cardNamed} AND ${transactions.otherCard} IS NOT ${transactions.cardToken} THEN (SELECT booking.card_token FROM bookings AS booking WHERE booking.property_id = ${transactions.propertyId} AND booking.reference = ${transactions.bookingReference}) ELSE ${transactions.cardToken} END`;

/** What lists show of a transaction's card. */
export const cardColumns = {
  ...pick(cards, 'token', 'brand', 'last4', 'funding', 'issuerCountry'),
  ...virtualColumns,
};

/**
 * Selects what lists show of a booking: its zone, its transactions, oldest first, and the card of each. A booking
 * without transactions gives one row with a null transaction; an unknown booking gives no row. A D1 batch tells columns
 * apart by name alone, so the selected columns need different names.
 */
export const selectListed = prepared<BookingName>()((name) =>
  queries
    .select({
      timeZone: properties.timeZone,
      transaction: shownColumns,
      card: cardColumns,
    })
    .from(bookings)
    .innerJoin(properties, eq(properties.id, bookings.propertyId))
    .leftJoin(transactions, isChargeOf(name))
    .leftJoin(cards, and(eq(cards.propertyId, transactions.propertyId), eq(cards.token, CARD_NOW)))
    .where(isBooking(name))
    .orderBy(asc(transactions.id)),
);

export const selectTransaction = prepared<BookingName & { readonly id: number }>()(
  ({ id, ...booking }) =>
    queries
      .select()
      .from(transactions)
      .where(and(isChargeOf(booking), eq(transactions.id, id))),
);

export const selectByReference = prepared<BookingName & { readonly own: string }>()(
  ({ own, ...booking }) =>
    queries
      .select()
      .from(transactions)
      .where(and(isChargeOf(booking), eq(transactions.reference, own))),
);

/** Changes those of a booking's schedules that are still pending: the payment that supersedes them, or their due time. */
export function changePending(
  booking: BookingName,
  ids: readonly number[],
  change: Partial<Pick<TransactionRow, 'replacedBy' | 'dueAtMs'>>,
) {
  return queries
    .update(transactions)
    .set({ ...change, version: sql`${transactions.version} + 1` })
    .where(
      and(
        isChargeOf(booking),
        inArray(transactions.id, listed(ids)),
        eq(transactions.status, 'Pending'),
      ),
    );
}

/** What makes two payments of a booking alike: the amount that was asked for, the type, the card and the kind. */
export interface Likeness extends Pick<TransactionRow, 'kind' | 'purpose'> {
  readonly askedMinor: number;
  readonly cardToken: string;
}

/** Selects the booking's latest charge or hold of a likeness since a time that was taken or is under way. */
export function selectLatestLike(
  propertyId: string,
  reference: string,
  like: Likeness & { readonly sinceMs: number },
) {
  return queries
    .select()
    .from(transactions)
    .where(
      and(
        isChargeOf({ propertyId, reference }),
        gte(transactions.createdAtMs, like.sinceMs),
        eq(transactions.kind, like.kind),
        eq(transactions.purpose, like.purpose),
        eq(transactions.cardToken, like.cardToken),
        eq(
          sql`coalesce(${transactions.askedMinor}, ${transactions.requestedMinor})`,
          like.askedMinor,
        ),
        inArray(transactions.status, ['Accepted', 'Authorized', 'Processing']),
      ),
    )
    .orderBy(desc(transactions.id))
    .limit(1);
}

export function selectByQuote(quoteId: string) {
  return queries
    .select({ id: transactions.id })
    .from(transactions)
    .where(eq(transactions.quoteId, quoteId));
}

/** Selects a booking's transactions in some states, oldest first. */
export function selectInStates(
  propertyId: string,
  reference: string,
  states: readonly TransactionRow['status'][],
) {
  return queries
    .select()
    .from(transactions)
    .where(and(isChargeOf({ propertyId, reference }), inArray(transactions.status, [...states])))
    .orderBy(asc(transactions.id));
}

/** Selects the bookings, of any of a property's, with a schedule, a hold or a plan that may still be charged on a card. */
export function selectNeedingCard(propertyId: string, token: string) {
  // As the index says it.
  const needsCard = sql`${transactions.completedAtMs} IS NULL AND ${transactions.kind} <> 'charge'`;
  return queries
    .selectDistinct({ bookingReference: transactions.bookingReference })
    .from(transactions)
    .where(
      and(
        eq(transactions.cardToken, token),
        sql`+${transactions.propertyId} = ${propertyId}`,
        needsCard,
      ),
    )
    .union(selectPlansOn(propertyId, token));
}

function selectPlansOn(propertyId: string, token: string) {
  return queries
    .select({ bookingReference: paymentPlans.bookingReference })
    .from(paymentPlans)
    .where(
      and(
        eq(paymentPlans.propertyId, propertyId),
        literally(paymentPlans.status, 'active'),
        eq(paymentPlans.cardToken, token),
      ),
    );
}

export function selectBookingOf(id: number) {
  return queries
    .select({
      propertyId: transactions.propertyId,
      reference: transactions.bookingReference,
    })
    .from(transactions)
    .where(eq(transactions.id, id));
}
