import { type Failure, failure } from '../../core/failure.ts';
import { pick } from '../../core/pick.ts';
import type { BookingRow, DisclosedPolicy } from '../../schema/bookingTables.ts';
import type { CardRow } from '../../schema/cardTables.ts';
import type { CancellationPolicy, PropertyRow } from '../../schema/propertyTables.ts';
import type { EventType } from '../history/rules/eventTypes.ts';
import { searchWordsOf } from './rules/searchWords.ts';

/** The rows for decisions about a booking, read in one round trip. */
export interface BookingState {
  readonly property: PropertyRow;
  readonly booking: BookingRow;
  /** The cards attached to the booking, newest first. */
  readonly cards: readonly CardRow[];
}

/** The details that each save has. */
const REQUIRED = [
  'status',
  'arrival',
  'departure',
  'lastName',
  'email',
  'totalCostMinor',
  'firstNightCostMinor',
] as const satisfies (keyof BookingRow)[];

/** The details that a save may leave out, to leave them as they are. */
const OPTIONAL = [
  'firstName',
  'phone',
  'source',
  'pmsConfirmationNumber',
  'roomStays',
  'eta',
  'notes',
] as const satisfies (keyof BookingRow)[];

/** The fields of a booking that a save may change: the PMS gets a message of such a change. */
const SAVED_FIELDS = [...REQUIRED, ...OPTIONAL, 'guest'] as const;

/** A booking from the booking engine (interface: Bookings). What is left out keeps its value. */
export type BookingDetails = Pick<BookingRow, (typeof REQUIRED)[number]> & {
  readonly [Name in (typeof OPTIONAL)[number] | 'guest']?:
    | NonNullable<BookingRow[Name]>
    | undefined;
} & {
  /** Whether the PMS knows all of this already: it then gets no message. */
  readonly fromPms?: boolean | undefined;
  /** The booking's own policy; what is left out keeps the one that it has. */
  readonly cancellationPolicy?: CancellationPolicy | undefined;
};

/** The settings of a property that a saved booking depends on. */
type SavingProperty = Pick<
  PropertyRow,
  | 'id'
  | 'currency'
  | 'keepSchedulesOnCancellation'
  | 'bookingsFromPms'
  | 'cancellationPolicy'
  | 'version'
>;

/** The row of a new or changed booking. Missing optional fields keep their value. */
export function bookingRow(
  property: SavingProperty,
  before: BookingRow | null,
  reference: string,
  details: BookingDetails,
  nowMs: number,
): BookingRow {
  const isCancelled = details.status === 'cancelled' && before?.status !== 'cancelled';
  const ends = isCancelled && !property.keepSchedulesOnCancellation;
  const version = (before?.version ?? 0) + 1;
  const { totalCostMinor } = details;
  const kept = OPTIONAL.map((name) => [name, (details[name] ?? before?.[name]) || null]);
  const optional = Object.fromEntries(kept) as Pick<BookingRow, (typeof OPTIONAL)[number]>;
  return {
    propertyId: property.id,
    reference,
    searchWords: searchWordsOf({ reference, lastName: details.lastName, ...optional }),
    ...pick(details, ...REQUIRED),
    currency: before?.currency ?? property.currency,
    knownTotalMinor: totalCostMinor || before?.totalCostMinor || before?.knownTotalMinor || 0,
    ...optional,
    guest: details.guest ? { ...before?.guest, ...details.guest } : (before?.guest ?? null),
    fromPms: property.bookingsFromPms || details.fromPms === true,
    cardToken: before?.cardToken ?? null,
    linkVersion: before?.linkVersion ?? 1,
    version,
    propertyVersion: property.version,
    pendingCancelledVersion: ends ? version : (before?.pendingCancelledVersion ?? null),
    cancellationPolicy: policyAfter(property, before, details, nowMs),
    createdAtMs: before?.createdAtMs ?? nowMs,
    updatedAtMs: nowMs,
    erasedAtMs: before?.erasedAtMs ?? null,
  };
}

/** A booking keeps the policy that it was first saved with until a save names another. */
function policyAfter(
  property: Pick<PropertyRow, 'cancellationPolicy'>,
  before: BookingRow | null,
  { cancellationPolicy: named }: BookingDetails,
  nowMs: number,
): DisclosedPolicy | null {
  const kept = before?.cancellationPolicy ?? null;
  if (kept !== null && named === undefined) return kept;
  const policy = named ?? (before === null ? property.cancellationPolicy : null);
  if (policy === null) return null;
  const disclosed = { ...policy, disclosedAtMs: kept?.disclosedAtMs ?? nowMs };
  return JSON.stringify(disclosed) === JSON.stringify(kept)
    ? kept
    : { ...policy, disclosedAtMs: nowMs };
}

