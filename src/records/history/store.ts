import { type SQL, sql } from 'drizzle-orm';
import { HOUR_MS } from '../../core/time.ts';
import { queries } from '../../platform/db/database.ts';
import { prepared } from '../../platform/db/prepared.ts';
import { webhookDeliveries } from '../../schema/eventTables.ts';
import { type HistoryRow, history } from '../../schema/historyTables.ts';
import { firstOpenDelivery } from './openDeliveriesStore.ts';

/** The entries about no booking have this reference. */
export const NO_BOOKING = '';

/** The columns that D1 fills in: it numbers entries and events in the order in which it commits. */
type Numbered = 'sequence' | 'eventNumber' | 'eventSequence';

/** The columns of an entry that its maker knows, and the entry that it has to follow, if its maker knows that. */
export type EntryColumns = Omit<HistoryRow, Numbered> & {
  readonly lastSequence?: number | undefined;
  readonly lastAtMs?: number | undefined;
};

/** Appends an entry that is no event. */
export const insertEntry = prepared<EntryColumns>()(({ lastSequence, lastAtMs, ...row }) =>
  queries
    .insert(history)
    .values({ ...row, sequence: nextSequence({ ...row, lastSequence, lastAtMs }) }),
);

/** Appends an entry that is an event of a booking. */
export const insertEvent = prepared<EntryColumns>()(({ lastSequence, lastAtMs, ...row }) =>
  queries.insert(history).values({
    ...row,
    sequence: nextSequence({ ...row, lastSequence, lastAtMs }),
    eventNumber: nextNumber(row),
    eventSequence: nextEventSequence(row),
  }),
);

/** Appends an entry that is an event about no booking. */
export const insertLooseEvent = prepared<EntryColumns>()((row) =>
  queries
    .insert(history)
    .values({ ...row, sequence: nextSequence(row), eventNumber: nextNumber(row) }),
);

/** Appends an entry that is an event about a contact that only D1 knows. */
export function insertEventOfContact(row: EntryColumns, newContactId: SQL) {
  return queries.insert(history).values({
    ...row,
    sequence: nextSequence(row),
    eventNumber: nextNumber(row),
    ...(row.bookingReference !== NO_BOOKING && { eventSequence: nextEventSequence(row) }),
    newContactId,
  });
}

type Named<Names extends string> = { readonly [Name in Names]: unknown };

type OfBooking = Named<'propertyId' | 'bookingReference'>;

type Following = OfBooking & Partial<Named<'lastSequence' | 'lastAtMs'>>;

function nextEventSequence({ propertyId, bookingReference }: OfBooking): SQL {
  return sql`1 + coalesce((SELECT event_sequence FROM history WHERE property_id = ${propertyId} AND booking_reference = ${bookingReference} AND event_sequence IS NOT NULL ORDER BY sequence DESC LIMIT 1), 0)`;
}

/**
 * The number of the next entry. Null, which the column refuses, if the entry that it has to follow is not there: the
 * database was restored to a time before it.
 */
function nextSequence({ bookingReference, lastAtMs, lastSequence, propertyId }: Following): SQL {
  if (lastSequence === undefined) {
    return sql`(SELECT coalesce(max(sequence), 0) + 1 FROM history WHERE property_id = ${propertyId} AND booking_reference = ${bookingReference})`;
  }
  return sql`(SELECT ${lastSequence} + 1 WHERE ${lastSequence} = 0 OR EXISTS (SELECT 1 FROM history WHERE property_id = ${propertyId} AND booking_reference = ${bookingReference} AND sequence = ${lastSequence} AND at_ms = ${lastAtMs}))`;
}

/** The number of a property's last event in the database, as the index of events has it; 0 for none. */
export function lastEventNumber(propertyId: unknown): SQL<number> {
  return sql`coalesce((SELECT max(event_number) FROM history WHERE property_id = ${propertyId} AND event_number IS NOT NULL), 0)`;
}

/** How much later an event may get its number than others that happened after it. */
const LATEST_MS = HOUR_MS;

/**
 * The number of a property's first event since an instant, or of one that happened up to an hour before: halves what is left
 * until it is found. A property's clock never goes back behind what is recorded.
 */
export function firstEventSince(propertyId: string, sinceMs: number): SQL<number> {
  const { atMs, eventNumber } = history;
  const some = sql`FROM ${history} WHERE ${history.propertyId} = ${propertyId} AND ${eventNumber}`;
  const isSince = sql`(SELECT ${atMs} ${some} >= (low + high) / 2 ORDER BY ${eventNumber} LIMIT 1) >= ${sinceMs - LATEST_MS}`;
  return sql`(WITH RECURSIVE search (low, high) AS (
    SELECT (SELECT min(${eventNumber}) ${some} > 0), (SELECT max(${eventNumber}) + 1 ${some} > 0)
    UNION ALL SELECT iif(${isSince}, low, (low + high) / 2 + 1), iif(${isSince}, (low + high) / 2, high)
      FROM search WHERE low < high)
    SELECT low FROM search WHERE low >= high)`;
}

/** The number of a property's last event, in the archive or not; 0 for none. */
export function lastNumberOfAll(propertyId: unknown): SQL<number> {
  const archived = sql`(SELECT coalesce(max(last_event_number), 0) FROM archived_bookings WHERE property_id = ${propertyId})`;
  return sql`max(${lastEventNumber(propertyId)}, ${archived})`;
}

function nextNumber({ propertyId }: Named<'propertyId'>): SQL {
  return sql`(1 + ${lastNumberOfAll(propertyId)})`;
}

/** The event that the same batch has just appended. */
interface AppendedEvent {
  readonly propertyId: string;
  readonly bookingReference: string | null;
  readonly type: string;
  readonly atMs: number;
}

/**
 * Queues the event for each active endpoint that wants its type: by the type itself, or by its beginning and a star. It
 * is due at once, unless an earlier one of its booking is open there.
 */
export const queueDeliveries = prepared<AppendedEvent>()(
  ({ propertyId, bookingReference, type, atMs }) =>
    queries
      .insert(webhookDeliveries)
      .select(
        sql`SELECT endpoint.id, ${lastEventNumber(propertyId)}, endpoint.property_id, ${bookingReference}, 'Pending', 0, CASE WHEN ${firstOpenDelivery({ endpointId: sql`endpoint.id`, bookingReference })} IS NULL THEN ${atMs} END, NULL, NULL, NULL FROM webhook_endpoints AS endpoint WHERE endpoint.property_id = ${propertyId} AND endpoint.active AND EXISTS (SELECT 1 FROM json_each(endpoint.types) AS wanted WHERE wanted.value IN (${type}, substr(${type}, 1, length(wanted.value) - 1) || '*'))`,
      ),
);
