import { and, asc, desc, eq, getTableColumns, isNotNull, sql } from 'drizzle-orm';
import { isDisputeOf } from '../../operation/shownStore.ts';
import { type Database, queries } from '../../platform/db/database.ts';
import { literally } from '../../platform/db/indexes.ts';
import { foundByEach, waysToFind } from '../../platform/db/narrow.ts';
import { comesAfter, type Part, type Way } from '../../platform/db/page.ts';
import { preparedList } from '../../platform/db/prepared.ts';
import { selectDisputed } from '../../records/archive/store.ts';
import { type BookingName, isOfBooking } from '../../records/bookings/store.ts';
import {
  type DisputeEvidenceRow,
  type DisputeRow,
  type DisputeStatus,
  disputeEvidence,
  disputes,
} from '../../schema/disputeTables.ts';
import { history } from '../../schema/historyTables.ts';

export type DisputeStage = 'inquiry' | 'chargeback';

/** A dispute, and whether anything was ever withdrawn for it. */
export interface StagedDispute extends DisputeRow {
  readonly stage: DisputeStage;
}

/** Selects a dispute of a property by the acquirer's id. */
function selectDispute(propertyId: string, id: string) {
  return queries
    .select({ ...getTableColumns(disputes), stage: disputeStage })
    .from(disputes)
    .where(and(eq(disputes.propertyId, propertyId), eq(disputes.id, id)));
}

/** Reads a dispute as D1 has it; null if the property has none with this id. */
export async function readDispute(
  database: Database,
  propertyId: string,
  id: string,
): Promise<StagedDispute | null> {
  const [[row]] = await database.batch('d1.dispute.read', [selectDispute(propertyId, id)]);
  return row ?? null;
}

/** Reads whose a dispute is, also where its booking is archived; null if the property has none with this id. */
export async function readBookingOfDispute(
  database: Database,
  propertyId: string,
  id: string,
): Promise<string | null> {
  const [[here], [archived]] = await database.batch('d1.dispute.read', [
    selectDispute(propertyId, id),
    selectDisputed(propertyId, id),
  ]);
  return here?.bookingReference ?? archived?.reference ?? null;
}

export function insertEvidence(row: DisputeEvidenceRow) {
  return queries.insert(disputeEvidence).values(row);
}

/** Selects the evidence that was sent under a reference. */
export function selectEvidence(reference: string) {
  return queries.select().from(disputeEvidence).where(eq(disputeEvidence.reference, reference));
}

export function insertDispute(row: DisputeRow) {
  return queries.insert(disputes).values(row);
}

/** Selects what the history has of a dispute, in the order in which it was learnt. */
export function selectDisputeMovements(name: BookingName, disputeId: string) {
  return queries
    .select({ amountMinor: sql<number>`${history.amountMinor}`.as('moved_minor') })
    .from(history)
    .where(
      and(
        isOfBooking(history, name),
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
export const disputeStage =
  sql<DisputeStage>`CASE WHEN EXISTS (SELECT 1 FROM history AS moved WHERE moved.property_id = disputes.property_id AND moved.booking_reference = disputes.booking_reference AND moved.subject_kind = 'dispute' AND moved.subject_id = disputes.id AND moved.movement IS NOT NULL) THEN 'chargeback' ELSE 'inquiry' END`.as(
    'stage',
  );

/** Filters disputes; the times bound `openedAtMs`. What is undefined filters nothing. */
export interface DisputeFilter {
  readonly reference?: string | undefined;
  readonly status?: DisputeStatus | undefined;
  readonly fromMs?: number | undefined;
  readonly beforeMs?: number | undefined;
}

/** Selects the latest disputes of a booking. The plus keeps SQLite from reading all of a property in that order. */
export function selectLatestDisputes(name: BookingName, limit: number) {
  return queries
    .select({ ...getTableColumns(disputes), stage: disputeStage })
    .from(disputes)
    .where(isDisputeOf(name))
    .orderBy(sql`+${disputes.openedAtMs} DESC`, desc(disputes.id))
    .limit(limit);
}

/** Which disputes a page has. A status has the name of what finds it: an index has the open ones. */
interface Asked extends Omit<DisputeFilter, 'status'> {
  readonly propertyId: string;
  readonly open?: DisputeStatus;
  readonly ended?: DisputeStatus;
}

/** The statements that find a property's disputes, newest first. */
export function selectDisputes(
  propertyId: string,
  { beforeMs, fromMs, reference, status }: DisputeFilter,
  part: Part,
) {
  const isOpen = status === 'needs_response' || status === 'under_review';
  const filter = { beforeMs, fromMs, reference, [isOpen ? 'open' : 'ended']: status };
  return selectPage({ ...filter, propertyId }, part);
}

const selectPage = preparedList<Asked>()((asked, part) => {
  const { bookingReference, id, openedAtMs, propertyId, status } = disputes;
  const own = eq(propertyId, asked.propertyId);
  const span = { from: asked.fromMs, before: asked.beforeMs };
  const columns = [openedAtMs, id] as const;
  const list = { table: disputes, columns, order: 'descending', own, span, place: own } as const;
  const isOpen = literally(status, 'needs_response', 'under_review');
  const filters = [
    ...foundByEach(list, [asked.reference && eq(bookingReference, asked.reference)]),
    ...(asked.open
      ? [
          {
            rows: eq(status, asked.open),
            keys: sql`SELECT ${id} FROM ${disputes} INDEXED BY disputes_by_deadline WHERE ${and(own, isOpen, eq(status, asked.open))}`,
          },
        ]
      : []),
    ...(asked.ended ? [{ rows: eq(status, asked.ended) }] : []),
  ];
  return waysToFind(list, filters, part, (way) => selectListed(way));
});

function selectListed({ after, how, most, where }: Way) {
  const { id, openedAtMs } = disputes;
  const opened = how === 'by key' ? sql`+${openedAtMs}` : sql`${openedAtMs}`;
  return queries
    .select({ ...getTableColumns(disputes), stage: disputeStage })
    .from(disputes)
    .where(and(where, comesAfter('descending', [opened, id], after)))
    .orderBy(desc(opened), desc(id))
    .limit(most);
}
