import { and, eq, sql } from 'drizzle-orm';
import { DAY_MS } from '../../core/time.ts';
import { queries, type Statement } from '../../platform/db/database.ts';
import { archivedMovements } from '../../schema/lifeTables.ts';
import { type BookingName, isOfBooking } from '../bookings/store.ts';
import { EARLIER, EARLIER_SUMS } from '../history/earlierSums.ts';

/** Movements that were recorded longer ago than this are in the files of the books. */
const BOOKED_AFTER_MS = 31 * DAY_MS;

/** Keeps what the books read of a booking's late movements, before its history goes, and forgets older ones of its property. */
export function keepMovements({ propertyId, reference }: BookingName, realMs: number): Statement[] {
  const sinceMs = realMs - BOOKED_AFTER_MS;
  const recordedAt = sql`coalesce(recorded_at_ms, at_ms)`;
  return [
    queries
      .delete(archivedMovements)
      .where(and(eq(archivedMovements.propertyId, propertyId), sql`${recordedAt} < ${sinceMs}`)),
    queries.insert(archivedMovements).select(
      sql`SELECT * FROM (SELECT entry.property_id, entry.booking_reference, entry.sequence, entry.at_ms, entry.recorded_at_ms,
          entry.occurred_at_ms, entry.subject_kind, entry.subject_id, entry.movement, entry.currency, entry.amount_minor,
          entry.fee_minor, entry.charge_id, charge.purpose, ${EARLIER_SUMS}
        FROM history AS entry JOIN transactions AS charge ON charge.id = entry.charge_id
        WHERE entry.property_id = ${propertyId} AND entry.booking_reference = ${reference} AND entry.movement IS NOT NULL
        ${EARLIER}) WHERE ${recordedAt} >= ${sinceMs}`,
    ),
  ];
}

/** Forgets them, once the history is back. */
export function deleteMovements(name: BookingName): Statement {
  return queries.delete(archivedMovements).where(isOfBooking(archivedMovements, name));
}
