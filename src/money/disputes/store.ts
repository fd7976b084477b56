import { and, asc, desc, eq, gte, inArray, lt, or } from 'drizzle-orm';
import { bookings } from '../../platform/db/bookingTables.ts';
import type { Queries } from '../../platform/db/database.ts';
import { type DisputeRow, type DisputeStatus, disputes } from '../../platform/db/disputeTables.ts';
import { prepared, type ValuesOrPlaceholders } from '../../platform/db/prepared.ts';
import { type BookingName, isBooking } from '../../records/bookings/store.ts';

/** Inserts a dispute. The schema writes the journal if its funds are withdrawn. */
export function insertDispute(queries: Queries, row: DisputeRow) {
  return queries.insert(disputes).values(row);
}

/** The columns of a dispute that may change. The schema refuses an update that only names one of the others. */
export type DisputeChange = Partial<
  Omit<DisputeRow, 'propertyId' | 'id' | 'bookingReference' | 'transactionId' | 'currency'>
>;

/** Changes a dispute. The schema refuses the change if D1 has another version than `row`. */
export function updateDispute(queries: Queries, row: DisputeRow, change: DisputeChange) {
  return queries
    .update(disputes)
    .set({ ...change, version: row.version + 1 })
    .where(and(eq(disputes.propertyId, row.propertyId), eq(disputes.id, row.id)));
}

/** Selects the disputes of a booking's charges, the one opened first first. */
export function selectDisputesOfBooking(queries: Queries, propertyId: string, reference: string) {
  return ofBooking(queries, { propertyId, reference });
}

const ofBooking = prepared<BookingName>()((queries, name) =>
  queries
    .select()
    .from(disputes)
    .where(isOfBooking(queries, name))
    .orderBy(asc(disputes.openedAtMs), asc(disputes.id)),
);

/**
 * The condition for the disputes of a booking. Without the inner query SQLite reads every dispute of the property: it
 * prefers the primary key to the index by booking.
 */
function isOfBooking(
  queries: Queries,
  { propertyId, reference }: ValuesOrPlaceholders<BookingName>,
) {
  const ids = queries
    .select({ id: disputes.id })
    .from(disputes)
    .where(and(eq(disputes.propertyId, propertyId), eq(disputes.bookingReference, reference)));
  return and(eq(disputes.propertyId, propertyId), inArray(disputes.id, ids));
}

/** The place of a dispute in a list. */
export type DisputePlace = Pick<DisputeRow, 'openedAtMs' | 'id'>;

/** Filters disputes; the times bound `openedAtMs`. What is undefined filters nothing. */
export interface DisputeFilter {
  /** The booking's reference. */
  readonly reference?: string | undefined;
  readonly status?: DisputeStatus | undefined;
  readonly fromMs?: number | undefined;
  readonly beforeMs?: number | undefined;
  /** Only disputes after this place in the list. */
  readonly after?: DisputePlace | undefined;
}

/** Selects a property's disputes, newest first. */
export function selectDisputes(
  queries: Queries,
  propertyId: string,
  { reference, status, fromMs, beforeMs, after }: DisputeFilter,
  limit: number,
) {
  const { id, openedAtMs } = disputes;
  return queries
    .select()
    .from(disputes)
    .where(
      and(
        eq(disputes.propertyId, propertyId),
        reference === undefined ? undefined : isOfBooking(queries, { propertyId, reference }),
        status === undefined ? undefined : eq(disputes.status, status),
        fromMs === undefined ? undefined : gte(openedAtMs, fromMs),
        beforeMs === undefined ? undefined : lt(openedAtMs, beforeMs),
        after === undefined
          ? undefined
          : or(
              lt(openedAtMs, after.openedAtMs),
              and(eq(openedAtMs, after.openedAtMs), lt(id, after.id)),
            ),
      ),
    )
    .orderBy(desc(openedAtMs), desc(id))
    .limit(limit);
}

/** Selects a booking's reference; no row for an unknown booking. */
export function selectReference(queries: Queries, propertyId: string, reference: string) {
  return queries
    .select({ reference: bookings.reference })
    .from(bookings)
    .where(isBooking({ propertyId, reference }));
}
