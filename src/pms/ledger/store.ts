import { and, desc, eq, gte, inArray, isNotNull, lt, sql } from 'drizzle-orm';
import { pick } from '../../core/pick.ts';
import { queries } from '../../platform/db/database.ts';
import { unindexed } from '../../platform/db/indexes.ts';
import { listed } from '../../platform/db/listed.ts';
import { history } from '../../schema/historyTables.ts';
import {
  type LedgerReportRow,
  ledgerReports,
  type OutboxRow,
  outbox,
} from '../../schema/outboxTables.ts';

/** Selects the bookings of which money moved in a span, by the acquirer's time. */
export function selectMovedBookings(
  propertyId: string,
  fromMs: number,
  beforeMs: number,
  limit: number,
) {
  const { bookingReference, movement, occurredAtMs } = history;
  return queries
    .selectDistinct({ reference: sql<string>`${unindexed(bookingReference)}`.as('reference') })
    .from(history)
    .where(
      and(
        eq(history.propertyId, propertyId),
        isNotNull(movement),
        gte(occurredAtMs, fromMs),
        lt(occurredAtMs, beforeMs),
      ),
    )
    .limit(limit);
}

/** What is compared of a message, or sent again. */
const MESSAGE = pick(
  outbox,
  'propertyId',
  'bookingReference',
  'messageId',
  'payload',
  'status',
  'createdAtMs',
);

/** Selects the messages about money of some bookings. Entries of their histories name them. */
export function selectMoneyMessages(propertyId: string, references: readonly string[]) {
  const named = sql`(SELECT entry.message_id FROM json_each(${JSON.stringify(references)}) AS one CROSS JOIN history AS entry WHERE entry.property_id = ${propertyId} AND entry.booking_reference = one.value AND entry.message_id IS NOT NULL)`;
  return queries
    .select(MESSAGE)
    .from(outbox)
    .where(and(inArray(outbox.messageId, named), eq(outbox.messageType, 'PushTransaction')));
}

export function insertReport(row: LedgerReportRow) {
  return queries.insert(ledgerReports).values(row);
}

export function selectReport(propertyId: string, id: string) {
  return queries
    .select()
    .from(ledgerReports)
    .where(and(eq(ledgerReports.id, id), eq(ledgerReports.propertyId, propertyId)));
}

/** Deletes the reports of a property but for the latest ones. */
export function deleteOldReports(propertyId: string, kept: number) {
  const { createdAtMs, id } = ledgerReports;
  const old = queries
    .select({ id })
    .from(ledgerReports)
    .where(eq(ledgerReports.propertyId, propertyId))
    .orderBy(desc(createdAtMs), desc(id))
    .limit(1_000)
    .offset(kept);
  return queries.delete(ledgerReports).where(inArray(ledgerReports.id, old));
}

/** Puts messages back that were let go of. */
export function insertAgain(row: OutboxRow) {
  return queries.insert(outbox).values(row).onConflictDoNothing();
}

export function selectMessages(propertyId: string, ids: readonly string[]) {
  return queries
    .select(MESSAGE)
    .from(outbox)
    .where(and(inArray(outbox.messageId, listed(ids)), eq(outbox.propertyId, propertyId)));
}
