import { type SQL, sql } from 'drizzle-orm';
import type { Origin } from '../../gateways/movements.ts';
import type { ValuesOrPlaceholders } from '../../platform/db/prepared.ts';
import { refunds, transactions } from '../../schema/moneyTables.ts';
import type { BookingName } from '../bookings/store.ts';

/**
 * The condition for the transactions of a booking, as its history names them. It leaves out the property, by whose
 * indexes SQLite would rather look.
 */
export function isChargeOf({ propertyId, reference }: ValuesOrPlaceholders<BookingName>): SQL {
  return isChargeOfAny(propertyId, sql`(${reference})`);
}

/** The condition for the transactions of some of a property's bookings; `references` is a list or a query. */
export function isChargeOfAny(propertyId: unknown, references: SQL): SQL {
  return sql`${transactions.id} IN (SELECT charge_id FROM history WHERE property_id = ${propertyId} AND booking_reference IN ${references} AND charge_id IS NOT NULL)`;
}

/** The condition for the transactions that an acquirer's records are about. Each booking's history is read once. */
export function isChargeNamedBy(origins: readonly Origin[]): SQL {
  const list = JSON.stringify(origins);
  return sql`${transactions.id} IN (SELECT entry.charge_id FROM (SELECT DISTINCT value ->> 'propertyId' AS property_id, value ->> 'bookingReference' AS booking_reference FROM json_each(${list})) AS named CROSS JOIN history AS entry ON entry.property_id = named.property_id AND entry.booking_reference = named.booking_reference WHERE entry.charge_id IS NOT NULL) AND (${transactions.propertyId}, ${transactions.bookingReference}, ${transactions.reference}) IN ${namesIn(origins)}`;
}

/** The condition for the refunds that an acquirer's records are about. */
export function isRefundNamedBy(origins: readonly Origin[]): SQL {
  return sql`(${refunds.propertyId}, ${refunds.bookingReference}, ${refunds.reference}) IN ${namesIn(origins)}`;
}

/** Properties, bookings and own names that an acquirer's records give, for `(one, other, third) IN`. */
export function namesIn(origins: readonly Origin[]): SQL {
  return sql`(SELECT value ->> 'propertyId', value ->> 'bookingReference', value ->> 'reference' FROM json_each(${JSON.stringify(origins)}))`;
}
