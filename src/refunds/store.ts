import { and, asc, eq, isNotNull, lte, min, sql } from 'drizzle-orm';
import type { BookingName } from '../bookings/store.ts';
import type { Queries } from '../db/database.ts';
import { type RefundRow, refunds } from '../db/moneyTables.ts';
import { columnsOf, remembered, type Slotted } from '../db/remembered.ts';

function ofBooking({ propertyId, reference }: Slotted<BookingName>) {
  return and(eq(refunds.propertyId, propertyId), eq(refunds.bookingReference, reference));
}

/** Inserts a refund. */
export const insertRefund = remembered<RefundRow>()((queries, row) =>
  queries.insert(refunds).values(row),
);

/** Changes a refund; the schema refuses it when it is no longer as `row` says. */
export function updateRefund(queries: Queries, row: RefundRow, change: Partial<RefundRow>) {
  const { id: ofId, propertyId: ofProperty } = row;
  return changeRefund(queries, { ...change, version: row.version + 1, ofId, ofProperty });
}

const changeRefund = remembered<
  Partial<RefundRow> & { readonly ofId: number; readonly ofProperty: string }
>()((queries, { ofId, ofProperty, ...change }) =>
  queries
    .update(refunds)
    .set(columnsOf<Partial<RefundRow>>(change))
    .where(and(eq(refunds.id, ofId), eq(refunds.propertyId, ofProperty))),
);

/** Selects all refunds of a booking, oldest first. */
export function selectRefunds(queries: Queries, propertyId: string, reference: string) {
  return allOfBooking(queries, { propertyId, reference });
}

const allOfBooking = remembered<BookingName>()((queries, booking) =>
  queries.select().from(refunds).where(ofBooking(booking)).orderBy(asc(refunds.id)),
);

/** Selects what lists show of a booking's refunds, oldest first. */
export function selectShownRefunds(queries: Queries, propertyId: string, reference: string) {
  return shownOfBooking(queries, { propertyId, reference });
}

const shownOfBooking = remembered<BookingName>()((queries, booking) =>
  queries
    .select({
      id: refunds.id,
      transactionId: refunds.transactionId,
      bookingReference: refunds.bookingReference,
      reference: refunds.reference,
      status: refunds.status,
      amountMinor: refunds.amountMinor,
      currency: refunds.currency,
      createdAtMs: refunds.createdAtMs,
    })
    .from(refunds)
    .where(ofBooking(booking))
    .orderBy(asc(refunds.id)),
);

/** Selects the booking's refund that is due first, overdue or not; none when nothing waits. */
export function selectFirstDueRefund(queries: Queries, propertyId: string, reference: string) {
  return firstDue(queries, { propertyId, reference });
}

const firstDue = remembered<BookingName>()((queries, booking) =>
  queries
    .select()
    .from(refunds)
    .where(and(ofBooking(booking), isNotNull(refunds.dueAtMs)))
    .orderBy(asc(refunds.dueAtMs))
    .limit(1),
);

/** Selects the bookings, of any property, that have a refund due before `beforeMs`, the longest overdue first. */
export function selectOverdueRefunds(queries: Queries, beforeMs: number, limit: number) {
  return (
    queries
      .select({ propertyId: refunds.propertyId, reference: refunds.bookingReference })
      .from(refunds)
      .where(lte(refunds.dueAtMs, beforeMs))
      // `+`: found by what is due, not by going through every booking's refunds.
      .groupBy(sql`+${refunds.propertyId}`, sql`+${refunds.bookingReference}`)
      .orderBy(asc(min(refunds.dueAtMs)))
      .limit(limit)
  );
}

/** Selects which booking a refund of any property belongs to. */
export function selectRefundPlace(queries: Queries, id: number) {
  return queries
    .select({ propertyId: refunds.propertyId, reference: refunds.bookingReference })
    .from(refunds)
    .where(eq(refunds.id, id));
}
