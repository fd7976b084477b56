import { type BookingState, cardInUse, givesUp } from '../bookings/rules.ts';
import { assertNever } from '../core/result.ts';
import { HOUR_MS, MINUTE_MS } from '../core/time.ts';
import type { CardRow } from '../db/cardTables.ts';
import type { TransactionRow } from '../db/moneyTables.ts';
import type { CertainOutcome } from '../gateways/gateway.ts';
import { cardExpired } from './rules.ts';

/** The operation that a transaction in `Processing` waits for. */
export type PendingOperation = NonNullable<TransactionRow['pendingOperation']>;

/** The columns that a change of a transaction may set. */
export type TransactionChange = Partial<
  Omit<TransactionRow, 'id' | 'propertyId' | 'bookingReference' | 'reference' | 'kind' | 'currency'>
>;

/** How long after its first attempt a softly declined schedule is tried again. */
const RETRY_DELAYS_MS = [HOUR_MS, 24 * HOUR_MS, 72 * HOUR_MS] as const;

/** An attempt that is later than this, after an outage, is not made any more. */
const MOST_OVERDUE_MS = 72 * HOUR_MS;

/** How long after its end a hold that the gateway will not let go is asked for, once an hour; then it lapses by itself. */
const EXPIRY_ASKED_FOR_MS = 4 * HOUR_MS;

/** What a schedule that is due does. */
export type Firing =
  | { readonly kind: 'charge'; readonly card: CardRow }
  | { readonly kind: 'end'; readonly change: TransactionChange; readonly why: string };

/**
 * Decides what a due schedule does (decisions: section 5): charges the named card or the one that the booking
 * uses now, or ends without asking the gateway. `named` is the card of the row, if it is still there.
 */
export function fire(
  state: BookingState,
  row: TransactionRow,
  named: CardRow | null,
  nowMs: number,
): Firing {
  if (givesUp(state)) {
    return cancellation(nowMs, 'the booking is cancelled');
  }
  if (nowMs - nominalTimeMs(row) > MOST_OVERDUE_MS) {
    return ended({ status: 'Failed' }, nowMs, 'overdue by more than 72 hours');
  }
  const card = row.cardNamed ? named : cardInUse(state);
  if (card === null) return ended({ status: 'Failed' }, nowMs, 'no card');
  if (cardExpired(card, state.property.timeZone, nowMs)) {
    const declined = {
      status: 'Declined',
      declineCode: 'expired_card',
      declineRetryable: false,
    } as const;
    return ended({ ...declined, cardToken: card.token }, nowMs, 'the card has expired');
  }
  return { kind: 'charge', card };
}

/** Alarms and the sweep are on time by two minutes. */
const LATE_MS = 10 * MINUTE_MS;

/**
 * Whether a schedule that fires may have been charged before, in a past that D1 was taken back from: it is late, or was
 * tried before. Its key may be too old by now to keep the gateway from charging again, so the gateway is asked first.
 */
export function mayHaveBeenMade(row: TransactionRow, nowMs: number): boolean {
  return row.attempts > 0 || nowMs - nominalTimeMs(row) > LATE_MS;
}

/** The columns that end a transaction which waits for nothing any more. */
function ended(change: TransactionChange, nowMs: number, why: string): Firing & { kind: 'end' } {
  return { kind: 'end', change: { ...change, ...DONE, settledAtMs: nowMs }, why };
}

/** When this attempt was to be made; that it was put off since makes it no less late. */
function nominalTimeMs(row: TransactionRow): number {
  return retryTime(row) ?? row.scheduledAtMs ?? 0;
}

/** The columns of a schedule that is cancelled. */
export function cancellation(nowMs: number, why: string): Firing & { kind: 'end' } {
  return ended({ status: 'Cancelled' }, nowMs, why);
}

/** Nothing is under way and nothing is due. */
const DONE = {
  pendingOperation: null,
  dueAtMs: null,
  idempotencyKey: null,
  captureRequestedMinor: null,
  captureAmountMinor: null,
} as const;

/** The columns that a certain outcome of the operation under way changes. */
export function settlement(
  state: BookingState,
  row: TransactionRow,
  outcome: CertainOutcome,
  nowMs: number,
): TransactionChange {
  const { pendingOperation } = row;
  switch (pendingOperation) {
    case 'charge':
      return settledCharge(row, outcome, nowMs);
    case 'authorize':
      return settledAuthorization(state, row, outcome, nowMs);
    case 'capture':
      return settledCapture(state, row, outcome, nowMs);
    case 'release':
    case 'expire':
      return settledRelease(state, row, pendingOperation, outcome, nowMs);
    case null:
      throw new Error('nothing is under way');
    default:
      return assertNever(pendingOperation);
  }
}

