import { and, asc, desc, eq, getTableColumns, gte, isNotNull, lt, sql } from 'drizzle-orm';
import { isDisputeOf } from '../../operation/shownStore.ts';
import { queries } from '../../platform/db/database.ts';
import { comesAfter, type Part } from '../../platform/db/page.ts';
import type { BookingName } from '../../records/bookings/store.ts';
import { type DisputeRow, type DisputeStatus, disputes } from '../../schema/disputeTables.ts';
import { history } from '../../schema/historyTables.ts';

export function insertDispute(row: DisputeRow) {
  return queries.insert(disputes).values(row);
}

/** Selects what the history has of a dispute, in the order in which it was learnt. */
export function selectDisputeMovements({ propertyId, reference }: BookingName, disputeId: string) {
  return queries
    .select({ amountMinor: sql<number>`${history.amountMinor}`.as('moved_minor') })
    .from(history)
    .where(
      and(
        eq(history.propertyId, propertyId),
        eq(history.bookingReference, reference),
        eq(history.subjectKind, 'dispute'),
        eq(history.subjectId, disputeId),
        isNotNull(history.movement),
      ),
    )
    .orderBy(asc(history.sequence));
}

/** The columns of a dispute that may change. The schema refuses an update that only names one of the others. */
export type DisputeChange = Partial<
  Omit<DisputeRow, 'propertyId' | 'id' | 'bookingReference' | 'transactionId' | 'currency'>
>;

/** Changes a dispute. The schema refuses the change if D1 has another version than `row`. */
export function updateDispute(row: DisputeRow, change: DisputeChange) {
  return queries
    .update(disputes)
    .set({ ...change, version: row.version + 1 })
    .where(and(eq(disputes.propertyId, row.propertyId), eq(disputes.id, row.id)));
}

/** Whether a dispute of the query is an inquiry: nothing was ever withdrawn for it. */
export const disputeStage = sql<
  'inquiry' | 'chargeback'
>`CASE WHEN EXISTS (SELECT 1 FROM history AS moved WHERE moved.property_id = disputes.property_id AND moved.booking_reference = disputes.booking_reference AND moved.subject_kind = 'dispute' AND moved.subject_id = disputes.id AND moved.movement IS NOT NULL) THEN 'chargeback' ELSE 'inquiry' END`.as(
  'stage',
);

/** Filters disputes; the times bound `openedAtMs`. What is undefined filters nothing. */
export interface DisputeFilter {
  readonly reference?: string | undefined;
  readonly status?: DisputeStatus | undefined;
  readonly fromMs?: number | undefined;
  readonly beforeMs?: number | undefined;
}

/** Selects a property's disputes, newest first. */
export function selectDisputes(
  propertyId: string,
  { reference, status, fromMs, beforeMs }: DisputeFilter,
  { limit, after }: Part,
) {
  const { id, openedAtMs } = disputes;
  return queries
    .select({ ...getTableColumns(disputes), stage: disputeStage })
    .from(disputes)
    .where(
      and(
        eq(disputes.propertyId, propertyId),
        reference === undefined ? undefined : isDisputeOf({ propertyId, reference }),
        status === undefined ? undefined : eq(disputes.status, status),
        fromMs === undefined ? undefined : gte(openedAtMs, fromMs),
        beforeMs === undefined ? undefined : lt(openedAtMs, beforeMs),
        comesAfter('descending', [openedAtMs, id], after),
      ),
    )
    .orderBy(desc(openedAtMs), desc(id))
    .limit(limit + 1);
}
