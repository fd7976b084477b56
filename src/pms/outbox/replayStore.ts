/** Messages that are sent again or given up: by an administrator, or because the PMS lacks what they say. */
import { and, eq, getTableColumns, gt, inArray, lte, or, type SQL, sql } from 'drizzle-orm';
import { pick } from '../../core/pick.ts';
import { queries } from '../../platform/db/database.ts';
import { listed } from '../../platform/db/listed.ts';
import { type HistoryRow, history } from '../../schema/historyTables.ts';
import { type OutboxRow, outbox } from '../../schema/outboxTables.ts';
import { isUnsettled } from './store.ts';

export type ReplayOf =
  | { readonly messageId: string }
  | { readonly property: string; readonly status: 'Dead' }
  | RepairOf;

/** Messages about money that the PMS lacks, unless they are under way, or were settled after an instant. */
export interface RepairOf {
  readonly propertyId: string;
  readonly messageIds: readonly string[];
  readonly settledUntilMs: number;
  /** One that failed and would not be sent again before this is not under way. */
  readonly waitingUntilMs: number;
}

/**
 * Makes messages due now, with all attempts ahead of them. A message behind another one keeps waiting for it; those of a
 * repair are due once the first of them is promoted.
 */
export function replayMessages(which: ReplayOf, nowMs: number) {
  return queries
    .update(outbox)
    .set({
      status: 'Pending',
      attempts: 0,
      refusals: 0,
      dueAtMs:
        'messageIds' in which
          ? null
          : sql`CASE WHEN ${outbox.status} = 'Dead' OR ${outbox.dueAtMs} IS NOT NULL THEN ${nowMs} END`,
      completedAtMs: null,
    })
    .where(unsettledOf(which))
    .returning(changedMessage);
}

export function dismissMessages(which: ReplayOf, nowMs: number) {
  return queries
    .update(outbox)
    .set({ status: 'Dismissed', dueAtMs: null, completedAtMs: nowMs })
    .where(unsettledOf(which))
    .returning(changedMessage);
}

/** Selects what a repair would send again. */
export function selectRepaired(of: RepairOf) {
  return queries.select(changedMessage).from(outbox).where(unsettledOf(of));
}

export type ReplayContext = Pick<HistoryRow, 'actor' | 'atMs'> &
  Partial<Pick<HistoryRow, 'actorName'>>;

/**
 * Appends a change of messages to the histories of their bookings. Put it before the change in the batch, because it
 * reads the states before.
 */
export function recordMessages(
  which: ReplayOf,
  to: OutboxRow['status'],
  { actor, actorName = null, atMs }: ReplayContext,
) {
  const { bookingReference, messageId, propertyId, status } = outbox;
  const nth = sql`row_number() OVER (PARTITION BY ${propertyId}, ${bookingReference} ORDER BY ${messageId})`;
  const last = sql`(SELECT coalesce(max(sequence), 0) FROM history WHERE history.property_id = ${propertyId} AND history.booking_reference = ${bookingReference})`;
  const nothing = Object.keys(getTableColumns(history)).map((name) => [
    name,
    sql<null>`NULL`.as(name),
  ]);
  const entries = queries
    .select({
      ...(Object.fromEntries(nothing) as Record<keyof HistoryRow, SQL.Aliased<null>>),
      propertyId,
      bookingReference,
      sequence: sql<number>`${last} + ${nth}`.as('sequence'),
      atMs: sql<number>`${atMs}`.as('at_ms'),
      actor: sql<string>`${actor}`.as('actor'),
      actorName: sql<string | null>`${actorName}`.as('actor_name'),
      subjectKind: sql<'message'>`'message'`.as('subject_kind'),
      subjectId: sql<string>`${messageId}`.as('subject_id'),
      from: sql<string>`${status}`.as('from_state'),
      to: sql<string>`${to}`.as('to_state'),
    })
    .from(outbox)
    .where(unsettledOf(which));
  return queries.insert(history).select(entries);
}

const changedMessage = pick(outbox, 'messageId', 'propertyId', 'bookingReference');

/** Names the index, because SQLite would otherwise scan every message of the property. */
function deadOf(propertyId: string): SQL {
  return sql`${outbox.messageId} IN (SELECT dead.message_id FROM outbox AS dead INDEXED BY outbox_dead_of_property WHERE dead.status = 'Dead' AND dead.property_id = ${propertyId})`;
}

function unsettledOf(which: ReplayOf): SQL | undefined {
  if ('messageIds' in which) return repairedOf(which);
  return 'messageId' in which
    ? and(eq(outbox.messageId, which.messageId), isUnsettled)
    : deadOf(which.property);
}

function repairedOf(of: RepairOf): SQL | undefined {
  const { messageIds, propertyId, settledUntilMs, waitingUntilMs } = of;
  const isSettled = inArray(outbox.status, ['Confirmed', 'Dismissed']);
  return and(
    inArray(outbox.messageId, listed(messageIds)),
    eq(outbox.propertyId, propertyId),
    eq(outbox.messageType, 'PushTransaction'),
    or(
      eq(outbox.status, 'Dead'),
      and(isSettled, lte(outbox.completedAtMs, settledUntilMs)),
      // Only one that waits after a failed attempt is due that late.
      and(eq(outbox.status, 'Pending'), gt(outbox.dueAtMs, waitingUntilMs)),
    ),
  );
}
