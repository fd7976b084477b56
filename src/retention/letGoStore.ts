import { and, eq, inArray, lt, type SQL, sql } from 'drizzle-orm';
import { queries } from '../platform/db/database.ts';
import { listed } from '../platform/db/listed.ts';
import { webhookDeliveries } from '../schema/eventTables.ts';
import { history } from '../schema/historyTables.ts';
import { retentionProgress } from '../schema/lifeTables.ts';
import { outbox } from '../schema/outboxTables.ts';
import { properties } from '../schema/propertyTables.ts';

/** How many events one batch goes through. */
const EVENTS_AT_ONCE = 200;

/** Events of a property that lie behind each other: after one, up to another. */
export interface EventRange {
  readonly propertyId: string;
  readonly after: number;
  readonly upTo: number;
}

/** Selects properties whose first event that was not gone through is older than an instant: an entry of the index for each. */
export function selectLettable(beforeMs: number, limit: number) {
  const after = sql<number>`coalesce((SELECT event_number FROM retention_progress WHERE property_id = properties.id), 0)`;
  const first = sql`(SELECT at_ms FROM history WHERE property_id = properties.id AND event_number > ${after} ORDER BY event_number LIMIT 1)`;
  return queries
    .select({ propertyId: properties.id, after: after.as('after_event') })
    .from(properties)
    .where(sql`${first} < ${beforeMs}`)
    .limit(limit);
}

/** Selects the last event that is older than an instant, of the next ones of a property. */
export function selectRangeEnd(propertyId: string, after: number, beforeMs: number) {
  const next = sql`(SELECT event_number FROM history WHERE property_id = ${propertyId} AND event_number > ${after} ORDER BY event_number LIMIT ${EVENTS_AT_ONCE})`;
  return queries
    .select({ upTo: sql<number | null>`max(${history.eventNumber})`.as('up_to') })
    .from(history)
    .where(
      and(
        eq(history.propertyId, propertyId),
        sql`event_number IN ${next}`,
        lt(history.atMs, beforeMs),
      ),
    );
}

/** The entries of a range, as `FROM … WHERE …`. */
export function entriesIn({ after, propertyId, upTo }: EventRange): SQL {
  return sql`FROM history AS entry WHERE entry.property_id = ${propertyId} AND entry.event_number > ${after} AND entry.event_number <= ${upTo}`;
}

/** Selects the messages that a range names and that were confirmed before an instant. */
export function selectDelivered(range: EventRange, beforeMs: number) {
  return queries
    .select()
    .from(outbox)
    .where(
      and(
        sql`message_id IN (SELECT entry.message_id ${entriesIn(range)})`,
        eq(outbox.status, 'Confirmed'),
        lt(outbox.completedAtMs, beforeMs),
      ),
    );
}

/** Deletes messages, but for those that are to be sent again. */
export function deleteMessages(messageIds: readonly string[]) {
  return queries
    .delete(outbox)
    .where(and(inArray(outbox.messageId, listed(messageIds)), eq(outbox.status, 'Confirmed')));
}

/** Deletes the deliveries of a range that were settled before an instant. */
export function deleteDeliveries({ after, propertyId, upTo }: EventRange, beforeMs: number) {
  return queries
    .delete(webhookDeliveries)
    .where(
      and(
        sql`endpoint_id IN (SELECT id FROM webhook_endpoints WHERE property_id = ${propertyId}) AND event_number > ${after} AND event_number <= ${upTo}`,
        inArray(webhookDeliveries.status, ['Confirmed', 'Dismissed']),
        lt(webhookDeliveries.completedAtMs, beforeMs),
      ),
    );
}

export function saveProgress({ propertyId, upTo }: EventRange) {
  return queries
    .insert(retentionProgress)
    .values({ propertyId, eventNumber: upTo })
    .onConflictDoUpdate({ target: retentionProgress.propertyId, set: { eventNumber: upTo } });
}
