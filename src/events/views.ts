import { z } from '@hono/zod-openapi';
import { storedDecimal } from '../core/money.ts';
import { offsetTimestamp } from '../core/time.ts';
import { disbursementSchema, disbursementView } from '../disbursements/views.ts';
import { disputeSchema, disputeView } from '../money/disputes/views.ts';
import { listedTransactionSchema, listedView } from '../money/folio/listedView.ts';
import { listedRefundSchema, listedRefundView } from '../money/refunds/views.ts';
import { applicationSchema, applicationView } from '../records/applications/views.ts';
import { staySchema, stayView } from '../records/bookings/views.ts';
import { eventCardSchema, eventCardView } from '../records/cards/views.ts';
import type { EventRow } from '../schema/eventTables.ts';
import type {
  ApplicationSnapshot,
  BalanceSnapshot,
  BookingSnapshot,
  Snapshot,
} from './snapshots.ts';

/** A booking in an event: as in lists, without its guest, and without the holder and the expiry of its card. */
const bookingSchema = staySchema
  .extend({
    payment: z.union([eventCardSchema, z.null()]),
    createdAt: z.string(),
    changedAt: z.string(),
  })
  .openapi('EventBooking');

/** An application in an event: as in lists, without its address, and without its agent's name, address and phone. */
const eventApplicationSchema = applicationSchema
  .omit({ email: true })
  .extend({
    agent: z
      .object({
        company: z.string().nullable(),
        agentCode: z.string().nullable(),
        agentCrm: z.string().nullable(),
      })
      .nullable(),
  })
  .openapi('EventApplication');

/** A booking's balance when it became overpaid. */
const balanceSchema = z
  .object({
    bookingReference: z.string(),
    currency: z.string(),
    totalCost: z.number(),
    paid: z.number(),
    overpaid: z.number(),
  })
  .openapi('EventBalance');

/** What an event is about (interface: Types of events). */
const dataSchema = z
  .object({
    property: z.string(),
    reference: z
      .string()
      .nullable()
      .describe("The booking's reference; null for an event about no booking."),
    sequence: z.int().nullable().describe('1, 2, 3 … over all events of the booking.'),
    booking: bookingSchema.optional(),
    transaction: listedTransactionSchema.optional(),
    refund: listedRefundSchema.optional(),
    chargeId: z.int().optional(),
    card: eventCardSchema.optional(),
    dispute: disputeSchema.optional(),
    disbursement: disbursementSchema.optional(),
    application: eventApplicationSchema.optional(),
    balance: balanceSchema.optional(),
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

/** The columns of an event that are shown. */
export type ShownEvent = Pick<
  EventRow,
  'propertyId' | 'eventId' | 'bookingReference' | 'sequence' | 'type' | 'atMs' | 'snapshot'
>;

/** An event as it is delivered. The list shows the same: both are made here, of what was kept. */
export function deliveryView(row: ShownEvent): z.infer<typeof deliverySchema> {
  // The schema's triggers wrote it.
  const snapshot = row.snapshot as Snapshot;
  return {
    type: row.type,
    timestamp: offsetTimestamp(row.atMs, snapshot.timeZone),
    data: {
      property: row.propertyId,
      reference: row.bookingReference,
      sequence: row.sequence,
      ...membersOf(snapshot),
    },
  };
}

/** An event as the list shows it. */
export function eventView(row: ShownEvent): z.infer<typeof eventSchema> {
  return { eventId: row.eventId, ...deliveryView(row) };
}

function membersOf(
  snapshot: Snapshot,
): Omit<z.infer<typeof dataSchema>, 'property' | 'reference' | 'sequence'> {
  const {
    application,
    balance,
    booking,
    card,
    chargeId,
    disbursement,
    dispute,
    refund,
    timeZone,
    transaction,
  } = snapshot;
  return {
    ...(booking && { booking: bookingView(booking, timeZone) }),
    ...(transaction && {
      transaction: listedView(
        transaction.row,
        transaction.card,
        transaction.refunds,
        transaction.dispute,
        timeZone,
      ),
    }),
    ...(refund && { refund: listedRefundView(refund.row, refund.card, timeZone) }),
    ...(chargeId !== undefined && { chargeId }),
    ...(card && { card: eventCardView(card) }),
    ...(dispute && { dispute: disputeView(dispute.row, timeZone) }),
    ...(disbursement && { disbursement: disbursementView(disbursement.row, timeZone) }),
    ...(application && { application: anonymousApplication(application) }),
    ...(balance && { balance: balanceView(balance) }),
  };
}

function bookingView({ card, propertyName: name, row, site }: BookingSnapshot, timeZone: string) {
  return {
    ...stayView({ property: { site, name }, booking: row }),
    payment: card && eventCardView(card),
    createdAt: offsetTimestamp(row.createdAtMs, timeZone),
    changedAt: offsetTimestamp(row.updatedAtMs, timeZone),
  };
}

function anonymousApplication(application: ApplicationSnapshot) {
  const { agent, email: _none, ...shown } = applicationView({ ...application, email: null });
  if (agent === null) return { ...shown, agent };
  const { agentCode, agentCrm, company } = agent;
  return { ...shown, agent: { company, agentCode, agentCrm } };
}

function balanceView({ bookingReference, currency, ...amounts }: BalanceSnapshot) {
  return {
    bookingReference,
    currency,
    totalCost: storedDecimal(amounts.totalCostMinor, currency),
    paid: storedDecimal(amounts.paidMinor, currency),
    overpaid: storedDecimal(amounts.overpaidMinor, currency),
  };
}
