import {
  type BookingState,
  endsWithBooking,
  precedesCancellation,
} from '../../../records/bookings/rules.ts';
import type { PendingOperation, TransactionRow } from '../../../schema/moneyTables.ts';

/** A transaction whose payment the acquirer has, under its id there: it can be captured, released or refunded. */
export type AtGateway = TransactionRow & { readonly gatewayReference: string };

/** Whether the acquirer's id of a payment is known. One that was accepted by hand may have none. */
export function isAtGateway(row: TransactionRow): row is AtGateway {
  return row.gatewayReference !== null;
}

/** A transaction in `Processing`: an operation that the acquirer was asked for, and whose outcome is not known. */
export type UnderWay = TransactionRow & {
  /** The key under which the acquirer was asked. */
  readonly gatewayKey: string;
  readonly askedAtMs: number;
} & (
    | { readonly pendingOperation: 'charge' }
    | {
        readonly pendingOperation: Exclude<PendingOperation, 'charge'>;
        readonly expiresAtMs: number;
      }
  );

/** A row as the operation under way that it is. Throws if it is none: the schema refuses such a row in `Processing`. */
export function underWay(row: TransactionRow): UnderWay {
  const { askedAtMs, expiresAtMs, gatewayKey, pendingOperation } = row;
  if (pendingOperation === null || gatewayKey === null || askedAtMs === null) {
    throw new Error('no operation is under way');
  }
  const asked = { ...row, gatewayKey, askedAtMs };
  if (pendingOperation === 'charge') return { ...asked, pendingOperation };
  if (expiresAtMs === null) throw new Error('a hold has no end');
  return { ...asked, pendingOperation, expiresAtMs };
}

type OfBooking = Pick<BookingState, 'booking'>;

/** What says of a transaction itself whether it is wanted. */
type Wish = Pick<
  TransactionRow,
  'kind' | 'initiator' | 'replacesCharge' | 'bookingVersion' | 'unwantedSinceMs'
>;

/**
 * Whether the end of a transaction is wanted: a caller asked for it, or its booking was cancelled and it ends with that.
 * What the property charges at once outlives its booking: cancellation fees, no-shows.
 */
export function isCalledOff(state: OfBooking, row: Wish): boolean {
  if (row.unwantedSinceMs !== null) return true;
  return row.kind === 'charge' ? isStopped(state, row) : endsWithBooking(state, row);
}

/** Whether an immediate charge ends with its cancelled booking: a guest's, and what is made again on a new card. */
function isStopped(state: OfBooking, row: Wish): boolean {
  if (!stopsOnCancellation(row)) return false;
  return precedesCancellation(state, row) || endsWithBooking(state, row);
}

/** Whether a charge is stopped when its booking is cancelled, although it is made at once. */
export function stopsOnCancellation(row: Pick<Wish, 'kind' | 'initiator' | 'replacesCharge'>) {
  return row.kind === 'charge' && (row.initiator === 'guest' || row.replacesCharge !== null);
}

/**
 * Whether the pending operation of a transaction is still wanted, so that it may be sent again if it was lost. A release
 * always is; a capture was asked for while the hold was known.
 */
export function isStillWanted(
  state: OfBooking,
  row: Wish & Pick<TransactionRow, 'pendingOperation'>,
): boolean {
  const isNew = row.pendingOperation === 'charge' || row.pendingOperation === 'authorize';
  return !isNew || !isCalledOff(state, row);
}
