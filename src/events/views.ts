import { z } from '@hono/zod-openapi';
import { disbursementSchema } from '../disbursements/views.ts';
import { disputeSchema } from '../money/disputes/views.ts';
import { listedTransactionSchema } from '../money/folio/listedView.ts';
import { listedRefundSchema } from '../money/refunds/views.ts';
import { eventApplicationSchema } from '../records/applications/views.ts';
import { eventBookingSchema } from '../records/bookings/views.ts';
import { eventCardSchema } from '../records/cards/views.ts';
import { overpaidSchema } from '../records/history/views.ts';

/** What an event is about (interface: Types of events). */
const dataSchema = z
  .object({
    property: z.string(),
    reference: z
      .string()
      .nullable()
      .describe("The booking's reference; null for an event about no booking."),
    sequence: z.int().nullable().describe('1, 2, 3 … over all events of the booking.'),
    booking: eventBookingSchema.optional(),
    transaction: listedTransactionSchema.optional(),
    refund: listedRefundSchema.optional(),
    chargeId: z.int().optional(),
    card: eventCardSchema.optional(),
    dispute: disputeSchema.optional(),
    disbursement: disbursementSchema.optional(),
    application: eventApplicationSchema.optional(),
    balance: overpaidSchema.optional(),
  })
  .openapi('EventData');

/** The body of a delivery (interface: Deliveries). */
export const deliverySchema = z
  .object({
    type: z.string().openapi({ example: 'payment.accepted' }),
    timestamp: z.string().describe("When it happened, by the property's clock."),
    data: dataSchema,
  })
  .openapi('EventDelivery');

/** An event in the list of events (interface: List events). */
export const eventSchema = z
  .object({ eventId: z.string(), ...deliverySchema.shape })
  .openapi('Event');

/** What an event keeps: its time, and the members of its `data` as lists showed them then. */
const snapshotSchema = dataSchema
  .omit({ property: true, reference: true, sequence: true })
  .extend({ timestamp: z.string() });

/** An event as D1 has it. */
export interface KeptEvent {
  readonly propertyId: string;
  readonly eventId: string;
  /** Null for an event about no booking. */
  readonly bookingReference: string | null;
  readonly sequence: number | null;
  readonly type: string;
  readonly snapshot: object | null;
}

/** An event as it is delivered. The list shows the same: both are made here, of what was kept. */
export function deliveryView(row: KeptEvent): z.infer<typeof deliverySchema> {
  const { timestamp, ...members } = snapshotSchema.parse(row.snapshot);
  const { propertyId: property, bookingReference: reference, sequence, type } = row;
  return { type, timestamp, data: { property, reference, sequence, ...members } };
}

/** An event as the list shows it. */
export function eventView(row: KeptEvent): z.infer<typeof eventSchema> {
  return { eventId: row.eventId, ...deliveryView(row) };
}
