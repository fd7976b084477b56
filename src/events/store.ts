import { and, asc, desc, eq, gt, lte, max, type SQL, sql } from 'drizzle-orm';
import type { Queries } from '../platform/db/database.ts';
import { typesFitting } from '../records/events/rules/types.ts';
import { events } from '../schema/eventTables.ts';

/** The columns of an event that are shown. */
const shownColumns = {
  propertyId: events.propertyId,
  number: events.number,
  eventId: events.eventId,
  bookingReference: events.bookingReference,
  sequence: events.sequence,
  type: events.type,
  atMs: events.atMs,
  snapshot: events.snapshot,
};

/** An event's number within its property, from its id; null for a text that is no id. */
function numberIn(eventId: string): number | null {
  const [, number] = /^evt_(\d{1,15})_[0-9a-f]{16}$/.exec(eventId) ?? [];
  return number === undefined ? null : Number(number);
}

/** Selects an event of a property by its id. */
export function selectEvent(queries: Queries, propertyId: string, eventId: string) {
  return queries
    .select({ number: events.number })
    .from(events)
    .where(
      and(
        eq(events.propertyId, propertyId),
        eq(events.number, numberIn(eventId) ?? 0),
        eq(events.eventId, eventId),
      ),
    );
}

/** Which events a list shows. */
export interface EventFilter {
  /** Only events after this number. */
  readonly after: number;
  /** Only events up to this number. */
  readonly upTo: number;
  readonly reference?: string | undefined;
  /** Patterns of types. */
  readonly types?: readonly string[] | undefined;
}

/** Selects events of a property, oldest first. */
export function selectEvents(
  queries: Queries,
  propertyId: string,
  { after, upTo, reference, types }: EventFilter,
  limit: number,
) {
  return queries
    .select(shownColumns)
    .from(events)
    .where(
      and(
        eq(events.propertyId, propertyId),
        gt(events.number, after),
        reference === undefined ? lte(events.number, upTo) : isOfBooking(propertyId, reference),
        types && isOfTypes(types),
      ),
    )
    .orderBy(asc(events.number))
    .limit(limit);
}

/** Names the index, because SQLite would rather read every event of the property. */
function isOfBooking(propertyId: string, reference: string): SQL {
  return sql`${events.number} IN (SELECT own.number FROM events AS own INDEXED BY events_by_booking WHERE own.property_id = ${propertyId} AND own.booking_reference = ${reference})`;
}

/** Whether an event's type fits one of the patterns. */
export function isOfTypes(patterns: readonly string[]): SQL {
  const types = JSON.stringify(typesFitting(patterns));
  return sql`${events.type} IN (SELECT value FROM json_each(${types}))`;
}

/** Selects the number of a property's latest event up to a number, and its id. */
export function selectLatest(queries: Queries, propertyId: string, upTo: number) {
  return queries
    .select({ eventId: events.eventId, number: events.number })
    .from(events)
    .where(and(eq(events.propertyId, propertyId), lte(events.number, upTo)))
    .orderBy(desc(events.number))
    .limit(1);
}

/** Selects the number of a property's last event. */
export function selectLastNumber(queries: Queries, propertyId: string) {
  return queries
    .select({ number: max(events.number).as('last_number') })
    .from(events)
    .where(eq(events.propertyId, propertyId));
}
