import { and, asc, desc, eq, inArray, isNotNull, type SQL, sql } from 'drizzle-orm';
import { queries } from '../../../platform/db/database.ts';
import { selectTakenFrom } from '../../../records/archive/store.ts';
import { type BookingName, isOfBooking } from '../../../records/bookings/store.ts';
import { type CardRow, cards } from '../../../schema/cardTables.ts';
import { history } from '../../../schema/historyTables.ts';
import { mails } from '../../../schema/mailTables.ts';
import { type TransactionRow, transactions } from '../../../schema/moneyTables.ts';

/** How much of each kind evidence holds: more says nothing more. */
export const MOST_SHOWN = 100;

export function selectCardOf(propertyId: string, chargeId: number) {
  const ofCharge = sql`(SELECT charge.card_token FROM transactions AS charge WHERE charge.id = ${chargeId})`;
  return queries
    .select()
    .from(cards)
    .where(and(sql`${cards.token} = ${ofCharge}`, sql`+${cards.propertyId} = ${propertyId}`));
}

/** Selects how a booking changed, and who changed it, the latest first. */
export function selectChanges(name: BookingName) {
  const { actor, actorName, atMs, detail, from, subjectId, subjectKind, to } = history;
  return queries
    .select({ actor, actorName, atMs, detail, from, subjectId, subjectKind, to })
    .from(history)
    .where(
      and(
        isOfBooking(history, name),
        inArray(history.subjectKind, ['booking', 'card', 'application']),
        isNotNull(history.to),
      ),
    )
    .orderBy(desc(history.sequence))
    .limit(MOST_SHOWN);
}

/** Selects the mails that a booking's guest got, the earliest first. */
export function selectSentMails({ propertyId, reference }: BookingName) {
  const { bookingReference, completedAtMs, kind, status } = mails;
  return queries
    .select({ id: mails.id, kind, completedAtMs })
    .from(mails)
    .where(
      and(
        eq(mails.propertyId, propertyId),
        eq(bookingReference, reference),
        eq(status, 'Sent'),
        sql`${kind} <> 'dailyWord'`,
      ),
    )
    .orderBy(asc(completedAtMs))
    .limit(MOST_SHOWN);
}

/** How many bookings of a guest are looked through, and how many earlier payments are shown. */
const MOST_BOOKINGS = 200;
export const MOST_EARLIER = 20;

/** The address of a booking's guest, as SQL. */
function addressOf({ propertyId, reference }: BookingName): SQL {
  return sql`(SELECT lower(own.email) FROM bookings AS own WHERE own.property_id = ${propertyId} AND own.reference = ${reference})`;
}

/**
 * Selects what the same card paid before without any dispute, in bookings of the same e-mail address, the latest first. A
 * card that was entered again is the same one, by its brand, digits and expiry.
 */
export function selectEarlierPayments(
  name: BookingName,
  { createdAtMs, id }: Pick<TransactionRow, 'createdAtMs' | 'id'>,
  { brand, expiryMonth, expiryYear, last4 }: CardRow,
) {
  const { propertyId } = name;
  const { amountMinor, bookingReference, completedAtMs, currency, status } = transactions;
  const ofGuest = sql`SELECT other.reference FROM bookings AS other WHERE other.property_id = ${propertyId} AND lower(other.email) = ${addressOf(name)} LIMIT ${MOST_BOOKINGS}`;
  return queries
    .select({ id: transactions.id, amountMinor, bookingReference, completedAtMs, currency })
    .from(transactions)
    .innerJoin(cards, eq(cards.token, transactions.cardToken))
    .where(
      and(
        sql`${transactions.id} IN (SELECT entry.charge_id FROM (${ofGuest}) AS named CROSS JOIN history AS entry WHERE entry.property_id = ${propertyId} AND entry.booking_reference = named.reference AND entry.movement IN ('charge', 'capture'))`,
        eq(status, 'Accepted'),
        sql`${transactions.id} <> ${id}`,
        sql`${completedAtMs} < ${createdAtMs}`,
        sql`${cards.brand} = ${brand} AND ${cards.last4} = ${last4} AND ${cards.expiryMonth} = ${expiryMonth} AND ${cards.expiryYear} = ${expiryYear}`,
        sql`NOT EXISTS (SELECT 1 FROM disputes AS against WHERE against.property_id = ${propertyId} AND against.id IN (SELECT one.id FROM disputes AS one WHERE one.property_id = ${propertyId} AND one.booking_reference = ${bookingReference}) AND against.transaction_id = ${transactions.id})`,
      ),
    )
    .orderBy(desc(completedAtMs), desc(transactions.id))
    .limit(MOST_EARLIER);
}

/** Selects the same of archived bookings. */
export function selectEarlierArchived(
  name: BookingName,
  { createdAtMs }: Pick<TransactionRow, 'createdAtMs'>,
  card: CardRow,
) {
  const most = { bookings: MOST_BOOKINGS, payments: MOST_EARLIER };
  return selectTakenFrom(name.propertyId, addressOf(name), card, createdAtMs, most);
}
