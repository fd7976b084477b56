import { and, asc, eq } from 'drizzle-orm';
import { pick } from '../../core/pick.ts';
import { queries } from '../../platform/db/database.ts';
import { columnsOf, prepared } from '../../platform/db/prepared.ts';
import { type BookingName, isOfBooking } from '../../records/bookings/store.ts';
import { type RefundRow, refunds } from '../../schema/moneyTables.ts';

export const insertRefund = prepared<RefundRow>()((row) => queries.insert(refunds).values(row));

/** Changes a refund. The schema refuses the change if D1 has another version than `row`. */
export function updateRefund(row: RefundRow, change: Partial<RefundRow>) {
  const { id: ofId, propertyId: ofProperty } = row;
  return changeRefund({ ...change, version: row.version + 1, ofId, ofProperty });
}

const changeRefund = prepared<
  Partial<RefundRow> & { readonly ofId: number; readonly ofProperty: string }
>()(({ ofId, ofProperty, ...change }) =>
  queries
    .update(refunds)
    .set(columnsOf<Partial<RefundRow>>(change))
    .where(and(eq(refunds.id, ofId), eq(refunds.propertyId, ofProperty))),
);

export const shownRefundColumns = {
  ...pick(refunds, 'id', 'transactionId', 'bookingReference', 'reference', 'status', 'amountMinor'),
  ...pick(refunds, 'currency', 'createdAtMs', 'origin'),
};

/** Selects what lists show of a booking's refunds, oldest first. */
export const selectShownRefunds = prepared<BookingName>()((booking) =>
  queries
    .select(shownRefundColumns)
    .from(refunds)
    .where(isOfBooking(refunds, booking))
    .orderBy(asc(refunds.id)),
);

export function selectBookingOfRefund(id: number) {
  return queries
    .select({ propertyId: refunds.propertyId, reference: refunds.bookingReference })
    .from(refunds)
    .where(eq(refunds.id, id));
}
