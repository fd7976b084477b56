import { z } from '@hono/zod-openapi';
import { exponentOf, toDecimal } from '../../core/money.ts';
import { pick } from '../../core/pick.ts';
import { formatDayMonthYear, offsetTimestamp } from '../../core/time.ts';
import { shownTime } from '../../platform/views.ts';
import { type BookingRow, bookings } from '../../schema/bookingTables.ts';
import type { PropertyRow } from '../../schema/propertyTables.ts';
import {
  cardSchema,
  cardView,
  type EventCard,
  eventCardSchema,
  eventCardView,
  type ShownCard,
} from '../cards/views.ts';
import { disclosedPolicySchema, disclosedPolicyView } from '../policies/views.ts';
import { cardInUse, cardsInOrder } from './rules.ts';

export const shownBookingColumns = {
  ...pick(bookings, 'reference', 'status', 'arrival', 'departure', 'lastName', 'email', 'currency'),
  ...pick(bookings, 'totalCostMinor', 'cardToken', 'cancellationPolicy'),
};

export interface ShownBooking {
  readonly property: Pick<PropertyRow, 'site' | 'name' | 'timeZone'>;
  readonly booking: Pick<BookingRow, keyof typeof shownBookingColumns>;
  /** Newest first. */
  readonly cards: readonly ShownCard[];
}

/** A booking without its cards (interface: The booking object). */
const bookingSummarySchema = z.object({
  bookingReference: z.string(),
  site: z.string().describe("the host name of the property's booking site"),
  propertyName: z.string(),
  arrival: z.string().openapi({ example: '14-02-2027' }).describe('`DD-MM-YYYY`'),
  departure: z.string().openapi({ example: '17-02-2027' }).describe('`DD-MM-YYYY`'),
  status: z.enum(['booked', 'cancelled']),
  totalCost: z.number().describe('what the stay costs, as it was saved'),
  currency: z.string().describe('ISO 4217 code'),
  guest: z.object({ lastName: z.string(), email: z.string() }).describe('who stays'),
});

/** The answer to add, modify and cancel: `payment` is the card in use, or null. */
export const savedBookingSchema = bookingSummarySchema
  .extend({
    // A union: a nullable reference would make every card of the document nullable.
    payment: z.union([cardSchema, z.null()]).describe('the card in use'),
  })
  .openapi('Booking');

export type SavedBookingView = z.infer<typeof savedBookingSchema>;

/** The answer to get-details: `payment` holds every card, the one in use first. */
export const bookingDetailsSchema = bookingSummarySchema
  .extend({
    payment: z.array(cardSchema).describe('the 100 newest cards, the one in use first'),
    url: z.string().describe('the payment page, for 30 days; empty for clients that only read'),
    cancellationPolicy: disclosedPolicySchema
      .optional()
      .describe('what cancelling costs: see Cancellation policy'),
  })
  .openapi('BookingDetails');

export type BookingDetailsView = z.infer<typeof bookingDetailsSchema>;

/** The answer to add, modify or cancel (interface: Add, modify or cancel a booking). */
export function savedBookingView(state: ShownBooking): SavedBookingView {
  const card = cardInUse(state);
  return { ...bookingSummary(state), payment: card ? cardView(card, shownIn(state)) : null };
}

/** The answer to get-details (interface: Get booking details). */
export function bookingDetailsView(state: ShownBooking, url: string): BookingDetailsView {
  const { booking, property } = state;
  const { cancellationPolicy: policy, currency } = booking;
  return {
    ...bookingSummary(state),
    payment: cardsInOrder(state).map((card) => cardView(card, shownIn(state))),
    url,
    ...(policy && {
      cancellationPolicy: disclosedPolicyView(policy, currency, property.timeZone),
    }),
  };
}

/** The currency and the zone that a booking's cards are shown in. */
function shownIn({
  property: { timeZone },
  booking: { currency },
}: Readonly<{ property: Pick<PropertyRow, 'timeZone'>; booking: Pick<BookingRow, 'currency'> }>) {
  return { currency, timeZone };
}

function bookingSummary({ property, booking }: ShownBooking): z.infer<typeof bookingSummarySchema> {
  return {
    ...stayView({ property, booking }),
    guest: { lastName: booking.lastName, email: booking.email },
  };
}

/** The parts of a booking that name no person. */
export interface ShownStay {
  readonly property: Pick<PropertyRow, 'site' | 'name'>;
  readonly booking: Omit<
    ShownBooking['booking'],
    'lastName' | 'email' | 'cardToken' | 'cancellationPolicy'
  >;
}

const staySchema = bookingSummarySchema.omit({ guest: true });

/** Shows a booking without its guest and its cards. */
function stayView({ property, booking }: ShownStay): z.infer<typeof staySchema> {
  return {
    bookingReference: booking.reference,
    site: property.site,
    propertyName: property.name,
    arrival: formatDayMonthYear(booking.arrival),
    departure: formatDayMonthYear(booking.departure),
    status: booking.status,
    totalCost: toDecimal(booking.totalCostMinor, exponentOf(booking.currency) ?? 2),
    currency: booking.currency,
  };
}

/** A booking in an event: without its guest, and without the holder and the expiry of its card. */
export const eventBookingSchema = staySchema
  .extend({
    payment: z.union([eventCardSchema, z.null()]).describe('the card in use'),
    createdAt: shownTime.describe('when it was made'),
    changedAt: shownTime.describe('when it, or its card, changed last'),
  })
  .openapi('EventBooking');

interface EventStay {
  readonly property: Pick<PropertyRow, 'site' | 'name' | 'timeZone'>;
  readonly booking: ShownStay['booking'] & Pick<BookingRow, 'createdAtMs' | 'updatedAtMs'>;
}

/** Shows a booking in an event, with the card in use. */
export function eventBookingView(
  { property, booking }: EventStay,
  card: EventCard | null,
): z.infer<typeof eventBookingSchema> {
  const { timeZone } = property;
  return {
    ...stayView({ property, booking }),
    payment: card && eventCardView(card, shownIn({ property, booking })),
    createdAt: offsetTimestamp(booking.createdAtMs, timeZone),
    changedAt: offsetTimestamp(booking.updatedAtMs, timeZone),
  };
}
