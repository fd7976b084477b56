import { type CardView, cardView, type ShownCard } from '../cards/views.ts';
import { exponentOf, toDecimal } from '../core/money.ts';
import { formatDayMonthYear } from '../core/time.ts';
import type { BookingRow } from '../db/bookingTables.ts';
import type { PropertyRow } from '../db/propertyTables.ts';
import { cardInUse, cardsInOrder } from './rules.ts';

/** The parts of a booking, its property and its cards that are shown. */
export interface ShownBooking {
  readonly property: Pick<PropertyRow, 'site' | 'name'>;
  readonly booking: Pick<
    BookingRow,
    | 'reference'
    | 'arrival'
    | 'departure'
    | 'status'
    | 'totalCostMinor'
    | 'currency'
    | 'lastName'
    | 'email'
    | 'cardToken'
  >;
  /** Newest first. */
  readonly cards: readonly ShownCard[];
}

/** A booking without its cards (interface: 2.4). */
interface BookingFace {
  bookingReference: string;
  site: string;
  propertyName: string;
  arrival: string;
  departure: string;
  status: 'booked' | 'cancelled';
  totalCost: number;
  currency: string;
  guest: { lastName: string; email: string };
}

/** A booking as add, modify and cancel answer it: `payment` is the card in use, or null. */
export interface SavedBookingView extends BookingFace {
  payment: CardView | null;
}

/** A booking as get-details answers it: `payment` holds every card, the one in use first. */
export interface BookingDetailsView extends BookingFace {
  payment: CardView[];
  url: string;
}

/** The answer to add, modify or cancel (interface: 4.5). */
export function savedBookingView(state: ShownBooking): SavedBookingView {
  const card = cardInUse(state);
  return { ...bookingFace(state), payment: card ? cardView(card) : null };
}

/** The answer to get-details (interface: 4.6). */
export function bookingDetailsView(state: ShownBooking, url: string): BookingDetailsView {
  return { ...bookingFace(state), payment: cardsInOrder(state).map(cardView), url };
}

function bookingFace({ property, booking }: ShownBooking): BookingFace {
  return {
    bookingReference: booking.reference,
    site: property.site,
    propertyName: property.name,
    arrival: formatDayMonthYear(booking.arrival),
    departure: formatDayMonthYear(booking.departure),
    status: booking.status,
    totalCost: toDecimal(booking.totalCostMinor, exponentOf(booking.currency) ?? 2),
    currency: booking.currency,
    guest: { lastName: booking.lastName, email: booking.email },
  };
}