function settledCharge(
  row: TransactionRow,
  outcome: CertainOutcome,
  nowMs: number,
): TransactionChange {
  const done = { ...DONE, settledAtMs: nowMs };
  switch (outcome.kind) {
    case 'approved':
      return { ...done, status: 'Accepted', gatewayReference: outcome.gatewayReference };
    case 'declined': {
      const { declineCode, retryable: declineRetryable } = outcome;
      const retryAtMs = declineRetryable ? retryTime(row) : null;
      return retryAtMs === null
        ? { ...done, status: 'Declined', declineCode, declineRetryable }
        : { ...DONE, status: 'Pending', dueAtMs: retryAtMs, declineCode, declineRetryable };
    }
    case 'refused':
      return { ...done, status: 'Failed' };
    default:
      return assertNever(outcome);
  }
}

/** When a softly declined schedule is tried again; null before its first time and after its last, and for a charge that is no schedule. */
function retryTime(row: TransactionRow): number | null {
  const delayMs = row.kind === 'schedule' ? RETRY_DELAYS_MS[row.attempts - 1] : undefined;
  return delayMs === undefined || row.firstAttemptAtMs === null
    ? null
    : row.firstAttemptAtMs + delayMs;
}

function settledAuthorization(
  state: BookingState,
  row: TransactionRow,
  outcome: CertainOutcome,
  nowMs: number,
): TransactionChange {
  if (outcome.kind === 'refused') return { ...DONE, status: 'Failed', settledAtMs: nowMs };
  if (outcome.kind === 'declined') {
    const { declineCode, retryable: declineRetryable } = outcome;
    return { ...DONE, status: 'Declined', declineCode, declineRetryable, settledAtMs: nowMs };
  }
  const asked = row.expiresAtMs ?? nowMs;
  const expiresAtMs = Math.min(asked, outcome.lapsesAtMs ?? asked);
  return {
    ...DONE,
    status: 'Authorized',
    gatewayReference: outcome.gatewayReference,
    expiresAtMs,
    // A booking that was cancelled while nobody knew of the hold lets it go at once.
    dueAtMs: givesUp(state) ? nowMs : expiresAtMs,
  };
}

function settledCapture(
  state: BookingState,
  row: TransactionRow,
  outcome: CertainOutcome,
  nowMs: number,
): TransactionChange {
  if (outcome.kind !== 'approved') {
    // A booking that was cancelled meanwhile lets the hold go at once.
    return givesUp(state) ? { ...heldAgain(row), dueAtMs: nowMs } : heldAgain(row);
  }
  const requestedMinor = row.captureRequestedMinor ?? row.requestedMinor;
  const amountMinor = row.captureAmountMinor ?? row.amountMinor;
  return {
    ...DONE,
    status: 'Accepted',
    requestedMinor,
    amountMinor,
    cardFeeMinor: amountMinor - requestedMinor - row.transactionFeeMinor,
    gatewayReference: outcome.gatewayReference ?? row.gatewayReference,
    settledAtMs: nowMs,
  };
}

function settledRelease(
  state: BookingState,
  row: TransactionRow,
  operation: 'release' | 'expire',
  outcome: CertainOutcome,
  nowMs: number,
): TransactionChange {
  const gone = operation === 'release' ? 'Released' : 'Expired';
  if (outcome.kind === 'approved') return { ...DONE, status: gone, settledAtMs: nowMs };
  if (operation === 'release') {
    // A cancelled booking's hold is asked for again; one that its caller wanted released stands.
    const againAtMs = Math.min(nowMs + HOUR_MS, row.expiresAtMs ?? nowMs);
    return givesUp(state) ? { ...heldAgain(row), dueAtMs: againAtMs } : heldAgain(row);
  }
  // The hold is over by its own time; the gateway is asked to let it go a few times more.
  return nowMs - (row.expiresAtMs ?? nowMs) >= EXPIRY_ASKED_FOR_MS
    ? { ...DONE, status: 'Expired', settledAtMs: nowMs }
    : { ...DONE, status: 'Authorized', dueAtMs: nowMs + HOUR_MS };
}

/** The gateway certainly did not do it: the hold stands as before. */
function heldAgain(row: TransactionRow): TransactionChange {
  return { ...DONE, status: 'Authorized', dueAtMs: row.expiresAtMs };
}
