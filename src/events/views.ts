import { z } from '@hono/zod-openapi';
import { disbursementSchema } from '../disbursements/views.ts';
import { disputeSchema } from '../money/disputes/views.ts';
import { listedTransactionSchema } from '../money/folio/listedView.ts';
import { listedRefundSchema } from '../money/refunds/views.ts';
import { settlementSchema } from '../money/settlements/views.ts';
import { listedCardSchema } from '../money/virtualCards/views.ts';
import { named } from '../platform/views.ts';
import { eventApplicationSchema } from '../records/applications/views.ts';
import { eventBookingSchema } from '../records/bookings/views.ts';
import { eventCardSchema } from '../records/cards/views.ts';
import { type EventType, transactionEventTypes } from '../records/history/rules/eventTypes.ts';
import { type Kept, snapshotOf } from '../records/history/rules/snapshots.ts';
import { overpaidSchema } from '../records/history/views.ts';
import { planChangesSchema, planSchema } from '../records/plans/views.ts';

/** The members of `data` that every event has (interface: Types of events). */
const common = {
  property: z.string(),
  reference: z.string().nullable().describe('the booking; null for an event about none'),
  sequence: z
    .int()
    .nullable()
    .describe('1, 2, 3 … over all events of the booking, without gaps; null with `reference`'),
};

/** A delivery of any of these types: `data` of all of them has the same members. */
function delivery<
  const Types extends readonly [EventType, ...EventType[]],
  Data extends z.ZodRawShape,
>(name: string, types: Types, members: Data) {
  return named(name, {
    type: z.enum(types),
    timestamp: z
      .string()
      .describe("when it happened, by the property's clock, in the zone of then"),
    data: z.object({ ...common, ...members }),
  });
}

const chargeId = z.int().describe('the charge or schedule that it is about');

/** What a recovery is about: a charge, or a part of a plan that is not charged yet. */
const recoveredSchemas = {
  chargeId: chargeId.optional(),
  transaction: listedTransactionSchema.optional(),
  planId: z.string().optional().describe('of a part that is not charged yet: see Payment plans'),
  partId: z.string().optional().describe('which part'),
};

/** The body of a delivery (interface: Deliveries): its type says what its `data` holds. */
export const deliverySchema = z
  .discriminatedUnion('type', [
    delivery('BookingEvent', ['booking.saved', 'booking.cancelled'], {
      booking: eventBookingSchema,
      settlement: settlementSchema
        .optional()
        .describe('where it was cancelled by a quote: see Apply a cancellation'),
    }),
    delivery('TransactionEvent', transactionEventTypes, { transaction: listedTransactionSchema }),
    delivery('RefundEvent', ['refund.refunded', 'refund.failed'], {
      refund: listedRefundSchema,
      chargeId,
    }),
    delivery('CardEvent', ['card.attached', 'card.updated'], { card: eventCardSchema }),
    delivery('CardExpiringEvent', ['card.expiring'], {
      ...recoveredSchemas,
      card: eventCardSchema,
    }),
    delivery('VirtualCardEvent', ['card.virtual_active', 'card.virtual_lapsing'], {
      card: named('EventVirtualCard', { ...eventCardSchema.shape, ...listedCardSchema.shape }),
    }),
    delivery(
      'DisputeEvent',
      ['dispute.opened', 'dispute.due_soon', 'dispute.won', 'dispute.lost'],
      { dispute: disputeSchema },
    ),
    delivery('DisbursementEvent', ['disbursement.paid_out', 'disbursement.failed'], {
      disbursement: disbursementSchema,
    }),
    delivery('ApplicationEvent', ['application.moved'], { application: eventApplicationSchema }),
    delivery('OverpaidEvent', ['balance.overpaid'], { balance: overpaidSchema }),
    delivery('PlanEvent', ['plan.saved', 'plan.completed', 'plan.cancelled'], { plan: planSchema }),
    delivery('PlanChangedEvent', ['plan.changed'], {
      plan: planSchema,
      planChanges: planChangesSchema,
    }),
    delivery('RecoveryEvent', ['recovery.flagged'], recoveredSchemas),
    delivery('SettlementEvent', ['settlement.settled', 'settlement.incomplete'], {
      settlement: settlementSchema,
    }),
  ])
  .openapi('EventDelivery');

/** An event in the list of events (interface: List events). */
export const eventSchema = z
  .intersection(
    z.object({ eventId: z.string().describe('the `webhook-id` of its deliveries') }),
    deliverySchema,
  )
  .openapi('Event');

/** What an event keeps: its time, and the members of its `data` as lists showed them then. */
const snapshotSchema = z.looseObject({ timestamp: z.string() });

export interface KeptEvent extends Kept {
  readonly propertyId: string;
  readonly eventId: string;
  readonly sequence: number | null;
  readonly type: string;
}

/** An event as it is delivered. The list shows the same: both are made here, of what was kept. */
export function deliveryView(row: KeptEvent): z.infer<typeof deliverySchema> {
  const { timestamp, ...members } = snapshotSchema.parse(snapshotOf(row));
  const { propertyId: property, bookingReference: reference, sequence, type } = row;
  const data = { property, reference, sequence, ...members };
  return deliverySchema.parse({ type, timestamp, data });
}

export function eventView(row: KeptEvent): z.infer<typeof eventSchema> {
  return { eventId: row.eventId, ...deliveryView(row) };
}
