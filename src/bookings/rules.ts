import { type Failure, failure } from '../core/failure.ts';
import type { BookingRow, RoomStay } from '../db/bookingTables.ts';
import type { CardRow } from '../db/cardTables.ts';
import type { PropertyRow } from '../db/propertyTables.ts';

/** Everything that decisions about one booking need: D1's rows, read in one round trip. */
export interface BookingState {
  readonly property: PropertyRow;
  readonly booking: BookingRow;
  /** The cards attached to the booking, newest first. */
  readonly cards: readonly CardRow[];
}

/** What a booking engine says of a booking (interface: 4.5; optional extras per decisions: section 7). Costs in minor units. */
export interface BookingDetails {
  readonly status: BookingRow['status'];
  readonly arrival: string;
  readonly departure: string;
  readonly email: string;
  readonly lastName: string;
  readonly totalCostMinor: number;
  readonly firstNightCostMinor: number;
  readonly firstName?: string | undefined;
  readonly phone?: string | undefined;
  readonly source?: string | undefined;
  readonly pmsConfirmationNumber?: string | undefined;
  readonly roomStays?: RoomStay[] | undefined;
}

/** The row of a booking that is made or changed. Extras that are left out keep their value. */
export function bookingRow(
  property: Pick<PropertyRow, 'id' | 'currency'>,
  before: BookingRow | null,
  reference: string,
  details: BookingDetails,
  nowMs: number,
): BookingRow {
  return {
    propertyId: property.id,
    reference,
    status: details.status,
    arrival: details.arrival,
    departure: details.departure,
    lastName: details.lastName,
    email: details.email,
    currency: before?.currency ?? property.currency,
    totalCostMinor: details.totalCostMinor,
    firstNightCostMinor: details.firstNightCostMinor,
    firstName: details.firstName ?? before?.firstName ?? null,
    phone: details.phone ?? before?.phone ?? null,
    source: details.source ?? before?.source ?? null,
    pmsConfirmationNumber: details.pmsConfirmationNumber ?? before?.pmsConfirmationNumber ?? null,
    roomStays: details.roomStays ?? before?.roomStays ?? null,
    cardToken: before?.cardToken ?? null,
    linkVersion: before?.linkVersion ?? 1,
    version: (before?.version ?? 0) + 1,
    createdAtMs: before?.createdAtMs ?? nowMs,
    updatedAtMs: nowMs,
  };
}

/** A booking's cards, as far as they are read, and which of them it uses. */
interface CardsOf<Card> {
  readonly booking: Pick<BookingRow, 'cardToken'>;
  /** Newest first. */
  readonly cards: readonly Card[];
}

/** The card that the booking uses: the one attached last; null when it has none. */
export function cardInUse<Card extends Pick<CardRow, 'token'>>(state: CardsOf<Card>): Card | null {
  return state.cards.find((card) => card.token === state.booking.cardToken) ?? null;
}

/** The booking's cards with the one in use first, then the newest. */
export function cardsInOrder<Card extends Pick<CardRow, 'token'>>(state: CardsOf<Card>): Card[] {
  const inUse = cardInUse(state);
  return inUse ? [inUse, ...state.cards.filter((card) => card !== inUse)] : [...state.cards];
}

/** Whether a booking gives up its schedules and holds: it is cancelled, and its property does not keep them. */
export function givesUp({
  booking,
  property,
}: Pick<BookingState, 'booking' | 'property'>): boolean {
  return booking.status === 'cancelled' && !property.keepSchedulesOnCancellation;
}

/** No booking by that reference: another property's is exactly as if it did not exist. */
export function bookingNotFound(): Failure {
  return failure('booking_not_found', 'There is no booking with this reference.');
}

/** Nothing was begun: other operations on the booking come first, or the database did not answer. */
export function busy(): Failure {
  return {
    code: 'busy',
    detail: 'Nothing was begun by this request: other operations come first. Try again.',
    retryAfterSeconds: 2,
  };
}

/** The first request with the same key has not ended; it was begun, and its answer is still to come. */
export function stillRunning(): Failure {
  return {
    code: 'busy',
    detail: 'The first request with this key is still running. Send it again for its answer.',
    retryAfterSeconds: 5,
  };
}

/** Something broke after it may have been begun: only looking, or the same idempotency key, tells. */
export function uncertain(): Failure {
  return failure(
    'outcome_unknown',
    'Whether this was done is not known: look before you try again. Under the same idempotency key it is safe to send again.',
  );
}
