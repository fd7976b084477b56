import { type Placeholder, type SQL, type SQLWrapper, sql } from 'drizzle-orm';

/** The statuses of deliveries that hold others of their booking back, with their indexes: to be sent, and given up. */
const OPEN = {
  Pending: 'webhook_deliveries_pending',
  Dead: 'webhook_deliveries_dead',
} as const;

/**
 * An inner query for deliveries in a status, as `open`, by its index. Names that: SQLite would go through all that an
 * endpoint ever got. The status is a literal, as in the index.
 */
export function deliveriesIn(status: keyof typeof OPEN, select: SQL, where: SQL): SQL {
  return sql`SELECT ${select} FROM webhook_deliveries AS open INDEXED BY ${sql.raw(OPEN[status])} WHERE ${where} AND open.status = ${sql.raw(`'${status}'`)}`;
}

/** The same for all open ones. */
export function openDeliveries(select: SQL, where: SQL): SQL {
  return sql`${deliveriesIn('Pending', select, where)} UNION ALL ${deliveriesIn('Dead', select, where)}`;
}

type Named = string | Placeholder | SQLWrapper;

/** Of which booking the events are, and to which endpoint they go. */
interface Lane {
  readonly endpointId: Named;
  readonly bookingReference: Named | null;
}

/** The first event of a booking whose delivery to an endpoint is open; null if none is. The later ones wait for it. */
export function firstOpenDelivery({ bookingReference, endpointId }: Lane): SQL {
  const first = sql`min(open.event_number) AS number`;
  const where = sql`open.endpoint_id = ${endpointId} AND open.booking_reference = ${bookingReference}`;
  return sql`(SELECT min(number) FROM (${openDeliveries(first, where)}))`;
}
