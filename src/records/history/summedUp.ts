import { sql } from 'drizzle-orm';
import { MINUTE_MS } from '../../core/time.ts';

/** The last event of a property that is summed up. */
export function summedUp(propertyId: unknown) {
  return sql<number>`coalesce((SELECT event_number FROM day_sums_progress WHERE property_id = ${propertyId}), 0)`;
}

/** Clocks of all zones differ by quarters of an hour: what happened within one is of the same day everywhere. */
export const QUARTER_MS = 15 * MINUTE_MS;
