import type { z } from '@hono/zod-openapi';
import { failure } from '../core/failure.ts';
import { err, ok, type Result } from '../core/result.ts';
import type { Database } from '../platform/db/database.ts';
import { bookingNotFound } from '../records/bookings/rules.ts';
import { selectReference } from '../records/bookings/store.ts';
import { numberIn, selectEvents, selectLatest, selectPlace } from './store.ts';
import { type eventSchema, eventView } from './views.ts';

/** How many events one page looks through for those that it shows. */
const WINDOW = 5_000;

export interface ListOf {
  /** An event's id: only what came after it. */
  readonly after?: string | undefined;
  readonly reference?: string | undefined;
  readonly types?: readonly string[] | undefined;
}

/** A page of events. `nextCursor` is null on the last one. */
interface EventPage {
  readonly events: z.infer<typeof eventSchema>[];
  readonly nextCursor: string | null;
}

/**
 * Lists a property's events, oldest first (interface: List events). One round trip. A page looks through a bounded number
 * of events, so one of rare types may show few, or none, and yet have a next one.
 */
export async function listEvents(
  database: Database,
  propertyId: string,
  of: ListOf,
  limit: number,
): Promise<Result<EventPage>> {
  const after = numberIn(of.after ?? '') ?? 0;
  const upTo = after + WINDOW;
  const [[place], [booking], rows, [end]] = await database.batch('d1.event.read', [
    selectPlace(propertyId, of.after ?? ''),
    selectReference(propertyId, of.reference ?? ''),
    selectEvents(propertyId, { ...of, after, upTo }, limit + 1),
    selectLatest(propertyId, upTo),
  ]);
  if (of.reference !== undefined && !booking) return err(bookingNotFound());
  if (of.after !== undefined && place?.isKnown !== 1) return err(EVENT_NOT_FOUND);
  const page = rows.slice(0, limit);
  const isFull = rows.length > limit;
  const isCutShort = of.reference === undefined && (place?.last ?? 0) > upTo;
  const nextCursor = isFull ? page.at(-1)?.eventId : isCutShort ? end?.eventId : null;
  return ok({ events: page.map(eventView), nextCursor: nextCursor ?? null });
}

export const EVENT_NOT_FOUND = failure('event_not_found', 'No event has this id.');
