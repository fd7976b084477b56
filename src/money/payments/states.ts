import { assertNever } from '../../core/result.ts';
import { HOUR_MS, MINUTE_MS } from '../../core/time.ts';
import type { CertainOutcome } from '../../gateways/gateway.ts';
import type { CardRow } from '../../platform/db/cardTables.ts';
import type { TransactionRow } from '../../platform/db/moneyTables.ts';
import { type BookingState, cancelsPending, cardInUse } from '../../records/bookings/rules.ts';
import { cardExpired } from './rules.ts';

/** The columns that a change of a transaction may set. */
export type TransactionChange = Partial<
  Omit<TransactionRow, 'id' | 'propertyId' | 'bookingReference' | 'reference' | 'kind' | 'currency'>
>;

/** When a softly declined schedule is retried, counted from its first attempt. */
const RETRY_DELAYS_MS = [HOUR_MS, 24 * HOUR_MS, 72 * HOUR_MS] as const;

/** An attempt overdue by more than this, after an outage, is not made. */
const MOST_OVERDUE_MS = 72 * HOUR_MS;

/** If the gateway does not release an expired hold: how long to try again, once an hour. Then it ends as expired. */
const EXPIRY_RETRIES_MS = 4 * HOUR_MS;

/** What happens to a schedule that is due: a charge, or its end. */
export type Firing =
  | { readonly kind: 'charge'; readonly card: CardRow }
  | { readonly kind: 'end'; readonly change: TransactionChange; readonly why: string };

/**
 * Decides what happens to a due schedule (interface: Schedules). It charges the card that its request named, else the
 * booking's card in use, or it ends without a charge. `named` is the row's card; null if it is gone.
 */
export function fire(
  state: BookingState,
  row: TransactionRow,
  named: CardRow | null,
  nowMs: number,
): Firing {
  if (cancelsPending(state)) {
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

/** A schedule that fires this late is late: alarms and the sweep need at most two minutes. */
const LATE_MS = 10 * MINUTE_MS;

/**
 * Whether a schedule that fires may have been charged before D1 was restored to an earlier state: it is late, or it has
 * an earlier attempt. Its key may be too old to prevent a second charge, so the gateway is asked first.
 */
export function mayHaveBeenCharged(row: TransactionRow, nowMs: number): boolean {
  return row.attempts > 0 || nowMs - nominalTimeMs(row) > LATE_MS;
}

/** The end of a transaction, with the columns that it changes. */
function ended(change: TransactionChange, nowMs: number, why: string): Firing & { kind: 'end' } {
  return { kind: 'end', change: { ...change, ...DONE, completedAtMs: nowMs }, why };
}

/** When this attempt was first due. A postponement does not make it less late. */
function nominalTimeMs(row: TransactionRow): number {
  return retryTime(row) ?? row.scheduledAtMs ?? 0;
}

/** The cancellation of a schedule, with the columns that it changes. */
export function cancellation(nowMs: number, why: string): Firing & { kind: 'end' } {
  return ended({ status: 'Cancelled' }, nowMs, why);
}

/** No operation is pending and nothing is due. */
const DONE = {
  pendingOperation: null,
  dueAtMs: null,
  idempotencyKey: null,
  captureRequestedMinor: null,
  captureAmountMinor: null,
} as const;

/** The columns that a certain outcome of the pending operation changes. */
export function outcomeChange(
  state: BookingState,
  row: TransactionRow,
  outcome: CertainOutcome,
  nowMs: number,
): TransactionChange {
  const { pendingOperation } = row;
  switch (pendingOperation) {
    case 'charge':
      return chargeChange(row, outcome, nowMs);
    case 'authorize':
      return authorizationChange(state, row, outcome, nowMs);
    case 'capture':
      return captureChange(state, row, outcome, nowMs);
    case 'release':
    case 'expire':
      return releaseChange(state, row, pendingOperation, outcome, nowMs);
    case null:
      throw new Error('no operation is pending');
    default:
      return assertNever(pendingOperation);
  }
}

function chargeChange(
  row: TransactionRow,
  outcome: CertainOutcome,
  nowMs: number,
): TransactionChange {
  const done = { ...DONE, completedAtMs: nowMs };
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
    case 'rejected':
      return { ...done, status: 'Failed' };
    default:
      return assertNever(outcome);
  }
}

/** When a softly declined schedule is retried; null before its first attempt, after its last, and for other kinds. */
function retryTime(row: TransactionRow): number | null {
  const delayMs = row.kind === 'schedule' ? RETRY_DELAYS_MS[row.attempts - 1] : undefined;
  return delayMs === undefined || row.firstAttemptAtMs === null
    ? null
    : row.firstAttemptAtMs + delayMs;
}

function authorizationChange(
  state: BookingState,
  row: TransactionRow,
  outcome: CertainOutcome,
  nowMs: number,
): TransactionChange {
  if (outcome.kind === 'rejected') return { ...DONE, status: 'Failed', completedAtMs: nowMs };
  if (outcome.kind === 'declined') {
    const { declineCode, retryable: declineRetryable } = outcome;
    return { ...DONE, status: 'Declined', declineCode, declineRetryable, completedAtMs: nowMs };
  }
  const asked = row.expiresAtMs ?? nowMs;
  const expiresAtMs = Math.min(asked, outcome.lapsesAtMs ?? asked);
  return {
    ...DONE,
    status: 'Authorized',
    gatewayReference: outcome.gatewayReference,
    expiresAtMs,
    // If the booking was cancelled before the outcome was known, release the hold at once.
    dueAtMs: cancelsPending(state) ? nowMs : expiresAtMs,
  };
}

function captureChange(
  state: BookingState,
  row: TransactionRow,
  outcome: CertainOutcome,
  nowMs: number,
): TransactionChange {
  if (outcome.kind !== 'approved') {
    // If the booking was cancelled during the capture, release the hold at once.
    return cancelsPending(state) ? { ...heldAgain(row), dueAtMs: nowMs } : heldAgain(row);
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
    completedAtMs: nowMs,
  };
}

function releaseChange(
  state: BookingState,
  row: TransactionRow,
  operation: 'release' | 'expire',
  outcome: CertainOutcome,
  nowMs: number,
): TransactionChange {
  const gone = operation === 'release' ? 'Released' : 'Expired';
  if (outcome.kind === 'approved') return { ...DONE, status: gone, completedAtMs: nowMs };
  if (operation === 'release') {
    // The service retries the release for a cancelled booking, but not one that a caller asked for.
    const againAtMs = Math.min(nowMs + HOUR_MS, row.expiresAtMs ?? nowMs);
    return cancelsPending(state) ? { ...heldAgain(row), dueAtMs: againAtMs } : heldAgain(row);
  }
  // The hold has expired; ask the gateway a few more times to release it.
  return nowMs - (row.expiresAtMs ?? nowMs) >= EXPIRY_RETRIES_MS
    ? { ...DONE, status: 'Expired', completedAtMs: nowMs }
    : { ...DONE, status: 'Authorized', dueAtMs: nowMs + HOUR_MS };
}

/** The gateway certainly did not capture or release the hold: it is authorized as before. */
function heldAgain(row: TransactionRow): TransactionChange {
  return { ...DONE, status: 'Authorized', dueAtMs: row.expiresAtMs };
}
