import { sql } from 'drizzle-orm';
import type { Queries } from '../../platform/db/database.ts';
import { newEvents } from '../../schema/newEvents.ts';
import type { EventType } from './rules/types.ts';

/** An event that no trigger records, because no row of a record tells of it. */
export interface NewEvent {
  readonly propertyId: string;
  readonly bookingReference: string | null;
  readonly type: EventType;
  /** By the property's clock. */
  readonly atMs: number;
  /** `data` gets the charge as `transaction` alone. */
  readonly transactionId?: number;
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
  const transactionId = event.transactionId ?? chargeId;
  const transaction =
    transactionId === undefined
      ? sql`'{}'`
      : sql`json_object('transaction', json((SELECT snapshot FROM transaction_snapshots WHERE id = ${transactionId} AND property_id = ${propertyId})))`;
  const charge =
    chargeId === undefined
      ? transaction
      : sql`json_insert(${transaction}, '$.chargeId', ${chargeId})`;
  const snapshot =
    cardToken === undefined
      ? charge
      : sql`json_insert(${charge}, '$.card', json((SELECT snapshot FROM card_snapshots WHERE token = ${cardToken})))`;
  const subject =
    transactionId === undefined ? `card ${cardToken ?? ''}` : `charge ${transactionId}`;
  return queries
    .insert(newEvents)
    .select(
      sql`SELECT ${propertyId}, ${bookingReference}, ${type}, ${atMs}, ${subject}, ${snapshot}`,
    );
}
