import { and, asc, desc, eq, gt, lte, type SQL, sql } from 'drizzle-orm';
import { pick } from '../core/pick.ts';
import { queries } from '../platform/db/database.ts';
import { unindexed } from '../platform/db/indexes.ts';
import { typesFitting } from '../records/history/rules/eventTypes.ts';
import { lastEventNumber, lastNumberOfAll } from '../records/history/store.ts';
import { history } from '../schema/historyTables.ts';

/** The id of an event: its number within its property, and its salt as 16 hex digits. */
const eventId = sql<string>`'evt_' || ${history.eventNumber} || '_' || lower(hex(${history.eventSalt}))`;

export const eventColumns = {
  propertyId: history.propertyId,
  number: sql<number>`${history.eventNumber}`.as('number'),
  eventId: eventId.as('id_of_event'),
  bookingReference: sql<string | null>`nullif(${history.bookingReference}, '')`.as('reference'),
  sequence: sql<number | null>`${history.eventSequence}`.as('sequence_of_event'),
  type: sql<string>`${history.type}`.as('type_of_event'),
  ...pick(history, 'atMs', 'chargeId', 'gatewayReference', 'subjectId', 'newContactId', 'snapshot'),
};

/** An event's number within its property, from its id; null for a text that is no id. */
export function numberIn(id: string): number | null {
  const [, number] = /^evt_(\d{1,15})_[0-9a-f]{16}$/.exec(id) ?? [];
  return number === undefined ? null : Number(number);
}

export function selectEvent(propertyId: string, id: string) {
  return queries
    .select({ number: eventColumns.number })
    .from(history)
    .where(
      and(
        eq(history.propertyId, propertyId),
        eq(history.eventNumber, numberIn(id) ?? 0),
        eq(eventId, id),
      ),
    );
}

/**
 * Whether a list may go on after an id, and the number of the property's last event. An event has the id, or its number is
 * one of a booking in the archive, whose events D1 does not know.
 */
export function selectPlace(propertyId: string, id: string) {
  const number = numberIn(id) ?? 0;
  const own = sql`SELECT ${eventId} FROM ${history} WHERE ${history.propertyId} = ${propertyId} AND ${history.eventNumber} = ${number}`;
  const isArchived = sql`${number} BETWEEN 1 AND ${lastNumberOfAll(propertyId)}`;
  return queries
    .select({
      isKnown: sql<number>`coalesce((${own}) = ${id}, ${isArchived})`.as('is_known'),
      last: lastEventNumber(propertyId).as('last_number'),
    })
    .from(sql`(SELECT 1)`);
}

export interface EventFilter {
  readonly after: number;
  readonly upTo: number;
  readonly reference?: string | undefined;
  readonly types?: readonly string[] | undefined;
}

/** Selects events of a property, oldest first. */
export function selectEvents(
  propertyId: string,
  { after, upTo, reference, types }: EventFilter,
  limit: number,
) {
  // A booking's are found by its history: all of the property's would be read by their number.
  const { eventNumber } = history;
  const number = reference === undefined ? sql`${eventNumber}` : unindexed(eventNumber);
  return queries
    .select(eventColumns)
    .from(history)
    .where(
      and(
        eq(history.propertyId, propertyId),
        gt(number, after),
        reference === undefined
          ? lte(history.eventNumber, upTo)
          : eq(history.bookingReference, reference),
        types && isOfTypes(types),
      ),
    )
    .orderBy(asc(number))
    .limit(limit);
}

export function isOfTypes(patterns: readonly string[]): SQL {
  const types = JSON.stringify(typesFitting(patterns));
  return sql`${history.type} IN (SELECT value FROM json_each(${types}))`;
}

export function selectLatest(propertyId: string, upTo: number) {
  return queries
    .select({ eventId: eventColumns.eventId, number: eventColumns.number })
    .from(history)
    .where(and(eq(history.propertyId, propertyId), lte(history.eventNumber, upTo)))
    .orderBy(desc(history.eventNumber))
    .limit(1);
}