/** The row of a changed booking: decisions that were made before its new version, or on another property, are outdated. */
export function changedBooking(
  { booking, property }: Pick<BookingState, 'booking' | 'property'>,
  change: Partial<BookingRow>,
  nowMs: number,
): BookingRow {
  const version = booking.version + 1;
  const propertyVersion = property.version;
  return { ...booking, ...change, version, propertyVersion, updatedAtMs: nowMs };
}

/** The row of a booking that is cancelled by a settlement: all that it has open ends, whatever its property keeps. */
export function cancelledRow(state: BookingState, nowMs: number): BookingRow {
  // It is decided here, so the PMS does not know of it yet.
  const change = { status: 'cancelled', fromPms: false } as const;
  const pendingCancelledVersion = state.booking.version + 1;
  return changedBooking(state, { ...change, pendingCancelledVersion }, nowMs);
}

/** Whether a save changed anything of the booking. */
export function isChanged(before: BookingRow, after: BookingRow): boolean {
  return SAVED_FIELDS.some(
    (field) => JSON.stringify(before[field]) !== JSON.stringify(after[field]),
  );
}

/** The event that a save is; null for one that changes nothing but the PMS's number of the booking. */
export function bookingEvent(before: BookingRow | null, after: BookingRow): EventType | null {
  const isCancelled = after.status === 'cancelled' && before?.status !== 'cancelled';
  if (isCancelled) return 'booking.cancelled';
  const { pmsConfirmationNumber } = after;
  return before && !isChanged({ ...before, pmsConfirmationNumber }, after) ? null : 'booking.saved';
}

interface CardsOf<Card> {
  readonly booking: Pick<BookingRow, 'cardToken'>;
  /** Newest first. */
  readonly cards: readonly Card[];
}

/** The card in use: the one attached last; null when the booking has none. */
export function cardInUse<Card extends Pick<CardRow, 'token'>>(state: CardsOf<Card>): Card | null {
  return state.cards.find((card) => card.token === state.booking.cardToken) ?? null;
}

/** The booking's cards with the one in use first, then the newest. */
export function cardsInOrder<Card extends Pick<CardRow, 'token'>>(state: CardsOf<Card>): Card[] {
  const inUse = cardInUse(state);
  return inUse ? [inUse, ...state.cards.filter((card) => card !== inUse)] : [...state.cards];
}

/**
 * Whether a schedule or hold that relies on `bookingVersion` of its booking ends with it: the booking was cancelled after
 * that version, booked again since or not. What the property kept then stays kept, whatever it says later.
 */
export function endsWithBooking(
  { booking: { pendingCancelledVersion } }: Pick<BookingState, 'booking'>,
  { bookingVersion }: { readonly bookingVersion: number },
): boolean {
  return pendingCancelledVersion !== null && bookingVersion < pendingCancelledVersion;
}

/** Whether a payment is older than the cancellation of its booking. A later one pays what the cancellation kept. */
export function precedesCancellation(
  { booking: { pendingCancelledVersion, status } }: Pick<BookingState, 'booking'>,
  { bookingVersion }: { readonly bookingVersion: number },
): boolean {
  return status === 'cancelled' && bookingVersion < (pendingCancelledVersion ?? Infinity);
}

/** The failure for an unknown reference, and for a booking of another property. */
export function bookingNotFound(): Failure {
  return failure('booking_not_found', 'There is no booking with this reference.');
}

export function bookingCancelled(): Failure {
  return failure('invalid_state', 'The booking is cancelled.');
}

/** The property changes its database just now, and takes no changes until it has (parts: Many databases). */
export function moving({ retryAfterSeconds }: { readonly retryAfterSeconds: number }): Failure {
  const detail = 'The property is being moved. Nothing was recorded; try again.';
  return { code: 'busy', detail, retryAfterSeconds };
}

/** Nothing was started: other operations on the booking come first, or the database did not answer. */
export function busy(): Failure {
  return {
    code: 'busy',
    detail:
      'The service is busy with other operations. It started nothing for this request; try again.',
    retryAfterSeconds: 2,
  };
}

export function stillRunning(): Failure {
  return {
    code: 'busy',
    detail:
      'The first request with this Idempotency-Key is still running. Send it again later to get its answer.',
    retryAfterSeconds: 5,
  };
}

/** The operation may or may not have happened. The caller must check, or retry with the same idempotency key. */
export function uncertain(): Failure {
  return failure(
    'outcome_unknown',
    'Outcome unknown. Check the current state, or retry with the same Idempotency-Key.',
  );
}
