import { sql } from 'drizzle-orm';
import type { Queries } from '../../platform/db/database.ts';
import { newEvents } from '../../platform/db/newEvents.ts';
import type { EventType } from './types.ts';

/** An event that no trigger records, because no row of a record tells of it. */
export interface NewEvent {
  readonly propertyId: string;
  readonly bookingReference: string | null;
  readonly type: EventType;
  /** By the property's clock. */
  readonly atMs: number;
  /** `data` gets `chargeId`, and the charge as `transaction`. */
  readonly chargeId?: number | undefined;
  /** `data` gets the card as `card`. */
  readonly cardToken?: string | undefined;
}

/**
 * The statement that records an event of a booking, for the batch of what it tells of (interface: Events). The database
 * gives it its numbers and queues its deliveries. Everything that a row tells is recorded by triggers instead.
 */
export function recordEvent(queries: Queries, event: NewEvent) {
  const { propertyId, bookingReference, type, atMs, chargeId, cardToken } = event;
  const charge =
    chargeId === undefined
      ? sql`'{}'`
      : sql`json_object('chargeId', ${chargeId}, 'transaction', json((SELECT snapshot FROM transaction_snapshots WHERE id = ${chargeId} AND property_id = ${propertyId})))`;
  const snapshot =
    cardToken === undefined
      ? charge
      : sql`json_insert(${charge}, '$.card', json((SELECT snapshot FROM card_snapshots WHERE token = ${cardToken})))`;
  const subject = chargeId === undefined ? `card ${cardToken ?? ''}` : `charge ${chargeId}`;
  return queries
    .insert(newEvents)
    .select(
      sql`SELECT ${propertyId}, ${bookingReference}, ${type}, ${atMs}, ${subject}, ${snapshot}`,
    );
}
